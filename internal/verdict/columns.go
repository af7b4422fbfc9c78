package verdict

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/moiety-go/moiety/internal/normals"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/vocab"
)

// Mixed judges records with columns of different kinds. Every column becomes
// numbers on which clouds are fitted as on measurements: yes or no and the
// answers to a question are spread over their unit, so that the two values of one
// column are never two heaps, only many columns that change together are; counts
// are taken by their square roots; what is missing is filled with the values of
// records like them. Columns that say what another one says are left out.
func Mixed(ctx context.Context, run pass.Runner, columns []vocab.Column, s Settings) (*Verdict, error) {
	s.heard = newGauge(ctx, judging)
	all, record, err := drawRows(ctx, run)
	if err != nil {
		return nil, err
	}
	if s.Words.Features == "" {
		s.Words.Features = "columns"
	}
	all, record, equal := distinctRows(all, record, columns)
	v, err := byColumns(ctx, all, record, columns, s)
	if err == nil && equal {
		v.equalOnes(s.Words.filled(true))
	}
	return v, err
}

// byColumns judges records by columns of several kinds.
func byColumns(ctx context.Context, all normals.Table, record []int, columns []vocab.Column, s Settings) (*Verdict, error) {
	all, record = wellKnown(all, record, columns)
	m := mixedMeasures(all, record, columns, s.Seed)
	v, err := m.verdict(ctx, s)
	if err == nil && v.Sure {
		err = v.heard(s.heard.last(ctx), all, columns, s)
	}
	if err != nil {
		return nil, err
	}
	v.Form, v.Plain = nil, false
	if v.Found != nil {
		v.Found.Plain = false
	}
	return v, nil
}

// code makes a number of one column of a record: of a feature, or of the answer
// to a question, whose levels are put into an order.
type code struct {
	from, to int
	kind     vocab.Kind
	place    []float64 // of every level of a question
	mean     float64   // what stands for a missing value
	atoms    []float64 // values that stand for something else than a number
	instead  float64   // what stands for one of them
	flag     bool      // whether a record has one of them is what the column says
}

// raw is the number of a record before it is spread over its unit; NaN is
// missing.
func (c code) raw(row []float64) float64 {
	if c.place == nil {
		return c.plain(row[c.from])
	}
	for l, at := range c.place {
		if row[c.from+l] > 0 {
			return at
		}
	}
	return math.NaN()
}

// plain is a number of a column as it is: without the values that stand for something
// else, or whether it is one of them.
func (c code) plain(x float64) float64 {
	atom := slices.Contains(c.atoms, x)
	switch {
	case !c.flag && atom:
		return math.NaN()
	case !c.flag || x != x:
		return x
	case atom:
		return 1
	}
	return 0
}

// spreadOut puts a value anywhere in its unit; u is from 0 to 1. Counts are taken
// by their square roots.
func (c code) spreadOut(x, step, u float64) float64 {
	if c.kind == vocab.Counts {
		return math.Sqrt(max(x, 0) + u)
	}
	return x + step*(u-.5)
}

// number is the middle of what spreadOut may give.
func (c code) number(row []float64) float64 {
	x := c.raw(row)
	switch {
	case x == x:
		return c.spreadOut(x, 0, .5)
	case c.place == nil && slices.Contains(c.atoms, row[c.from]):
		return c.instead
	}
	return c.mean
}

const (
	mostMissing = .4  // share of the records without a value beyond which a column says nothing
	coarseUnit  = .2  // of the spread, that a step of a scale of few values has
	rareLevel   = .02 // share below which a flag says nothing
	sameThing   = .7  // correlation from which two columns of few values say the same
)

// mixedMeasures makes the table of all columns that say something.
func mixedMeasures(all normals.Table, record []int, columns []vocab.Column, seed uint64) *measures {
	m := &measures{record: record, dim: all.D, n: all.N}
	r := stream.New(seed, "verdict/columns")
	var table, before [][]float64 // of the columns kept: spread out, and of few values as they were
	few := 0
	var codes []code
	var numbers [][]float64
	for _, c := range withAtoms(codesOf(columns, all), all) {
		if raw := c.known(all); raw != nil {
			codes, numbers = append(codes, c), append(numbers, raw)
		}
	}
	complete(numbers, r)
	for j, c := range codes {
		raw := numbers[j]
		sorted := slices.Clone(raw)
		slices.Sort(sorted)
		step := 1.0
		if c.kind == vocab.Real {
			step = unit(sorted)
		}
		_, sd := spread(raw)
		coarse := step > coarseUnit*sd
		if coarse && slices.ContainsFunc(before, func(o []float64) bool { return math.Abs(correlation(o, raw)) > sameThing }) {
			continue
		}
		if coarse {
			few++
			before = append(before, raw)
		}
		values := make([]float64, len(raw))
		for i, x := range raw {
			values[i] = c.spreadOut(x, step, r.Float64())
		}
		c.mean, _ = spread(values)
		c.instead = c.filled(all, values)
		table, m.codes, m.column = append(table, values), append(m.codes, c), append(m.column, c.from)
		m.few = append(m.few, coarse)
	}
	m.coarse = 2*few > len(table)
	m.table = normals.Table{N: all.N, D: len(table), X: make([]float64, all.N*len(table))}
	for j, values := range table {
		for i, x := range values {
			m.table.X[i*len(table)+j] = x
		}
	}
	return m
}

// filled is the mean of the numbers that records like them gave to those with an atom.
func (c code) filled(all normals.Table, values []float64) float64 {
	n, sum := 0.0, 0.0
	for i, v := range values {
		if !c.flag && len(c.atoms) > 0 && slices.Contains(c.atoms, all.Row(i)[c.from]) {
			n++
			sum += v
		}
	}
	return sum / max(n, 1)
}

// codesOf lists the columns. The answers to a question with several are put in
// the order of how frequent they are, the most frequent in the middle: one line
// without a gap, as two answers that exclude each other would make one.
func codesOf(columns []vocab.Column, all normals.Table) []code {
	var out []code
	for _, c := range columns {
		if c.Kind != vocab.Categorical {
			for h := c.From; h < c.To; h++ {
				out = append(out, code{from: h, to: h + 1, kind: c.Kind})
			}
			continue
		}
		count := make([]float64, c.To-c.From)
		for i := range all.N {
			for l, v := range all.Row(i)[c.From:c.To] {
				if v > 0 {
					count[l]++
				}
			}
		}
		out = append(out, code{from: c.From, to: c.To, kind: c.Kind, place: heaped(count)})
	}
	return out
}

// heaped puts levels on a line so that counts rise and then fall along it.
func heaped(count []float64) []float64 {
	order := make([]int, len(count))
	for l := range order {
		order[l] = l
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(count[b], count[a]) })
	out := make([]float64, len(count))
	for at, l := range order { // 0, 1, -1, 2, -2, ...
		out[l] = float64((at + 1) / 2)
		if at%2 == 0 {
			out[l] = -out[l]
		}
	}
	return out
}

// known returns the numbers of a column, NaN where they are missing. It is nil
// where the column says nothing.
func (c code) known(all normals.Table) []float64 {
	out := make([]float64, all.N)
	var known []float64
	for i := range out {
		out[i] = c.raw(all.Row(i))
		if out[i] == out[i] {
			known = append(known, out[i])
		}
	}
	if float64(len(known)) < (1-mostMissing)*float64(all.N) || len(known) < 2 {
		return nil
	}
	mean, sd := spread(known)
	if sd == 0 || c.kind == vocab.Presence && min(mean, 1-mean) < rareLevel {
		return nil
	}
	return out
}

func correlation(a, b []float64) float64 {
	ma, sa := spread(a)
	mb, sb := spread(b)
	sum := 0.0
	for i, v := range a {
		sum += (v - ma) * (b[i] - mb)
	}
	return sum / (float64(len(a))*sa*sb + math.SmallestNonzeroFloat64)
}

// carried reports that a border between two sides of clouds is carried by more
// than a few columns of few values: two or three flags that go together are no
// groups. few says which columns are such.
func carried(m *normals.Mixture, few []bool, a, b []int) bool {
	const least, most = 3, .5
	slope, _, between := separating(m, a, b)
	sum, square, flags := 0.0, 0.0, 0.0
	for h, s := range slope {
		v := max(s*between[h], 0)
		sum += v
		square += v * v
		if few[h] {
			flags += v
		}
	}
	return flags <= most*sum || sum*sum >= least*square
}
