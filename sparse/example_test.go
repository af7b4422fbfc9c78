package sparse_test

import (
	"fmt"

	"github.com/moiety-go/moiety/sparse"
)

// Rows are built one by one; entries that are not given are zero.
func ExampleBuilder() {
	b := sparse.NewBuilder(4, false)
	for _, row := range []struct {
		index []uint32
		value []float32
	}{{[]uint32{3, 0}, []float32{2, 1}}, {nil, nil}} {
		if err := b.Add(row.index, row.value); err != nil {
			fmt.Println(err)
			return
		}
	}
	rows := b.Rows()
	index, value := rows.Row(0)
	fmt.Println(rows.N(), index, value, rows.At(1, 2))
	// Output: 2 [0 3] [1 2] 0
}
