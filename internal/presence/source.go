package presence

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/moment"
)

// Source is a moment.Source of standardised presences made of sums.
type Source struct {
	N     float64   // records
	Mean  []float64 // share of records of every code
	Scale []float64 // what every code is divided by; infinite: it takes no part
	Kept  int       // codes that take part
	// Core returns the sum of the products of three codes in a basis (d×l, of codes
	// as they are, 0 and 1), packed.
	Core func(ctx context.Context, basis *mat.Dense) ([]float64, error)

	m2 *mat.SymDense
}

// LeastChance bounds the shares of codes.
const LeastChance = 1e-3

// NewSource makes the moments of n records with these counts of codes and pairs. A
// code takes part where at least so many records have it; extra is added to the
// variance of each, for pairs that have noise.
func NewSource(n float64, single, double []float64, least, extra float64) *Source {
	d := len(single)
	n = max(n, 1)
	s := &Source{N: n, Mean: make([]float64, d), Scale: make([]float64, d), m2: mat.NewSymDense(d, nil)}
	for h, c := range single {
		p := min(max(c/n, LeastChance), 1-LeastChance)
		s.Mean[h], s.Scale[h] = p, math.Inf(1)
		if c >= least {
			s.Scale[h] = math.Sqrt(p*(1-p) + extra)
			s.Kept++
		}
	}
	pairs := Doubles{d}
	for h := range d {
		for o := h + 1; o < d; o++ {
			s.m2.SetSym(h, o, double[pairs.At(h, o)]/n/(s.Scale[h]*s.Scale[o]))
		}
	}
	return s
}

// Dim implements moment.Source.
func (s *Source) Dim() int { return len(s.Mean) }

// First implements moment.Source.
func (s *Source) First(context.Context) ([]float64, error) {
	out := make([]float64, len(s.Mean))
	for h, p := range s.Mean {
		out[h] = p / s.Scale[h]
	}
	return out, nil
}

// Matrix implements moment.Unbounded.
func (s *Source) Matrix(context.Context) (*mat.SymDense, error) { return s.m2, nil }

// Project implements moment.Source.
func (s *Source) Project(ctx context.Context, b *mat.Dense, want moment.Want) (*moment.Projection, error) {
	d, k := b.Dims()
	out := &moment.Projection{}
	if want&moment.Second != 0 {
		out.Second = mat.NewDense(d, k, nil)
		out.Second.Mul(s.m2, b)
	}
	if want&(moment.Slices|moment.Rows) != 0 {
		return nil, errors.New("presence: of the third moment there is the core alone")
	}
	if want&moment.Core == 0 {
		return out, nil
	}
	basis := mat.NewDense(d, k, nil)
	for h, f := range s.Scale {
		for a := range k {
			basis.Set(h, a, b.At(h, a)/f)
		}
	}
	sum, err := s.Core(ctx, basis)
	if err != nil {
		return nil, err
	}
	packed := make([]float64, len(sum))
	for i, v := range sum {
		packed[i] = v / s.N
	}
	out.Core = moment.Unpack(packed, k)
	return out, nil
}

// Standard completes the moments for k groups.
func (s *Source) Standard(ctx context.Context, k int) (*moment.Standard, error) {
	done, err := moment.Complete(ctx, s, k, moment.CompleteOptions{})
	if err != nil {
		return nil, err
	}
	return &moment.Standard{Completed: done, Scale: s.Scale, Mean: s.Mean, N: s.N}, nil
}
