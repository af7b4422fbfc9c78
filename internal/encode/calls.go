package encode

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/vocab"
	"github.com/moiety-go/moiety/warn"
)

// Genotypes of which some calls are missing stay genotypes: a missing call becomes the mean of
// its locus over all records, here and once, rounded up or down by lot so that the mean stays.
// It then tells next to nothing of groups, and every model, verdict and test takes the records
// as any genotypes. The lot depends on the record's number and its loci alone, and is the same
// when the records are read again to be placed.

// Calls says what missing calls are taken for.
type Calls struct {
	Mean []float64 `json:"mean"` // by feature: copies of the counted allele, where they are known
}

// calls returns the means of the loci, nil where no call is missing.
func (e *encoder) calls() *Calls {
	if e.schema.Format != vocab.Genotypes || hasColumns(e.kind) {
		return nil
	}
	missing := 0
	c := &Calls{Mean: make([]float64, e.chosen.vocab.Len())}
	for t, h := range e.chosen.feature {
		if h >= 0 {
			missing += e.stats.missing[t]
			c.Mean[h] = e.stats.freq[t] / float64(max(1, e.stats.records-e.stats.missing[t]))
		}
	}
	if missing == 0 {
		return nil
	}
	e.sum.Warnings = append(e.sum.Warnings, warn.New(warn.Note, "calls-filled", "",
		"Some calls are missing: each was taken as the mean of its locus, up or down by lot, which tells next to nothing of groups."))
	return c
}

// filler fills in missing calls of one record.
type filler struct {
	*Calls
	record int // its number
	from   *rand.Rand
}

// begin goes to a record.
func (d *filler) begin(record int) { d.record, d.from = record, nil }

// call makes a call of a locus.
func (d *filler) call(h uint32) (copies float64) {
	if d.from == nil {
		d.from = stream.New(1, fmt.Sprintf("encode/calls/%d", d.record))
	}
	copies = math.Floor(d.Mean[h])
	if d.from.Float64() < d.Mean[h]-copies {
		copies++
	}
	return copies
}
