package private

import (
	"cmp"
	"math"
	"slices"

	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// bounded shows every record with at most so many codes, drawn by a keyed hash of
// the record's number and the code: the same in every pass.
func bounded(run pass.Runner, most int, key uint64) pass.Runner {
	return pass.Map(run, func(b pass.Block) pass.Block {
		long := false
		for i := range b.N() {
			index, _ := b.Rows.Row(i)
			long = long || len(index) > most
		}
		if !long {
			return b
		}
		rows := sparse.Rows{Dim: b.Rows.Dim, Ptr: []int{0}}
		for i := range b.N() {
			index, _ := b.Rows.Row(i)
			rows.Index = append(rows.Index, drawn(index, most, mixed(key+uint64(b.First+i)))...)
			rows.Ptr = append(rows.Ptr, len(rows.Index))
		}
		return pass.Block{First: b.First, Rows: rows}
	})
}

// drawn returns at most so many codes of a record, those of the smallest hashes, in
// order.
func drawn(index []uint32, most int, key uint64) []uint32 {
	if len(index) <= most {
		return index
	}
	out := slices.Clone(index)
	slices.SortFunc(out, func(a, b uint32) int { return cmp.Compare(mixed(key^uint64(a)), mixed(key^uint64(b))) })
	out = out[:most]
	slices.Sort(out)
	return out
}

// mixed is the finaliser of SplitMix64.
func mixed(z uint64) uint64 {
	z += 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// records counts records: one person changes it by 1.
type records struct{}

func (records) Len() int { return 1 }

func (records) Add(state []float64, b pass.Block) error {
	state[0] += float64(b.N())
	return nil
}

// singles counts the records of every code: one person of L codes changes it by √L.
type singles struct{ d int }

func (s singles) Len() int { return s.d }

func (s singles) Add(state []float64, b pass.Block) error {
	for i := range b.N() {
		index, _ := b.Rows.Row(i)
		for _, h := range index {
			state[h]++
		}
	}
	return nil
}

// doubles counts the records of every two codes h < m, packed by rows: one person
// changes it by √(L(L−1)/2).
type doubles struct{ d int }

func (s doubles) Len() int { return s.d * (s.d - 1) / 2 }

func (s doubles) at(h, m int) int { return h*(2*s.d-h-1)/2 + m - h - 1 }

func (s doubles) Add(state []float64, b pass.Block) error {
	for i := range b.N() {
		index, _ := b.Rows.Row(i)
		for e, h := range index {
			for _, m := range index[e+1:] {
				state[s.at(int(h), int(m))]++
			}
		}
	}
	return nil
}

// cores adds up the products of three different codes of a record in a basis (d×l),
// each record's share cut to a norm: one person changes it by that.
//
//	Σ_{h,m,j different} b_h⊗b_m⊗b_j = y⊗y⊗y − 3·sym(D⊗y) + 2·Σ_h b_h⊗b_h⊗b_h,  y = Σ b_h, D = Σ b_h b_hᵀ
type cores struct {
	basis []float64 // d×l
	l     int
	norm  float64
}

func (s cores) Len() int { return moment.PackedLen(s.l) }

func (s cores) Add(state []float64, b pass.Block) error {
	l := s.l
	y, d, share := make([]float64, l), make([]float64, l*l), make([]float64, s.Len())
	for i := range b.N() {
		index, _ := b.Rows.Row(i)
		if len(index) < 3 {
			continue
		}
		clear(y)
		clear(d)
		clear(share)
		for _, h := range index {
			row := s.basis[int(h)*l:][:l]
			for a, v := range row {
				y[a] += v
				for c, w := range row {
					d[a*l+c] += v * w
				}
			}
			s.cube(share, row, 2)
		}
		norm := s.add(share, y, d)
		f := min(1, s.norm/math.Sqrt(norm))
		for e, v := range share {
			state[e] += f * v
		}
	}
	return nil
}

// cube adds f·v⊗v⊗v.
func (s cores) cube(share, v []float64, f float64) {
	at := 0
	for a := range s.l {
		for b := a; b < s.l; b++ {
			w := f * v[a] * v[b]
			for c := b; c < s.l; c++ {
				share[at] += w * v[c]
				at++
			}
		}
	}
}

// add adds the other terms, and returns the square of the norm of the whole cube.
func (s cores) add(share, y, d []float64) float64 {
	l, at, norm := s.l, 0, 0.0
	for a := range l {
		for b := a; b < l; b++ {
			for c := b; c < l; c++ {
				share[at] += y[a]*y[b]*y[c] - d[a*l+b]*y[c] - d[a*l+c]*y[b] - d[b*l+c]*y[a]
				times := 6.0
				switch {
				case a == b && b == c:
					times = 1
				case a == b || b == c:
					times = 3
				}
				norm += times * share[at] * share[at]
				at++
			}
		}
	}
	return norm
}

// expected is the E-step of a model without the likelihood, which no bound holds:
// records and codes of every group. One person of L codes changes it by √(1+L).
type expected struct{ pass.Sum }

// Add implements pass.Sum.
func (s expected) Add(state []float64, b pass.Block) error {
	if err := s.Sum.Add(state, b); err != nil {
		return err
	}
	state[0], state[1] = 0, 0
	return nil
}
