package verdict

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/moiety-go/moiety/internal/normals"
	"github.com/moiety-go/moiety/vocab"
)

const (
	mostDonors = 1000 // records that others are filled from
	nearDonors = 5    // of these, the nearest of which one is taken
)

// Records with few blanks are enough to judge by from so many on, or this share.
const (
	enoughKnown = 300
	shareKnown  = .25
)

// wellKnown returns the records with the fewest blanks, enough of them to judge by:
// a blank that is filled in may lie between groups, and many of them hide the gap.
// All records stay where those with blanks differ from the others in what is known
// of them.
func wellKnown(all normals.Table, record []int, columns []vocab.Column) (normals.Table, []int) {
	codes := codesOf(columns, all)
	blanks, most := make([]int, all.N), 0
	for i := range blanks {
		for _, c := range codes {
			if x := c.raw(all.Row(i)); x != x {
				blanks[i]++
			}
		}
		most = max(most, blanks[i])
	}
	count := make([]int, most+1)
	for _, b := range blanks {
		count[b]++
	}
	limit, n := 0, count[0]
	for limit < most && (n < enoughKnown || float64(n) < shareKnown*float64(all.N)) {
		limit++
		n += count[limit]
	}
	if n == all.N || unlike(all, codes, blanks, limit) {
		return all, record
	}
	out, kept := normals.Table{D: all.D}, []int(nil)
	for i, b := range blanks {
		if b <= limit {
			out.N++
			out.X = append(out.X, all.Row(i)...)
			kept = append(kept, record[i])
		}
	}
	return out, kept
}

// unlike reports that records with more blanks than the limit differ from the
// others in the mean of some column, beyond chance.
func unlike(all normals.Table, codes []code, blanks []int, limit int) bool {
	const errors = 5
	for _, c := range codes {
		var few, many []float64
		for i, b := range blanks {
			x := c.raw(all.Row(i))
			switch {
			case x != x:
			case b <= limit:
				few = append(few, x)
			default:
				many = append(many, x)
			}
		}
		if len(few) < 2 || len(many) < 2 {
			continue
		}
		a, sa := spread(few)
		b, sb := spread(many)
		if d := math.Abs(a - b); d > errors*math.Sqrt(sa*sa/float64(len(few))+sb*sb/float64(len(many))) && d > 0 {
			return true
		}
	}
	return false
}

// complete gives every missing value (NaN) of some columns the value of a record like
// it: one of the nearest in the columns that both have. Groups stay groups that
// way, and one population stays one: values of just any record would lie between
// groups, and means would make heaps of their own.
func complete(columns [][]float64, r *rand.Rand) {
	if len(columns) == 0 {
		return
	}
	n := len(columns[0])
	rows, blank := standardRows(columns)
	if !slices.Contains(blank, true) {
		return
	}
	donors := r.Perm(n)[:min(n, mostDonors)]
	for i := range n {
		if !blank[i] {
			continue
		}
		near := donorsOf(rows, i, donors)
		for c, x := range columns {
			if rows[i][c] == rows[i][c] {
				continue
			}
			var from []int
			for _, o := range near {
				if len(from) < nearDonors && rows[o][c] == rows[o][c] {
					from = append(from, o)
				}
			}
			if len(from) > 0 {
				x[i] = x[from[r.IntN(len(from))]]
			}
		}
	}
	for _, x := range columns { // nobody among the donors had it
		fillAny(x, r)
	}
}

// standardRows returns the records in units of the spread of each column, and which
// of them miss something.
func standardRows(columns [][]float64) (rows [][]float64, blank []bool) {
	n := len(columns[0])
	rows, blank = make([][]float64, n), make([]bool, n)
	for i := range rows {
		rows[i] = make([]float64, len(columns))
	}
	for c, x := range columns {
		var known []float64
		for _, v := range x {
			if v == v {
				known = append(known, v)
			}
		}
		mean, sd := spread(known)
		for i, v := range x {
			rows[i][c] = (v - mean) / (sd + math.SmallestNonzeroFloat64)
			blank[i] = blank[i] || v != v
		}
	}
	return rows, blank
}

// donorsOf lists donors by their distance from a record over the columns that both
// have; those with none in common come last.
func donorsOf(rows [][]float64, i int, donors []int) []int {
	type other struct {
		record int
		far    float64
	}
	list := make([]other, 0, len(donors))
	for _, o := range donors {
		if o == i {
			continue
		}
		sum, common := 0.0, 0.0
		for c, v := range rows[i] {
			if d := v - rows[o][c]; d == d {
				sum += d * d
				common++
			}
		}
		far := math.Inf(1)
		if common > 0 {
			far = sum / common
		}
		list = append(list, other{o, far})
	}
	slices.SortStableFunc(list, func(a, b other) int {
		switch {
		case a.far < b.far:
			return -1
		case a.far > b.far:
			return 1
		}
		return 0
	})
	out := make([]int, len(list))
	for at, o := range list {
		out[at] = o.record
	}
	return out
}

// fillAny fills what is still missing with values of any records.
func fillAny(x []float64, r *rand.Rand) {
	var known []float64
	for _, v := range x {
		if v == v {
			known = append(known, v)
		}
	}
	for i, v := range x {
		if v != v && len(known) > 0 {
			x[i] = known[r.IntN(len(known))]
		}
	}
}
