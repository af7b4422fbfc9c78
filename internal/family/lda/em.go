package lda

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/family/topics"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/warn"
)

// stats reads a state of the E-step.
type stats struct {
	n    float64
	elog []float64  // k
	sums []float64  // d×k: words of each topic, times the largest of μ_h over μ_hj
	old  *mat.Dense // d×k: the topics that they were gathered under
}

// readStats reads a state that was gathered under p.
func readStats(state []float64, p mixture.Params) (stats, error) {
	d, k := p.Centers.Dims()
	if len(state) != stateHeads+k+d*k {
		return stats{}, fmt.Errorf("lda: state of %d numbers for %d words and %d topics", len(state), d, k)
	}
	s := stats{n: state[atN], elog: state[stateHeads:][:k], sums: state[stateHeads+k:], old: p.Centers}
	if !(s.n > 0) {
		return stats{}, fmt.Errorf("lda: no records to refine on")
	}
	return s, nil
}

// word sets counts to those of word h in each topic, and returns that of the mean document.
func (s stats) word(h int, counts []float64) (mean float64) {
	row, sums := s.old.RawRowView(h), s.sums[h*len(counts):][:len(counts)]
	top := largest(row)
	if top == 0 {
		clear(counts)
		return 0
	}
	for j, v := range row {
		counts[j] = sums[j] * (v / top)
		mean += counts[j] / s.n
	}
	return mean
}

// MStep returns μ_j proportional to its expected word counts plus pseudo times
// a share of the mean document, and the α that maximises the bound as far as
// Options.Alpha lets it move.
func (f *Family) MStep(state []float64, old mixture.Params, pseudo float64) (mixture.Params, []warn.Warning, error) {
	s, err := readStats(state, old)
	if err != nil {
		return mixture.Params{}, nil, err
	}
	alpha, err := alphaOf(old)
	if err != nil {
		return mixture.Params{}, nil, err
	}
	centers, warnings := s.topics(pseudo*priorStrength, f.crew)
	alpha = f.newAlpha(alpha, s)
	sum := 0.0
	for _, a := range alpha {
		sum += a
	}
	weights := make([]float64, len(alpha))
	for j, a := range alpha {
		weights[j] = a / sum
	}
	return mixture.New(centers, weights).With(Alpha, mat.NewDense(len(alpha), 1, alpha)), warnings, nil
}

// stride is how far a step goes on its way, leastStride the least share of the
// M-step's answer that it leaves of a probability.
const (
	stride      = 1.8
	leastStride = 0.3
)

// overRelax draws out a step for the topics. Measured with steps of which
// the last is plain: L1 of three such steps .0520, of five plain ones .0525
// (10,000 documents, 10 topics); of four .0577, of five plain ones .0581 (50,000
// and 50); perplexity of 2,000 news stories after four 1207.6, after five plain
// ones 1208.3. Steps of 1.9, the last included, gave .0535 and .0700.
func (f *Family) overRelax(old, next mixture.Params) mixture.Params {
	d, k := next.Centers.Dims()
	centers := mat.NewDense(d, k, nil)
	total := f.crew.Sums(d, k, func(total []float64, lo, hi int) {
		for h := lo; h < hi; h++ {
			row, a, b := centers.RawRowView(h), old.Centers.RawRowView(h), next.Centers.RawRowView(h)
			for j, v := range b {
				row[j] = max(a[j]+stride*(v-a[j]), leastStride*v)
				total[j] += row[j]
			}
		}
	})
	f.crew.Divide(centers, total, next.Centers)
	next.Centers = centers
	return next
}

// patience is how much longer steps are worth it where documents mix many topics:
// words of such a document say little of its topics, so that topics move little with
// a step and on for long, while the bound hardly rises. L1 of the topics with one
// measure for all α0 and with this (2,000 documents of 100 words, 10 topics, seeds 2001 to 2004):
// α0 = 1 as before, 5: .149 and .128, 10: .200 and .172, where the steps in the
// end arrive at .127 and .167, with the true α too. See go run -C experiments . flat for
// other seeds.
func patience(p mixture.Params) float64 {
	alpha, ok := p.Extra[Alpha]
	if !ok {
		return 1
	}
	return math.Min(mat.Sum(alpha), mostPatience)
}

// mostPatience bounds it.
const mostPatience = 10

// newAlpha maximises the bound in α.
func (f *Family) newAlpha(old []float64, s stats) []float64 {
	t := make([]float64, len(old)) // mean of E log θ
	for j, v := range s.elog {
		t[j] = v / s.n
	}
	switch f.o.Alpha {
	case UpdateAll:
		return bestAlpha(old, t)
	case UpdateShares:
		return bestShares(old, t)
	}
	return old
}

// priorStrength scales the prior: one pseudo-record is this share of the mean
// document. Topics hold few of the words, so that a whole document of the
// mean blurs them (measured, n=2000: mean L1 .091 with 1, .083 with 0.02 and
// with 0); none at all makes rare words impossible.
const priorStrength = 0.02

// topics returns the columns of counts plus prior, each to sum 1.
func (s stats) topics(prior float64, c topics.Crew) (*mat.Dense, []warn.Warning) {
	d, k := s.old.Dims()
	centers := mat.NewDense(d, k, nil)
	sums := c.Sums(d, 2*k, func(sum []float64, lo, hi int) {
		total, words := sum[:k], sum[k:]
		for h := lo; h < hi; h++ {
			row := centers.RawRowView(h)
			m := s.word(h, row)
			for j, v := range row {
				words[j] += v
				row[j] = v + prior*m
				total[j] += row[j]
			}
		}
	})
	total, words := sums[:k], sums[k:]
	var warnings []warn.Warning
	for j := range words {
		if !(words[j] > 0) {
			warnings = append(warnings, warn.New(warn.Caution, "lost-topic", "Ask for fewer groups.",
				"Group %d lost all its words during refinement.", j+1))
		}
	}
	c.Divide(centers, total, s.old)
	return centers, warnings
}

// leastProbability stands for zero in the logarithm of the prior.
const leastProbability = 1e-12

// Objective returns the bound plus pseudo·s·Σ_hj x̄_h log μ_hj, s the strength
// of the prior.
func (f *Family) Objective(state []float64, p mixture.Params, pseudo float64) float64 {
	if pseudo == 0 {
		return state[atBound]
	}
	s, err := readStats(state, p)
	if err != nil {
		return state[atBound]
	}
	prior := f.crew.Sums(p.Dim(), 1, func(prior []float64, lo, hi int) {
		counts := make([]float64, p.K())
		for h := lo; h < hi; h++ {
			prior[0] += s.word(h, counts) * sumLogs(p.Centers.RawRowView(h))
		}
	})
	return state[atBound] + pseudo*priorStrength*prior[0]
}

// sumLogs returns Σ log v. Numbers are multiplied up, so that one logarithm does for many.
func sumLogs(row []float64) float64 {
	sum, product := 0.0, 1.0
	for _, v := range row {
		if v < leastProbability {
			v = leastProbability
		}
		if product *= v; product < 1e-200 {
			sum += math.Log(product)
			product = 1
		}
	}
	return sum + math.Log(product)
}

// Posterior sets out to the expected topic mixture of each document: the mean
// γ/Σγ of its variational posterior, or by Gibbs sampling where that was asked for. An empty document, or one whose words are
// all unknown, gets α/α0.
func (f *Family) Posterior(p mixture.Params, b pass.Block, out []float64) error {
	mixtures, err := f.Mixtures(p)
	if err != nil {
		return err
	}
	return mixtures(b, out)
}

// Mixtures implements family.Mixer.
func (f *Family) Mixtures(p mixture.Params) (func(b pass.Block, out []float64) error, error) {
	e, err := newEngine(p, f.spaces, f.crew)
	if err != nil {
		return nil, err
	}
	if f.o.Inference.Method == Gibbs {
		return func(b pass.Block, out []float64) error { return e.sampled(b, f.o.Inference, out) }, nil
	}
	return func(b pass.Block, out []float64) error {
		return e.each(b, true, func(i int, doc *document) {
			e.finish(doc)
			doc.mixture(out[i*e.k:][:e.k])
		}, nil)
	}, nil
}

// Places implements family.Placer by the largest share of each document's
// expected topic mixture.
func (f *Family) Places(p mixture.Params) (func(b pass.Block, group []int32, probability []float32) error, error) {
	e, err := newEngine(p, f.spaces, f.crew)
	if err != nil {
		return nil, err
	}
	return func(b pass.Block, group []int32, probability []float32) error {
		if f.o.Inference.Method == Gibbs {
			theta := make([]float64, b.N()*e.k)
			if err := e.sampled(b, f.o.Inference, theta); err != nil {
				return err
			}
			for i := range b.N() {
				group[i], probability[i] = largestShare(theta[i*e.k:][:e.k])
			}
			return nil
		}
		return e.each(b, true, func(i int, doc *document) {
			e.finish(doc)
			doc.mixture(doc.et)
			group[i], probability[i] = largestShare(doc.et)
		}, nil)
	}, nil
}

func largestShare(theta []float64) (topic int32, share float32) {
	best := 0
	for j, v := range theta {
		if v > theta[best] {
			best = j
		}
	}
	return int32(best), float32(theta[best])
}

// mixture sets out to γ/Σγ.
func (doc *document) mixture(out []float64) {
	sum := 0.0
	for _, g := range doc.gamma {
		sum += g
	}
	for j, g := range doc.gamma {
		out[j] = g / sum
	}
}

// LogDensity sets out to the variational bound of the log probability of each
// bag of words given its length, multinomial coefficient included.
func (f *Family) LogDensity(p mixture.Params, b pass.Block, out []float64) error {
	e, err := newEngine(p, f.spaces, f.crew)
	if err != nil {
		return err
	}
	impossible := math.Log(leastProbability)
	totals := b.Rows.Totals()
	return e.each(b, true, func(i int, doc *document) {
		e.finish(doc)
		out[i] = e.bound(doc) + coefficient(b.Rows, i) + (totals[i]-doc.total)*impossible
	}, nil)
}

// coefficient returns log t!/Πx_h! of row i.
func coefficient(rows sparse.Rows, i int) float64 {
	total, sum := 0.0, 0.0
	add := func(v float64) {
		total += v
		if v > 1 {
			sum -= logGamma(v + 1)
		}
	}
	if rows.IsDense() {
		for _, v := range rows.DenseRow(i) {
			add(v)
		}
		return sum + logGamma(total+1)
	}
	index, value := rows.Row(i)
	if value == nil {
		return logGamma(float64(len(index)) + 1)
	}
	for _, v := range value {
		add(float64(v))
	}
	return sum + logGamma(total+1)
}
