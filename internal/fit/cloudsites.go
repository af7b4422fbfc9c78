package fit

import (
	"context"
	"math"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/refine"
	"github.com/moiety-go/moiety/internal/verdict"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/model"
)

// shapedBySums reports that measurements lie at several places, or are to be fitted as
// there: no record is looked at by itself.
func (s Settings) shapedBySums(data Training) bool {
	can := data.Run.Can()
	return s.wantsShape(data) && (can.Places > 1 || can.Double)
}

// cloudsBySums fits s.K components to measurements by sums alone: round groups by their
// moments, and from these by EM in every shape, or in the one that was asked for. Which
// shape is reported is judged by BIC (Schwarz 1978), since the evidence that one machine has
// for it looks at single records; logarithms are left to the user.
func cloudsBySums(ctx context.Context, data Training, s Settings) (*Outcome, family.Family, error) {
	round := s
	round.Spec.Covariance, round.Over = model.Spherical, false
	from, err := flat(ctx, data, round)
	if err != nil {
		return nil, nil, err
	}
	inRound, err := round.Spec.Family(data.Vocab)
	if err != nil {
		return nil, nil, err
	}
	form := plainForm(inRound, from.Model.Params)
	var best *refine.Result
	var fam family.Family
	least := math.Inf(1)
	for _, shape := range shapesOf(s.Spec.Covariance) {
		spec := s.Spec
		spec.Covariance, spec.Logs = shape, nil
		f, err := spec.Family(data.Vocab)
		if err != nil {
			return nil, nil, err
		}
		p, err := cloudsOf(ctx, f, data, s, from.Group, s.K, form, false)
		if err != nil {
			return nil, nil, err
		}
		r, err := refine.EM(ctx, f, data.Run, p, refine.Options{Pseudo: float64(s.Prior)})
		if err != nil {
			return nil, nil, err
		}
		bic := float64(f.FreeParameters(r.Params))*math.Log(float64(data.Run.Len())) - 2*r.LogLikelihood
		if best == nil || bic < least {
			best, fam, least, form.Shape = r, f, bic, shape
		}
	}
	s.Spec = formed(s.Spec, form)
	start := &start{warnings: formWords(form, s.K, data.Vocab)}
	m, err := finish(fam, data, s, start, best)
	if err != nil {
		return nil, nil, err
	}
	out, err := place(ctx, fam, m, data)
	if err == nil {
		out, err = inhabited(ctx, fam, out, data)
	}
	return out, fam, err
}

// shapesOf lists the shapes of covariances that are tried.
func shapesOf(asked string) []string {
	if asked == "" || asked == "auto" {
		return []string{"common", "diagonal", "tied", "full"}
	}
	return []string{asked}
}

// plainForm has the middle of round groups and the scales of their features.
func plainForm(fam family.Family, p mixture.Params) *verdict.Form {
	d, k := p.Centers.Dims()
	form := &verdict.Form{Middle: make([]float64, d), Scale: fam.(family.Scaler).Scales(p)}
	for h := range d {
		for j := range k {
			form.Middle[h] += p.Weights[j] * p.Centers.At(h, j)
		}
	}
	return form
}
