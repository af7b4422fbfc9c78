package verdict

import (
	"cmp"
	"math"
	"slices"

	"github.com/moiety-go/moiety/internal/kernel"
)

// valley is what records say of the empty place between the two sides of a
// split: two heaps along a line against the nearest density with one.
type valley struct {
	Evidence
	depth float64 // density at the border over that of the lower top; 1 where there is no border
}

const (
	valleyGrid    = 401  // places at which densities are compared
	valleyFew     = 600  // records below which there are ten folds, above four
	valleyOrder   = 4    // most heaps of the density along the line
	valleySteps   = 20   // of its EM, at most
	valleySettled = 1e-4 // of the spread of all records: what a step moves a heap by that has settled
	valleyRecords = 8    // below which nothing can be said
	anywhere      = .05  // of the records may lie anywhere, also between two heaps
)

// across looks for a valley between the two sides of a split. at is the place of
// every record along a line that was found without the record, upper says on
// which side it lies; the upper side has the larger places. Every record is
// judged by a density that did not see it: the sum over records of log f/g, f
// the density of the others and g the nearest one to it without the valley.
// A gap inside one side does not count.
func across(at []float64, upper []bool, seed uint64) valley {
	return acrossOver(at, upper, 0, seed)
}

// gapless reports that the valley between the two sides is no deeper than limit; it looks
// at as many parts as decide that.
func (r *ranks) gapless(limit float64, seed uint64) bool {
	return r.over(0, seed, func(depth []float64, folds int) bool {
		above := 0
		for _, d := range depth {
			above += boolInt(d >= limit)
		}
		return max(above, len(depth)-above) > folds/2
	}).depth >= limit
}

// acrossOver is across for places at which chance alone spreads equal records by
// floor: no heap is taken to be narrower, so that places of which there are few
// are no heaps.
func acrossOver(at []float64, upper []bool, floor float64, seed uint64) valley {
	return inOrder(at, upper).over(floor, seed, func([]float64, int) bool { return false })
}

// over is acrossOver until the depths so far, of so many folds, are enough.
func (r *ranks) over(floor float64, seed uint64, enough func(depth []float64, folds int) bool) valley {
	none := valley{depth: 1}
	n := len(r.at)
	lower, higher := r.sides()
	if n < valleyRecords || len(lower) < 2 || len(higher) < 2 || !(quantile(higher, .5) > quantile(lower, .5)) {
		return none
	}
	g := newGrid(r.at, lower, higher)
	folds := 10
	if n >= valleyFew {
		folds = 4
	}
	gain, depth := make([]float64, n), make([]float64, 0, folds)
	at := make([]float64, n) // by record
	for i, row := range r.row {
		at[row] = r.at[i]
	}
	order, bySide := 0, false
	for _, part := range partition(n, folds, seed, "verdict/valley") {
		if enough(depth, folds) {
			break
		}
		train := r.without(part)
		if up := count(train.upper); up < 2 || len(train.upper)-up < 2 {
			depth = append(depth, 1)
			continue
		}
		var l *line
		if order == 0 {
			l, order, bySide = train.order(floor)
		} else {
			l = train.fit(order, bySide, floor)
		}
		ratio, d := g.ratio(l)
		depth = append(depth, d)
		if ratio == nil {
			continue
		}
		for _, i := range part {
			gain[i] = g.read(ratio, at[i])
		}
	}
	sum, square := 0.0, 0.0
	for _, v := range gain {
		sum += v
	}
	for _, v := range gain {
		square += (v - sum/float64(n)) * (v - sum/float64(n))
	}
	slices.Sort(depth)
	return valley{Evidence{sum, math.Sqrt(square)}, quantile(depth, .5)}
}

// ranks are records in their order along a line.
type ranks struct {
	at    []float64
	upper []bool
	row   []int // number of the record
}

// inOrder sorts records by their places, once for all that is asked of them.
func inOrder(at []float64, upper []bool) *ranks {
	type placed struct {
		at  float64
		row int
	}
	list := make([]placed, len(at))
	for i, v := range at {
		list[i] = placed{v, i}
	}
	slices.SortFunc(list, func(a, b placed) int { return cmp.Compare(a.at, b.at) })
	out := &ranks{make([]float64, len(at)), make([]bool, len(at)), make([]int, len(at))}
	for i, p := range list {
		out.at[i], out.upper[i], out.row[i] = p.at, upper[p.row], p.row
	}
	return out
}

// sides returns the places of either side.
func (r *ranks) sides() (lower, higher []float64) {
	up := count(r.upper)
	lower, higher = make([]float64, 0, len(r.at)-up), make([]float64, 0, up)
	for i, v := range r.at {
		if r.upper[i] {
			higher = append(higher, v)
		} else {
			lower = append(lower, v)
		}
	}
	return lower, higher
}

// without returns the records outside a part.
func (r *ranks) without(part []int) *ranks {
	out := make([]bool, len(r.at))
	for _, i := range part {
		out[i] = true
	}
	n := len(r.at) - len(part)
	at, upper, rows := make([]float64, 0, n), make([]bool, 0, n), make([]int, 0, n)
	for i, row := range r.row {
		if !out[row] {
			at, upper, rows = append(at, r.at[i]), append(upper, r.upper[i]), append(rows, row)
		}
	}
	return &ranks{at, upper, rows}
}

func count(list []bool) (n int) {
	for _, v := range list {
		if v {
			n++
		}
	}
	return n
}

// quantile is that of a sorted list, between its values.
func quantile(sorted []float64, p float64) float64 {
	x := p * float64(len(sorted)-1)
	i := int(x)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (x-float64(i))*(sorted[i+1]-sorted[i])
}

// grid are the places at which densities along a line are compared, and those
// between the bulks of the sides, where the border must lie.
type grid struct {
	from, step float64
	first      int
	last       int
}

// newGrid spans sorted places of two sides.
func newGrid(all, lower, higher []float64) grid {
	const tail, bulk, margin = .002, .1, .1
	lo, hi := quantile(all, tail), quantile(all, 1-tail)
	pad := margin*(hi-lo) + 1e-9
	g := grid{from: lo - pad, step: (hi - lo + 2*pad) / (valleyGrid - 1)}
	a, b := quantile(lower, 1-bulk), quantile(higher, bulk)
	a, b = min(a, b), max(a, b)
	g.first = min(max(int((a-g.from)/g.step), 0), valleyGrid-1)
	g.last = min(max(int((b-g.from)/g.step)+1, g.first), valleyGrid-1)
	return g
}

// read returns the value of a table over the grid at a place, 0 outside it.
func (g grid) read(table []float64, at float64) float64 {
	x := (at - g.from) / g.step
	if !(x >= 0) || x >= valleyGrid-1 {
		return 0
	}
	i := int(x)
	return table[i] + (x-float64(i))*(table[i+1]-table[i])
}

// ratio returns log f/g over the grid, and how deep the valley is; nil where
// there is none.
func (g grid) ratio(line *line) (ratio []float64, depth float64) {
	f := make([]float64, valleyGrid)
	line.densities(f, g.from, g.step)
	for i := range f {
		f[i] += 1e-12
	}
	border := g.first
	for i := g.first; i <= g.last; i++ {
		if f[i] < f[border] {
			border = i
		}
	}
	full, a, b := bridged(f, g.first, border, g.last)
	if full == nil {
		return nil, 1
	}
	for i := range full {
		full[i] = (1-anywhere)*f[i]/full[i] + anywhere
	}
	kernel.Logs(full)
	return full, f[border] / min(f[a], f[b])
}

// bridged returns the nearest density to f without the valley at the border, and
// the tops a and b on its sides: f made to rise up to b, or to fall from a on,
// whichever is nearer in Kullback–Leibler divergence. It is nil without a valley.
// The border lies between first and last, and so may a few records of their own, as
// people of both descents do: a top in between is that of neither side.
func bridged(f []float64, first, border, last int) (full []float64, a, b int) {
	n := len(f)
	if border <= 0 || border >= n-1 {
		return nil, 0, 0
	}
	a, b = topFrom(f, border, -1, first), topFrom(f, border, 1, last)
	const flat = .999
	if a == border || b == border || f[border] >= flat*min(f[a], f[b]) {
		return nil, 0, 0
	}
	left, right := a, b // feet
	for left > 0 && f[left-1] <= f[left] {
		left--
	}
	for right < n-1 && f[right+1] <= f[right] {
		right++
	}
	rising, falling := slices.Clone(f), slices.Clone(f)
	monotone(rising[left : b+1])
	slices.Reverse(falling[a : right+1])
	monotone(falling[a : right+1])
	slices.Reverse(falling[a : right+1])
	if divergence(f, rising) <= divergence(f, falling) {
		return rising, a, b
	}
	return falling, a, b
}

// topFrom is the first top on one side of the border that lies at the end of the stretch
// between the sides or beyond; before it, the highest. Nothing on the way is lower than the
// border: that would be a gap inside the side.
func topFrom(f []float64, border, step, end int) int {
	top := border
	for at := border; ; {
		for at+step >= 0 && at+step < len(f) && f[at+step] >= f[at] {
			at += step
		}
		if f[at] > f[top] {
			top = at
		}
		if (at-end)*step >= 0 {
			return top
		}
		for at+step >= 0 && at+step < len(f) && f[at+step] < f[at] {
			at += step
		}
		if f[at] < f[border] || at+step < 0 || at+step >= len(f) {
			return top
		}
	}
}

func divergence(f, g []float64) (sum float64) {
	ratio := make([]float64, len(f))
	for i, v := range f {
		ratio[i] = v / g[i]
	}
	kernel.Logs(ratio)
	for i, v := range f {
		sum += v * ratio[i]
	}
	return sum
}

// monotone replaces y by the nearest rising list, in least squares: adjacent
// violators are pooled.
func monotone(y []float64) {
	type pool struct {
		sum float64
		n   int
	}
	var pools []pool
	for _, v := range y {
		pools = append(pools, pool{v, 1})
		for len(pools) > 1 {
			p, q := pools[len(pools)-2], pools[len(pools)-1]
			if p.sum*float64(q.n) <= q.sum*float64(p.n) {
				break
			}
			pools = append(pools[:len(pools)-2], pool{p.sum + q.sum, p.n + q.n})
		}
	}
	i := 0
	for _, p := range pools {
		for range p.n {
			y[i] = p.sum / float64(p.n)
			i++
		}
	}
}
