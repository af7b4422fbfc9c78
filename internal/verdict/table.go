package verdict

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
)

// An item is a feature that a record has or has not, or a question with one
// answer of several.
type item struct {
	first   int // its first column
	answers int // 2 for a presence
}

// layout says what the columns of coded records are. A presence has one column,
// for its being there; a question has a column for each answer, of which the
// first is the reference, and a record without an entry did not answer.
type layout struct {
	presence bool
	items    []item
	cols     int
}

// free returns the columns of an item that have parameters.
func (l *layout) free(it item) (from, to int) {
	if l.presence {
		return it.first, it.first + 1
	}
	return it.first + 1, it.first + it.answers
}

// sample is a number of coded records; equal ones are kept once, with their
// count.
type sample struct {
	ptr   []int
	index []uint32
	count []float64
	n     float64 // records: the sum of count, of all places
	cols  int
	equal bool  // some record stands for several
	each  int   // columns of every record, where all have as many; else 0
	of    []int // the row of every record
	oneByOne
}

func (s *sample) rows() int { return len(s.count) }

func (s *sample) row(i int) []uint32 { return s.index[s.ptr[i]:s.ptr[i+1]] }

// newSample merges equal records; rows hold rising columns.
func newSample(rows [][]uint32, cols int) *sample {
	order := make([]int, len(rows))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(slices.Compare(rows[a], rows[b]), a-b) })
	s := &sample{ptr: []int{0}, cols: cols, n: float64(len(rows)), of: make([]int, len(rows))}
	for at, i := range order {
		if at > 0 && slices.Equal(rows[i], rows[order[at-1]]) {
			s.count[len(s.count)-1]++
			s.equal = true
		} else {
			s.index = append(s.index, rows[i]...)
			s.ptr = append(s.ptr, len(s.index))
			s.count = append(s.count, 1)
		}
		s.of[i] = len(s.count) - 1
	}
	if s.rows() > 0 && !slices.ContainsFunc(rows, func(r []uint32) bool { return len(r) != len(rows[0]) }) {
		s.each = len(rows[0])
	}
	return s
}

// sample is newSample of records here, with the number of those of all places.
func (a *strand) sample(rows [][]uint32, cols int) *sample {
	s := newSample(rows, cols)
	s.n = a.one(s.n)
	return s
}

// distinct keeps every record once, at its first place; over several places, every
// record of a place.
func (d *drawn) distinct() {
	seen := map[string]bool{}
	at := 0
	for i, r := range d.rows {
		if k := key(r); !seen[k] {
			seen[k] = true
			d.rows[at], d.record[at] = r, d.record[i]
			at++
		}
	}
	d.rows, d.record = d.rows[:at], d.record[:at]
	d.n, d.before = d.places.ranked(len(d.rows))
}

// key is a record as a word for a map.
func key(row []uint32) string {
	var b bytes.Buffer
	var four [4]byte
	for _, c := range row {
		binary.LittleEndian.PutUint32(four[:], c)
		b.Write(four[:])
	}
	return b.String()
}

// pairs counts the pairs of equal records between two samples.
func pairs(a, b *sample) float64 {
	count := map[string]float64{}
	for i := range a.rows() {
		count[key(a.row(i))] = a.count[i]
	}
	sum := 0.0
	for i := range b.rows() {
		sum += b.count[i] * count[key(b.row(i))]
	}
	return sum
}

// overall returns the frequency of every column, with half a record more for
// each answer: what one group has, whatever the prior.
func (l *layout) overall(s *sample, places *strand) []float64 {
	seen := make([]float64, l.cols)
	for i, c := range s.count {
		for _, j := range s.row(i) {
			if int(j) < l.cols {
				seen[j] += c
			}
		}
	}
	places.add(seen)
	out := make([]float64, l.cols)
	for _, it := range l.items {
		if l.presence {
			out[it.first] = (seen[it.first] + half) / (s.n + 2*half)
			continue
		}
		n := 0.0
		for j := it.first; j < it.first+it.answers; j++ {
			n += seen[j]
		}
		for j := it.first; j < it.first+it.answers; j++ {
			out[j] = (seen[j] + half) / (n + half*float64(it.answers))
		}
	}
	return out
}

// half is what every answer is given before the records are counted.
const half = 0.5
