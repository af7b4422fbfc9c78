package verdict

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"github.com/moiety-go/moiety/internal/normals"
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
	places := strandOf(ctx, run)
	var all normals.Table
	var record []int
	var err error
	if places == nil {
		all, record, err = drawRows(ctx, run)
	} else {
		all, record, err = rowsAt(ctx, run, wantedOf(run, rowsWanted(run)))
	}
	if err != nil {
		return nil, err
	}
	if s.Words.Features == "" {
		s.Words.Features = "columns"
	}
	all, record, equal := distinctRows(all, record, columns)
	equal = places.one(float64(boolInt(equal))) > 0
	far := places.reachesOf(all, columns)
	for i := range all.N {
		far.blank(all.Row(i))
	}
	v, err := byColumns(ctx, all, record, columns, s, places, run.Can().First)
	if err != nil {
		return nil, err
	}
	v.Far = far
	if equal {
		v.equalOnes(s.Words.filled(true))
	}
	return v, nil
}

// byColumns judges records by columns of several kinds; over several places, of which the
// first record here has this number among all.
func byColumns(ctx context.Context, all normals.Table, record []int, columns []vocab.Column, s Settings, places *strand, first int) (*Verdict, error) {
	all, record = wellKnown(all, record, columns, places)
	m := mixedMeasures(all, record, columns, s.Seed, places, first)
	v, err := m.verdict(ctx, s)
	heard := false
	if err == nil && (v.Groups == 1 || !v.Sure) {
		v, heard, err = v.orAnswered(s.heard.last(ctx), all, record, columns, s, places)
	}
	if err == nil && v.Sure && !heard {
		err = v.heard(s.heard.last(ctx), all, columns, s, places)
	}
	if err = errors.Join(err, places.failed()); err != nil {
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
func mixedMeasures(all normals.Table, record []int, columns []vocab.Column, seed uint64, places *strand, first int) *measures {
	m := &measures{record: record, dim: all.D, places: places}
	m.n, m.before = places.ranked(all.N)
	codes, numbers := places.telling(withAtoms(codesOf(columns, all, places), all, places), all)
	chance := places.chances("verdict/columns", seed, first, record)
	var steps []float64
	if places == nil {
		complete(numbers, chance.one)
		steps = places.stepsOf(codes, numbers)
	} else { // values that clouds draw have no unit
		steps = places.stepsOf(codes, numbers)
		places.complete(codes, numbers, chance)
	}
	coarse := make([]bool, len(codes))
	for j, s := range places.spreads(numbers) {
		coarse[j] = steps[j] > coarseUnit*s.sd
	}
	alike := places.alike(numbers, coarse)
	var table [][]float64 // of the columns kept: spread out
	var kept []int
	few := 0
	for j, c := range codes {
		if coarse[j] {
			if slices.ContainsFunc(kept, func(o int) bool { return coarse[o] && alike[j*len(codes)+o] > sameThing }) {
				continue
			}
			few++
		}
		values := make([]float64, all.N)
		for i, x := range numbers[j] {
			values[i] = c.spreadOut(x, steps[j], chance.of(i).Float64())
		}
		kept, table = append(kept, j), append(table, values)
		m.codes, m.column, m.few = append(m.codes, c), append(m.column, c.from), append(m.few, coarse[j])
	}
	for j, s := range places.spreads(table) {
		m.codes[j].mean = s.mean
	}
	places.instead(m.codes, table, all)
	m.coarse = 2*few > len(table)
	m.table = normals.Table{N: all.N, D: len(table), X: make([]float64, all.N*len(table))}
	for j, values := range table {
		for i, x := range values {
			m.table.X[i*len(table)+j] = x
		}
	}
	m.table = places.over(m.table)
	return m
}

// codesOf lists the columns. The answers to a question with several are put in
// the order of how frequent they are, the most frequent in the middle: one line
// without a gap, as two answers that exclude each other would make one.
func codesOf(columns []vocab.Column, all normals.Table, places *strand) []code {
	var out []code
	var counts [][]float64
	for _, c := range columns {
		if c.Kind != vocab.Categorical {
			for h := c.From; h < c.To; h++ {
				out = append(out, code{from: h, to: h + 1, kind: c.Kind})
			}
			continue
		}
		count := make([]float64, c.To-c.From)
		counts = append(counts, count)
		for i := range all.N {
			for l, v := range all.Row(i)[c.From:c.To] {
				if v > 0 {
					count[l]++
				}
			}
		}
		out = append(out, code{from: c.From, to: c.To, kind: c.Kind, place: count})
	}
	places.add(counts...)
	for j, c := range out {
		if c.place != nil {
			out[j].place = heaped(c.place)
		}
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

// telling returns the columns that say something, and their numbers, NaN where they are
// missing.
func (a *strand) telling(codes []code, all normals.Table) (kept []code, numbers [][]float64) {
	raw, known := make([][]float64, len(codes)), make([][]float64, len(codes))
	for j, c := range codes {
		raw[j] = make([]float64, all.N)
		for i := range raw[j] {
			raw[j][i] = c.raw(all.Row(i))
		}
		known[j] = present(raw[j])
	}
	n, _ := a.ranked(all.N)
	for j, s := range a.spreads(known) {
		if s.n < (1-mostMissing)*float64(n) || s.n < 2 || s.sd == 0 || codes[j].kind == vocab.Presence && min(s.mean, 1-s.mean) < rareLevel {
			continue
		}
		kept, numbers = append(kept, codes[j]), append(numbers, raw[j])
	}
	return kept, numbers
}

// present are the values that are not missing.
func present(values []float64) []float64 {
	var out []float64
	for _, v := range values {
		if v == v {
			out = append(out, v)
		}
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

// restsOnFew reports that a border between two sides of clouds rests on few columns, columns
// of few values among them: two or three flags that go together are no groups, and numbers that
// go with them must show the border by themselves. alone says that flags say most of it.
func restsOnFew(m *normals.Mixture, few []bool, a, b []int) (some, alone bool) {
	const least, most, part = 3, .5, .1
	sum, square, flags := 0.0, 0.0, 0.0
	for h, v := range saidBy(m, a, b) {
		sum += v
		square += v * v
		if few[h] {
			flags += v
		}
	}
	some = sum*sum < least*square && flags > part*sum
	return some, some && flags > most*sum
}

// alike reports that two clouds differ in one column of few values alone: the answers of one
// group to one question are several clouds where some of its values are rare.
func alike(m *normals.Mixture, few []bool, a, b int) bool {
	const nearly = .9
	sum, most := 0.0, 0.0
	for h, v := range saidBy(m, []int{a}, []int{b}) {
		sum += v
		if few[h] {
			most = max(most, v)
		}
	}
	return most >= nearly*sum
}

// saidBy is what each column says of the side of a record.
func saidBy(m *normals.Mixture, a, b []int) []float64 {
	slope, _, between := separating(m, a, b)
	for h := range slope {
		slope[h] = max(slope[h]*between[h], 0)
	}
	return slope
}
