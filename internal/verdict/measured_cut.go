package verdict

import (
	"context"
	"fmt"

	"github.com/moiety-go/moiety/internal/normals"
	"github.com/moiety-go/moiety/internal/stream"
)

// sizeStarts is the number of round starts where the number of clouds is given: there
// is one size to try, and what a path finds on the way to it is missing.
const sizeStarts = 10

// atSize describes the records by k clouds where these are better than one population.
// Where they are not, what the shapes of so many clouds are fitted to is chance, at
// times a slice across the thinnest direction: the records are cut where they differ
// most, each to the nearest of k middles. Wide tables are seen along the directions in
// which they differ most anyhow.
func (p *CloudPath) atSize(ctx context.Context, k int) (*Found, *Form, error) {
	p.t.starts = sizeStarts
	best, one, err := p.size(ctx, k)
	if err != nil {
		return nil, nil, err
	}
	if k > 1 && p.t.shape == "" && best.view.basis == nil && one.bic <= best.bic {
		found, form := p.found(p.t.cut(best.view, k), k)
		found.Plain, form.Cut = false, true
		return found, form, nil
	}
	found, form := p.found(best.converged(), k)
	return found, form, nil
}

// cut is the tightest of several cuts of one view, one without thin parts where there
// is any.
func (t *trail) cut(v *view, k int) *clouds {
	table := t.some[0]
	for i := range t.views {
		if t.views[i] == v {
			table = t.some[i]
		}
	}
	r := stream.New(t.seed, fmt.Sprintf("verdict/cut%d", k))
	var best *normals.Mixture
	for range sizeStarts {
		best = t.least(k).better(best, normals.Round(table, normals.Nearest(table, k, 1, r), k), table)
	}
	return &clouds{best, v, 0}
}
