package decompose_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/decompose"
	"github.com/moiety-go/moiety/internal/decomposetest"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/moment"
)

// identityTol is some hundred roundings, times the condition of the whitening.
const identityTol = 1e-11

func farFrom(t *testing.T, what string, got mat.Matrix, want func(i, j int) float64) {
	t.Helper()
	r, c := got.Dims()
	for i := range r {
		for j := range c {
			if v := math.Abs(got.At(i, j) - want(i, j)); !(v < identityTol) {
				t.Errorf("%s: entry (%d,%d) off by %g", what, i, j, v)
				return
			}
		}
	}
}

func unitMatrix(i, j int) float64 {
	if i == j {
		return 1
	}
	return 0
}

func TestWhitenIdentities(t *testing.T) {
	ctx := context.Background()
	for _, k := range []int{1, 3, 6} {
		p := decomposetest.Random(1, 40, k)
		src := moment.NewExact(p)
		w, err := decompose.Whiten(ctx, src, k, decompose.Options{})
		if err != nil {
			t.Fatal(err)
		}
		check := func(w *decompose.Whitened) {
			direct, err := src.Project(ctx, w.W, moment.Second|moment.Core)
			if err != nil {
				t.Fatal(err)
			}
			var white, we mat.Dense
			white.Mul(w.W.T(), direct.Second)
			farFrom(t, "WᵀM2W", &white, unitMatrix)
			we.Mul(w.W.T(), w.E)
			farFrom(t, "WᵀE", &we, unitMatrix)
			for i, v := range direct.Core.Data {
				if numtest.Off(v, w.Core.Data[i], identityTol) {
					t.Fatalf("k=%d: core differs from that of a direct projection by %g", w.K(), v-w.Core.Data[i])
				}
			}
		}
		check(w)
		if k == 6 {
			var ee, m2 mat.Dense
			ee.Mul(w.E, w.E.T())
			second, _ := src.Project(ctx, unit(40), moment.Second)
			m2.CloneFrom(second.Second)
			farFrom(t, "EEᵀ", &ee, m2.At)
			less, err := w.At(4)
			if err != nil || less.K() != 4 {
				t.Fatalf("At(4): %v", err)
			}
			check(less)
		}
	}
}

func unit(n int) *mat.Dense {
	m := mat.NewDense(n, n, nil)
	for i := range n {
		m.Set(i, i, 1)
	}
	return m
}

// Exact moments of low rank need two scans, small dimensions one, noisy ones at
// most four, the last with the core in it.
func TestWhitenScans(t *testing.T) {
	ctx := context.Background()
	p := decomposetest.Random(2, 60, 4)
	for _, c := range []struct {
		name string
		src  moment.Source
		want int
	}{
		{"exact", moment.NewExact(p), 2},
		{"no subspace to look for", moment.NewExact(decomposetest.Random(2, 12, 4)), 1},
		{"noisy", decomposetest.Perturbed(p, 0.5, 3), 4},
	} {
		src := &decomposetest.Counted{Source: c.src}
		w, err := decompose.Whiten(ctx, src, 4, decompose.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if src.Scans != c.want || w.Passes != c.want {
			t.Errorf("%s: %d scans, said to be %d, want %d", c.name, src.Scans, w.Passes, c.want)
		}
		if src.Wants[c.want-1]&moment.Core == 0 {
			t.Errorf("%s: the last scan has no core", c.name)
		}
		for _, want := range src.Wants[:c.want-1] {
			if want&moment.Core != 0 {
				t.Errorf("%s: more than one scan of the core", c.name)
			}
		}
	}
}

// whole offers M2, so that only the core needs a scan.
type whole struct{ *moment.Exact }

func (w whole) Matrix(ctx context.Context) (*mat.SymDense, error) {
	p, err := w.Project(ctx, unit(w.Dim()), moment.Second)
	if err != nil {
		return nil, err
	}
	d := w.Dim()
	m := mat.NewSymDense(d, nil)
	for i := range d {
		for j := i; j < d; j++ {
			m.SetSym(i, j, p.Second.At(i, j))
		}
	}
	return m, nil
}

// knowing offers its whitening.
type knowing struct {
	moment.Source
	w *decompose.Whitened
}

func (s knowing) Whitening(_ context.Context, k int) (w, e *mat.Dense, eigen []float64, ok bool) {
	return s.w.W, s.w.E, s.w.Eigen, k == s.w.K()
}

func TestWhitenUsesWhatTheSourceKnows(t *testing.T) {
	ctx := context.Background()
	p := decomposetest.Random(3, 50, 3)
	plain, err := decompose.Whiten(ctx, moment.NewExact(p), 3, decompose.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, src := range map[string]moment.Source{
		"whole":   whole{moment.NewExact(p)},
		"knowing": knowing{moment.NewExact(p), plain},
	} {
		w, err := decompose.Whiten(ctx, src, 3, decompose.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if w.Passes != 1 {
			t.Errorf("%s: %d scans, want 1", name, w.Passes)
		}
		r, err := decompose.Auto(ctx, src, 3, decompose.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if c, o := decomposetest.Distance(r.Params, p); c > decomposetest.Tol || o > decomposetest.Tol {
			t.Errorf("%s: off by %g, %g", name, c, o)
		}
	}
	less, err := decompose.Whiten(ctx, knowing{moment.NewExact(p), plain}, 3, decompose.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if two, err := less.At(2); err != nil || two.K() != 2 || two.Core.N != 2 || len(two.Mean) != 2 {
		t.Errorf("At(2) of a known whitening: %v", err)
	}
	if _, err := less.At(4); err == nil {
		t.Error("At(4) of a whitening for 3: no error")
	}
}

// Completed moments know their subspace.
var _ decompose.Whitener = (*moment.Completed)(nil)

// A known M2 whose subspace is hard to find is iterated to the end, whatever
// the number of passes allowed.
func TestWhitenWholeSettles(t *testing.T) {
	src := whole{moment.NewExact(decomposetest.Random(4, 60, 40))}
	w, err := decompose.Whiten(context.Background(), src, 3, decompose.Options{Passes: 1})
	if err != nil {
		t.Fatal(err)
	}
	if w.Residual > 1e-5 {
		t.Errorf("residual %g", w.Residual)
	}
}

func TestRankErrors(t *testing.T) {
	ctx := context.Background()
	src := moment.NewExact(decomposetest.Random(5, 30, 3))
	_, err := decompose.Whiten(ctx, src, 5, decompose.Options{})
	var rank *decompose.ErrRank
	if !errors.As(err, &rank) || rank.Got != 3 || numtest.Off(rank.Gap, 0, 1e-10) {
		t.Errorf("5 of 3 components: %v", err)
	}
	const want = "decompose: 5 components asked for, but the second moment tells only 3 apart; ask for at most 3"
	if err.Error() != want {
		t.Errorf("error %q, want %q", err, want)
	}
	zero := decomposetest.Random(6, 30, 1)
	zero.Centers.Zero()
	if _, err := decompose.Whiten(ctx, moment.NewExact(zero), 1, decompose.Options{}); !errors.As(err, &rank) || rank.Got != 0 {
		t.Errorf("zero moments: %v", err)
	}
}

// Sampling errors larger than the weakest component are reported.
func TestNegativeSpectrumWarns(t *testing.T) {
	p := decomposetest.Random(7, 12, 2)
	w, err := decompose.Whiten(context.Background(), decomposetest.Perturbed(p, 0.2, 1), 6, decompose.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range w.Warnings {
		if x.Code == "negative-spectrum" && x.Remedy != "" {
			return
		}
	}
	t.Errorf("no warning for spectrum %v", w.Eigen)
}
