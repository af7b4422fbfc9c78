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
func wellKnown(all normals.Table, record []int, columns []vocab.Column, places *strand) (normals.Table, []int) {
	codes := codesOf(columns, all, places)
	blanks := make([]int, all.N)
	count := make([]float64, len(codes)+1)
	for i := range blanks {
		for _, c := range codes {
			if x := c.raw(all.Row(i)); x != x {
				blanks[i]++
			}
		}
		count[blanks[i]]++
	}
	places.add(count)
	limit, n, whole := 0, count[0], sum(count)
	for n < whole && (n < enoughKnown || n < shareKnown*whole) {
		limit++
		n += count[limit]
	}
	if n == whole || unlike(all, codes, blanks, limit, places) {
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
func unlike(all normals.Table, codes []code, blanks []int, limit int, places *strand) bool {
	const errors = 5
	lists := make([][]float64, 2*len(codes)) // of every column: with few blanks, and with many
	for j, c := range codes {
		for i, b := range blanks {
			if x := c.raw(all.Row(i)); x == x {
				side := 2*j + boolInt(b > limit)
				lists[side] = append(lists[side], x)
			}
		}
	}
	sides := places.spreads(lists)
	for j := range codes {
		few, many := sides[2*j], sides[2*j+1]
		if few.n < 2 || many.n < 2 {
			continue
		}
		if d := math.Abs(few.mean - many.mean); d > errors*math.Sqrt(few.sd*few.sd/few.n+many.sd*many.sd/many.n) && d > 0 {
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
