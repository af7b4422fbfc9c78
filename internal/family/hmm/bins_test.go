package hmm

import (
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/family/familytest"
	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// overlapping are four states of one column that nobody sees, and of a second one where
// asked for that tells two pairs of them apart.
func overlapping(columns int) mixture.Params {
	centers := mat.NewDense(columns, 4, nil)
	for j := range 4 {
		centers.Set(0, j, 20+2.5*float64(j))
		if columns > 1 {
			centers.Set(1, j, float64(j%2))
		}
	}
	moves := mat.NewDense(4, 4, []float64{
		.7, .2, .05, .05,
		.1, .6, .2, .1,
		.1, .1, .7, .1,
		.2, .05, .05, .7,
	})
	return NewParams(centers, moves, stationary(moves), []float64{.6, 1, 1.5, .8})
}

// TestBinsTellStatesApart: more states than columns are found by moments alone, with errors
// that fall like 1/√n.
func TestBinsTellStatesApart(t *testing.T) {
	f := New(Options{Emission: Gaussian, Raw: true})
	for _, columns := range []int{1, 2} {
		var center, spread, moves [2]float64
		draws := numtest.Scale(1, 3, 3)
		for seed := range uint64(draws) {
			for at, n := range []int{1000, 16000} {
				want := overlapping(columns)
				draw, err := f.Sample(want, stream.New(seed, "bins"), n, family.Shape{Lengths: []int{12}})
				if err != nil {
					t.Fatal(err)
				}
				got := started(t, f, draw.Runner(2), 4)
				if err := f.Check(got); err != nil {
					t.Fatal(err)
				}
				match, err := agree.Columns(want.Centers, got.Centers)
				if err != nil {
					t.Fatal(err)
				}
				got = f.Reorder(got, match)
				for j := range 4 {
					center[at] += math.Abs(got.Centers.At(0, j)-want.Centers.At(0, j)) / float64(4*draws)
					spread[at] += math.Abs(got.Extra[VarianceOf].At(0, j)-want.Extra[VarianceOf].At(0, j)) / float64(4*draws)
					for i := range 4 {
						moves[at] += math.Abs(got.Extra[TransitionOf].At(j, i)-want.Extra[TransitionOf].At(j, i)) / float64(16*draws)
					}
				}
			}
		}
		t.Logf("%d columns: centers %.3f, variances %.3f, moves %.4f", columns, center, spread, moves)
		if !(center[1] < .1 && spread[1] < .2 && moves[1] < .02 && center[1] < center[0]/2 && moves[1] < moves[0]/2) {
			t.Errorf("%d columns: errors of centers %.3f, of variances %.3f, of moves %.4f", columns, center, spread, moves)
		}
	}
}

// started returns the parameters that moments alone find.
func started(t *testing.T, f Family, run pass.Runner, k int) mixture.Params {
	t.Helper()
	ctx := context.Background()
	src, err := f.Source(ctx, run, k)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := familytest.Auto(ctx, src, k)
	if err != nil {
		t.Fatal(err)
	}
	p, _, err := f.Normalise(ctx, src, raw)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestBinsByHand: bins have about as many rows, and a value that many rows have is a bin of
// its own.
func TestBinsByHand(t *testing.T) {
	for _, c := range []struct {
		name   string
		value  func(i int) float64
		each   int
		counts []float64
	}{
		{"even", func(i int) float64 { return float64(i % 10) }, 5, []float64{200, 200, 200, 200, 200}},
		{"two values", func(i int) float64 { return float64(i % 2) }, 6, []float64{500, 500}},
		{"mostly nothing", func(i int) float64 { return float64(max(i-800, 0)) }, 4, []float64{801, 199}},
		{"one value", func(int) float64 { return 7 }, 6, nil},
	} {
		rows := sparse.Rows{Dim: 1, Dense: make([]float64, 1000)}
		for i := range rows.Dense {
			rows.Dense[i] = c.value(i)
		}
		v, err := New(Options{Emission: Gaussian}).newLens(context.Background(), pass.NewLocal(rows, 1), 3)
		if err != nil {
			t.Fatal(err)
		}
		v.bins, err = newBins(context.Background(), pass.NewLocal(rows, 1), v.f, v.bins.dev, c.each)
		if err != nil {
			t.Fatal(err)
		}
		counts := make([]float64, v.bins.n)
		for i := range rows.Dense {
			if of := v.bins.of[0]; of != nil {
				counts[of[v.bins.cell(0, (rows.Dense[i]-v.f.shift[0])*v.f.inv[0])]]++
			}
		}
		if len(counts) != len(c.counts) {
			t.Errorf("%s: bins of %v rows, want %v", c.name, counts, c.counts)
			continue
		}
		for i, n := range counts {
			if n != c.counts[i] {
				t.Errorf("%s: bins of %v rows, want %v", c.name, counts, c.counts)
			}
		}
	}
}

// TestTooFewBins: two values show two states and no more.
func TestTooFewBins(t *testing.T) {
	rows := sparse.Rows{Dim: 1, Dense: make([]float64, 300)}
	for i := range rows.Dense {
		rows.Dense[i] = float64(i / 3 % 2)
	}
	var few *moment.ErrTooFew
	f, run := New(Options{Emission: Gaussian}), pass.NewLocal(rows, 1)
	if _, err := f.Source(context.Background(), run, 3); !errors.As(err, &few) {
		t.Errorf("three states of two values: %v", err)
	}
}
