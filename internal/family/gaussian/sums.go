package gaussian

import (
	"github.com/moiety-go/moiety/internal/kernel"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// spreadSum adds up Σ (x−shift) and Σ (x−shift)², d each, and, where pairs are
// kept, Σ (x−shift)⊗(x−shift), packed by rows.
type spreadSum struct {
	shift []float64
	pairs bool
}

func (s spreadSum) Len() int {
	d := len(s.shift)
	if s.pairs {
		return 2*d + d*(d+1)/2
	}
	return 2 * d
}

func (s spreadSum) Add(state []float64, b pass.Block) error {
	d := len(s.shift)
	sums, squares := state[:d], state[d:2*d]
	if !b.Rows.IsDense() && !s.pairs {
		s.addSparse(sums, squares, b.Rows)
		return nil
	}
	row := make([]float64, d)
	for i := range b.Rows.N() {
		unpack(row, b.Rows, i)
		for h := range row {
			row[h] -= s.shift[h]
			sums[h] += row[h]
			squares[h] += row[h] * row[h]
		}
		if s.pairs {
			kernel.Outer(state[2*d:], row, nil, d)
		}
	}
	return nil
}

// addSparse visits the entries only: what a zero adds is known beforehand.
func (s spreadSum) addSparse(sums, squares []float64, rows sparse.Rows) {
	n := float64(rows.N())
	for h, m := range s.shift {
		sums[h] -= n * m
		squares[h] += n * m * m
	}
	for i := range rows.N() {
		index, value := rows.Row(i)
		for e, h := range index {
			x := 1.0
			if value != nil {
				x = float64(value[e])
			}
			sums[h] += x
			squares[h] += x * (x - 2*s.shift[h])
		}
	}
}

// unpack writes row i into dst.
func unpack(dst []float64, rows sparse.Rows, i int) {
	if rows.IsDense() {
		copy(dst, rows.DenseRow(i))
		return
	}
	clear(dst)
	index, value := rows.Row(i)
	for e, h := range index {
		dst[h] = 1
		if value != nil {
			dst[h] = float64(value[e])
		}
	}
}

// noiseSum adds up what is left of each record outside the space of the
// centers: Σ q·(x−shift), then Σ q, with q = |t−δ|² − |Uᵀ(t−δ)|², δ the mean of
// t and U (d×(k−1)) orthonormal (algorithms §6, m~).
type noiseSum struct {
	f      *frame
	b      *basis    // [U, δ]
	center []float64 // k−1 numbers Uᵀδ, then |δ|²
}

func (s *noiseSum) Len() int { return len(s.f.shift) + 1 }

func (s *noiseSum) Add(state []float64, b pass.Block) error {
	l := s.b.l
	z, q := make([]float64, panelRows*l), make([]float64, panelRows)
	t := newTable(state, 1)
	var buf []float64
	for lo := 0; lo < b.Rows.N(); lo += panelRows {
		hi := min(lo+panelRows, b.Rows.N())
		p := s.f.panel(b.Rows.Slice(lo, hi), &buf)
		z, q := z[:(hi-lo)*l], q[:hi-lo]
		p.mul(z, s.b)
		p.squares(q)
		for i := range q {
			zi := z[i*l:][:l]
			q[i] += s.center[l-1] - 2*zi[l-1]
			for a, c := range s.center[:l-1] {
				q[i] -= (zi[a] - c) * (zi[a] - c)
			}
		}
		t.add(p, q)
	}
	t.close(s.f)
	return nil
}

// projectSum adds up what a basis B ((d+1)×l) sees of the lifted records: with
// z = Bᵀy,
//
//	Second   Σ [x−shift, 1]⊗z          (d+1)×l
//	Core     Σ z⊗z⊗z                   packed
//	Slices   Σ [x−shift, 1]⊗(z⊗z)      (d+1)×l(l+1)/2, packed
//	Rows     Σ [x−shift, 1]⊗z²         (d+1)×l
type projectSum struct {
	f    *frame
	b    *basis    // the first d rows of B
	lift []float64 // l: c times the last row of B
	want moment.Want
}

// sizes returns the lengths of the four tables; 0 for those not wanted.
func (s *projectSum) sizes() [4]int {
	l, d := s.b.l, len(s.f.shift)+1
	out := [4]int{d * l, moment.PackedLen(l), d * l * (l + 1) / 2, d * l}
	for i, w := range [4]moment.Want{moment.Second, moment.Core, moment.Slices, moment.Rows} {
		if s.want&w == 0 {
			out[i] = 0
		}
	}
	return out
}

// parts cuts a state into its tables; those not wanted are nil.
func (s *projectSum) parts(state []float64) (second, core, slices, rows []float64) {
	var parts [4][]float64
	for i, n := range s.sizes() {
		if n > 0 {
			parts[i], state = state[:n:n], state[n:]
		}
	}
	return parts[0], parts[1], parts[2], parts[3]
}

func (s *projectSum) Len() int {
	n := s.sizes()
	return n[0] + n[1] + n[2] + n[3]
}

func (s *projectSum) Add(state []float64, b pass.Block) error {
	second, core, slices, rows := s.parts(state)
	l := s.b.l
	tables := []*table{newTable(second, l), newTable(slices, l*(l+1)/2), newTable(rows, l)}
	z, w := make([]float64, panelRows*l), make([]float64, panelRows*l*(l+1)/2)
	var buf []float64
	for lo := 0; lo < b.Rows.N(); lo += panelRows {
		hi := min(lo+panelRows, b.Rows.N())
		p := s.f.panel(b.Rows.Slice(lo, hi), &buf)
		z := z[:(hi-lo)*l]
		p.mul(z, s.b)
		for i := range z {
			z[i] += s.lift[i%l]
		}
		if second != nil {
			tables[0].add(p, z)
		}
		if core != nil {
			kernel.Cube(core, z, nil, l)
		}
		if slices != nil {
			tables[1].add(p, outers(w, z, l))
		}
		if rows != nil {
			for i, v := range z {
				z[i] = v * v
			}
			tables[2].add(p, z)
		}
	}
	for _, t := range tables {
		if t.sum != nil {
			t.close(s.f)
		}
	}
	return nil
}

// outers fills w with the packed products z⊗z of every row of z.
func outers(w, z []float64, l int) []float64 {
	n, at := len(z)/l, 0
	for i := range n {
		zi := z[i*l:][:l]
		for a, v := range zi {
			for _, u := range zi[a:] {
				w[at] = v * u
				at++
			}
		}
	}
	return w[:at]
}
