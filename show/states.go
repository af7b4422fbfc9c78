package show

import (
	"context"
	"fmt"
	"math"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/report"
)

// Bounds of the pictures of states.
const (
	stripSteps = 120 // columns at most
	stripTall  = 190
	stripLives = 12 // sequences drawn one by one
	stripRow   = 12
	moveCell   = 44
)

// StepsOf returns where every sequence begins among the rows, and behind the
// last one their number; nil where records are no sequences.
func StepsOf(ctx context.Context, records dataset.Data) ([]int, error) {
	out, row := []int{0}, 0
	some := false
	err := records.Each(ctx, func(_ int, d *dataset.Dataset) error {
		if d.Steps == nil {
			row += d.Rows.N()
			return nil
		}
		some = true
		for i := range d.Len() {
			out = append(out, row+d.Steps[i+1]-d.Steps[0])
		}
		row += d.Rows.N()
		return nil
	})
	if err != nil || !some {
		return nil, err
	}
	return out, nil
}

// StateStrips draws sequences over time: the share of each state at every step,
// and some sequences one by one, a colour a state. Sequences of people have
// small numbers to keep: they get no such picture.
func StateStrips(r *report.Report, rec Records) (*Scene, error) {
	return drawStrips(r, rec, chartWidth)
}

func drawStrips(r *report.Report, rec Records, width float64) (*Scene, error) {
	if r.Shape != report.States || rec.Steps == nil {
		return nil, fmt.Errorf("show: strips are drawn of states: %w", ErrNoPicture)
	}
	if r.Limit > 0 || r.Data.Health {
		return nil, fmt.Errorf("show: steps of single people are not drawn: %w", ErrNoPicture)
	}
	shares, seen := stateShares(r, rec)
	if len(shares) < 2 {
		return nil, fmt.Errorf("show: sequences of one step have no course: %w", ErrNoPicture)
	}
	f := newFrame(widthID("strips", width), width, stripTitle(r, shares, seen), fmt.Sprintf("Above: the share of each state at every step of %s %s. Below: some of them, one a line.", report.Thousands(len(rec.Steps)-1), r.Unit.Many))
	var keys []key
	for j := range r.Leaves {
		keys = append(keys, boxKey(fitLabel(r.Leaf(j).ID+" "+r.Leaf(j).Name, 220, wordSize, false), Style{Fill: groupPaint(j)}))
	}
	f.legend(keys)
	a := &axes{xLabel: "step", shares: true, top: f.y + 4, height: stripTall, right: width - chartEdge - 10}
	a.fill(f, []float64{1, float64(len(shares))}, []float64{0, 1}, false, false, true)
	a.x = scale{low: 0, high: float64(len(shares)), from: a.left, to: a.right}
	a.xTicks = recordTicks(len(shares))
	a.draw(f.s)
	for j, ops := range stacked(shares, a) {
		f.s.Add(Layer{ID: "area-" + groupSlug(r.Leaf(j)), Title: r.Leaf(j).Name, Marks: []Mark{Path{Ops: ops, Style: Style{Fill: groupPaint(j)}}}})
	}
	f.s.Add(areaNumbers(r, shares, a)...)
	f.y = a.bottom() + 8
	lives(f, rec, a, len(shares))
	f.s.Table = stripTable(r, shares)
	return f.notes(wholeNote(r)), nil
}

// stateShares returns the share of every state at every step, and how many sequences are
// that long.
func stateShares(r *report.Report, rec Records) (shares [][]float64, seen []float64) {
	k, longest := len(r.Leaves), 0
	for i := 1; i < len(rec.Steps); i++ {
		longest = max(longest, rec.Steps[i]-rec.Steps[i-1])
	}
	shares, seen = make([][]float64, min(longest, stripSteps)), make([]float64, min(longest, stripSteps))
	for t := range shares {
		shares[t] = make([]float64, k)
		n := 0.0
		for i := 1; i < len(rec.Steps); i++ {
			if at := rec.Steps[i-1] + t; at < rec.Steps[i] && at < len(rec.Group) {
				shares[t][rec.Group[at]]++
				n++
			}
		}
		for j := range shares[t] {
			shares[t][j] /= max(n, 1)
		}
		seen[t] = n
	}
	return shares, seen
}

// lives draws some sequences, spread evenly.
func lives(f *frame, rec Records, a *axes, steps int) {
	n := len(rec.Steps) - 1
	count := min(n, stripLives)
	wide := (a.right - a.left) / float64(steps)
	for l := range count {
		i := l * n / count
		for t := 0; t < steps && rec.Steps[i]+t < rec.Steps[i+1]; {
			from, state := t, rec.Group[rec.Steps[i]+t]
			for t < steps && rec.Steps[i]+t < rec.Steps[i+1] && rec.Group[rec.Steps[i]+t] == state {
				t++
			}
			f.s.Add(Box{X: a.left + float64(from)*wide, Y: f.y, W: float64(t-from) * wide, H: stripRow - 3, Style: Style{Fill: groupPaint(int(state))}})
		}
		f.y += stripRow
	}
}

// clearMove is the number of standard errors from which a share is said to rise or to fall
// between the first step and the last: with a dozen states and two signs, chance alone
// comes so far in one of a hundred pictures.
const clearMove = 3.5

// moved reports that a share of n sequences differs from one of m by more than chance.
func moved(first, last, n, m float64) bool {
	p := (n*first + m*last) / (n + m)
	return math.Abs(last-first) > clearMove*math.Sqrt(p*(1-p)*(1/n+1/m))
}

// stripTitle tells the state that rises most and the one that falls most, where that is
// more than chance would do, and otherwise that they stay.
func stripTitle(r *report.Report, shares [][]float64, seen []float64) string {
	first, last := shares[0], shares[len(shares)-1]
	n, m := seen[0], seen[len(seen)-1]
	up, down, most := 0, 0, 0
	for j := range first {
		if last[j]-first[j] > last[up]-first[up] {
			up = j
		}
		if last[j]-first[j] < last[down]-first[down] {
			down = j
		}
		if first[j] > first[most] {
			most = j
		}
	}
	clear := func(j int) bool { return moved(first[j], last[j], n, m) }
	words := func(j int, verb, of string) string {
		return fmt.Sprintf("%s %s from %s to %s%s", r.Leaf(j).Name, verb, report.Percent(first[j]), report.Percent(last[j]), of)
	}
	of := " of the " + r.Unit.Many
	switch {
	case clear(up) && clear(down):
		return words(up, "rises", of) + ", " + words(down, "falls", "")
	case clear(up):
		return words(up, "rises", of)
	case clear(down):
		return words(down, "falls", of)
	}
	return fmt.Sprintf("The states stay about as frequent; %s comes first most often, in %s of the %s", r.Leaf(most).Name, report.Percent(first[most]), r.Unit.Many)
}

func stripTable(r *report.Report, shares [][]float64) Table {
	sh := Table{Head: []string{"step"}}
	for j := range r.Leaves {
		sh.Head = append(sh.Head, r.Leaf(j).Name)
	}
	every := max((len(shares)+23)/24, 1)
	for t := 0; t < len(shares); t += every {
		row := []string{fmt.Sprint(t + 1)}
		for _, p := range shares[t] {
			row = append(row, report.Percent(p))
		}
		sh.Rows = append(sh.Rows, row)
	}
	return sh
}

// StateMoves draws where states go next: a square as large as the probability,
// with the number in it.
func StateMoves(r *report.Report) (*Scene, error) {
	k := len(r.Leaves)
	if r.Shape != report.States || k < 2 || k > 24 {
		return nil, fmt.Errorf("show: moves are drawn of 2 to 24 states: %w", ErrNoPicture)
	}
	f := newFrame("moves", chartWidth, movesTitle(r), "From the state of a row to that of a column at the next step: the area of a square is the probability.")
	names := make([]string, k)
	for j := range k {
		names[j] = r.Leaf(j).ID + " " + r.Leaf(j).Name
	}
	left := chartEdge + nameColumn(names, f.inner()*mostWords) + 8
	cell := min(moveCell, (f.s.Width-chartEdge-left)/float64(k))
	f.s.Table = Table{Head: []string{"from"}}
	for j := range k {
		f.s.Table.Head = append(f.s.Table.Head, r.Leaf(j).ID)
		f.s.Add(Label{X: left + (float64(j)+0.5)*cell, Y: f.y + wordSize, Text: "to " + r.Leaf(j).ID, Size: smallSize, Anchor: Middle, Fill: mutedPaint()})
	}
	f.y += wordSize * 1.6
	for i := range k {
		y := f.y + float64(i)*cell
		f.s.Add(Label{X: left - 8, Y: y + cell/2 + wordSize*0.35, Text: fitLabel(names[i], left-8-chartEdge, wordSize, false), Size: wordSize, Anchor: End, Fill: inkPaint()})
		row := []string{names[i]}
		for j := range k {
			p, ok := moveTo(r.Leaf(i), r.Leaf(j).ID)
			if !ok {
				row = append(row, "")
				continue
			}
			row = append(row, fmt.Sprintf("%.2f", p))
			f.s.Add(moveMark(left+float64(j)*cell, y, cell, p, i == j, names[i]+" to "+names[j])...)
		}
		f.s.Table.Rows = append(f.s.Table.Rows, row)
	}
	f.y += float64(k)*cell + 4
	return f.notes(wholeNote(r)), nil
}

func moveTo(g *report.Group, id string) (float64, bool) {
	for _, m := range g.Moves {
		if m.To == id {
			return m.Probability.Value()
		}
	}
	return 0, false
}

func moveMark(x, y, cell, p float64, stays bool, title string) []Mark {
	side := math.Sqrt(p) * (cell - 4)
	fill := tokenPaint("g1")
	if stays {
		fill = tokenPaint("g8")
	}
	l := Layer{Title: fmt.Sprintf("%s: %.2f", title, p), Marks: []Mark{Box{X: x + (cell-side)/2, Y: y + (cell-side)/2, W: side, H: side, Style: Style{Fill: fill}}}}
	if text := fmt.Sprintf("%.2f", p); p >= 0.005 && cell >= 34 {
		paint, at := onPaint(fill), y+cell/2+smallSize*0.35
		if side < textWidth(text, smallSize, false)+4 {
			paint, at = mutedPaint(), y+cell/2+side/2+smallSize
		}
		l.Marks = append(l.Marks, Label{X: x + cell/2, Y: min(at, y+cell-1), Text: text, Size: smallSize, Anchor: Middle, Fill: paint})
	}
	return []Mark{l}
}

// movesTitle tells the likeliest move between two states.
func movesTitle(r *report.Report) string {
	best, title := 0.0, "States stay as they are"
	for j := range r.Leaves {
		g := r.Leaf(j)
		for _, m := range g.Moves {
			to, ok := r.Find(m.To)
			if p := m.Probability.Or(0); ok && m.To != g.ID && p > best {
				best = p
				title = fmt.Sprintf("The likeliest change is from %s to %s: %.2f at a step", g.Name, to.Name, p)
			}
		}
	}
	return title
}
