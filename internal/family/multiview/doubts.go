package multiview

import (
	"context"
	"math"

	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/warn"
)

// Agreements, as adjusted Rand indices, by which a view is doubted: it agrees with no
// other by more than none, while two others agree by at least some. Views of the model
// agree by what their noise leaves; unrelated ones by 0, give or take 1/√n.
const (
	noAgreement   = 0.05
	someAgreement = 0.2
)

// Doubts implements family.Witnessed: a view that puts the records into other groups
// than all others do, although these agree among themselves, may belong to other
// records ([T] conclusions, several sources). Of two views neither can be blamed.
func (f *Family) Doubts(ctx context.Context, run pass.Runner, p mixture.Params) ([]warn.Warning, error) {
	if p.K() < 2 {
		return nil, nil
	}
	r, err := f.Agreement(ctx, run, p)
	if err != nil {
		return nil, err
	}
	var out []warn.Warning
	for v, view := range r.Views {
		own, others := math.Inf(-1), math.Inf(-1)
		for u := range r.Views {
			for w := range u {
				if u == v || w == v {
					own = math.Max(own, r.Pairs.At(u, w))
				} else {
					others = math.Max(others, r.Pairs.At(u, w))
				}
			}
		}
		switch {
		case len(r.Views) == 2 && v == 0 && own < noAgreement:
			out = append(out, warn.New(warn.Serious, "views-disagree",
				"Look at each view on its own, and whether its rows belong to these records.",
				"The two views %s and %s put the records into groups that have nothing in common (agreement %.2f): the groups are those of one of them.", view.Name, r.Views[1].Name, own))
		case own < noAgreement && others > someAgreement:
			out = append(out, warn.New(warn.Serious, "view-disagrees",
				"Look whether its rows belong to these records, or leave it out.",
				"The view %s puts the records into other groups than the other views do (agreement %.2f; the others agree by up to %.2f): it tells of something else, or of other records.", view.Name, own, others))
		}
	}
	return out, nil
}
