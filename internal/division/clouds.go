package division

import (
	"math/rand/v2"
	"sync"

	"github.com/moiety-go/moiety/internal/normals"
)

const (
	starts     = 3  // of k-means
	emSteps    = 50 // at most
	fullColumn = 20 // columns up to which every group has a covariance of its own
)

// methods names what fits returns.
func (v *view) methods() []string {
	out := []string{"k-means"}
	if v.counts != nil {
		return append(out, "classes")
	}
	for _, s := range v.shapes() {
		out = append(out, s.String())
	}
	return out
}

// shapes are those of the normal mixtures of a view.
func (v *view) shapes() []normals.Shape {
	if v.table.D > fullColumn {
		return []normals.Shape{normals.Tied, normals.Diagonal}
	}
	return []normals.Shape{normals.Tied, normals.Diagonal, normals.Own}
}

// fits learns k groups from some rows by k-means and from there by mixtures.
func (v *view) fits(rows []int, k int, seed uint64) []placing {
	r := rand.New(rand.NewPCG(seed, uint64(k)))
	t := v.table.Rows(rows).Kept()
	label := normals.Nearest(t, k, starts, r)
	out := []placing{v.around(rows, label, k)}
	if v.counts != nil {
		return append(out, v.classes(rows, label, k, r))
	}
	for _, shape := range v.shapes() {
		begin := [][]float64{normals.Members(label, k)}
		if shape == normals.Tied {
			begin = append(begin, normals.KMeans(normals.Sphered(t), k, starts, r))
		}
		var best *normals.Mixture
		for _, member := range begin {
			m := normals.EM(t, member, k, normals.Options{Shape: shape, Steps: emSteps})
			if best == nil || m.LogLik > best.LogLik {
				best = m
			}
		}
		out = append(out, v.seen(best))
	}
	return out
}

// around places all records at the nearest middle of labelled rows.
func (v *view) around(rows, label []int, k int) placing {
	p := v.seen(normals.Round(v.table.Rows(rows), label, k))
	if v.counts != nil {
		p.density = nil
	}
	return p
}

// seen is what a mixture says of all records.
func (v *view) seen(m *normals.Mixture) placing {
	t := v.table
	score := make([]float64, t.N*m.K)
	m.Scores(t, score)
	p := placing{label: make([]int, t.N), density: make([]float64, t.N)}
	for i := range t.N {
		row := score[i*m.K:][:m.K]
		p.label[i] = largest(row)
		p.density[i] = logSum(row)
	}
	for i, j := range v.jacobian {
		p.density[i] += j
	}
	return p
}

// singles are fits of single populations to some rows: the log density of every record.
func (v *view) singles() []func(rows []int) []float64 {
	if v.counts != nil {
		return []func([]int) []float64{func(rows []int) []float64 { return v.classes(rows, make([]int, len(rows)), 1, nil).density }}
	}
	var out []func([]int) []float64
	for _, shape := range []normals.Shape{normals.Common, normals.Tied} {
		out = append(out, func(rows []int) []float64 {
			all := normals.Members(make([]int, len(rows)), 1)
			return v.seen(normals.EM(v.table.Rows(rows), all, 1, normals.Options{Shape: shape, Steps: 1})).density
		})
	}
	return out
}

// trees are the merges of Ward's clustering of some rows, made when they are first asked.
type trees struct {
	once   sync.Once
	t      normals.Table
	merges []merge
}

func newTrees(t normals.Table) *trees { return &trees{t: t} }

// cut returns k clusters.
func (w *trees) cut(k int) []int {
	w.once.Do(func() { w.merges = ward(w.t) })
	return cutAt(w.merges, w.t.N, k)
}
