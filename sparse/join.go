package sparse

import "github.com/moiety-go/moiety/internal/pages"

// Join returns the rows of all parts, one after the other, in memory of their
// own. Parts are of one kind: dense, presences or valued.
func Join(dim int, parts []Rows) Rows {
	all := Rows{Dim: dim}
	n, entries, cells := 0, 0, 0
	dense, valued := false, false
	for _, p := range parts {
		dense, valued = dense || p.IsDense(), valued || p.Value != nil
		if p.IsDense() {
			cells += len(p.Dense)
			continue
		}
		n += p.N()
		entries += p.NNZ()
	}
	if dense {
		all.Dense = make([]float64, 0, cells)
		for _, p := range parts {
			all.Dense = append(all.Dense, p.Dense...)
		}
		return all
	}
	all.Ptr, all.Index = make([]int, 1, n+1), pages.Make[uint32](entries)[:0]
	if valued {
		all.Value = pages.Make[float32](entries)[:0]
	}
	for _, p := range parts {
		all.append(p)
	}
	return all
}

// append adds the rows of p, which are not dense.
func (r *Rows) append(p Rows) {
	if p.N() == 0 {
		return
	}
	lo, hi := p.Ptr[0], p.Ptr[p.N()]
	for _, end := range p.Ptr[1:] {
		r.Ptr = append(r.Ptr, len(r.Index)+end-lo)
	}
	r.Index = append(r.Index, p.Index[lo:hi]...)
	if p.Value != nil {
		r.Value = append(r.Value, p.Value[lo:hi]...)
	}
}
