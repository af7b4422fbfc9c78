package normals

import (
	"math"
	"runtime"
	"testing"

	"github.com/moiety-go/moiety/internal/stream"
)

// Products of the values of wide rows are made some rows at a time: they are not held, and
// clouds are those of the densities and sums row by row.
func TestWideRows(t *testing.T) {
	const n, d, k = 300, 180, 2
	if n*Own.each(d) <= mostKept {
		t.Fatalf("%d products are kept", n*Own.each(d))
	}
	r := stream.New(1, "test/wide")
	table := Table{N: n, D: d, X: make([]float64, n*d)}
	for i := range table.X {
		table.X[i] = r.NormFloat64() + 3*float64(i/d%k)
	}
	member := make([]float64, n*k)
	for i := range n {
		member[i*k+i%k] = 1
	}
	table = table.Kept()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	m := EM(table, member, k, Options{Shape: Own, Steps: 1})
	runtime.ReadMemStats(&after)
	if made := after.TotalAlloc - before.TotalAlloc; made >= 8*n*uint64(Own.each(d)) {
		t.Errorf("%d bytes were made for products of %d", made, 8*n*Own.each(d))
	}
	scores := make([]float64, n*k)
	m.Scores(table, scores)
	if want := Posterior(scores, k); !(math.Abs(m.LogLik-want) <= 1e-9*math.Abs(want)) {
		t.Errorf("log-likelihood %v, want %v", m.LogLik, want)
	}
}
