package verdict

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/moiety-go/moiety/internal/normals"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/pass"
)

// measuredBySums is Measured for records at several places. What it looks at are the
// same clouds and the same gaps; how that is seen without a record stands in along.go.
func measuredBySums(ctx context.Context, run pass.Runner, s Settings, places *strand) (*Verdict, error) {
	all, record, err := rowsAt(ctx, run, wantedOf(run, rowsWanted(run)))
	if err != nil {
		return nil, err
	}
	all, record = places.unblanked(all, record)
	columns := realColumns(all.D)
	all, record, equal := distinctRows(all, record, columns)
	said := []float64{float64(boolInt(equal)), 0} // equal records, those with a blank
	for i := range all.N {
		if slices.ContainsFunc(all.Row(i), func(v float64) bool { return v-v != 0 }) {
			said[1]++
		}
	}
	places.add(said)
	if err := places.failed(); err != nil {
		return nil, err
	}
	if said[1] > 0 {
		return nil, fmt.Errorf("verdict: %v records have no finite value of some feature; %w", said[1], ErrBlanks)
	}
	far := places.reachesOf(all, columns)
	all, record = places.spared(far, all, record)
	m := places.varied(all, record, run.Can().First, s.Seed)
	var v *Verdict
	if hasAtoms(all, places) {
		v, err = byColumns(ctx, all, record, columns, s, places, run.Can().First)
	} else if v, err = m.verdict(ctx, s); err == nil && v.Sure && m.coarse && v.Components > v.Groups { // answers that were read as numbers
		err = v.heard(s.heard.last(ctx), all, columns, s, places)
	}
	if err == nil && v.Form == nil { // judged by flags and numbers, or too few records to judge: they have a shape all the same
		var one *clouds
		if one, err = m.newTrail(s).one(ctx); err == nil {
			v.Form = m.form(one, 1)
		}
	}
	if err = errors.Join(err, places.failed()); err != nil {
		return nil, err
	}
	v.Far = far
	if said[0] > 0 {
		v.equalOnes(s.Words.filled(true))
	}
	return v, nil
}

// unblanked leaves out records with a missing value, where they are few.
func (a *strand) unblanked(all normals.Table, record []int) (normals.Table, []int) {
	var list, kept []int
	for i := range all.N {
		if !normals.Blank(all.Row(i)) {
			list, kept = append(list, i), append(kept, record[i])
		}
	}
	count := []float64{float64(all.N), float64(len(list))}
	a.add(count)
	if count[1] == count[0] || count[1] < LeastComplete*count[0] {
		return all, record
	}
	return all.Rows(list), kept
}

// units that a scale may have been rounded to, the coarsest first.
var units = []float64{1000, 500, 100, 50, 10, 5, 2, 1, .5, .25, .2, .1, .05, .02, .01, .005, .002, .001, 1e-4}

// varied keeps the columns with several values, and spreads what was rounded over its
// unit, as varied does for records that are all here.
func (a *strand) varied(all normals.Table, record []int, first int, seed uint64) *measures {
	m := &measures{record: record, dim: all.D, places: a}
	m.n, m.before = a.ranked(all.N)
	step, coarse := make([]float64, all.D), 0
	for h, c := range a.scales(columnsOf(all)) {
		if !c.varies {
			continue
		}
		m.column = append(m.column, h)
		if step[h] = c.step; c.step > coarseUnit*c.sd {
			coarse++
		}
	}
	m.coarse = 2*coarse > len(m.column)
	m.table = normals.Table{N: all.N, D: len(m.column), X: make([]float64, all.N*len(m.column))}
	for i := range all.N {
		row, r := m.table.Row(i), stream.New(seed, fmt.Sprintf("verdict/units%d", first+record[i]))
		for c, h := range m.column {
			row[c] = all.X[i*all.D+h] + step[h]*(r.Float64()-.5)
		}
	}
	m.table = a.over(m.table)
	return m
}

// rounded is the unit of n values with so many different ones, counted at each place,
// with the deviation sd; own is the middle of the places' units, and off the number of
// values that are no multiples of each unit. Values that hardly repeat were not rounded.
func rounded(n, distinct, own, sd float64, off []float64) float64 {
	const repeats, reach = .7, 6 // of the values, when fewer are different; deviations that values fill
	for u, unit := range units {
		if off[u] == 0 {
			if reach*sd/unit > repeats*n && distinct > repeats*n {
				return 0
			}
			return unit
		}
	}
	if distinct > repeats*n {
		return 0
	}
	return own
}
