package singletopic

import (
	"fmt"
	"math/rand/v2"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/family/topics"
	"github.com/moiety-go/moiety/mixture"
)

// Sample draws documents: a topic each, then its words.
func (f *Family) Sample(p mixture.Params, r *rand.Rand, n int, shape family.Shape) (family.Draw, error) {
	if err := f.Check(p); err != nil {
		return family.Draw{}, err
	}
	topic, labels := topics.NewWheel(p.Weights), make([]int, n)
	rows, err := topics.Sample(p.Centers, r, n, func(i int) int { return shape.Length(i, topics.Length) }, func(i int) func() int {
		labels[i] = topic.Draw(r)
		return func() int { return labels[i] }
	})
	if err != nil {
		return family.Draw{}, fmt.Errorf("single-topic: %w", err)
	}
	return family.Draw{Rows: rows, Labels: labels}, nil
}
