package verdict

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/pass"
)

const (
	mostRecords  = 4000 // that are looked at
	rarest       = 3    // records that have a feature, or lack it, for it to be looked at
	mostFeatures = 400  // of presences that are looked at
)

// drawn are the coded records of a sample, and the feature of every column.
type drawn struct {
	lay     *layout
	rows    [][]uint32
	record  []int // number of every record, among those here
	feature []int
	dim     int // features in all

	places *strand // nil where all records are here
	n      int     // records of all places
	before int     // records of places before this one
}

// draw takes at most so many records. Which ones depends on what they hold alone,
// so that memory, disk and any number of workers give the same, and data that
// differ by a record nearly always do: what is claimed of them is shared. Over
// several places it depends on their numbers among all, which every place knows.
func draw(ctx context.Context, run pass.Runner, questions [][2]int) (*drawn, error) {
	places := strandOf(ctx, run)
	wanted := wantedOf(run, mostRecords)
	if places == nil {
		var err error
		if wanted, err = pass.Steady(ctx, run, run.Can().Size(mostRecords)); err != nil {
			return nil, err
		}
	}
	order := byNumber(wanted)
	rows := make([][]uint32, len(wanted))
	_, err := run.Own(ctx, func(b pass.Block) error {
		if !b.Rows.IsBinary() || b.Steps != nil {
			return fmt.Errorf("verdict: rows hold values, want presences or answers")
		}
		at, _ := slices.BinarySearchFunc(order, b.First, func(i, first int) int { return cmp.Compare(wanted[i], first) })
		for ; at < len(order) && wanted[order[at]] < b.First+b.Rows.N(); at++ {
			index, _ := b.Rows.Row(wanted[order[at]] - b.First)
			rows[order[at]] = slices.Clone(index)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	d := coded(rows, run.Dim(), questions, places)
	d.record = wanted
	return d, places.failed()
}

// wantedOf returns the numbers of the records here that are looked at, by their numbers
// among those of all places.
func wantedOf(run pass.Runner, most int) []int {
	can := run.Can()
	var out []int
	for _, number := range stream.Some(stream.New(0, "verdict/places"), run.Len(), can.Size(most)) {
		if own := number - can.First; own >= 0 && own < can.Own {
			out = append(out, own)
		}
	}
	return out
}

// byNumber returns the draws in the order of the numbers of their records.
func byNumber(wanted []int) []int {
	order := make([]int, len(wanted))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(wanted[a], wanted[b]) })
	return order
}

// coded leaves out features that can say nothing, and numbers the columns anew.
func coded(rows [][]uint32, dim int, questions [][2]int, places *strand) *drawn {
	seen := make([]float64, dim)
	for _, r := range rows {
		for _, j := range r {
			seen[j]++
		}
	}
	places.add(seen)
	d := &drawn{lay: &layout{presence: questions == nil}, dim: dim, places: places, rows: rows}
	d.n, d.before = places.ranked(len(rows))
	if questions == nil {
		d.presences(seen, float64(d.n))
	} else {
		d.questions(seen, questions)
	}
	column := d.columns()
	d.rows = make([][]uint32, len(rows))
	for i, r := range rows {
		d.rows[i] = recoded(r, column)
	}
	return d
}

// ranked counts the records of all places, and of those before this one.
func (a *strand) ranked(own int) (n, before int) {
	if a == nil {
		return own, 0
	}
	counts := make([]float64, a.count)
	counts[a.place] = float64(own)
	a.add(counts)
	for place, c := range counts {
		if place < a.place {
			before += int(c)
		}
		n += int(c)
	}
	return n, before
}

// partition divides the records of all places into parts, and returns those here.
func (d *drawn) partition(parts int, seed uint64, name string) [][][]uint32 {
	out := make([][][]uint32, parts)
	for part, list := range partitionHere(d.n, d.before, len(d.rows), parts, seed, name) {
		for _, i := range list {
			out[part] = append(out[part], d.rows[i])
		}
	}
	return out
}

// partitionHere divides n records into parts, and returns those of this place, which has so many
// of its own behind those of the places before.
func partitionHere(n, before, own, parts int, seed uint64, name string) [][]int {
	out := partition(n, parts, seed, name)
	if own == n {
		return out
	}
	for part, list := range out {
		here := list[:0]
		for _, i := range list {
			if i -= before; i >= 0 && i < own {
				here = append(here, i)
			}
		}
		out[part] = here
	}
	return out
}

// partition divides the records of all places, of which so many are here, into parts.
func (a *strand) partition(own, parts int, seed uint64, name string) [][]int {
	n, before := a.ranked(own)
	return partitionHere(n, before, own, parts, seed, name)
}

// columns returns the column of every feature, or -1.
func (d *drawn) columns() []int {
	out := make([]int, d.dim)
	for j := range out {
		out[j] = -1
	}
	for c, j := range d.feature {
		out[j] = c
	}
	return out
}

// recoded returns the columns of a record.
func recoded(row []uint32, column []int) []uint32 {
	var out []uint32
	for _, j := range row {
		if c := column[j]; c >= 0 {
			out = append(out, uint32(c))
		}
	}
	return out
}

// presences keeps the features that some records have and some lack, the most
// frequent of them.
func (d *drawn) presences(seen []float64, n float64) {
	for j, s := range seen {
		if s >= min(rarest, n) && n-s >= min(rarest, n) {
			d.feature = append(d.feature, j)
		}
	}
	if len(d.feature) > mostFeatures {
		slices.SortStableFunc(d.feature, func(a, b int) int { return cmp.Compare(seen[b], seen[a]) })
		d.feature = d.feature[:mostFeatures]
		slices.Sort(d.feature)
	}
	for c := range d.feature {
		d.lay.items = append(d.lay.items, item{c, 2})
	}
	d.lay.cols = len(d.feature)
}

// questions keeps the answers that were given, of questions with several.
func (d *drawn) questions(seen []float64, questions [][2]int) {
	for _, q := range questions {
		var given []int
		for j := q[0]; j < q[1]; j++ {
			if seen[j] > 0 {
				given = append(given, j)
			}
		}
		if len(given) > 1 {
			d.lay.items = append(d.lay.items, item{len(d.feature), len(given)})
			d.feature = append(d.feature, given...)
		}
	}
	d.lay.cols = len(d.feature)
}

// addTriangle adds up a square table of d columns of which the part below its diagonal
// is asked for.
func (a *strand) addTriangle(square []float64, d int) {
	if a == nil {
		return
	}
	var list []float64
	for i := range d {
		for j := range i {
			list = append(list, square[i*d+j]+square[j*d+i])
		}
	}
	a.add(list)
	for i := range d {
		for j := range i {
			square[i*d+j], square[j*d+i] = list[0], 0
			list = list[1:]
		}
	}
}

func sortPairs(list [][2]int) {
	slices.SortFunc(list, func(a, b [2]int) int {
		return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]))
	})
}
