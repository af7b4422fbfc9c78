package moment

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/warn"
)

// The entries of M3 with two indices in one block are missing. With the model
// M3(h,m,j) = T(e_h,e_m,e_j), where T is the whitened core and e_h row h of E,
// their share in a basis B is linear in T:
//
//	Σ_b [ T(R_b,R_b,R) placed three ways − 2·T(R_b,R_b,R_b) ],
//	R_b = Σ_{h in b} e_h b_hᵀ (rank×l),  R = Σ_b R_b = EᵀB,
//
// which for B = W (R = I) gives the fixed point T = T0 + D(T): the least
// squares of Jain and Oh without their d³ array.

// fillCore computes the core of the observed entries and solves for T.
func (c *Completed) fillCore(ctx context.Context) error {
	if c.core != nil {
		return nil
	}
	p, err := c.src.Project(ctx, c.w, Core)
	if err != nil {
		return err
	}
	c.t0 = p.Core
	c.core = p.Core.Clone()
	last := math.Inf(1)
	grown := 0
	next, missing := NewCube(c.core.N), c.newMissing(c.w)
	for range mostCoreUpdates {
		copy(next.Data, c.t0.Data)
		missing.add(next, c.core)
		change, size := 0.0, 0.0
		for i, v := range next.Data {
			change = math.Max(change, math.Abs(v-c.core.Data[i]))
			size = math.Max(size, math.Abs(v))
		}
		c.core, next = next, c.core
		if change <= c.tol*size {
			return nil
		}
		if change > last {
			grown++
		}
		if last = change; grown >= 5 || math.IsNaN(change) {
			return c.giveUp(ctx)
		}
	}
	return nil
}

// giveUp replaces a completion that diverges, as it does when one feature
// carries a direction alone, by the biased core that keeps the diagonal.
func (c *Completed) giveUp(ctx context.Context) error {
	raw := c.diverged()
	if raw == nil {
		c.core = c.t0.Clone()
		return nil
	}
	p, err := raw.Project(ctx, c.w, Core)
	if err != nil {
		return err
	}
	c.core = p.Core
	return nil
}

// diverged notes that a completion was given up, and returns the moments that keep the
// diagonal, nil where there are none.
func (c *Completed) diverged() Source {
	c.warned = append(c.warned, warn.New(warn.Caution, "completion-diverged",
		"Leave out features that nearly determine a group, or use fewer groups.",
		"One feature nearly decides by itself who belongs to a group, so that the search began from a rougher place."))
	s, ok := c.src.(*Sampled)
	if !ok {
		return nil
	}
	return NewSampled(s.run, Formula{Law: Raw(), Weigh: s.f.Weigh, Scale: s.f.Scale}, s.binary)
}

// Project implements Source.
func (c *Completed) Project(ctx context.Context, b *mat.Dense, want Want) (*Projection, error) {
	if want&(Core|Slices) != 0 || want&Rows != 0 && !c.GivesRows() {
		if err := c.fillCore(ctx); err != nil {
			return nil, err
		}
	}
	if b == c.w && want == Core { // known since the completion: no scan
		return &Projection{Core: c.core.Clone()}, nil
	}
	p, err := c.src.Project(ctx, b, want)
	if err != nil {
		return nil, err
	}
	if p.Second != nil {
		c.addInner(p.Second, b)
	}
	if p.Core != nil {
		c.newMissing(b).add(p.Core, c.core)
	}
	switch {
	case p.Slices == nil && p.Rows != nil && c.GivesRows():
		err = c.addMissingRows(ctx, p.Rows, b)
	case p.Slices != nil || p.Rows != nil:
		c.addMissingSlices(p, b)
	}
	return p, err
}

// alone returns the features that stand in no block.
func (c *Completed) alone() []int {
	out := make([]int, 0, c.Dim())
	at := 0
	for _, b := range c.blocks {
		for ; at < b[0]; at++ {
			out = append(out, at)
		}
		at = b[1]
	}
	for ; at < c.Dim(); at++ {
		out = append(out, at)
	}
	return out
}

// contraction finds T(e_h,e_h,·) of the listed features, for one cube after the other.
type contraction struct {
	c        *Completed
	features []int
	pairs    *mat.Dense // contracted×n²: e_h⊗e_h
	out      *mat.Dense
}

// contracted is the number of features whose pairs are held at a time: little memory, since
// what is fresh costs more than the products.
const contracted = 64

func (c *Completed) newContraction(features []int) *contraction {
	_, n := c.e.Dims()
	return &contraction{
		c: c, features: features,
		pairs: mat.NewDense(contracted, n*n, nil), out: mat.NewDense(max(len(features), 1), n, nil),
	}
}

// of returns them for t, in memory that the next call uses again.
func (p *contraction) of(t *Cube) *mat.Dense {
	n := t.N
	flat := mat.NewDense(n*n, n, t.Data)
	for lo := 0; lo < len(p.features); lo += contracted {
		hi := min(lo+contracted, len(p.features))
		for i, h := range p.features[lo:hi] {
			row, eh := p.pairs.RawRowView(i), p.c.e.RawRowView(h)
			for a, v := range eh {
				to := row[a*n:][:len(eh)]
				for b, w := range eh {
					to[b] = v * w
				}
			}
		}
		spectral.Mul(p.out.Slice(lo, hi, 0, n).(*mat.Dense), p.pairs.Slice(0, hi-lo, 0, n*n).(*mat.Dense), flat)
	}
	return p.out
}

// missing adds the share of the missing entries to cores in basis b: what hangs on the
// basis alone is found once.
type missing struct {
	c     *Completed
	b     *mat.Dense
	rows  *mat.Dense // of b: those of the features that stand alone
	r     mat.Dense  // EᵀB
	pairs *contraction
	g     mat.Dense
	cs    []float64
}

func (c *Completed) newMissing(b *mat.Dense) *missing {
	m := &missing{c: c, b: b, rows: b}
	m.r.Mul(c.e.T(), b)
	features := c.alone()
	if d, l := b.Dims(); len(features) < d {
		m.rows = mat.NewDense(max(len(features), 1), l, nil)
		for i, h := range features {
			m.rows.SetRow(i, b.RawRowView(h))
		}
	}
	m.pairs, m.cs = c.newContraction(features), make([]float64, len(features))
	return m
}

// add adds that share, by the model t, to the core.
func (m *missing) add(core, t *Cube) {
	c := m.c
	if len(m.cs) > 0 {
		y := m.pairs.of(t)
		m.g.Mul(y, &m.r) // T(e_h,e_h,R·)
		m.g.Scale(-1, &m.g)
		for i, h := range m.pairs.features {
			t3 := dotRows(y.RawRowView(i), c.e.RawRowView(h))
			m.cs[i] = -2 * t3
			if c.triple { // only (h,h,h): b_h³·T(e_h,e_h,e_h)
				m.cs[i] = t3
				clear(m.g.RawRowView(i))
			}
		}
		takeThird(1, &m.g, m.rows, m.cs)
		takePlaced(core, m.rows, &m.g)
	}
	for _, blk := range c.blocks {
		c.addBlockCore(core, t, m.b, blk)
	}
}

func (c *Completed) addBlockCore(core, t *Cube, b *mat.Dense, blk [2]int) {
	_, l := b.Dims()
	var r, rb mat.Dense
	r.Mul(c.e.T(), b)
	rb.Mul(c.e.Slice(blk[0], blk[1], 0, t.N).T(), b.Slice(blk[0], blk[1], 0, l))
	mixed := threeModes(t, &rb, &rb, &r) // (a,e,f): T(R_b,R_b,R)
	inner := t.Congruence(&rb)
	for a := range l {
		for e := range l {
			for f := range l {
				core.Data[(a*l+e)*l+f] += mixed[(a*l+e)*l+f] + mixed[(a*l+f)*l+e] + mixed[(e*l+f)*l+a] -
					2*inner.Data[(a*l+e)*l+f]
			}
		}
	}
}

// threeModes returns T(A,B,C) as an l×l×l array for rank×l matrices.
func threeModes(t *Cube, a, b, c *mat.Dense) []float64 {
	n := t.N
	_, l := a.Dims()
	x := mat.NewDense(n*n, l, nil)
	spectral.Mul(x, mat.NewDense(n*n, n, t.Data), c)
	y := mat.NewDense(n*l, l, nil)
	for i := range n {
		spectral.MulTrans(y.Slice(i*l, (i+1)*l, 0, l).(*mat.Dense), b, x.Slice(i*n, (i+1)*n, 0, l).(*mat.Dense))
	}
	out := make([]float64, l*l*l)
	spectral.MulTrans(mat.NewDense(l, l*l, out), a, mat.NewDense(n, l*l, y.RawMatrix().Data))
	return out
}

func dotRows(a, b []float64) float64 {
	s := 0.0
	for i, v := range a {
		s += v * b[i]
	}
	return s
}

// addMissingSlices adds to slice r of M3 in basis B its missing entries:
//
//	Σ_b R_bᵀT_rR_b + R_cᵀT_rR + RᵀT_rR_c − 2·R_cᵀT_rR_c,
//
// where T_r = T(e_r,·,·) and c is the block of r.
func (c *Completed) addMissingSlices(p *Projection, b *mat.Dense) {
	_, l := b.Dims()
	features := c.alone()
	var r mat.Dense
	r.Mul(c.e.T(), b)
	y := c.newContraction(features).of(c.core)
	var yb mat.Dense
	yb.Mul(y, &r)
	n := c.core.N
	same := make([]*mat.Dense, n) // Q_a = Σ_b R_bᵀT_aR_b
	for a := range same {
		same[a] = mat.NewDense(l, l, nil)
	}
	if !c.triple {
		for i, h := range features {
			bh := b.RawRowView(h)
			for a, f := range y.RawRowView(i) {
				same[a].RankOne(same[a], f, mat.NewVecDense(l, bh), mat.NewVecDense(l, bh))
			}
		}
		for _, blk := range c.blocks {
			rb := c.blockBasis(b, blk)
			for a := range same {
				var x, q mat.Dense
				x.Mul(c.core.Slice(a), rb)
				q.Mul(rb.T(), &x)
				same[a].Add(same[a], &q)
			}
		}
	}
	slice := mat.NewDense(l, l, nil)
	for i, h := range features {
		t3 := dotRows(y.RawRowView(i), c.e.RawRowView(h))
		bh, yh := b.RawRowView(h), yb.RawRowView(i)
		c.common(slice, same, h)
		for a := range l {
			for e := range l {
				v := bh[a]*yh[e] + yh[a]*bh[e] - 2*t3*bh[a]*bh[e]
				if c.triple {
					v = t3 * bh[a] * bh[e]
				}
				slice.Set(a, e, slice.At(a, e)+v)
			}
		}
		p.addToSlice(h, slice)
	}
	for _, blk := range c.blocks {
		rb := c.blockBasis(b, blk)
		for h := blk[0]; h < blk[1]; h++ {
			c.common(slice, same, h)
			th := c.core.Contract(c.e.RawRowView(h))
			var x, own, cross mat.Dense
			x.Mul(th, rb)
			own.Mul(rb.T(), &x)
			cross.Mul(r.T(), &x) // RᵀT_hR_c
			for a := range l {
				for e := range l {
					slice.Set(a, e, slice.At(a, e)+cross.At(a, e)+cross.At(e, a)-2*own.At(a, e))
				}
			}
			p.addToSlice(h, slice)
		}
	}
}

// common sets dst to Σ_a E_ha Q_a.
func (c *Completed) common(dst *mat.Dense, same []*mat.Dense, h int) {
	dst.Zero()
	for a, f := range c.e.RawRowView(h) {
		addScaled(dst.RawMatrix().Data, f, same[a].RawMatrix().Data)
	}
}

func (c *Completed) blockBasis(b *mat.Dense, blk [2]int) *mat.Dense {
	_, l := b.Dims()
	var rb mat.Dense
	rb.Mul(c.e.Slice(blk[0], blk[1], 0, c.core.N).T(), b.Slice(blk[0], blk[1], 0, l))
	return &rb
}

// addToSlice adds a symmetric matrix to slice h and to its diagonal.
func (p *Projection) addToSlice(h int, s *mat.Dense) {
	l, _ := s.Dims()
	if p.Rows != nil {
		for a, row := 0, p.Rows.RawRowView(h); a < l; a++ {
			row[a] += s.At(a, a)
		}
	}
	if p.Slices == nil {
		return
	}
	row, at := p.Slices.RawRowView(h), 0
	for a := range l {
		for e := a; e < l; e++ {
			row[at] += s.At(a, e)
			at++
		}
	}
}
