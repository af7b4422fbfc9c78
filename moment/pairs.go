package moment

import (
	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/kernel"
	"github.com/moiety-go/moiety/internal/pages"
	"github.com/moiety-go/moiety/pass"
)

// pairSum adds up Σ u·x_h·x_m for h ≤ m, packed by rows: exact integers for
// counts that all weigh alike.
type pairSum struct {
	f *Formula
	d int
}

func (s pairSum) Len() int { return s.d * (s.d + 1) / 2 }

// pairRow returns where row h begins, less h, so that entry (h,m) stands at
// pairRow+m.
func (s pairSum) pairRow(h int) int { return kernel.PairRow(h, s.d) }

func (s pairSum) Add(state []float64, b pass.Block) error {
	w := s.f.weights(b.Rows)
	rows := b.Rows
	if rows.IsBinary() && w.totals == nil {
		kernel.RealPairs(state, rows.Ptr, rows.Index, s.d)
		return nil
	}
	for i := range rows.N() {
		_, u, _ := w.at(i)
		if rows.IsDense() {
			x := rows.DenseRow(i)
			for h, v := range x {
				addScaled(state[s.pairRow(h)+h:][:s.d-h], u*v, x[h:])
			}
			continue
		}
		index, value := rows.Row(i)
		if value == nil {
			for e, h := range index {
				row := state[s.pairRow(int(h)):]
				for _, m := range index[e:] {
					row[m] += u
				}
			}
			continue
		}
		for e, h := range index {
			row, f := state[s.pairRow(int(h)):], u*float64(value[e])
			for q := e; q < len(index); q++ {
				row[index[q]] += f * float64(value[q])
			}
		}
	}
	return nil
}

// pairMatrix turns pair sums into M2 of the scaled features.
func (s *Sampled) pairMatrix(state []float64) *mat.SymDense {
	d := s.Dim()
	at := pairSum{&s.f, d}
	m2 := mat.NewSymDense(d, nil)
	n2 := s.first[atLength2]
	for h := range d {
		for m := h; m < d; m++ {
			v := state[at.pairRow(h)+m]
			if h == m {
				v -= s.first[firstHeads+2*d+h]
			}
			m2.SetSym(h, m, v/n2/(s.scale(h)*s.scale(m)))
		}
	}
	return m2
}

// PairCounts tells how many of n records of presences have each pair of d
// features: XᵀX in whole numbers, so that those of a part are those of the
// whole less those of the rest, to the last bit.
type PairCounts struct {
	N, D  int
	Count []int32 // packed by rows: (h,m), h ≤ m, at kernel.PairRow(h,D)+m
	room  []float32
}

// NewPairCounts returns the counts of no records.
func NewPairCounts(d int) *PairCounts {
	return &PairCounts{D: d, Count: pages.Make[int32](d * (d + 1) / 2)}
}

// Add counts n rows: those of a list from place first on, or, where it is nil,
// those from row first on.
func (p *PairCounts) Add(rows *kernel.Presences, list []int32, first, n int) {
	p.N += n
	rows.Pairs(p.Count, list, first, n)
}

// Join adds the counts of other records.
func (p *PairCounts) Join(o *PairCounts) {
	p.N += o.N
	count := o.Count[:len(p.Count)]
	for i, c := range count {
		p.Count[i] += c
	}
}

// Without sets p to the counts of the records of all that are not those of
// part.
func (p *PairCounts) Without(all, part *PairCounts) {
	p.N = all.N - part.N
	count, less, rest := all.Count, part.Count[:len(all.Count)], p.Count[:len(all.Count)]
	for i, c := range count {
		rest[i] = c - less[i]
	}
}

// Clear sets the counts to those of no records.
func (p *PairCounts) Clear() {
	p.N = 0
	clear(p.Count)
}

// Single returns the number of records that have feature h.
func (p *PairCounts) Single(h int) float64 { return float64(p.Count[kernel.PairRow(h, p.D)+h]) }

// MulTo sets each y to XᵀX·v: two at a time, to the accuracy of single precision.
// Only one goroutine may call it at a time.
func (p *PairCounts) MulTo(y, v [][]float64) {
	for ; len(v) >= 2; y, v = y[2:], v[2:] {
		if p.room == nil {
			p.room = make([]float32, kernel.PackedRoom(p.D))
		}
		kernel.PackedMul2([2][]float64(y), p.Count, [2][]float64(v), p.room)
	}
	if len(v) > 0 {
		kernel.PackedMul(y[0], p.Count, v[0])
	}
}
