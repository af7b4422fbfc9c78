package division

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// What admits a number of groups, and a division.
const (
	errors = 2   // standard errors of the gain
	nats   = 5   // of the gain
	near   = .05 // scores that are as good as the best
	floor  = .5  // score below which there is one group
)

// Numbers are the numbers of groups that are tried for n records.
func Numbers(n int) (out []int) {
	for _, k := range []int{2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20} {
		if k <= n/(2*Smallest) && (k <= 12 || n >= 1500) {
			out = append(out, k)
		}
	}
	return out
}

// Segments returns the most useful division of a sample, or nil where one group is as good:
// of those whose scores are near the best, the one with most groups.
func Segments(ctx context.Context, s *Sample, o Settings) (*Division, error) {
	list, err := Pool(ctx, s, Numbers(s.n), o)
	if err != nil {
		return nil, err
	}
	return s.chosen(admitted(list)), nil
}

// admitted returns the divisions into numbers of groups that some fit predicts records with
// clearly better than any single population does.
func admitted(list []*Division) (out []*Division) {
	clear := map[int]bool{}
	for _, d := range list {
		clear[d.Groups] = clear[d.Groups] || d.gains()
	}
	for _, d := range list {
		if clear[d.Groups] && d.Size >= Smallest {
			out = append(out, d)
		}
	}
	return out
}

// Gains reports that some division of a pool predicts records clearly better than any single
// population does.
func Gains(list []*Division) bool {
	return slices.ContainsFunc(list, func(d *Division) bool { return d.gains() })
}

func (d *Division) gains() bool { return d.Gain >= nats && d.Gain >= errors*d.Error }

// chosen is the division to show; nil for none.
func (s *Sample) chosen(list []*Division) *Division {
	for {
		top := 0.0
		for _, d := range list {
			top = max(top, d.Score())
		}
		var best *Division
		for _, d := range list {
			if d.Score() >= max(top-near, floor) && (best == nil || d.Groups > best.Groups || d.Groups == best.Groups && d.Score() > best.Score()) {
				best = d
			}
		}
		if best == nil || !s.oneColumn(best) {
			return best
		}
		list = slices.DeleteFunc(slices.Clone(list), func(d *Division) bool { return d == best })
	}
}

const (
	neighbours = 10   // records that tell the group of another
	twins      = .999 // correlation of columns that say the same
	half       = .5   // agreement of a division with what columns tell of it, from which on they tell it
)

// oneColumn reports that one column tells a division and the others together do not; two columns
// need each other.
func (s *Sample) oneColumn(d *Division) bool {
	t := s.columns
	if t.D < 3 {
		return false
	}
	by := make([]float64, t.D)
	for h := range by {
		by[h] = ari(d.Label, s.toldBy(h, d))
	}
	most := largest(by)
	if by[most] < half {
		return false
	}
	var others []int
	for c := range t.D {
		if c != most && math.Abs(s.correlation(most, c)) < twins {
			others = append(others, c)
		}
	}
	return len(others) > 0 && ari(d.Label, s.toldByAll(others, d)) < half
}

// toldBy is the group of most of the nearest records in one column.
func (s *Sample) toldBy(h int, d *Division) []int {
	order := make([]int, s.n)
	for i := range order {
		order[i] = i
	}
	at := func(i int) float64 { return s.columns.X[i*s.columns.D+h] }
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(at(a), at(b)) })
	out := make([]int, s.n)
	for place, i := range order {
		votes := make([]float64, d.Groups)
		for p := max(0, place-neighbours/2); p <= min(s.n-1, place+neighbours/2); p++ {
			if p != place {
				votes[d.Label[order[p]]]++
			}
		}
		out[i] = largest(votes)
	}
	return out
}

// toldByAll is the group of most of the nearest records in several columns.
func (s *Sample) toldByAll(columns []int, d *Division) []int {
	out := make([]int, s.n)
	type near struct {
		i   int
		far float64
	}
	for i := range out {
		var best []near
		for j := range s.n {
			far := 0.0
			for _, c := range columns {
				x := s.columns.X[i*s.columns.D+c] - s.columns.X[j*s.columns.D+c]
				far += x * x
			}
			if j == i || len(best) == neighbours && far >= best[neighbours-1].far {
				continue
			}
			at, _ := slices.BinarySearchFunc(best, far, func(b near, far float64) int { return cmp.Compare(b.far, far) })
			best = slices.Insert(best, at, near{j, far})
			best = best[:min(len(best), neighbours)]
		}
		votes := make([]float64, d.Groups)
		for _, b := range best {
			votes[d.Label[b.i]]++
		}
		out[i] = largest(votes)
	}
	return out
}

// correlation of two columns.
func (s *Sample) correlation(a, b int) float64 {
	t, sum, va, vb := s.columns, 0.0, 0.0, 0.0
	for i := range t.N {
		x, y := t.X[i*t.D+a], t.X[i*t.D+b]
		sum, va, vb = sum+x*y, va+x*x, vb+y*y
	}
	return sum / math.Sqrt(va*vb+math.SmallestNonzeroFloat64)
}

const (
	closed = .2  // gap below which all are alike: groups may lie in one another, and differ in shape
	ahead  = .15 // of the score by which another division is clearly better
)

// Ahead returns the divisions of a pool that are clearly better than that of one method where their
// number of groups is given, the best first; all where the method found none.
func Ahead(list []*Division, method string) (out []*Division) {
	least := math.Inf(-1)
	for _, d := range list {
		if d.Method == method {
			least = d.toldScore() + ahead
		}
	}
	for _, d := range list {
		if d.Method != method && d.Size >= Smallest && d.toldScore() > least {
			out = append(out, d)
		}
	}
	slices.SortStableFunc(out, func(a, b *Division) int { return cmp.Compare(b.toldScore(), a.toldScore()) })
	return out
}

func (d *Division) toldScore() float64 {
	e := *d
	e.Gap = max(d.Gap, closed)
	return e.Score()
}
