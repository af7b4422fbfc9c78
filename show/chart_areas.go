package show

import (
	"fmt"
	"math"

	"github.com/moiety-go/moiety/report"
)

// Bounds of the chart of assignments.
const (
	areaHeight = 260
	areaBins   = 340 // columns at most
	areaWindow = 20  // records whose groups are averaged where shares are not known, about
)

// AssignmentAreas draws, along the corpus in its order, how much every record
// belongs to every topic ([T] Fig. 3.3). The areas of a place add up to one.
// Records of people have no telling order and small numbers to keep: they get
// no such chart.
func AssignmentAreas(r *report.Report, rec Records) (*Scene, error) {
	if err := rec.check(r); err != nil {
		return nil, err
	}
	n, k := len(rec.Group), len(r.Leaves)
	if r.Limit > 0 || r.Data.Health || n < 2 || k < 2 {
		return nil, fmt.Errorf("show: assignments along the corpus are drawn for two or more groups of records that are not of people: %w", ErrNoPicture)
	}
	bins := areaColumns(rec, n, k)
	title := areaTitle(r, bins)
	f := newFrame("assignments", chartWidth, title, fmt.Sprintf("How much the %s belong to each %s, in the order of the data.", rowUnit(r), groupNoun(r)))
	var keys []key
	for j := range k {
		g := r.Leaf(j)
		keys = append(keys, boxKey(fitLabel(g.ID+" "+g.Name, 300, wordSize, false), Style{Fill: groupPaint(j)}))
	}
	f.legend(keys)
	a := &axes{xLabel: r.Unit.One + " number", top: f.y + 4, height: areaHeight, right: chartWidth - chartEdge - 10}
	a.fill(f, []float64{1, float64(n)}, []float64{0, 1}, false, false, true)
	a.x = scale{low: 0, high: float64(n), from: a.left, to: a.right}
	a.xTicks = recordTicks(n)
	a.draw(f.s)
	for j, ops := range stacked(bins, a) {
		g := r.Leaf(j)
		f.s.Add(Layer{ID: "area-" + groupSlug(g), Title: g.ID + ": " + g.Name, Marks: []Mark{
			Path{Ops: ops, Style: Style{Fill: groupPaint(j)}},
		}})
	}
	f.s.Add(areaNumbers(r, bins, a)...)
	f.y = a.bottom()
	f.s.Table = areaTable(r, bins, n)
	notes := []string{wholeNote(r)}
	if len(bins) < n {
		notes = append(notes, fmt.Sprintf("Each column is the average of about %d %s.", (n+len(bins)/2)/len(bins), rowUnit(r)))
	}
	return f.notes(notes...), nil
}

// areaColumns averages the shares of neighbouring records.
func areaColumns(rec Records, n, k int) [][]float64 {
	count := min(n, areaBins)
	if rec.Shares == nil {
		count = max(min(n/areaWindow, areaBins), min(n, 12))
	}
	out := make([][]float64, count)
	for b := range out {
		out[b] = make([]float64, k)
		from, to := b*n/count, (b+1)*n/count
		for i := from; i < to; i++ {
			if rec.Shares == nil {
				out[b][rec.Group[i]] += 1 / float64(to-from)
				continue
			}
			for j, p := range rec.Shares[i] {
				out[b][j] += p / float64(to-from)
			}
		}
	}
	return out
}

// recordTicks are round record numbers.
func recordTicks(n int) []float64 {
	step := max(niceStep(float64(n)/8), 1)
	var out []float64
	for t := step; t <= float64(n); t += step {
		out = append(out, t)
	}
	return out
}

// stacked returns the outline of every group's area: steps, one a column.
func stacked(bins [][]float64, a *axes) [][]Op {
	k := len(bins[0])
	base := make([]float64, len(bins))
	out := make([][]Op, k)
	x := func(b int) float64 { return a.left + float64(b)/float64(len(bins))*(a.right-a.left) }
	for j := range k {
		var top, low []Op
		for b, p := range bins {
			up := a.y.at(min(base[b]+p[j], 1))
			top = append(top, Draw(x(b), up), Draw(x(b+1), up))
		}
		for b := len(bins) - 1; b >= 0; b-- {
			down := a.y.at(min(base[b], 1))
			low = append(low, Draw(x(b+1), down), Draw(x(b), down))
		}
		top[0].Kind = 'M'
		out[j] = append(append(top, low...), Close())
		for b, p := range bins {
			base[b] += p[j]
		}
	}
	return out
}

// areaNumbers writes the id of each group where its area is thickest, so that
// colour does not stand alone.
func areaNumbers(r *report.Report, bins [][]float64, a *axes) []Mark {
	var out []Mark
	for j := range bins[0] {
		best, thick := -1, 0.0
		for b, p := range bins {
			if p[j] > thick {
				best, thick = b, p[j]
			}
		}
		id := r.Leaf(j).ID
		if best < 0 || thick*areaHeight < wordSize*1.4 {
			continue
		}
		base := 0.0
		for i := range j {
			base += bins[best][i]
		}
		x := a.left + (float64(best)+0.5)/float64(len(bins))*(a.right-a.left)
		half := textWidth(id, wordSize, true)/2 + 2
		x = min(max(x, a.left+half), a.right-half)
		m := Label{X: x, Y: a.y.at(min(base+thick/2, 1)) + wordSize*0.35, Text: id, Size: wordSize, Bold: true, Anchor: Middle, Fill: onPaint(groupPaint(j))}
		if !m.bounds().overlapsAny(labelBoxes(out)) {
			out = append(out, Box{X: x - half, Y: m.Y - wordSize, W: 2 * half, H: wordSize * 1.25, Round: 2, Style: Style{Fill: groupPaint(j)}}, m)
		}
	}
	return out
}

// areaTitle tells who leads where: at the start, in the middle, at the end.
func areaTitle(r *report.Report, bins [][]float64) string {
	noun := groupNoun(r)
	lead := func(from, to int) int {
		sum := make([]float64, len(bins[0]))
		for _, p := range bins[from:to] {
			for j, v := range p {
				sum[j] += v
			}
		}
		best := 0
		for j, v := range sum {
			if v > sum[best] {
				best = j
			}
		}
		return best
	}
	n := len(bins)
	if n < 3 {
		return fmt.Sprintf("%d %ss along the %s", len(bins[0]), noun, rowUnit(r))
	}
	a, b, c := lead(0, n/3), lead(n/3, 2*n/3), lead(2*n/3, n)
	id := func(j int) string { return r.Leaf(j).ID }
	first := groupWord(r, r.Leaf(a))
	switch {
	case a == b && b == c:
		return first + " leads from the start of the data to the end"
	case a == b:
		return fmt.Sprintf("%s leads at the start and in the middle of the data, %s at the end", first, id(c))
	case b == c:
		return fmt.Sprintf("%s leads at the start of the data, %s from the middle on", first, id(b))
	}
	return fmt.Sprintf("%s leads at the start of the data, %s in the middle, %s at the end", first, id(b), id(c))
}

// areaTable is the table of twenty stretches of the corpus.
func areaTable(r *report.Report, bins [][]float64, n int) Table {
	sh := Table{Head: []string{rowUnit(r)}}
	for j := range bins[0] {
		sh.Head = append(sh.Head, groupWord(r, r.Leaf(j)))
	}
	parts := min(len(bins), 20)
	for p := range parts {
		from, to := p*len(bins)/parts, (p+1)*len(bins)/parts
		row := []string{fmt.Sprintf("%d–%d", from*n/len(bins)+1, max(to*n/len(bins), 1))}
		for j := range bins[0] {
			sum := 0.0
			for _, b := range bins[from:to] {
				sum += b[j]
			}
			row = append(row, report.Percent(math.Round(sum/float64(to-from)*1000)/1000))
		}
		sh.Rows = append(sh.Rows, row)
	}
	return sh
}
