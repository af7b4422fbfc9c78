package pass_test

import (
	"slices"
	"testing"

	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/pass/passtest"
	"github.com/moiety-go/moiety/sparse"
)

// TestCopiedInMemory demands of records in memory the copies that streamed ones give: lists
// with gaps, stretches, none at all.
func TestCopiedInMemory(t *testing.T) {
	const n, d = 2*pass.BlockRecords + 77, 9
	present := sparse.NewBuilder(d, true)
	valued := sparse.NewBuilder(d, false)
	dense := sparse.Rows{Dim: d, Dense: make([]float64, n*d)}
	for i := range n {
		index, value := []uint32{}, []float32{}
		for h := i % 4; h < d; h += 1 + i%3 {
			index, value = append(index, uint32(h)), append(value, float32(1+i%5))
			dense.Dense[i*d+h] = float64(i)
		}
		if err := present.Add(index, nil); err != nil {
			t.Fatal(err)
		}
		if err := valued.Add(index, value); err != nil {
			t.Fatal(err)
		}
	}
	for name, rows := range map[string]sparse.Rows{"presences": present.Rows(), "values": valued.Rows(), "dense": dense} {
		for what, keep := range map[string]func(int) bool{
			"gaps":    func(i int) bool { return i%7 < 2 },
			"stretch": func(i int) bool { return i >= 100 && i < n-50 },
			"none":    func(int) bool { return false },
		} {
			want, err := pass.Copy(t.Context(), passtest.Streamed(rows, 2), keep)
			if err != nil {
				t.Fatal(err)
			}
			for _, workers := range []int{1, 8} {
				for _, run := range []pass.Runner{pass.NewLocal(rows, workers), laidOver{pass.NewLocal(rows, workers)}} {
					got, err := pass.Copy(t.Context(), run, keep)
					if err != nil || !equal(got.Rows(), want.Rows()) || got.Can().Exact != want.Can().Exact {
						t.Errorf("%s, %s, %d workers, %T: other copies, %v", name, what, workers, run, err)
					}
				}
			}
		}
	}
}

// laidOver hides what a runner is: its blocks stay in memory, and are asked for one by one.
type laidOver struct{ pass.Runner }

func equal(a, b sparse.Rows) bool {
	if a.N() != b.N() || a.IsDense() != b.IsDense() || a.IsBinary() != b.IsBinary() {
		return false
	}
	if a.IsDense() {
		return slices.Equal(a.Dense, b.Dense)
	}
	return slices.Equal(a.Ptr, b.Ptr) && slices.Equal(a.Index, b.Index) && slices.Equal(a.Value, b.Value)
}
