package tree

import (
	"context"

	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
)

// looks are the ways to look at the records that a direction is found from:
// passes, or counted pairs and the presences themselves.
type looks struct {
	run   pass.Runner // where there are no pairs
	pairs *pairCounts // or nil
	rows  *listed     // presences, or nil
	mem   *memory
	z     []float64 // of presences, the last projections asked for
}

// looks returns those at a branch, or at the records from which its direction
// is found. Pairs of a part belong to nobody else.
func (g *grower) looks(ctx context.Context, b *branch) (l looks, err error) {
	if !g.presences {
		return looks{run: g.records(b), mem: g.memory}, nil
	}
	step := 1
	if g.s.splitter() == Skew {
		step = directionStep(b)
	}
	l.rows, l.mem = g.listedAs(b.every(step), b.n/step), g.memory
	l.pairs, err = g.pairsOf(ctx, b, l.rows)
	switch {
	case err != nil || l.pairs != nil:
	case step == 1:
		l.run = g.records(b)
	default:
		l.run = g.view(l.rows.list).Runner
	}
	return l, err
}

// sums returns the number of records, the sums of their features and those of
// their squares.
func (l *looks) sums(ctx context.Context) (n float64, sum, squares []float64, err error) {
	if l.pairs == nil {
		survey, err := moment.NewSurvey(ctx, l.run, nil)
		if err != nil {
			return 0, nil, nil, err
		}
		return survey.N, survey.Sum, survey.SumSquares, nil
	}
	sum = make([]float64, l.pairs.D)
	for h := range sum {
		sum[h] = l.pairs.Single(h)
	}
	return float64(l.pairs.N), sum, sum, nil
}

// products sets each y to Σ x·z for z = vᵀx − shift. It returns each Σ z, which
// is what y is off by in terms of the mean: of counted pairs the shift is still
// in y.
func (l *looks) products(ctx context.Context, y, v [][]float64, shift []float64) (total []float64, err error) {
	total = make([]float64, len(v))
	if l.pairs != nil {
		for i := range v {
			total[i] = float64(l.pairs.N) * shift[i]
		}
		l.pairs.MulTo(y, v)
		return total, nil
	}
	for i := range v {
		state, err := pass.RunOne(ctx, l.run, covarySum{v[i], shift[i]})
		if err != nil {
			return nil, err
		}
		copy(y[i], state)
		total[i] = state[len(v[i])] // rounding only, but exact to subtract
	}
	return total, nil
}

// powers returns the sums of the first three powers of vᵀx − shift.
func (l *looks) powers(ctx context.Context, v []float64, shift float64) ([]float64, error) {
	if l.rows == nil {
		return pass.RunOne(ctx, l.run, powerSum{v, shift})
	}
	l.z = l.mem.scratch.take(l.rows.n)
	m, err := l.rows.powers(ctx, l.z, v, shift)
	return m[:], err
}
