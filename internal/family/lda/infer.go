package lda

import (
	"fmt"
	"math"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/family/topics"
	"github.com/moiety-go/moiety/internal/kernel"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// engine infers the topic mixtures of documents under fixed parameters.
type engine struct {
	d, k   int
	beta   *mat.Dense // d×k: μ
	wide   int        // k, rounded up to rows of a panel
	table  []float32  // (d+1)×wide: rows of μ over their largest entry; the last is zero
	scale  []float64  // d+1: log of the largest entry of the row, -Inf where no topic has the word; the last is zero
	topics []int32    // k: 0, 1, …
	alpha  []float64  // k
	alpha0 float64
	norm   float64   // log Γ(α0) − Σ log Γ(α_j)
	logs0  float64   // log Γ(α0)
	logs   []float64 // k: log Γ(α_j)
	psi0   float64   // ψ(α0)
	psi    []float64 // k: ψ(α_j)
	slope  []float64 // k: ψ′(α_j)
	tol    float64   // roundTol, or stepTol in the E-step
	asleep float64   // roundSleep, or stepSleep

	*spaces
}

// spaces is memory for one block after another, of one engine and those of the same shape
// behind it: *blockSums, *[group]*document and *stretch.
type spaces struct{ sums, groups, stretches sync.Pool }

func newEngine(p mixture.Params, s *spaces, c topics.Crew) (*engine, error) {
	alpha, err := alphaOf(p)
	if err != nil {
		return nil, err
	}
	d, k := p.Centers.Dims()
	wide := up(k, kernel.MixRows)
	e := &engine{
		d: d, k: k, wide: wide, alpha: alpha, tol: roundTol, asleep: roundSleep,
		spaces: s, beta: p.Centers, table: make([]float32, (d+1)*wide), scale: make([]float64, d+1), topics: make([]int32, k),
	}
	c.Each(d, func(lo, hi int) {
		for h := lo; h < hi; h++ {
			e.scale[h] = scaled(e.table[h*wide:][:k], e.row(h))
		}
	})
	for j, a := range alpha {
		e.topics[j] = int32(j)
		e.alpha0 += a
		e.logs, e.psi, e.slope = append(e.logs, logGamma(a)), append(e.psi, digamma(a)), append(e.slope, trigamma(a))
		e.norm -= logGamma(a)
	}
	e.logs0, e.psi0 = logGamma(e.alpha0), digamma(e.alpha0)
	e.norm += e.logs0
	return e, nil
}

// faint is the share of the largest probability of a word below which one
// counts as zero: in float32 its products would underflow.
const faint = 1e-12

// scaled sets dst to row over its largest entry, whose logarithm it returns.
// Shares of topics in a word do not depend on the scale, and float32 then holds
// the rarest words as well as any.
func scaled(dst []float32, row []float64) float64 {
	top := largest(row)
	if top == 0 {
		return math.Inf(-1)
	}
	over := 1 / top
	for j, v := range row {
		dst[j] = 0
		if v > faint*top {
			dst[j] = float32(v * over)
		}
	}
	return math.Log(top)
}

// largest returns the largest probability of a word, or 0. (max takes four times as long: it looks for NaN.)
func largest(row []float64) float64 {
	top := 0.0
	for _, v := range row {
		if v > top {
			top = v
		}
	}
	return top
}

// row returns μ of word h in all topics.
func (e *engine) row(h int) []float64 { return e.beta.RawRowView(h) }

// document is the work space for one document after another.
type document struct {
	of *engine // whose α it has

	n     int            // words known to the model
	words kernel.MixList // their numbers, then d up to whole vectors
	index []uint32       // the same while they are collected one by one
	x     []float32      // as many: their counts, then zeros
	total float64        // Σ x
	scale float64        // Σ x·log of the scale of its word

	all  kernel.Mix  // the document in all topics
	some kernel.Mix  // in the live topics alone
	last *kernel.Mix // the one that moves
	live []int32     // topics of last
	keep []int32     // places among them: work space of pick

	done   bool
	rounds int // taken
	nap    int // of them since all topics moved

	gamma []float64 // k: parameters of the Dirichlet that stands for the posterior
	et    []float64 // k: work space of bound and others
	p     []float64 // n: work space of bound

	bound         float64   // of an E-step
	args, lg, psi []float64 // k+1, rounded up: work space of measure
	shares        []float32 // k, rounded up: the same
}

func (e *engine) newDocument() *document {
	n := up(e.k+1, kernel.GammaLanes)
	doc := &document{
		gamma: make([]float64, e.k), et: make([]float64, e.k),
		args: make([]float64, n), lg: make([]float64, n), psi: make([]float64, n), shares: make([]float32, up(e.k, kernel.MixLanes)),
	}
	doc.all.M = e.wide
	doc.buffer(&doc.all)
	rest(&doc.all, 0, len(doc.all.Gamma))
	doc.serve(e)
	return doc
}

// serve makes the work space one of e's, and reports whether it has the shape.
func (doc *document) serve(e *engine) bool {
	if doc.of == e {
		return true
	}
	if len(doc.gamma) != e.k {
		return false
	}
	doc.of = e
	for j, a := range e.alpha {
		doc.all.Alpha[j] = single(a)
	}
	return true
}

// single returns a Dirichlet parameter in float32. One that small is nothing.
func single(a float64) float32 { return float32(math.Max(a, 1e-30)) }

// buffer makes room for the parameters of M topics.
func (doc *document) buffer(m *kernel.Mix) {
	n := up(m.M, kernel.MixLanes)
	if cap(m.Alpha) < n {
		m.Alpha, m.Gamma, m.E, m.Sum = kernel.MixBuffer(n), kernel.MixBuffer(n), kernel.MixBuffer(n), kernel.MixBuffer(n)
	}
	m.Alpha, m.Gamma, m.E, m.Sum = m.Alpha[:n], m.Gamma[:n], m.E[:n], m.Sum[:n]
}

// rest gives some places of topics nothing to do.
func rest(m *kernel.Mix, from, to int) {
	for j := from; j < to; j++ {
		m.Alpha[j], m.Gamma[j], m.E[j], m.Sum[j] = 1, 1, 0, 0
	}
}

// up rounds n up to a multiple of by.
func up(n, by int) int { return (n + by - 1) / by * by }

// mostWords bounds the words of a document: longer ones are inferred as if
// they had so many, in the same proportions, which no mixture can tell apart.
const mostWords = 1e12

// load takes the words of row i. Words that no topic knows are left out.
func (e *engine) load(doc *document, rows sparse.Rows, i int) error {
	doc.index, doc.x, doc.total, doc.scale = doc.index[:0], doc.x[:0], 0, 0
	if rows.IsDense() {
		for h, v := range rows.DenseRow(i) {
			if err := e.word(doc, uint32(h), v); err != nil {
				return err
			}
		}
		e.fill(doc, doc.index)
		return nil
	}
	index, value := rows.Row(i)
	if value != nil && e.plain(doc, index, value) {
		return nil
	}
	doc.x = doc.x[:0]
	doc.total, doc.scale = 0, 0
	for at, h := range index {
		v := 1.0
		if value != nil {
			v = float64(value[at])
		}
		if err := e.word(doc, h, v); err != nil {
			return err
		}
	}
	e.fill(doc, doc.index)
	return nil
}

// plain takes a row as it stands and reports whether all its counts are above
// zero and all its words known, the rule.
func (e *engine) plain(doc *document, index []uint32, value []float32) bool {
	doc.x = append(lines(doc.x, up(len(index), kernel.MixLanes))[:0], value...)
	e.fill(doc, index)
	above := 0
	doc.total, doc.scale, above = kernel.MixWords(doc.x, &doc.words, e.scale)
	return above == doc.n && doc.scale > math.Inf(-1) && doc.total <= mostWords
}

func (e *engine) word(doc *document, h uint32, v float64) error {
	if v == 0 {
		return nil
	}
	if !(v > 0) || v > math.MaxFloat32 {
		return fmt.Errorf("count of word %d is %v: word counts must be numbers >= 0", h+1, v)
	}
	if s := e.scale[h]; !math.IsInf(s, -1) {
		doc.index, doc.x = append(doc.index, h), append(doc.x, float32(v))
		doc.total += v
		doc.scale += v * s
	}
	return nil
}

// fill ends the loading of a document: whole vectors, the last ones of words
// that no topic has.
func (e *engine) fill(doc *document, index []uint32) {
	doc.n = len(index)
	if doc.total > mostWords {
		for w := range doc.x {
			doc.x[w] = float32(float64(doc.x[w]) * mostWords / doc.total)
		}
	}
	doc.words.Set(index, uint32(e.d))
	n := len(doc.words.Index())
	for len(doc.x) < n {
		doc.x = append(doc.x, 0)
	}
	doc.all.N, doc.all.X, doc.some.N, doc.some.X = n, doc.x, n, doc.x
	doc.all.P, doc.all.F = lines(doc.all.P, n), lines(doc.all.F, n)
	doc.some.P, doc.some.F = doc.all.P, doc.all.F
}

// sized returns s with length n and any contents.
func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, 2*n)
	}
	return s[:n]
}

// lines is sized for the numbers of a kernel.Mix.
func lines(s []float32, n int) []float32 {
	if cap(s) < n {
		return kernel.MixBuffer(2 * n)[:n]
	}
	return s[:n]
}

// bound returns the variational bound of log p(words) at the document's γ with
// the best φ.
func (e *engine) bound(doc *document) float64 {
	sum := e.alpha0 + doc.total // Σ γ, for the fixed point keeps it
	psi := digamma(sum)
	b := e.norm - logGamma(sum)
	for j, g := range doc.gamma {
		s := g - e.alpha[j]
		expected, lg := e.psi[j]+e.slope[j]*s, e.logs[j]+e.psi[j]*s
		if s > nothing*doc.total {
			expected, lg = digamma(g), logGamma(g)
		}
		doc.et[j] = math.Exp(expected)
		b += lg - s*(expected-psi)
	}
	doc.p = sized(doc.p, doc.n)
	for w, h := range doc.words.Index()[:doc.n] {
		doc.p[w] = 0
		for j, v := range e.row(int(h)) {
			doc.p[w] += v * doc.et[j]
		}
	}
	return b + logPower(doc.p, doc.x) - psi*doc.total
}

// logPower returns Σ_w x_w log(p_w + tiny). Words that stand once are
// multiplied up, so that one logarithm does for many.
func logPower(p []float64, x []float32) float64 {
	sum, product := 0.0, 1.0
	for w, v := range p {
		v += tiny
		if x[w] != 1 || !(v > 1e-30 && v < 1e30) {
			sum += float64(x[w]) * math.Log(v)
			continue
		}
		if product *= v; product < 1e-200 || product > 1e200 {
			sum += math.Log(product)
			product = 1
		}
	}
	return sum + math.Log(product)
}

// fits refuses documents over another number of words.
func (e *engine) fits(b pass.Block) error {
	if b.Rows.Dim != e.d {
		return fmt.Errorf("lda: documents over %d words for a model of %d words", b.Rows.Dim, e.d)
	}
	return nil
}
