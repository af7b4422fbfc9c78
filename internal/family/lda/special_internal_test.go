package lda

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mathext"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
)

const (
	euler = 0.57721566490153286061
	// specialTol is some ten roundings; near its zero 1.46 ψ has lost digits, so
	// it is taken relative to numbers of size one at least.
	specialTol = 2e-15
	// otherTol: gonum's digamma has a shorter series.
	otherTol = 1e-10
)

func TestDigamma(t *testing.T) {
	for _, c := range []struct{ x, want float64 }{
		{1, -euler},
		{2, 1 - euler},
		{.5, -euler - 2*math.Ln2},
		{.25, -euler - math.Pi/2 - 3*math.Ln2},
		{10, 2.25175258906672110764745616},
		{100, 4.60016185273808787},
		{1e-10, -1e10 - euler},
		{1e9, math.Log(1e9) - 5e-10},
	} {
		if got := digamma(c.x); numtest.Off(got, c.want, specialTol*math.Max(1, math.Abs(c.want))) {
			t.Errorf("digamma(%v) = %.17g, want %.17g", c.x, got, c.want)
		}
	}
}

func TestSpecialFunctions(t *testing.T) {
	r := stream.New(1, "special")
	for range 2000 {
		x := math.Exp(12*r.Float64() - 6)
		psi := digamma(x)
		if next := digamma(x + 1); numtest.Off(next-psi, 1/x, specialTol*math.Max(4, 4/x)) {
			t.Fatalf("ψ(%v+1) − ψ − 1/x = %v", x, next-psi-1/x)
		}
		if want := mathext.Digamma(x); numtest.Off(psi, want, otherTol*math.Max(1, math.Abs(want))) {
			t.Fatalf("ψ(%v) = %v, by another implementation %v", x, psi, want)
		}
		if got := inverseDigamma(psi); numtest.Off(got, x, 1e-12*math.Max(x, 1)*math.Max(1, 1/(x*trigamma(x)))) {
			t.Fatalf("inverse of ψ(%v) is %v", x, got)
		}
		if d := trigamma(x) - trigamma(x+1) - 1/(x*x); numtest.Off(d, 0, specialTol*math.Max(4, 4/(x*x))) {
			t.Fatalf("ψ′(%v) − ψ′(x+1) − 1/x² = %v", x, d)
		}
	}
	if got := trigamma(1); numtest.Off(got, math.Pi*math.Pi/6, specialTol) {
		t.Errorf("ψ′(1) = %v, want π²/6", got)
	}
}

// At the optimum of α the digammas meet the statistics; on the simplex of a
// fixed sum they do so up to one number.
func TestBestAlpha(t *testing.T) {
	truth := []float64{.05, .7, 2, 11}
	sum := 13.75
	stat := make([]float64, len(truth))
	for j, a := range truth {
		stat[j] = digamma(a) - digamma(sum)
	}
	const tol = 1e-4 // the value of the bound has converged: its square root
	for j, a := range bestAlpha([]float64{1, 1, 1, 1}, stat) {
		if numtest.Off(a, truth[j], tol*truth[j]) {
			t.Errorf("alpha %d is %v, want %v", j+1, a, truth[j])
		}
	}
	got := bestShares([]float64{1, 1, 1, sum - 3}, stat)
	for j, a := range got {
		if numtest.Off(a, truth[j], 1e-9*truth[j]) {
			t.Errorf("share %d of a known sum: alpha is %v, want %v", j+1, a, truth[j])
		}
	}
	other := bestShares([]float64{.5, .5, .5, .5}, stat)
	total, gap := 0.0, digamma(other[1])-stat[1]
	for j, a := range other {
		total += a
		if numtest.Off(digamma(a)-stat[j], gap, 1e-9*math.Abs(gap)) && a > 2*leastAlpha {
			t.Errorf("share %d is not at the optimum of a sum of 2: %v", j+1, other)
		}
	}
	if numtest.Off(total, 2, 1e-12) {
		t.Errorf("shares add up to %v, want the old sum 2", total)
	}
}
