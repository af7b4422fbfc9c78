package normals

import (
	"math"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
)

// A step over panels says of rows, and adds up, what loops over rows and clouds do: with every
// shape, rows of which something is missing, and clouds so far out that products would lose
// their digits.
func TestPanels(t *testing.T) {
	table, _ := twins(4, 700) // more than one panel
	for i := 0; i < table.N; i += 90 {
		table.Row(i)[i/90%2] = math.NaN()
	}
	for _, shape := range []Shape{Common, Diagonal, Tied, Own} {
		for _, away := range []float64{0, 1e6} {
			m := tilted(shape)
			for i := range m.Mean {
				m.Mean[i] += away
			}
			moved := Table{N: table.N, D: table.D}
			for _, v := range table.X {
				moved.X = append(moved.X, v+away)
			}
			m = New(shape, 2, m.Weight, m.Mean, packedOf(m))
			share := make([]float64, moved.N*m.K)
			m.Scores(moved, share)
			log := make([]float64, moved.N)
			want := NewStats(make([]float64, StatsLen(m.K, 2, shape)), m.K, 2, shape)
			for i := range log {
				row := share[i*m.K:][:m.K]
				log[i] = Posterior(row, m.K)
				if x := moved.Row(i); !Blank(x) {
					want.add(x, row)
					continue
				}
				want.expect(m, moved.Row(i), row)
				for k, r := range row {
					want.Size[k] += r
				}
			}

			step := m.Step()
			if step.near != (away == 0) {
				t.Fatalf("%v: products are taken %v at a distance of %v", shape, step.near, away)
			}
			got := NewStats(make([]float64, StatsLen(m.K, 2, shape)), m.K, 2, shape)
			for range 2 { // the second time in the memory of the first
				clear(got.Size)
				clear(got.First)
				clear(got.Second)
				p, most := step.Panel()
				for lo := 0; lo < moved.N; lo += most {
					p.Take(min(most, moved.N-lo))
					copy(p.Rows.X, moved.X[lo*2:])
					clear(p.Log)
					p.Weigh()
					p.Add(got)
					for i, v := range p.Share {
						if numtest.Off(v, share[lo*m.K+i], 1e-12) {
							t.Fatalf("%v: share %v of row %d, want %v", shape, v, lo+i/m.K, share[lo*m.K+i])
						}
					}
					for i, v := range p.Log {
						if numtest.Off(v, log[lo+i], 1e-11*(1+math.Abs(log[lo+i]))) {
							t.Fatalf("%v: log density %v of row %d, want %v", shape, v, lo+i, log[lo+i])
						}
					}
				}
				p.Settle(got)
				step.Free(p)
			}
			for i, list := range [][]float64{want.Size, want.First, want.Second} {
				for j, v := range list {
					if g := [][]float64{got.Size, got.First, got.Second}[i][j]; numtest.Off(g, v, 1e-6+1e-8*math.Abs(v)) {
						t.Errorf("%v: sum %d of list %d is %v, want %v", shape, j, i, g, v)
					}
				}
			}
		}
	}
}

// packedOf returns the spreads of a mixture as New takes them.
func packedOf(m *Mixture) []float64 {
	if !m.Shape.full() {
		return m.spread
	}
	var out []float64
	for k := range len(m.spread) / (m.D * m.D) {
		for i := range m.D {
			out = append(out, m.spread[k*m.D*m.D+i*m.D:][:i+1]...)
		}
	}
	return out
}
