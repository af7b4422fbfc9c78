package run

import (
	"slices"

	"github.com/moiety-go/moiety/assign"
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/fit"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
)

// Placer places new rows by what a fit gave.
type Placer struct {
	block func(b pass.Block) ([]int32, []float32, error)
}

// NewPlacer returns a placer; it is safe for many goroutines.
func NewPlacer(out *fit.Outcome) (*Placer, error) {
	f, err := out.Model.Family()
	if err != nil {
		return nil, err
	}
	if out.Tree == nil {
		return &Placer{func(b pass.Block) ([]int32, []float32, error) { return byPosterior(f, out.Model.Params, b) }}, nil
	}
	return &Placer{func(b pass.Block) ([]int32, []float32, error) { return byTree(f, out, b) }}, nil
}

// Place returns the group of every row of a block, from 0, and how sure it is.
func (p *Placer) Place(b pass.Block) (group []int32, probability []float32, err error) {
	return p.block(b)
}

func byPosterior(f family.Family, params mixture.Params, b pass.Block) ([]int32, []float32, error) {
	n, k := b.Rows.N(), params.K()
	post := make([]float64, n*k)
	if err := f.Posterior(params, b, post); err != nil {
		return nil, nil, err
	}
	group, sure := make([]int32, n), make([]float32, n)
	for i := range group {
		g := assign.Best(post[i*k:][:k])
		group[i], sure[i] = int32(g), float32(post[i*k+g])
	}
	return group, sure, nil
}

func byTree(f family.Family, out *fit.Outcome, b pass.Block) ([]int32, []float32, error) {
	leaf, sure, err := out.Tree.Place(f, b.Rows)
	if err != nil {
		return nil, nil, err
	}
	for i, l := range leaf {
		leaf[i] = int32(slices.Index(out.Leaves, int(l)))
	}
	return leaf, sure, nil
}
