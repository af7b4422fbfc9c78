package lda

import (
	"fmt"
	"math"

	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// engine infers the topic mixtures of documents under fixed parameters.
type engine struct {
	d, k   int
	beta   []float64 // d×k, row by row: μ
	known  []bool    // d: whether any topic has the word
	alpha  []float64 // k
	alpha0 float64
	norm   float64   // log Γ(α0) − Σ log Γ(α_j)
	logs   []float64 // k: log Γ(α_j)
	psi    []float64 // k: ψ(α_j)
	slope  []float64 // k: ψ′(α_j)
	tol    float64   // roundTol, or stepTol in the E-step
}

func newEngine(p mixture.Params) (*engine, error) {
	alpha, err := alphaOf(p)
	if err != nil {
		return nil, err
	}
	d, k := p.Centers.Dims()
	e := &engine{d: d, k: k, alpha: alpha, tol: roundTol, beta: make([]float64, d*k), known: make([]bool, d)}
	for h := range d {
		row := e.row(h)
		copy(row, p.Centers.RawRowView(h))
		for _, b := range row {
			e.known[h] = e.known[h] || b > 0
		}
	}
	for _, a := range alpha {
		e.alpha0 += a
		e.logs, e.psi, e.slope = append(e.logs, logGamma(a)), append(e.psi, digamma(a)), append(e.slope, trigamma(a))
		e.norm -= logGamma(a)
	}
	e.norm += logGamma(e.alpha0)
	return e, nil
}

// row returns μ of word h in all topics.
func (e *engine) row(h int) []float64 { return e.beta[h*e.k:][:e.k] }

// document is the work space for one document after another.
type document struct {
	index []int     // n words known to the model
	x     []float64 // n: their counts
	total float64   // Σ x
	words []float64 // n×k: their μ, word by word
	panel []float64 // k×n: the same topic by topic

	gamma []float64 // k: parameters of the Dirichlet that stands for the posterior
	et    []float64 // k: exp(ψ(γ)), which is exp(E log θ) up to a common factor

	live  []int     // m topics that move in a round
	some  []float64 // n×m: their columns of words, where not all topics move
	moved []float64 // m×n: their rows of panel
	elive []float64 // m: their et
	acc   []float64 // m: Σ_w f_w μ_wj
	rest  []float64 // n: Σ et·μ over the other topics
	p     []float64 // n: Σ et·μ over all topics
	f     []float64 // n: x/p
}

func (e *engine) newDocument() *document {
	return &document{gamma: make([]float64, e.k), et: make([]float64, e.k)}
}

// load takes the words of row i. Words that no topic knows are left out.
func (e *engine) load(doc *document, rows sparse.Rows, i int) error {
	doc.index, doc.x, doc.total = doc.index[:0], doc.x[:0], 0
	if rows.IsDense() {
		for h, v := range rows.DenseRow(i) {
			if err := e.word(doc, h, v); err != nil {
				return err
			}
		}
		e.fill(doc)
		return nil
	}
	index, value := rows.Row(i)
	for at, h := range index {
		v := 1.0
		if value != nil {
			v = float64(value[at])
		}
		if err := e.word(doc, int(h), v); err != nil {
			return err
		}
	}
	e.fill(doc)
	return nil
}

func (e *engine) word(doc *document, h int, v float64) error {
	if v == 0 {
		return nil
	}
	if !(v > 0) || math.IsInf(v, 0) {
		return fmt.Errorf("count of word %d is %v: word counts must be numbers >= 0", h+1, v)
	}
	if e.known[h] {
		doc.index, doc.x = append(doc.index, h), append(doc.x, v)
		doc.total += v
	}
	return nil
}

// fill turns the rows of the document's words into its panel.
func (e *engine) fill(doc *document) {
	n := len(doc.x)
	doc.words, doc.panel = sized(doc.words, n*e.k), sized(doc.panel, e.k*n)
	doc.rest, doc.p, doc.f = sized(doc.rest, n), sized(doc.p, n), sized(doc.f, n)
	for w, h := range doc.index {
		at, row := w, e.row(h)
		copy(doc.words[w*e.k:][:e.k], row)
		for _, b := range row {
			doc.panel[at] = b
			at += n
		}
	}
}

// sized returns s with length n and any contents.
func sized(s []float64, n int) []float64 {
	if cap(s) < n {
		return make([]float64, n, 2*n)
	}
	return s[:n]
}

// bound returns the variational bound of log p(words) at the document's γ with
// the best φ, and sets et to exp(ψ(γ)), p and f accordingly. Where elog is not
// nil it gains E log θ.
func (e *engine) bound(doc *document, elog []float64) float64 {
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
		if elog != nil {
			elog[j] += expected - psi
		}
	}
	clear(doc.p)
	explain(doc.p, doc.et, doc.panel)
	for w, x := range doc.x {
		doc.f[w] = x / (doc.p[w] + tiny)
	}
	return b + logPower(doc.p, doc.x) - psi*doc.total
}

// logPower returns Σ_w x_w log(p_w + tiny). Words that stand once are
// multiplied up, so that one logarithm does for many.
func logPower(p, x []float64) float64 {
	sum, product := 0.0, 1.0
	for w, v := range p {
		v += tiny
		if x[w] != 1 || !(v > 1e-30 && v < 1e30) {
			sum += x[w] * math.Log(v)
			continue
		}
		if product *= v; product < 1e-200 || product > 1e200 {
			sum += math.Log(product)
			product = 1
		}
	}
	return sum + math.Log(product)
}

// each infers the documents of a block one after another.
func (e *engine) each(b pass.Block, f func(i int, doc *document)) error {
	if b.Rows.Dim != e.d {
		return fmt.Errorf("lda: documents over %d words for a model of %d words", b.Rows.Dim, e.d)
	}
	doc := e.newDocument()
	for i := range b.Rows.N() {
		if err := e.load(doc, b.Rows, i); err != nil {
			return fmt.Errorf("lda: record %d: %w", b.First+i+1, err)
		}
		e.infer(doc)
		f(i, doc)
	}
	return nil
}
