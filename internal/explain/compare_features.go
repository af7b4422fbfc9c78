package explain

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/vocab"
)

// features finds the features that both sides have: by name, and of the same
// kind of share.
func (c *comparer) features() {
	a, b := c.a.Report.Table, c.b.Report.Table
	number := make(map[string]int32, len(b.Names))
	for h, name := range b.Names {
		number[name] = int32(h)
	}
	shared := make([]bool, len(b.Names))
	out := report.CommonFeatures{OnlyA: []string{}, OnlyB: []string{}}
	for h, name := range a.Names {
		g, ok := number[name]
		if !ok {
			out.OnlyA = append(out.OnlyA, a.Said(h))
			continue
		}
		shared[g] = true
		c.shared = append(c.shared, [2]int32{int32(h), g})
	}
	for h, ok := range shared {
		if !ok {
			out.OnlyB = append(out.OnlyB, b.Said(h))
		}
	}
	out.Both = len(c.shared)
	c.out.Common = out
	// Records are recognised by all they hold, rare features too; that is reported to
	// nobody.
	place := c.b.Outcome.Model.Vocab.Index()
	for h, name := range c.a.Outcome.Model.Vocab.Names {
		if g, ok := place[name]; ok {
			c.rows = append(c.rows, [2]int32{int32(h), int32(g)})
		}
	}
}

// ofCommon calls visit for the common features of which both sides tell the
// same kind of number.
func (c *comparer) ofCommon(visit func(h, g int, of report.Of)) {
	a, b := c.a.Report.Table, c.b.Report.Table
	for _, pair := range c.shared {
		if h, g := int(pair[0]), int(pair[1]); a.Of[h] == b.Of[g] {
			visit(h, g, a.Of[h])
		}
	}
}

// unknownDistance is that from a group that is withheld: beyond all others.
const unknownDistance = 1e9

// distances returns the Bhattacharyya distances of the groups of A and B over
// the common features. A masked share is stood for by the one of all records,
// so that distances tell nothing that the reports do not.
func (c *comparer) distances() *mat.Dense {
	a, b := c.a.Report.Table, c.b.Report.Table
	out := mat.NewDense(len(c.cuts[0].ids), len(c.cuts[1].ids), nil)
	for i, p := range c.cuts[0].place {
		for j, q := range c.cuts[1].place {
			if c.out.A.Groups[i].N.Masked() || c.out.B.Groups[j].N.Masked() {
				out.Set(i, j, unknownDistance)
				continue
			}
			sum, common, words := 0.0, 0.0, false
			c.ofCommon(func(h, g int, of report.Of) {
				x, y := orOverall(a, p, h), orOverall(b, q, g)
				if x != x || y != y {
					return
				}
				if of == report.OfWords {
					words, common = true, common+math.Sqrt(x*y)
					return
				}
				sum += featureDistance(x, y, of, c.sd[h])
			})
			if words {
				sum -= math.Log(math.Max(common, leastOverlap))
			}
			out.Set(i, j, math.Max(sum, 0))
		}
	}
	return out
}

func orOverall(t report.Table, group, f int) float64 {
	if v, ok := t.Shares[group][f].Value(); ok {
		return v
	}
	return t.Overall[f].Or(math.NaN())
}

// featureDistance is the Bhattacharyya distance of one feature of two groups.
func featureDistance(x, y float64, of report.Of, spread float64) float64 {
	switch of {
	case report.OfRecords:
		return -math.Log(math.Max(math.Sqrt(x*y)+math.Sqrt((1-x)*(1-y)), leastOverlap))
	case report.Average:
		d := math.Sqrt(x) - math.Sqrt(y)
		return d * d / 2
	}
	if spread > 0 {
		d := (x - y) / spread
		return d * d / 8
	}
	return 0
}

// pooledSpread sets, by feature of A, the root mean square of the standard
// deviations of measured features in A and B.
func (c *comparer) pooledSpread(ctx context.Context) error {
	c.sd = make([]float64, len(c.a.Report.Table.Names))
	if !slices.Contains(c.a.Report.Table.Of, report.Value) {
		return nil
	}
	x, err := deviations(ctx, c.a.Data, c.facts[0])
	if err != nil {
		return err
	}
	y, err := deviations(ctx, c.b.Data, c.facts[1])
	if err != nil {
		return err
	}
	c.ofCommon(func(h, g int, of report.Of) {
		if of == report.Value {
			v, w := x[c.a.Report.Table.Feature(h)], y[c.b.Report.Table.Feature(g)]
			c.sd[h] = math.Sqrt((v*v + w*w) / 2)
		}
	})
	return nil
}

// deviations returns the standard deviation of every column, zeros that are not
// stored included and missing values left out.
func deviations(ctx context.Context, r dataset.Data, of recordFacts) ([]float64, error) {
	s, err := newSurvey(ctx, r, 0, func(*vocab.Vocab) bool { return true }, "", false)
	if err != nil {
		return nil, err
	}
	all := &tally{
		dim: of.features, leaves: 1, shift: s.mean, parts: tallied{miss: 1, square: 2, n: 3},
		group: make([]int32, of.rows), probability: make([]float32, of.rows),
	}
	state, err := pass.RunOne(ctx, r.Runner(0), all)
	if err != nil {
		return nil, err
	}
	sd := all.part(state, 0, all.parts.square)
	for h, miss := range all.part(state, 0, all.parts.miss) {
		sd[h] = math.Sqrt(sd[h] / math.Max(float64(of.rows)-miss, 1))
	}
	return sd, nil
}

// nearest reports whether j is the nearest of i or i that of j.
func nearest(distance *mat.Dense, i, j int) bool {
	r, k := distance.Dims()
	row, col := true, true
	for o := range k {
		row = row && distance.At(i, o) >= distance.At(i, j)
	}
	for o := range r {
		col = col && distance.At(o, j) >= distance.At(i, j)
	}
	return row || col
}

// changes lists the features that differ most between two groups, as far as
// both reports tell them: by the difference in standard deviations it would
// have if the groups were samples of different records (after the transform
// that makes variances equal: arc sine for shares, square root for words and
// averages). Groups that share records differ less by chance than that, so what
// is listed is beyond it.
func (c *comparer) changes(i, j int) []report.Change {
	p, q := c.cuts[0].place[i], c.cuts[1].place[j]
	n, known := c.a.Report.Groups[p].N.Value()
	m, also := c.b.Report.Groups[q].N.Value()
	out := []report.Change{}
	if !known || !also || n == 0 || m == 0 {
		return out
	}
	a, b := c.a.Report.Table, c.b.Report.Table
	var score []float64
	scale := math.Sqrt(1/float64(n) + 1/float64(m))
	c.ofCommon(func(h, g int, of report.Of) {
		x, ok := a.Shares[p][h].Value()
		y, too := b.Shares[q][g].Value()
		if !ok || !too {
			return
		}
		z := math.Abs(difference(x, y, of, c.sd[h])) / scale
		if !(z >= clearScore) {
			return
		}
		at, _ := slices.BinarySearchFunc(score, z, func(have, z float64) int { return cmp.Or(cmp.Compare(z, have), -1) })
		score = slices.Insert(score, at, z)
		out = slices.Insert(out, at, report.Change{
			Name: a.Names[h], Title: a.Titles[h], Short: a.Shorts[h], Of: of,
			A: changedNumber(c.a, c.facts[0].kind, p, h, x), B: changedNumber(c.b, c.facts[1].kind, q, g, y),
		})
	})
	return out[:min(len(out), cmp.Or(c.s.Top, defaultChanges))]
}

// difference returns a difference on the scale where its variance does not
// depend on the numbers.
func difference(x, y float64, of report.Of, spread float64) float64 {
	switch of {
	case report.OfRecords:
		return 2 * (math.Asin(math.Sqrt(min(x, 1))) - math.Asin(math.Sqrt(min(y, 1))))
	case report.OfWords, report.Average:
		return 2 * (math.Sqrt(max(x, 0)) - math.Sqrt(max(y, 0)))
	}
	if spread > 0 {
		return (x - y) / spread
	}
	return 0
}

// changedNumber tells a share with its count and interval: from the lists of
// the report, or worked out where every record of the group could have the
// feature.
func changedNumber(s Side, kind record.Kind, group, f int, share float64) report.ChangedNumber {
	g := &s.Report.Groups[group]
	out := report.ChangedNumber{Share: report.NumberOf(share)}
	for _, list := range [][]report.Feature{g.Typical, g.Frequent, g.Rare} {
		for _, x := range list {
			if x.Index == f {
				out.Count, out.Low, out.High = x.Count, x.Low, x.High
				return out
			}
		}
	}
	if n, ok := g.N.Value(); ok && kind == record.Presence && s.Report.Table.Of[f] == report.OfRecords {
		low, high := Wilson(share*float64(n), float64(n))
		out.Count, out.Low, out.High = report.CountOf(int(math.Round(share*float64(n)))), report.NumberOf(low), report.NumberOf(high)
	}
	return out
}
