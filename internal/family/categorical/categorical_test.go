package categorical_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/family/familytest"
	"github.com/moiety-go/moiety/internal/family/categorical"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// questions returns a model of the given numbers of answers with probabilities
// that tell the components apart.
func questions(t *testing.T, answers []int, weights []float64) (categorical.Family, mixture.Params) {
	t.Helper()
	var blocks [][2]int
	d := 0
	for _, a := range answers {
		blocks = append(blocks, [2]int{d, d + a})
		d += a
	}
	f, err := categorical.New(categorical.Options{Blocks: blocks})
	if err != nil {
		t.Fatal(err)
	}
	r, centers := stream.New(11, "questions"), mat.NewDense(d, len(weights), nil)
	for _, b := range blocks {
		for j := range weights {
			sum := 0.0
			for h := b[0]; h < b[1]; h++ {
				v := math.Pow(r.ExpFloat64(), 2) + .05
				centers.Set(h, j, v)
				sum += v
			}
			for h := b[0]; h < b[1]; h++ {
				centers.Set(h, j, centers.At(h, j)/sum)
			}
		}
	}
	return f, mixture.New(centers, weights)
}

func scaled(src moment.Source, p mixture.Params) mixture.Params {
	return familytest.Divide(p, src.(*moment.Standard).Scale)
}

func TestBattery(t *testing.T) {
	f, p := questions(t, []int{2, 3, 4, 2, 3, 2, 5, 3, 2, 4, 3, 2, 2, 3}, []float64{.5, .3, .2})
	off := mixture.New(mat.DenseCopyOf(p.Centers), p.Weights)
	off.Centers.Set(0, 0, off.Centers.At(0, 0)/2)
	negative := mixture.New(mat.DenseCopyOf(p.Centers), p.Weights)
	negative.Centers.Set(0, 0, -.5)
	negative.Centers.Set(1, 0, 1.5)
	familytest.Run(t, f, familytest.Case{
		Params:      p,
		Coordinates: scaled,
		Illegal:     []mixture.Params{off, negative},
		Free:        2 + 3*(40-14),
		Hostile:     map[string]family.Draw{"holes": holes(f, p, 300, .4)},
	})
}

// holes draws records and drops answers at random.
func holes(f categorical.Family, p mixture.Params, n int, share float64) family.Draw {
	r := stream.New(12, "holes")
	d, err := f.Sample(p, r, n, family.Shape{})
	if err != nil {
		panic(err) // the case's own parameters are legal
	}
	b := sparse.NewBuilder(p.Dim(), true)
	for i := range n {
		index, _ := d.Rows.Row(i)
		var kept []uint32
		for _, h := range index {
			if r.Float64() >= share {
				kept = append(kept, h)
			}
		}
		if err := b.Add(kept, nil); err != nil {
			panic(err)
		}
	}
	return family.Draw{Rows: b.Rows(), Labels: d.Labels}
}

// TestMissingMoments: with answers missing at random the moments still approach
// those of the parameters, at the rate 1/√n.
func TestMissingMoments(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: long: moments of up to 160,000 records")
	}
	f, p := questions(t, []int{2, 3, 4, 2, 3, 2, 5, 3}, []float64{.6, .4})
	var last float64
	for i, n := range []int{10000, 160000} {
		src, err := f.Source(context.Background(), holes(f, p, n, .3).Runner(0), 2)
		if err != nil {
			t.Fatal(err)
		}
		worst := familytest.MomentError(t, src, scaled(src, p))
		if i == 1 && worst > last/2 {
			t.Errorf("16 times the records: error from %v to %v", last, worst)
		}
		last = worst
	}
}

// TestMissingLikelihood: a question without an answer does not change the
// density of the others.
func TestMissingLikelihood(t *testing.T) {
	f, err := categorical.New(categorical.Options{Blocks: [][2]int{{0, 2}, {2, 5}}})
	if err != nil {
		t.Fatal(err)
	}
	p := mixture.New(mat.NewDense(5, 2, []float64{.9, .2, .1, .8, .5, .1, .3, .1, .2, .8}), []float64{.25, .75})
	rows := sparse.FromDense([][]float64{{1, 0, 0, 0, 1}, {0, 1, 0, 0, 0}, {0, 0, 0, 0, 0}}, 5, true)
	out := make([]float64, 3)
	if err := f.LogDensity(p, pass.Block{Rows: rows}, out); err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{.25*.9*.2 + .75*.2*.8, .25*.1 + .75*.8, 1} {
		if numtest.Off(out[i], math.Log(want), 1e-14) {
			t.Errorf("record %d: %v, want %v", i, out[i], math.Log(want))
		}
	}
}

func TestRefuses(t *testing.T) {
	for _, blocks := range [][][2]int{nil, {{1, 2}}, {{0, 2}, {3, 4}}, {{0, 0}}} {
		if _, err := categorical.New(categorical.Options{Blocks: blocks}); err == nil {
			t.Errorf("questions %v are accepted", blocks)
		}
	}
	f, err := categorical.New(categorical.Options{Blocks: [][2]int{{0, 2}, {2, 4}}})
	if err != nil {
		t.Fatal(err)
	}
	for name, row := range map[string][]float64{"two answers": {1, 1, 0, 1}, "a count": {2, 0, 0, 1}, "NaN": {math.NaN(), 0, 1, 0}} {
		rows := sparse.FromDense([][]float64{{1, 0, 0, 1}, row}, 4, false)
		_, err := f.Source(context.Background(), pass.NewLocal(rows, 1), 2)
		var value *moment.ValueError
		if !errors.As(err, &value) || value.Record != 1 {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
