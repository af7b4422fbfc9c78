package fit

import (
	"math"
	"runtime"
	"testing"

	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// Thousands of columns of few records, some of them missing: nothing is made of pairs
// of columns, which would be a hundred times the records.
func TestWideTablesTakeNoSquare(t *testing.T) {
	const n, d, most = 60, 6000, 75 // times the table, allocated in all; one square is 100 times it
	r := stream.New(1, "test/wide")
	rows := sparse.Rows{Dim: d}
	for i := range n {
		for h := range d {
			x := r.NormFloat64()
			if h < 100 {
				x += 4 * float64(i%2)
			}
			if i == 7 && h == 11 {
				x = math.NaN()
			}
			rows.Dense = append(rows.Dense, x)
		}
	}
	data := Training{Run: pass.NewLocal(rows, 1), Vocab: vocab.Numbered(d), Kind: record.Real}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	out, err := Flat(t.Context(), data, Settings{K: 2, Seed: 1})
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	if got := float64(after.TotalAlloc-before.TotalAlloc) / (n * d * 8); got > most {
		t.Errorf("%.0f times the table was allocated, want at most %d times", got, most)
	}
	got, truth := make([]int, n), make([]int, n)
	for i, g := range out.Group {
		got[i], truth[i] = int(g), i%2
	}
	if ari, err := agree.ARI(got, truth); err != nil || ari < .8 {
		t.Errorf("agreement %.2f (%v)", ari, err)
	}
}
