package dataset

import "github.com/moiety-go/moiety/sparse"

// slice returns records lo to hi-1 as a view. Its steps start at 0.
func (d *Dataset) slice(lo, hi int) *Dataset {
	out := &Dataset{Kind: d.Kind, Vocab: d.Vocab}
	from, to := lo, hi
	if d.Steps != nil {
		from, to = d.Steps[lo], d.Steps[hi]
		out.Steps = make([]int, hi-lo+1)
		for i := range out.Steps {
			out.Steps[i] = d.Steps[lo+i] - from
		}
	}
	out.Rows = d.Rows.Slice(from, to)
	if d.IDs != nil {
		out.IDs = d.IDs[lo:hi]
	}
	for _, s := range d.Side {
		out.Side = append(out.Side, Side{s.Name, s.Values[lo:hi]})
	}
	return out
}

// join copies data sets of one header into one, in order.
func join(parts []*Dataset) *Dataset {
	out := &Dataset{}
	nnz, rows := 0, 0
	for _, p := range parts {
		nnz, rows = nnz+p.Rows.NNZ(), rows+p.Rows.N()
	}
	for i, p := range parts {
		if i == 0 {
			*out = *empty(p.Describe())
			out.grow(rows, nnz)
		}
		out.append(p)
	}
	return out
}

// empty returns a data set without records.
func empty(h Header) *Dataset {
	d := &Dataset{Kind: h.Kind, Vocab: h.Vocab, Rows: sparse.Rows{Dim: h.Vocab.Len()}}
	switch h.Layout {
	case Dense:
		d.Rows.Dense = []float64{}
	case Valued:
		d.Rows.Value = []float32{}
		fallthrough
	default:
		d.Rows.Ptr = []int{0}
	}
	if h.Sequences {
		d.Steps = []int{0}
	}
	if h.IDs {
		d.IDs = []string{}
	}
	for _, name := range h.Side {
		d.Side = append(d.Side, Side{Name: name})
	}
	return d
}

// grow makes room for rows.
func (d *Dataset) grow(rows, nnz int) {
	if d.Rows.Dense != nil {
		d.Rows.Dense = make([]float64, 0, nnz)
		return
	}
	d.Rows.Ptr = append(make([]int, 0, rows+1), 0)
	d.Rows.Index = make([]uint32, 0, nnz)
	if d.Rows.Value != nil {
		d.Rows.Value = make([]float32, 0, nnz)
	}
}

// append copies the records of p to the end of d.
func (d *Dataset) append(p *Dataset) {
	for i := 1; i < len(p.Steps); i++ {
		d.Steps = append(d.Steps, d.Steps[len(d.Steps)-1]+p.Steps[i]-p.Steps[i-1])
	}
	d.IDs = append(d.IDs, p.IDs...)
	for i := range p.Side {
		d.Side[i].Values = append(d.Side[i].Values, p.Side[i].Values...)
	}
	r := &d.Rows
	if r.Dense != nil {
		r.Dense = append(r.Dense, p.Rows.Dense...)
		return
	}
	lo := p.Rows.Ptr[0]
	base := len(r.Index) - lo
	for i := range p.Rows.N() {
		r.Ptr = append(r.Ptr, base+p.Rows.Ptr[i+1])
	}
	hi := p.Rows.Ptr[p.Rows.N()]
	r.Index = append(r.Index, p.Rows.Index[lo:hi]...)
	if r.Value != nil {
		r.Value = append(r.Value, p.Rows.Value[lo:hi]...)
	}
}
