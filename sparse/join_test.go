package sparse_test

import (
	"reflect"
	"testing"

	"github.com/moiety-go/moiety/sparse"
)

// TestJoin puts slices of rows together again: views whose pointers do not
// start at zero, empty rows and empty parts among them.
func TestJoin(t *testing.T) {
	table := [][]float64{{1, 0, 1}, {0, 0, 0}, {0, 1, 1}, {1, 1, 1}, {0, 0, 0}}
	flat := sparse.Rows{Dim: 3}
	for _, row := range table {
		flat.Dense = append(flat.Dense, row...)
	}
	for name, rows := range map[string]sparse.Rows{
		"presences": sparse.FromDense(table, 3, true), "valued": sparse.FromDense(table, 3, false), "dense": flat,
	} {
		n := len(table)
		got := sparse.Join(3, []sparse.Rows{rows.Slice(0, 0), rows.Slice(0, 2), rows.Slice(2, 2), rows.Slice(2, n)})
		if got.N() != n || got.IsDense() != rows.IsDense() || got.IsBinary() != rows.IsBinary() {
			t.Fatalf("%s: %d rows of another kind", name, got.N())
		}
		for i, want := range table {
			row := make([]float64, 3)
			for h := range row {
				row[h] = got.At(i, h)
			}
			if !reflect.DeepEqual(row, want) {
				t.Errorf("%s: row %d is %v, want %v", name, i, row, want)
			}
		}
	}
	if got := sparse.Join(3, nil); got.N() != 0 || got.Dim != 3 {
		t.Errorf("nothing joined has %d rows of %d features", got.N(), got.Dim)
	}
}
