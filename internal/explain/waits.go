package explain

import (
	"math"

	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/report"
)

// Bounds of what is reported of waits.
const (
	normalQuartile = .6745
	waitDigits     = 3
	// otherLaw is how far the share of the waits between the quartiles may lie from
	// one half before it is said that they do not follow the law.
	otherLaw = .1
)

// wait tells how long it is from a step in a state to the next step. What is shared
// has none of it; under a limit it is reported where enough people have a wait from
// there, without the share of last steps, which is a count in disguise.
func (b *builder) wait(g *report.Group) {
	w, j := b.o.Model.Provenance.Waits, g.Number-1
	if w == nil || j < 0 || b.r.Shape != report.States || b.r.Ring == report.Shared || g.N.Masked() || len(w.N) <= j {
		return
	}
	if w.N[j] < max(b.open.limit, 2) {
		return
	}
	at := func(z float64) report.Number { return report.NumberOf(significant(math.Exp(w.Mean[j] + z*w.SD[j]))) }
	out := &report.Wait{Median: at(0), Quarter: at(-normalQuartile), Quarters: at(normalQuartile)}
	if w.Days {
		out.Unit = "days"
	}
	if e := w.Error[j]; e > 0 {
		out.Low = report.NumberOf(significant(math.Exp(w.Mean[j] - mixture.WaitQuantile*e)))
		out.High = report.NumberOf(significant(math.Exp(w.Mean[j] + mixture.WaitQuantile*e)))
	}
	if b.open.limit == 0 {
		out.Middle, out.Last = report.NumberOf(w.Middle[j]), report.NumberOf(w.Last[j])
	}
	g.Wait = out
}

// significant keeps three digits.
func significant(v float64) float64 {
	if v == 0 || math.IsInf(v, 0) || math.IsNaN(v) {
		return 0
	}
	e := math.Pow(10, waitDigits-1-math.Floor(math.Log10(math.Abs(v))))
	return math.Round(v*e) / e
}

// waitWords tells when the next step comes.
func waitWords(g *report.Group) []string {
	w := g.Wait
	if w == nil {
		return nil
	}
	words := w.Words()
	out := []string{"T" + words[1:] + "."}
	if m, ok := w.Middle.Value(); ok && math.Abs(m-.5) > otherLaw {
		out = append(out, "The quartiles are rough: "+report.Percent(m)+" of the waits lie between them, not one half.")
	}
	if l, ok := w.Last.Value(); ok {
		out = append(out, "No step follows "+report.Percent(l)+" of the steps in these data.")
	}
	return out
}
