package dataset_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// TestPick: the records of given numbers, in memory and on disk, on both sides of
// the border of a block; with and without ids of their own.
func TestPick(t *testing.T) {
	const n = 2*pass.BlockRecords + 3
	d := &dataset.Dataset{Kind: record.Presence, Vocab: vocab.Numbered(7), Rows: sparse.Rows{Dim: 7, Ptr: []int{0}}}
	for i := range n {
		d.Rows.Index = append(d.Rows.Index, uint32(i%7))
		d.Rows.Ptr = append(d.Rows.Ptr, i+1)
	}
	wanted := []int{0, 5, pass.BlockRecords - 1, pass.BlockRecords, 2 * pass.BlockRecords, n - 1}
	for _, named := range []bool{false, true} {
		if named {
			for i := range n {
				d.IDs = append(d.IDs, fmt.Sprintf("p%d", i))
			}
		}
		path := filepath.Join(t.TempDir(), "rows")
		if err := dataset.Write(path, d); err != nil {
			t.Fatal(err)
		}
		f, err := dataset.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for _, data := range []dataset.Data{d, f} {
			var got []int
			err := data.Pick(t.Context(), wanted, func(r int, part *dataset.Dataset, i int) error {
				index, _ := part.Rows.Row(i)
				id := fmt.Sprint(r + 1)
				if named {
					id = fmt.Sprintf("p%d", r)
				}
				if part.ID(i) != id || index[0] != uint32(r%7) {
					t.Errorf("%T: record %d is %s with %v", data, r, part.ID(i), index)
				}
				got = append(got, r)
				return nil
			})
			if err != nil || !slices.Equal(got, wanted) {
				t.Errorf("%T: %v (%v)", data, got, err)
			}
			if data.Pick(t.Context(), []int{n}, func(int, *dataset.Dataset, int) error { return nil }) == nil {
				t.Errorf("%T: a record behind the last", data)
			}
		}
	}
}
