package sparse

import (
	"context"
	"fmt"

	"github.com/moiety-go/moiety/internal/kernel"
	"github.com/moiety-go/moiety/internal/par"
)

// Check reports the first thing that makes no rows: offsets that run backwards
// or beyond the entries, features beyond the dimension, values that are too few.
// Rows that a Builder or a reader made are always in order; rows that were put
// together by hand may not be.
func (r Rows) Check() error {
	switch {
	case r.Dim < 0:
		return fmt.Errorf("sparse: Dim is %d, want 0 or more", r.Dim)
	case r.Dense != nil:
		if r.Dim == 0 && len(r.Dense) > 0 || r.Dim > 0 && len(r.Dense)%r.Dim != 0 {
			return fmt.Errorf("sparse: Dense has %d numbers, want rows of Dim = %d", len(r.Dense), r.Dim)
		}
		return nil
	case len(r.Ptr) == 0:
		if len(r.Index) > 0 {
			return fmt.Errorf("sparse: Index has %d entries and Ptr no row", len(r.Index))
		}
		return nil
	case r.Ptr[0] < 0 || r.Ptr[len(r.Ptr)-1] > len(r.Index):
		return fmt.Errorf("sparse: Ptr runs from %d to %d, and Index has %d entries", r.Ptr[0], r.Ptr[len(r.Ptr)-1], len(r.Index))
	case r.Value != nil && len(r.Value) != len(r.Index):
		return fmt.Errorf("sparse: Value has %d entries, Index %d", len(r.Value), len(r.Index))
	}
	// The parts are looked at on all cores; the first that is wrong is reported.
	n := len(r.Ptr) - 1
	if err := par.Blocks(context.Background(), 0, n, checkedRows, func(_, lo, hi int) error {
		for i := lo + 1; i <= hi; i++ {
			if r.Ptr[i] < r.Ptr[i-1] {
				return fmt.Errorf("sparse: Ptr falls from %d to %d at row %d", r.Ptr[i-1], r.Ptr[i], i)
			}
		}
		return nil
	}); err != nil {
		return err
	}
	index := r.Index[r.Ptr[0]:r.Ptr[n]]
	return par.Blocks(context.Background(), 0, len(index), checkedEntries, func(_, lo, hi int) error {
		list := index[lo:hi]
		if int(kernel.Largest(list)) < r.Dim {
			return nil
		}
		for e, h := range list {
			if int(h) >= r.Dim {
				return fmt.Errorf("sparse: Index %d is feature %d, and Dim is %d", lo+e, h, r.Dim)
			}
		}
		return nil
	})
}

// Rows and entries that one core checks in a row.
const (
	checkedRows    = 1 << 17
	checkedEntries = 1 << 20
)

// FromTable returns the rows of a table of numbers, zeros left out; binary keeps
// presences only, and then every number must be 0 or 1.
func FromTable(table [][]float64, dim int, binary bool) (Rows, error) {
	for i, row := range table {
		if len(row) > dim {
			return Rows{}, fmt.Errorf("sparse: row %d of the table has %d numbers, want at most dim = %d", i+1, len(row), dim)
		}
		for h, v := range row {
			if binary && v != 0 && v != 1 {
				return Rows{}, fmt.Errorf("sparse: row %d, number %d is %v, and binary rows hold 0 and 1", i+1, h+1, v)
			}
		}
	}
	return FromDense(table, dim, binary), nil
}
