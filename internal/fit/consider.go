package fit

import (
	"context"
	"math"
	"slices"

	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/tree"
	"github.com/moiety-go/moiety/internal/verdict"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// consider looks for the next split below every leaf, on the records that the
// verdict looked at: what was found stays with the leaf, with why it was not
// made, and can be read and followed there.
func (h *hierarchy) consider(ctx context.Context, r *tree.Result) error {
	if len(h.v.Seen) == 0 {
		return nil
	}
	var leaves []int32 // without a split: otherwise it was cut away above
	for _, l := range r.Tree.Leaf() {
		if r.Tree.Nodes[l].Split == nil {
			leaves = append(leaves, int32(l))
		}
	}
	some, seen, err := h.seen(ctx)
	if err != nil {
		return err
	}
	leaf := make([]int32, len(seen))
	for i, number := range seen {
		leaf[i] = r.Leaf[number]
	}
	splits, err := h.below(ctx, some, leaf, leaves)
	if err != nil {
		return err
	}
	for i, l := range leaves {
		r.Tree.Nodes[l].Split = splits[i]
	}
	return nil
}

// below looks for the next split of every leaf among some records, of which leaf is where
// they lie.
func (h *hierarchy) below(ctx context.Context, some *pass.Local, leaf, leaves []int32) ([]*tree.Split, error) {
	of := map[int32][]int32{}
	for i, l := range leaf {
		of[l] = append(of[l], int32(i))
	}
	workers, out := par.Workers(h.s.Workers), make([]*tree.Split, len(leaves))
	small := *h // fits of a few hundred records, as many at a time as there are cores
	small.s.Workers = max(1, workers/(considered*max(len(leaves), 1)))
	return out, par.Do(ctx, workers, len(leaves), func(i int) (err error) {
		var rows sparse.Rows
		some.Rows().PickInto(&rows, of[leaves[i]])
		out[i], err = small.considered(ctx, rows, workers)
		return err
	})
}

// seen returns copies of the records that the verdict looked at, and their numbers.
func (h *hierarchy) seen(ctx context.Context) (*pass.Local, []int, error) {
	if h.some != nil {
		return h.some, h.numbers, nil
	}
	numbers := slices.Sorted(slices.Values(h.v.Seen))
	marked := make([]uint64, h.data.Run.Len()/64+1) // a bit each: to search for all records would take longer than a pass
	for _, number := range numbers {
		marked[number/64] |= 1 << (number % 64)
	}
	some, err := pass.Copy(ctx, h.data.Run, func(number int) bool { return marked[number/64]>>(number%64)&1 != 0 })
	h.some, h.numbers = some, numbers
	return some, numbers, err
}

// considered is the number of fits at a time that a split which was not made is judged by:
// of its records, and of one half of them.
const considered = 2

// hopeless is how many standard errors a split is behind, on the half of the records that is
// judged first, where the other half is not asked any more.
const hopeless = 3

// considered is the split of the records of a leaf that was not made.
func (h *hierarchy) considered(ctx context.Context, rows sparse.Rows, workers int) (*tree.Split, error) {
	const few = "too few records to look for parts"
	if rows.N() < 4*leastHalved {
		return &tree.Split{Refused: few, Stability: -1}, nil
	}
	by := h.data.differing(rows)
	inner := by.narrow(rows)
	var both *halved
	var diff []float64
	errs := make([]error, considered)
	_ = par.Do(context.WithoutCancel(ctx), workers, len(errs), func(i int) error { // the errors are looked at in order
		if i == 0 {
			both, errs[i] = halve(ctx, h.fam, h.part(inner, 0, 1), h.s, h.v.Form)
		} else {
			diff, errs[i] = h.crossed(ctx, h.part(inner, 0, 2), h.part(inner, 1, 2))
		}
		return nil
	})
	if errs[0] != nil {
		return nil, errs[0]
	}
	if both == nil {
		return &tree.Split{Refused: "its records cannot be told apart", Stability: -1}, nil
	}
	if errs[1] != nil {
		return nil, errs[1]
	}
	e := evidence(diff)
	if e.Nats >= -hopeless*e.Error {
		more, err := h.crossed(ctx, h.part(inner, 1, 2), h.part(inner, 0, 2))
		if err != nil {
			return nil, err
		}
		e = evidence(append(diff, more...))
	}
	split := tree.Considered(h.v.Unsplit(e), h.fam, by.widen(both.pair), rows, both.side)
	split.Nats, split.Error = e.Nats, e.Error
	return split, nil
}

// part are the records of a leaf from one on, each so many after the last.
func (h *hierarchy) part(rows sparse.Rows, from, step int) Training {
	if step > 1 {
		var list []int32
		for i := from; i < rows.N(); i += step {
			list = append(list, int32(i))
		}
		all := rows
		rows = sparse.Rows{}
		all.PickInto(&rows, list)
	}
	return h.data.of(pass.NewLocal(rows, h.s.Workers))
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
