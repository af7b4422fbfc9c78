package mixed_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/family/familytest"
	"github.com/moiety-go/moiety/internal/family/mixed"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// patients returns columns of all kinds: eight codes, two counts, six
// laboratory values far from zero, three questions.
func patients(t *testing.T) (*mixed.Family, mixture.Params) {
	t.Helper()
	columns := []vocab.Column{
		{Name: "codes", Kind: vocab.Presence, From: 0, To: 8},
		{Name: "visits", Kind: vocab.Counts, From: 8, To: 10},
		{Name: "laboratory", Kind: vocab.Real, From: 10, To: 16},
		{Name: "sex", Kind: vocab.Categorical, From: 16, To: 18},
		{Name: "ward", Kind: vocab.Categorical, From: 18, To: 22},
		{Name: "smoker", Kind: vocab.Categorical, From: 22, To: 25},
	}
	f, err := mixed.New(mixed.Options{Columns: columns})
	if err != nil {
		t.Fatal(err)
	}
	r := stream.New(41, "patients")
	centers, variance := mat.NewDense(25, 3, nil), mat.NewDense(25, 3, nil)
	for h := range 25 {
		for j := range 3 {
			switch {
			case h < 8:
				centers.Set(h, j, .05+.9*r.Float64())
			case h < 10:
				centers.Set(h, j, .2+6*r.Float64())
			case h < 16:
				centers.Set(h, j, 140+4*r.NormFloat64())
				variance.Set(h, j, 4+8*r.Float64())
			default:
				centers.Set(h, j, .1+r.ExpFloat64())
			}
		}
	}
	for _, c := range columns[3:] {
		for j := range 3 {
			sum := 0.0
			for h := c.From; h < c.To; h++ {
				sum += centers.At(h, j)
			}
			for h := c.From; h < c.To; h++ {
				centers.Set(h, j, centers.At(h, j)/sum)
			}
		}
	}
	return f, mixture.New(centers, []float64{.45, .35, .2}).With(mixed.Variance, variance)
}

// holes draws records and takes values away at random: whole questions, or
// single values of the other kinds.
func holes(t *testing.T, f *mixed.Family, p mixture.Params, n int, share float64) family.Draw {
	t.Helper()
	r := stream.New(42, "holes")
	d, err := f.Sample(p, r, n, family.Shape{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		x := d.Rows.DenseRow(i)
		for h := range 16 {
			if r.Float64() < share {
				x[h] = math.NaN()
			}
		}
		for _, b := range [][2]int{{16, 18}, {18, 22}, {22, 25}} {
			if r.Float64() < share {
				clear(x[b[0]:b[1]])
			}
		}
	}
	return d
}

func TestBattery(t *testing.T) {
	f, p := patients(t)
	change := func(h, j int, v float64) mixture.Params {
		q := mixture.Params{Centers: mat.DenseCopyOf(p.Centers), Weights: p.Weights, Extra: p.Extra}
		q.Centers.Set(h, j, v)
		return q
	}
	flat := mat.DenseCopyOf(p.Extra[mixed.Variance])
	flat.Set(12, 1, 0)
	familytest.Run(t, f, familytest.Case{
		Params:      p,
		Coordinates: mixed.Coordinates,
		Illegal: []mixture.Params{
			change(0, 0, 1.5), change(8, 1, -1), change(16, 0, .999), p.With(mixed.Variance, flat),
			mixture.New(p.Centers, p.Weights),
		},
		Free: 2 + 3*(8+2+12+1+3+2),
		Hostile: map[string]family.Draw{
			"holes":      holes(t, f, p, 300, .4),
			"only holes": holes(t, f, p, 50, 1),
			"no column":  lost(t, f, p, 300, 12),
		},
	})
}

// lost draws records in which nobody has feature h.
func lost(t *testing.T, f *mixed.Family, p mixture.Params, n, h int) family.Draw {
	t.Helper()
	d := holes(t, f, p, n, 0)
	for i := range n {
		d.Rows.DenseRow(i)[h] = math.NaN()
	}
	return d
}

// TestBatterySparse: the same without measurements, on sparse rows.
func TestBatterySparse(t *testing.T) {
	f, err := mixed.New(mixed.Options{Dim: 14, Columns: []vocab.Column{
		{Name: "visits", Kind: vocab.Counts, From: 8, To: 10},
		{Name: "ward", Kind: vocab.Categorical, From: 10, To: 14},
	}})
	if err != nil {
		t.Fatal(err)
	}
	r, centers := stream.New(43, "sparse"), mat.NewDense(14, 2, nil)
	for h := range 10 {
		for j := range 2 {
			centers.Set(h, j, .1+.8*r.Float64())
		}
	}
	for h, v := range []float64{.1, .2, .3, .4} {
		centers.Set(10+h, 0, v)
		centers.Set(13-h, 1, v)
	}
	p := mixture.New(centers, []float64{.6, .4}).With(mixed.Variance, mat.NewDense(14, 2, nil))
	familytest.Run(t, f, familytest.Case{Params: p, Coordinates: mixed.Coordinates, Free: 1 + 2*(8+2+3)})
}

// TestMissingEM: EM never falls on records with holes either, and the
// statistics of two halves add up.
func TestMissingEM(t *testing.T) {
	f, p := patients(t)
	d := holes(t, f, p, 1500, .3)
	for _, pseudo := range []float64{0, 1} {
		q, last := p, math.Inf(-1)
		for range 20 {
			sum, err := f.EStep(q, true)
			if err != nil {
				t.Fatal(err)
			}
			state, err := pass.RunOne(context.Background(), d.Runner(2), sum)
			if err != nil {
				t.Fatal(err)
			}
			now := f.Objective(state, q, pseudo)
			if !(now >= last-1e-9*math.Abs(last)) {
				t.Fatalf("pseudo %v: objective fell from %v to %v", pseudo, last, now)
			}
			last = now
			if q, _, err = f.MStep(state, q, pseudo); err != nil {
				t.Fatal(err)
			}
		}
		// 1500 records with a third missing: standard errors of a few hundredths.
		if e := familytest.CenterError(t, q, p); e > .15 {
			t.Errorf("pseudo %v: centers are off by %v after EM from the truth", pseudo, e)
		}
	}
}

// TestMissingMoments: with values missing at random the moments still approach
// those of the parameters.
func TestMissingMoments(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: long: moments of up to 64,000 records")
	}
	f, p := patients(t)
	last := math.Inf(1)
	for i, n := range []int{4000, 64000} {
		src, err := f.Source(context.Background(), holes(t, f, p, n, .25).Runner(0), 3)
		if err != nil {
			t.Fatal(err)
		}
		e := familytest.MomentError(t, src, mixed.Coordinates(src, p))
		t.Logf("%d records: relative error of the moments %.4f", n, e)
		if i == 1 && e > last/2 {
			t.Errorf("16 times the records: error from %v to %v", last, e)
		}
		last = e
	}
}

// TestDensity compares with the laws written out.
func TestDensity(t *testing.T) {
	f, err := mixed.New(mixed.Options{Columns: []vocab.Column{
		{Kind: vocab.Presence, From: 0, To: 1},
		{Kind: vocab.Counts, From: 1, To: 2},
		{Kind: vocab.Real, From: 2, To: 3},
		{Kind: vocab.Categorical, From: 3, To: 5},
	}})
	if err != nil {
		t.Fatal(err)
	}
	p := mixture.New(mat.NewDense(5, 1, []float64{.3, 2, 7, .4, .6}), []float64{1}).
		With(mixed.Variance, mat.NewDense(5, 1, []float64{0, 0, 4, 0, 0}))
	normal := func(x float64) float64 { return -(x-7)*(x-7)/8 - math.Log(8*math.Pi)/2 }
	rows := sparse.Rows{Dim: 5, Dense: []float64{
		1, 3, 8, 0, 1,
		0, 0, 0, 0, 0,
		math.NaN(), math.NaN(), math.NaN(), 1, 0,
	}}
	out := make([]float64, 3)
	if err := f.LogDensity(p, pass.Block{Rows: rows}, out); err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{
		math.Log(.3) + 3*math.Log(2) - 2 - math.Log(6) + normal(8) + math.Log(.6),
		math.Log(.7) - 2 + normal(0), // no answer
		math.Log(.4),
	} {
		if numtest.Off(out[i], want, 1e-13) {
			t.Errorf("record %d: log density %v, want %v", i, out[i], want)
		}
	}
}

func TestRefuses(t *testing.T) {
	for _, o := range []mixed.Options{
		{},
		{Columns: []vocab.Column{{From: 0, To: 2}, {From: 1, To: 3}}},
		{Columns: []vocab.Column{{From: 0, To: 0}}},
		{Columns: []vocab.Column{{From: 0, To: 5}}, Dim: 4},
	} {
		if _, err := mixed.New(o); err == nil {
			t.Errorf("columns %v are accepted", o)
		}
	}
	f, err := mixed.New(mixed.Options{Columns: []vocab.Column{
		{Kind: vocab.Presence, From: 0, To: 1},
		{Kind: vocab.Counts, From: 1, To: 2},
		{Kind: vocab.Real, From: 2, To: 3},
		{Kind: vocab.Categorical, From: 3, To: 5},
	}})
	if err != nil {
		t.Fatal(err)
	}
	for name, bad := range map[string][]float64{
		"presence of 2":  {2, 1, 1, 1, 0},
		"negative count": {1, -1, 1, 1, 0},
		"half a count":   {1, .5, 1, 1, 0},
		"infinite":       {1, 1, math.Inf(1), 1, 0},
		"two answers":    {1, 1, 1, 1, 1},
	} {
		rows := sparse.Rows{Dim: 5, Dense: append([]float64{1, 1, 1, 1, 0}, bad...)}
		_, err := f.Source(context.Background(), pass.NewLocal(rows, 1), 2)
		var value *moment.ValueError
		if !errors.As(err, &value) || value.Record != 1 {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
