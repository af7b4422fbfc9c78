package choose

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
)

// describe measures the description length of the third moment ([T]
// conclusions: a decomposition of rank k is a short description of the tensor,
// judged by its size and by what it leaves over). Seen in l leading whitened
// directions the tensor has sampling errors of about known size; a model of k
// groups costs k·l numbers of precision 1/√n, and what it leaves over is
// written down in units of those errors:
//
//	length(k) = ½·Σ (T − Σ_j ω_j (Wᵀμ_j)⊗³)² / error²  +  ½·k·l·log n
//
// The errors are those between the two halves of the records, raised where no
// model comes down to them. Mixed documents whose α0 is estimated have another
// tensor for every k and every half, so there is nothing to compare.
func (s *search) describe(ctx context.Context) error {
	if s.path.Family().Info().OwnTensor {
		return nil
	}
	ks := s.sizes()
	white, _, err := s.path.Third(ctx, ks[len(ks)-1])
	if errors.Is(err, fit.ErrTooLittle) {
		return nil
	}
	if err != nil {
		return err
	}
	noise, err := s.noise(ctx, white.W)
	if err != nil || noise == nil {
		return err
	}
	l := white.K()
	left, least := make([]float64, len(ks)), math.Inf(1)
	for i, k := range ks {
		left[i] = math.Inf(1)
		for _, p := range s.tried[k].fit.Raw {
			left[i] = math.Min(left[i], leftover(white.Core, projected(white.W, p), p.Weights, noise))
		}
		least = math.Min(least, left[i])
	}
	scale := math.Max(1, least/float64(l*(l+1)*(l+2)/6))
	for i, k := range ks {
		length := left[i]/scale/2 + float64(k*l)/2*math.Log(float64(s.curve.Records))
		if !math.IsInf(length, 0) && !math.IsNaN(length) {
			s.tried[k].point.Length = length
		}
	}
	return nil
}

// projected returns Wᵀμ_j for the raw centers of p (l×k).
func projected(w *mat.Dense, p mixture.Params) *mat.Dense {
	var out mat.Dense
	out.Mul(w.T(), p.Centers)
	return &out
}

// leftover returns the sum of squares of what the components leave of the
// tensor, over entries a ≤ b ≤ c, in units of the errors s_a·s_b·s_c.
func leftover(t *moment.Cube, v *mat.Dense, weights, noise []float64) float64 {
	sum := 0.0
	for a := range t.N {
		for b := a; b < t.N; b++ {
			for c := b; c < t.N; c++ {
				x := t.At(a, b, c)
				for j, w := range weights {
					x -= w * v.At(a, j) * v.At(b, j) * v.At(c, j)
				}
				sum += x * x / (noise[a] * noise[b] * noise[c])
			}
		}
	}
	return sum
}

// noise returns variances s_a such that entry (a,b,c) of the tensor has the
// error variance s_a·s_b·s_c, from the difference between the tensors of both
// halves of the records; nil where a half has too few.
func (s *search) noise(ctx context.Context, w *mat.Dense) ([]float64, error) {
	_, l := w.Dims()
	mark := make([]bool, s.data.Run.Len())
	for i := range mark {
		mark[i] = i%2 == 1
	}
	var cores [2]*moment.Cube
	for half := range cores {
		some, err := part(ctx, s.data, mark, half == 1, s.path.Settings().Workers)
		if err != nil {
			return nil, err
		}
		src, err := s.path.Family().Source(ctx, some.Run, l)
		var few *moment.ErrTooFew
		if errors.As(err, &few) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		p, err := src.Project(ctx, w, moment.Core)
		if err != nil {
			return nil, err
		}
		cores[half] = p.Core
	}
	return factors(cores[0], cores[1]), nil
}

// factors fits s_a·s_b·s_c to the squares of half the difference of two cubes
// by turns, each s_a being right on average over the entries it has part in.
func factors(x, y *moment.Cube) []float64 {
	const turns = 20 // far more than it takes to settle
	n := x.N
	s := make([]float64, n)
	for a := range s {
		s[a] = 1
	}
	for range turns {
		for a := range n {
			got, want := 0.0, 0.0
			for b := range n {
				for c := range n {
					d := (x.At(a, b, c) - y.At(a, b, c)) / 2
					got += d * d / (s[a] * s[b] * s[c])
					want++
				}
			}
			if got > 0 {
				s[a] *= math.Cbrt(got / want) // an entry holds s_a up to three times
			}
		}
	}
	return s
}
