package lda

import (
	"math"
	"slices"
)

// bracket holds the places at which a smooth function of one number was
// measured, in order, and says where to look next for its least value.
type bracket struct{ x, f []float64 }

// add keeps f(x) = v and returns its place.
func (b *bracket) add(x, v float64) int {
	at, _ := slices.BinarySearch(b.x, x)
	b.x, b.f = slices.Insert(b.x, at, x), slices.Insert(b.f, at, v)
	return at
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

// rises returns how many of the last places, in a row, are worse than the one
// before them; two where the last is infinite.
func (b *bracket) rises() int {
	last := len(b.f) - 1
	if math.IsInf(b.f[last], 1) {
		return 2
	}
	n := 0
	for i := last; i > 0 && b.f[i] > b.f[i-1]; i-- {
		n++
	}
	return n
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
	low := b.lowest(at)
	switch {
	case !(low > lo && low < hi): // also where it is NaN
		return b.longer(at, math.Max(hi-mid, mid-lo)/2), true
	case math.Abs(low-mid) >= logTol:
		return low, true
	case math.Min(hi-mid, mid-lo) <= closeBy:
		return 0, false
	}
	return b.longer(at, closeBy/2), true
}

// longer returns the place so far from the given one on the side where its
// neighbour is further.
func (b *bracket) longer(at int, step float64) float64 {
	if b.x[at+1]-b.x[at] > b.x[at]-b.x[at-1] {
		return b.x[at] + step
	}
	return b.x[at] - step
}

// parabola returns slope and bend of f = f_at + slope·u + bend·u² with
// u = exp(x) − exp(x_at) through the place and its neighbours; the bend is NaN
// or infinite where one of the values is. The criterion is more nearly a
// parabola in α0 than in its logarithm, in which it is steeper to the right.
func (b *bracket) parabola(at int) (slope, bend float64) {
	mid := math.Exp(b.x[at])
	l, r := math.Exp(b.x[at-1])-mid, math.Exp(b.x[at+1])-mid
	fl, fr := (b.f[at-1]-b.f[at])/l, (b.f[at+1]-b.f[at])/r
	bend = (fr - fl) / (r - l)
	return fl - bend*l, bend
}

// lowest returns the place of the lowest point of the parabola; NaN where it
// has none.
func (b *bracket) lowest(at int) float64 {
	slope, bend := b.parabola(at)
	if !(bend > 0) {
		return math.NaN()
	}
	return math.Log(math.Exp(b.x[at]) - slope/(2*bend))
}

// reach returns the place right of the best at which the parabola there
// reaches the limit; NaN where it does not.
func (b *bracket) reach(at int, limit float64) float64 {
	if at == 0 || at == len(b.x)-1 {
		return math.NaN()
	}
	slope, bend := b.parabola(at)
	over := limit - b.f[at]
	return math.Log(math.Exp(b.x[at]) + (-slope+math.Sqrt(slope*slope+4*bend*over))/(2*bend))
}

// nearest returns the place of the measurement nearest to x.
func (b *bracket) nearest(x float64) int {
	at := 0
	for i, v := range b.x {
		if math.Abs(v-x) < math.Abs(b.x[at]-x) {
			at = i
		}
	}
	return at
}
