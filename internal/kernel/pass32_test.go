package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// tol32 is for sums of a few hundred terms near one in single precision, added
// in another order and with other roundings.
const tol32 = 1e-5

// singles returns the numbers in single precision.
func singles(x []float64) []float32 {
	out := make([]float32, len(x))
	for i, v := range x {
		out[i] = float32(v)
	}
	return out
}

func agree32(t *testing.T, name string, got []float32, want []float64, scale float64) {
	t.Helper()
	for i, w := range want {
		g := float64(got[i])
		same := math.IsNaN(g) && math.IsNaN(w)
		if !same && !(math.Abs(g-w) <= tol32*math.Max(scale, math.Abs(w))) {
			t.Fatalf("%s: entry %d is %v, want %v", name, i, g, w)
		}
	}
}

// fuse returns the fused pass over m with everything asked for.
func fuse(m csr, b, weights []float32, l, n, d int) *Fused {
	return &Fused{
		Ptr: m.ptr, Index: m.index, Value: m.value, B: b, L: l, Weights: weights,
		Z: make([]float32, n*l), Second: make([]float32, d*l), Mixed: make([]float32, d*l),
	}
}

// fusedTwin is Z, Second and Mixed by their definition.
func fusedTwin(m csr, f *Fused, s shape) (z, second, mixed []float64) {
	b := make([]float64, len(f.B))
	for i, v := range f.B {
		b[i] = float64(v)
	}
	s.l = f.L
	z = mulTwin(m.dense, b, s)
	second, mixed = make([]float64, len(b)), make([]float64, len(b))
	for i := range s.n {
		for h := range s.d {
			for a := range s.l {
				v := m.dense[i*s.d+h] * z[i*s.l+a]
				second[h*s.l+a] += float64(f.Weights[2*i]) * v
				mixed[h*s.l+a] += float64(f.Weights[2*i+1]) * v
			}
		}
	}
	return z, second, mixed
}

func TestFused(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		for _, l := range []int{16, 32, 48, 64, 80, 128, 144} {
			for _, nnz := range []int{0, 1, 3, 9, 27} {
				for _, binary := range []bool{false, true} {
					r := rand.New(rand.NewPCG(uint64(l), uint64(nnz)))
					s := shape{n: 23, d: 31, nnz: nnz}
					m := random(r, s, binary)
					f := fuse(m, singles(normals(r, s.d*l)), singles(normals(r, 2*s.n)), l, s.n, s.d)
					f.Run()
					name := fmt.Sprintf("l=%d nnz=%d binary=%v", l, nnz, binary)
					z, second, mixed := fusedTwin(m, f, s)
					agree32(t, "Z "+name, f.Z, z, 10)
					agree32(t, "Second "+name, f.Second, second, 100)
					agree32(t, "Mixed "+name, f.Mixed, mixed, 100)

					halves := fuse(m, append(make([]float32, 3), f.B...)[3:], f.Weights, l, s.n, s.d)
					parts := *halves
					parts.Proved = true
					for _, c := range [][2]int{{0, 5}, {5, 5}, {5, 6}, {6, 23}} {
						parts.Ptr, parts.Z, parts.Weights = m.ptr[c[0]:c[1]+1], halves.Z[c[0]*l:], f.Weights[2*c[0]:]
						parts.Run()
					}
					same32(t, "Z "+name, halves.Z, f.Z)
					same32(t, "Second "+name, halves.Second, f.Second)
					same32(t, "Mixed "+name, halves.Mixed, f.Mixed)

					alone := fuse(m, f.B, f.Weights, l, s.n, s.d)
					alone.Z, alone.Mixed = nil, nil
					alone.Run()
					same32(t, "Second alone "+name, alone.Second, f.Second)
					only := &Fused{Ptr: m.ptr, Index: m.index, Value: m.value, B: f.B, L: l, Z: make([]float32, s.n*l)}
					only.Run()
					same32(t, "Z alone "+name, only.Z, f.Z)
				}
			}
		}
	})
}

func same32(t *testing.T, name string, got, want []float32) {
	t.Helper()
	for i, w := range want {
		if math.Float32bits(got[i]) != math.Float32bits(w) {
			t.Fatalf("%s: entry %d is %v, in one call %v", name, i, got[i], w)
		}
	}
}

// TestFusedBounds demands a panic, never a stray read.
func TestFusedBounds(t *testing.T) {
	const l, d = 16, 4
	eachTier(t, func(t *testing.T) {
		table := func() []float32 { return make([]float32, d*l) }
		for name, f := range map[string]*Fused{
			"index":   {Ptr: []int{0, 1}, Index: []uint32{d}, B: table(), L: l},
			"offsets": {Ptr: []int{0, 2}, Index: []uint32{1}, B: table(), L: l},
			"values":  {Ptr: []int{0, 1}, Index: []uint32{1}, Value: []float32{}, B: table(), L: l},
			"columns": {Ptr: []int{0, 1}, Index: []uint32{1}, B: table(), L: l - 1},
			"room":    {Ptr: []int{0, 1}, Index: []uint32{1}, B: table(), L: l, Z: make([]float32, l-1)},
			"weights": {Ptr: []int{0, 1}, Index: []uint32{1}, B: table(), L: l, Second: table(), Weights: []float32{1}},
			"sums":    {Ptr: []int{0, 1}, Index: []uint32{1}, B: table(), L: l, Second: table()[1:], Weights: []float32{1, 1}},
			"mixed":   {Ptr: []int{0, 1}, Index: []uint32{1}, B: table(), L: l, Mixed: table(), Weights: []float32{1, 1}},
		} {
			t.Run(name, func(t *testing.T) {
				defer func() {
					if recover() == nil {
						t.Error("no panic")
					}
				}()
				f.Run()
			})
		}
	})
}

func TestWiden(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		for _, n := range []int{0, 1, 15, 16, 17, 64, 100, 1000} {
			r := rand.New(rand.NewPCG(uint64(n), 5))
			x, start := singles(normals(r, n)), normals(r, n)
			got := append([]float64(nil), start...)
			keep := append([]float32(nil), x...)
			Widen(got, x)
			for i := range n {
				if got[i] != start[i]+float64(keep[i]) || x[i] != 0 {
					t.Fatalf("n=%d: entry %d is %v, left %v", n, i, got[i], x[i])
				}
			}
		}
	})
}

func TestRowTotals(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(4, 4))
		ptr, value := []int{2}, []float32{0.5, 0.5}
		var want []float64
		for n := range 70 {
			sum := 0.0
			for range n {
				v := float32(1 + r.IntN(65535))
				value = append(value, v)
				sum += float64(v)
			}
			ptr, want = append(ptr, len(value)), append(want, sum)
		}
		got := make([]float64, len(want))
		if !RowTotals(got, ptr, value) {
			t.Fatal("whole numbers are taken for others")
		}
		near(t, "RowTotals", got, want)
		for _, bad := range []float32{0, -1, 0.5, 1.5, 65536, 1e30, float32(math.NaN()), float32(math.Inf(1))} {
			for _, at := range []int{2, 40, len(value) - 1, len(value) - 40} {
				keep := value[at]
				value[at] = bad
				if RowTotals(got, ptr, value) {
					t.Errorf("%v at %d is taken for a whole number", bad, at)
				}
				value[at] = keep
			}
		}
		if RowTotals(got, []int{0, longest + 1}, make([]float32, longest+1)) {
			t.Error("a row that is too long")
		}
	})
}

func TestFirstOrders(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		for _, binary := range []bool{false, true} {
			r := rand.New(rand.NewPCG(6, 6))
			s := shape{n: 40, d: 33, nnz: 9}
			m := random(r, s, binary)
			w := normals(r, 4*s.n)
			want := make([]float64, 4*s.d)
			for i := range s.n {
				w[4*i+3] = 0
				for h := range s.d {
					if x := m.dense[i*s.d+h]; x != 0 {
						for a := range 3 {
							want[4*h+a] += x * w[4*i+a]
						}
						want[4*h+3]++
					}
				}
			}
			got := make([]float64, 4*s.d)
			FirstOrders(got, m.ptr[:20], m.index, m.value, w)
			FirstOrders(got, m.ptr[19:], m.index, m.value, w[4*19:])
			near(t, "FirstOrders", got, want)
		}
	})
}

func TestCube32(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		for _, l := range []int{1, 2, 3, 7, 8, 9, 10, 15, 16, 17, 24, 33, 40, 47, 48, 49, 50, 60, 64, 70} {
			for _, n := range []int{0, 1, 5, 300, 2*CubeRows32 + 17} {
				if testing.Short() && n > 300 && l > 17 && l != 49 {
					continue // the plain twin takes l³n steps
				}
				r := rand.New(rand.NewPCG(uint64(l), uint64(n)))
				ld := (l + 15) / 16 * 16
				z, w := make([]float32, n*ld), singles(normals(r, n))
				wide, v := make([]float64, n*l), make([]float64, n)
				for i := range n {
					v[i] = float64(w[i])
					for a := range l {
						z[i*ld+a] = float32(r.NormFloat64())
						wide[i*l+a] = float64(z[i*ld+a])
					}
				}
				got, want := normals(r, l*(l+1)*(l+2)/6), []float64(nil)
				want = append(want, got...)
				Cube32(got, z, w, l, ld, nil)
				cubePlain(want, wide, v, l)
				for i := range want {
					if !(math.Abs(got[i]-want[i]) <= tol32*math.Max(20, math.Abs(want[i]))) {
						t.Fatalf("l=%d n=%d: entry %d is %v, want %v", l, n, i, got[i], want[i])
					}
				}
			}
		}
	})
}

// zipf returns n documents of about 150 words out of d, the h-th with a chance
// like 1/(h+10).
func zipf(r *rand.Rand, n, d int) csr {
	m := csr{ptr: []int{0}}
	sums := make([]float64, d+1)
	for h := range d {
		sums[h+1] = sums[h] + 1/float64(h+10)
	}
	for range n {
		count := make([]float32, d)
		for range 150 {
			h, _ := slices.BinarySearch(sums, r.Float64()*sums[d])
			count[max(h-1, 0)]++
		}
		for h, c := range count {
			if c > 0 {
				m.index, m.value = append(m.index, uint32(h)), append(m.value, c)
			}
		}
		m.ptr = append(m.ptr, len(m.index))
	}
	return m
}

// BenchmarkFused counts two operations for each entry, column and product.
func BenchmarkFused(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	const n, d = 4096, 3000
	m := zipf(r, n, d)
	for _, l := range []int{16, 32, 64} {
		f := fuse(m, singles(normals(r, d*l)), singles(normals(r, 2*n)), l, n, d)
		flops := float64(2 * len(m.index) * l)
		perTier(b, fmt.Sprintf("three/l=%d", l), 3*flops, f.Run)
		f.Mixed = nil
		perTier(b, fmt.Sprintf("two/l=%d", l), 2*flops, f.Run)
		f.Z, f.Second = make([]float32, n*l), nil
		perTier(b, fmt.Sprintf("one/l=%d", l), flops, f.Run)
	}
	for _, l := range []int{10, 50} {
		buffer := make([]float32, Buffer32(64))
		z, ones := singles(normals(r, CubeRows32*64)), singles(normals(r, CubeRows32))
		dst := make([]float64, l*(l+1)*(l+2)/6)
		perTier(b, fmt.Sprintf("cube/l=%d", l), float64(2*CubeRows32*len(dst)), func() { Cube32(dst, z, ones, l, (l+15)/16*16, buffer) })
	}
	totals := make([]float64, n)
	perTier(b, "totals", 0, func() { RowTotals(totals, m.ptr, m.value) })
	w, first := normals(r, 4*n), make([]float64, 4*d)
	perTier(b, "first", 0, func() { FirstOrders(first, m.ptr, m.index, m.value, w) })
	b.Logf("%d entries", len(m.index))
}
