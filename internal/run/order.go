package run

import (
	"context"

	"github.com/moiety-go/moiety/internal/durable"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/report"
)

// Order is an order with a place for what it gives, and data that come from
// earlier work.
type Order struct {
	fit.Order
	// Within names a group of an earlier run, "RUN:GROUP", whose records are
	// the data; Args is then empty.
	Within string
	// Totals are files of the totals of several sites, instead of Args: those of
	// the last round are enough.
	Totals []string
	// Unset says that no setting was given, so that those of the totals hold.
	Unset bool

	// KeepSums keeps sums of the records in the run, and none of the records.
	KeepSums bool

	Out   string // the run folder
	Force bool   // replace an earlier run there

	// Words asks for a report of the run, made while its records are at hand.
	Words *report.Settings

	files durable.FS // of tests; nil is the machine's
}

func (o *Order) fs() durable.FS {
	if o.files != nil {
		return o.files
	}
	return durable.OS{}
}

// Prepare reads and encodes the data of an order, or takes those of an earlier
// run. Rows that do not fit into memory go to rows, a file name, or to a temporary
// file where it is empty.
func Prepare(ctx context.Context, o Order, rows string) (*fit.Prepared, error) {
	if o.Within != "" {
		return prepareWithin(ctx, o, rows)
	}
	return fit.Prepare(ctx, o.Order, rows)
}

// prepared is Prepare, also for the totals of several sites, and returns what is
// to be fitted to them.
func prepared(ctx context.Context, o Order, rows string) (*fit.Prepared, Order, error) {
	if len(o.Totals) > 0 {
		return prepareTotals(ctx, o)
	}
	p, err := Prepare(ctx, o, rows)
	if err == nil && o.MinCell == 0 {
		o.MinCell = p.MinCell // of the run whose group this is
	}
	return p, o, err
}
