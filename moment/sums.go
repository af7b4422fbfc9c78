package moment

import (
	"github.com/moiety-go/moiety/internal/kernel"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/spectral"
)

// panelRows is the number of records whose projections are held at once: a
// panel of a few hundred kilobytes stays in the second-level cache.
const panelRows = 256

// Places in the state of firstSum.
const (
	atN        = iota
	atLength1  // Σ r·t, or n
	atLength2  // Σ u·t(t−1), or n
	atLength3  // Σ v·t(t−1)(t−2), or n
	firstHeads // then Σ r·x, document frequencies, Σ u·e2(x), Σ v·c(x): d each
)

// firstSum adds up everything that needs no basis.
type firstSum struct {
	f *Formula
	d int
}

func (s firstSum) Len() int { return firstHeads + 4*s.d }

func (s firstSum) Add(state []float64, b pass.Block) error {
	d := s.d
	sums, df := state[firstHeads:][:d], state[firstHeads+d:][:d]
	e2s, cs := state[firstHeads+2*d:][:d], state[firstHeads+3*d:][:d]
	w := s.f.weights(b.Rows)
	switch {
	case b.Rows.IsBinary() && w.totals == nil:
		s.addPresences(state, b.Rows)
		return nil
	case s.f.Diagonal == Factorial && b.Rows.Value != nil:
		s.addCounts(state, b.Rows, w)
		return nil
	}
	ent := entries{f: s.f}
	for i := range b.Rows.N() {
		r, u, v := w.at(i)
		state[atN]++
		state[atLength1] += w.length1(i)
		state[atLength2] += w.length2(i)
		state[atLength3] += w.length3(i)
		index, x, e2, c := ent.row(b.Rows, i)
		for e, xe := range x {
			h := e
			if index != nil {
				h = int(index[e])
			}
			sums[h] += r * xe
			if xe != 0 {
				df[h]++
			}
			e2s[h] += u * e2[e]
			cs[h] += v * c[e]
		}
	}
	return nil
}

// addPresences is Add for presences that all count alike: every sum is a
// multiple of the document frequencies.
func (s firstSum) addPresences(state []float64, rows sparse.Rows) {
	d, n := s.d, float64(rows.N())
	df := make([]float64, d)
	for _, h := range rows.Index[rows.Ptr[0]:rows.Ptr[rows.N()]] {
		df[h]++
	}
	for at := range firstHeads {
		state[at] += n
	}
	var e2, c [1]float64
	s.f.corrections(e2[:], c[:], []float64{1})
	tables := state[firstHeads:]
	for h, v := range df {
		tables[h] += v
		tables[d+h] += v
		tables[2*d+h] += e2[0] * v
		tables[3*d+h] += c[0] * v
	}
}

// addCounts is Add for sparse counts with e2(x) = x and c(x) = 2x, where all
// sums are products of the rows with the weights.
func (s firstSum) addCounts(state []float64, rows sparse.Rows, w recordWeights) {
	const orders = 3
	z := make([]float64, rows.N()*orders)
	for i := range rows.N() {
		zi := z[i*orders:][:orders]
		zi[0], zi[1], zi[2] = w.at(i)
		state[atN]++
		state[atLength1] += w.length1(i)
		state[atLength2] += w.length2(i)
		state[atLength3] += w.length3(i)
	}
	sums := make([]float64, s.d*orders)
	rows.AddTransMul(sums, z, orders)
	d, tables := s.d, state[firstHeads:]
	for h := range d {
		tables[h] += sums[h*orders]
		tables[2*d+h] += sums[h*orders+1]
		tables[3*d+h] += 2 * sums[h*orders+2]
	}
	lo, hi := rows.Ptr[0], rows.Ptr[rows.N()]
	df := tables[d : 2*d]
	for e, x := range rows.Value[lo:hi] {
		if x != 0 {
			df[rows.Index[lo+e]]++
		}
	}
}

// recordWeights are the weights of the records of a block.
type recordWeights struct {
	f      *Formula
	totals []float64 // nil when all records count alike
}

func (f *Formula) weights(rows sparse.Rows) recordWeights {
	if f.Weigh == nil {
		return recordWeights{f: f}
	}
	return recordWeights{f, totals(rows)}
}

// totals returns the sum of every row: those of sparse values in four sums, which
// need not wait for each other.
func totals(rows sparse.Rows) []float64 {
	if rows.Value == nil {
		return rows.Totals()
	}
	out := make([]float64, rows.N())
	for i := range out {
		_, x := rows.Row(i)
		var a, b, c, d float64
		for ; len(x) >= 4; x = x[4:] {
			a += float64(x[0])
			b += float64(x[1])
			c += float64(x[2])
			d += float64(x[3])
		}
		for _, v := range x {
			a += float64(v)
		}
		out[i] = (a + b) + (c + d)
		if out[i] != out[i] { // missing values do not count
			return rows.Totals()
		}
	}
	return out
}

func (w recordWeights) at(i int) (r, u, v float64) {
	if w.totals == nil {
		return 1, 1, 1
	}
	return w.f.Weigh(w.totals[i])
}

func (w recordWeights) length1(i int) float64 {
	if w.totals == nil {
		return 1
	}
	t := w.totals[i]
	r, _, _ := w.at(i)
	return r * t
}

func (w recordWeights) length2(i int) float64 {
	if w.totals == nil {
		return 1
	}
	t := w.totals[i]
	_, u, _ := w.at(i)
	return u * t * (t - 1)
}

func (w recordWeights) length3(i int) float64 {
	if w.totals == nil {
		return 1
	}
	t := w.totals[i]
	_, _, v := w.at(i)
	return v * t * (t - 1) * (t - 2)
}

// entries unpacks rows into values and corrections, reusing its buffers.
type entries struct {
	f        *Formula
	x, e2, c []float64
}

// row returns the entries of row i; index is nil for a dense row.
func (en *entries) row(rows sparse.Rows, i int) (index []uint32, x, e2, c []float64) {
	if rows.IsDense() {
		en.grow(rows.Dim)
		copy(en.x, rows.DenseRow(i))
	} else {
		var value []float32
		index, value = rows.Row(i)
		en.grow(len(index))
		if value == nil {
			for e := range en.x {
				en.x[e] = 1
			}
		} else {
			for e, v := range value {
				en.x[e] = float64(v)
			}
		}
	}
	en.f.corrections(en.e2, en.c, en.x)
	return index, en.x, en.e2, en.c
}

func (en *entries) grow(n int) {
	if cap(en.x) < n {
		en.x, en.e2, en.c = make([]float64, n, 2*n), make([]float64, n, 2*n), make([]float64, n, 2*n)
	}
	en.x, en.e2, en.c = en.x[:n], en.e2[:n], en.c[:n]
}

// projectSum adds up what a basis sees: with z = Bᵀx,
//
//	Second         Σ u·x⊗z                   d×l
//	third orders   Σ v·e2(x)⊗z               d×l, unless it equals the one above
//	Core           Σ v·z⊗z⊗z                 packed
//	Slices         Σ v·x_r(zzᵀ − D)          d×l(l+1)/2, D = Σ_h e2(x_h) b_h b_hᵀ
//	Rows           the diagonals of those    d×l
type projectSum struct {
	f    *Formula
	d, l int
	b    []float64 // d×l, rows already divided by Scale
	want Want
	// shared says that e2(x) = x and u = v, so that one table serves M2 and M3.
	shared bool
}

const thirdOrders = Core | Slices | Rows

func (s *projectSum) tables() (second, mixed bool) {
	second = s.want&Second != 0 || (s.shared && s.want&thirdOrders != 0)
	mixed = s.want&thirdOrders != 0 && !s.shared
	return
}

// parts cuts a state into its tables; those not wanted are nil.
func (s *projectSum) parts(state []float64) (second, mixed, core, slices, rows []float64) {
	take := func(n int) (t []float64) {
		t, state = state[:n:n], state[n:]
		return t
	}
	hasSecond, hasMixed := s.tables()
	if hasSecond {
		second = take(s.d * s.l)
	}
	if hasMixed {
		mixed = take(s.d * s.l)
	}
	if s.want&Core != 0 {
		core = take(spectral.PackedLen(s.l))
	}
	if s.want&Slices != 0 {
		slices = take(s.d * s.l * (s.l + 1) / 2)
	}
	if s.want&Rows != 0 {
		rows = take(s.d * s.l)
	}
	return
}

func (s *projectSum) Len() int {
	n, dl := 0, s.d*s.l
	hasSecond, hasMixed := s.tables()
	if hasSecond {
		n += dl
	}
	if hasMixed {
		n += dl
	}
	if s.want&Core != 0 {
		n += spectral.PackedLen(s.l)
	}
	if s.want&Slices != 0 {
		n += dl * (s.l + 1) / 2
	}
	if s.want&Rows != 0 {
		n += dl
	}
	return n
}

func (s *projectSum) Add(state []float64, b pass.Block) error {
	second, mixed, core, slices, rows := s.parts(state)
	l := s.l
	z := make([]float64, panelRows*l)
	weighted := make([]float64, panelRows*l)
	w := s.f.weights(b.Rows)
	ent := entries{f: s.f}
	diag := diagonals{s: s}
	for lo := 0; lo < b.Rows.N(); lo += panelRows {
		hi := min(lo+panelRows, b.Rows.N())
		panel := b.Rows.Slice(lo, hi)
		z := z[:(hi-lo)*l]
		panel.MulTo(z, s.b, l)
		if second != nil {
			panel.AddTransMul(second, s.weigh(weighted, z, w, lo, 2), l)
		}
		if s.want&thirdOrders == 0 {
			continue
		}
		if core != nil {
			kernel.Cube(core, z, s.thirdWeights(w, lo, hi), l)
		}
		if mixed != nil {
			s.addMixed(mixed, panel, s.weigh(weighted, z, w, lo, 3), &ent)
		}
		if slices != nil || rows != nil {
			diag.add(slices, rows, panel, z, w, lo, &ent)
		}
	}
	return nil
}

// weigh returns z with each row times the record's weight in that order; it is
// z itself when all records count alike.
func (s *projectSum) weigh(dst, z []float64, w recordWeights, lo, order int) []float64 {
	if w.totals == nil {
		return z
	}
	dst = dst[:len(z)]
	for i := 0; i*s.l < len(z); i++ {
		_, u, v := w.at(lo + i)
		if order == 3 {
			u = v
		}
		for a := i * s.l; a < (i+1)*s.l; a++ {
			dst[a] = u * z[a]
		}
	}
	return dst
}

func (s *projectSum) thirdWeights(w recordWeights, lo, hi int) []float64 {
	if w.totals == nil {
		return nil
	}
	v := make([]float64, hi-lo)
	for i := range v {
		_, _, v[i] = w.at(lo + i)
	}
	return v
}

// addMixed adds Σ v·e2(x)⊗z.
func (s *projectSum) addMixed(dst []float64, panel sparse.Rows, z []float64, ent *entries) {
	if s.f.Diagonal == Raw {
		return
	}
	if s.f.Diagonal == Factorial || (panel.IsBinary() && s.f.Diagonal == Distinct) {
		panel.AddTransMul(dst, z, s.l) // e2(x) = x
		return
	}
	for i := range panel.N() {
		index, _, e2, _ := ent.row(panel, i)
		zi := z[i*s.l:][:s.l]
		for e, f := range e2 {
			if f == 0 {
				continue
			}
			h := e
			if index != nil {
				h = int(index[e])
			}
			row := dst[h*s.l:][:s.l]
			for a, v := range zi {
				row[a] += f * v
			}
		}
	}
}

// diagonals adds the slices of the third moment, or their diagonals alone.
type diagonals struct {
	s       *projectSum
	outer   []float64 // packed zzᵀ − D
	squares []float64 // its diagonal
}

func (g *diagonals) add(slices, rows []float64, panel sparse.Rows, z []float64, w recordWeights, lo int, ent *entries) {
	l := g.s.l
	if g.outer == nil {
		g.outer, g.squares = make([]float64, l*(l+1)/2), make([]float64, l)
	}
	for i := range panel.N() {
		_, _, v := w.at(lo + i)
		index, x, e2, _ := ent.row(panel, i)
		zi := z[i*l:][:l]
		if slices != nil {
			clear(g.outer)
			kernel.Outer(g.outer, zi, nil, l)
		}
		for a, za := range zi {
			g.squares[a] = za * za
		}
		for e, f := range e2 {
			if f == 0 {
				continue
			}
			bh := g.s.b[featureOf(index, e)*l:][:l]
			if slices != nil {
				kernel.Outer(g.outer, bh, []float64{-f}, l)
			}
			for a, ba := range bh {
				g.squares[a] -= f * ba * ba
			}
		}
		for e, xe := range x {
			h := featureOf(index, e)
			if slices != nil {
				addScaled(slices[h*len(g.outer):][:len(g.outer)], v*xe, g.outer)
			}
			if rows != nil {
				addScaled(rows[h*l:][:l], v*xe, g.squares)
			}
		}
	}
}

func featureOf(index []uint32, e int) int {
	if index == nil {
		return e
	}
	return int(index[e])
}

// addScaled adds f·x to dst.
func addScaled(dst []float64, f float64, x []float64) { kernel.Axpy(dst, f, x) }
