package choose

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
)

// leastSeen is the number of records that must hold a feature, and of presences
// also lack it: rarer ones have correlations that no limit law describes.
const leastSeen = 10

// correlations is the d×d matrix of correlations, applied by passes. Of
// documents it takes the residuals (x_h − t·p_h)/√t given the length t, so that
// lengths make no common pattern; a missing value counts as the mean. Features
// of one column depend on each other by construction: their correlations are
// left out.
type correlations struct {
	run       pass.Runner
	documents bool
	n         float64   // records
	mean      []float64 // of each feature, or its share of all words
	inverse   []float64 // 1/σ, or 0 where a feature takes no part
	active    int
	columns   [][2]int
	within    []*mat.Dense // correlations inside the columns, less the identity
}

func newCorrelations(ctx context.Context, data fit.Training, documents bool) (*correlations, error) {
	d := data.Run.Dim()
	c := &correlations{run: data.Run, documents: documents, inverse: make([]float64, d)}
	survey, err := moment.NewSurvey(ctx, data.Run, nil)
	if err != nil {
		return nil, err
	}
	seen, err := pass.RunOne(ctx, data.Run, seenSum(d))
	if err != nil {
		return nil, err
	}
	variance := c.spread(survey, seen)
	for h, v := range variance {
		presence := survey.Sum[h] == survey.SumSquares[h]
		common := seen[h] >= leastSeen && (!presence || c.n-seen[h] >= leastSeen)
		if common && v > rounding*survey.SumSquares[h]/survey.N {
			c.inverse[h] = 1 / math.Sqrt(v)
			c.active++
		}
	}
	return c, c.leaveOut(ctx, data)
}

// rounding is the share of the mean square below which a variance is none.
const rounding = 1e-12

// spread sets the means and returns the variance of each feature's residuals.
func (c *correlations) spread(survey *moment.Survey, seen []float64) []float64 {
	d := len(survey.Sum)
	variance := make([]float64, d)
	if !c.documents {
		c.n, c.mean = survey.N, survey.Mean()
		for h, m := range c.mean {
			variance[h] = (survey.SumSquares[h] - survey.Present[h]*m*m) / c.n
		}
		return variance
	}
	words := 0.0
	for _, v := range survey.Sum {
		words += v
	}
	c.n, c.mean = math.Max(seen[2*d], 1), make([]float64, d)
	for h, v := range survey.Sum {
		c.mean[h] = v / math.Max(words, 1)
		variance[h] = (seen[d+h] - c.mean[h]*v) / c.n // Σ(x − tp)²/t = Σx²/t − pΣx
	}
	return variance
}

// seenSum adds, for each feature, the number of records that hold it and
// Σ x²/t, and the number of records that are not empty. Its value is d.
type seenSum int

// Len implements pass.Sum.
func (s seenSum) Len() int { return 2*int(s) + 1 }

// Add implements pass.Sum.
func (s seenSum) Add(state []float64, b pass.Block) error {
	d := int(s)
	total := b.Rows.Totals()
	for i, t := range total {
		if t > 0 {
			state[2*d]++
		}
		b.Rows.Each(i, func(h int, x float64) {
			if x != 0 && !math.IsNaN(x) {
				state[h]++
				if t > 0 {
					state[d+h] += x * x / t
				}
			}
		})
	}
	return nil
}

// apply returns the correlations, ones on the diagonal, times b (d×l).
func (c *correlations) apply(ctx context.Context, b *mat.Dense) (*mat.Dense, error) {
	d, l := b.Dims()
	sum := residualSum{c: c, l: l, v: make([]float64, d*l), shift: make([]float64, l)}
	for h, f := range c.inverse {
		for a, x := range b.RawRowView(h) {
			sum.v[h*l+a] = f * x
			sum.shift[a] += c.mean[h] * f * x
		}
	}
	state, err := pass.RunOne(ctx, c.run, sum)
	if err != nil {
		return nil, err
	}
	out, total := mat.NewDense(d, l, state[:d*l]), state[d*l:]
	for h, f := range c.inverse {
		row := out.RawRowView(h)
		for a := range row {
			row[a] = f * (row[a] - c.mean[h]*total[a]) / c.n
		}
	}
	for i, col := range c.columns {
		part := out.Slice(col[0], col[1], 0, l).(*mat.Dense)
		var w mat.Dense
		w.Mul(c.within[i], b.Slice(col[0], col[1], 0, l))
		part.Sub(part, &w)
	}
	return out, nil
}

// residualSum adds Σ a·x·y (d×l) and Σ c·y (l) for y = a·vᵀx − c·shift, where
// a = c = 1, or 1/√t and √t for documents.
type residualSum struct {
	c     *correlations
	l     int
	v     []float64 // d×l
	shift []float64
}

// Len implements pass.Sum.
func (s residualSum) Len() int { return len(s.v) + s.l }

// Add implements pass.Sum.
func (s residualSum) Add(state []float64, b pass.Block) error {
	y := make([]float64, s.l)
	total := b.Rows.Totals()
	for i, t := range total {
		in, out := 1.0, 1.0
		if s.c.documents {
			if !(t > 0) {
				continue
			}
			out = math.Sqrt(t)
			in = 1 / out
		}
		for a, v := range s.shift {
			y[a] = -out * v
		}
		b.Rows.Each(i, func(h int, x float64) { axpy(y, in*s.c.value(h, x), s.v[h*s.l:]) })
		b.Rows.Each(i, func(h int, x float64) { axpy(state[h*s.l:][:s.l], in*s.c.value(h, x), y) })
		axpy(state[len(s.v):], out, y)
	}
	return nil
}

// value returns x, or the mean where it is missing.
func (c *correlations) value(h int, x float64) float64 {
	if math.IsNaN(x) {
		return c.mean[h]
	}
	return x
}

func axpy(dst []float64, f float64, x []float64) {
	for a := range dst {
		dst[a] += f * x[a]
	}
}
