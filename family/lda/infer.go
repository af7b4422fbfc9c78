package lda

import (
	"fmt"
	"math"

	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

const (
	// mostRounds and roundTol end the fixed point of a document: the cap, and
	// the change of γ, summed over topics, in words.
	mostRounds = 200
	roundTol   = 1e-3
	// tiny stands for a probability that underflowed; it keeps quotients finite.
	tiny = 1e-200
)

// engine infers the topic mixtures of documents under fixed parameters.
type engine struct {
	d, k   int
	beta   []float64 // d×k, row by row: μ
	alpha  []float64 // k
	alpha0 float64
	norm   float64 // log Γ(α0) − Σ log Γ(α_j)
}

func newEngine(p mixture.Params) (*engine, error) {
	alpha, err := alphaOf(p)
	if err != nil {
		return nil, err
	}
	d, k := p.Centers.Dims()
	e := &engine{d: d, k: k, alpha: alpha, beta: make([]float64, d*k)}
	for h := range d {
		copy(e.beta[h*k:][:k], p.Centers.RawRowView(h))
	}
	for _, a := range alpha {
		e.alpha0 += a
		e.norm -= logGamma(a)
	}
	e.norm += logGamma(e.alpha0)
	return e, nil
}

// document is the work space for one document after another.
type document struct {
	index []int     // words known to the model
	x     []float64 // their counts
	rows  []float64 // their rows of β, side by side: len(x)×k
	total float64   // Σ x

	gamma []float64 // k: parameters of the Dirichlet that stands for the posterior
	et    []float64 // k: exp(ψ(γ)), which is exp(E log θ) up to a common factor
	acc   []float64 // k
}

func (e *engine) newDocument() *document {
	return &document{gamma: make([]float64, e.k), et: make([]float64, e.k), acc: make([]float64, e.k)}
}

// load takes the words of row i. Words that no topic knows are left out.
func (e *engine) load(doc *document, rows sparse.Rows, i int) error {
	doc.index, doc.x, doc.rows, doc.total = doc.index[:0], doc.x[:0], doc.rows[:0], 0
	if rows.IsDense() {
		for h, v := range rows.DenseRow(i) {
			if err := e.word(doc, h, v); err != nil {
				return err
			}
		}
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
	return nil
}

func (e *engine) word(doc *document, h int, v float64) error {
	if v == 0 {
		return nil
	}
	if !(v > 0) || math.IsInf(v, 0) {
		return fmt.Errorf("count of word %d is %v: word counts must be numbers >= 0", h+1, v)
	}
	row, known := e.beta[h*e.k:][:e.k], false
	for _, b := range row {
		known = known || b > 0
	}
	if known {
		doc.index, doc.x = append(doc.index, h), append(doc.x, v)
		doc.rows = append(doc.rows, row...)
		doc.total += v
	}
	return nil
}

// infer finds γ by the fixed point γ_j = α_j + Σ_w x_w φ_wj with φ_wj
// proportional to β_wj exp(E log θ_j): coordinate ascent of the bound, from
// an even start.
func (e *engine) infer(doc *document) {
	for j, a := range e.alpha {
		doc.gamma[j] = a + doc.total/float64(e.k)
	}
	if doc.total == 0 {
		return
	}
	for range mostRounds {
		for j, g := range doc.gamma {
			doc.et[j] = expDigamma(g)
		}
		e.gather(doc)
		change := 0.0
		for j, a := range e.alpha {
			g := a + doc.et[j]*doc.acc[j]
			change += math.Abs(g - doc.gamma[j])
			doc.gamma[j] = g
		}
		if change <= roundTol {
			return
		}
	}
}

// gather sets acc_j = Σ_w x_w β_wj / Σ_i et_i β_wi.
func (e *engine) gather(doc *document) {
	k := e.k
	clear(doc.acc)
	rows := doc.rows
	for _, x := range doc.x {
		row := rows[:k:k]
		rows = rows[k:]
		axpy(doc.acc, x/(dot(doc.et, row)+tiny), row)
	}
}

// dot has four running sums, so that additions need not wait for each other.
func dot(a, b []float64) float64 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float64
	for len(a) >= 4 && len(b) >= 4 {
		s0 += a[0] * b[0]
		s1 += a[1] * b[1]
		s2 += a[2] * b[2]
		s3 += a[3] * b[3]
		a, b = a[4:], b[4:]
	}
	for j, v := range a {
		s0 += v * b[j]
	}
	return (s0 + s1) + (s2 + s3)
}

func axpy(dst []float64, f float64, x []float64) {
	x = x[:len(dst)]
	for j := range dst {
		dst[j] += f * x[j]
	}
}

// bound returns the variational bound of log p(words) at the document's γ with
// the best φ, and sets et to exp(ψ(γ)). Where elog is not nil it gains
// E log θ.
func (e *engine) bound(doc *document, elog []float64) float64 {
	sum := e.alpha0 + doc.total // Σ γ, for the fixed point keeps it
	psi := digamma(sum)
	b := e.norm - logGamma(sum)
	for j, g := range doc.gamma {
		expected := digamma(g)
		doc.et[j] = math.Exp(expected)
		expected -= psi
		b += (e.alpha[j]-g)*expected + logGamma(g)
		if elog != nil {
			elog[j] += expected
		}
	}
	rows := doc.rows
	for _, x := range doc.x {
		b += x * (math.Log(dot(doc.et, rows[:e.k])+tiny) - psi)
		rows = rows[e.k:]
	}
	return b
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
