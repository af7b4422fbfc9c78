package simplex

import (
	"math"
	"testing"
)

// exact allows for the rounding of a dozen operations on numbers near one.
const exact = 1e-14

var inf, nan = math.Inf(1), math.NaN()

func TestClip(t *testing.T) {
	for _, c := range []struct{ v, want []float64 }{
		{[]float64{1, -3, 3}, []float64{0.25, 0, 0.75}},
		{[]float64{0, -1}, []float64{0.5, 0.5}},
		{[]float64{nan, 2}, []float64{0, 1}},
		{[]float64{1e308, 1e308}, []float64{0.5, 0.5}},
		{[]float64{1, inf}, []float64{0, 1}},
		{[]float64{5e-324, 0}, []float64{1, 0}},
	} {
		near(t, "Clip", c.v, Clip(make([]float64, len(c.v)), c.v), c.want)
	}
}

func TestLogSumExp(t *testing.T) {
	for _, c := range []struct {
		v    []float64
		want float64
	}{
		{[]float64{0, 0}, math.Ln2},
		{[]float64{1000, 1000, 1000, 1000}, 1000 + 2*math.Ln2},
		{[]float64{-1000, -1000}, -1000 + math.Ln2},
		{[]float64{math.Log(2), math.Log(3)}, math.Log(5)},
		{[]float64{-inf, 7}, 7},
		{[]float64{-inf}, -inf},
		{[]float64{inf, 0}, inf},
		{nil, -inf},
	} {
		got := LogSumExp(c.v)
		if got != c.want && !(math.Abs(got-c.want) <= exact*math.Max(1, math.Abs(c.want))) {
			t.Errorf("LogSumExp(%v) = %v, want %v", c.v, got, c.want)
		}
	}
	if !math.IsNaN(LogSumExp([]float64{nan, 1})) {
		t.Error("LogSumExp hides NaN")
	}
}

func TestDivergences(t *testing.T) {
	p, q := []float64{0.5, 0.5, 0}, []float64{0.25, 0.25, 0.5}
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		// halves: p against m = (3/8, 3/8, 1/4), q against m
		{"JS", JS(p, q), (math.Log(4.0/3) + 0.5*math.Log(2.0/3) + 0.5*math.Ln2) / 2},
		{"JS of strangers", JS([]float64{1, 0}, []float64{0, 1}), math.Ln2},
		{"JS of equals", JS(q, q), 0},
	} {
		if c.got != c.want && !(math.Abs(c.got-c.want) <= exact) {
			t.Errorf("%s = %v, want %v", c.name, c.got, c.want)
		}
	}
	if JS(p, q) != JS(q, p) {
		t.Error("JS is not symmetric")
	}
}

func near(t *testing.T, name string, v, got, want []float64) {
	t.Helper()
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= exact) {
			t.Errorf("%s(%v) = %v, want %v", name, v, got, want)
			return
		}
	}
}
