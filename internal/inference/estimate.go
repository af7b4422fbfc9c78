package inference

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
)

// ErrOther says that a model is none of latent classes.
var ErrOther = errors.New("not a model of latent classes")

// ErrMany says that a model has more parameters than can be told apart at once.
var ErrMany = errors.New("too many parameters for standard errors")

// mostParameters is the number up to which all parameters are taken together.
const mostParameters = 1000

// Estimate is a parameter with what it may be. Numbers that are not known are
// NaN.
type Estimate struct {
	Value float64
	// SE is the standard error by the observed information, Outer by the outer
	// product of the scores, Resampled by drawing sums of scores again.
	SE, Outer, Resampled float64
	// Low and High are the ends of the 95 % interval, by SE on the scale of
	// log-odds.
	Low, High float64
	// Edge says that the parameter is at the end of its range, where there is
	// no such interval.
	Edge bool
}

// Estimates are all parameters of latent classes.
type Estimates struct {
	Shares []Estimate // of the classes
	// Answers holds for every class the probability of every answer, by column:
	// First(q) is that of the first answer of question q.
	Answers [][]Estimate
	First   []int
	// Free is the number of parameters that are not at the edge.
	Free int
	// Singular says that the information cannot be inverted: the records do not
	// identify the parameters, and there are no standard errors.
	Singular bool
}

// Parameters estimates standard errors in one pass over the records.
func Parameters(ctx context.Context, f family.Family, p mixture.Params, run pass.Runner, seed uint64) (*Estimates, error) {
	l, err := newLayout(f, p, run.Len())
	if err != nil {
		return nil, err
	}
	if l.n > mostParameters {
		return nil, fmt.Errorf("inference: %w: %d, at most %d", ErrMany, l.n, mostParameters)
	}
	s := scores{f, p, l, run.Can().First}
	state, err := pass.RunOne(ctx, run, s)
	if err != nil {
		return nil, err
	}
	outer, within, answered, parts := s.split(state)
	info := l.complete(float64(run.Len()), answered)
	for i := range info { // Louis 1982: complete less missing information
		info[i] += outer[i] - within[i]
	}
	v, ok := inverse(info, l.n)
	o, okOuter := inverse(outer, l.n)
	out := l.estimates(v, o, l.drawn(v, parts, seed))
	out.Singular = !ok || !okOuter
	return out, nil
}

// inverse returns the inverse of a symmetric matrix given by its upper half,
// and false where it is not positive.
func inverse(upper []float64, n int) (*mat.SymDense, bool) {
	if n == 0 {
		return nil, true
	}
	var chol mat.Cholesky
	if !chol.Factorize(mat.NewSymDense(n, upper)) || chol.Cond() > worstCondition {
		return nil, false
	}
	var out mat.SymDense
	if chol.InverseTo(&out) != nil {
		return nil, false
	}
	return &out, true
}

// worstCondition is that of an information whose inverse means nothing.
const worstCondition = 1e12

// draws is the number of times that sums of scores are drawn again.
const draws = 400

// drawn returns the covariance of the parameters over draws of the parts, with
// replacement: one step of Newton from the answer for each.
func (l *layout) drawn(v *mat.SymDense, parts []float64, seed uint64) *mat.SymDense {
	if v == nil {
		return nil
	}
	total := make([]float64, l.n) // none at a maximum, but for a prior
	for at := range resampled {
		for a, x := range parts[at*l.n:][:l.n] {
			total[a] += x
		}
	}
	r := stream.New(seed, "inference parts")
	out := mat.NewSymDense(l.n, nil)
	sum, step := mat.NewVecDense(l.n, nil), mat.NewVecDense(l.n, nil)
	for range draws {
		raw := sum.RawVector().Data
		for a, x := range total {
			raw[a] = -x
		}
		for range resampled {
			part := parts[r.IntN(resampled)*l.n:][:l.n]
			for a, x := range part {
				raw[a] += x
			}
		}
		step.MulVec(v, sum)
		out.SymRankOne(out, 1.0/draws*resampled/(resampled-1), step)
	}
	return out
}

// estimates turns covariances of log-odds into standard errors of
// probabilities; nil gives none.
func (l *layout) estimates(v, outer, drawn *mat.SymDense) *Estimates {
	out := &Estimates{Free: l.n}
	for q := range l.Questions() {
		out.First = append(out.First, l.First(q))
	}
	for c, w := range l.m.Weights {
		open := l.weight[c] >= 0 || c == l.top && l.heads() > 0
		grad := func(j *gradient) {
			for o, a := range l.weight {
				j.add(a, w, l.m.Weights[o], o == c)
			}
		}
		out.Shares = append(out.Shares, l.estimate(w, open, grad, v, outer, drawn))
	}
	for c := range l.k {
		list := make([]Estimate, l.Columns())
		for q := range l.Questions() {
			from, to := l.First(q), l.First(q)+l.Answers(q)
			for col := from; col < to; col++ {
				grad := func(j *gradient) {
					for o := from; o < to; o++ {
						j.add(l.answer[c][o], l.p(c, col), l.p(c, o), o == col)
					}
				}
				list[col] = l.estimate(l.p(c, col), l.isOpen(c, col), grad, v, outer, drawn)
			}
		}
		out.Answers = append(out.Answers, list)
	}
	return out
}

// gradient is that of a share in log-odds: of the parameters of its own question
// alone, however many there are in all.
type gradient struct {
	at    []int
	value []float64
}

// add takes in the derivative of a share by the log-odds of another, which is the
// parameter a, or none where a is negative.
func (g *gradient) add(a int, share, other float64, same bool) {
	if a < 0 {
		return
	}
	v := -share * other
	if same {
		v += share
	}
	g.at, g.value = append(g.at, a), append(g.value, v)
}

// estimate is one parameter, whose gradient in log-odds grad fills in.
func (l *layout) estimate(value float64, open bool, grad func(*gradient), v, outer, drawn *mat.SymDense) Estimate {
	none := math.NaN()
	e := Estimate{Value: value, SE: none, Outer: none, Resampled: none, Low: none, High: none, Edge: !open}
	if !open {
		return e
	}
	j := new(gradient)
	if v != nil || outer != nil || drawn != nil { // else nobody asks: see Values
		grad(j)
	}
	e.SE, e.Outer, e.Resampled = deviation(v, j), deviation(outer, j), deviation(drawn, j)
	e.Low, e.High = logitInterval(value, e.SE)
	return e
}

// deviation returns sqrt(jᵀ v j), NaN where there is no v.
func deviation(v *mat.SymDense, j *gradient) float64 {
	if v == nil {
		return math.NaN()
	}
	sum := 0.0
	for p, a := range j.at {
		for q, b := range j.at {
			sum += j.value[p] * v.At(a, b) * j.value[q]
		}
	}
	return math.Sqrt(sum)
}

// logitInterval returns the 95 % interval of a probability, symmetric in its
// log-odds.
func logitInterval(p, se float64) (low, high float64) {
	at, by := math.Log(p/(1-p)), quantile*se/(p*(1-p))
	return 1 / (1 + math.Exp(by-at)), 1 / (1 + math.Exp(-by-at))
}
