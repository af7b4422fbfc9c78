package fit

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/tree"
	"github.com/moiety-go/moiety/internal/verdict"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
)

// consider looks for the next split below every leaf, on the records that the
// verdict looked at: what was found stays with the leaf, with why it was not
// made, and can be read and followed there.
func (h *hierarchy) consider(ctx context.Context, r *tree.Result) error {
	seen := slices.Clone(h.v.Seen)
	slices.Sort(seen)
	if len(seen) == 0 {
		return nil
	}
	some, err := pass.Copy(ctx, h.data.Run, func(number int) bool {
		_, ok := slices.BinarySearch(seen, number)
		return ok
	})
	if err != nil {
		return err
	}
	of := map[int32][]int32{}
	for i, number := range seen {
		of[r.Leaf[number]] = append(of[r.Leaf[number]], int32(i))
	}
	leaves, workers := r.Tree.Leaf(), par.Workers(h.s.Workers)
	small := *h // fits of a few hundred records, as many at a time as there are cores
	small.s.Workers = max(1, workers/(considered*max(len(leaves), 1)))
	return par.Do(ctx, workers, len(leaves), func(i int) (err error) {
		n := &r.Tree.Nodes[leaves[i]]
		if n.Split == nil { // otherwise it was cut away above
			n.Split, err = small.considered(ctx, some, of[int32(leaves[i])], workers)
		}
		return err
	})
}

// considered is the number of fits that a split which was not made is judged by: of its
// records, and of each half of them.
const considered = 3

// considered is the split of the listed records that was not made.
func (h *hierarchy) considered(ctx context.Context, some *pass.Local, list []int32, workers int) (*tree.Split, error) {
	const few = "too few records to look for parts"
	if len(list) < 4*leastHalved {
		return &tree.Split{Refused: few, Stability: -1}, nil
	}
	var both *halved
	var half [2][]int32
	for i, r := range list {
		half[i%2] = append(half[i%2], r)
	}
	var diff [2][]float64
	errs := make([]error, considered)
	_ = par.Do(context.WithoutCancel(ctx), workers, len(errs), func(i int) error { // the errors are looked at in order
		if i == 0 {
			both, errs[i] = halve(ctx, h.fam, h.part(some, list), h.s, h.v.Form)
		} else {
			diff[i-1], errs[i] = h.crossed(ctx, h.part(some, half[i-1]), h.part(some, half[2-i]))
		}
		return nil
	})
	if errs[0] != nil {
		return nil, errs[0]
	}
	if both == nil {
		return &tree.Split{Refused: "its records cannot be told apart", Stability: -1}, nil
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	e := evidence(slices.Concat(diff[:]...))
	rows := make([]int, len(list))
	for i, r := range list {
		rows[i] = int(r)
	}
	split := tree.Considered(h.v.Unsplit(e), h.fam, both.pair, some.Rows().Pick(rows), both.side)
	split.Nats, split.Error = e.Nats, e.Error
	return split, nil
}

// part are the listed records of a sample.
func (h *hierarchy) part(some *pass.Local, list []int32) Training {
	return h.data.of(pass.Subset(some.Rows(), list, h.s.Workers))
}

// crossed is how much better two groups describe every record of one half than one group
// does, by what the other half shows; nil where that has no two groups.
func (h *hierarchy) crossed(ctx context.Context, train, test Training) ([]float64, error) {
	two, err := halve(ctx, h.fam, train, h.s, h.v.Form)
	if err != nil || two == nil {
		return nil, err
	}
	one, err := alone(ctx, h.fam, train, h.s, h.v.Form)
	if err != nil {
		return nil, err
	}
	diff, err := h.densities(ctx, test.Run, two.pair)
	if err != nil {
		return nil, err
	}
	less, err := h.densities(ctx, test.Run, one)
	if err != nil {
		return nil, err
	}
	for i, v := range less {
		diff[i] -= v
	}
	return diff, nil
}

// evidence adds up differences of records.
func evidence(diff []float64) verdict.Evidence {
	sum, square := 0.0, 0.0
	for _, v := range diff {
		sum += v
	}
	for _, v := range diff {
		d := v - sum/float64(len(diff))
		square += d * d
	}
	return verdict.Evidence{Nats: math.Round(sum), Error: math.Round(math.Sqrt(square))}
}

// densities returns the log density of every record.
func (h *hierarchy) densities(ctx context.Context, run pass.Runner, p mixture.Params) ([]float64, error) {
	out := make([]float64, run.Can().Own)
	_, err := run.Own(ctx, func(b pass.Block) error { return h.fam.LogDensity(p, b, out[b.First:][:b.N()]) })
	return out, err
}
