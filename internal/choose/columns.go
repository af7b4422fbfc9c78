package choose

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/pass"
)

// leaveOut measures the correlations inside the columns of the vocabulary, so
// that apply can take them away.
func (c *correlations) leaveOut(ctx context.Context, data fit.Training) error {
	if data.Vocab == nil || c.documents {
		return nil
	}
	for _, col := range data.Vocab.Columns {
		if col.To-col.From > 1 {
			c.columns = append(c.columns, [2]int{col.From, col.To})
		}
	}
	if len(c.columns) == 0 {
		return nil
	}
	sum := columnSum{c: c, of: make([]int, data.Run.Dim()), at: make([]int, len(c.columns)+1)}
	for h := range sum.of {
		sum.of[h] = -1
	}
	for i, col := range c.columns {
		for h := col[0]; h < col[1]; h++ {
			sum.of[h] = i
		}
		sum.at[i+1] = sum.at[i] + (col[1]-col[0])*(col[1]-col[0])
	}
	state, err := pass.RunOne(ctx, c.run, sum)
	if err != nil {
		return err
	}
	for i, col := range c.columns {
		c.within = append(c.within, c.inside(col, state[sum.at[i]:sum.at[i+1]]))
	}
	return nil
}

// inside turns sums of products into correlations without their diagonal.
func (c *correlations) inside(col [2]int, products []float64) *mat.Dense {
	m := col[1] - col[0]
	out := mat.NewDense(m, m, nil)
	for a := range m {
		for b := range m {
			h, g := col[0]+a, col[0]+b
			if a != b {
				out.Set(a, b, c.inverse[h]*c.inverse[g]*(products[a*m+b]/c.n-c.mean[h]*c.mean[g]))
			}
		}
	}
	return out
}

// columnSum adds Σ x_h·x_g over the pairs of features of each column.
type columnSum struct {
	c  *correlations
	of []int // column of each feature, or -1
	at []int // where each column's products begin
}

// Len implements pass.Sum.
func (s columnSum) Len() int { return s.at[len(s.at)-1] }

// Add implements pass.Sum.
func (s columnSum) Add(state []float64, b pass.Block) error {
	var features []int
	var values []float64
	for i := range b.Rows.N() {
		features, values = features[:0], values[:0]
		b.Rows.Each(i, func(h int, x float64) {
			if s.of[h] >= 0 {
				features, values = append(features, h), append(values, s.c.value(h, x))
			}
		})
		s.addRow(state, features, values)
	}
	return nil
}

// addRow adds the products of one row; features rise, so those of a column
// stand together.
func (s columnSum) addRow(state []float64, features []int, values []float64) {
	for e, h := range features {
		i := s.of[h]
		col := s.c.columns[i]
		m := col[1] - col[0]
		for f := e; f < len(features) && s.of[features[f]] == i; f++ {
			v := values[e] * values[f]
			state[s.at[i]+(h-col[0])*m+features[f]-col[0]] += v
			if f != e {
				state[s.at[i]+(features[f]-col[0])*m+h-col[0]] += v
			}
		}
	}
}
