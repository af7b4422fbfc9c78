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
	// stepTol is that of the E-step, whose sums over documents need less. One
	// corpus (10,000 documents, 10 topics), five steps: L1 of the topics .0511
	// with 5e-5, .0508 with 1e-3, .0505 with 5e-3; 30 rounds a document with the
	// first, 19 with the second. The bound it reports is lower by about 7e-5 of
	// itself than at roundTol.
	stepTol = 1e-3
	// wholeRounds are the first rounds, in which every topic moves: they decide
	// which topics a document has. asleep is the share of a document's words
	// below which a topic then stays as it is for up to napRounds rounds.
	wholeRounds = 4
	napRounds   = 20
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
// ends on worse maxima (nine variants of Anderson's, 1000 documents, 50 topics:
// 146 to 228 of them elsewhere, the bound lower by 0.4 to 1.2 a document).
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
		done := e.round(doc) <= e.tol*doc.total
		whole := len(doc.live) == e.k
		switch {
		case done && whole:
			return
		case !whole && (done || nap == napRounds):
			doc.wake(e.k)
			nap = 0
		case round+1 >= wholeRounds:
			nap++
			e.sleep(doc)
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

// tables returns μ of the document's words in the live topics, word by word
// and topic by topic.
func (doc *document) tables() (words, panel []float64) {
	if len(doc.live) == len(doc.gamma) {
		return doc.words, doc.panel
	}
	return doc.some, doc.moved
}

// sleep stops the live topics without a share in the document, if they are
// many, after a round.
func (e *engine) sleep(doc *document) {
	n, m := len(doc.x), 0
	for _, j := range doc.live {
		if doc.gamma[j]-e.alpha[j] > asleep*doc.total {
			m++
		}
	}
	if m == 0 || 4*m > 3*len(doc.live) || len(doc.live)-m < 2 {
		return
	}
	doc.some, doc.moved = sized(doc.some, n*m), sized(doc.moved, m*n)
	kept := 0
	for i, j := range doc.live {
		if !(doc.gamma[j]-e.alpha[j] > asleep*doc.total) {
			continue
		}
		row := doc.panel[j*n:][:n]
		copy(doc.moved[kept*n:][:n], row)
		if m > few {
			for w, b := range row {
				doc.some[w*m+kept] = b
			}
		}
		doc.live[kept], doc.elive[kept] = j, -doc.elive[i] // kept <= i
		kept++
	}
	doc.live, doc.elive, doc.acc = doc.live[:m], doc.elive[:m], doc.acc[:m]
	// What the live topics do not explain of p is due to the others.
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
	if len(doc.live) <= few {
		doc.shareFew()
		return
	}
	words, panel := doc.tables()
	copy(doc.p, doc.rest)
	explain(doc.p, doc.elive, panel)
	x, f := doc.x, doc.f[:len(doc.x)]
	for w, p := range doc.p[:len(x)] {
		f[w] = x[w] / (p + tiny)
	}
	clear(doc.acc)
	explain(doc.acc, f, words)
}

// explain adds Σ_i f_i·row_i to dst (n) for rows (m×n).
func explain(dst, f, rows []float64) {
	m, n := len(f), len(dst)
	if n == 0 {
		return
	}
	kernel.Gemm(kernel.Matrix{Data: dst, Rows: 1, Cols: n, Stride: n},
		kernel.Matrix{Data: f, Rows: 1, Cols: m, Stride: m},
		kernel.Matrix{Data: rows, Rows: m, Cols: n, Stride: n})
}

// few topics are shared out in one loop of plain Go, without tables by word.
const few = 4

// shareFew is share for few topics.
func (doc *document) shareFew() {
	n := len(doc.x)
	_, rows := doc.tables()
	var et [few]float64
	var row [few][]float64
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
	copy(doc.acc, []float64{a0, a1, a2, a3}[:len(doc.live)])
}
