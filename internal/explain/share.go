package explain

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/report"
)

// To be shared, everything that was counted is rounded before anything is worked
// out from it: shares, ratios, intervals, ranks and words follow from the rounded
// counts, and so does what is left out. So two sets of records whose counts are
// rounded alike give the same report, byte for byte.

// roundings are those of a report: of rows, of the records behind them where
// rows are steps, and of sums of values (words, or counts).
type roundings struct{ rows, people, sums rounding }

// round rounds what was counted.
func (b *builder) round() {
	if b.s.Ring() != report.Shared {
		return
	}
	b.rounded = roundings{roundingFor(b.c.n[0]), roundingFor(b.d.records), roundingFor(int(b.tokenSum()))}
	b.r.Rounded = b.rounded.rows.unit
	if b.c.people != nil {
		b.r.Rounded = min(b.rounded.rows.unit, b.rounded.people.unit)
	}
	c, r := b.c, b.rounded.rows
	b.roundMeasures()
	for i := range c.n {
		c.chance[i] = math.Round(100*c.chance[i]/math.Max(float64(c.n[i]), 1)) / 100
		c.n[i] = r.size(c.n[i])
		c.chance[i] *= float64(c.n[i])
		for f := range b.of {
			b.roundCell(i, f)
		}
	}
	if p := c.people; p != nil {
		p.round(b.rounded.people)
	}
	for l, n := range b.d.lengths {
		b.d.lengths[l] = r.count(n)
	}
}

// tokenSum is the sum of all words, or counts.
func (b *builder) tokenSum() float64 {
	sum := 0.0
	for f, of := range b.of {
		if of == report.OfWords || of == report.Average {
			sum += b.c.total(0, f)
		}
	}
	return sum
}

func (b *builder) roundCell(i, f int) {
	c, r := b.c, b.rounded.rows
	c.have[i][f] = int32(min(r.count(int(c.have[i][f])), c.n[i]))
	if c.miss != nil {
		// Missing values are reported only by what shares are shares of.
		n := r.near(float64(c.miss[i][f]), partOfFeatures)
		if !r.reaches(n, partOfFeatures, b.s.Limit()) {
			n = 0
		}
		c.miss[i][f] = int32(min(int(n), c.n[i]))
	}
	if c.sum != nil && b.of[f] != report.Value {
		c.sum[i][f] = b.rounded.sums.near(c.sum[i][f], partOfFeatures)
	}
}

// leastDigits is the part of the spread of a measurement that its means are
// rounded to, at least; the digit is that of a power of ten.
const leastDigits = 4

// roundMeasures rounds means and standard deviations to a power of ten, a part
// of the overall spread.
func (b *builder) roundMeasures() {
	if b.c.square == nil {
		return
	}
	b.c.rounded = table[[2]float64](b.h.len(), len(b.of))
	for f, of := range b.of {
		if of != report.Value {
			continue
		}
		all, spread := b.c.deviation(0, f)
		if !(spread > 0) {
			spread = math.Abs(all)
		}
		step := 1.0
		if spread > 0 {
			step = math.Pow(10, math.Floor(math.Log10(spread/leastDigits)))
		}
		for i := range b.h.len() {
			mean, sd := b.c.deviation(i, f)
			b.c.rounded[i][f] = [2]float64{nearest10(mean, step), nearest10(sd, step)}
		}
	}
}

// nearest10 rounds to a power of ten, so that the number has few digits when it
// is written.
func nearest10(v, step float64) float64 {
	if step < 1 {
		times := math.Round(1 / step)
		return math.Round(v*times) / times
	}
	return math.Round(v/step) * step
}

// round rounds the numbers of people.
func (p *people) round(r rounding) {
	for _, o := range append([]*once{p.in, p.empty}, p.with...) {
		for i, n := range o.n {
			o.n[i] = r.count(n)
		}
	}
}

// shareParams puts rounded numbers in the place of the model's own: nothing of a
// shared report is reported by the parameters alone.
func (b *builder) shareParams() {
	if b.s.Ring() != report.Shared {
		return
	}
	k := b.params.K()
	p := mixture.New(mat.NewDense(len(b.of), k, nil), make([]float64, k))
	if b.soft() {
		b.shareTopics(p)
	}
	b.tokens = b.tokenTotals()
	all := 0.0
	for j, node := range b.h.leaf {
		if !b.soft() {
			p.Weights[j] = float64(b.c.n[node])
			for f := range b.of {
				if v, ok := b.value(node, f); ok {
					p.Centers.Set(f, j, v)
				}
			}
		}
		all += p.Weights[j]
	}
	for j := range p.Weights {
		p.Weights[j] /= math.Max(all, 1)
	}
	moves := b.info.In(family.Transitions)
	if t, ok := b.params.Extra[moves]; ok && b.r.Shape == report.States {
		p = p.With(moves, hundredths(t))
	}
	b.params = p
}

// shareTopics rounds the words of topics, where a word may be of several: what
// the model expects of each among all words.
func (b *builder) shareTopics(p mixture.Params) {
	tokens := b.tokenSum()
	r := b.rounded.sums
	for j, node := range b.h.leaf {
		of, sum := b.params.Weights[j]*tokens, 0.0
		for f := range b.of {
			n := r.near(b.params.Centers.At(f, j)*of, partOfFeatures)
			if !r.reaches(n, partOfFeatures, b.open.limit) {
				b.open.cell[f][node] = false
			}
			if b.open.cell[f][node] {
				p.Centers.Set(f, j, n)
				sum += n
			}
		}
		for f := range b.of {
			p.Centers.Set(f, j, p.Centers.At(f, j)/math.Max(sum, 1))
		}
		p.Weights[j] = r.near(of, partOfSizes)
	}
}

// hundredths rounds probabilities; rows add up to one but for the rounding.
func hundredths(m *mat.Dense) *mat.Dense {
	r, c := m.Dims()
	out := mat.NewDense(r, c, nil)
	for i := range r {
		for j := range c {
			out.Set(i, j, math.Round(100*m.At(i, j))/100)
		}
	}
	return out
}
