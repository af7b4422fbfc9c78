// Package numtest holds small helpers for numerical tests: comparing matrices,
// comparing parameters up to the order of their components, random parameters,
// and finding real data. Only tests import it.
package numtest

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/mixture"
	"gonum.org/v1/gonum/mat"
)

// Scale returns how often a test tries: under -short, in "make test", and in
// "make test-long", which sets MOIETY_LONG.
func Scale(short, usual, long int) int {
	switch {
	case os.Getenv("MOIETY_LONG") != "":
		return long
	case testing.Short():
		return short
	}
	return usual
}

// Workers are the cores that a test of equal bytes tries: under -short one and many.
func Workers() []int {
	if testing.Short() {
		return []int{1, 8}
	}
	return []int{1, 2, 8}
}

// NotShort leaves a test of many whole fits out of the quick form.
func NotShort(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: many whole fits")
	}
}

// MaxDiff returns the largest |got − want| over all entries; +Inf when the
// lengths differ or an entry is NaN on one side only.
func MaxDiff(got, want []float64) float64 {
	if len(got) != len(want) {
		return math.Inf(1)
	}
	most := 0.0
	for i, v := range got {
		most = max(most, gap(v, want[i]))
	}
	return most
}

// Off reports whether got lies farther than tol from want. A NaN on either side is
// off, which |got − want| > tol does not say.
func Off(got, want, tol float64) bool {
	return got != want && (math.IsInf(want, 0) || !(math.Abs(got-want) <= tol))
}

// gap is |a − b|, zero for equal infinities and for two NaN.
func gap(a, b float64) float64 {
	switch diff := math.Abs(a - b); {
	case a == b || math.IsNaN(a) && math.IsNaN(b):
		return 0
	case math.IsNaN(diff):
		return math.Inf(1)
	default:
		return diff
	}
}

// RelDiff is MaxDiff divided by the largest |want|, or MaxDiff itself where
// want is all zeros.
func RelDiff(got, want []float64) float64 {
	scale := 0.0
	for _, v := range want {
		scale = max(scale, math.Abs(v))
	}
	if scale == 0 {
		scale = 1
	}
	return MaxDiff(got, want) / scale
}

// MatDiff returns the largest |got − want| over all entries of two matrices;
// +Inf when the shapes differ.
func MatDiff(got, want mat.Matrix) float64 {
	r, c := want.Dims()
	if gr, gc := got.Dims(); gr != r || gc != c {
		return math.Inf(1)
	}
	most := 0.0
	for i := range r {
		for j := range c {
			most = max(most, gap(got.At(i, j), want.At(i, j)))
		}
	}
	return most
}

// Slices fails the test when got and want differ by more than tol anywhere.
func Slices(t testing.TB, name string, got, want []float64, tol float64) {
	t.Helper()
	if diff := MaxDiff(got, want); !(diff <= tol) {
		t.Errorf("%s: differs by %.3g, tolerance %.3g (%d and %d numbers)", name, diff, tol, len(got), len(want))
	}
}

// SameBits fails the test unless got and want have the same bits.
func SameBits(t testing.TB, name string, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d numbers, want %d", name, len(got), len(want))
		return
	}
	for i, v := range got {
		if math.Float64bits(v) != math.Float64bits(want[i]) {
			t.Errorf("%s: number %d is %x, want %x", name, i, v, want[i])
			return
		}
	}
}

// Matched returns the largest errors of the centers and of the weights of got
// against want, after its components were put in the order that fits best;
// +Inf when shapes differ or got is not finite.
func Matched(got, want mixture.Params) (centers, weights float64) {
	if got.K() != want.K() || got.Dim() != want.Dim() {
		return math.Inf(1), math.Inf(1)
	}
	match, err := agree.Columns(want.Centers, got.Centers)
	if err != nil {
		return math.Inf(1), math.Inf(1)
	}
	got = got.Reorder(match)
	return MatDiff(got.Centers, want.Centers), MaxDiff(got.Weights, want.Weights)
}

// Simplex returns k positive numbers that add up to one, none below floor/k.
func Simplex(r *rand.Rand, k int, floor float64) []float64 {
	w := make([]float64, k)
	sum := 0.0
	for j := range w {
		w[j] = r.ExpFloat64()
		sum += w[j]
	}
	for j := range w {
		w[j] = floor/float64(k) + (1-floor)*w[j]/sum
	}
	return w
}

// Uniform returns an r×c matrix of independent numbers between lo and hi.
func Uniform(r *rand.Rand, rows, cols int, lo, hi float64) *mat.Dense {
	m := mat.NewDense(rows, cols, nil)
	m.Apply(func(_, _ int, _ float64) float64 { return lo + (hi-lo)*r.Float64() }, m)
	return m
}

// Params returns random parameters of k components over d features: centers
// between lo and hi, weights no smaller than half the mean.
func Params(r *rand.Rand, d, k int, lo, hi float64) mixture.Params {
	return mixture.New(Uniform(r, d, k, lo, hi), Simplex(r, k, 0.5))
}

// Topics returns random parameters whose centers are distributions over the d
// features.
func Topics(r *rand.Rand, d, k int) mixture.Params {
	m := mat.NewDense(d, k, nil)
	for j := range k {
		m.SetCol(j, Simplex(r, d, 0.05))
	}
	return mixture.New(m, Simplex(r, k, 0.5))
}

// Data returns the path of a file or folder of real data, given by its path
// elements under $MOIETY_DATA or ../shared/data beside the repository, and
// skips the test when it is missing.
func Data(t testing.TB, elem ...string) string {
	t.Helper()
	name := filepath.Join(elem...)
	base := os.Getenv("MOIETY_DATA")
	if base == "" {
		base = filepath.Join(root(t), "..", "shared", "data")
	}
	path := filepath.Join(base, name)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("real data %s not found; set MOIETY_DATA to the folder that holds it", filepath.ToSlash(name))
	}
	return path
}

// root returns the folder of go.mod above the test.
func root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Fatal("no go.mod above the test")
		}
		dir = up
	}
}
