package decomposetest

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
)

// Case is a set of parameters to find again.
type Case struct {
	Name   string
	Params mixture.Params
}

// viewed reports that any part of the features, of so many, tells all components
// apart: there are enough of them, and each is present in some component.
func (c Case) viewed(views int) bool {
	d, k := c.Params.Centers.Dims()
	return d >= (views+1)*k && c.Name != "zero rows" && c.Name != "no separating feature"
}

// Cases returns the parameters of the recovery tests.
func Cases() []Case {
	cases := []Case{}
	for _, s := range []struct{ d, k int }{{6, 1}, {6, 2}, {12, 6}, {40, 6}, {40, 1}, {30, 2}} {
		cases = append(cases, Case{fmt.Sprintf("d=%d k=%d", s.d, s.k), Random(uint64(s.d*s.k), s.d, s.k)})
	}
	return append(cases,
		Case{"equal weights", equalWeights(Random(21, 20, 5))},
		Case{"nearly parallel", nearlyParallel(Random(22, 20, 3))},
		Case{"k=d", Random(23, 5, 5)},
		Case{"zero rows", zeroRows(Random(24, 20, 4))},
		Case{"no separating feature", blocks()},
		Case{"negative entries", shifted(Random(25, 20, 4))},
		Case{"uneven weights", uneven(Random(26, 20, 4))},
	)
}

// Random returns centers of entries between 0 and 1 and weights that are
// neither tiny nor equal.
func Random(seed uint64, d, k int) mixture.Params {
	r := stream.New(seed, "decomposetest")
	centers, weights, sum := mat.NewDense(d, k, nil), make([]float64, k), 0.0
	for h := range d {
		for j := range k {
			centers.Set(h, j, r.Float64())
		}
	}
	for j := range weights {
		weights[j] = 0.3 + r.Float64()
		sum += weights[j]
	}
	for j := range weights {
		weights[j] /= sum
	}
	return mixture.New(centers, weights)
}

func equalWeights(p mixture.Params) mixture.Params {
	w := make([]float64, p.K())
	for j := range w {
		w[j] = 1 / float64(len(w))
	}
	return mixture.New(p.Centers, w)
}

// nearlyParallel makes the second center almost the first.
func nearlyParallel(p mixture.Params) mixture.Params {
	c := mat.DenseCopyOf(p.Centers)
	for h := range p.Dim() {
		c.Set(h, 1, c.At(h, 0)+0.01*c.At(h, 1))
	}
	return mixture.New(c, p.Weights)
}

func zeroRows(p mixture.Params) mixture.Params {
	c := mat.DenseCopyOf(p.Centers)
	for h := 0; h < p.Dim(); h += 3 {
		c.SetRow(h, make([]float64, p.K()))
	}
	return mixture.New(c, p.Weights)
}

// blocks has centers of which no feature tells all apart: each feature is
// present in one component only.
func blocks() mixture.Params {
	c := mat.NewDense(12, 4, nil)
	for h := range 12 {
		c.Set(h, h%4, 0.9)
	}
	return mixture.New(c, []float64{0.4, 0.3, 0.2, 0.1})
}

func shifted(p mixture.Params) mixture.Params {
	c := mat.DenseCopyOf(p.Centers)
	for h := 0; h < p.Dim(); h += 2 {
		for j := range p.K() {
			c.Set(h, j, c.At(h, j)-0.5)
		}
	}
	return mixture.New(c, p.Weights)
}

func uneven(p mixture.Params) mixture.Params {
	return mixture.New(p.Centers, []float64{0.9, 0.09, 0.009, 0.001})
}

// Condition returns √(λ_1/λ_k) of M2 times the length of the longest center
// over the least distance between two.
func Condition(p mixture.Params) float64 {
	d, k := p.Centers.Dims()
	m := mat.NewDense(d, k, nil)
	longest, least := 0.0, math.Inf(1)
	for j := range k {
		x := mat.Col(nil, j, p.Centers)
		longest = math.Max(longest, mat.Norm(mat.NewVecDense(d, x), 2))
		for i := range j {
			var diff mat.VecDense
			diff.SubVec(mat.NewVecDense(d, x), p.Centers.ColView(i))
			least = math.Min(least, mat.Norm(&diff, 2))
		}
		for h, v := range x {
			m.Set(h, j, v*math.Sqrt(p.Weights[j]))
		}
	}
	if k == 1 {
		return 1
	}
	return mat.Cond(m, 2) * longest / least
}

// Perturbed is a source of exact moments with a fixed error: other
// components of either sign, weak and in all directions.
func Perturbed(p mixture.Params, size float64, seed uint64) moment.Source {
	r := stream.New(seed, "decomposetest/noise")
	n := 2 * p.Dim()
	centers := spectral.Random(r, p.Dim(), n)
	weights := make([]float64, n)
	for j := range weights {
		weights[j] = size * float64(1-2*(j%2)) / float64(n)
	}
	return &sum{moment.NewExact(p), moment.NewExact(mixture.New(centers, weights))}
}

// sum adds the moments of two sources.
type sum struct{ a, b moment.Source }

func (s *sum) Dim() int { return s.a.Dim() }

func (s *sum) First(ctx context.Context) ([]float64, error) { return s.a.First(ctx) }

func (s *sum) Project(ctx context.Context, b *mat.Dense, want moment.Want) (*moment.Projection, error) {
	x, err := s.a.Project(ctx, b, want)
	if err != nil {
		return nil, err
	}
	y, err := s.b.Project(ctx, b, want)
	if err != nil {
		return nil, err
	}
	if x.Core != nil {
		x.Core.AddScaled(1, y.Core)
	}
	for _, pair := range [][2]*mat.Dense{{x.Second, y.Second}, {x.Slices, y.Slices}, {x.Rows, y.Rows}} {
		if pair[0] != nil {
			pair[0].Add(pair[0], pair[1])
		}
	}
	return x, nil
}

// Counted counts the scans of a source, for one goroutine.
type Counted struct {
	moment.Source
	Scans int
	Wants []moment.Want
}

// Project implements moment.Source.
func (c *Counted) Project(ctx context.Context, b *mat.Dense, want moment.Want) (*moment.Projection, error) {
	c.Scans++
	c.Wants = append(c.Wants, want)
	return c.Source.Project(ctx, b, want)
}
