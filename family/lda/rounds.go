package lda

import (
	"math"

	"github.com/moiety-go/moiety/internal/kernel"
)

const (
	// mostRounds and roundTol end the fixed point of a document: the cap, and
	// the change of γ, summed over topics, as a share of the document's words.
	// The bound is flat there, so that its error is of the square of this.
	mostRounds = 200
	roundTol   = 5e-5
	// wholeRounds are the first rounds, in which every topic moves: they decide
	// which topics a document has. asleep is the share of a document's words
	// below which a topic then stays as it is for up to napRounds rounds.
	wholeRounds = 4
	napRounds   = 6
	asleep      = 1e-6
	// nothing is a share of a document's words that is zero up to rounding.
	nothing = 1e-12
	// tiny stands for a probability that underflowed; it keeps quotients finite.
	tiny = 1e-200
)

// infer finds γ by the fixed point γ_j = α_j + Σ_w x_w φ_wj with φ_wj
// proportional to β_wj exp(E log θ_j): coordinate ascent of the bound, from an
// even start. Documents hold few of many topics, so that most rounds move few
// of them; the last one moves all. Extrapolation would take fewer rounds, but
// ends on worse maxima (Anderson's, 1000 documents, 50 topics: 180 of them off,
// a bound lower by 0.4 a document).
func (e *engine) infer(doc *document) {
	for j, a := range e.alpha {
		doc.gamma[j] = a + doc.total/float64(e.k)
	}
	if doc.total == 0 {
		return
	}
	doc.wake(e.k)
	nap := 0
	for round := range mostRounds {
		done := e.round(doc) <= roundTol*doc.total
		whole := len(doc.live) == e.k
		switch {
		case done && whole:
			return
		case whole && round+1 >= wholeRounds:
			e.sleep(doc)
			nap = 0
		case !whole:
			if nap++; done || nap == napRounds {
				doc.wake(e.k)
			}
		}
	}
}

// wake lets all k topics move.
func (doc *document) wake(k int) {
	doc.live = doc.live[:0]
	for j := range k {
		doc.live = append(doc.live, j)
	}
	doc.elive, doc.acc = sized(doc.elive, k), sized(doc.acc, k)
	clear(doc.rest)
}

// rows returns the live rows of the panel, side by side.
func (doc *document) rows() []float64 {
	if len(doc.live) == len(doc.gamma) {
		return doc.panel
	}
	return doc.moved
}

// sleep keeps only topics with a share in the document moving, after a round in
// which all did.
func (e *engine) sleep(doc *document) {
	n := len(doc.x)
	doc.live = doc.live[:0]
	for j, a := range e.alpha {
		if doc.gamma[j]-a > asleep*doc.total {
			doc.live = append(doc.live, j)
		}
	}
	m := len(doc.live)
	if m == 0 || 4*m > 3*e.k { // hardly worth it
		doc.wake(e.k)
		return
	}
	doc.moved = sized(doc.moved, m*n)
	for i, j := range doc.live {
		copy(doc.moved[i*n:][:n], doc.panel[j*n:][:n])
		doc.elive[i] = -doc.elive[j] // what they explain is taken out of the rest; i <= j
	}
	doc.elive, doc.acc = doc.elive[:m], doc.acc[:m]
	copy(doc.rest, doc.p)
	explain(doc.rest, doc.elive, doc.moved)
	for w, v := range doc.rest {
		doc.rest[w] = math.Max(v, 0)
	}
}

// round moves the live topics by one step and returns how far.
func (e *engine) round(doc *document) float64 {
	for i, j := range doc.live {
		doc.elive[i] = expDigamma(doc.gamma[j])
	}
	doc.share()
	change := 0.0
	for i, j := range doc.live {
		g := e.alpha[j] + doc.elive[i]*doc.acc[i]
		change += math.Abs(g - doc.gamma[j])
		doc.gamma[j] = g
	}
	return change
}

// share sets p_w = rest_w + Σ_j et_j μ_wj and acc_j = Σ_w x_w μ_wj / p_w over
// the live topics: the inner loop of inference.
func (doc *document) share() {
	if len(doc.live) <= 4 {
		doc.shareFew()
		return
	}
	rows, n := doc.rows(), len(doc.x)
	copy(doc.p, doc.rest)
	explain(doc.p, doc.elive, rows)
	x, f := doc.x, doc.f[:n]
	for w, p := range doc.p[:n] {
		f[w] = x[w] / (p + tiny)
	}
	m := len(doc.acc)
	clear(doc.acc)
	kernel.Gemm(kernel.Matrix{Data: doc.acc, Rows: m, Cols: 1, Stride: 1},
		kernel.Matrix{Data: rows, Rows: m, Cols: n, Stride: n},
		kernel.Matrix{Data: f, Rows: n, Cols: 1, Stride: 1})
}

// explain adds Σ_j et_j·row_j to p (n) for rows (m×n).
func explain(p, et, rows []float64) {
	m, n := len(et), len(p)
	if n == 0 {
		return
	}
	kernel.Gemm(kernel.Matrix{Data: p, Rows: 1, Cols: n, Stride: n},
		kernel.Matrix{Data: et, Rows: 1, Cols: m, Stride: m},
		kernel.Matrix{Data: rows, Rows: m, Cols: n, Stride: n})
}

// shareFew is share for up to four topics in one loop.
func (doc *document) shareFew() {
	n, rows := len(doc.x), doc.rows()
	var et, acc [4]float64
	var row [4][]float64
	for i := range row {
		row[i] = rows[:n] // any, times nothing
		if i < len(doc.live) {
			row[i], et[i] = rows[i*n:][:n], doc.elive[i]
		}
	}
	r0, r1, r2, r3 := row[0][:n], row[1][:n], row[2][:n], row[3][:n]
	e0, e1, e2, e3 := et[0], et[1], et[2], et[3]
	p, rest := doc.p[:n], doc.rest[:n]
	var a0, a1, a2, a3 float64
	for w, x := range doc.x[:n] {
		b0, b1, b2, b3 := r0[w], r1[w], r2[w], r3[w]
		s := rest[w] + ((e0*b0 + e1*b1) + (e2*b2 + e3*b3))
		p[w] = s
		f := x / (s + tiny)
		a0 += f * b0
		a1 += f * b1
		a2 += f * b2
		a3 += f * b3
	}
	acc = [4]float64{a0, a1, a2, a3}
	copy(doc.acc, acc[:len(doc.live)])
}
