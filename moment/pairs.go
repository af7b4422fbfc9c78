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

// paired reports whether the pair sums are known.
func (s *Sampled) paired() bool { return s.sums != nil || s.count != nil }

// pairMatrix returns M2 of the scaled features, both halves, made from the pair sums tile by
// tile.
func (s *Sampled) pairMatrix(ctx context.Context) (*mat.Dense, error) {
	if _, err := s.scan(ctx); err != nil {
		return nil, err
	}
	if s.sums == nil {
		return tiled(ctx, s, s.count)
	}
	return tiled(ctx, s, s.sums)
}

func tiled[T int32 | float64](ctx context.Context, s *Sampled, sums []T) (*mat.Dense, error) {
	d := s.Dim()
	out := takeSquare(d)
	m2, n2, scales := out.RawMatrix().Data, s.first[atLength2], make([]float64, d)
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
			from, to := sums[kernel.PairRow(h, d):], m2[h*d:][:d]
			for m := max(h, across*tileRows); m < min((across+1)*tileRows, d); m++ {
				v := s.turn.of(h, m, float64(from[m]))
				if m == h {
					v -= s.first[firstHeads+2*d+h]
				}
				if v != 0 { // of a part of the records, as a leaf has, most are
					v = v / n2 / (scales[h] * scales[m])
				}
				to[m], m2[m*d+h] = v, v
			}
		}
		return nil
	})
	return out, err
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
// third order look at the runner's records. The counts must not change while it is in use.
func NewCounted(run pass.Runner, f Formula, p Presences) *Sampled {
	s := NewSampled(run, f, true)
	s.count = p.Pairs
	frequency := make([]float64, s.Dim())
	for h := range frequency {
		frequency[h] = float64(s.count[kernel.PairRow(h, len(frequency))+h])
	}
	s.setFirst(float64(p.N), frequency)
	return s
}

// setFirst sets the sums of first order of n presences, of which so many have each feature.
func (s *Sampled) setFirst(n float64, frequency []float64) {
	sum := newFirstSum(&s.f, s.Dim())
	s.first = make([]float64, sum.Len())
	sum.addFrequencies(s.first, n, frequency)
}

// Turned returns the moments of the same presences where features of flip stand for their
// absence, as the runner shows them. Pairs that were counted are not counted again, nor
// copied: they must not change while it is in use.
func (s *Sampled) Turned(run pass.Runner, flip []bool) *Sampled {
	t := NewSampled(run, s.f, true)
	if !s.paired() || s.turn != nil {
		return t
	}
	d := len(flip)
	t.sums, t.count, t.turn = s.sums, s.count, &turn{flip, s.first[atN], s.first[firstHeads+d:][:d]}
	frequency := make([]float64, d)
	for h, n := range t.turn.has {
		frequency[h] = t.turn.of(h, h, n)
	}
	t.setFirst(t.turn.n, frequency)
	return t
}

// turn makes of pairs that were counted those of features that stand for their absence: a
// record lacks both h and m, or h alone, if it is one of all less those that have one of them.
// All are whole numbers, so that nothing is lost.
type turn struct {
	flip []bool
	n    float64   // records
	has  []float64 // those that have each feature
}

// of returns the records of a pair that so many have; nil turns nothing.
func (t *turn) of(h, m int, both float64) float64 {
	switch {
	case t == nil:
	case t.flip[h] && t.flip[m]:
		return t.n - t.has[h] - t.has[m] + both
	case t.flip[h]:
		return t.has[m] - both
	case t.flip[m]:
		return t.has[h] - both
	}
	return both
}
