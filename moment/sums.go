package moment

import (
	"iter"
	"sync"

	"github.com/moiety-go/moiety/internal/kernel"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// The sums behind Sampled, in the order of the passes; d features, a basis B of l columns:
//
//	firstSum     needs no basis: weights of the records, then four tables of d numbers
//	projectSum   what B (d×l) sees, with z = Bᵀx: tables d×l, a packed cube of l(l+1)(l+2)/6
//	             numbers, slices d×l(l+1)/2; single.go does the same in single precision
//
// Rows go by in panels of panelRows, so that what a panel needs stays in a cache.

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
	f      *Formula
	d      int
	buffer *sync.Pool  // of *[]float64: tables of zeros, d×4
	own    *ownWeights // of the own records where they are known, or nil
}

func newFirstSum(f *Formula, d int) firstSum {
	return firstSum{f: f, d: d, buffer: &sync.Pool{New: func() any { t := make([]float64, 4*d); return &t }}}
}

func (s firstSum) Len() int { return firstHeads + 4*s.d }

func (s firstSum) Add(state []float64, b pass.Block) error {
	if b.Rows.IsBinary() && s.f.Weigh == nil {
		s.addPresences(state, b.Rows)
		return nil
	}
	return s.addPanels(state, b, nil)
}

// addPanels adds the shares of a block, a panel of rows after the other, each
// of which is shown to check first.
func (s firstSum) addPanels(state []float64, b pass.Block, check func(panel pass.Block, whole bool) error) error {
	var counts *[]float64
	weights := make([]float64, min(panelRows, b.Rows.N())*orders)
	for panel := range panels(b) {
		w := s.own.recordWeights(s.f, panel, b.Steps != nil)
		if check != nil {
			if err := check(panel, w.whole); err != nil {
				return err
			}
		}
		weights := weights[:panel.Rows.N()*orders]
		s.addTotals(state, weights, w)
		if !w.whole || !s.f.Law.Linear {
			s.addRows(state, panel.Rows, weights)
			continue
		}
		if counts == nil {
			counts = s.buffer.Get().(*[]float64)
		}
		kernel.FirstOrders(*counts, panel.Rows.Ptr, panel.Rows.Index, panel.Rows.Value, weights)
	}
	if counts != nil {
		s.addTables(state[firstHeads:], *counts)
		s.buffer.Put(counts)
	}
	return nil
}

// panels cuts the rows of a block into panels.
func panels(b pass.Block) iter.Seq[pass.Block] {
	return func(yield func(pass.Block) bool) {
		for lo, n := 0, b.Rows.N(); lo < n; lo += panelRows {
			if !yield(pass.Block{First: b.First + lo, Rows: b.Rows.Slice(lo, min(lo+panelRows, n))}) {
				return
			}
		}
	}
}

// orders is the number of sums of first order: Σ r·x, Σ u·x, Σ v·x and the
// document frequency.
const orders = 4

// addTotals adds the heads of the state and sets weights to r, u, v and 0 of
// each record.
func (s firstSum) addTotals(state, weights []float64, w recordWeights) {
	for i := range len(weights) / orders {
		wi, t := weights[i*orders:][:orders:orders], w.total(i)
		wi[0], wi[1], wi[2] = w.at(i)
		state[atN]++
		state[atLength1] += wi[0] * t[0]
		state[atLength2] += wi[1] * t[1]
		state[atLength3] += wi[2] * t[2]
	}
}

// addRows adds rows of any kind.
func (s firstSum) addRows(state []float64, rows sparse.Rows, weights []float64) {
	d := s.d
	sums, df := state[firstHeads:][:d], state[firstHeads+d:][:d]
	e2s, cs := state[firstHeads+2*d:][:d], state[firstHeads+3*d:][:d]
	ent := entries{f: s.f}
	for i := range rows.N() {
		r, u, v := weights[i*orders], weights[i*orders+1], weights[i*orders+2]
		index, x, e2, c := ent.row(rows, i)
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
}

// addPresences is Add for presences that all count alike.
func (s firstSum) addPresences(state []float64, rows sparse.Rows) {
	frequency := make([]float64, s.d)
	for _, h := range rows.Index[rows.Ptr[0]:rows.Ptr[rows.N()]] {
		frequency[h]++
	}
	s.addFrequencies(state, float64(rows.N()), frequency)
}

// addFrequencies adds n records of presences that all count alike: every sum is a multiple
// of the document frequencies.
func (s firstSum) addFrequencies(state []float64, n float64, frequency []float64) {
	for at := range firstHeads {
		state[at] += n
	}
	var e2, c [1]float64
	s.f.corrections(e2[:], c[:], []float64{1})
	d, tables := s.d, state[firstHeads:]
	for h, v := range frequency {
		tables[h] += v
		tables[d+h] += v
		tables[2*d+h] += e2[0] * v
		tables[3*d+h] += c[0] * v
	}
}

// addTables adds counts (d×4), sums over sparse counts with e2(x) = x and
// c(x) = 2x, to the tables, and clears them. Stored values are not zero, so that
// every entry counts in the document frequencies.
func (s firstSum) addTables(tables, counts []float64) {
	d := s.d
	for h := range d {
		four := counts[h*orders:][:orders:orders]
		tables[h] += four[0]
		tables[d+h] += four[3]
		tables[2*d+h] += four[1]
		tables[3*d+h] += 2 * four[2]
	}
	clear(counts)
}

// recordWeights are the weights of the records of a block.
type recordWeights struct {
	f      *Formula
	totals []float64 // nil when all records count alike
	whole  bool      // all values are known to be whole numbers above zero
}

func (f *Formula) weights(rows sparse.Rows) recordWeights {
	w := recordWeights{f: f}
	if f.Weigh == nil && !f.Law.Linear {
		return w
	}
	if rows.Value != nil {
		w.totals = make([]float64, rows.N())
		w.whole = kernel.RowTotals(w.totals, rows.Ptr, rows.Value)
	}
	switch {
	case f.Weigh == nil:
		w.totals = nil
	case !w.whole:
		w.totals = rows.Totals()
	}
	return w
}

func (w recordWeights) at(i int) (r, u, v float64) {
	if w.totals == nil {
		return 1, 1, 1
	}
	return w.f.Weigh(w.totals[i])
}

// total returns t, t(t−1) and t(t−1)(t−2) of record i, ones where all records
// count alike: what its weights are multiplied with in the denominators.
func (w recordWeights) total(i int) [3]float64 {
	if w.totals == nil {
		return [3]float64{1, 1, 1}
	}
	t := w.totals[i]
	return [3]float64{t, t * (t - 1), t * (t - 1) * (t - 2)}
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
	want Want
	// basis returns B (d×l), its rows divided by Scale.
	basis func() []float64
	// shared says that e2(x) = x and u = v, so that one table serves M2 and M3.
	shared bool
	// single is set where blocks of many entries are summed up in single
	// precision; the rows of the basis and of the d×l tables are then filled up
	// with zeros to stride numbers, which else is l.
	single *single
	stride int
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
		second = take(s.d * s.stride)
	}
	if hasMixed {
		mixed = take(s.d * s.stride)
	}
	if s.want&Core != 0 {
		core = take(PackedLen(s.l))
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
		n += s.d * s.stride
	}
	if hasMixed {
		n += s.d * s.stride
	}
	if s.want&Core != 0 {
		n += PackedLen(s.l)
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
	return s.AddLate(func() []float64 { return state }, b)
}

// Late implements pass.LateSum: blocks in single precision have tables of their own.
func (s *projectSum) Late() bool { return s.single != nil }

// AddLate implements pass.LateSum.
func (s *projectSum) AddLate(state func() []float64, b pass.Block) error {
	if s.single.pays(b.Rows) {
		s.single.add(state, b)
		return nil
	}
	second, mixed, core, slices, rows := s.parts(state())
	w := s.f.weights(b.Rows)
	l, basis := s.stride, s.basis()
	z := takePanel(l)
	defer panelMemory.Put(z)
	var weighted []float64
	if w.totals != nil {
		weighted = make([]float64, panelRows*l)
	}
	ent := entries{f: s.f}
	diag := diagonals{s: s, b: basis}
	byRows := rowSums{s: s, b: basis}
	for lo := 0; lo < b.Rows.N(); lo += panelRows {
		hi := min(lo+panelRows, b.Rows.N())
		panel := b.Rows.Slice(lo, hi)
		z := (*z)[:(hi-lo)*l]
		panel.MulTo(z, basis, l)
		if second != nil {
			panel.AddTransMul(second, s.weigh(weighted, z, w, lo, 2), l)
		}
		if s.want&thirdOrders == 0 {
			continue
		}
		if core != nil {
			kernel.Cube(core, s.narrow(z), s.thirdWeights(w, lo, hi), s.l)
		}
		if mixed != nil {
			s.addMixed(mixed, panel, s.weigh(weighted, z, w, lo, 3), &ent)
		}
		switch linear := s.f.Law.Correct == nil || s.f.Law.linear(panel.IsBinary()); {
		case slices == nil && rows != nil && linear:
			byRows.add(rows, panel, z, w, lo)
		case slices != nil || rows != nil:
			diag.add(slices, rows, panel, z, w, lo, &ent)
		}
	}
	return nil
}

// panelMemory keeps the projections of a panel, from block to block.
var panelMemory = sync.Pool{New: func() any { return new([]float64) }}

// takePanel returns room for l of each row, with anything in it.
func takePanel(l int) *[]float64 {
	z := panelMemory.Get().(*[]float64)
	if cap(*z) < panelRows*l {
		*z = make([]float64, panelRows*l)
	}
	return z
}

// narrow returns the rows of z without what fills them up, in a copy.
func (s *projectSum) narrow(z []float64) []float64 {
	if s.stride == s.l {
		return z
	}
	out := make([]float64, len(z)/s.stride*s.l)
	for i := 0; i*s.l < len(out); i++ {
		copy(out[i*s.l:][:s.l], z[i*s.stride:])
	}
	return out
}

// weigh returns z with each row times the record's weight in that order; it is
// z itself when all records count alike.
func (s *projectSum) weigh(dst, z []float64, w recordWeights, lo, order int) []float64 {
	if w.totals == nil {
		return z
	}
	dst = dst[:len(z)]
	for i := 0; i*s.stride < len(z); i++ {
		_, u, v := w.at(lo + i)
		if order == 3 {
			u = v
		}
		for a := i * s.stride; a < (i+1)*s.stride; a++ {
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
	if s.f.Law.Correct == nil {
		return
	}
	if s.f.Law.linear(panel.IsBinary()) {
		panel.AddTransMul(dst, z, s.stride) // e2(x) = x
		return
	}
	for i := range panel.N() {
		index, _, e2, _ := ent.row(panel, i)
		zi := z[i*s.stride:][:s.stride]
		for e, f := range e2 {
			if f == 0 {
				continue
			}
			h := e
			if index != nil {
				h = int(index[e])
			}
			row := dst[h*s.stride:][:s.stride]
			for a, v := range zi {
				row[a] += f * v
			}
		}
	}
}

// diagonals adds the slices of the third moment, or their diagonals alone.
type diagonals struct {
	s       *projectSum
	b       []float64 // d×l
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
			bh := g.b[featureOf(index, e)*l:][:l]
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
