package moment

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/kernel"
	"github.com/moiety-go/moiety/internal/par"
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

// pairMatrix returns M2 of the scaled features, made from the pair sums tile by tile.
func (s *Sampled) pairMatrix(ctx context.Context) (*mat.Dense, error) {
	d := s.Dim()
	m2 := make([]float64, d*d)
	n2, scales := s.first[atLength2], make([]float64, d)
	for h := range scales {
		scales[h] = s.scale(h)
	}
	tiles := (d + tileRows - 1) / tileRows
	err := par.Do(ctx, s.Workers(), tiles*(tiles+1)/2, func(i int) error {
		across := 0
		for ; i > across; across++ { // tiles of the upper triangle, column by column
			i -= across + 1
		}
		for h := i * tileRows; h < min((i+1)*tileRows, d); h++ {
			from, to := s.sums[kernel.PairRow(h, d):], m2[h*d:][:d]
			for m := max(h, across*tileRows); m < min((across+1)*tileRows, d); m++ {
				v := from[m]
				if m == h {
					v -= s.first[firstHeads+2*d+h]
				}
				v = v / n2 / (scales[h] * scales[m])
				to[m], m2[m*d+h] = v, v
			}
		}
		return nil
	})
	return mat.NewDense(d, d, m2), err
}

// tileRows is the number of rows and columns of a tile: two fit a first-level cache.
const tileRows = 32

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
	s.eachRow(func(h int, sums []float64) {
		for i, c := range p.Pairs[kernel.PairRow(h, s.Dim())+h:][:len(sums)] {
			sums[i] = float64(c)
		}
	})
	s.countFirst(float64(p.N))
	return s
}

// eachRow hands set the sums of pairs of each feature with itself and those behind it.
func (s *Sampled) eachRow(set func(h int, sums []float64)) {
	d := s.Dim()
	parts := (d + tileRows - 1) / tileRows
	_ = par.Do(context.Background(), s.Workers(), parts, func(i int) error { // there is nothing to end it
		for h := i * tileRows; h < min((i+1)*tileRows, d); h++ {
			set(h, s.sums[kernel.PairRow(h, d)+h:][:d-h])
		}
		return nil
	})
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
	n, has := s.first[atN], s.first[firstHeads+s.Dim():][:s.Dim()]
	t.sums = make([]float64, len(s.sums))
	t.eachRow(func(h int, sums []float64) {
		for i, both := range s.sums[kernel.PairRow(h, len(flip))+h:][:len(sums)] {
			m := h + i
			switch {
			case flip[h] && flip[m]:
				both = n - has[h] - has[m] + both
			case flip[h]:
				both = has[m] - both
			case flip[m]:
				both = has[h] - both
			}
			sums[i] = both
		}
	})
	t.countFirst(n)
	return t
}
