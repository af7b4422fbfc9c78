package fit

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/decompose"
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/refine"
	"github.com/moiety-go/moiety/internal/verdict"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/vocab"
	"github.com/moiety-go/moiety/warn"
)

// shaped reports that measurements are described by components whose shape the
// evidence chooses, or that was asked for: not by spherical ones, and not by a
// way that only spherical ones know.
func (s Settings) shaped(data Training) bool {
	return s.wantsShape(data) && data.Run.Can().Own == data.Run.Len()
}

func (s Settings) wantsShape(data Training) bool {
	return data.Kind == record.Real && !data.Sequences && s.Spec.Own == nil && s.Spec.Model == Auto(data, true).Model &&
		s.Spec.Covariance != model.Spherical && s.Spec.Variance == "" &&
		(s.Method == "" || s.Method == "auto") && s.Refine != None
}

// formed returns the spec with the form that the evidence chose.
func formed(s model.Spec, f *verdict.Form) model.Spec {
	if f != nil {
		s.Covariance, s.Logs = f.Shape, f.Logs
	}
	return s
}

// flatClouds fits s.K components to measurements, from starts that need no more
// columns than groups.
func flatClouds(ctx context.Context, data Training, s Settings) (*Outcome, family.Family, error) {
	if n := data.Run.Len(); n <= s.K {
		return nil, nil, fewForGroups(n, s.K)
	}
	found, form, err := verdict.Clouds(ctx, data.Run, s.K, verdict.Settings{Seed: s.Seed, Workers: s.Workers, Shape: s.Spec.Covariance})
	if err != nil {
		return nil, nil, tooLittle(err)
	}
	s.Spec = formed(s.Spec, form)
	fam, err := s.Spec.Family(data.Vocab)
	if err != nil {
		return nil, nil, err
	}
	labels, err := placedIn(ctx, data, found)
	if err != nil {
		return nil, nil, err
	}
	start := &start{warnings: append(formWords(form, s.K, data.Vocab), blankWords(data)...)}
	learn := func(plain bool) (*Outcome, error) {
		p, err := cloudsOf(ctx, fam, data, s, labels, s.K, form, plain)
		if err != nil {
			return nil, err
		}
		m, err := finish(fam, data, s, start, &refine.Result{Params: p})
		if err != nil {
			return nil, err
		}
		return place(ctx, fam, m, data)
	}
	out, err := learn(found.Plain)
	if err == nil && found.Plain {
		var before, after float64
		if before, err = fewest(ctx, data, labels, s.K); err == nil {
			after, err = fewest(ctx, data, out.Group, s.K)
		}
		if least := verdict.LeastOf(data.Run.Len(), s.K); err == nil && after < least && before >= least {
			out, err = learn(false) // EM left a group to a record or two; the groups it began from are better
		}
	}
	if err != nil {
		return nil, nil, err
	}
	out, err = inhabited(ctx, fam, out, data)
	return out, fam, err
}

// fewest is the number of records in the smallest of k groups, over all places.
func fewest(ctx context.Context, data Training, labels []int32, k int) (float64, error) {
	size, err := data.Run.Total(ctx, sizes(data.Run.Can().Workers, labels, k))
	if err != nil {
		return 0, err
	}
	return slices.Min(size), nil
}

// sizes counts the records of every group.
func sizes(workers int, labels []int32, k int) []float64 {
	out := make([]float64, k)
	var mu sync.Mutex                                                                               // whole numbers: the same sums in any order
	_ = par.Blocks(context.Background(), workers, len(labels), atATime, func(_, lo, hi int) error { // nothing fails
		here := make([]int, k)
		for _, g := range labels[lo:hi] {
			if g >= 0 {
				here[g]++
			}
		}
		mu.Lock()
		defer mu.Unlock()
		for g, n := range here {
			out[g] += float64(n)
		}
		return nil
	})
	return out
}

func fewForGroups(n, k int) error {
	return fmt.Errorf("%w: %w", ErrTooLittle, &moment.ErrTooFew{
		Reason: fmt.Sprintf("%d records for %d groups: ask for fewer groups or give more records", n, k),
	})
}

// inhabited leaves out groups that hold nobody, here or elsewhere.
func inhabited(ctx context.Context, fam family.Family, o *Outcome, data Training) (*Outcome, error) {
	k := o.Model.Params.K()
	size, err := data.Run.Total(ctx, sizes(data.Run.Can().Workers, o.Group, k))
	if err != nil {
		return nil, err
	}
	var keep []int
	total := 0.0
	for j, n := range size {
		if n > 0 {
			keep = append(keep, j)
			total += o.Model.Params.Weights[j]
		}
	}
	if len(keep) == k || !(total > 0) {
		return o, nil
	}
	p := fam.Reorder(o.Model.Params, keep)
	for j := range p.Weights {
		p.Weights[j] /= total
	}
	o.Model.Params, o.Model.Provenance.Rule = p, o.Model.Provenance.Rule.Reorder(keep)
	o.Model.Provenance.Warnings = append(withoutEmptied(o.Model.Provenance.Warnings), warn.New(warn.Caution, "fewer-groups", "Ask for fewer groups.",
		"%d groups were asked for; only %d of them hold records, and the others are left out.", k, len(keep)))
	return place(ctx, fam, o.Model, data)
}

// withoutEmptied leaves out warnings of groups that are no longer there.
func withoutEmptied(list []warn.Warning) []warn.Warning {
	var out []warn.Warning
	for _, w := range list {
		if w.Code != "component-emptied" && w.Code != "empty-groups" && w.Code != decompose.TinyWeight {
			out = append(out, w)
		}
	}
	return out
}

// cloudsOf learns components from a partition and, where they are plain, by EM.
// Their scales are those of the records inside groups, so that the prior weighs
// the same in every feature.
func cloudsOf(ctx context.Context, fam family.Family, data Training, s Settings, labels []int32, k int, form *verdict.Form, plain bool) (mixture.Params, error) {
	centers, weights := mat.NewDense(data.Run.Dim(), k, nil), make([]float64, k)
	for j := range k {
		weights[j] = 1 / float64(k)
		centers.SetCol(j, form.Middle)
	}
	for _, h := range form.Logs {
		for j := range k {
			centers.Set(h, j, math.Exp(form.Middle[h]))
		}
	}
	measured := fam.(family.Measured)
	p := measured.Scaled(centers, weights, form.Scale)
	for _, pseudo := range []float64{0, s.Prior.Records()} {
		step, err := measured.HardStep(p, labels)
		if err != nil {
			return p, err
		}
		stats, err := pass.RunOne(ctx, data.Run, step)
		if err != nil {
			return p, err
		}
		if p, _, err = fam.MStep(stats, p, pseudo); err != nil {
			return p, err
		}
		if pseudo == 0 {
			p = measured.Rescaled(p)
		}
	}
	if !plain {
		return p, nil
	}
	r, err := refine.EM(ctx, fam, data.Run, p, refine.Options{Pseudo: float64(s.Prior)})
	if err != nil {
		return p, err
	}
	return r.Params, nil
}

// formWords says in words in which scales measurements are described.
// Of one group there are no others from which its shape could differ.
func formWords(f *verdict.Form, groups int, v *vocab.Vocab) []warn.Warning {
	if f == nil {
		return nil
	}
	words := map[string]string{
		"common":   "Inside all groups features vary independently, by the same amounts (one diagonal covariance).",
		"diagonal": "Inside a group features vary independently, each group by amounts of its own (diagonal covariances).",
		"tied":     "Inside all groups features vary together in the same way (one full covariance).",
		"full":     "Inside each group features vary together in a way of its own (full covariances).",
	}
	scales := "Groups are told apart by the logarithms of %s, which are nearer to normal than the values; centers are geometric means there."
	var out []warn.Warning
	if f.Cut {
		out = append(out, warn.New(warn.Caution, "cut", "Take them as a way to order the records, or ask for fewer groups.",
			"One group describes these records about as well as %d do: they were cut into %d where they differ most, and other records would be cut elsewhere.", groups, groups))
	}
	if groups > 1 {
		out = append(out, warn.New(warn.Note, "covariance", "", "%s", words[f.Shape]))
	} else {
		scales = "The logarithms of %s are nearer to normal than the values; centers are geometric means there."
	}
	if len(f.Logs) == 0 {
		return out
	}
	return append(out, warn.New(warn.Note, "logarithms", "", scales, namesOf(f.Logs, v)))
}

// farWords says which features have values that were not used.
func farWords(far verdict.Reaches, v *vocab.Vocab) []warn.Warning {
	if far == nil {
		return nil
	}
	return []warn.Warning{warn.New(warn.Note, "far-values", "Look at the highest and lowest values: typing errors, or codes for unknown?",
		"Some values of %s lie far from all others, in records that are like others otherwise; these values were not used to find groups.", namesOf(far.Features(), v))}
}

// namesOf lists features by name, the first few.
func namesOf(list []int, v *vocab.Vocab) string {
	const most = 5
	var names []string
	for _, h := range list[:min(most, len(list))] {
		names = append(names, v.Names[h])
	}
	text := strings.Join(names, ", ")
	if len(list) > most {
		text += fmt.Sprintf(" and %d more", len(list)-most)
	}
	return text
}
