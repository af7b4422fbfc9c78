package dataset

import (
	"testing"

	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/pass/passtest"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// The runner over a file goes through the battery for every runner.
func TestFileRunnerBattery(t *testing.T) {
	passtest.Run(t, passtest.Battery{Open: func(t testing.TB, rows sparse.Rows, steps []int, workers int) pass.Runner {
		d := &Dataset{Kind: record.Counts, Rows: rows, Steps: steps, Vocab: vocab.Numbered(rows.Dim)}
		return open(t, write(t, d)).Runner(workers)
	}})
}
