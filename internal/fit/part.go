package fit

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/warn"
)

// leastGrown is the number of records below which a part of them says too
// little of the whole to grow a tree on.
const leastGrown = 1 << 14

// inMemory returns the records that a tree grows on: all of them where they are
// in memory or fit into it; else one of every run of so many that these fit.
func inMemory(ctx context.Context, data Training, s Settings) (Training, error) {
	if data.Run.Can().Rows != nil {
		return data, nil
	}
	if data.Run.Can().Places > 1 {
		return data, errManyPlaces
	}
	if data.Memory <= 0 {
		return data, fmt.Errorf("fit: a tree needs records in memory, and none is allowed: set Training.Memory, or ask for a flat model")
	}
	bytes, err := pass.RunOne(ctx, data.Run, rowBytes{})
	if err != nil {
		return data, err
	}
	step := 1
	if all := bytes[0]; all > float64(data.Memory) {
		step = int(math.Ceil(all / float64(data.Memory) * copies))
	}
	if n := data.Run.Len(); step > 1 && n/step < leastGrown {
		return data, fmt.Errorf("fit: only %d of %d records fit into the memory allowed, too few to grow a tree on: raise ‹max-memory›, or ask for a flat model with ‹groups›", n/step, n)
	}
	some, err := pass.Sample(ctx, data.Run, step)
	if err != nil {
		return data, err
	}
	return data.of(some), nil
}

// errManyPlaces says that a tree, which looks at records one by one while it
// grows, cannot see those of other places.
var errManyPlaces = errors.New("fit: the records lie at several places, where the number of groups is judged under the model of their kind and under no others: " +
	"ask for a number of groups (‹groups›), and for the tree over them (‹tree›)")

// copies is how often the drawn records are in memory while they are put
// together.
const copies = 2

// rowBytes adds up the memory of rows.
type rowBytes struct{}

func (rowBytes) Len() int { return 1 }

func (rowBytes) Add(state []float64, b pass.Block) error {
	r := b.Rows
	if r.IsDense() {
		state[0] += 8 * float64(len(r.Dense))
		return nil
	}
	each := 4.0
	if !r.IsBinary() {
		each = 8
	}
	state[0] += 8*float64(r.N()) + each*float64(r.NNZ())
	return nil
}

// partWarning says that a tree was grown on some of the records.
func partWarning(some, all int) []warn.Warning {
	if some == all {
		return nil
	}
	return []warn.Warning{warn.New(warn.Note, "grown-on-part",
		"More memory lets the tree see more of them; sizes and frequencies are those of all records in any case.",
		"The records do not fit into the memory allowed: the tree was grown on %d of %d, spread evenly over the file, and all were then placed by it.", some, all)}
}
