package explain

import (
	"math"

	"github.com/moiety-go/moiety/report"
)

// share rounds the table to be shared. A cell is reported where every number that is
// rounded to it reaches the limit; further numbers are left out where all that are
// reported, with their rounding, would leave a cell that could be few too little room.
func (f *flows) share(limit int, r rounding) {
	f.limit, f.rounded = limit, r
	f.roundedCells = make([][]report.Count, f.ka+1)
	for i := range f.roundedCells {
		f.roundedCells[i] = make([]report.Count, f.kb+1)
		for j := range f.roundedCells[i] {
			f.roundedCells[i][j] = f.alone(f.x[i][j], partOfFeatures)
		}
	}
	f.both = f.alone(f.shared, partOfSizes)
	f.only = [2]report.Count{f.alone(f.size[1][f.kb], partOfFeatures), f.alone(f.size[0][f.ka], partOfFeatures)}
	if f.only[0].Masked() || f.only[1].Masked() { // with the sizes of all groups one tells the other
		f.only = [2]report.Count{}
	}
	for {
		if i, j, narrow := f.cramped(); !narrow || !f.hideOne(i, j) {
			return
		}
	}
}

// alone returns a rounded count where it may be reported.
func (f *flows) alone(n, part int) report.Count {
	v := f.rounded.near(float64(n), part)
	if !f.rounded.reaches(v, part, f.limit) {
		return report.Count{}
	}
	return report.CountOf(int(v))
}

// sum is a sum of cells that is known to lie in a range.
type sum struct {
	cells     []int
	low, high float64
}

// sums lists what a reader knows: the sizes of groups and of both sides, as far as
// the reports tell them, and what the comparison does.
func (f *flows) sums() []sum {
	var out []sum
	add := func(n, part int, in func(i, j int) bool) {
		s := sum{low: f.rounded.low(float64(n), part), high: f.rounded.high(float64(n), part)}
		for i := range f.ka + 1 {
			for j := range f.kb + 1 {
				if in(i, j) && (i < f.ka || j < f.kb) {
					s.cells = append(s.cells, i*(f.kb+1)+j)
				}
			}
		}
		out = append(out, s)
	}
	a, b := 0, 0
	for i := range f.ka {
		if a += f.size[0][i]; f.known[0][i] {
			add(f.rounded.size(f.size[0][i]), partOfSizes, func(p, _ int) bool { return p == i })
		}
	}
	for j := range f.kb {
		if b += f.size[1][j]; f.known[1][j] {
			add(f.rounded.size(f.size[1][j]), partOfSizes, func(_, q int) bool { return q == j })
		}
	}
	add(f.rounded.size(a), partOfSizes, func(p, _ int) bool { return p < f.ka })
	add(f.rounded.size(b), partOfSizes, func(_, q int) bool { return q < f.kb })
	if n, known := f.both.Value(); known {
		add(n, partOfSizes, func(p, q int) bool { return p < f.ka && q < f.kb })
		both := out[len(out)-1]
		for side, all := range [2]sum{out[len(out)-3], out[len(out)-2]} { // the rest are strangers
			add(0, partOfSizes, func(p, q int) bool { return side == 0 && p < f.ka && q == f.kb || side == 1 && p == f.ka && q < f.kb })
			rest := &out[len(out)-1]
			rest.low, rest.high = max(all.low-both.high, 0), all.high-both.low
		}
	}
	if n, known := f.only[0].Value(); known {
		add(n, partOfFeatures, func(_, q int) bool { return q == f.kb })
	}
	if n, known := f.only[1].Value(); known {
		add(n, partOfFeatures, func(p, _ int) bool { return p == f.ka })
	}
	return out
}

// roomy is how many times the limit the range of a cell must be that could be few:
// working through the sums one by one, as here, finds less than all together tell.
const roomy = 2

// cramped returns a cell that is not reported, could be few, and is known too well.
func (f *flows) cramped() (i, j int, found bool) {
	width := f.kb + 1
	low, high := make([]float64, (f.ka+1)*width), make([]float64, (f.ka+1)*width)
	for c := range low {
		high[c] = math.Inf(1)
		if n, known := f.roundedCells[c/width][c%width].Value(); known {
			low[c], high[c] = f.rounded.low(float64(n), partOfFeatures), f.rounded.high(float64(n), partOfFeatures)
		}
	}
	high[len(high)-1] = 0 // who is in neither
	sums := f.sums()
	for range sweeps {
		for _, s := range sums {
			s.work(low, high)
		}
	}
	for c := range low {
		if f.roundedCells[c/width][c%width].Masked() && c < len(low)-1 && high[c] >= 1 && low[c] < float64(f.limit) && high[c]-low[c] < float64(roomy*f.limit) {
			return c / width, c % width, true
		}
	}
	return 0, 0, false
}

// work bounds every cell of the sum by what the others leave of it.
func (s sum) work(low, high []float64) {
	least, most, open := 0.0, 0.0, 0
	for _, c := range s.cells {
		least += low[c]
		if math.IsInf(high[c], 1) {
			open++
		} else {
			most += high[c]
		}
	}
	for _, c := range s.cells {
		was := high[c]
		if h := s.high - (least - low[c]); h < high[c] {
			high[c] = max(h, 0)
		}
		others, unbounded := most, open
		if math.IsInf(was, 1) {
			unbounded--
		} else {
			others -= was
		}
		if l := s.low - others; unbounded == 0 && l > low[c] {
			least += l - low[c]
			low[c] = l
		}
		if math.IsInf(was, 1) {
			open, most = open-1, most+high[c]
		} else {
			most += high[c] - was
		}
	}
}

// hideOne leaves out one number more that tells of a cell: sums first, then the
// smallest cell beside it. It reports whether there was one.
func (f *flows) hideOne(i, j int) bool {
	switch {
	case !f.both.Masked():
		f.both = report.Count{}
		return true
	case !f.only[0].Masked():
		f.only = [2]report.Count{}
		return true
	}
	var least *report.Count
	see := func(c *report.Count) {
		if !c.Masked() && (least == nil || c.Or(0) < least.Or(0)) {
			least = c
		}
	}
	search := func(beside bool) {
		for p := range f.roundedCells {
			for q := range f.roundedCells[p] {
				if !beside || p == i || q == j {
					see(&f.roundedCells[p][q])
				}
			}
		}
	}
	if search(true); least == nil {
		search(false)
	}
	if least == nil { // the sizes of the groups alone tell it
		return false
	}
	*least = report.Count{}
	return true
}
