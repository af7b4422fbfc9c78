package explain

import (
	"slices"
	"strconv"

	"github.com/moiety-go/moiety/dataset"
)

// matchRecords pairs the rows of two data sets and says how. Records that have
// the same id several times are paired in order. Sequences are paired step by
// step where they are equally long.
func matchRecords(a, b *dataset.Dataset, common [][2]int32) (rows [][2]int32, how Matching) {
	if (a.Steps == nil) != (b.Steps == nil) {
		return nil, ByFeatures
	}
	if a.IDs != nil && b.IDs != nil {
		rows = byID(a, b)
		// The ids of two files that are numbered from 1 mean nothing unless the
		// records look the same.
		if len(rows) == 0 || numbered(a) && numbered(b) && differing(a, b, rows, common) {
			return nil, ByFeatures
		}
		return rows, ByID
	}
	if a.Len() != b.Len() {
		return nil, ByFeatures
	}
	for i := range a.Len() {
		rows = appendRows(rows, a, b, i, i)
	}
	// Two files of the same length are the same records only if they look so.
	if differing(a, b, rows, common) {
		return nil, ByFeatures
	}
	return rows, ByPosition
}

// numbered reports whether the ids are the numbers of the records.
func numbered(d *dataset.Dataset) bool {
	for i := range d.Len() {
		if d.ID(i) != strconv.Itoa(i+1) {
			return false
		}
	}
	return true
}

func byID(a, b *dataset.Dataset) [][2]int32 {
	places := make(map[string][]int, b.Len())
	for i := range b.Len() {
		places[b.ID(i)] = append(places[b.ID(i)], i)
	}
	var rows [][2]int32
	for i := range a.Len() {
		if list := places[a.ID(i)]; len(list) > 0 {
			rows = appendRows(rows, a, b, i, list[0])
			places[a.ID(i)] = list[1:]
		}
	}
	return rows
}

// appendRows pairs the rows of record i of a with those of record j of b.
func appendRows(rows [][2]int32, a, b *dataset.Dataset, i, j int) [][2]int32 {
	if a.Steps == nil {
		return append(rows, [2]int32{int32(i), int32(j)})
	}
	from, to, at := a.Steps[i], a.Steps[i+1], b.Steps[j]
	if to-from != b.Steps[j+1]-at {
		return rows
	}
	for r := from; r < to; r++ {
		rows = append(rows, [2]int32{int32(r), int32(at + r - from)})
	}
	return rows
}

// differ reports whether most matched records are other ones.
func (c *comparer) differ(rows [][2]int32) bool {
	return differing(c.a.Data, c.b.Data, rows, c.shared)
}

// differing reports whether most of the paired rows differ in the features that
// both data sets have. Where these are less than half of the features of
// either, nothing can be said.
func differing(a, b *dataset.Dataset, rows [][2]int32, common [][2]int32) bool {
	if 2*len(common) < max(a.Rows.Dim, b.Rows.Dim) {
		return false
	}
	ofA, ofB := places(a.Rows.Dim, common, 0), places(b.Rows.Dim, common, 1)
	same := 0
	var x, y []entry
	for _, r := range rows {
		x, y = entries(x[:0], a, int(r[0]), ofA), entries(y[:0], b, int(r[1]), ofB)
		if slices.Equal(x, y) {
			same++
		}
	}
	return 2*same < len(rows)
}

// entry is a value of a common feature. Missing values are all alike.
type entry struct {
	feature int32
	value   float64
	missing bool
}

// places returns, for every feature of a side, its number among the common
// ones, or -1.
func places(dim int, common [][2]int32, side int) []int32 {
	out := make([]int32, dim)
	for h := range out {
		out[h] = -1
	}
	for n, pair := range common {
		out[pair[side]] = int32(n)
	}
	return out
}

// entries appends the values of a row that are not zero, by common feature.
func entries(dst []entry, d *dataset.Dataset, row int, place []int32) []entry {
	eachEntry(d, row, func(h int, v float64) {
		switch n := place[h]; {
		case n < 0 || v == 0:
		case v != v:
			dst = append(dst, entry{feature: n, missing: true})
		default:
			dst = append(dst, entry{feature: n, value: v})
		}
	})
	slices.SortFunc(dst, func(x, y entry) int { return int(x.feature - y.feature) })
	return dst
}
