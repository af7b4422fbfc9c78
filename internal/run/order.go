package run

import (
	"time"

	"github.com/moiety-go/moiety/internal/durable"
	"github.com/moiety-go/moiety/internal/encode"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/read"
	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
)

// Order is what somebody wants done: data, settings of every stage, a place.
type Order struct {
	Args []string // data, as on the command line
	// Inputs and Records stand in place of Args where the data have no names: a
	// table or texts in memory, a source of somebody's own.
	Inputs  []source.Input
	Records record.Source

	Read   read.Options
	Encode encode.Settings
	Fit    fit.Settings
	// Views are the views of a multi-view model, one pattern each.
	Views []string
	// Within names a group of an earlier run, "RUN:GROUP", whose records are
	// the data; Args is then empty.
	Within string
	// Totals are files of the totals of several sites, instead of Args: those of
	// the last round are enough.
	Totals []string
	// Unset says that no setting was given, so that those of the totals hold.
	Unset bool
	// MinCell is the least count of records that may be shown: 0 means 11 for
	// health data and no limit for others, negative means no limit.
	MinCell int
	// Health says that the records are of people's health, whatever their form:
	// notes of doctors, a table of findings. Codes of diseases are known to be.
	Health bool
	// Cache keeps the encoded rows beside the data.
	Cache bool

	Out   string // the run folder
	Force bool   // replace an earlier run there

	// Now tells the time, for the timings; nil leaves them out.
	Now func() time.Time

	// joined is the exchange with other sites, and study what they agreed on.
	joined pass.Exchange
	study  string
	omit   int // count below which cells stay here, where sums are open

	files durable.FS // of tests; nil is the machine's
}

// healthFormats are formats of patients' records.
var healthFormats = []string{"mimic", "fhir", "omop"}

// isHealth reports whether records are diagnoses of people.
func isHealth(format, system string) bool {
	for _, f := range healthFormats {
		if f == format {
			return true
		}
	}
	return system == "icd9" || system == "icd10"
}

// isTree reports whether the order is for a tree.
func (o *Order) isTree() bool { return o.Fit.K == 0 }

// watch measures the stages.
type watch struct {
	now     func() time.Time
	started time.Time
	last    time.Time
	stages  []Stage
}

func newWatch(now func() time.Time) *watch {
	w := &watch{now: now}
	if now != nil {
		w.started = now()
		w.last = w.started
	}
	return w
}

// mark ends a stage.
func (w *watch) mark(name string) {
	if w.now == nil {
		return
	}
	t := w.now()
	w.stages = append(w.stages, Stage{name, t.Sub(w.last).Seconds()})
	w.last = t
}

func (w *watch) timings() Timings {
	if w.now == nil {
		return Timings{}
	}
	return Timings{Started: w.started.UTC().Format(time.RFC3339), Stages: w.stages}
}
