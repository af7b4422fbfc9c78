package verdict

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/moiety-go/moiety/internal/normals"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/pass"
)

// measuredBySums is Measured for records at several places. What it looks at are the
// same clouds and the same gaps; how that is seen without a record stands in along.go.
// It is nil where a column has a value that stands for something else than a number:
// such columns are judged as flags and numbers, which is done record by record.
func measuredBySums(ctx context.Context, run pass.Runner, s Settings, places *strand) (*Verdict, error) {
	all, record, err := rowsAt(ctx, run, wantedOf(run, rowsWanted(run)))
	if err != nil {
		return nil, err
	}
	all, record = places.unblanked(all, record)
	all, record, equal := distinctRows(all, record, realColumns(all.D))
	said := []float64{0, 0, float64(all.N), 0} // equal records, values that are no numbers, records, those with a blank
	if equal {
		said[0] = 1
	}
	if hasAtoms(all) {
		said[1] = float64(all.N)
	}
	for i := range all.N {
		if slices.ContainsFunc(all.Row(i), func(v float64) bool { return v-v != 0 }) {
			said[3]++
		}
	}
	places.add(said)
	if err := places.failed(); err != nil {
		return nil, err
	}
	const seen = .25 // of the records lie at places that see such a value
	switch {
	case said[3] > 0:
		return nil, fmt.Errorf("verdict: %v records have no finite value of some feature; %w", said[3], ErrBlanks)
	case said[1] > seen*said[2]:
		return nil, nil
	}
	m := places.varied(all, record, run.Can().First, s.Seed)
	v, err := m.verdict(ctx, s)
	if err == nil && v.Form == nil { // too few records to judge have a shape all the same
		var one *clouds
		if one, err = m.newTrail(s).one(ctx); err == nil {
			v.Form = m.form(one, 1)
		}
	}
	if err = errors.Join(err, places.failed()); err != nil {
		return nil, err
	}
	w := s.Words.filled(true)
	if v.Sure && m.coarse && v.Components > v.Groups { // the second witness looks at records
		v.Sure = false
		v.Against = append(v.Against, Doubt{Overlap, fmt.Sprintf("There may be groups that overlap; %d clouds describe the %s best.", v.Components, w.Records)})
	}
	if said[0] > 0 {
		v.equalOnes(w)
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
	if count[1] == count[0] || count[1] < leastComplete*count[0] {
		return all, record
	}
	return all.Rows(list), kept
}

// units that a scale may have been rounded to, the coarsest first.
var units = []float64{1000, 500, 100, 50, 10, 5, 2, 1, .5, .25, .2, .1, .05, .02, .01, .005, .002, .001, 1e-4}

// varied keeps the columns with several values, and spreads what was rounded over its
// unit, as varied does for records that are all here. The unit is the coarsest of which
// all values are multiples; where values repeat at the places and are multiples of
// none, the middle of what the places take for their unit.
func (a *strand) varied(all normals.Table, record []int, first int, seed uint64) *measures {
	m := &measures{record: record, dim: all.D, places: a}
	m.n, m.before = a.ranked(all.N)
	const each = 5 // records, sums, those that differ from the place's first, other values, units
	sums, others := make([]float64, all.D*each), make([]float64, all.D*len(units))
	for h := range all.D {
		s, o := sums[h*each:][:each], others[h*len(units):][:len(units)]
		values := make([]float64, all.N)
		for i := range values {
			v := all.X[i*all.D+h]
			values[i] = v
			s[1] += v
			for u, unit := range units {
				if x := v / unit; math.Abs(x-math.Round(x)) > 1e-6*max(1, math.Abs(x)*1e-6) {
					o[u]++
				}
			}
		}
		slices.Sort(values)
		distinct := 0
		for i, v := range values {
			if i == 0 || v > values[i-1] {
				distinct++
			}
		}
		s[0], s[3] = float64(all.N), float64(distinct)
		if distinct > 1 {
			s[4] = float64(all.N) * unit(values)
		}
	}
	a.add(sums, others)
	squares := make([]float64, all.D)
	for h := range squares {
		mean := sums[h*each+1] / max(sums[h*each], 1)
		for i := range all.N {
			v := all.X[i*all.D+h] - mean
			squares[h] += v * v
		}
	}
	a.add(squares)
	step, coarse := make([]float64, all.D), 0
	for h := range step {
		s := sums[h*each:][:each]
		sd, mean := math.Sqrt(squares[h]/max(s[0], 1)), s[1]/max(s[0], 1)
		if !(sd > 1e-12*math.Abs(mean)) {
			continue
		}
		m.column = append(m.column, h)
		if step[h] = rounded(s[0], s[3], s[4]/max(s[0], 1), sd, others[h*len(units):][:len(units)]); step[h] > coarseUnit*sd {
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
