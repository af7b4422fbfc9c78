package tree

import (
	"context"

	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
)

// looks are the ways to look at the records that a direction is found from:
// passes, or counted pairs and the presences themselves.
type looks struct {
	run   pass.Runner        // where there are no pairs
	pairs *moment.PairCounts // or nil
	rows  *listed            // presences, or nil
	room  *stock[float32]
}

// looks returns those at a branch, or at the records from which its direction
// is found. Pairs of a part belong to nobody else.
func (g *grower) looks(ctx context.Context, b *branch) (l looks, err error) {
	if !g.presences {
		return looks{run: g.records(b)}, nil
	}
	step := 1
	if g.s.splitter() == Skew {
		step = directionStep(b)
	}
	l.rows, l.room = g.listedAs(b.every(step), b.n/step), g.projections
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

// product sets y to Σ x·z for z = vᵀx − shift. It returns Σ z, which is what y
// is off by in terms of the mean: of counted pairs the shift is still in y.
func (l *looks) product(ctx context.Context, y, v []float64, shift float64) (total float64, err error) {
	if l.pairs != nil {
		l.pairs.MulTo(y, v)
		return float64(l.pairs.N) * shift, nil
	}
	state, err := pass.RunOne(ctx, l.run, covarySum{v, shift})
	if err != nil {
		return 0, err
	}
	copy(y, state)
	return state[len(v)], nil // rounding only, but exact to subtract
}

// products sets the vectors of y to Σ x·xᵀv for those of v.
func (l *looks) products(ctx context.Context, y, v [][]float64) error {
	if l.pairs != nil && len(v) == 2 {
		l.pairs.MulTo2([2][]float64(y), [2][]float64(v))
		return nil
	}
	for i := range v {
		if _, err := l.product(ctx, y[i], v[i], 0); err != nil {
			return err
		}
	}
	return nil
}

// powers returns the sums of the first three powers of vᵀx − shift.
func (l *looks) powers(ctx context.Context, v []float64, shift float64) ([]float64, error) {
	if l.rows == nil {
		return pass.RunOne(ctx, l.run, powerSum{v, shift})
	}
	m, err := l.rows.powers(ctx, v, shift)
	return m[:], err
}
