package show

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/sparse"
)

// Bounds of the picture of one population.
const (
	populationBins  = 30
	populationTall  = 150
	populationSides = 200 // columns at most that a line is looked for in
	populationSteps = 60  // of the power method: enough for a picture
	populationEnds  = 2   // columns that tell an end of the line
)

// Population draws records that form one group: how many lie where along the
// amount of what they have, or along the line that they differ by most, with
// what marks its two ends. Counts below the limit are not drawn.
func Population(r *report.Report, rec Records) (*Scene, error) {
	return drawPopulation(r, rec, chartWidth)
}

func drawPopulation(r *report.Report, rec Records, width float64) (*Scene, error) {
	if r.Ring == report.Shared {
		return nil, fmt.Errorf("show: counts of single amounts are not shared: %w", ErrNoPicture)
	}
	if rec.Rows == nil {
		return nil, fmt.Errorf("show: the picture of one population needs its records: %w", ErrNoPicture)
	}
	line, err := newLine(r, rec)
	if err != nil {
		return nil, err
	}
	counts, edges := line.histogram(r.Limit)
	if len(counts) == 0 {
		return nil, fmt.Errorf("show: too few %s for a picture: %w", r.Unit.Many, ErrNoPicture)
	}
	f := newFrame(widthID("population", width), width, line.title(r), fmt.Sprintf("How many of the %s lie where; %s.", rowUnit(r), line.axis))
	line.draw(f, counts, edges)
	notes := []string{wholeNote(r)}
	if slices.Contains(counts, -1) {
		notes = append(notes, fmt.Sprintf("Empty frames: fewer than %d %s, not drawn.", r.Limit, r.Unit.Many))
	}
	return f.notes(notes...), nil
}

// line is what records are laid out along.
type line struct {
	values    []float64
	whole     bool // values are whole numbers
	axis      string
	low, high string // what marks the ends
	unit      string
}

func newLine(r *report.Report, rec Records) (*line, error) {
	if len(r.Groups) > 0 && len(r.Groups[0].Measures) >= 2 && len(r.Groups[0].Measures) <= populationSides {
		return newTrend(r, rec)
	}
	l := &line{whole: true, unit: r.Unit.Features, axis: fmt.Sprintf("from few %s to many", r.Unit.Features)}
	l.low, l.high = "few "+r.Unit.Features, "many "+r.Unit.Features
	err := rec.Rows(func(rows sparse.Rows) error {
		for i := range rows.N() {
			l.values = append(l.values, float64(filledCells(rows, i)))
		}
		return nil
	})
	return l, err
}

// filledCells counts what a row has.
func filledCells(rows sparse.Rows, i int) int {
	if !rows.IsDense() {
		index, _ := rows.Row(i)
		return len(index)
	}
	n := 0
	for _, v := range rows.DenseRow(i) {
		if v == v && v != 0 {
			n++
		}
	}
	return n
}

// newTrend finds the line that measurements differ by most: the first principal
// component of the standardised columns.
func newTrend(r *report.Report, rec Records) (*line, error) {
	g := &r.Groups[0]
	scale := make(map[int][2]float64) // of a column: mean and standard deviation
	title := make(map[int]string)
	for _, m := range g.Measures {
		mean, ok := m.Mean.Value()
		if sd := m.SD.Or(0); ok && sd > 0 {
			scale[r.Table.Feature(m.Index)] = [2]float64{mean, sd}
			title[r.Table.Feature(m.Index)] = m.Title
		}
	}
	at := make([]int, 0, len(scale))
	for f := range scale {
		at = append(at, f)
	}
	slices.Sort(at)
	d := len(at)
	if d == 0 {
		return nil, fmt.Errorf("show: no measurements to draw: %w", ErrNoPicture)
	}
	each := func(visit func(z []float64)) error {
		z := make([]float64, d)
		return rec.Rows(func(rows sparse.Rows) error {
			for i := range rows.N() {
				for j, f := range at {
					if z[j] = (rows.At(i, f) - scale[f][0]) / scale[f][1]; math.IsNaN(z[j]) {
						z[j] = 0
					}
				}
				visit(z)
			}
			return nil
		})
	}
	cov := make([]float64, d*d)
	err := each(func(z []float64) {
		for i := range d {
			for j := range d {
				cov[i*d+j] += z[i] * z[j]
			}
		}
	})
	if err != nil {
		return nil, err
	}
	axis := leading1(cov, d)
	l := &line{axis: "along the line that they differ by most"}
	err = each(func(z []float64) {
		v := 0.0
		for j := range z {
			v += axis[j] * z[j]
		}
		l.values = append(l.values, v)
	})
	l.low, l.high = ends(axis, at, title)
	return l, err
}

// leading1 returns the leading eigenvector of a positive d×d matrix by the power
// method, with its largest part positive.
func leading1(m []float64, d int) []float64 {
	v := make([]float64, d)
	for i := range v {
		v[i] = 1 + float64(i)/float64(d) // not orthogonal to what is even
	}
	for range populationSteps {
		w, norm := make([]float64, d), 0.0
		for i := range d {
			for j := range d {
				w[i] += m[i*d+j] * v[j]
			}
			norm += w[i] * w[i]
		}
		if norm == 0 {
			break
		}
		for i := range w {
			v[i] = w[i] / math.Sqrt(norm)
		}
	}
	best := 0
	for i := range v {
		if math.Abs(v[i]) > math.Abs(v[best]) {
			best = i
		}
	}
	if v[best] < 0 {
		for i := range v {
			v[i] = -v[i]
		}
	}
	return v
}

// ends tells what is low and high at the two ends of a line.
func ends(axis []float64, at []int, title map[int]string) (low, high string) {
	order := make([]int, len(axis))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return -1 + 2*map[bool]int{true: 1}[math.Abs(axis[a]) < math.Abs(axis[b])]
	})
	var down, up []string
	for _, j := range order[:min(len(order), populationEnds)] {
		a, b := "low ", "high "
		if axis[j] < 0 {
			a, b = b, a
		}
		down, up = append(down, a+title[at[j]]), append(up, b+title[at[j]])
	}
	return strings.Join(down, ", "), strings.Join(up, ", ")
}

// histogram counts the values; -1 stands for a count that may not be reported, and
// ends that may not be reported are left out.
func (l *line) histogram(limit int) (counts []int, edges []float64) {
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range l.values {
		low, high = min(low, v), max(high, v)
	}
	if low > high {
		return nil, nil
	}
	step := (high - low) / populationBins
	if l.whole {
		low -= 0.5
		step = max(math.Ceil((high-low)/populationBins), 1)
	} else if step == 0 {
		step = 1
	}
	counts = make([]int, int((high-low)/step)+1)
	for _, v := range l.values {
		counts[min(int((v-low)/step), len(counts)-1)]++
	}
	withholdBins(counts, limit)
	first, last := 0, len(counts)
	for first < last && counts[first] < 0 {
		first++
	}
	for last > first && counts[last-1] < 0 {
		last--
	}
	for i := first; i <= last; i++ {
		edges = append(edges, low+float64(i)*step)
	}
	return counts[first:last], edges
}

// withholdBins hides counts below the limit, and the smallest others as long as
// the hidden ones together are few: the sum of all is known.
func withholdBins(counts []int, limit int) {
	hidden := 0
	for i, n := range counts {
		if n < limit {
			hidden += n
			counts[i] = -1 // none and few look alike
		}
	}
	for hidden > 0 && hidden < limit {
		least := -1
		for i, n := range counts {
			if n >= 0 && (least < 0 || n < counts[least]) {
				least = i
			}
		}
		if least < 0 {
			return
		}
		hidden += counts[least]
		counts[least] = -1
	}
}

// title tells whether there is a gap: there is none.
func (l *line) title(r *report.Report) string {
	all := "All " + rowUnit(r)
	if n := r.Data.Rows.String(); n != "" {
		all = n + " " + rowUnit(r)
	}
	if l.whole {
		return fmt.Sprintf("%s form one population: there is no gap between few %s and many", all, l.unit)
	}
	return fmt.Sprintf("%s form one population, from %s to %s", all, l.low, l.high)
}

// draw draws the columns and the words at the ends.
func (l *line) draw(f *frame, counts []int, edges []float64) {
	most := 1
	for _, n := range counts {
		most = max(most, n)
	}
	wide := f.inner() / float64(len(counts))
	base := f.y + populationTall
	f.s.Table = Table{Head: []string{"from", "to", "n"}}
	for i, n := range counts {
		from, to := edges[i], edges[i+1]
		if l.whole {
			from, to = from+0.5, to-0.5
		}
		row := []string{report.Amount(from), report.Amount(to), ""}
		x := chartEdge + float64(i)*wide
		if n >= 0 {
			h := populationTall * float64(n) / float64(most)
			row[2] = report.Thousands(n)
			f.s.Add(Layer{Title: fmt.Sprintf("%s to %s: %s", row[0], row[1], row[2]), Marks: []Mark{
				Box{X: x + 0.5, Y: base - h, W: max(wide-1, 0.5), H: h, Style: Style{Fill: tokenPaint("g1")}},
			}})
		} else {
			f.s.Add(Box{X: x + 0.5, Y: base - 10, W: max(wide-1, 0.5), H: 10, Style: Style{Stroke: mutedPaint(), Dash: []float64{2, 2}}})
		}
		f.s.Table.Rows = append(f.s.Table.Rows, row)
	}
	f.s.Add(Rule{X1: chartEdge, Y1: base, X2: f.s.Width - chartEdge, Y2: base, Style: Style{Stroke: mutedPaint()}})
	f.y = base + 6
	half := f.inner()/2 - 10
	tall := 0.0
	low, high := l.low, l.high
	if l.whole && len(edges) > 1 { // how few, how many
		low, high = fmt.Sprintf("%s (%s)", low, tickWords(edges[0]+.5)), fmt.Sprintf("%s (%s)", high, tickWords(edges[len(edges)-1]-.5))
	}
	for side, word := range [2]string{"← " + low, high + " →"} {
		for k, text := range wrapLabel(word, half, wordSize, false, 3) {
			m := Label{X: chartEdge, Y: f.y + wordSize + float64(k)*wordSize*leading, Text: text, Size: wordSize, Fill: inkPaint()}
			if side == 1 {
				m.X, m.Anchor = f.s.Width-chartEdge, End
			}
			f.s.Add(m)
			tall = max(tall, float64(k+1)*wordSize*leading)
		}
	}
	f.y += tall + 6
}

// widthID is the id of a drawing: that of the narrow form has a name of its own,
// since a page holds both.
func widthID(id string, width float64) string {
	if width < chartWidth {
		return id + "-narrow"
	}
	return id
}
