package main

import (
	"testing"

	"github.com/moiety-go/moiety/sparse"
)

// Features stand where the model has them, and those that it has not are left out.
func TestPlacedInTheModel(t *testing.T) {
	table, place := [][]float64{{1, 2, 0, 3}, {0, 0, 4, 0}}, []int{1, -1, 0, -1}
	for name, rows := range map[string]sparse.Rows{"sparse": sparse.FromDense(table, 4, false), "dense": {Dim: 4, Dense: []float64{1, 2, 0, 3, 0, 0, 4, 0}}} {
		got := placed(rows, place, 2)
		z := make([]float64, 4)
		got.MulTo(z, []float64{1, 0, 0, 1}, 2)
		if got.N() != 2 || z[0] != 0 || z[1] != 1 || z[2] != 4 || z[3] != 0 {
			t.Errorf("%s: %v", name, z)
		}
	}
}
