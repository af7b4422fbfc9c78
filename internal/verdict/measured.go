package verdict

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/moiety-go/moiety/internal/normals"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// Measured judges measurements: clouds of normal or heavy-tailed shape describe
// the records, and those with a valley between them are groups.
func Measured(ctx context.Context, run pass.Runner, s Settings) (*Verdict, error) {
	s.heard = newGauge(ctx, judging)
	if places := strandOf(ctx, run); places != nil {
		return measuredBySums(ctx, run, s, places)
	}
	all, record, err := drawRows(ctx, run)
	if err != nil {
		return nil, err
	}
	var whole *strand
	all, record = whole.unblanked(all, record)
	columns := realColumns(all.D)
	all, record, equal := distinctRows(all, record, columns)
	far := whole.reachesOf(all, columns)
	all, record = whole.spared(far, all, record)
	var v *Verdict
	m, err := varied(all, record, s.Seed)
	switch {
	case err != nil:
	case hasAtoms(all, nil):
		v, err = byColumns(ctx, all, record, columns, s, nil, 0)
	default:
		v, err = m.verdict(ctx, s)
		if err == nil && v.Sure && m.coarse && v.Components > v.Groups { // answers that were read as numbers
			err = v.heard(s.heard.last(ctx), all, columns, s, nil)
		}
	}
	if err != nil {
		return nil, err
	}
	v.Far = far
	if equal {
		v.equalOnes(s.Words.filled(true))
	}
	return v, nil
}

// measures are the columns that vary of a sample of records.
type measures struct {
	record []int // number of every record
	column []int // feature of every column
	table  normals.Table
	n      int     // records of all places
	before int     // of places before this one
	places *strand // nil where all records are here
	dim    int
	coarse bool   // most columns have scales of few values
	codes  []code // of columns of several kinds; nil for measurements
	few    []bool // of these: columns of few values
}

// mostCells bounds the table that is looked at: very wide ones have fewer
// records.
const mostCells = 8e6

// drawMeasures takes the columns that vary of some records.
func drawMeasures(ctx context.Context, run pass.Runner, seed uint64) (*measures, error) {
	all, record, err := drawRows(ctx, run)
	if err != nil {
		return nil, err
	}
	all, record = (*strand)(nil).unblanked(all, record)
	return varied(all, record, seed)
}

// LeastComplete is the share of records without a blank from which on these stand
// for all: groups are found in them, and the others are placed by what is there.
const LeastComplete = .9

// ErrBlanks says that too many records have a missing value.
var ErrBlanks = errors.New("fill in or leave out missing values")

// drawRows takes at most so many records, as draw does.
func drawRows(ctx context.Context, run pass.Runner) (all normals.Table, record []int, err error) {
	wanted, err := pass.Steady(ctx, run, rowsWanted(run))
	if err != nil {
		return all, nil, err
	}
	return rowsAt(ctx, run, wanted)
}

// rowsWanted is the number of records that are looked at.
func rowsWanted(run pass.Runner) int {
	return min(mostRecords, max(int(mostCells)/max(run.Dim(), 1), leastRecords))
}

// rowsAt takes the records with these numbers.
func rowsAt(ctx context.Context, run pass.Runner, wanted []int) (all normals.Table, record []int, err error) {
	d, order := run.Dim(), byNumber(wanted)
	all = normals.Table{N: len(wanted), D: d, X: make([]float64, len(wanted)*d)}
	_, err = run.Own(ctx, func(b pass.Block) error {
		if b.Steps != nil {
			return fmt.Errorf("verdict: rows are sequences, want measurements")
		}
		at, _ := slices.BinarySearchFunc(order, b.First, func(i, first int) int { return cmp.Compare(wanted[i], first) })
		for ; at < len(order) && wanted[order[at]] < b.First+b.Rows.N(); at++ {
			unpack(all.Row(order[at]), b.Rows, wanted[order[at]]-b.First)
		}
		return nil
	})
	if err != nil {
		return all, nil, err
	}
	return all, wanted, nil
}

// unpack writes row i into dst.
func unpack(dst []float64, rows sparse.Rows, i int) {
	if rows.IsDense() {
		copy(dst, rows.DenseRow(i))
		return
	}
	clear(dst)
	index, value := rows.Row(i)
	for e, h := range index {
		dst[h] = 1
		if value != nil {
			dst[h] = float64(value[e])
		}
	}
}

// varied keeps the columns with several values, and spreads what was rounded
// over its unit: gaps between the values of a coarse scale are no borders.
func varied(all normals.Table, record []int, seed uint64) (*measures, error) {
	m := &measures{record: record, dim: all.D, n: all.N}
	units, coarse := make([]float64, all.D), 0
	for h := range all.D {
		values := make([]float64, all.N)
		for i := range values {
			values[i] = all.X[i*all.D+h]
			if v := values[i]; v-v != 0 {
				return nil, fmt.Errorf("verdict: record %d has no finite value of feature %d; %w", record[i]+1, h+1, ErrBlanks)
			}
		}
		slices.Sort(values)
		if n := len(values); n > 0 && values[0] < values[n-1] {
			m.column = append(m.column, h)
			units[h] = unit(values)
			if _, sd := spread(values); units[h] > coarseUnit*sd {
				coarse++
			}
		}
	}
	m.coarse = 2*coarse > len(m.column)
	r := stream.New(seed, "verdict/units")
	m.table = normals.Table{N: all.N, D: len(m.column), X: make([]float64, all.N*len(m.column))}
	for i := range all.N {
		row := m.table.Row(i)
		for c, h := range m.column {
			row[c] = all.X[i*all.D+h] + units[h]*(r.Float64()-.5)
		}
	}
	return m, nil
}

// unit returns the step of a rounded scale, from sorted values: the middle of
// the steps between neighbours. Values that hardly repeat were not rounded.
func unit(sorted []float64) float64 {
	const repeats = .7 // of the values, when fewer are different
	var steps []float64
	for i, v := range sorted[1:] {
		if v > sorted[i] {
			steps = append(steps, v-sorted[i])
		}
	}
	if float64(len(steps)+1) > repeats*float64(len(sorted)) {
		return 0
	}
	slices.Sort(steps)
	return steps[len(steps)/2]
}

// view is the table in one of the scales in which it may be seen: columns as
// they are or their logarithms, standardised, and the leading directions of wide
// tables.
type view struct {
	n        int // rows of all places
	logs     []bool
	mean, sd []float64
	basis    [][]float64 // of wide tables: directions to keep, nil otherwise
	t        normals.Table
	jacobian float64 // sum of the logarithms of the derivatives
}

// mostColumns is the number of columns beyond which leading directions stand for
// them.
const mostColumns = 30

// newView makes the table of a view.
func (m *measures) newView(logs []bool) *view {
	d := m.table.D
	v := &view{n: m.n, logs: logs, mean: make([]float64, d), sd: make([]float64, d)}
	n, scales := float64(m.n), make([]float64, d)
	for c := range d {
		for i := range m.table.N {
			v.mean[c] += v.scaled(c, m.table.X[i*d+c])
		}
	}
	m.places.add(v.mean)
	for c := range d {
		v.mean[c] /= n
		for i := range m.table.N {
			x := v.scaled(c, m.table.X[i*d+c])
			v.sd[c] += (x - v.mean[c]) * (x - v.mean[c])
			if logs[c] {
				scales[c] -= x
			}
		}
	}
	m.places.add(v.sd, scales)
	for c := range d {
		v.sd[c] = math.Sqrt(v.sd[c]/n) + math.SmallestNonzeroFloat64
		v.jacobian += scales[c] - n*math.Log(v.sd[c])
	}
	v.t = m.places.over(v.seen(m.table))
	if d > mostColumns {
		v.basis = leading(v.t, mostColumns)
		v.t = m.places.over(v.turned(v.t))
	}
	return v
}

func (v *view) scaled(c int, x float64) float64 {
	if v.logs[c] {
		return math.Log(x)
	}
	return x
}

// seen returns rows of columns in the scale of the view.
func (v *view) seen(t normals.Table) normals.Table {
	out := normals.Table{N: t.N, D: t.D, X: make([]float64, len(t.X))}
	for i, x := range t.X {
		c := i % t.D
		if v.logs[c] && x <= 0 {
			out.X[i] = -farthestLog // below all that was seen
			continue
		}
		out.X[i] = (v.scaled(c, x) - v.mean[c]) / v.sd[c]
	}
	return out
}

// farthestLog is where values that have no logarithm are put, in standard
// deviations below the mean.
const farthestLog = 8

// turned returns rows along the directions of the view.
func (v *view) turned(t normals.Table) normals.Table {
	if v.basis == nil {
		return t
	}
	out := normals.Table{N: t.N, D: len(v.basis), X: make([]float64, t.N*len(v.basis))}
	for i := range t.N {
		x, y := t.Row(i), out.Row(i)
		for j, b := range v.basis {
			for h, w := range b {
				y[j] += w * x[h]
			}
		}
	}
	return out
}

// views returns the table as it is, and with the logarithms of the columns that
// are nearer to normal that way, if there are such.
func (m *measures) views() []*view {
	plain := m.newView(make([]bool, m.table.D))
	logs := make([]bool, m.table.D)
	m.places.each(len(logs), func(c int, own *strand) {
		here := *m
		here.places = own
		logs[c] = here.bettered(c)
	})
	if !slices.Contains(logs, true) {
		return []*view{plain}
	}
	return []*view{plain, m.newView(logs)}
}

// bettered reports that a normal law describes the logarithms of a column better
// than its values.
func (m *measures) bettered(c int) bool {
	n, d := float64(m.n), m.table.D
	sums := make([]float64, 3) // values, logarithms, and those without one
	for i := range m.table.N {
		x := m.table.X[i*d+c]
		if !(x > 0) {
			sums[2]++
			continue
		}
		sums[0] += x
		sums[1] += math.Log(x)
	}
	m.places.add(sums)
	if sums[2] > 0 {
		return false
	}
	squares := make([]float64, 2)
	for i := range m.table.N {
		x := m.table.X[i*d+c]
		a, b := x-sums[0]/n, math.Log(x)-sums[1]/n
		squares[0] += a * a
		squares[1] += b * b
	}
	m.places.add(squares)
	return sums[1]+n*math.Log(math.Sqrt(squares[1]/n)) < n*math.Log(math.Sqrt(squares[0]/n))
}
