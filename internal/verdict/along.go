package verdict

import (
	"math"

	"github.com/moiety-go/moiety/internal/normals"
)

// What the verdict of measurements asks of records that lie at several places: sums of
// rows, starts that no row is, and places along a line, counted in stretches.

// over returns a table whose sums are those of all places.
func (a *strand) over(t normals.Table) normals.Table {
	t.Total = nil
	if a != nil {
		t.Total = a.add
	}
	return t
}

// centersTried is the number of cuts that are taken to their end.
const centersTried = 4

// centers returns k centers of round clouds, from those of fewer (nil: from one): again
// and again the cut that leaves rows nearest to their centers.
func (a *strand) centers(t normals.Table, from []float64, k int) []float64 {
	for len(from) < k*t.D {
		ways := normals.Cut(a.over(t), from, centersTried)
		if len(ways) == 0 { // no two rows differ
			for len(from) < k*t.D {
				from = append(from, from[:t.D]...)
			}
			return from
		}
		left := make([]float64, len(ways))
		a.each(len(ways), func(i int, own *strand) { left[i] = normals.Lloyd(own.over(t), ways[i]) })
		best := 0
		for i, v := range left {
			if v < left[best] {
				best = i
			}
		}
		from = ways[best]
	}
	return from
}

// Stretches in which places are counted: first over so many deviations to either side,
// then over what nearly all records of either side fill.
const (
	stretches    = 256
	stretchReach = 8
	stretchTail  = .001
)

// along returns the places of the records of all places of work along a line, and their
// sides, from how many lie in each stretch of it: spread evenly inside a stretch. What
// lies beyond the last stretch lies in it.
func (a *strand) along(at []float64, upper []bool) ([]float64, []bool) {
	if a == nil {
		return at, upper
	}
	whole := make([]float64, 3)
	for _, v := range at {
		v = tamed(v)
		whole[0]++
		whole[1] += v
		whole[2] += v * v
	}
	a.add(whole)
	n := max(whole[0], 1)
	mean := whole[1] / n
	sd := math.Sqrt(max(whole[2]/n-mean*mean, 0)) + tiny
	count := a.stretched(at, upper, mean-stretchReach*sd, mean+stretchReach*sd)
	both := make([]float64, stretches)
	for i := range both {
		both[i] = count[i] + count[stretches+i]
	}
	lo, hi := bulk(both, stretchTail*whole[0])
	width := 2 * stretchReach * sd / stretches
	from, to := mean-stretchReach*sd+float64(lo)*width, mean-stretchReach*sd+float64(hi+1)*width
	count = a.stretched(at, upper, from, to)
	var places []float64
	var sides []bool
	width = (to - from) / stretches
	for i := range stretches {
		below, above := int(count[i]), int(count[stretches+i])
		for j := range below + above {
			places = append(places, from+(float64(i)+(float64(j)+half)/float64(below+above))*width)
			sides = append(sides, interleaved(j, below, above))
		}
	}
	return places, sides
}

// interleaved reports that record j of a stretch is one above, where those above are
// spread evenly among those below.
func interleaved(j, below, above int) bool {
	n := below + above
	return (j+1)*above/n > j*above/n
}

// tamed keeps a place that is nowhere within reach of a sum.
func tamed(v float64) float64 {
	const farthest = 1e6
	if v != v {
		return 0
	}
	return min(max(v, -farthest), farthest)
}

// stretched counts the records of all places in every stretch: those below, then those
// above.
func (a *strand) stretched(at []float64, upper []bool, from, to float64) []float64 {
	out := make([]float64, 2*stretches)
	for i, v := range at {
		s := min(max(int((tamed(v)-from)/(to-from)*stretches), 0), stretches-1)
		if upper[i] {
			s += stretches
		}
		out[s]++
	}
	a.add(out)
	return out
}

// bulk returns the first and the last stretch, with no more than so many records beyond
// either.
func bulk(count []float64, tail float64) (lo, hi int) {
	sum := 0.0
	for lo = 0; lo < len(count)-1; lo++ {
		if sum += count[lo]; sum > tail {
			break
		}
	}
	sum = 0
	for hi = len(count) - 1; hi > lo; hi-- {
		if sum += count[hi]; sum > tail {
			break
		}
	}
	return lo, hi
}
