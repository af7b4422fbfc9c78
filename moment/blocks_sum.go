package moment

import (
	"github.com/moiety-go/moiety/internal/kernel"
	"github.com/moiety-go/moiety/pass"
)

// blockedSum adds up what a basis sees of blocked records. Where a record has
// a single entry of a block, z_b = x_h b_h, so that its share in the core's
// corrections is gathered by feature: Σ x_h² z and Σ x_h³.
type blockedSum struct {
	of   []int
	d, l int
	b    []float64 // d×l, rows divided by Scale
	want Want
}

type blockedParts struct{ second, mixed, cubes, core, slices, rows []float64 }

func (s *blockedSum) parts(state []float64) (p blockedParts) {
	take := func(n int) (t []float64) {
		t, state = state[:n:n], state[n:]
		return t
	}
	if s.want&Second != 0 {
		p.second = take(s.d * s.l)
	}
	if s.want&Core != 0 {
		p.mixed, p.cubes, p.core = take(s.d*s.l), take(s.d), take(PackedLen(s.l))
	}
	if s.want&Slices != 0 {
		p.slices = take(s.d * s.l * (s.l + 1) / 2)
	}
	if s.want&Rows != 0 {
		p.rows = take(s.d * s.l)
	}
	return p
}

func (s *blockedSum) Len() int {
	n, dl := 0, s.d*s.l
	if s.want&Second != 0 {
		n += dl
	}
	if s.want&Core != 0 {
		n += dl + s.d + PackedLen(s.l)
	}
	if s.want&Slices != 0 {
		n += dl * (s.l + 1) / 2
	}
	if s.want&Rows != 0 {
		n += dl
	}
	return n
}

func (s *blockedSum) Add(state []float64, b pass.Block) error {
	p, l := s.parts(state), s.l
	ent := entries{f: &Formula{Law: Raw()}}
	r := blockedRecord{s: s, z: make([]float64, l), rest: make([]float64, l), outer: make([]float64, l*(l+1)/2), same: make([]float64, l*(l+1)/2)}
	for i := range b.Rows.N() {
		r.index, r.x, _, _ = ent.row(b.Rows, i)
		r.project()
		if p.second != nil {
			r.addSecond(p.second)
		}
		if p.core != nil {
			r.addCore(p)
		}
		if p.slices != nil || p.rows != nil {
			r.addSlices(p)
		}
	}
	return nil
}

// blockedRecord is one record and its projections, block by block.
type blockedRecord struct {
	s     *blockedSum
	index []uint32 // nil for a dense row
	x     []float64
	runs  [][2]int  // entries of one block each
	zb    []float64 // l numbers a run
	z     []float64
	rest  []float64 // z − z_b
	outer []float64 // packed l×l
	same  []float64 // packed S
}

// project finds the runs of entries that share a block, and z_b of each.
func (r *blockedRecord) project() {
	l := r.s.l
	r.runs, r.zb = r.runs[:0], r.zb[:0]
	clear(r.z)
	for e := 0; e < len(r.x); {
		from, block := e, r.s.of[featureOf(r.index, e)]
		for range l {
			r.zb = append(r.zb, 0)
		}
		zb := r.zb[len(r.zb)-l:]
		for ; e < len(r.x) && r.s.of[featureOf(r.index, e)] == block; e++ {
			if v := r.x[e]; v != 0 {
				addScaled(zb, v, r.s.b[featureOf(r.index, e)*l:][:l])
			}
		}
		addScaled(r.z, 1, zb)
		r.runs = append(r.runs, [2]int{from, e})
	}
}

func (r *blockedRecord) block(i int) []float64 { return r.zb[i*r.s.l:][:r.s.l] }

// setRest sets rest to z − z_b of run i.
func (r *blockedRecord) setRest(i int) {
	zb := r.block(i)
	for a, v := range r.z {
		r.rest[a] = v - zb[a]
	}
}

func (r *blockedRecord) addSecond(second []float64) {
	l := r.s.l
	for i, run := range r.runs {
		r.setRest(i)
		for e := run[0]; e < run[1]; e++ {
			addScaled(second[featureOf(r.index, e)*l:][:l], r.x[e], r.rest)
		}
	}
}

func (r *blockedRecord) addCore(p blockedParts) {
	l := r.s.l
	kernel.Cube(p.core, r.z, nil, l)
	several := false
	clear(r.same)
	for i, run := range r.runs {
		if run[1]-run[0] == 1 {
			h, x := featureOf(r.index, run[0]), r.x[run[0]]
			addScaled(p.mixed[h*l:][:l], x*x, r.z)
			p.cubes[h] += x * x * x
			continue
		}
		several = true
		kernel.Outer(r.same, r.block(i), nil, l)
		kernel.Cube(p.core, r.block(i), []float64{2}, l)
	}
	if several {
		subtractPlaced(p.core, r.same, r.z)
	}
}

// subtractPlaced subtracts S⊗z placed three ways from a packed cube; s is the
// packed symmetric matrix.
func subtractPlaced(core, s, z []float64) {
	l, at := len(z), 0
	row := func(a int) int { return a*l - a*(a+1)/2 } // entry (a,c) stands at row(a)+c
	for a := range l {
		sa := s[row(a):]
		for b := a; b < l; b++ {
			sb, sab := s[row(b):], sa[b]
			for c := b; c < l; c++ {
				core[at] -= sab*z[c] + sa[c]*z[b] + sb[c]*z[a]
				at++
			}
		}
	}
}

func (r *blockedRecord) addSlices(p blockedParts) {
	l := r.s.l
	clear(r.same)
	for i := range r.runs {
		kernel.Outer(r.same, r.block(i), nil, l)
	}
	for i, run := range r.runs {
		r.setRest(i)
		for at, v := range r.same {
			r.outer[at] = -v
		}
		kernel.Outer(r.outer, r.rest, nil, l)
		kernel.Outer(r.outer, r.block(i), nil, l)
		for e := run[0]; e < run[1]; e++ {
			h := featureOf(r.index, e)
			if p.slices != nil {
				addScaled(p.slices[h*len(r.outer):][:len(r.outer)], r.x[e], r.outer)
			}
			if p.rows != nil {
				row, at := p.rows[h*l:][:l], 0
				for a := range row {
					row[a] += r.x[e] * r.outer[at]
					at += l - a
				}
			}
		}
	}
}
