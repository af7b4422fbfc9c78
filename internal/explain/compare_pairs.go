package explain

import (
	"math"

	"github.com/moiety-go/moiety/report"
)

// pairs fills in the pairs and the groups that are left alone.
func (c *comparer) pairs(match []int) {
	partner := make([]int, len(c.out.B.Groups)) // in A, from 1; 0 for none
	stayed, known := 0, c.flows != nil
	for i, j := range match {
		if j < 0 {
			c.out.AloneA = append(c.out.AloneA, c.alone(0, i))
			continue
		}
		partner[j] = i + 1
		p := c.pair(i, j)
		if n, ok := p.Both.Value(); ok {
			stayed += n
		} else {
			known = false
		}
		c.out.Pairs = append(c.out.Pairs, p)
	}
	for j, i := range partner {
		if i == 0 {
			c.out.AloneB = append(c.out.AloneB, c.alone(1, j))
		}
	}
	if n, ok := c.out.Shared.Value(); ok && known && n > 0 {
		c.out.Stayed = report.NumberOf(float64(stayed) / float64(n))
	}
	c.out.Same = c.same(match)
}

// same reports whether every group holds just the records of its partner.
func (c *comparer) same(match []int) bool {
	f := c.flows
	if f == nil || f.ka != f.kb || f.roundedCells != nil { // that not one record moved is not shared
		return false
	}
	for i, j := range match {
		if j < 0 || f.x[i][j] != f.size[0][i] || f.x[i][j] != f.size[1][j] {
			return false
		}
	}
	return true
}

func (c *comparer) pair(i, j int) report.Pair {
	p := report.Pair{A: c.out.A.Groups[i], B: c.out.B.Groups[j], Out: []report.Flow{}, In: []report.Flow{}, Features: c.changes(i, j)}
	f := c.flows
	if f == nil {
		// Two digits, as for neighbours in a report.
		p.Distance = report.NumberOf(math.Round(c.distance.At(i, j)*100) / 100)
		return p
	}
	p.Both = f.count(i, j)
	if n, ok := p.Both.Value(); ok {
		p.Kept, p.Known = shareOf(n, p.A.N), shareOf(n, p.B.N)
		if !p.Kept.Masked() && !p.Known.Masked() {
			p.Overlap = report.NumberOf(f.overlap(i, j))
			if f.roundedCells != nil {
				p.Overlap = report.NumberOf(float64(n) / float64(max(p.A.N.Or(0)+p.B.N.Or(0)-n, 1)))
			}
		}
	} else {
		p.Like = f.like(i, j)
	}
	p.Out, p.In = c.list(0, i, j), c.list(1, j, i)
	p.Withheld = f.hides(0, i, j) || f.hides(1, j, i)
	return p
}

func shareOf(n int, of report.Count) report.Number {
	all, ok := of.Value()
	if !ok || all == 0 {
		return report.Number{}
	}
	return report.NumberOf(float64(n) / float64(all))
}

// alone tells a group without a partner.
func (c *comparer) alone(side, i int) report.Alone {
	own, other := c.out.A.Groups, c.out.B.Groups
	if side == 1 {
		own, other = other, own
	}
	out, f := report.Alone{Group: own[i], Flows: []report.Flow{}}, c.flows
	if f == nil {
		return out
	}
	out.Flows, out.Withheld = c.list(side, i, -1), f.hides(side, i, -1)
	best := 0
	for j := range other {
		if f.at(side, i, j) > f.at(side, i, best) {
			best = j
		}
	}
	at := [2]int{i, best}
	if side == 1 {
		at = [2]int{best, i}
	}
	if !f.open(at[0], at[1]) && f.size[side][i] <= f.size[1-side][best] {
		if out.Like = f.like(at[0], at[1]); out.Like != "" {
			out.In = other[best].ID
		}
	}
	return out
}

// hides reports whether a cell of a row or column, but for one, is closed. It
// says so of zeros too, and so tells nothing of them.
func (f *flows) hides(side, i, but int) bool {
	if f.roundedCells != nil {
		return true
	}
	if !f.closed[side][i] {
		return false
	}
	for j, closed := range f.closed[1-side] {
		if closed && j != but {
			return true
		}
	}
	return false
}

// read returns a cell of row i, or of column i where side is 1, as it may be
// read.
func (f *flows) read(side, i, j int) report.Count {
	if side == 1 {
		return f.count(j, i)
	}
	return f.count(i, j)
}

// list returns the moves from a group of A (side 0), or to one of B, of which at
// least leastFlow of the group made, but for those that stayed with its partner.
func (c *comparer) list(side, i, partner int) []report.Flow {
	f, other, own := c.flows, c.out.B.Groups, c.out.A.Groups
	if side == 1 {
		other, own = own, other
	}
	out := []report.Flow{}
	for j := range f.closed[1-side] {
		n, open := f.read(side, i, j).Value()
		if j == partner || !open || n == 0 {
			continue
		}
		share := shareOf(n, own[i].N)
		if v, ok := share.Value(); ok && v < leastFlow {
			continue
		}
		flow := report.Flow{N: report.CountOf(n), Share: share}
		if j < len(other) {
			flow.Group, flow.Name = other[j].ID, other[j].Name
		}
		out = append(out, flow)
	}
	falling(out, func(x report.Flow) float64 { return float64(x.N.Or(0)) })
	return out
}
