package kernel

import (
	"slices"
	"sort"
	"unsafe"
)

// byLength holds rows in groups, the rows of a group of the same length: the ends of
// loops over them can then be predicted by the processor, and rows go side by side.
//
// First come lists of all rows of each length. What is left of a list beyond whole
// groups is copied behind them, to groups of rows of nearly the same length that
// are filled up with nothing, and the last with nobody.
type byLength struct {
	entries  []uint32  // offsets of features in tables, in bytes
	values   []float32 // of entries
	valued   bool
	runs     []mixRun
	nobodies int

	n    [lengthLists][2]int32 // rows of each length, by turns
	next [lengthLists][2]int32 // where their lists go on
	left []leftRow             // rows beyond whole groups
}

// mixRun is a run of groups of rows of so many entries.
type mixRun struct{ at, length, groups, _ uint32 }

// leftRow is a row by its place among the entries.
type leftRow struct{ at, length int }

const (
	// lengthLists is the number of lists; the last is that of all longer rows.
	lengthLists = 1024
	// batchEntries is the number of entries of rows that are divided together: they
	// stay in the second cache, and a call ends in time.
	batchEntries = 1 << 16
)

// rows groups the first rows of ptr by their length and returns their number. It reports false
// where offsets fall or leave the entries, or where an index is none of the table.
func (q *byLength) rows(m *Mixture, ptr []int, index []uint32, value []float32) (int, bool) {
	n, most, ok := q.count(ptr)
	if !ok || ptr[0] < 0 || ptr[n] > len(index) || value != nil && ptr[n] > len(value) {
		return 0, false
	}
	group := max(1, 8*active.lanes()/m.width)
	need := q.layout(ptr[:n+1], most, group)
	if len(q.entries) < need {
		q.entries = make([]uint32, need+need/8)
	}
	if q.valued = value != nil; q.valued && len(q.values) < len(q.entries) {
		q.values = make([]float32, len(q.entries))
	}
	var seen [16]uint32
	callDistribute(&ptr[0], n, unsafe.SliceData(index), unsafe.SliceData(value), &q.next[0][0],
		unsafe.SliceData(q.entries), unsafe.SliceData(q.values), m.d-1, 4*m.width, &seen[0])
	if slices.Max(seen[:]) >= uint32(m.d) && ptr[n] > ptr[0] {
		return 0, false
	}
	q.fill(m, group)
	return n, true
}

// count counts the rows of each length, as many as are divided together; most is
// the longest.
func (q *byLength) count(ptr []int) (n, most int, ok bool) {
	clear(q.n[:])
	n = max(1, sort.Search(len(ptr)-1, func(i int) bool { return ptr[i+1]-ptr[0] > batchEntries }))
	signs := 0
	for i := 0; i < n; i += 2 {
		length := ptr[i+1] - ptr[i]
		signs |= length
		most = max(most, length)
		q.n[min(uint(length), lengthLists-1)][0]++
		if i+1 == n {
			break
		}
		length = ptr[i+2] - ptr[i+1]
		signs |= length
		most = max(most, length)
		q.n[min(uint(length), lengthLists-1)][1]++
	}
	return n, most, signs >= 0
}

// layout sets where each list begins, the runs and the rows left, by their
// lengths, and returns the number of entries in all.
func (q *byLength) layout(ptr []int, most, group int) int {
	q.runs, q.left = q.runs[:0], q.left[:0]
	at := 0
	for l, turns := range q.n[:min(most+1, lengthLists-1)] {
		q.next[l] = [2]int32{int32(at), int32(at) + turns[0]*int32(l)}
		n := int(turns[0] + turns[1])
		whole := n / group
		if whole > 0 {
			q.runs = append(q.runs, mixRun{at: uint32(at), length: uint32(l), groups: uint32(whole)})
		}
		for i := whole * group; i < n; i++ {
			q.left = append(q.left, leftRow{at + i*l, l})
		}
		at += n * l
	}
	if most >= lengthLists-1 {
		at = q.long(ptr, at)
	}
	for i := group - 1; i < len(q.left)+group-1; i += group {
		length := max(1, q.left[min(i, len(q.left)-1)].length)
		q.runs = append(q.runs, mixRun{at: uint32(at), length: uint32(length), groups: 1})
		at += group * length
	}
	return at
}

// long adds the rows of the last lists, which begin at at, to those left, and
// returns where they end.
func (q *byLength) long(ptr []int, at int) int {
	first := len(q.left)
	for turn := range 2 {
		q.next[lengthLists-1][turn] = int32(at)
		for i := turn; i < len(ptr)-1; i += 2 {
			if length := ptr[i+1] - ptr[i]; length >= lengthLists-1 {
				q.left = append(q.left, leftRow{at, length})
				at += length
			}
		}
	}
	slices.SortStableFunc(q.left[first:], func(a, b leftRow) int { return a.length - b.length })
	return at
}

// fill copies the rows left to their groups, the last runs.
func (q *byLength) fill(m *Mixture, group int) {
	groups := (len(q.left) + group - 1) / group
	q.nobodies = groups*group - len(q.left)
	for g, run := range q.runs[len(q.runs)-groups:] {
		for i := range group {
			lo, n := int(run.at)+i*int(run.length), 0
			hi := lo + int(run.length)
			if i += g * group; i < len(q.left) {
				n = q.copy(lo, q.left[i])
			} else {
				n = q.one(lo, m, nobody)
			}
			for lo += n; lo < hi; lo++ {
				q.one(lo, m, nothing)
			}
		}
	}
}

// copy copies a row to lo and returns the number of its entries.
func (q *byLength) copy(lo int, r leftRow) int {
	if q.valued {
		copy(q.values[lo:], q.values[r.at:][:r.length])
	}
	return copy(q.entries[lo:], q.entries[r.at:][:r.length])
}

// one sets the entry at lo to one of a spare feature.
func (q *byLength) one(lo int, m *Mixture, spare int) int {
	if q.entries[lo] = uint32(4 * m.width * (m.d + spare)); q.valued {
		q.values[lo] = 1
	}
	return 1
}
