package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// entries draws n entries, of so many rows, with small counts.
func entries(r *rand.Rand, n, rows int) (index []uint32, x []float32) {
	index, x = make([]uint32, n), make([]float32, n)
	for w := range index {
		index[w], x[w] = uint32(r.IntN(rows)), float32(r.IntN(5))
	}
	return index, x
}

// listOf returns a list of entries as many as they are.
func listOf(index []uint32) *MixList {
	l := new(MixList)
	l.Set(index, 0)
	return l
}

func TestMixList(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		var l MixList
		for _, n := range []int{0, 1, 16, 17, 5} {
			index := make([]uint32, n)
			for w := range index {
				index[w] = uint32(w)
			}
			l.Set(index, 9)
			got := l.Index()
			if len(got) != (n+MixLanes-1)/MixLanes*MixLanes {
				t.Fatalf("%d entries filled up to %d", n, len(got))
			}
			top := 0
			for w, h := range got {
				want := 9
				if w < n {
					want = w
				}
				if int(h) != want {
					t.Fatalf("entry %d of %d is %d", w, n, h)
				}
				top = max(top, want)
			}
			if n > 0 && (!l.below(top+1) || l.below(top)) || n == 0 && l.below(100) {
				t.Errorf("%d entries: the largest is not %d", n, top)
			}
		}
	})
}

// panics demands that all of them do, in every tier.
func panics(t *testing.T, calls map[string]func()) {
	t.Helper()
	for name, f := range calls {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			f()
		})
	}
}

// Sums of a few products in float32: a rounding each.
const spreadTol = 1e-6

func TestMixSpread(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(3, 7))
		for _, k := range []int{16, 32, 48, 64, 80, 144} {
			const rows, n = 9, 33
			index, f := entries(r, n, rows)
			table, want, e := make([]float32, rows*k), make([]float64, rows*k), make([]float32, k)
			for j := range e {
				e[j] = r.Float32()
			}
			for i := range table {
				table[i] = r.Float32()
				want[i] = float64(table[i])
			}
			for w, h := range index {
				for j, v := range e {
					want[int(h)*k+j] += float64(f[w]) * float64(v)
				}
			}
			MixSpread(table, listOf(index), n, f, e)
			for i, v := range want {
				if !(math.Abs(float64(table[i])-v) <= spreadTol*v) {
					t.Fatalf("k=%d: number %d is %v, want %v", k, i, table[i], v)
				}
			}
		}
		panics(t, map[string]func(){
			"row": func() { MixSpread(make([]float32, 32), listOf([]uint32{2}), 1, []float32{1}, make([]float32, 16)) },
			"f":   func() { MixSpread(make([]float32, 32), listOf([]uint32{0}), 1, nil, make([]float32, 16)) },
			"n": func() {
				MixSpread(make([]float32, 32), listOf([]uint32{0}), 17, make([]float32, 17), make([]float32, 16))
			},
		})
	})
}

func TestMixWords(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(4, 7))
		for _, n := range []int{16, 32, 112, 1600} {
			const rows = 40
			index, x := entries(r, n, rows)
			scale := normals(r, rows)
			total, scaled, above := MixWords(x, listOf(index), scale)
			wantTotal, wantScaled, wantAbove, size := 0.0, 0.0, 0, 0.0
			for w, h := range index {
				v := float64(x[w])
				wantTotal += v
				wantScaled += v * scale[h]
				size += math.Abs(v * scale[h])
				if v > 0 {
					wantAbove++
				}
			}
			if total != wantTotal || above != wantAbove || !(math.Abs(scaled-wantScaled) <= tol*size) {
				t.Errorf("n=%d: %v, %v, %d, want %v, %v, %d", n, total, scaled, above, wantTotal, wantScaled, wantAbove)
			}
			x[3], x[7], x[n-1] = float32(math.NaN()), -1, 1
			index[n-1] = 2
			scale[2] = math.Inf(-1)
			if total, scaled, above := MixWords(x, listOf(index), scale); !math.IsNaN(total) || !math.IsNaN(scaled) || above >= n-1 {
				t.Errorf("n=%d with NaN: %v, %v, %d", n, total, scaled, above)
			}
			x[3], x[7] = 1, 1
			if _, scaled, _ := MixWords(x, listOf(index), scale); !math.IsInf(scaled, -1) && !math.IsNaN(scaled) {
				t.Errorf("n=%d: an infinite scale gives %v", n, scaled)
			}
		}
		panics(t, map[string]func(){
			"row": func() { MixWords(make([]float32, 16), listOf(append(make([]uint32, 15), 9)), make([]float64, 9)) },
			"x":   func() { MixWords(make([]float32, 15), listOf(make([]uint32, 16)), make([]float64, 9)) },
		})
	})
}

func TestMixKeep(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(5, 7))
		for _, n := range []int{16, 48, 112} {
			src := make([]float32, 7*n)
			for i := range src {
				src[i] = r.Float32()
			}
			for _, keep := range [][]int32{{}, {0}, {6}, {0, 1, 2}, {1, 3, 4, 6}} {
				dst, self := make([]float32, len(keep)*n), append([]float32(nil), src...)
				MixKeep(dst, src, n, keep)
				MixKeep(self, self, n, keep)
				for i, from := range keep {
					for w := range n {
						if want := src[int(from)*n+w]; dst[i*n+w] != want || self[i*n+w] != want {
							t.Fatalf("n=%d %v: %v and %v, want %v", n, keep, dst[i*n+w], self[i*n+w], want)
						}
					}
				}
			}
		}
		panics(t, map[string]func(){
			"row":   func() { MixKeep(make([]float32, 32), make([]float32, 32), 16, []int32{2}) },
			"below": func() { MixKeep(make([]float32, 32), make([]float32, 32), 16, []int32{-1}) },
			"room":  func() { MixKeep(make([]float32, 16), make([]float32, 32), 16, []int32{0, 1}) },
		})
	})
}

func TestMixPanel(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(7, 7))
		for _, n := range []int{16, 48, 112} {
			for _, k := range []int{4, 8, 12, 16, 20, 52, 64} {
				const rows = 40
				table := make([]float32, rows*k)
				for i := range table {
					table[i] = r.Float32()
				}
				index := make([]uint32, n)
				for w := range index {
					index[w] = uint32(r.IntN(rows))
				}
				index[n-1] = rows - 1
				dst := make([]float32, n*k+1)
				MixPanel(dst[:n*k], table, k, listOf(index))
				if dst[n*k] != 0 {
					t.Fatalf("n=%d k=%d: written behind the panel", n, k)
				}
				for c := range k {
					for w, h := range index {
						if got := dst[c*n+w]; got != table[int(h)*k+c] {
							t.Fatalf("n=%d k=%d: entry %d of column %d is %v", n, k, w, c, got)
						}
					}
				}
			}
		}
		index := make([]uint32, 16)
		panics(t, map[string]func(){
			"far": func() {
				MixPanel(make([]float32, 192), make([]float32, 100), 12, listOf(append(index[:15:15], 1<<31)))
			},
			"room": func() { MixPanel(make([]float32, 191), make([]float32, 100), 12, listOf(index)) },
			"panel": func() {
				m := mixOf(r, 20, 5, plainBuffer)
				m.Panel = m.Panel[1:]
				one(m)
			},
		})
	})
}

// logsTol is some roundings of logarithms in float32.
const logsTol = 2e-7

func TestMixLogs(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		m := mixOf(rand.New(rand.NewPCG(9, 9)), 75, 6, plainBuffer)
		r := rand.New(rand.NewPCG(2, 9))
		for range 200 {
			want, size := 0.0, 0.0
			for w := range m.P {
				m.P[w] = float32(math.Exp(138*r.Float64() - 69))
				want += float64(m.X[w]) * math.Log(float64(m.P[w]))
				size += math.Abs(float64(m.X[w]) * math.Log(float64(m.P[w])))
			}
			if got := MixLogs(m.X, m.P); !(math.Abs(got-want) <= logsTol*size) {
				t.Fatalf("sum of logarithms %v, want %v", got, want)
			}
		}
	})
}

func BenchmarkMixSpread(b *testing.B) {
	best := active
	defer func() { active = best }()
	for _, k := range []int{16, 64} {
		index, f := entries(rand.New(rand.NewPCG(1, 1)), 110, 3000)
		table, e, l := MixBuffer(3000*k), MixBuffer(k), listOf(index)
		for _, active = range upTo(available()) {
			b.Run(fmt.Sprintf("%s/k=%d", Tier(), k), func(b *testing.B) {
				for b.Loop() {
					MixSpread(table, l, 110, f, e)
				}
			})
		}
	}
}

func BenchmarkMixPanel(b *testing.B) {
	best := active
	defer func() { active = best }()
	for _, k := range []int{12, 52} {
		r := rand.New(rand.NewPCG(1, 1))
		table, dst, index := make([]float32, 3000*k), make([]float32, 112*k), make([]uint32, 112)
		for w := range index {
			index[w] = uint32(r.IntN(3000))
		}
		l := listOf(index)
		for _, active = range upTo(available()) {
			b.Run(fmt.Sprintf("%s/k=%d", Tier(), k), func(b *testing.B) {
				for b.Loop() {
					MixPanel(dst, table, k, l)
				}
			})
		}
	}
}

func BenchmarkMixLogs(b *testing.B) {
	best := active
	defer func() { active = best }()
	m := mixOf(rand.New(rand.NewPCG(1, 1)), 110, 10, plainBuffer)
	one(m)
	for _, active = range upTo(available()) {
		b.Run(Tier(), func(b *testing.B) {
			for b.Loop() {
				MixLogs(m.X, m.P)
			}
		})
	}
}
