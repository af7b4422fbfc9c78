package moment

import (
	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/kernel"
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
	n2, raw := s.first[atLength2], m2.RawSymmetric()
	scales := make([]float64, d)
	for h := range scales {
		scales[h] = s.scale(h)
	}
	for h, scale := range scales {
		from, to := state[at.pairRow(h):][h:d], raw.Data[h*raw.Stride:][h:d]
		for m, v := range from {
			if m == 0 {
				v -= s.first[firstHeads+2*d+h]
			}
			to[m] = v / n2 / (scale * scales[h+m])
		}
	}
	return m2
}
