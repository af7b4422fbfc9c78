package inference

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/lca"
	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/stream"
)

// Distal is an outcome of latent classes by three steps: the classes were
// fitted without it, every record was put into its likeliest class, and the
// means are corrected for records that were put into the wrong one.
type Distal struct {
	N int // records with a value
	// Modal are the means of the records put into each class, without a
	// correction; BCH those corrected by Bolck, Croon and Hagenaars (2004), ML by
	// the likelihood of normal outcomes (Vermunt 2010), which their shape can
	// pull.
	Modal, BCH, ML []float64
	// Naive are standard errors of Modal that take the classes for known;
	// Fixed those of BCH that take the first step for known (sandwich); SE those
	// of BCH with all steps repeated on records drawn again.
	Naive, Fixed, SE []float64
	// Low and High are the ends of the 95 % interval of BCH by SE.
	Low, High []float64
	// Logits are the log-odds of the classes by the outcome, taken for a
	// covariate; nil where they were not asked for.
	Logits *Logits
}

// DistalOptions steer the draws of people. Zero values mean the defaults.
type DistalOptions struct {
	Draws   int // 0 means 200
	Seed    uint64
	Workers int
	// Covariate asks for the log-odds of the classes by the column, too.
	Covariate bool
}

const (
	defaultDraws = 200
	againTol     = 1e-6 // nats, at which EM on records drawn again ends
	againRounds  = 200
)

// ThreeStep estimates the mean of an outcome in every class. of gives the row of
// the table that each record is, y its outcome, NaN where missing.
func ThreeStep(ctx context.Context, t *lca.Table, m lca.Model, of []int32, y []float64, o DistalOptions) (*Distal, error) {
	if len(of) != len(y) {
		return nil, fmt.Errorf("inference: %d outcomes of %d records", len(y), len(of))
	}
	if o.Draws <= 0 {
		o.Draws = defaultDraws
	}
	s := newSteps(t, m, nil)
	out := s.means(of, y, nil)
	if out == nil {
		return nil, fmt.Errorf("inference: the records cannot tell the classes apart, so that the groups they were put into cannot be corrected")
	}
	out.ML = s.likeliest(of, y, out.Modal)
	if o.Covariate {
		out.Logits = s.logits(of, y, nil, nil)
	}
	draws, slopes := make([][]float64, o.Draws), make([][]float64, o.Draws)
	err := par.Do(ctx, o.Workers, o.Draws, func(i int) error {
		r := stream.New(o.Seed, fmt.Sprintf("three steps %d", i))
		times := make([]float64, len(of))
		count := make([]float64, t.Distinct())
		for range of {
			at := r.IntN(len(of))
			times[at]++
			count[of[at]]++
		}
		again := t.Recounted(count)
		next, _ := again.EM(ctx, m, againTol, againRounds)
		if d := newSteps(again, next, count).means(of, y, times); d != nil {
			draws[i] = d.BCH
		}
		if o.Covariate {
			from := append(append([]float64(nil), out.Logits.Intercept...), out.Logits.Slope...)
			slopes[i] = newSteps(again, next, count).logits(of, y, times, from).Slope
		}
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	out.SE, out.Low, out.High = spread(out.BCH, draws)
	if l := out.Logits; l != nil {
		l.Drawn, l.Low, l.High = spread(l.Slope, slopes)
	}
	return out, nil
}

// spread turns the numbers of the draws into standard errors and intervals.
func spread(at []float64, draws [][]float64) (se, low, high []float64) {
	for c, mean := range at {
		n, sum, square := 0.0, 0.0, 0.0
		for _, x := range draws {
			if x != nil && !math.IsNaN(x[c]) && !math.IsInf(x[c], 0) {
				n, sum, square = n+1, sum+x[c], square+x[c]*x[c]
			}
		}
		e := math.Sqrt(max(0, square/n-sum*sum/(n*n)) * n / (n - 1))
		se, low, high = append(se, e), append(low, mean-quantile*e), append(high, mean+quantile*e)
	}
	return se, low, high
}

// steps is what the first two steps give.
type steps struct {
	k     int
	modal []int      // of every row of the table: its likeliest class
	wrong *mat.Dense // k×k: P(put into s | class c)
	back  *mat.Dense // its inverse, or nil
	share []float64
}

func newSteps(t *lca.Table, m lca.Model, count []float64) *steps {
	s := &steps{k: m.K, share: m.Weights, wrong: mat.NewDense(m.K, m.K, nil)}
	post, seen := t.Posteriors(m)
	if count == nil {
		count = seen
	}
	total := make([]float64, m.K)
	for i := range seen {
		r, best := post[i*m.K:][:m.K], 0
		for c, v := range r {
			if v > r[best] {
				best = c
			}
		}
		s.modal = append(s.modal, best)
		for c, v := range r {
			s.wrong.Set(c, best, s.wrong.At(c, best)+v*count[i])
			total[c] += v * count[i]
		}
	}
	for c := range m.K {
		for o := range m.K {
			s.wrong.Set(c, o, s.wrong.At(c, o)/total[c])
		}
	}
	back := mat.NewDense(m.K, m.K, nil)
	if back.Inverse(s.wrong) == nil {
		s.back = back
	}
	return s
}

// means returns the means by class; times says how often each record counts.
func (s *steps) means(of []int32, y, times []float64) *Distal {
	if s.back == nil {
		return nil
	}
	n, sum, square := make([]float64, s.k), make([]float64, s.k), make([]float64, s.k) // by modal class
	weight := func(i int) float64 {
		switch {
		case y[i] != y[i]:
			return 0
		case times == nil:
			return 1
		}
		return times[i]
	}
	out := &Distal{}
	for i, row := range of {
		if w := weight(i); w > 0 {
			out.N += int(w)
			g := s.modal[row]
			n[g] += w
			sum[g] += w * y[i]
			square[g] += w * y[i] * y[i]
		}
	}
	for c := range s.k {
		top, below := 0.0, 0.0
		for g := range s.k {
			top += s.back.At(g, c) * sum[g]
			below += s.back.At(g, c) * n[g]
		}
		mean := top / below
		fixed := 0.0 // Σ (w*(y − mean))²
		for g := range s.k {
			w := s.back.At(g, c)
			fixed += w * w * (square[g] - 2*mean*sum[g] + mean*mean*n[g])
		}
		out.BCH, out.Fixed = append(out.BCH, mean), append(out.Fixed, math.Sqrt(fixed)/math.Abs(below))
		modal := sum[c] / n[c]
		variance := (square[c] - n[c]*modal*modal) / (n[c] - 1)
		out.Modal, out.Naive = append(out.Modal, modal), append(out.Naive, math.Sqrt(variance/n[c]))
	}
	return out
}

// likeliest fits normal outcomes by EM, the shares and the errors of
// classification held.
func (s *steps) likeliest(of []int32, y, start []float64) []float64 {
	mean, variance := append([]float64(nil), start...), make([]float64, s.k)
	all, n := 0.0, 0.0
	for i := range of {
		if y[i] == y[i] {
			all, n = all+y[i], n+1
		}
	}
	for i := range of {
		if y[i] == y[i] {
			for c := range variance {
				variance[c] += (y[i] - all/n) * (y[i] - all/n) / n
			}
		}
	}
	r := make([]float64, s.k)
	for range 5000 {
		w, sum, square := make([]float64, s.k), make([]float64, s.k), make([]float64, s.k)
		for i, row := range of {
			if y[i] != y[i] {
				continue
			}
			total := 0.0
			for c := range r {
				d := y[i] - mean[c]
				r[c] = s.share[c] * s.wrong.At(c, s.modal[row]) * math.Exp(-d*d/(2*variance[c])) / math.Sqrt(variance[c])
				total += r[c]
			}
			for c := range r {
				v := r[c] / total
				w[c] += v
				sum[c] += v * y[i]
				square[c] += v * y[i] * y[i]
			}
		}
		moved := 0.0
		for c := range mean {
			next := sum[c] / w[c]
			moved = max(moved, math.Abs(next-mean[c]))
			mean[c], variance[c] = next, max(square[c]/w[c]-next*next, 1e-9)
		}
		if moved < 1e-8 {
			break
		}
	}
	return mean
}

// Logits are the log-odds of classes against the last one, as lines in a
// covariate.
type Logits struct {
	N         int
	Intercept []float64 // of every class but the last
	Slope     []float64
	SE        []float64 // of Slope, the classes and their errors held for known
	// Drawn are standard errors of Slope with all steps repeated on records drawn
	// again, Low and High the ends of its 95 % interval by them.
	Drawn, Low, High []float64
}

// logits explains membership by a covariate: the likelihood of the class that
// each record was put into, given its own class and the errors of classification
// (Vermunt 2010). times says how often each record counts, start where to begin.
func (s *steps) logits(of []int32, x, times, start []float64) *Logits {
	k := s.k
	b := make([]float64, 2*(k-1)) // intercepts, slopes
	copy(b, start)
	p := make([]float64, k)
	info := mat.NewSymDense(2*(k-1), nil)
	out := &Logits{}
	for round := range 200 {
		grad := make([]float64, len(b))
		info.Zero()
		out.N = 0
		score := make([]float64, len(b))
		for i, row := range of {
			w := 1.0
			if times != nil {
				w = times[i]
			}
			if x[i] != x[i] || w == 0 {
				continue
			}
			out.N += int(w)
			sum, like := 1.0, 0.0
			p[k-1] = 1
			for c := range k - 1 {
				p[c] = math.Exp(b[c] + b[k-1+c]*x[i])
				sum += p[c]
			}
			for c := range p {
				p[c] /= sum
				like += p[c] * s.wrong.At(c, s.modal[row])
			}
			for c := range k - 1 {
				v := p[c]*s.wrong.At(c, s.modal[row])/like - p[c]
				score[c], score[k-1+c] = v, v*x[i]
				grad[c] += w * v
				grad[k-1+c] += w * v * x[i]
			}
			info.SymRankOne(info, w, mat.NewVecDense(len(score), score))
		}
		var chol mat.Cholesky
		if !chol.Factorize(info) {
			break
		}
		step, moved := mat.NewVecDense(len(b), nil), 0.0
		if chol.SolveVecTo(step, mat.NewVecDense(len(b), grad)) != nil {
			break
		}
		for i := range b { // BHHH, shortened at first
			v := step.AtVec(i) * math.Min(1, .3+.1*float64(round))
			b[i] += v
			moved = max(moved, math.Abs(v))
		}
		if moved < 1e-9 {
			break
		}
	}
	out.Intercept, out.Slope = b[:k-1], b[k-1:]
	var v mat.SymDense
	var chol mat.Cholesky
	for c := range k - 1 {
		se := math.NaN()
		if chol.Factorize(info) && chol.InverseTo(&v) == nil {
			se = math.Sqrt(v.At(k-1+c, k-1+c))
		}
		out.SE = append(out.SE, se)
	}
	return out
}
