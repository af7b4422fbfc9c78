package fit

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/assign"
	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/progress"
	"github.com/moiety-go/moiety/internal/tree"
	"github.com/moiety-go/moiety/mixture"
)

// inside are groups inside those of the claim, in the order of tree.Joined.
type inside struct {
	groups mixture.Params
	cut    []int
	placed *tree.Known // the records
}

const (
	// manyMore is how many times more records there must be than the claim rests on.
	manyMore = 2
	// leastFound is the number of records that each of the groups must have that a flat fit
	// finds among all records, as many as a heap of its own.
	leastFound = 20
	// leastInside is the share of the records whose group lies in the claimed one that they
	// are in.
	leastInside = .9
)

// asAsked returns the flat fit of as many groups as leaves were asked for, where these lie inside
// the groups of the claim. A claim rests on some thousand records, and says nothing against
// small groups that many more show; to cut its groups one by one would not find them. It
// returns nil where groups also differ by degree, where a flat fit finds other groups than the
// claim, or only a handful of records for one of its own, where the claim has seen most
// records, and for measurements: there groups are cut one by one. number says which leaf of
// the claim a node is.
func (h *hierarchy) asAsked(ctx context.Context, r *tree.Result, number []int32, whole int) (*inside, error) {
	want := h.s.Tree
	if !h.v.Plain || h.v.Form != nil || whole == 1 || want.Levels > 0 || h.s.Refine == None || h.data.Run.Len() < manyMore*h.v.Records {
		return nil, nil
	}
	ctx = progress.With(ctx, nil)
	q, placed, err := placedFlat(ctx, h.fam, h.data, h.s)
	switch {
	case errors.Is(err, ErrTooLittle):
		return nil, nil
	case err != nil:
		return nil, err
	case q.K() != want.Leaves:
		return nil, nil
	}
	both, err := h.table(ctx, placed.Group, r.Leaf, number, whole, q.K())
	if err != nil {
		return nil, err
	}
	of, size, within, held := make([]int, q.K()), make([]int, q.K()), 0, make([]bool, whole)
	for g := range of {
		counts := both[g*whole:][:whole]
		most := slices.Max(counts)
		of[g] = slices.Index(counts, most)
		within += most
		held[of[g]] = true
		for _, n := range counts {
			size[g] += n
		}
	}
	if slices.Min(size) < leastFound || slices.Contains(held, false) || float64(within) < leastInside*float64(len(placed.Group)) {
		return nil, nil
	}
	order, cut := tree.Within(h.fam, q, of, whole)
	among := make([]int, len(order))
	for j, g := range order {
		among[g] = j
	}
	return &inside{h.fam.Reorder(q, order), cut, &tree.Known{Group: placed.Group, Sure: placed.Probability, Number: among}}, nil
}

// placedFlat is the flat fit of as many groups as leaves were asked for, and the group of every
// record where there are so many.
func placedFlat(ctx context.Context, fam family.Family, data Training, s Settings) (mixture.Params, *assign.Assignment, error) {
	p, err := several(ctx, fam, data, s, nil, s.Tree.Leaves)
	if err != nil || p.K() != s.Tree.Leaves {
		return p, nil, err
	}
	a, err := assign.All(ctx, fam, p, data.Run)
	return p, a, err
}

// table counts the records by their group, of k, and by their leaf of the claim (k×whole).
func (h *hierarchy) table(ctx context.Context, group, leaf, number []int32, whole, k int) ([]int, error) {
	out := make([]int, k*whole)
	var mu sync.Mutex
	err := par.Blocks(ctx, h.s.Workers, len(group), atATime, func(_, lo, hi int) error {
		part := make([]int, len(out))
		for i := lo; i < hi; i++ {
			part[int(group[i])*whole+int(number[leaf[i]])]++
		}
		mu.Lock()
		defer mu.Unlock()
		for i, n := range part {
			out[i] += n
		}
		return nil
	})
	return out, err
}
