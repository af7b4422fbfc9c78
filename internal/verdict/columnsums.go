package verdict

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/moiety-go/moiety/internal/normals"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/vocab"
)

// What the verdict of mixed columns asks of records that lie at several places: means and
// deviations of columns, correlations of those of few values, values that come again and
// again, units, and what stands for a missing value.

// middle are the mean and the deviation of so many values.
type middle struct{ n, mean, sd float64 }

// spreads returns what lists of values come to over all places.
func (a *strand) spreads(lists [][]float64) []middle {
	out := make([]middle, len(lists))
	sums, squares := make([]float64, 2*len(lists)), make([]float64, len(lists))
	for j, list := range lists {
		sums[2*j] = float64(len(list))
		for _, v := range list {
			sums[2*j+1] += v
		}
	}
	a.add(sums)
	for j, list := range lists {
		out[j].n, out[j].mean = sums[2*j], sums[2*j+1]/sums[2*j]
		for _, v := range list {
			squares[j] += (v - out[j].mean) * (v - out[j].mean)
		}
	}
	a.add(squares)
	for j := range out {
		out[j].sd = math.Sqrt(squares[j] / out[j].n)
	}
	return out
}

// alike returns the sizes of the correlations of the columns that are asked for.
func (a *strand) alike(columns [][]float64, asked []bool) []float64 {
	d := len(columns)
	out := make([]float64, d*d)
	if a == nil {
		for j := range d {
			for o := range j {
				if asked[j] && asked[o] {
					out[j*d+o] = math.Abs(correlation(columns[o], columns[j]))
				}
			}
		}
		return out
	}
	m := a.spreads(columns)
	for j := range d {
		for o := range j {
			if !asked[j] || !asked[o] {
				continue
			}
			for i, v := range columns[j] {
				out[j*d+o] += (v - m[j].mean) * (columns[o][i] - m[o].mean)
			}
		}
	}
	a.add(out)
	for j := range d {
		for o := range j {
			out[j*d+o] = math.Abs(out[j*d+o]) / (m[j].n*m[j].sd*m[o].sd + math.SmallestNonzeroFloat64)
		}
	}
	return out
}

// chances are random numbers of records: one stream for all of them where all are here,
// a stream for each, by its number among all, where they lie at several places.
type chances struct {
	one  *rand.Rand
	each []*rand.Rand
}

func (a *strand) chances(name string, seed uint64, first int, record []int) chances {
	if a == nil {
		return chances{one: stream.New(seed, name)}
	}
	c := chances{each: make([]*rand.Rand, len(record))}
	for i, r := range record {
		c.each[i] = stream.New(seed, fmt.Sprintf("%s%d", name, first+r))
	}
	return c
}

func (c chances) of(i int) *rand.Rand {
	if c.one != nil {
		return c.one
	}
	return c.each[i]
}

// stepsOf returns the units of the columns: one for counts, flags and answers.
func (a *strand) stepsOf(codes []code, numbers [][]float64) []float64 {
	out := make([]float64, len(codes))
	var of []int
	var lists [][]float64
	for j, c := range codes {
		out[j] = 1
		if c.kind == vocab.Real {
			of, lists = append(of, j), append(lists, present(numbers[j]))
		}
	}
	for i, s := range a.scales(lists) {
		out[of[i]] = s.step
	}
	return out
}

// scale is what the values of a column come to, the unit that they were rounded to, and
// over several places whether they differ: at one place, or by more than sums are off.
type scale struct {
	middle
	step   float64
	varies bool
}

// scales returns those of some columns. Over several places the unit is the coarsest of
// which all values are multiples; where values repeat at the places and are multiples of
// none, the middle of what the places take for their unit.
func (a *strand) scales(lists [][]float64) []scale {
	out := make([]scale, len(lists))
	if a == nil {
		for j, list := range lists {
			if len(list) > 1 {
				out[j].step = unit(slices.Sorted(slices.Values(list)))
			}
		}
		return out
	}
	const each = 3 // values that are different at a place, units, whether they differ
	sums, others := make([]float64, len(lists)*each), make([]float64, len(lists)*len(units))
	for j, list := range lists {
		s, o := sums[j*each:][:each], others[j*len(units):][:len(units)]
		for _, v := range list {
			for u, unit := range units {
				if x := v / unit; math.Abs(x-math.Round(x)) > 1e-6*max(1, math.Abs(x)*1e-6) {
					o[u]++
				}
			}
		}
		sorted := slices.Sorted(slices.Values(list))
		for i, v := range sorted {
			if i == 0 || v > sorted[i-1] {
				s[0]++
			}
		}
		if s[0] > 1 {
			s[1], s[2] = float64(len(list))*unit(sorted), 1
		}
	}
	a.add(sums, others)
	for j, m := range a.spreads(lists) {
		step := rounded(m.n, sums[j*each], sums[j*each+1]/max(m.n, 1), m.sd, others[j*len(units):][:len(units)])
		out[j] = scale{m, step, sums[j*each+2] > 0 || m.sd > 1e-12*math.Abs(m.mean)}
	}
	return out
}

// instead sets what stands for a value that is no number: the mean of the numbers that
// records like them gave to those with one.
func (a *strand) instead(codes []code, table [][]float64, all normals.Table) {
	sums := make([]float64, 2*len(codes))
	for j, c := range codes {
		for i, v := range table[j] {
			if !c.flag && len(c.atoms) > 0 && slices.Contains(c.atoms, all.Row(i)[c.from]) {
				sums[2*j]++
				sums[2*j+1] += v
			}
		}
	}
	a.add(sums)
	for j := range codes {
		codes[j].instead = sums[2*j+1] / max(sums[2*j], 1)
	}
}

// Values that come again and again are counted over several places in bins, by what is
// made of their bits: no place learns a value that it does not have.
const (
	valueBins = 1 << 13 // of a column
	mostBins  = 1 << 20 // of all
	leastBins = 1 << 9
)

// atoms returns the values here of every column that stand for something else than a
// number, and whether there are such anywhere.
func (a *strand) atoms(columns [][]float64) (values [][]float64, there []bool) {
	values, there = make([][]float64, len(columns)), make([]bool, len(columns))
	if a == nil {
		for j, x := range columns {
			values[j] = atomsOf(x)
			there[j] = values[j] != nil
		}
		return values, there
	}
	bins := min(valueBins, max(leastBins, mostBins/max(len(columns), 1)))
	count, n := make([]float64, len(columns)*bins), make([]float64, len(columns))
	for j, x := range columns {
		n[j] = float64(len(x))
		for _, v := range x {
			if v == v {
				count[j*bins+binOf(v, bins)]++
			}
		}
	}
	a.add(count, n)
	for j, x := range columns {
		often := frequent(count[j*bins:][:bins], n[j])
		there[j] = often != nil
		for _, v := range x {
			if v == v && slices.Contains(often, binOf(v, bins)) && !slices.Contains(values[j], v) {
				values[j] = append(values[j], v)
			}
		}
		slices.Sort(values[j])
	}
	return values, there
}

// binOf is the bin of a value.
func binOf(v float64, bins int) int {
	h := fnv.New64a()
	var bits [8]byte
	binary.LittleEndian.PutUint64(bits[:], math.Float64bits(v+0)) // minus zero is zero
	h.Write(bits[:])
	sum := h.Sum64()
	return int((sum ^ sum>>32) % uint64(bins))
}

// frequent returns which of the counts of n values are of such that stand for something
// else than a number; nil where none are.
func frequent(count []float64, n float64) []int {
	least, most, total := max(leastAtom, math.Floor(atomShare*n)), 0.0, 0.0
	var out []int
	for at, c := range count {
		if c < least {
			most = max(most, c) // of the other values
			continue
		}
		out = append(out, at)
		total += c
	}
	if len(out) == 0 || len(out) > mostAtoms || total > (1-atomShare)*n { // hardly a number is left
		return nil
	}
	for _, at := range out {
		if count[at] < atomTimes*most {
			return nil
		}
	}
	return out
}

// Clouds by which missing values are filled in over several places.
const (
	fillClouds = 6
	fillSteps  = 12
)

// complete gives every missing value (NaN) over several places the value of records like
// it: one that a cloud draws, taken by how likely it makes what is known of the record
// (Di Zio, Guarnera and Luzi 2007). Answers and flags are drawn by how often records of
// that cloud give them.
func (a *strand) complete(codes []code, columns [][]float64, chance chances) {
	lists, blank := make([][]float64, len(columns)), []float64{0}
	for j, x := range columns {
		lists[j] = present(x)
		blank[0] += float64(len(x) - len(lists[j]))
	}
	a.add(blank)
	if blank[0] == 0 || len(columns) == 0 {
		return
	}
	scales, d := a.spreads(lists), len(columns)
	t := normals.Table{N: len(columns[0]), D: d, X: make([]float64, len(columns[0])*d)}
	filled := t
	filled.X = make([]float64, len(t.X))
	for j, x := range columns {
		for i, v := range x {
			t.X[i*d+j] = (v - scales[j].mean) / (scales[j].sd + tiny)
			if v == v {
				filled.X[i*d+j] = t.X[i*d+j]
			}
		}
	}
	n, _ := a.ranked(t.N)
	k := max(1, min(fillClouds, n/40))
	member := normals.Around(filled, a.centers(filled, nil, k))
	var m *normals.Mixture
	for range fillSteps {
		m = a.expected(t, member, k)
		m.Scores(t, member)
		normals.Posterior(member, k)
	}
	levels := a.levels(codes, columns, member, k)
	for i := range t.N {
		if !normals.Blank(t.Row(i)) {
			continue
		}
		r := chance.of(i)
		cloud := drawn1(member[i*k:][:k], 1, r)
		for j, x := range columns {
			if x[i] == x[i] {
				continue
			}
			if levels[j] != nil {
				x[i] = levels[j].drawn(cloud, r)
				continue
			}
			x[i] = scales[j].mean + scales[j].sd*(m.Mean[cloud*d+j]+math.Sqrt(m.Variances(cloud)[j])*r.NormFloat64())
			if codes[j].kind == vocab.Counts {
				x[i] = max(math.Round(x[i]), 0)
			}
		}
	}
}

// expected returns the clouds, whose columns vary by themselves, of records with these
// memberships at all places; what is missing says nothing.
func (a *strand) expected(t normals.Table, member []float64, k int) *normals.Mixture {
	const ridge = .05 // of the variance of a column
	d := t.D
	size, sums := make([]float64, k), make([]float64, 3*k*d) // known, their sum and squares
	for i := range t.N {
		row := t.Row(i)
		for c, w := range member[i*k:][:k] {
			size[c] += w
			s := sums[3*c*d:][:3*d]
			for h, v := range row {
				if v == v && w > 0 {
					s[h] += w
					s[d+h] += w * v
					s[2*d+h] += w * v * v
				}
			}
		}
	}
	a.add(size, sums)
	total := sum(size)
	mean, spread := make([]float64, k*d), make([]float64, k*d)
	for c := range size {
		s := sums[3*c*d:][:3*d]
		for h := range d {
			n := s[h] + 1 // and one record at the overall mean, with the overall deviation
			mean[c*d+h] = s[d+h] / n
			spread[c*d+h] = max((s[2*d+h]+1)/n-mean[c*d+h]*mean[c*d+h], ridge)
		}
		size[c] = (size[c] + 1) / (total + float64(k))
	}
	return normals.New(normals.Diagonal, d, size, mean, spread)
}

// given are the values of a column of answers or flags, and how often each cloud gives them.
type given struct {
	value []float64
	count []float64 // value×k
	k     int
}

func (l *given) drawn(cloud int, r *rand.Rand) float64 {
	weight := make([]float64, len(l.value))
	for at := range weight {
		weight[at] = l.count[at*l.k+cloud] + tiny
	}
	return l.value[drawn1(weight, sum(weight), r)]
}

// levels counts the values of the columns of answers and flags; nil for those of numbers
// and counts.
func (a *strand) levels(codes []code, columns [][]float64, member []float64, k int) []*given {
	out := make([]*given, len(codes))
	var counts [][]float64
	for j, c := range codes {
		switch {
		case c.place != nil:
			out[j] = &given{value: c.place}
		case c.kind == vocab.Presence:
			out[j] = &given{value: []float64{0, 1}}
		default:
			continue
		}
		l := out[j]
		l.k, l.count = k, make([]float64, len(l.value)*k)
		for i, v := range columns[j] {
			if at := slices.Index(l.value, v); at >= 0 {
				for c, w := range member[i*k:][:k] {
					l.count[at*k+c] += w
				}
			}
		}
		counts = append(counts, l.count)
	}
	a.add(counts...)
	return out
}

// drawn1 draws a place by its weight.
func drawn1(weight []float64, total float64, r *rand.Rand) int {
	u := r.Float64() * total
	for i, w := range weight {
		if u -= w; u < 0 {
			return i
		}
	}
	return r.IntN(len(weight))
}
