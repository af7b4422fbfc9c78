package division

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/normals"
	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

const (
	wide   = 30 // columns beyond which leading directions stand for them
	skewed = 1  // skewness from which on a positive column is seen by its logarithms, too
)

// Sample are the records that a pool divides, in every view.
type Sample struct {
	n     int
	views []*view
}

// view is a table in which records are seen, with what its fits need.
type view struct {
	name     string
	logs     []int // of measurements: the features seen by their logarithms
	table    normals.Table
	jacobian []float64    // of every record: log densities are of the columns as they are
	counts   *sparse.Rows // of answers, presences and words, for latent classes
	blocks   [][2]int     // of these: the answers to each question; one feature is a presence
}

// column is a number of every record.
type column struct {
	x     []float64
	kind  vocab.Kind
	share float64 // of a column of its own that it weighs: answers share one
}

// New returns the sample of these rows of measurements or of columns of several kinds.
func New(rows sparse.Rows, kind record.Kind, v *vocab.Vocab) *Sample {
	s := &Sample{n: rows.N()}
	if kind == record.Mixed {
		s.mixed(rows, v)
	} else {
		s.measured(dense(rows, vocab.Real))
	}
	return s
}

// dense returns every feature as a column.
func dense(rows sparse.Rows, kind vocab.Kind) []column {
	out := make([]column, rows.Dim)
	for h := range out {
		out[h] = column{make([]float64, rows.N()), kind, 1}
	}
	for i := range rows.N() {
		rows.Each(i, func(h int, x float64) { out[h].x[i] = x })
	}
	return out
}

// measured sees columns as they are and, where some are skewed, by their logarithms.
func (s *Sample) measured(list []column) {
	s.add("", list, nil)
	skew := make([]bool, len(list))
	for h, c := range list {
		filled(c.x)
		skew[h] = c.kind == vocab.Real && slices.Min(c.x) > 0 && skewness(c.x) > skewed
	}
	if !slices.Contains(skew, true) {
		return
	}
	by, seen := slices.Clone(list), []int(nil)
	for h, is := range skew {
		if is {
			by[h], seen = logs(list[h : h+1])[0], append(seen, h)
		}
	}
	s.add("log ", by, jacobian(list, by, skew))
	s.views[len(s.views)-1].logs = seen
}

// mixed sees columns of several kinds, answers by a column for each that together weigh as
// one; every column as answers; and the measurements among them by themselves.
func (s *Sample) mixed(rows sparse.Rows, v *vocab.Vocab) {
	all := dense(rows, vocab.Presence)
	counts, blocks := coded(all, v.Columns)
	var real []column
	for _, c := range v.Columns {
		for h := c.From; h < c.To; h++ {
			all[h].kind = c.Kind
			switch c.Kind {
			case vocab.Real:
				real = append(real, all[h])
			case vocab.Counts:
				all[h] = logs(all[h : h+1])[0]
			case vocab.Categorical:
				all[h].share = 1 / float64(c.To-c.From)
			}
		}
	}
	if len(real) == len(all) {
		s.measured(all)
		return
	}
	s.add("", all, nil)
	if len(s.views) == 0 {
		return
	}
	s.views[0].counts, s.views[0].blocks = &counts, blocks
	if len(real) > 1 {
		s.measured(real)
		for _, v := range s.views[1:] {
			v.name += "measurements "
		}
	}
}

const (
	fewValues = 12 // that are answers as they are
	ranges    = 5  // of equal numbers of records, for columns with more
)

// coded makes answers of all columns, which latent classes take: of a number the range that it
// lies in; nothing where it is missing.
func coded(list []column, columns []vocab.Column) (sparse.Rows, [][2]int) {
	var blocks [][2]int
	var answer [][]int // of every question: the feature of every record, -1 for none
	at := 0
	for _, c := range columns {
		one := make([]int, len(list[0].x))
		width := 0
		if c.To-c.From > 1 || c.Kind == vocab.Categorical {
			width = c.To - c.From
			for i := range one {
				one[i] = -1
				for h := range width {
					if list[c.From+h].x[i] > 0 {
						one[i] = at + h
					}
				}
			}
		} else {
			width = cutInto(list[c.From].x, one, at)
		}
		blocks, answer, at = append(blocks, [2]int{at, at + width}), append(answer, one), at+width
	}
	rows := sparse.Rows{Dim: at, Ptr: []int{0}, Index: []uint32{}}
	for i := range list[0].x {
		for _, one := range answer {
			if one[i] >= 0 {
				rows.Index = append(rows.Index, uint32(one[i]))
			}
		}
		rows.Ptr = append(rows.Ptr, len(rows.Index))
	}
	return rows, blocks
}

// cutInto sets the answer of every record, from the number at on, by the values of a column or by
// ranges of them, and returns how many there are.
func cutInto(x []float64, answer []int, at int) int {
	var known []float64
	for _, v := range x {
		if v == v {
			known = append(known, v)
		}
	}
	slices.Sort(known)
	limits := slices.Compact(slices.Clone(known))
	if len(limits) > fewValues {
		limits = nil
		for r := range ranges {
			limits = append(limits, known[r*len(known)/ranges])
		}
		limits = slices.Compact(limits)
	}
	for i, v := range x {
		place, is := slices.BinarySearch(limits, v)
		if answer[i] = at + place; !is {
			answer[i]--
		}
		if v != v {
			answer[i] = -1
		}
	}
	return max(len(limits), 2) // a question of one answer would be a presence
}

// Scales are the middle and the spread of every feature of measurements, of its logarithm for
// those listed; a spread of 0 is that of a feature that does not vary.
func Scales(rows sparse.Rows, logged []int) (middle, scale []float64) {
	list := dense(rows, vocab.Real)
	for _, h := range logged {
		list[h] = logs(list[h : h+1])[0]
	}
	for _, c := range list {
		filled(c.x)
		m, sd := spread(c.x)
		middle, scale = append(middle, m), append(scale, sd)
	}
	return middle, scale
}

// add adds a view: columns standardised, or their leading directions where they are many.
func (s *Sample) add(name string, list []column, jacobian []float64) {
	t := standardised(list, s.n)
	if t.D > wide {
		t, jacobian = turned(t), nil
	}
	if t.D > 0 {
		s.views = append(s.views, &view{name: name, table: t, jacobian: jacobian})
	}
}

// filled puts the median where a value is missing.
func filled(x []float64) {
	var known []float64
	for _, v := range x {
		if v == v {
			known = append(known, v)
		}
	}
	if len(known) == len(x) || len(known) == 0 {
		return
	}
	slices.Sort(known)
	for i, v := range x {
		if v != v {
			x[i] = known[len(known)/2]
		}
	}
}

// standardised returns columns that vary, in units of their spread.
func standardised(list []column, n int) normals.Table {
	var kept []column
	var middle, scale []float64
	for _, c := range list {
		filled(c.x)
		if m, sd := spread(c.x); sd > 1e-12*(1+math.Abs(m)) {
			kept, middle, scale = append(kept, c), append(middle, m), append(scale, math.Sqrt(c.share)/sd)
		}
	}
	t := normals.Table{N: n, D: len(kept), X: make([]float64, n*len(kept))}
	for h, c := range kept {
		for i, v := range c.x {
			t.X[i*t.D+h] = (v - middle[h]) * scale[h]
		}
	}
	return t
}

// logs returns logarithms: of counts those of one more.
func logs(list []column) []column {
	out := slices.Clone(list)
	for h, c := range list {
		out[h].x = make([]float64, len(c.x))
		for i, v := range c.x {
			if c.kind == vocab.Counts {
				v = max(v, 0) + 1
			}
			out[h].x[i] = math.Log(v)
		}
	}
	return out
}

// jacobian is what the log density of logarithms lacks beside that of the columns, of every
// record, both in units of their spread.
func jacobian(plain, logs []column, skew []bool) []float64 {
	out := make([]float64, len(plain[0].x))
	for h, is := range skew {
		if !is {
			continue
		}
		_, a := spread(plain[h].x)
		_, b := spread(logs[h].x)
		for i, v := range logs[h].x {
			out[i] += math.Log(a/b) - v
		}
	}
	return out
}

// skewness is the third standardised moment.
func skewness(x []float64) (out float64) {
	m, sd := spread(x)
	for _, v := range x {
		z := (v - m) / (sd + math.SmallestNonzeroFloat64)
		out += z * z * z / float64(len(x))
	}
	return out
}

// turned returns the leading directions of a wide table.
func turned(t normals.Table) normals.Table {
	x := mat.NewDense(t.N, t.D, t.X)
	apply := func(_ context.Context, b *mat.Dense) (*mat.Dense, error) {
		_, l := b.Dims()
		y, out := mat.NewDense(t.N, l, nil), mat.NewDense(t.D, l, nil)
		spectral.Mul(y, x, b)
		spectral.MulTrans(out, x, y)
		return out, nil
	}
	o := spectral.LeadingOptions{Passes: 12, Tol: 1e-6, Rand: stream.New(1, "division/leading")}
	_, vectors, _, err := spectral.Leading(context.Background(), t.D, min(wide, t.N-1), apply, o)
	if err != nil { // nothing but the operator can fail
		return t
	}
	_, l := vectors.Dims()
	out := normals.Table{N: t.N, D: l, X: make([]float64, t.N*l)}
	spectral.Mul(mat.NewDense(t.N, l, out.X), x, vectors)
	first := 0.0
	for i := range t.N {
		first += out.X[i*l] * out.X[i*l] / float64(t.N)
	}
	for i := range out.X { // clouds have a ridge that takes columns to be of variance 1
		out.X[i] /= math.Sqrt(first)
	}
	return out
}
