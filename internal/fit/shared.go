package fit

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/family/loglinear"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/warn"
)

const (
	// mostHeard is the number of records from which agreement is known well enough.
	mostHeard = 20000
	// exchanges is the number of times that rows of a view are exchanged at random.
	exchanges = 499
	// leastHeard is the number of records below which nothing is said.
	leastHeard = 20
)

// sharing asks of every view whether it shares groups with the others ([T] conclusions,
// several sources). A model of half of the records hears the other half: what the view
// alone says of the group of a record, and what the others say. Where the view is
// independent of the others, its rows may be exchanged between these records, which the
// model has not seen: the p of agreement among random exchanges is exact, whatever the
// model. The model of all records would not do: it has fitted a view's noise to the
// groups of the others.
func (s Settings) sharing(ctx context.Context, fam family.Family, data Training) ([]model.Sharing, error) {
	w, ok := fam.(family.Witnessed)
	if n := data.Run.Len(); !ok || s.K < 2 || n < 2*leastHeard || data.Run.Can().Own < n || data.Run.Can().Places > 1 {
		return nil, nil
	}
	learning, err := pass.Filter(ctx, data.Run, func(i int) bool { return stream.OneOf(i, 2) == 0 })
	if err != nil {
		return nil, err
	}
	st, err := begun(ctx, fam, learning, s)
	if err != nil { // too few, or too poor in one of the views: nothing is said
		return nil, serious(err)
	}
	half, err := refined(ctx, fam, learning, st, s)
	if err != nil {
		return nil, serious(err)
	}
	step := max(1, data.Run.Len()/2/mostHeard)
	hearing, err := pass.Copy(ctx, data.Run, func(i int) bool { return stream.OneOf(i, 2) == 1 && i/2%step == 0 })
	if err != nil {
		return nil, err
	}
	scores, has, err := w.Testify(half.Params, pass.Block{Rows: hearing.Rows()})
	if err != nil {
		return nil, err
	}
	var out []model.Sharing
	for v, name := range w.Witnesses() {
		own, others := heard(half.Params, scores, has, v)
		if x, ok := agreeing(own, others, v); ok {
			x.View = name
			out = append(out, x)
		}
	}
	return out, nil
}

// noteSharing notes in the model which views share its groups, and warns of the others.
func (s Settings) noteSharing(ctx context.Context, fam family.Family, m *model.Model, data Training) (err error) {
	if m.Provenance.Shared, err = s.sharing(ctx, fam, data); err == nil {
		m.Provenance.Warnings = append(m.Provenance.Warnings, sharingWarnings(m.Provenance.Shared)...)
	}
	return err
}

// heard returns the posteriors by view v alone and by the others, of the records that
// have it and another.
func heard(p mixture.Params, scores [][]float64, has [][]bool, v int) (own, others [][]float64) {
	k := p.K()
	for i, here := range has[v] {
		if !here {
			continue
		}
		rest, any := make([]float64, k), false
		for u := range scores {
			if u != v && has[u][i] {
				floats.Add(rest, scores[u][i*k:][:k])
				any = true
			}
		}
		if any {
			own = append(own, posterior(p, scores[v][i*k:][:k]))
			others = append(others, posterior(p, rest))
		}
	}
	return own, others
}

func posterior(p mixture.Params, score []float64) []float64 {
	out := make([]float64, len(score))
	for j, x := range score {
		out[j] = math.Log(p.Weights[j]) + x
	}
	loglinear.Softmax(out)
	return out
}

// agreeing compares Σ_i a_i·b_i with the same sums where the b are exchanged; false
// where too few records say anything.
func agreeing(a, b [][]float64, view int) (model.Sharing, bool) {
	n := len(a)
	if n < leastHeard {
		return model.Sharing{}, false
	}
	chance := meanDot(a, b)
	seen := overlap(a, b, func(i int) int { return i })
	out := model.Sharing{Agreement: (seen - chance) / (1 - chance)}
	if !(chance < 1) {
		out.Agreement = 0 // all records in one group: there is nothing to agree about
	}
	r := stream.New(uint64(view), "fit/sharing")
	as := 1
	for range exchanges {
		order := r.Perm(n)
		if overlap(a, b, func(i int) int { return order[i] }) >= seen-1e-12 {
			as++
		}
	}
	out.P = float64(as) / (exchanges + 1)
	return out, true
}

// overlap is the mean of a_i·b_order(i).
func overlap(a, b [][]float64, order func(int) int) float64 {
	sum := 0.0
	for i, x := range a {
		sum += floats.Dot(x, b[order(i)])
	}
	return sum / float64(len(a))
}

// meanDot is the mean of overlap over all orders.
func meanDot(a, b [][]float64) float64 {
	x, y := make([]float64, len(a[0])), make([]float64, len(a[0]))
	for i := range a {
		floats.Add(x, a[i])
		floats.Add(y, b[i])
	}
	return floats.Dot(x, y) / float64(len(a)) / float64(len(a))
}

// sharingWarnings warns of views that do not show the groups of the others.
func sharingWarnings(views []model.Sharing) []warn.Warning {
	var alone []model.Sharing
	for _, v := range views {
		if !v.Shares() {
			alone = append(alone, v)
		}
	}
	switch {
	case len(alone) == 0:
		return nil
	case len(alone) == len(views):
		return []warn.Warning{warn.New(warn.Serious, "views-disagree",
			"Look at each view on its own, and whether its rows belong to these records.",
			"Nothing shows that the views share groups: on records that did not take part in learning, each tells of other groups than the others (the best p is %.2g).", least(alone))}
	}
	var out []warn.Warning
	for _, v := range alone {
		out = append(out, warn.New(warn.Serious, "view-disagrees",
			"Look whether its rows belong to these records, or leave it out.",
			"Nothing shows that the view %s shares the groups of the others (agreement %.2f where 0 is chance, p = %.2g on records that did not take part in learning): it tells of something else, or of other records.", v.View, v.Agreement, v.P))
	}
	return out
}

func least(views []model.Sharing) float64 {
	p := 1.0
	for _, v := range views {
		p = math.Min(p, v.P)
	}
	return p
}
