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
	// the change of γ, summed over topics, as a share of the document's words.
	// The bound is flat there, so that its error is of the square of this.
	mostRounds = 200
	roundTol   = 5e-5
	// tiny stands for a probability that underflowed; it keeps quotients finite.
	tiny = 1e-200
)

// engine infers the topic mixtures of documents under fixed parameters.
type engine struct {
	d, k   int
	stride int       // k rounded up to a multiple of lane; what is beyond k is zero
	beta   []float64 // d×stride, row by row: μ
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
	e := &engine{d: d, k: k, stride: (k + lane - 1) / lane * lane, alpha: alpha}
	e.beta = make([]float64, d*e.stride)
	for h := range d {
		copy(e.row(h), p.Centers.RawRowView(h))
	}
	for _, a := range alpha {
		e.alpha0 += a
		e.norm -= logGamma(a)
	}
	e.norm += logGamma(e.alpha0)
	return e, nil
}

// row returns the row of word h, stride long.
func (e *engine) row(h int) []float64 { return e.beta[h*e.stride:][:e.stride] }

// document is the work space for one document after another.
type document struct {
	index []int     // words known to the model
	x     []float64 // their counts
	rows  []float64 // their rows of β, side by side: len(x)×stride
	total float64   // Σ x

	gamma []float64 // k: parameters of the Dirichlet that stands for the posterior
	et    []float64 // stride: exp(ψ(γ)), which is exp(E log θ) up to a common factor
	acc   []float64 // stride
}

func (e *engine) newDocument() *document {
	return &document{gamma: make([]float64, e.k), et: make([]float64, e.stride), acc: make([]float64, e.stride)}
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
	row, known := e.row(h), false
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
		gather(doc.acc, doc.et, doc.rows, doc.x)
		change := 0.0
		for j, a := range e.alpha {
			g := a + doc.et[j]*doc.acc[j]
			change += math.Abs(g - doc.gamma[j])
			doc.gamma[j] = g
		}
		if change <= roundTol*doc.total {
			return
		}
	}
}

// lane is the number of topics that the inner loops take at once: their sums
// need not wait for each other.
const lane = 4

// gather sets acc_j = Σ_w x_w β_wj / Σ_i et_i β_wi: the inner loop of
// inference. All rows are len(et) long, a multiple of lane.
func gather(acc, et, rows, x []float64) {
	n := len(et)
	clear(acc)
	acc = acc[:n]
	for w, c := range x {
		row := rows[w*n:][:n]
		f := c / (dot(et, row) + tiny)
		for j := 0; j+lane <= n; j += lane {
			a, r := (*[lane]float64)(acc[j:]), (*[lane]float64)(row[j:])
			a[0] += f * r[0]
			a[1] += f * r[1]
			a[2] += f * r[2]
			a[3] += f * r[3]
		}
	}
}

// dot returns the product of two vectors whose length is a multiple of lane.
func dot(a, b []float64) float64 {
	var s0, s1, s2, s3 float64
	for j := 0; j+lane <= len(a); j += lane {
		x, y := (*[lane]float64)(a[j:]), (*[lane]float64)(b[j:])
		s0 += x[0] * y[0]
		s1 += x[1] * y[1]
		s2 += x[2] * y[2]
		s3 += x[3] * y[3]
	}
	return (s0 + s1) + (s2 + s3)
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
		b += x * (math.Log(dot(doc.et, rows[:e.stride])+tiny) - psi)
		rows = rows[e.stride:]
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
