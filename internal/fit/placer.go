package fit

import (
	"errors"
	"slices"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/assign"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
)

// Placer places new rows by what a fit gave.
type Placer struct {
	block     func(b pass.Block) ([]int32, []float32, error)
	posterior func(b pass.Block, out []float64) error // nil where only rules are known
}

// NewPlacer returns a placer; it is safe for many goroutines.
func NewPlacer(out *Outcome) (*Placer, error) {
	f, err := out.Model.Family()
	if err != nil {
		return nil, err
	}
	f = placing(f, out.Model)
	p := &Placer{}
	if out.Tree == nil || out.Tree.Leaves != nil {
		p.posterior = func(b pass.Block, post []float64) error { return f.Posterior(out.Model.Params, b, post) }
	}
	p.block = func(b pass.Block) ([]int32, []float32, error) { return byPosterior(f, out.Model.Params, b) }
	if out.Tree != nil {
		p.block = func(b pass.Block) ([]int32, []float32, error) { return byTree(f, out, b) }
	}
	return p, nil
}

// ErrRules says that the groups are the ends of a tree of rules: a record has its
// group, and no probability of the others.
var ErrRules = errors.New("these groups are the ends of a tree of rules, which gives no probabilities of the other groups: fit with a model, or leave ‹probabilities› all out")

// Posterior returns what writes the probability of every group for every row of a
// block, row by row, or ErrRules.
func (p *Placer) Posterior() (func(b pass.Block, out []float64) error, error) {
	if p.posterior == nil {
		return nil, ErrRules
	}
	return p.posterior, nil
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

func byTree(f family.Family, out *Outcome, b pass.Block) ([]int32, []float32, error) {
	leaf, sure, err := out.Tree.Place(f, b.Rows)
	if err != nil {
		return nil, nil, err
	}
	for i, l := range leaf {
		leaf[i] = int32(slices.Index(out.Leaves, int(l)))
	}
	return leaf, sure, nil
}
