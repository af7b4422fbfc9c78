package synth

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/regress"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/sparse"
)

// discriminate returns the area under the curve of a logistic regression that
// is to tell real from synthetic records it has not seen, and how many it tells. Its columns are the
// most frequent features, products of pairs of them, and the size of the
// record: first moments, second moments and lengths are what a model may get
// wrong. Columns are chosen without a look at the sides.
func (p *pool) discriminate(ctx context.Context, o RealismOptions) (auc, accuracy float64, err error) {
	x := p.columns(o)
	n := p.rows.N()
	fold := p.folds(o)
	score := make([]float64, n)
	for f := range o.Folds {
		if err := ctx.Err(); err != nil {
			return 0, 0, err
		}
		if err := p.scoreFold(x, fold, f, score); err != nil {
			return 0, 0, err
		}
	}
	// Scores of different folds come from different regressions, so records
	// are compared within their fold only.
	sum, weight := 0.0, 0.0
	for f := range o.Folds {
		area, pairs := p.area(score, fold, f)
		sum += area * pairs
		weight += pairs
	}
	return sum / weight, p.told(score), nil
}

// told is the share of records whose score, the probability of being real, is on the right
// side of one half.
func (p *pool) told(score []float64) float64 {
	right := 0.0
	for i, v := range score {
		switch {
		case v == 0.5:
			right += 0.5
		case (v > 0.5) == (i < p.real):
			right++
		}
	}
	return right / float64(len(score))
}

// folds gives every record a fold, each side apart.
func (p *pool) folds(o RealismOptions) []int {
	r := stream.New(o.Seed, "synth/realism/folds")
	fold := make([]int, p.rows.N())
	for at, i := range r.Perm(p.real) {
		fold[i] = at % o.Folds
	}
	for at, i := range r.Perm(p.rows.N() - p.real) {
		fold[p.real+i] = at % o.Folds
	}
	return fold
}

// columns returns the standardised columns of the discriminator.
func (p *pool) columns(o RealismOptions) *mat.Dense {
	order := make([]int, 0, p.rows.Dim)
	frequent := make([]float64, p.rows.Dim)
	for i := range p.rows.N() {
		eachStored(p.rows, i, func(h int, x float64) {
			if x != 0 {
				frequent[h]++
			}
		})
	}
	for h, s := range p.scale {
		if s > 0 {
			order = append(order, h)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(frequent[b], frequent[a]) })
	order = order[:min(len(order), o.Features)]
	pairs := pairsOf(order, o.Pairs)
	n, cols := p.rows.N(), len(order)+len(pairs)+1
	out := mat.NewDense(n, cols, nil)
	z := make([]float64, p.rows.Dim)
	for i := range n {
		for _, h := range order {
			z[h] = -p.mean[h] * p.scale[h]
		}
		size := 0.0
		eachStored(p.rows, i, func(h int, x float64) {
			z[h] = (x - p.mean[h]) * p.scale[h]
			size += math.Abs(x)
		})
		row := out.RawRowView(i)
		for c, h := range order {
			row[c] = z[h]
		}
		for c, q := range pairs {
			row[len(order)+c] = z[q[0]] * z[q[1]]
		}
		row[cols-1] = size
	}
	standardiseColumns(out)
	return out
}

// pairsOf lists the first pairs of the list, those of early members first.
func pairsOf(list []int, most int) [][2]int {
	var out [][2]int
	for b := range list {
		for a := range b {
			if len(out) == most {
				return out
			}
			out = append(out, [2]int{list[a], list[b]})
		}
	}
	return out
}

func standardiseColumns(m *mat.Dense) {
	n, cols := m.Dims()
	for c := range cols {
		mean, square := 0.0, 0.0
		for i := range n {
			mean += m.At(i, c) / float64(n)
		}
		for i := range n {
			square += (m.At(i, c) - mean) * (m.At(i, c) - mean) / float64(n)
		}
		f := 0.0
		if square > 0 {
			f = 1 / math.Sqrt(square)
		}
		for i := range n {
			m.Set(i, c, f*(m.At(i, c)-mean))
		}
	}
}

// discriminatorRidge keeps a regression on many columns from fitting noise: as
// heavy as one record a column would be.
const discriminatorRidge = 10

// scoreFold scores the records of fold f by a regression on the others.
func (p *pool) scoreFold(x *mat.Dense, fold []int, f int, score []float64) error {
	_, cols := x.Dims()
	var train, test []int
	var y []int
	for i, g := range fold {
		if g == f {
			test = append(test, i)
			continue
		}
		train = append(train, i)
		if i < p.real {
			y = append(y, 1)
		} else {
			y = append(y, 0)
		}
	}
	m, err := regress.Fit(pickRows(x, train, cols), y, 2, regress.Settings{Ridge: discriminatorRidge, Tolerance: 1e-6})
	if err != nil {
		var c *regress.ConvergenceError
		if errors.As(err, &c) {
			return fmt.Errorf("synth: the discriminator did not settle: %w", err)
		}
		return err
	}
	prob, err := m.Probabilities(pickRows(x, test, cols))
	if err != nil {
		return err
	}
	for at, i := range test {
		score[i] = prob.At(at, 1)
	}
	return nil
}

func pickRows(x *mat.Dense, list []int, cols int) *mat.Dense {
	out := mat.NewDense(len(list), cols, nil)
	for at, i := range list {
		out.SetRow(at, x.RawRowView(i))
	}
	return out
}

// area returns the share of pairs of a real and a synthetic record of fold f in
// which the real one scores higher, ties counting half, and the number of
// pairs.
func (p *pool) area(score []float64, fold []int, f int) (area, pairs float64) {
	for i := range p.real {
		if fold[i] != f {
			continue
		}
		for j := p.real; j < len(fold); j++ {
			if fold[j] != f {
				continue
			}
			pairs++
			switch {
			case score[i] > score[j]:
				area++
			case score[i] == score[j]:
				area += 0.5
			}
		}
	}
	return area / math.Max(pairs, 1), pairs
}

// uniqueCopies returns the share of the fake records that equal a real record
// which occurs only once. Empty records say nothing about anybody.
func uniqueCopies(real, fake sparse.Rows) float64 {
	count := make(map[string]int, real.N())
	for i := range real.N() {
		count[rowKey(real, i)]++
	}
	copies := 0
	for i := range fake.N() {
		if key := rowKey(fake, i); key != "" && count[key] == 1 {
			copies++
		}
	}
	return float64(copies) / math.Max(float64(fake.N()), 1)
}

// rowKey writes a row's entries that are not zero as bytes.
func rowKey(rows sparse.Rows, i int) string {
	var key []byte
	eachStored(rows, i, func(h int, x float64) {
		if x != 0 {
			key = fmt.Appendf(key, "%d:%x,", h, math.Float64bits(x))
		}
	})
	return string(key)
}
