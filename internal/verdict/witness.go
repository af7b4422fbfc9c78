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
func witnessed(ctx context.Context, all normals.Table, columns []vocab.Column, s Settings) (int, error) {
	rows, dim, questions := asAnswers(all, columns)
	d := coded(rows, dim, questions, nil)
	if len(d.lay.items) < 2 || len(d.rows) < leastRecords {
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
func (v *Verdict) heard(ctx context.Context, all normals.Table, columns []vocab.Column, s Settings) error {
	other, err := witnessed(ctx, all, columns, s)
	if err != nil || other <= v.Groups {
		return err
	}
	v.Sure, v.Range[1] = false, other
	w := s.Words.filled(true)
	v.Against = append([]Doubt{{MoreOrLess, fmt.Sprintf(
		"From %d to %d groups can be defended: taken as answers, the %s may show %d groups that overlap.", v.Groups, other, w.Features, other,
	)}}, v.Against...)
	return nil
}

// asAnswers codes at most so many records as answers; what is missing is not answered.
func asAnswers(all normals.Table, columns []vocab.Column) (rows [][]uint32, dim int, questions [][2]int) {
	n := min(all.N, pathRecords)
	rows = make([][]uint32, n)
	at := func(i int) []float64 { return all.Row(i * all.N / n) }
	for _, c := range columns {
		if c.Kind == vocab.Categorical {
			for i := range rows {
				if l := slices.IndexFunc(at(i)[c.From:c.To], func(v float64) bool { return v > 0 }); l >= 0 {
					rows[i] = append(rows[i], uint32(dim+l))
				}
			}
			questions = append(questions, [2]int{dim, dim + c.To - c.From})
			dim += c.To - c.From
			continue
		}
		for h := c.From; h < c.To; h++ {
			var known []float64
			for i := range rows {
				if v := at(i)[h]; v == v {
					known = append(known, v)
				}
			}
			if len(known) == 0 {
				continue
			}
			slices.Sort(known)
			for i := range rows {
				if v := at(i)[h]; v == v {
					rows[i] = append(rows[i], uint32(dim+quarterOf(known, v)))
				}
			}
			questions = append(questions, [2]int{dim, dim + quarters})
			dim += quarters
		}
	}
	return rows, dim, questions
}

// quarterOf is the quarter of the sorted values in which v lies: equal values lie in one.
func quarterOf(sorted []float64, v float64) int {
	lo, _ := slices.BinarySearch(sorted, v)
	hi, _ := slices.BinarySearch(sorted, math.Nextafter(v, math.Inf(1)))
	return min((lo+hi)/2*quarters/len(sorted), quarters-1)
}
