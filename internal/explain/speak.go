package explain

import (
	"math"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/family"
)

// mostSpeaking is the number of features that are reported of an example.
const mostSpeaking = 5

// speaking returns the features of row i of d that speak most for group j: those
// with the largest share in its likelihood ratio against the average of all
// groups, x·log(μ_hj/Σ_g ω_g μ_hg). Only words, of which a record has many.
func (b *builder) speaking(d *dataset.Dataset, i, j int) []string {
	if !b.words() || b.d.dense || b.params.Centers == nil {
		return nil
	}
	index, value := d.Rows.Row(i)
	calm := b.params.Extra[b.info.In(family.CountWeight)]
	type part struct {
		feature int
		weight  float64
	}
	parts := make([]part, 0, len(index))
	for e, h := range index {
		row := b.params.Centers.RawRowView(int(h))
		overall := 0.0
		for g, w := range b.params.Weights {
			overall += w * row[g]
		}
		x := 1.0
		if value != nil {
			x = float64(value[e])
		}
		if calm != nil {
			x *= calm.At(int(h), 0)
		}
		if w := x * math.Log(row[j]/overall); w > 0 && !math.IsInf(w, 0) {
			parts = append(parts, part{int(h), w})
		}
	}
	falling(parts, func(p part) float64 { return p.weight })
	var out []string
	for _, p := range parts[:min(len(parts), mostSpeaking)] {
		out = append(out, b.d.vocab.Title(p.feature))
	}
	return out
}
