package stream

import (
	"math"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
)

// Every place of a run is drawn equally often, also in runs that come round
// with any small period.
func TestOneOf(t *testing.T) {
	const n, runs = 12, 24000
	for _, period := range []int{1, 2, 3, 4, 6, 12} {
		seen := make([]int, n)
		for i := 0; i < runs; i += period {
			at := OneOf(i, n)
			if at < 0 || at >= n {
				t.Fatalf("record %d of %d", at, n)
			}
			seen[at]++
		}
		want := runs / period / n
		for at, c := range seen {
			if c < want*7/10 || c > want*13/10 { // nearly four standard deviations of the rarest
				t.Errorf("period %d: place %d drawn %d times, want about %d", period, at, c, want)
			}
		}
	}
	if OneOf(7, 1) != 0 {
		t.Error("a run of one record")
	}
}

// Every number is drawn equally often, none twice, in rising order.
func TestSome(t *testing.T) {
	const n, k, times = 20, 7, 4000
	r, seen := New(3, "some"), make([]int, n)
	for range times {
		last := -1
		list := Some(r, n, k)
		if len(list) != k {
			t.Fatalf("%d numbers, want %d", len(list), k)
		}
		for _, v := range list {
			if v <= last || v >= n {
				t.Fatalf("drawn %v", list)
			}
			last = v
			seen[v]++
		}
	}
	for v, c := range seen {
		if want := times * k / n; c < want*9/10 || c > want*11/10 {
			t.Errorf("%d was drawn %d times, want about %d", v, c, want)
		}
	}
	if list := Some(r, 3, 9); len(list) != 3 {
		t.Errorf("of three: %v", list)
	}
}

// Successes of few trials come as often as by the formula.
func TestBinomial(t *testing.T) {
	const n, p, draws = 40, .3, 200000
	r, seen := New(1, "test/binomial"), make([]float64, n+1)
	for range draws {
		seen[int(Binomial(r, n, p))]++
	}
	chance, chi := math.Pow(1-p, n), 0.0
	for k := range n {
		if want := draws * chance; want > 5 {
			chi += (seen[k] - want) * (seen[k] - want) / want
		}
		chance *= float64(n-k) / float64(k+1) * p / (1 - p)
	}
	if chi > 49 { // of some 24 kinds: once in a thousand times
		t.Errorf("chi-square %.1f", chi)
	}
}

// Trials of any number are made at once, and their successes lie where they should.
func TestBinomialOfMany(t *testing.T) {
	r := New(2, "test/binomial")
	for _, n := range []float64{0, 1, 1e3, 1e9, 1e15, 1e30, math.MaxFloat32} {
		sum, squares := 0.0, 0.0
		const draws = 2000
		for range draws {
			v := Binomial(r, n, .5)
			if v < 0 || v > n || v != math.Floor(v) {
				t.Fatalf("%v of %v trials", v, n)
			}
			off := (v - n/2) / max(math.Sqrt(n)/2, n*1e-15)
			sum, squares = sum+off/draws, squares+off*off/draws
		}
		if n > 0 && n < 1e30 && (numtest.Off(sum, 0, .1) || numtest.Off(squares, 1, .15)) { // 4.5 errors
			t.Errorf("%v trials: mean %.3f, variance %.3f, want 0 and 1", n, sum, squares)
		}
	}
}
