package kernel

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// rowsToArrange returns rows of features, some of which are left out, and a table
// for dim numbers.
func rowsToArrange(r *rand.Rand, n, dim, entries int, values bool) *Rearranger {
	a := &Rearranger{Ptr: []int{0}, End: make([]int, n)}
	cells, none := CellsFor(dim)
	a.Cells = cells
	for _, h := range r.Perm(dim) {
		a.Number = append(a.Number, uint32(h))
	}
	for range 3 {
		a.Number = append(a.Number, none)
	}
	for range n {
		list := r.Perm(len(a.Number))[:min(r.IntN(2*entries+1), len(a.Number))]
		for _, f := range list {
			a.Feature = append(a.Feature, uint32(f))
			a.Value = append(a.Value, uint8(1+r.IntN(255)))
		}
		if !values && len(list) > 0 {
			a.Feature = append(a.Feature, uint32(list[0])) // comes again
		}
		a.Ptr = append(a.Ptr, len(a.Feature))
	}
	a.Index = make([]uint32, len(a.Feature))
	if values {
		a.Real = make([]float32, len(a.Feature))
	} else {
		a.Value = nil
	}
	return a
}

// TestRearranger compares with a sort.
func TestRearranger(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		for seed := range uint64(60) {
			r := rand.New(rand.NewPCG(seed, 5))
			dim := 1 + r.IntN(700)
			a := rowsToArrange(r, r.IntN(40), dim, 1+r.IntN(100), seed%2 == 0)
			to := a.Run(0)
			at := 0
			for i := range a.End {
				type entry struct {
					h uint32
					v float32
				}
				var want []entry
				for e := a.Ptr[i]; e < a.Ptr[i+1]; e++ {
					v := float32(1)
					if a.Value != nil {
						v = float32(a.Value[e])
					}
					if h := a.Number[a.Feature[e]]; int(h) < dim {
						want = append(want, entry{h, v})
					}
				}
				slices.SortFunc(want, func(x, y entry) int { return int(x.h) - int(y.h) })
				want = slices.Compact(want)
				if a.End[i]-at != len(want) {
					t.Fatalf("seed %d: row %d has %d entries, want %d", seed, i, a.End[i]-at, len(want))
				}
				for _, w := range want {
					if a.Index[at] != w.h || a.Real != nil && a.Real[at] != w.v {
						t.Fatalf("seed %d: row %d has %d, want %v", seed, i, a.Index[at], w)
					}
					at++
				}
			}
			if to != at || slices.Max(a.Cells[:len(a.Cells)/2-64]) != 0 {
				t.Fatalf("seed %d: ends at %d of %d, or cells are left", seed, to, at)
			}
		}
	})
}

// TestRearrangerInPlace writes rows where they were read.
func TestRearrangerInPlace(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		for seed := range uint64(40) {
			r := rand.New(rand.NewPCG(seed, 7))
			dim, n := 1+r.IntN(700), 1+r.IntN(40)
			a := &Rearranger{Ptr: []int{0}, End: make([]int, n)}
			a.Cells, _ = CellsFor(dim)
			for _, h := range r.Perm(dim) {
				a.Number = append(a.Number, uint32(h))
			}
			for range n {
				for _, f := range r.Perm(dim)[:r.IntN(min(dim, 60)+1)] {
					a.Feature, a.Value = append(a.Feature, uint32(f)), append(a.Value, uint8(1+f%255))
				}
				a.Ptr = append(a.Ptr, len(a.Feature))
			}
			index, reals := make([]uint32, len(a.Feature)), make([]float32, len(a.Feature))
			a.Index, a.Real = index, reals
			a.Run(0)
			a.Index, a.Real = a.Feature, make([]float32, len(reals))
			a.Run(0)
			if !slices.Equal(a.Index, index) || !slices.Equal(a.Real, reals) {
				t.Fatalf("seed %d: rows differ", seed)
			}
		}
	})
}

// TestRearrangerBounds demands Go's panic where rows, features or numbers do not
// fit, and nothing written behind the room.
func TestRearrangerBounds(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		for name, spoil := range map[string]func(a *Rearranger){
			"feature": func(a *Rearranger) { a.Feature[len(a.Feature)-1] = uint32(len(a.Number)) },
			"number":  func(a *Rearranger) { a.Number[0] = uint32(len(a.Cells) / 2) },
			"ptr":     func(a *Rearranger) { a.Ptr[1] = len(a.Feature) + 1 },
			"value":   func(a *Rearranger) { a.Value = slices.Clip(a.Value[:len(a.Value)-1]) },
			"room":    func(a *Rearranger) { a.Index = a.Index[:9] },
			"real":    func(a *Rearranger) { a.Real = a.Real[:9] },
		} {
			a := rowsToArrange(rand.New(rand.NewPCG(1, 1)), 20, 100, 10, true)
			for f := range a.Number {
				a.Number[f] = uint32(f)
			}
			a.Feature[0] = 0
			index := a.Index
			spoil(a)
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("%s: no panic", name)
					}
				}()
				a.Run(0)
			}()
			if len(a.Index) < len(index) && slices.Max(index[len(a.Index):]) != 0 {
				t.Errorf("%s: written behind the room", name)
			}
		}
	})
}

func BenchmarkRearranger(b *testing.B) {
	for _, c := range []struct {
		name         string
		dim, entries int
		n            int
		values       bool
	}{
		{"documents", 3000, 100, 1000, true},
		{"patients", 696, 10, 5000, false},
	} {
		a := rowsToArrange(rand.New(rand.NewPCG(1, 1)), c.n, c.dim, c.entries, c.values)
		best := active
		for _, active = range upTo(available()) {
			b.Run(c.name+"/"+Tier(), func(b *testing.B) {
				for b.Loop() {
					a.Run(0)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(a.Feature)), "ns/entry")
			})
		}
		active = best
	}
}
