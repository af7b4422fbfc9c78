package loglinear_test

import (
	"context"
	"math"
	"testing"

	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/pass/passtest"
	"github.com/moiety-go/moiety/sparse"
)

const (
	// singleTol is what single precision may cost a statistic, relative to it
	// or to one record; a step of EM near its end moves parameters by 1e-4.
	singleTol = 2e-5
	// singleLogTol is what it may cost the log-likelihood, relative.
	singleLogTol = 1e-7
)

// records returns n sparse rows of d features.
func records(n, d int, binary bool) sparse.Rows {
	r := stream.New(7, "records")
	rows := sparse.Rows{Dim: d, Ptr: []int{0}}
	for range n {
		for h := r.IntN(6); h < d; h += 1 + r.IntN(20) {
			rows.Index = append(rows.Index, uint32(h))
			if !binary {
				rows.Value = append(rows.Value, float32(1+r.IntN(4)))
			}
		}
		rows.Ptr = append(rows.Ptr, len(rows.Index))
	}
	return rows
}

// TestQuickEStep compares single with double precision, and demands the same
// bits for any number of workers, in memory and streamed.
func TestQuickEStep(t *testing.T) {
	const n, d = 3*pass.BlockRecords + 500, 90
	for _, k := range []int{1, 2, 5, 16, 20, 64, 65} {
		for _, binary := range []bool{true, false} {
			table, rows := randomTable(d, k, false), records(n, d, binary)
			exact := run(t, pass.NewLocal(rows, 2), table.EStep())
			quick := run(t, pass.NewLocal(rows, 1), table.QuickEStep())
			if l := math.Abs(quick[0]-exact[0]) / math.Abs(exact[0]); !(l <= singleLogTol) {
				t.Errorf("k=%d: log-likelihood %v, in double precision %v", k, quick[0], exact[0])
			}
			for i := 1; i < len(exact); i++ {
				if !(math.Abs(quick[i]-exact[i]) <= singleTol*math.Max(1, exact[i])) {
					t.Fatalf("k=%d: number %d is %v, in double precision %v", k, i, quick[i], exact[i])
				}
			}
			for _, workers := range []int{2, 8} {
				streamed := passtest.Streamed(rows, workers)
				for _, r := range []pass.Runner{pass.NewLocal(rows, workers), streamed} {
					for i, v := range run(t, r, table.QuickEStep()) {
						if math.Float64bits(v) != math.Float64bits(quick[i]) {
							t.Fatalf("k=%d, %d workers: number %d is %v, with one worker %v", k, workers, i, v, quick[i])
						}
					}
				}
			}
		}
	}
}

// TestQuickEStepFallsBack: dense rows and tables with a quadratic part are
// summed in double precision, and so are blocks whose scores single precision
// cannot tell apart.
func TestQuickEStepFallsBack(t *testing.T) {
	const n, d, k = 2000, 7, 3
	for layout, rows := range layouts(n, d) {
		for _, quadratic := range []bool{false, true} {
			table := randomTable(d, k, quadratic)
			if layout != "dense" && !quadratic {
				for h := range table.Slope {
					table.Slope[h] *= 500
				}
			}
			exact, quick := run(t, pass.NewLocal(rows, 1), table.EStep()), run(t, pass.NewLocal(rows, 1), table.QuickEStep())
			for i, v := range exact {
				if quick[i] != v {
					t.Fatalf("%s, quadratic %v: number %d is %v, want %v", layout, quadratic, i, quick[i], v)
				}
			}
		}
	}
}

func run(t *testing.T, r pass.Runner, s pass.Sum) []float64 {
	t.Helper()
	state, err := pass.RunOne(context.Background(), r, s)
	if err != nil {
		t.Fatal(err)
	}
	return append([]float64(nil), state...)
}
