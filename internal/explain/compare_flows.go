package explain

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/report"
)

// flows is the table of the records by their groups in A and in B, unmasked: it
// never leaves the package. Row ka holds the records that are only in B, column
// kb those that are only in A.
//
// Small cells. The sizes of the groups are in the reports, so that rows and
// columns have known sums. Cells are closed as a rectangle: those whose row and
// whose column are both closed, zeros among them too. Of a closed rectangle,
// sums of whole rows and of whole columns can be found by subtraction, and
// nothing else (the closed cells, seen as edges between rows and columns, form a
// complete graph, whose only one-sided cuts these are), but for the sum of all
// closed cells of shared records where strangers of both sides are closed: no
// record is only in A and only in B, so that corner is known to be zero, and cuts
// the graph once more. So no count of 1 to limit-1 can be found, neither of one
// cell nor of several together, if none of these sums is one. The rule treats A
// and B alike: comparing B with A tells nothing more. Comparing at several levels
// of a tree is not covered: each comparison is safe by itself.
type flows struct {
	x      [][]int
	ka, kb int
	size   [2][]int  // sizes of the groups, strangers last
	known  [2][]bool // sizes that may be read
	closed [2][]bool // rows, columns
	limit  int
	shared int // records
	// roundedCells holds the cells to be shared, rounded, strangers last; nil where cells
	// are exact.
	roundedCells [][]report.Count
	both         report.Count    // records that both share, where these may be told so
	only         [2]report.Count // records of A alone, and of B
	rounded      rounding
}

// newFlows makes the table ready for the records that both sides share; the
// rest of it follows from these.
func newFlows(c *comparer) *flows {
	f := &flows{ka: len(c.cuts[0].ids), kb: len(c.cuts[1].ids)}
	f.x = table[int](f.ka+1, f.kb+1)
	sides := [2]Side{c.a, c.b}
	for s, k := range []int{f.ka, f.kb} {
		f.size[s], f.known[s], f.closed[s] = make([]int, k+1), make([]bool, k+1), make([]bool, k+1)
		for i, p := range c.cuts[s].place {
			f.known[s][i] = !sides[s].Report.Groups[p].N.Masked()
		}
		for _, g := range sides[s].Outcome.Group {
			f.size[s][c.cuts[s].of[g]]++
		}
	}
	return f
}

// add counts a row of A that is also one of B.
func (f *flows) add(c *comparer, a, b int) {
	f.x[c.cuts[0].of[c.a.Outcome.Group[a]]][c.cuts[1].of[c.b.Outcome.Group[b]]]++
	f.shared++
}

// strangers fills the last row and column.
func (f *flows) strangers() {
	for i := range f.ka {
		f.x[i][f.kb] = f.size[0][i]
		for j := range f.kb {
			f.x[i][f.kb] -= f.x[i][j]
		}
		f.size[1][f.kb] += f.x[i][f.kb]
	}
	for j := range f.kb {
		f.x[f.ka][j] = f.size[1][j]
		for i := range f.ka {
			f.x[f.ka][j] -= f.x[i][j]
		}
		f.size[0][f.ka] += f.x[f.ka][j]
	}
}

// small reports whether a count is below the limit.
func (f *flows) small(n int) bool { return n > 0 && n < f.limit }

// protect closes rows and columns until nothing small can be found.
func (f *flows) protect(limit int) {
	f.limit = limit
	// The difference of the strangers is that of the two numbers of records:
	// where one of them is small, the other would tell it, and so would the
	// number of shared records.
	known := !f.small(f.size[0][f.ka]) && !f.small(f.size[1][f.kb]) && !f.small(f.shared)
	f.known[0][f.ka], f.known[1][f.kb] = known, known
	if limit <= 1 {
		return
	}
	for i, row := range f.x {
		for j, n := range row {
			// A row without a known sum is closed wherever it is not zero.
			if f.small(n) || n > 0 && (!f.known[0][i] || !f.known[1][j]) {
				f.closed[0][i], f.closed[1][j] = true, true
			}
		}
	}
	if !known {
		f.closed[0][f.ka], f.closed[1][f.kb] = true, true
	}
	for f.grow() {
	}
}

// grow closes further rows and columns where the closed cells of a column or a
// row have a small sum: those of the smallest cell that is not zero.
func (f *flows) grow() bool {
	var more [2][]int
	for s := range 2 {
		for i, closed := range f.closed[s] {
			if closed && f.known[s][i] && f.narrow(s, i) {
				if j := f.smallestOpen(s, i); j >= 0 {
					more[1-s] = append(more[1-s], j)
				}
			}
		}
	}
	if f.closed[0][f.ka] && f.closed[1][f.kb] && f.known[0][f.ka] && f.small(f.hidden()) {
		f.spread(&more)
	}
	for s, list := range more {
		for _, j := range list {
			f.closed[s][j] = true
		}
	}
	return len(more[0])+len(more[1]) > 0
}

// narrow reports whether the closed cells of a row or column tell too much by
// their sum.
func (f *flows) narrow(side, i int) bool {
	parts, hidden := 0, 0
	for j, closed := range f.closed[1-side] {
		if closed {
			parts++
			if f.at(side, i, j) > 0 {
				hidden++
			}
		}
	}
	return narrow(f.remainder(side, i), parts, hidden, f.limit)
}

// hidden returns the sum of the closed cells of shared records.
func (f *flows) hidden() int {
	sum := 0
	for i := range f.ka {
		if f.closed[0][i] {
			sum += f.remainder(0, i) - f.x[i][f.kb] // that column is closed
		}
	}
	return sum
}

// spread adds the open row and the open column that add the fewest shared
// records, but some, to the closed ones; those of the smaller number only.
func (f *flows) spread(more *[2][]int) {
	var best, least [2]int
	for s, k := range [2]int{f.ka, f.kb} {
		best[s], least[s] = -1, math.MaxInt
		for i := range k {
			n := f.remainder(s, i) - f.at(s, i, len(f.closed[1-s])-1)
			if !f.closed[s][i] && n > 0 && n < least[s] {
				best[s], least[s] = i, n
			}
		}
	}
	for s, k := range [2]int{f.ka, f.kb} {
		switch {
		case best[0] < 0 && best[1] < 0: // the closed groups share records with no others: close all
			for i := range k {
				if !f.closed[s][i] {
					more[s] = append(more[s], i)
				}
			}
		case best[s] >= 0 && least[s] <= least[1-s]:
			more[s] = append(more[s], best[s])
		}
	}
}

// at returns a cell of row i, or of column i where side is 1.
func (f *flows) at(side, i, j int) int {
	if side == 1 {
		return f.x[j][i]
	}
	return f.x[i][j]
}

// remainder returns the sum of the closed cells of a row or column.
func (f *flows) remainder(side, i int) int {
	sum := 0
	for j, closed := range f.closed[1-side] {
		if closed {
			sum += f.at(side, i, j)
		}
	}
	return sum
}

func (f *flows) smallestOpen(side, i int) int {
	best := -1
	for j, closed := range f.closed[1-side] {
		if n := f.at(side, i, j); !closed && n > 0 && (best < 0 || n < f.at(side, i, best)) {
			best = j
		}
	}
	return best
}

// open reports whether a cell may be read.
func (f *flows) open(i, j int) bool {
	if f.roundedCells != nil {
		return !f.roundedCells[i][j].Masked()
	}
	return !f.closed[0][i] || !f.closed[1][j]
}

// count returns a cell as it may be read.
func (f *flows) count(i, j int) report.Count {
	if f.roundedCells != nil {
		return f.roundedCells[i][j]
	}
	if f.open(i, j) {
		return report.CountOf(f.x[i][j])
	}
	return report.Count{}
}

// masked reports whether any cell is closed.
func (f *flows) masked() bool {
	for i := range f.x {
		for j := range f.x[i] {
			if !f.open(i, j) {
				return true
			}
		}
	}
	return false
}

// fill sets the table, the strangers and the agreement.
func (f *flows) fill(out *report.Comparison) {
	for i := range f.ka {
		row := make([]report.Count, f.kb)
		for j := range row {
			row[j] = f.count(i, j)
		}
		out.Table = append(out.Table, row)
	}
	switch {
	case f.roundedCells != nil:
		out.Shared, out.OnlyA, out.OnlyB = f.both, f.only[0], f.only[1]
	case f.known[0][f.ka]:
		out.Shared, out.OnlyA, out.OnlyB = report.CountOf(f.shared), report.CountOf(f.size[1][f.kb]), report.CountOf(f.size[0][f.ka])
	}
	if f.shared == 0 {
		return
	}
	shared := make([][]int, f.ka)
	for i := range shared {
		shared[i] = f.x[i][:f.kb]
	}
	t := agree.Counted(shared)
	ari := t.ARI()
	if f.roundedCells != nil {
		out.ARI, out.Within = report.NumberOf(math.Round(ari/sharedStep)*sharedStep), report.NumberOf(sharedStep)
		return
	}
	if !f.masked() {
		out.ARI, out.NMI = report.NumberOf(ari), report.NumberOf(t.NMI())
		return
	}
	if step := f.step(); step > 0 {
		out.ARI, out.Within = report.NumberOf(math.Round(math.Round(ari/step)*step*100)/100), report.NumberOf(step)
	}
}

// sharedStep is the rounding of an agreement that is shared.
const sharedStep = 0.05

// steps are the roundings of an agreement.
var steps = [...]float64{.01, .02, .05, .1, .2}

// step returns the rounding of the ARI under which closed cells stay hidden, or
// 0 where none is coarse enough: moving as many records as the limit around the
// corners of a rectangle of closed cells, sums kept, changes the number of pairs
// by at most 2·limit·(M+1), with M the largest value that a closed cell can have.
func (f *flows) step() float64 {
	most, n := 0, 0.0
	var pairs2 [2]float64
	for s := range 2 {
		for i := range f.size[s][:len(f.size[s])-1] {
			shared := 0
			for j := range f.closed[1-s][:len(f.closed[1-s])-1] {
				shared += f.at(s, i, j)
				if s == 0 && !f.open(i, j) {
					most = max(most, min(f.remainder(0, i), f.remainder(1, j)))
				}
			}
			pairs2[s] += float64(shared) * float64(shared-1) / 2
			if s == 0 {
				n += float64(shared)
			}
		}
	}
	headroom := (pairs2[0]+pairs2[1])/2 - pairs2[0]*pairs2[1]/(n*(n-1)/2)
	if !(headroom > 0) {
		return 0
	}
	need := 2 * float64(f.limit) * float64(most+1) / headroom
	for _, s := range steps {
		if s >= need {
			return s
		}
	}
	return 0
}

// match pairs the groups so that the most records stay; of equals the larger
// overlaps win.
func (f *flows) match() ([]int, error) {
	cost := mat.NewDense(f.ka, f.kb, nil)
	for i := range f.ka {
		for j := range f.kb {
			// An overlap is at most 1, half of it less than one record.
			cost.Set(i, j, -float64(f.x[i][j])-f.overlap(i, j)/2/float64(min(f.ka, f.kb)))
		}
	}
	match, err := agree.Assign(cost)
	if err != nil {
		return nil, err
	}
	for i, j := range match {
		if j >= 0 && f.overlap(i, j) < leastOverlapOfPair && f.size[0][i]+f.size[1][j] > 0 {
			match[i] = -1
		}
	}
	return match, nil
}

// overlap returns the records in both groups over those in either (Jaccard).
func (f *flows) overlap(i, j int) float64 {
	return float64(f.x[i][j]) / math.Max(float64(f.size[0][i]+f.size[1][j]-f.x[i][j]), 1)
}

// like says what may be said of a masked cell: one band for each pair, of at
// least as many values as the limit, and none where so few cells are closed that
// several bands together, or a band and the agreement, could tell them.
func (f *flows) like(i, j int) report.Likeness {
	if f.roundedCells != nil {
		return ""
	}
	const leastFree = 4
	free := [2]int{-1, -1}
	for s := range 2 {
		for _, c := range f.closed[s] {
			if c {
				free[s]++
			}
		}
	}
	most := min(f.size[0][i], f.size[1][j])
	if free[0]*free[1] < leastFree || most < 2*f.limit || !f.known[0][i] || !f.known[1][j] {
		return ""
	}
	switch n := f.x[i][j]; {
	case n > most-f.limit:
		return report.NearlyAll
	case 2*n >= most && most >= 4*f.limit:
		return report.MostOf
	}
	return ""
}
