package singletopic

import (
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/family/topics"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/sparse"
)

// Sample draws documents: a topic each, then its words. Of counts that scatter the
// lengths are those expected of records, whose features are then more or less frequent
// by a gamma law.
func (f *Family) Sample(p mixture.Params, r *rand.Rand, n int, shape family.Shape) (family.Draw, error) {
	if err := f.Check(p); err != nil {
		return family.Draw{}, err
	}
	topic, labels := topics.NewWheel(p.Weights), make([]int, n)
	if calm := p.Extra[Calm]; calm != nil {
		return scattered(p, calm, topic, r, n, shape)
	}
	rows, err := topics.Sample(p.Centers, r, n, func(i int) int { return shape.Length(i, topics.Length) }, func(i int) func() int {
		labels[i] = topic.Draw(r)
		return func() int { return labels[i] }
	})
	if err != nil {
		return family.Draw{}, fmt.Errorf("single-topic: %w", err)
	}
	return family.Draw{Rows: rows, Labels: labels}, nil
}

// scattered draws counts of a negative binomial law, with as much scatter as leaves a
// count of a record of usual length what it weighs.
func scattered(p mixture.Params, calm *mat.Dense, topic topics.Wheel, r *rand.Rand, n int, shape family.Shape) (family.Draw, error) {
	d := p.Dim()
	rows, labels := sparse.NewBuilder(d, false), make([]int, n)
	var usual mat.VecDense
	usual.MulVec(p.Centers, mat.NewVecDense(p.K(), p.Weights))
	for i := range n {
		long, j := float64(shape.Length(i, topics.Length)), topic.Draw(r)
		labels[i] = j
		var index []uint32
		var value []float32
		for h := range d {
			mean := long * p.Centers.At(h, j)
			if delta := (1/calm.At(h, 0) - 1) / (long * usual.AtVec(h)); mean > 0 && delta > 0 {
				mean *= distuv.Gamma{Alpha: 1 / delta, Beta: 1 / delta, Src: r}.Rand()
			}
			if !(mean > 0) {
				continue
			}
			if x := (distuv.Poisson{Lambda: mean, Src: r}).Rand(); x > 0 {
				index, value = append(index, uint32(h)), append(value, float32(x))
			}
		}
		if err := rows.Add(index, value); err != nil {
			return family.Draw{}, fmt.Errorf("single-topic: %w", err)
		}
	}
	return family.Draw{Rows: rows.Rows(), Labels: labels}, nil
}
