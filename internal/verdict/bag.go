package verdict

import (
	"math"
	"slices"
)

// bag holds records of counts: words of documents, events, copies of alleles.
type bag struct {
	// trials is the largest count of a feature, of copies of alleles; 0 means
	// that the counts of a record share its total.
	trials int
	cols   int // features
	ptr    []int
	index  []uint32 // of copies: cols+j says that feature j is missing
	value  []float32
	size   []float64 // counts of every record; of copies, those that were looked at

	// drawn is the number of records at the overall frequencies that every group of
	// copies is given, more than pseudoCopies.
	drawn float64
	few   bool // copies of few people: groups are looked at by themselves

	places *strand // nil where all records are here
	whole  bool    // copies of which none is missing at any place; not looked for where all records are here
}

// n is the number of records here.
func (b *bag) n() int { return len(b.size) }

// all is the number of records at all places.
func (b *bag) all() int {
	n, _ := b.places.ranked(b.n())
	return n
}

// on returns the bag for work on another strand.
func (b *bag) on(own *strand) *bag {
	out := *b
	out.places = own
	return &out
}

// width is the number of columns: those for missing features stand behind.
func (b *bag) width() int {
	if b.trials > 0 {
		return 2 * b.cols
	}
	return b.cols
}

// add appends a record.
func (b *bag) add(index []uint32, value []float32) {
	if b.ptr == nil {
		b.ptr = []int{0}
	}
	b.index, b.value = append(b.index, index...), append(b.value, value...)
	b.ptr = append(b.ptr, len(b.index))
	size := float64(b.trials * b.cols)
	for e, j := range index {
		switch {
		case int(j) >= b.cols:
			size -= float64(b.trials)
		case b.trials == 0:
			size += float64(value[e])
		}
	}
	b.size = append(b.size, size)
}

func (b *bag) row(i int) ([]uint32, []float32) {
	return b.index[b.ptr[i]:b.ptr[i+1]], b.value[b.ptr[i]:b.ptr[i+1]]
}

// pick returns some of the records.
func (b *bag) pick(list []int) *bag {
	out := &bag{trials: b.trials, cols: b.cols, ptr: []int{0}, drawn: b.drawn, few: b.few, places: b.places, whole: b.whole}
	for _, i := range list {
		out.add(b.row(i))
	}
	return out
}

// except returns the records that are in no part but the given one, and those in
// it.
func (b *bag) except(parts [][]int, part int) (train, test *bag) {
	var rest []int
	for p, list := range parts {
		if p != part {
			rest = append(rest, list...)
		}
	}
	slices.Sort(rest)
	return b.pick(rest), b.pick(parts[part])
}

// overall returns the shares of the features, or frequencies of the copies.
func (b *bag) overall() []float64 {
	out := make([]float64, b.cols)
	missing := make([]float64, b.cols)
	total := 0.0
	for e, j := range b.index {
		if int(j) >= b.cols {
			missing[int(j)-b.cols]++
			continue
		}
		out[j] += float64(b.value[e])
		total += float64(b.value[e])
	}
	sums := []float64{total, float64(b.n())}
	b.places.add(out, missing, sums)
	total = sums[0]
	for j := range out {
		if b.trials > 0 {
			out[j] = min(max((out[j]+1)/(float64(b.trials)*(sums[1]-missing[j])+2), rareCopy), 1-rareCopy)
		} else {
			out[j] = (out[j] + half) / (total + half*float64(b.cols))
		}
	}
	return out
}

// rareCopy keeps frequencies of copies away from 0 and 1.
const rareCopy = 1e-3

// meanSize is the mean number of counts of a record.
func (b *bag) meanSize() float64 {
	sums := []float64{0, float64(b.n())}
	for _, v := range b.size {
		sums[0] += v
	}
	b.places.add(sums)
	return sums[0] / math.Max(sums[1], 1)
}
