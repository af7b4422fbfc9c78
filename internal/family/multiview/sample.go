package multiview

import (
	"fmt"
	"math/rand/v2"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/sparse"
)

// Sample draws n records with all views; views whose families need lengths
// take them from the shape.
func (f *Family) Sample(p mixture.Params, r *rand.Rand, n int, shape family.Shape) (family.Draw, error) {
	if err := f.Check(p); err != nil {
		return family.Draw{}, err
	}
	draw := family.Draw{Labels: make([]int, n)}
	count := make([]int, p.K())
	for i := range draw.Labels {
		draw.Labels[i] = family.Pick(r, p.Weights)
		count[draw.Labels[i]]++
	}
	views := make([][]sparse.Rows, len(f.views)) // by view and component
	for v := range f.views {
		for j, c := range count {
			one := f.views[v].Family.Reorder(f.view(p, v), []int{j})
			one.Weights = []float64{1}
			d, err := f.views[v].Family.Sample(one, r, c, shape)
			if err != nil {
				return draw, f.inView(v, err)
			}
			if d.Steps != nil {
				return draw, f.inView(v, fmt.Errorf("its family makes sequences, which a view cannot be"))
			}
			views[v] = append(views[v], d.Rows)
		}
	}
	var err error
	draw.Rows, err = f.stack(views, draw.Labels)
	return draw, err
}

// stack puts the views of the records side by side: record i takes the next
// unused row of its component in every view.
func (f *Family) stack(views [][]sparse.Rows, labels []int) (sparse.Rows, error) {
	dense, binary := false, true
	for _, v := range views {
		for _, rows := range v {
			dense = dense || rows.IsDense()
			binary = binary && rows.IsBinary()
		}
	}
	out := sparse.Rows{Dim: f.d}
	if dense {
		out.Dense = make([]float64, len(labels)*f.d)
	}
	build, next := sparse.NewBuilder(f.d, binary), make([]int, len(views[0]))
	for i, j := range labels {
		var index []uint32
		var value []float32
		for v, rows := range views {
			from := f.views[v].From
			each(rows[j], next[j], func(h int, x float64) {
				if dense {
					out.Dense[i*f.d+from+h] = x
				} else {
					index, value = append(index, uint32(from+h)), append(value, float32(x))
				}
			})
		}
		next[j]++
		if !dense {
			if err := build.Add(index, value); err != nil {
				return out, err
			}
		}
	}
	if dense {
		return out, nil
	}
	return build.Rows(), nil
}

// each calls do for every entry of row i.
func each(rows sparse.Rows, i int, do func(h int, x float64)) {
	if rows.IsDense() {
		for h, x := range rows.DenseRow(i) {
			do(h, x)
		}
		return
	}
	index, value := rows.Row(i)
	for e, h := range index {
		x := 1.0
		if value != nil {
			x = float64(value[e])
		}
		do(int(h), x)
	}
}
