package pass_test

import (
	"context"
	"fmt"

	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// entries counts the entries of records: all a Sum has to say is what one block
// adds to the state.
type entries struct{}

func (entries) Len() int { return 2 }

func (entries) Add(state []float64, b pass.Block) error {
	state[0] += float64(b.Rows.N())
	state[1] += float64(b.Rows.NNZ())
	return nil
}

// A Sum is added up over all records, wherever the Runner has them.
func ExampleSum() {
	rows := sparse.FromDense([][]float64{{1, 0, 1}, {0, 0, 1}, {1, 1, 1}}, 3, true)
	state, err := pass.RunOne(context.Background(), pass.NewLocal(rows, 2), entries{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%v entries in %v records\n", state[1], state[0])
	// Output: 6 entries in 3 records
}
