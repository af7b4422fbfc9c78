package fit

import (
	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
)

// leastDiffering is the number of records that have a feature, or lack it, for it to tell parts
// of them apart.
const leastDiffering = 3

// differing are the features that may tell parts of some presences apart. The records of one group
// have a quarter of the features of all, and second moments grow with the square of these.
type differing struct {
	kept []int     // nil: all
	mean []float64 // of every feature, where not all are kept
}

// differing looks at records that are presences without columns of a question.
func (d Training) differing(rows sparse.Rows) differing {
	if d.Kind != record.Presence || len(d.Vocab.Columns) > 0 || !rows.IsBinary() {
		return differing{}
	}
	n := rows.N()
	count := make([]int, rows.Dim)
	for i := range n {
		index, _ := rows.Row(i)
		for _, h := range index {
			count[h]++
		}
	}
	var out differing
	for h, c := range count {
		out.mean = append(out.mean, (float64(c)+.5)/float64(n+1))
		if c >= leastDiffering && n-c >= leastDiffering {
			out.kept = append(out.kept, h)
		}
	}
	if len(out.kept) < 2 {
		return differing{}
	}
	return out
}

// narrow returns the rows with the features that are kept.
func (t differing) narrow(rows sparse.Rows) sparse.Rows {
	if t.kept == nil {
		return rows
	}
	column := make([]int, rows.Dim)
	for at, h := range t.kept {
		column[h] = at + 1
	}
	out := sparse.Rows{Dim: len(t.kept), Ptr: make([]int, 1, rows.N()+1), Index: make([]uint32, 0, rows.NNZ())}
	for i := range rows.N() {
		index, _ := rows.Row(i)
		for _, h := range index {
			if c := column[h]; c > 0 {
				out.Index = append(out.Index, uint32(c-1))
			}
		}
		out.Ptr = append(out.Ptr, len(out.Index))
	}
	return out
}

// widen returns groups of the kept features with all features, of which the others are alike
// in all groups.
func (t differing) widen(p mixture.Params) mixture.Params {
	if t.kept == nil {
		return p
	}
	centers := mat.NewDense(len(t.mean), p.K(), nil)
	for h, v := range t.mean {
		for j := range p.K() {
			centers.Set(h, j, v)
		}
	}
	for at, h := range t.kept {
		centers.SetRow(h, p.Centers.RawRowView(at))
	}
	return mixture.New(centers, p.Weights)
}
