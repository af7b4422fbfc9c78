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

// pairMatrix returns M2 of the scaled features, made from the pair sums once.
func (s *Sampled) pairMatrix() *mat.SymDense {
	if s.pairs != nil {
		return s.pairs
	}
	d := s.Dim()
	at := pairSum{&s.f, d}
	m2 := mat.NewSymDense(d, nil)
	n2, raw := s.first[atLength2], m2.RawSymmetric()
	scales := make([]float64, d)
	for h := range scales {
		scales[h] = s.scale(h)
	}
	for h, scale := range scales {
		from, to := s.sums[at.pairRow(h):][h:d], raw.Data[h*raw.Stride:][h:d]
		for m, v := range from {
			if m == 0 {
				v -= s.first[firstHeads+2*d+h]
			}
			to[m] = v / n2 / (scale * scales[h+m])
		}
	}
	s.pairs = m2
	return m2
}

// Presences are the counts of n records of presences: how many have each pair of
// features, packed as pairSum's, where a feature makes a pair with itself. They are all
// that moments of first and second order need.
type Presences struct {
	N     int
	Pairs []int32
}

// NewCounted returns the moments of records of presences that were counted: only those of
// third order look at the runner's records.
func NewCounted(run pass.Runner, f Formula, p Presences) *Sampled {
	s := NewSampled(run, f, true)
	s.sums = make([]float64, len(p.Pairs))
	for i, c := range p.Pairs {
		s.sums[i] = float64(c)
	}
	s.countFirst(float64(p.N))
	return s
}

// countFirst sets the sums of first order of n presences by the counts of pairs.
func (s *Sampled) countFirst(n float64) {
	sum := newFirstSum(&s.f, s.Dim())
	s.first = make([]float64, sum.Len())
	frequency := make([]float64, s.Dim())
	for h := range frequency {
		frequency[h] = s.sums[kernel.PairRow(h, len(frequency))+h]
	}
	sum.addFrequencies(s.first, n, frequency)
}

// Turned returns the moments of the same presences where features of flip stand for their
// absence, as the runner shows them. Pairs that were counted are not counted again: a record
// lacks both h and m, or h alone, if it is one of all less those that have one of them. All are
// whole numbers, so that nothing is lost.
func (s *Sampled) Turned(run pass.Runner, flip []bool) *Sampled {
	t := NewSampled(run, s.f, true)
	if s.sums == nil {
		return t
	}
	d, n, has := s.Dim(), s.first[atN], s.first[firstHeads+s.Dim():][:s.Dim()]
	t.sums = make([]float64, len(s.sums))
	for h := range d {
		at := kernel.PairRow(h, d)
		from, to := s.sums[at:][h:d], t.sums[at:][h:d]
		for i, both := range from {
			m := h + i
			switch {
			case flip[h] && flip[m]:
				both = n - has[h] - has[m] + both
			case flip[h]:
				both = has[m] - both
			case flip[m]:
				both = has[h] - both
			}
			to[i] = both
		}
	}
	t.countFirst(n)
	return t
}
