package explain_test

import (
	"math"
	"testing"

	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/report"
)

// sharedAttack gathers all that a shared comparison tells: cells, sizes, totals,
// strangers and moves, each with the range of what is rounded to it. Atoms are the
// cells, row by row, strangers last.
func sharedAttack(c crossing, got *report.Comparison) *system {
	s := &system{atoms: (c.ka + 1) * (c.kb + 1)}
	learn := func(n report.Count, of func(unit, n int) (float64, float64), set func(i, j int) bool) {
		v, known := n.Value()
		if !known {
			return
		}
		var atoms []int
		for i := range c.ka + 1 {
			for j := range c.kb + 1 {
				if set(i, j) {
					atoms = append(atoms, i*(c.kb+1)+j)
				}
			}
		}
		low, high := of(got.Rounded, v)
		s.learn(atoms, low, high)
	}
	size, count := explain.RangeOfSize, explain.RangeOfCount
	s.learn([]int{s.atoms - 1}, 0, 0) // who is in neither
	for i := range got.Table {
		for j := range got.Table[i] {
			learn(got.Table[i][j], count, func(p, q int) bool { return p == i && q == j })
		}
	}
	for i, g := range got.A.Groups {
		learn(g.N, size, func(p, _ int) bool { return p == i })
	}
	for j, g := range got.B.Groups {
		learn(g.N, size, func(_, q int) bool { return q == j })
	}
	learn(got.A.Records, size, func(p, _ int) bool { return p < c.ka })
	learn(got.B.Records, size, func(_, q int) bool { return q < c.kb })
	learn(got.Shared, size, func(p, q int) bool { return p < c.ka && q < c.kb })
	learn(got.OnlyA, count, func(_, q int) bool { return q == c.kb })
	learn(got.OnlyB, count, func(p, _ int) bool { return p == c.ka })
	place := func(list []report.GroupRef, id string) int {
		for i, g := range list {
			if g.ID == id {
				return i
			}
		}
		return len(list)
	}
	row := func(id string, list []report.Flow) {
		i := place(got.A.Groups, id)
		for _, f := range list {
			j := place(got.B.Groups, f.Group)
			learn(f.N, count, func(p, q int) bool { return p == i && q == j })
		}
	}
	col := func(id string, list []report.Flow) {
		j := place(got.B.Groups, id)
		for _, f := range list {
			i := place(got.A.Groups, f.Group)
			learn(f.N, count, func(p, q int) bool { return p == i && q == j })
		}
	}
	for _, p := range got.Pairs {
		learn(p.Both, count, func(i, j int) bool { return i == place(got.A.Groups, p.A.ID) && j == place(got.B.Groups, p.B.ID) })
		row(p.A.ID, p.Out)
		col(p.B.ID, p.In)
	}
	for _, x := range got.AloneA {
		row(x.Group.ID, x.Flows)
	}
	for _, x := range got.AloneB {
		col(x.Group.ID, x.Flows)
	}
	return s
}

// TestCompareShareAttacker: from everything that a shared comparison tells, with
// its rounding, no cell of 1 to limit-1 records is known to less than the limit,
// nor are the strangers of either side.
func TestCompareShareAttacker(t *testing.T) {
	r := stream.New(2, "test/compare-share")
	protected, shown := 0, 0
	rounds := numtest.Scale(40, 400, 4000)
	for range rounds {
		c := randomCrossingOf(t, r, report.Settings{Health: true, Share: true})
		if len(c.a.Outcome.Group) == 0 || len(c.b.Outcome.Group) == 0 {
			continue
		}
		got := compare(t, c.a, c.b, report.CompareSettings{})
		if got.Ring != report.Shared || got.Rounded == 0 {
			t.Fatalf("the comparison is not shared: %q, rounded to %d", got.Ring, got.Rounded)
		}
		if got.Matched != report.ByID {
			continue
		}
		noSmallNumber(t, got)
		s := sharedAttack(c, got)
		shown += len(s.rows)
		for i := range c.x {
			for j, x := range c.x[i] {
				if x == 0 || x >= limit {
					continue
				}
				protected++
				low, high := s.bounds(t, []int{i*(c.kb+1) + j})
				if float64(x) < low-1e-6 || float64(x) > high+1e-6 {
					t.Fatalf("cell %d,%d of %v: %d is not between %v and %v: the attacker is wrong", i, j, c.x, x, low, high)
				}
				if high-low < limit-1e-6 {
					t.Fatalf("cell %d,%d of %v: the %d records are known to be %.1f to %.1f\n%+v", i, j, c.x, x, low, high, got.Table)
				}
			}
		}
	}
	if protected < rounds || shown < 4*rounds {
		t.Errorf("%d counts to protect, %d numbers shown: the test tests nothing", protected, shown)
	}
	t.Logf("count: %d small counts of shared comparisons that an attacker does not find among %d numbers", protected, shown)
}

// TestCompareShareAttackerCan: of a comparison that withholds nothing he finds
// every cell.
func TestCompareShareAttackerCan(t *testing.T) {
	numtest.NotShort(t)
	r := stream.New(3, "test/compare-share")
	for range numtest.Scale(3, 8, 20) {
		c := randomCrossingOf(t, r, report.Settings{MinCell: -1})
		if len(c.a.Outcome.Group) == 0 || len(c.b.Outcome.Group) == 0 {
			continue
		}
		got := compare(t, c.a, c.b, report.CompareSettings{})
		if got.Matched != report.ByID {
			continue
		}
		s := sharedAttack(c, got)
		for i := range c.ka {
			for j := range c.kb {
				if low, high := s.bounds(t, []int{i*(c.kb+1) + j}); math.Abs(low-float64(c.x[i][j]))+math.Abs(high-float64(c.x[i][j])) > 1e-6 {
					t.Fatalf("cell %d,%d of %v is known to be %v to %v", i, j, c.x, low, high)
				}
			}
		}
	}
}
