package decompose

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/moment"
)

// removedPanel is the number of features whose slices are cleared in one scan.
const removedPanel = 50

// leverageTol is how near to 1 the leverage of a feature may come before the
// others can no longer stand in for it.
const leverageTol = 1e-8

// removed returns the slices of [S] Alg. 2, steps 4 to 7: slice r whitened
// without feature r, H_r = E_r†·M3,r·(E_rᵀ)†, where E_r lacks row r and M3,r row
// and column r. With G = EᵀE, P = E·G^-1, row e of E and row p of P at r, the
// whitening of the others is (P − e_r pᵀ)·K with K = G·(G − eeᵀ)^-1, so that
//
//	H_r = Kᵀ·[PᵀM3(e_r)P − p gᵀ − g pᵀ + t·ppᵀ]·K,  g = PᵀM3(e_r)e_r,  t = M3(e_r,e_r,e_r)
//
// g and t are no projections on few columns for all r at once, so this takes a
// scan for every 50 features. A feature that the others cannot stand in for
// keeps its slice.
func (w *Whitened) removed(ctx context.Context, src moment.Source, plain *moment.Projection) (*moment.Projection, error) {
	d, k := w.E.Dims()
	var g, inverse, pinv mat.Dense
	g.Mul(w.E.T(), w.E)
	if inverse.Inverse(&g) != nil {
		return plain, nil
	}
	pinv.Mul(w.E, &inverse)
	out := &moment.Projection{Slices: mat.DenseCopyOf(plain.Slices)}
	for lo := 0; lo < d; lo += removedPanel {
		hi := min(lo+removedPanel, d)
		b := mat.NewDense(d, k+hi-lo, nil)
		b.Slice(0, d, 0, k).(*mat.Dense).Copy(&pinv)
		for r := lo; r < hi; r++ {
			b.Set(r, k+r-lo, 1)
		}
		p, err := src.Project(ctx, b, moment.Slices)
		if err != nil {
			return nil, err
		}
		w.Passes++
		for r := lo; r < hi; r++ {
			w.removeFeature(out, p, &g, &pinv, r, k+r-lo)
		}
	}
	return out, nil
}

// removeFeature sets slice r of out. Column at of the basis behind p is e_r,
// the first k columns are P.
func (w *Whitened) removeFeature(out, p *moment.Projection, g, pinv *mat.Dense, r, at int) {
	_, k := w.E.Dims()
	_, m := p.Slices.Dims()
	full := p.Slice(r, columnsOf(m))
	e, pr := w.E.RawRowView(r), pinv.RawRowView(r)
	if 1-dot(e, pr) < leverageTol {
		return
	}
	h := mat.NewDense(k, k, nil)
	less := mat.DenseCopyOf(g)
	t := full.At(at, at)
	for a := range k {
		for b := range k {
			h.Set(a, b, full.At(a, b)-pr[a]*full.At(b, at)-full.At(a, at)*pr[b]+t*pr[a]*pr[b])
			less.Set(a, b, less.At(a, b)-e[a]*e[b])
		}
	}
	var inverse, kr, left, done mat.Dense
	if inverse.Inverse(less) != nil {
		return
	}
	kr.Mul(g, &inverse)
	left.Mul(kr.T(), h)
	done.Mul(&left, &kr)
	packInto(out.Slices.RawRowView(r), &done)
}

// columnsOf returns l for m = l(l+1)/2 packed entries.
func columnsOf(m int) int {
	l := 0
	for l*(l+1)/2 < m {
		l++
	}
	return l
}

// packInto writes the upper triangle of s, made symmetric, to row.
func packInto(row []float64, s *mat.Dense) {
	k, _ := s.Dims()
	at := 0
	for a := range k {
		for b := a; b < k; b++ {
			row[at] = (s.At(a, b) + s.At(b, a)) / 2
			at++
		}
	}
}
