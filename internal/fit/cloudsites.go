package fit

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/refine"
	"github.com/moiety-go/moiety/internal/verdict"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/warn"
)

// shapedBySums reports that measurements lie at several places, or are to be fitted as
// there: no record is looked at by itself.
func (s Settings) shapedBySums(data Training) bool {
	can := data.Run.Can()
	return s.wantsShape(data) && (can.Places > 1 || can.Double)
}

// cloudsBySums fits s.K components to measurements by sums alone: round groups by their
// moments, and from these by EM in every shape, or in the one that was asked for.
func cloudsBySums(ctx context.Context, data Training, s Settings) (*Outcome, family.Family, error) {
	labels, form, err := s.roundGroups(ctx, data)
	if err != nil {
		return nil, nil, err
	}
	words := s.sumWords(data)
	fam, best, err := s.shapedFrom(ctx, data, labels, form)
	if err != nil {
		return nil, nil, err
	}
	s.Spec = formed(s.Spec, form)
	start := &start{warnings: slices.Concat(formWords(form, s.K, data.Vocab), words, blankWords(data))}
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

// roundGroups returns the round group of every record here, and the middle and scales of all.
func (s Settings) roundGroups(ctx context.Context, data Training) ([]int32, *verdict.Form, error) {
	s.Spec.Covariance, s.Over = model.Spherical, false
	fam, err := s.Spec.Family(data.Vocab)
	if err != nil {
		return nil, nil, err
	}
	whole, err := completeOnes(ctx, data)
	if err != nil {
		return nil, nil, err
	}
	out, err := flat(ctx, whole, s)
	if err == nil && data.blank { // records with a missing value lie where the others do
		out, err = place(ctx, fam, out.Model, data)
	}
	if err != nil {
		return nil, nil, err
	}
	return out.Group, plainForm(fam, out.Model.Params), nil
}

// shapedFrom goes on from groups in every shape, and returns the best by BIC (Schwarz 1978),
// since the evidence that one machine has for a shape looks at single records; logarithms are
// left to the user. The form is told the shape.
func (s Settings) shapedFrom(ctx context.Context, data Training, labels []int32, form *verdict.Form) (fam family.Family, best *refine.Result, err error) {
	n, least := data.Run.Len(), math.Inf(1)
	for _, shape := range verdict.Shapes(s.Spec.Covariance, s.K, data.Run.Dim(), n) {
		spec := s.Spec
		spec.Covariance, spec.Logs = shape.String(), nil
		f, err := spec.Family(data.Vocab)
		if err != nil {
			return nil, nil, err
		}
		p, err := cloudsOf(ctx, f, data, s, labels, s.K, form, false)
		if err != nil {
			return nil, nil, err
		}
		r, err := refine.EM(ctx, f, data.Run, p, refine.Options{Pseudo: float64(s.Prior)})
		if err != nil {
			return nil, nil, err
		}
		bic := float64(f.FreeParameters(r.Params))*math.Log(float64(n)) - 2*r.LogLikelihood
		if best == nil || bic < least {
			best, fam, least, form.Shape = r, f, bic, shape.String()
		}
	}
	return fam, best, nil
}

// completeOnes returns the records without a missing value, where nearly all are such.
func completeOnes(ctx context.Context, data Training) (Training, error) {
	if !data.blank {
		return data, nil
	}
	holed := make([]bool, data.Run.Can().Own)
	count := make([]float64, 2)
	_, err := data.Run.Own(ctx, func(b pass.Block) error {
		for i := range b.N() {
			b.Rows.Each(i, func(_ int, x float64) { holed[b.First+i] = holed[b.First+i] || x != x })
		}
		return nil
	})
	for _, h := range holed {
		count[0]++
		if h {
			count[1]++
		}
	}
	if err == nil {
		count, err = data.Run.Total(ctx, count)
	}
	if err != nil {
		return data, err
	}
	if count[1] > (1-verdict.LeastComplete)*count[0] {
		return data, fmt.Errorf("fit: too many records have a missing value; %w", verdict.ErrBlanks)
	}
	data.Run, err = pass.Filter(ctx, data.Run, func(own int) bool { return !holed[own] })
	data.blank = false
	return data, err
}

// sumWords says that one machine may choose another shape.
func (s Settings) sumWords(data Training) []warn.Warning {
	if s.Spec.Covariance != "" || data.Run.Can().Places <= 1 {
		return nil
	}
	return []warn.Warning{warn.New(warn.Note, "covariance-over-sites", "Name the covariances with --covariance to have the same groups wherever records lie.",
		"How features vary inside groups was chosen by sums of all sites; one machine with all records looks at single ones too, and at logarithms, and may choose otherwise.")}
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
