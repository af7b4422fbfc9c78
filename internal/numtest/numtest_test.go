package numtest

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
	"gonum.org/v1/gonum/mat"
)

func TestDiff(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		a, b []float64
		want float64
	}{
		{[]float64{1, 2}, []float64{1, 2.5}, 0.5},
		{[]float64{1}, []float64{1, 2}, inf},
		{[]float64{nan}, []float64{1}, inf},
		{[]float64{nan, inf}, []float64{nan, inf}, 0},
		{nil, nil, 0},
	} {
		if got := MaxDiff(c.a, c.b); got != c.want {
			t.Errorf("MaxDiff(%v, %v) = %v, want %v", c.a, c.b, got, c.want)
		}
	}
	if got := RelDiff([]float64{3, -10}, []float64{2, -10}); got != 0.1 {
		t.Errorf("RelDiff = %v, want 0.1", got)
	}
	if got := MatDiff(mat.NewDense(1, 2, nil), mat.NewDense(2, 1, nil)); got != inf {
		t.Errorf("MatDiff of different shapes = %v", got)
	}
}

func TestOff(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		got, want, tol float64
		off            bool
	}{
		{1, 1.5, .5, false},
		{1, 1.5, .4, true},
		{2, 2, 0, false},
		{nan, 1, 1, true},
		{1, nan, 1, true},
		{nan, nan, 1, true},
		{1, 1, nan, false},
		{1, 2, nan, true},
		{inf, inf, 0, false},
		{inf, 1, 1, true},
		{1, inf, inf, true},
		{inf, -inf, 1, true},
	} {
		if got := Off(c.got, c.want, c.tol); got != c.off {
			t.Errorf("Off(%v, %v, %v) = %v", c.got, c.want, c.tol, got)
		}
	}
}

func TestMatched(t *testing.T) {
	r := stream.New(1, "matched")
	p := Params(r, 6, 4, 0, 1)
	if err := p.Check(); err != nil {
		t.Fatal(err)
	}
	if c, w := Matched(p.Reorder([]int{2, 0, 3, 1}), p); c != 0 || w != 0 {
		t.Errorf("reordered parameters differ by %v, %v", c, w)
	}
	moved := mixture.New(mat.DenseCopyOf(p.Centers), p.Weights)
	moved.Centers.Set(0, 0, p.Centers.At(0, 0)+0.01)
	if c, _ := Matched(moved.Reorder([]int{3, 2, 1, 0}), p); Off(c, 0.01, 1e-15) {
		t.Errorf("moved by 0.01, measured %v", c)
	}
	if c, _ := Matched(Params(r, 6, 3, 0, 1), p); !math.IsInf(c, 1) {
		t.Errorf("different k: %v", c)
	}
}

func TestRandomShapes(t *testing.T) {
	p := Topics(stream.New(2, "topics"), 9, 3)
	if err := p.Check(); err != nil {
		t.Fatal(err)
	}
	for j := range 3 {
		if sum := mat.Sum(p.Centers.ColView(j)); Off(sum, 1, 1e-14) {
			t.Errorf("topic %d adds up to %v", j, sum)
		}
	}
	for _, w := range p.Weights {
		if w < 0.5/3 {
			t.Errorf("weight %v below half the mean", w)
		}
	}
}

func TestData(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("MOIETY_DATA", dir)
	if err := os.WriteFile(filepath.Join(dir, "x"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if got := Data(t, "x"); got != filepath.Join(dir, "x") {
		t.Errorf("Data = %s", got)
	}
	skipped := false
	t.Run("missing", func(t *testing.T) {
		if os.Getenv("MOIETY_DATA") != dir {
			t.Fatal("environment lost")
		}
		f := &fake{TB: t}
		func() {
			defer func() { _ = recover() }()
			Data(f, "nowhere")
		}()
		skipped = f.skipped
	})
	if !skipped {
		t.Error("missing data did not skip")
	}
}

// fake notes a skip instead of taking it.
type fake struct {
	testing.TB
	skipped bool
}

func (f *fake) Helper() {}

func (f *fake) Skipf(string, ...any) {
	f.skipped = true
	panic("skipped")
}
