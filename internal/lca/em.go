package lca

import (
	"context"
	"errors"
	"math"
	"slices"
	"sort"

	"github.com/moiety-go/moiety/pass"
)

// Model holds the parameters of k classes over the columns of a table.
type Model struct {
	K       int
	Weights []float64 // k
	P       []float64 // (columns+1)×k: probability of an answer; the last row, of none, is one
}

// newModel returns a model of zeros.
func (t *Table) newModel(k int) Model {
	m := Model{K: k, Weights: make([]float64, k), P: make([]float64, (t.cols+1)*k)}
	for c := range k {
		m.P[t.cols*k+c] = 1
	}
	return m
}

func (m Model) clone() Model {
	m.Weights, m.P = slices.Clone(m.Weights), slices.Clone(m.P)
	return m
}

// legal makes probabilities of numbers that may have left their range: none
// below least, and those of a question adding up to one.
func (t *Table) legal(m Model, least float64) {
	sum := 0.0
	for c, w := range m.Weights {
		m.Weights[c] = max(w, least)
		sum += m.Weights[c]
	}
	for c := range m.Weights {
		m.Weights[c] /= sum
	}
	for q, f := range t.first {
		for c := range m.K {
			sum := 0.0
			for j := f; j < f+t.Answers(q); j++ {
				m.P[j*m.K+c] = max(m.P[j*m.K+c], least)
				sum += m.P[j*m.K+c]
			}
			for j := f; j < f+t.Answers(q); j++ {
				m.P[j*m.K+c] /= sum
			}
		}
	}
}

// rescaled is the number of questions after which products are scaled up
// again: sixteen answers of probability 1e-15 are still above the smallest
// number there is.
const rescaled = 16

// joint sets r to P(class)·P(record | class), divided by exp(shift).
func (t *Table) joint(m Model, row []int32, r []float64) (sum, shift float64) {
	k := m.K
	copy(r, m.Weights)
	for q, col := range row {
		for c, v := range m.P[int(col)*k:][:k] {
			r[c] *= v
		}
		if q%rescaled == rescaled-1 {
			top := slices.Max(r)
			if top <= 0 {
				return 0, 0
			}
			for c := range r {
				r[c] /= top
			}
			shift += math.Log(top)
		}
	}
	for _, v := range r {
		sum += v
	}
	return sum, shift
}

// step sets next to the M-step's answer and returns the log-likelihood at m;
// it is −Inf where a record is impossible. next must not share m's memory.
func (t *Table) step(m, next Model) float64 {
	k := m.K
	clear(next.Weights)
	clear(next.P)
	r, ll := make([]float64, k), 0.0
	for i, n := range t.count {
		row := t.row(i)
		sum, shift := t.joint(m, row, r)
		if !(sum > 0) {
			return math.Inf(-1)
		}
		ll += n * (math.Log(sum) + shift)
		for c := range r {
			r[c] *= n / sum
			next.Weights[c] += r[c]
		}
		for _, col := range row {
			for c, v := range r {
				next.P[int(col)*k+c] += v
			}
		}
	}
	t.maximise(m, next)
	return ll
}

// maximise turns the expected counts in next into probabilities; a class that
// nobody of those who answered a question belongs to keeps what it had.
func (t *Table) maximise(old, next Model) {
	k := next.K
	for c := range next.Weights {
		next.Weights[c] /= t.n
		next.P[t.cols*k+c] = 1
	}
	for q, f := range t.first {
		to := f + t.Answers(q)
		for c := range k {
			sum := 0.0
			for j := f; j < to; j++ {
				sum += next.P[j*k+c]
			}
			for j := f; j < to; j++ {
				if sum > 0 {
					next.P[j*k+c] /= sum
				} else {
					next.P[j*k+c] = old.P[j*k+c]
				}
			}
		}
	}
}

// LogLikelihood returns the log probability of all records.
func (t *Table) LogLikelihood(m Model) float64 {
	r, ll := make([]float64, m.K), 0.0
	for i, n := range t.count {
		sum, shift := t.joint(m, t.row(i), r)
		ll += n * (math.Log(sum) + shift)
	}
	return ll
}

// buffers are the models that the steps of one fit need.
type buffers struct{ a, b, c, d Model }

func (t *Table) buffers(k int) *buffers {
	return &buffers{t.newModel(k), t.newModel(k), t.newModel(k), t.newModel(k)}
}

// least is the probability below which a leap may not go: EM shrinks it
// further where it must, and can raise it again where it was wrong.
const least = 1e-9

// EM climbs from start to a maximum: pairs of steps, drawn out to where they
// lead (SQUAREM, Varadhan & Roland 2008), which never lower the likelihood. It
// ends where a round, three looks at the records, gains no more than tol in
// two rounds on end, or after so many rounds, or with the context. start is not changed.
func (t *Table) EM(ctx context.Context, start Model, tol float64, rounds int) (Model, float64) {
	w := t.buffers(start.K)
	at, ll := start.clone(), math.Inf(-1)
	quiet := 0
	for range rounds {
		if ctx.Err() != nil {
			break
		}
		l0 := t.step(at, w.a)
		l1 := t.step(w.a, w.b)
		t.leap(at, w)
		to, l2 := w.b, l1
		if l := t.step(w.c, w.d); l >= l1 {
			to, l2 = w.d, l // one step from where the leap led
		}
		copy(at.Weights, to.Weights)
		copy(at.P, to.P)
		if math.IsInf(l0, -1) {
			return at, l0
		}
		if quiet++; l2-ll > tol {
			quiet = 0
		}
		if ll = l2; quiet >= 2 {
			break
		}
	}
	return at, t.LogLikelihood(at)
}

// leap sets w.c to at − 2a·r + a²·v, for the steps at → w.a → w.b, with
// r the first and v how the second differs, and a = −|r|/|v|.
func (t *Table) leap(at Model, w *buffers) {
	r2, v2 := 0.0, 0.0
	measure := func(x, y, z []float64) {
		for i := range x {
			r, v := y[i]-x[i], z[i]-2*y[i]+x[i]
			r2 += r * r
			v2 += v * v
		}
	}
	measure(at.Weights, w.a.Weights, w.b.Weights)
	measure(at.P, w.a.P, w.b.P)
	a := -1.0
	if v2 > 0 {
		a = min(-math.Sqrt(r2/v2), -1)
	}
	a = max(a, -farthest)
	draw := func(x, y, z, to []float64) {
		for i := range x {
			r, v := y[i]-x[i], z[i]-2*y[i]+x[i]
			to[i] = x[i] - 2*a*r + a*a*v
		}
	}
	draw(at.Weights, w.a.Weights, w.b.Weights, w.c.Weights)
	draw(at.P, w.a.P, w.b.P, w.c.P)
	t.legal(w.c, least)
}

// farthest is how far a leap may go, in steps.
const farthest = 256

// Expected returns of every distinct record how many a model expects and how
// many there are; complete says that none of them lacks an answer.
func (t *Table) Expected(m Model) (expected, seen []float64, complete bool) {
	r, complete := make([]float64, m.K), true
	for i := range t.count {
		sum, shift := t.joint(m, t.row(i), r)
		expected = append(expected, t.n*sum*math.Exp(shift))
		complete = complete && !slices.Contains(t.row(i), int32(t.cols))
	}
	return expected, t.count, complete
}

// Posteriors returns the probability of every class for every distinct record,
// row by row, and how many records each stands for.
func (t *Table) Posteriors(m Model) (post, count []float64) {
	post = make([]float64, len(t.count)*m.K)
	for i := range t.count {
		r := post[i*m.K:][:m.K]
		sum, _ := t.joint(m, t.row(i), r)
		for c := range r {
			r[c] /= sum
		}
	}
	return post, t.count
}

// Recounted returns the table with other counts of its distinct records.
func (t *Table) Recounted(count []float64) *Table {
	out := *t
	out.count, out.n = count, 0
	for _, n := range count {
		out.n += n
	}
	return &out
}

// Rows returns the distinct record that every record of a block is.
func (t *Table) Rows(b pass.Block, to []int32) error {
	code, m := make([]int32, len(t.first)), len(t.first)
	for i := range b.Rows.N() {
		if err := t.Code(b, i, code); err != nil {
			return err
		}
		at, found := sort.Find(len(t.count), func(row int) int { return slices.Compare(code, t.code[row*m:][:m]) })
		if !found {
			return errors.New("lca: a record that is not in the table")
		}
		to[i] = int32(at)
	}
	return nil
}
