package verdict

import (
	"math"
	"slices"

	"github.com/moiety-go/moiety/internal/normals"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// A point lost, a sign, a code for "unknown" that nobody declared: such a value lies far from
// all others of its column, and the record is like any other in all other columns. Each column
// with a few of them would be a heap of its own. A group, be it a small one, is seen in more
// than one column.

const (
	bodyReach = 3   // deviations within which the bulk of a column lies
	bodySteps = 6   // of looking for the bulk
	farBins   = 120 // of distances beyond it
	farTimes  = 1.1 // how much wider each bin is than the one before
	gapBins   = 5   // empty ones in a row: what lies beyond is 1.6 times as far as all others
	farShare  = .05 // of the values of a column, at most, on one side
	farShift  = 4   // deviations at which a value of another column counts, at most
	farErrors = 8   // deviations of chance beyond which the other columns differ too

	leastSpared = .5 // of the records without such a value, which then stand for all
)

// reach is where the values of a feature lie, but for those that are far off, and the mean of
// them.
type reach struct{ low, high, mean float64 }

func (r reach) holds(x float64) bool { return !(x < r.low || x > r.high) } // a missing value is not far off

// Reaches are those of all features; nil where no value is far off.
type Reaches []reach

// Features lists those with values that are far off.
func (r Reaches) Features() []int {
	var out []int
	for h, x := range r {
		if x.bounded() {
			out = append(out, h)
		}
	}
	return out
}

func (r reach) bounded() bool { return !math.IsInf(r.low, -1) || !math.IsInf(r.high, 1) }

// blank takes values that are far off out of a row, and reports whether there were such.
func (r Reaches) blank(row []float64) (some bool) {
	for h, x := range r {
		if !x.holds(row[h]) {
			row[h], some = math.NaN(), true
		}
	}
	return some
}

// Of returns records of which the values that are far off are missing.
func (r Reaches) Of(run pass.Runner) pass.Runner {
	if r == nil {
		return run
	}
	return pass.Map(run, func(b pass.Block) pass.Block {
		n, d := b.Rows.N(), len(r)
		rows := sparse.Rows{Dim: d, Dense: make([]float64, n*d)}
		for i := range n {
			unpack(rows.Dense[i*d:][:d], b.Rows, i)
			r.blank(rows.Dense[i*d:][:d])
		}
		b.Rows = rows
		return b
	})
}

// reachesOf returns where the values of columns lie but for those that are far from all others,
// where the records that have them are like all others in the other columns.
func (a *strand) reachesOf(all normals.Table, columns []vocab.Column) Reaches {
	codes := codesOf(columns, all, a)
	values := make([][]float64, len(codes))
	for j, c := range codes {
		values[j] = make([]float64, all.N)
		for i := range values[j] {
			values[j][i] = c.raw(all.Row(i))
		}
	}
	bulk := a.bulks(values)
	bounds := a.gaps(codes, values, bulk)
	var far []side
	for j, b := range bounds {
		for _, r := range []reach{{b.low, math.Inf(1), b.mean}, {math.Inf(-1), b.high, b.mean}} {
			if r.bounded() {
				far = append(far, side{j, r})
			}
		}
	}
	if far = a.byThemselves(far, values, bulk); len(far) == 0 {
		return nil
	}
	out := Reaches(slices.Repeat([]reach{{math.Inf(-1), math.Inf(1), 0}}, all.D))
	for _, s := range far {
		r := &out[codes[s.column].from]
		r.low, r.high, r.mean = max(r.low, s.low), min(r.high, s.high), s.mean
	}
	return out
}

// spared leaves out the records with a value that is far off where enough are left; otherwise
// the mean stands for such a value: so many columns tell groups that one hardly counts.
func (a *strand) spared(far Reaches, all normals.Table, record []int) (normals.Table, []int) {
	var list, kept []int
	for i := range all.N {
		if !far.blank(all.Row(i)) {
			list, kept = append(list, i), append(kept, record[i])
		}
	}
	count := []float64{float64(all.N), float64(len(list))}
	a.add(count)
	if count[1] >= leastSpared*count[0] {
		return all.Rows(list), kept
	}
	for i := range all.N {
		for h, x := range all.Row(i) {
			if x != x && far[h].bounded() {
				all.Row(i)[h] = far[h].mean
			}
		}
	}
	return all, record
}

// side are the values of a column beyond a gap.
type side struct {
	column int
	reach
}

// bulks returns mean and deviation of the bulk of every column: of what lies within so many
// deviations of the bulk itself.
func (a *strand) bulks(values [][]float64) []middle {
	lists := make([][]float64, len(values))
	for j, x := range values {
		lists[j] = present(x)
	}
	bulk := a.spreads(lists)
	for range bodySteps {
		sums := make([]float64, 3*len(values)) // of every column: values, their distances from the last mean, the squares
		for j, x := range values {
			for _, v := range x {
				if r := v - bulk[j].mean; math.Abs(r) <= bodyReach*bulk[j].sd {
					sums[3*j]++
					sums[3*j+1] += r
					sums[3*j+2] += r * r
				}
			}
		}
		a.add(sums)
		same := true
		for j, old := range bulk {
			n, off := sums[3*j], sums[3*j+1]/sums[3*j]
			same = same && n == old.n
			bulk[j] = middle{n, old.mean + off, math.Sqrt(max(sums[3*j+2]/n-off*off, 0))}
		}
		if same {
			break
		}
	}
	return bulk
}

// gaps returns where the values of columns of numbers end, on either side, and others lie far
// beyond a gap, few of them.
func (a *strand) gaps(codes []code, values [][]float64, bulk []middle) []reach {
	const both = 2 * farBins
	count, known := make([]float64, len(codes)*both), make([]float64, len(codes))
	for j, c := range codes {
		if c.kind != vocab.Real || !(bulk[j].sd > 0) {
			continue
		}
		for _, v := range values[j] {
			if v != v {
				continue
			}
			known[j]++
			if r := (v - bulk[j].mean) / bulk[j].sd; math.Abs(r) > bodyReach {
				bin := min(int(math.Log(math.Abs(r)/bodyReach)/math.Log(farTimes)), farBins-1)
				count[j*both+boolInt(r > 0)*farBins+bin]++
			}
		}
	}
	a.add(count, known)
	out := make([]reach, len(codes))
	for j := range out {
		below := firstGap(count[j*both:][:farBins], farShare*known[j])
		above := firstGap(count[j*both+farBins:][:farBins], farShare*known[j])
		out[j] = reach{math.Inf(-1), math.Inf(1), bulk[j].mean}
		if below > 0 {
			out[j].low = bulk[j].mean - below*bulk[j].sd
		}
		if above > 0 {
			out[j].high = bulk[j].mean + above*bulk[j].sd
		}
	}
	return out
}

// firstGap returns the middle of the first gap, in deviations of the bulk, where no more than
// so many values lie beyond it; 0 where there is none.
func firstGap(count []float64, most float64) float64 {
	empty, left := 0, sum(count)
	for b, n := range count {
		if n == 0 {
			empty++
			continue
		}
		if empty >= gapBins && left <= most {
			return bodyReach * math.Pow(farTimes, float64(b)-float64(empty)/2)
		}
		empty, left = 0, left-n
	}
	return 0
}

// byThemselves keeps the sides whose records are like all others in the other columns: the
// squares of the differences are those of chance.
func (a *strand) byThemselves(far []side, values [][]float64, bulk []middle) []side {
	if len(far) == 0 {
		return nil
	}
	shown := make([][]float64, len(values)) // in deviations of the bulk; the middle where nothing is known
	for j, x := range values {
		shown[j] = make([]float64, len(x))
		for i, v := range x {
			if r := (v - bulk[j].mean) / bulk[j].sd; r == r {
				shown[j][i] = max(-farShift, min(r, farShift))
			}
		}
	}
	usual := a.spreads(shown)
	d := len(values)
	sums := make([]float64, len(far)*(d+1)) // of every side: records, and what they come to in every column
	for s, f := range far {
		own := sums[s*(d+1):][:d+1]
		for i, v := range values[f.column] {
			if f.holds(v) {
				continue
			}
			own[d]++
			for j := range d {
				own[j] += shown[j][i]
			}
		}
	}
	a.add(sums)
	var out []side
	for s, f := range far {
		own := sums[s*(d+1):][:d+1]
		n, square, others := own[d], 0.0, 0.0
		for j, u := range usual {
			if j == f.column || !(u.sd > 0) {
				continue
			}
			z := (own[j] - n*u.mean) / (u.sd * math.Sqrt(n))
			square += z * z
			others++
		}
		if others > 0 && square <= others+farErrors*math.Sqrt(2*others) {
			out = append(out, f)
		}
	}
	return out
}
