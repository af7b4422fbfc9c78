package inference

import (
	"context"
	"math"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
)

// Alone estimates standard errors of models with too many parameters to take
// them together: each by the outer product of its own scores, as if the others
// were known. They carry that a record may belong to another class, and not
// that the classes themselves may lie elsewhere: they are somewhat too small.
func Alone(ctx context.Context, f family.Family, p mixture.Params, run pass.Runner) (*Estimates, error) {
	l, err := newLayout(f, p, run.Len())
	if err != nil {
		return nil, err
	}
	s := squares{f, p, l}
	state, err := pass.RunOne(ctx, run, s)
	if err != nil {
		return nil, err
	}
	out := &Estimates{Free: l.n}
	for q := range l.Questions() {
		out.First = append(out.First, l.First(q))
	}
	n := float64(run.Len())
	for c, w := range l.m.Weights {
		all := state[c] // Σ r²
		// Σ (r − w)² is the information of the log-odds of a class against the rest.
		info := all - 2*w*state[l.k+c] + n*w*w
		out.Shares = append(out.Shares, alone(w, w*n >= edgeRecords && l.k > 1, info))
		list := make([]Estimate, l.Columns())
		for q := range l.Questions() {
			from, to := l.First(q), l.First(q)+l.Answers(q)
			answered := 0.0
			for j := from; j < to; j++ {
				answered += s.sum(state, c, q, j)
			}
			absent := all - answered - s.missing(state, c, q)
			for j := from; j < to; j++ {
				v, given, whole := l.p(c, j), s.sum(state, c, q, j), answered
				if l.IsPresence(q) {
					whole += absent
					if j == from {
						given = absent
					}
				}
				list[j] = alone(v, l.isOpen(c, j), given*(1-v)*(1-v)+(whole-given)*v*v)
			}
		}
		out.Answers = append(out.Answers, list)
	}
	return out, nil
}

// Values returns the parameters without standard errors: no pass over records.
func Values(f family.Family, p mixture.Params, records int) (*Estimates, error) {
	l, err := newLayout(f, p, records)
	if err != nil {
		return nil, err
	}
	out := l.estimates(nil, nil, nil)
	return out, nil
}

// alone is an estimate by the information of its log-odds alone.
func alone(value float64, open bool, info float64) Estimate {
	none := math.NaN()
	e := Estimate{Value: value, SE: none, Outer: none, Resampled: none, Low: none, High: none, Edge: !open}
	if open && info > 0 {
		e.Outer = value * (1 - value) / math.Sqrt(info)
		e.Low, e.High = logitInterval(value, e.Outer)
	}
	return e
}

// squares is the Sum of squared posteriors: k over all records, k posteriors
// themselves, then for every column those of the records that have it. Of a
// presence the first column holds the records whose value is missing.
type squares struct {
	f family.Family
	p mixture.Params
	l *layout
}

func (s squares) Len() int { return s.l.k * (2 + s.l.Columns()) }

// sum returns Σ r² over the records that gave an answer to a question, 0 of an absence.
func (s squares) sum(state []float64, c, q, column int) float64 {
	if s.l.IsPresence(q) && s.l.First(q) == column {
		return 0
	}
	return state[(2+column)*s.l.k+c]
}

// missing returns Σ r² over the records that lack a presence.
func (s squares) missing(state []float64, c, q int) float64 {
	if !s.l.IsPresence(q) {
		return 0
	}
	return state[(2+s.l.First(q))*s.l.k+c]
}

func (s squares) Add(state []float64, b pass.Block) error {
	l := s.l
	post := make([]float64, b.N()*l.k)
	if err := s.f.Posterior(s.p, b, post); err != nil {
		return err
	}
	square, code := make([]float64, l.k), make([]int32, l.Questions())
	for i := range b.N() {
		if err := l.Code(b, i, code); err != nil {
			return err
		}
		for c, v := range post[i*l.k:][:l.k] {
			square[c] = v * v
			state[c] += v * v
			state[l.k+c] += v
		}
		for q, j := range code {
			switch presence := l.IsPresence(q); {
			case presence && int(j) == l.First(q): // absent: what is left
				continue
			case presence && int(j) == l.Columns():
				j = int32(l.First(q))
			case int(j) == l.Columns():
				continue
			}
			at := state[(2+int(j))*l.k:][:l.k]
			for c, v := range square {
				at[c] += v
			}
		}
	}
	return nil
}
