package verdict

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/moiety-go/moiety/internal/normals"
	"github.com/moiety-go/moiety/vocab"
)

// The second witness of mixed columns. Heaps are looked for among numbers over which
// flags and answers are spread, and that hides groups which only flags tell apart. The
// other way round, numbers can be taken for answers: a quarter of the records each.
// Groups of answers compete with amounts and trends on records kept aside, as
// everywhere. What it finds beyond the heaps is no claim, since what numbers have in
// common inside a group looks like groups of quarters; but nobody is sure then. It is
// also heard of answers that were read as measurements, where more clouds than groups
// describe them: answers bunch at the ends of a scale, which no cloud does.

// quarters are the answers that a column of numbers is cut into.
const quarters = 4

// witnessed is the largest number of groups of the records taken as answers that can be
// defended; 0 where there is too little to say. Two groups are nearly one line with two
// heaps, so that the smallest number would often be one.
func witnessed(ctx context.Context, all normals.Table, columns []vocab.Column, s Settings, places *strand) (int, error) {
	rows, dim, questions := asAnswers(all, columns, places)
	d := coded(rows, dim, questions, places)
	if len(d.lay.items) < 2 || d.n < leastRecords {
		return 0, nil
	}
	j, err := d.judge(ctx, s, &pulse{ctx: ctx})
	if err != nil {
		return 0, err
	}
	if err := j.search(ctx); err != nil {
		return 0, err
	}
	top, _ := j.best(func(candidate) bool { return true })
	list := j.defensible(top)
	return list[len(list)-1].groups, nil
}

// heard asks the second witness about a claim that would be sure.
func (v *Verdict) heard(ctx context.Context, all normals.Table, columns []vocab.Column, s Settings, places *strand) error {
	other, err := witnessed(ctx, all, columns, s, places)
	if err != nil || other <= v.Groups {
		return err
	}
	v.alsoDefended(other, s)
	return nil
}

// alsoDefended says that the columns, taken as answers, may show more groups.
func (v *Verdict) alsoDefended(groups int, s Settings) {
	v.Sure, v.Range[1] = false, max(v.Range[1], groups)
	w := s.Words.filled(true)
	v.Against = append([]Doubt{{MoreOrLess, fmt.Sprintf(
		"From %d to %d groups can be defended: taken as answers, the %s may show %d groups that overlap.", v.Groups, v.Range[1], w.Features, groups,
	)}}, v.Against...)
}

// asAnswers codes at most so many records as answers; what is missing is not answered.
func asAnswers(all normals.Table, columns []vocab.Column, places *strand) (rows [][]uint32, dim int, questions [][2]int) {
	all = places.some(all, pathRecords)
	rows = make([][]uint32, all.N)
	var numbers [][]float64
	table := columnsOf(all)
	for _, c := range columns {
		if c.Kind != vocab.Categorical {
			numbers = append(numbers, table[c.From:c.To]...)
		}
	}
	quarter := places.quarters(numbers)
	for _, c := range columns {
		if c.Kind == vocab.Categorical {
			for i := range rows {
				if l := slices.IndexFunc(all.Row(i)[c.From:c.To], func(v float64) bool { return v > 0 }); l >= 0 {
					rows[i] = append(rows[i], uint32(dim+l))
				}
			}
			questions = append(questions, [2]int{dim, dim + c.To - c.From})
			dim += c.To - c.From
			continue
		}
		for range c.To - c.From {
			of := quarter[0]
			quarter = quarter[1:]
			if of == nil { // nobody has a value
				continue
			}
			for i := range rows {
				if of[i] >= 0 {
					rows[i] = append(rows[i], uint32(dim+of[i]))
				}
			}
			questions = append(questions, [2]int{dim, dim + quarters})
			dim += quarters
		}
	}
	return rows, dim, questions
}

// some returns at most so many rows, spread evenly over those of all places.
func (a *strand) some(all normals.Table, most int) normals.Table {
	n, before := a.ranked(all.N)
	if n <= most {
		return all
	}
	var list []int
	for i := range most {
		if at := i*n/most - before; at >= 0 && at < all.N {
			list = append(list, at)
		}
	}
	return all.Rows(list)
}

// quarters returns the quarter in which the values of every column lie, −1 where one is
// missing; nil for a column without a value.
func (a *strand) quarters(columns [][]float64) [][]int {
	out := make([][]int, len(columns))
	for j, of := range a.quarterings(columns) {
		if of == nil {
			continue
		}
		out[j] = make([]int, len(columns[j]))
		for i, v := range columns[j] {
			if out[j][i] = -1; v == v {
				out[j][i] = of(v)
			}
		}
	}
	return out
}

// quarterings tell in which quarter of the values of every column a value lies; nil for a
// column without a value. Over several places values are counted in stretches, all of one
// in one quarter.
func (a *strand) quarterings(columns [][]float64) []func(v float64) int {
	out := make([]func(v float64) int, len(columns))
	if a == nil {
		for j, x := range columns {
			if known := present(x); len(known) > 0 {
				slices.Sort(known)
				out[j] = func(v float64) int { return quarterOf(known, v) }
			}
		}
		return out
	}
	for j, rank := range a.ranks(columns) {
		if rank != nil {
			out[j] = func(v float64) int { return min(int(rank(v)*quarters), quarters-1) }
		}
	}
	return out
}

// ranks tell the share of the records of all places that lie below a value of every column,
// with half of those in its stretch; nil for a column without a value.
func (a *strand) ranks(columns [][]float64) []func(v float64) float64 {
	const bins = 4 * stretches
	known, out := make([][]float64, len(columns)), make([]func(v float64) float64, len(columns))
	for j, x := range columns {
		known[j] = present(x)
	}
	m := a.spreads(known)
	from, width := make([]float64, len(columns)), make([]float64, len(columns))
	for j := range m {
		from[j], width[j] = m[j].mean-stretchReach*m[j].sd, 2*stretchReach*m[j].sd/bins+tiny
	}
	bin := func(j int, v float64) int {
		return j*bins + min(max(int((tamed(v)-from[j])/width[j]), 0), bins-1)
	}
	count := make([]float64, len(columns)*bins)
	counted := func() {
		clear(count)
		for j, x := range known {
			for _, v := range x {
				count[bin(j, v)]++
			}
		}
		a.add(count)
	}
	counted()
	for j := range m { // where nearly all are
		lo, hi := bulk(count[j*bins:][:bins], stretchTail*m[j].n)
		from[j], width[j] = from[j]+float64(lo)*width[j], width[j]*float64(hi+1-lo)/bins
	}
	counted()
	for j := range columns {
		if m[j].n == 0 {
			continue
		}
		below, sofar := make([]float64, bins), 0.0
		for b, c := range count[j*bins:][:bins] {
			below[b] = (sofar + c/2) / m[j].n
			sofar += c
		}
		out[j] = func(v float64) float64 { return below[bin(j, v)-j*bins] }
	}
	return out
}

// quarterOf is the quarter of the sorted values in which v lies: equal values lie in one.
func quarterOf(sorted []float64, v float64) int {
	lo, _ := slices.BinarySearch(sorted, v)
	hi, _ := slices.BinarySearch(sorted, math.Nextafter(v, math.Inf(1)))
	return min((lo+hi)/2*quarters/len(sorted), quarters-1)
}
