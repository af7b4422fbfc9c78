package hmm

import (
	"context"
	"math"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/family/familytest"
	"github.com/moiety-go/moiety/internal/family/bernoulli"
	"github.com/moiety-go/moiety/internal/family/poisson"
	"github.com/moiety-go/moiety/internal/refine"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// lawTruth has states of sets (shares between .1 and .9) or of counts.
func lawTruth(seed uint64, d, k int, counts bool) mixture.Params {
	r := stream.New(seed, "hmm law truth")
	p := truth(seed, d, k, false)
	m := mat.NewDense(d, k, nil)
	m.Apply(func(_, _ int, _ float64) float64 {
		if counts {
			return .3 + 3*r.Float64()*r.Float64()
		}
		return .1 + .8*r.Float64()
	}, m)
	return NewParams(m, p.Extra[TransitionOf], p.Extra[InitialOf].RawRowView(0), nil)
}

func TestLawBattery(t *testing.T) {
	for name, c := range map[string]struct {
		f      Family
		counts bool
	}{
		"sets":   {New(Options{Of: bernoulli.New(bernoulli.Options{})}), false},
		"counts": {New(Options{Of: poisson.Family{}}), true},
	} {
		t.Run(name, func(t *testing.T) {
			const d = 14
			p := lawTruth(1, d, 3, c.counts)
			off := mat.DenseCopyOf(p.Extra[TransitionOf])
			off.Set(0, 0, 3)
			familytest.Run(t, c.f, familytest.Case{
				Params: p, Seed: 2, N: 1000, Shape: family.Shape{Lengths: []int{6, 3, 1, 10, 0}},
				NoLabels: true, Bound: true, Coordinates: lifted, Free: 8 + 3*d,
				Illegal: []mixture.Params{p.With(TransitionOf, off), mixture.New(p.Centers, p.Weights)},
				Hostile: hostile(d),
			})
		})
	}
}

// The density of a sequence of sets by all its paths, with a step that nobody
// observed.
func TestSetsByAllPaths(t *testing.T) {
	f, p := New(Options{Of: bernoulli.New(bernoulli.Options{})}), lawTruth(3, 4, 2, false)
	build := sparse.NewBuilder(4, true)
	for _, row := range [][]uint32{{0, 2}, {}, {1}, {0, 1, 2, 3}} {
		if err := build.Add(row, nil); err != nil {
			t.Fatal(err)
		}
	}
	b := pass.Block{Rows: build.Rows(), Steps: []int{0, 4}}
	var got [1]float64
	if err := f.LogDensity(p, b, got[:]); err != nil {
		t.Fatal(err)
	}
	total := 0.0
	paths(4, 2, func(path []int) {
		v := 1.0
		for s, j := range path {
			if s == 0 {
				v *= p.Extra[InitialOf].At(0, j)
			} else {
				v *= p.Extra[TransitionOf].At(path[s-1], j)
			}
			for h := 0; h < 4 && s != 1; h++ {
				if b.Rows.At(s, h) == 1 {
					v *= p.Centers.At(h, j)
				} else {
					v *= 1 - p.Centers.At(h, j)
				}
			}
		}
		total += v
	})
	if numtest.Off(got[0], math.Log(total), 1e-12) {
		t.Errorf("log density %v, by all paths %v", got[0], math.Log(total))
	}
}

// Known parameters are found from moments and EM, with an error that falls like
// 1/√n: sixteen times the sequences, about a quarter of the error.
func TestSetsAtTheRate(t *testing.T) {
	numtest.NotShort(t)
	f := New(Options{Of: bernoulli.New(bernoulli.Options{})})
	ctx := context.Background()
	var emission, transition [2][]float64
	for seed := range uint64(4) {
		want := lawTruth(20+seed, 16, 3, false)
		for at, n := range []int{150, 2400} {
			draw, err := f.Sample(want, stream.New(seed, "rate"), n, family.Shape{Lengths: []int{12}})
			if err != nil {
				t.Fatal(err)
			}
			src, err := f.Source(ctx, draw.Runner(1), 3)
			if err != nil {
				t.Fatal(err)
			}
			raw, err := familytest.Auto(ctx, src, 3)
			if err != nil {
				t.Fatal(err)
			}
			start, _, err := f.Normalise(ctx, src, raw)
			if err != nil {
				t.Fatal(err)
			}
			r, err := refine.EM(ctx, f, draw.Runner(1), start, refine.Options{})
			if err != nil {
				t.Fatal(err)
			}
			e, tr := emissionError(t, r.Params, want)
			emission[at], transition[at] = append(emission[at], e/16), append(transition[at], tr/3)
		}
	}
	for name, e := range map[string][2][]float64{"emissions": emission, "transitions": transition} {
		few, many := floats.Sum(e[0])/4, floats.Sum(e[1])/4
		t.Logf("%s: mean error %.4f from 150 sequences, %.4f from 2,400: %.1f times", name, few, many, few/many)
		// A mean absolute error of √(2/π)·√(p(1-p)/n_j): .02 and less for 600 steps a state.
		if ratio := few / many; ratio < 2.5 || ratio > 6 || many > .01 {
			t.Errorf("%s: error %.4f and %.4f, %.1f times, want about 4 times", name, few, many, ratio)
		}
	}
}
