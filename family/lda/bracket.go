package lda

import (
	"math"
	"slices"
)

// bracket holds the places at which a smooth function of one number was
// measured, in order, and says where to look next for its least value.
type bracket struct{ x, f []float64 }

// add keeps f(x) = v.
func (b *bracket) add(x, v float64) {
	at, _ := slices.BinarySearch(b.x, x)
	b.x, b.f = slices.Insert(b.x, at, x), slices.Insert(b.f, at, v)
}

// best returns the place of the least value, or -1 where none is finite.
func (b *bracket) best() int {
	at := -1
	for i, v := range b.f {
		if !math.IsInf(v, 1) && !math.IsNaN(v) && (at < 0 || v < b.f[at]) {
			at = i
		}
	}
	return at
}

// next returns where to look next: the lowest point of the parabola through
// the best place and its neighbours, or the middle of the longer side where
// that is not between them; ok is false when the best place is known to logTol,
// or lies below the floor, where it does not matter.
func (b *bracket) next() (x float64, ok bool) {
	at, last := b.best(), len(b.x)-1
	switch {
	case at == 0:
		return (b.x[0] + b.x[1]) / 2, b.x[1] > math.Log(leastAlpha0) && b.x[1]-b.x[0] > 2*logTol
	case at == last:
		return (b.x[last-1] + b.x[last]) / 2, b.x[last]-b.x[last-1] > 2*logTol
	}
	lo, mid, hi := b.x[at-1], b.x[at], b.x[at+1]
	if hi-lo <= 4*logTol {
		return 0, false
	}
	x = (lo + mid) / 2
	if hi-mid > mid-lo {
		x = (mid + hi) / 2
	}
	if slope, bend := b.parabola(at); bend > 0 {
		if low := mid - slope/(2*bend); low > lo && low < hi {
			x = low
		}
	}
	// A step that is too short for the tolerance closes the longer side in.
	if math.Abs(x-mid) < logTol {
		if x = mid + logTol; hi-mid < mid-lo {
			x = mid - logTol
		}
	}
	return x, true
}

// parabola returns slope and bend of f(x) = f_at + slope·(x−x_at) + bend·(x−x_at)²
// through the place and its neighbours; the bend is NaN or infinite where one
// of the values is.
func (b *bracket) parabola(at int) (slope, bend float64) {
	l, r := b.x[at-1]-b.x[at], b.x[at+1]-b.x[at]
	fl, fr := (b.f[at-1]-b.f[at])/l, (b.f[at+1]-b.f[at])/r
	bend = (fr - fl) / (r - l)
	return fl - bend*l, bend
}

// reach returns the place right of the best at which the parabola there
// reaches the limit; NaN where it does not.
func (b *bracket) reach(at int, limit float64) float64 {
	if at == 0 || at == len(b.x)-1 {
		return math.NaN()
	}
	slope, bend := b.parabola(at)
	over := limit - b.f[at]
	return b.x[at] + (-slope+math.Sqrt(slope*slope+4*bend*over))/(2*bend)
}
