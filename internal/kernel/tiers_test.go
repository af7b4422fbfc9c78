package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// eachTier runs f in every tier of this machine, the plain one included.
func eachTier(t *testing.T, f func(t *testing.T)) {
	best := active
	defer func() { active = best }()
	for _, active = range upTo(available()) {
		t.Run(Tier(), f)
	}
}

// in returns what f leaves in a copy of start, in the present tier and in plain.
func in(start []float64, f func(dst []float64)) (got, want []float64) {
	got, want = append([]float64(nil), start...), append([]float64(nil), start...)
	f(got)
	now := active
	active = plain
	f(want)
	active = now
	return got, want
}

// agree demands equal places of NaN and infinities, and the rest near by tol
// times scale, the size of what was added.
func agree(t *testing.T, name string, got, want []float64, scale float64) {
	t.Helper()
	for i, w := range want {
		g := got[i]
		same := g == w || math.IsNaN(g) && math.IsNaN(w)
		if !same && !(math.Abs(g-w) <= tol*math.Max(scale, math.Abs(w))) {
			t.Fatalf("%s: entry %d is %v, plain Go gives %v", name, i, g, w)
		}
	}
}

func same(t *testing.T, name string, got, want []float64) {
	t.Helper()
	for i, w := range want {
		if math.Float64bits(got[i]) != math.Float64bits(w) {
			t.Fatalf("%s: entry %d is %v, in one call %v", name, i, got[i], w)
		}
	}
}

// shifted returns a copy of x that begins off the borders of vectors.
func shifted(x []float64, by int) []float64 {
	buffer := make([]float64, len(x)+by)
	return append(buffer[:by], x...)[by:]
}

// hostile are numbers of columns around the borders of vectors, tiles and
// blocks.
var hostile = []int{0, 1, 2, 3, 4, 5, 7, 8, 9, 11, 12, 13, 15, 16, 17, 20, 23, 24, 25, 31, 32, 33, 40, 47, 48, 49, 63, 64, 65, 100, 130}

func TestTiersSparse(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		for _, l := range hostile {
			for _, binary := range []bool{false, true} {
				r := rand.New(rand.NewPCG(uint64(l), 1))
				s := shape{n: 37, d: 29, l: l, nnz: 1 + l%12}
				m := random(r, s, binary)
				m.index[len(m.index)-1] = uint32(s.d - 1) // the last row of the table
				by := 1 + l%7
				b, z := shifted(normals(r, s.d*l), by), shifted(normals(r, s.n*l), by)
				name := fmt.Sprintf("l=%d binary=%v", l, binary)
				got, want := in(normals(r, s.n*l), func(dst []float64) { Gather(dst, m.ptr, m.index, m.value, b, l) })
				agree(t, "Gather "+name, got, want, 10)
				start := normals(r, s.d*l)
				got, want = in(start, func(dst []float64) { Scatter(dst, m.ptr, m.index, m.value, z, l) })
				agree(t, "Scatter "+name, got, want, 10)

				parts := append([]float64(nil), start...)
				rows := make([]float64, s.n*l)
				whole := make([]float64, s.n*l)
				Gather(whole, m.ptr, m.index, m.value, b, l)
				for _, c := range [][2]int{{0, 5}, {5, 5}, {5, 6}, {6, 37}} {
					Scatter(parts, m.ptr[c[0]:c[1]+1], m.index, m.value, z[c[0]*l:c[1]*l], l)
					Gather(rows[c[0]*l:c[1]*l], m.ptr[c[0]:c[1]+1], m.index, m.value, shifted(b, 3), l)
				}
				same(t, "Scatter "+name, parts, got)
				same(t, "Gather "+name, rows, whole)
			}
		}
	})
}

// TestTiersLongRows goes beyond what one call of assembly takes.
func TestTiersLongRows(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(3, 3))
		const n, nnz, d, l = 300, 500, 1000, 17
		m := csr{ptr: []int{0}}
		for range n {
			for h := range nnz {
				m.index = append(m.index, uint32(2*h+r.IntN(2)))
			}
			m.ptr = append(m.ptr, len(m.index))
		}
		b := normals(r, d*l)
		got, want := in(make([]float64, n*l), func(dst []float64) { Gather(dst, m.ptr, m.index, nil, b, l) })
		agree(t, "Gather", got, want, nnz)
		got, want = in(make([]float64, d*l), func(dst []float64) { Scatter(dst, m.ptr, m.index, nil, got, l) })
		agree(t, "Scatter", got, want, nnz*nnz)
	})
}

// TestTiersBounds demands Go's panic, never a stray read, for entries outside
// the table.
func TestTiersBounds(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		const d, l = 4, 3
		for name, f := range map[string]func(){
			"index":    func() { Gather(make([]float64, l), []int{0, 1}, []uint32{d}, nil, make([]float64, d*l), l) },
			"far":      func() { Scatter(make([]float64, d*l), []int{0, 1}, []uint32{1 << 31}, nil, make([]float64, l), l) },
			"offsets":  func() { Gather(make([]float64, l), []int{0, 2}, []uint32{1}, nil, make([]float64, d*l), l) },
			"values":   func() { Gather(make([]float64, l), []int{0, 1}, []uint32{1}, []float32{}, make([]float64, d*l), l) },
			"negative": func() { Gather(make([]float64, l), []int{-1, 1}, []uint32{1}, nil, make([]float64, d*l), l) },
			"room":     func() { Gather(make([]float64, l-1), []int{0, 1}, []uint32{1}, nil, make([]float64, d*l), l) },
			"cube":     func() { Cube(make([]float64, 3), make([]float64, l), nil, l) },
			"weights":  func() { Cube(make([]float64, 10), make([]float64, 20*l), make([]float64, 1), l) },
			"outer":    func() { Outer(make([]float64, 3), make([]float64, l), nil, l) },
			"rotate":   func() { Rotate(make([]float64, 3), make([]float64, 2), 1, 0) },
			"axpy":     func() { Axpy(make([]float64, 2), 1, make([]float64, 3)) },
			"softmax":  func() { Softmax(make([]float64, 6), 3, nil, make([]float64, 1), nil) },
			"bias":     func() { Softmax(make([]float64, 6), 3, make([]float64, 4), nil, nil) },
			"gemm": func() {
				Gemm(Matrix{make([]float64, 3), 2, 2, 2}, Matrix{make([]float64, 4), 2, 2, 2}, Matrix{make([]float64, 4), 2, 2, 2})
			},
			"shapes": func() {
				Gemm(Matrix{make([]float64, 9), 3, 3, 3}, Matrix{make([]float64, 9), 3, 2, 3}, Matrix{make([]float64, 9), 3, 3, 3})
			},
			"dense": func() { DenseMul(make([]float64, l), make([]float64, 2*d), d, make([]float64, d*l-1), l) },
		} {
			t.Run(name, func(t *testing.T) {
				defer func() {
					if recover() == nil {
						t.Error("no panic")
					}
				}()
				f()
			})
		}
	})
}

func TestTiersDense(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		for _, l := range hostile {
			for _, n := range []int{0, 1, 2, 3, 4, 6, 7, 8, 9, 21} {
				r := rand.New(rand.NewPCG(uint64(l), uint64(n)))
				d := 1 + (l+n)%19
				x, b, z := shifted(normals(r, n*d), 1), shifted(normals(r, d*l), 3), normals(r, n*l)
				for i := range x {
					if i%3 == 0 {
						x[i] = 0
					}
				}
				name := fmt.Sprintf("n=%d d=%d l=%d", n, d, l)
				got, want := in(normals(r, n*l), func(dst []float64) { DenseMul(dst, x, d, b, l) })
				agree(t, "DenseMul "+name, got, want, 10)
				start := normals(r, d*l)
				got, want = in(start, func(dst []float64) { DenseTransMul(dst, x, d, z, l) })
				agree(t, "DenseTransMul "+name, got, want, 10)
				half := n / 2
				parts := append([]float64(nil), start...)
				DenseTransMul(parts, x[:half*d], d, z[:half*l], l)
				DenseTransMul(parts, x[half*d:], d, z[half*l:], l)
				same(t, "DenseTransMul "+name, parts, got)
			}
		}
	})
}

// TestTiersGemm has gaps between rows, which must stay as they are, and depths
// beyond one call.
func TestTiersGemm(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		for i, s := range [][3]int{{1, 1, 1}, {7, 9, 5}, {8, 24, 3}, {9, 25, 300}, {23, 50, 64}, {1100, 3, 7}, {5, 13, 600}, {64, 23, 11}} {
			m, n, k := s[0], s[1], s[2]
			r := rand.New(rand.NewPCG(uint64(i), 5))
			b := Matrix{shifted(normals(r, k*(n+2)), 1), k, n, n + 2}
			start := normals(r, m*(n+1))
			a := Matrix{normals(r, m*(k+3)), m, k, k + 3}
			got, want := in(start, func(dst []float64) { Gemm(Matrix{dst, m, n, n + 1}, a, b) })
			agree(t, fmt.Sprint("Gemm ", s), got, want, float64(k))
			at := Matrix{normals(r, k*(m+1)), k, m, m + 1}
			got, want = in(start, func(dst []float64) { GemmTrans(Matrix{dst, m, n, n + 1}, at, b) })
			agree(t, fmt.Sprint("GemmTrans ", s), got, want, float64(k))
			twin := gemmTwin(start, at, b, m, n)
			agree(t, fmt.Sprint("twin ", s), got, twin, float64(k))
		}
	})
}

func gemmTwin(start []float64, at, b Matrix, m, n int) []float64 {
	out := append([]float64(nil), start...)
	for i := range m {
		for j := range n {
			for p := range b.Rows {
				out[i*(n+1)+j] += at.Data[p*at.Stride+i] * b.Data[p*b.Stride+j]
			}
		}
	}
	return out
}

func TestTiersPowers(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		for _, l := range hostile {
			if l > 65 {
				continue
			}
			for _, n := range []int{0, 1, 7, 8, 20, 150} {
				r := rand.New(rand.NewPCG(uint64(l), uint64(n)))
				z, v := shifted(normals(r, n*l), 1), normals(r, n)
				if n%4 == 0 {
					v = nil
				}
				name := fmt.Sprintf("n=%d l=%d", n, l)
				start2, start3 := normals(r, l*(l+1)/2), normals(r, l*(l+1)*(l+2)/6)
				got2, want := in(start2, func(dst []float64) { Outer(dst, z, v, l) })
				agree(t, "Outer "+name, got2, want, float64(n))
				got3, want := in(start3, func(dst []float64) { Cube(dst, z, v, l) })
				agree(t, "Cube "+name, got3, want, float64(n))

				two, three := append([]float64(nil), start2...), append([]float64(nil), start3...)
				for lo, hi := 0, 0; lo < n; lo = hi { // rows in runs of 1, 3, 10, 31, …
					hi = min(n, lo+1+2*lo)
					var part []float64
					if v != nil {
						part = v[lo:hi]
					}
					Outer(two, z[lo*l:hi*l], part, l)
					Cube(three, z[lo*l:hi*l], part, l)
				}
				same(t, "Outer "+name, two, got2)
				same(t, "Cube "+name, three, got3)
			}
		}
	})
}

func TestTiersVectors(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(9, 9))
		for _, n := range append([]int{1000}, hostile...) {
			x, y := shifted(normals(r, n), 1), normals(r, n)
			got, want := in(y, func(dst []float64) { Axpy(dst, -0.7, x) })
			agree(t, "Axpy", got, want, 10)
			got, want = in(append(append([]float64(nil), x...), y...), func(dst []float64) { Rotate(dst[:n], dst[n:], 0.6, 0.8) })
			agree(t, "Rotate", got, want, 10)
		}
		z := normals(r, longRow1)
		got, want := in(make([]float64, longRow1*(longRow1+1)/2), func(dst []float64) { Outer(dst, z, nil, longRow1) })
		agree(t, "Outer of a long row", got, want, 10)
	})
}

const longRow1 = 1030 // more than one call of packed rows takes

func TestTiersSoftmax(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		for _, k := range hostile {
			for _, n := range []int{0, 1, 5, 9, 300} {
				r := rand.New(rand.NewPCG(uint64(k), uint64(n)))
				x, bias, count := normals(r, n*k), shifted(normals(r, k), 1), normals(r, k)
				for i := range x {
					x[i] *= 100
				}
				state := func(c, p, x []float64) []float64 { return append(append(append([]float64(nil), c...), p...), x...) }
				start := state(count, make([]float64, n), x)
				f := func(dst []float64) { Softmax(dst[k+n:], k, bias, dst[k:][:n], dst[:k]) }
				got, want := in(start, f)
				agree(t, fmt.Sprintf("n=%d k=%d", n, k), got, want, 1)
				again := append([]float64(nil), start...)
				for i := range n { // row by row
					Softmax(again[k+n+i*k:][:k], k, bias, again[k+i:][:1], again[:k])
				}
				same(t, fmt.Sprintf("n=%d k=%d", n, k), again, got)
				got, want = in(x, func(dst []float64) { Softmax(dst, k, nil, nil, nil) })
				agree(t, fmt.Sprintf("bare, n=%d k=%d", n, k), got, want, 1)
			}
		}
	})
}

// TestTiersExp measures the exponential as the ratio of two shares, down to
// 1e-304: below that it may be zero.
func TestTiersExp(t *testing.T) {
	const most = 1e-15 // relative: four units in the last place, one for each rounding on the way
	eachTier(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(4, 4))
		for range 20000 {
			v := -700 * r.Float64() * r.Float64()
			x, logp := []float64{0, v}, []float64{0}
			Softmax(x, 2, nil, logp, nil)
			if want := math.Exp(v); !(math.Abs(x[1]/x[0]-want) <= most*want) {
				t.Fatalf("exp(%v) is %v, want %v", v, x[1]/x[0], want)
			}
			if want := math.Log1p(math.Exp(v)); !(math.Abs(logp[0]-want) <= most) {
				t.Fatalf("log(1+exp(%v)) is %v, want %v", v, logp[0], want)
			}
		}
		for _, v := range []float64{-701, -709, -720, -744, -745, -746, -800, -1e300, math.Inf(-1)} {
			x := []float64{v, 0}
			Softmax(x, 2, nil, nil, nil)
			if want := math.Exp(v); !(math.Abs(x[0]-want) <= 1e-304) || v < -746 && x[0] != 0 {
				t.Errorf("exp(%v) is %v, want %v", v, x[0], want)
			}
		}
	})
}

// TestTiersExps holds exponentials of all sizes against the library's.
func TestTiersExps(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(8, 8))
		for _, n := range []int{0, 1, 2, 3, 4, 5, 7, 8, 1000} {
			x := make([]float64, n)
			for i := range x {
				x[i] = 690*r.Float64() - 30
				if i%2 == 0 {
					x[i] = 60 * (r.Float64() - 0.5)
				}
			}
			want := make([]float64, n)
			for i, v := range x {
				want[i] = math.Exp(v)
			}
			Exps(x)
			for i, w := range want {
				if !(math.Abs(x[i]-w) <= 1e-15*w) {
					t.Fatalf("%d of %d: %v, want %v", i, n, x[i], w)
				}
			}
		}
	})
}

// TestTiersLogs holds logarithms of all sizes against the library's, and probabilities
// of odds against their formula.
func TestTiersLogs(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(9, 9))
		for _, n := range []int{0, 1, 2, 3, 5, 8, 1000} {
			x := make([]float64, n)
			for i := range x {
				x[i] = math.Exp(1400*r.Float64() - 700)
				if i%2 == 0 {
					x[i] = 1 + r.Float64() - .5
				}
			}
			got := slices.Clone(x)
			Logs(got)
			for i, v := range x {
				if w := math.Log(v); !(math.Abs(got[i]-w) <= 1e-15*max(math.Abs(w), .1)) {
					t.Fatalf("%d of %d: log %v is %v, want %v", i, n, v, got[i], w)
				}
			}
		}
		for k := 1; k < 9; k++ {
			const rows = 5
			x, product := make([]float64, rows*k), make([]float64, k)
			for i := range x {
				x[i] = math.Exp(60*r.Float64() - 30)
			}
			for i := range product {
				product[i] = 1 + r.Float64()
			}
			got, times := slices.Clone(x), slices.Clone(product)
			Rates(got, times)
			for i, v := range x {
				if got[i] != v/(1+v) {
					t.Fatalf("k=%d: odds %v give %v", k, v, got[i])
				}
				product[i%k] *= 1 + v
			}
			same(t, "products", times, product)
		}
	})
}

// TestTiersNotFinite puts infinities and NaN at every place in turn.
func TestTiersNotFinite(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	eachTier(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(8, 8))
		for _, bad := range []float64{nan, inf, -inf} {
			for at := range 9 {
				const n, d, l = 12, 5, 9
				m := random(r, shape{n, d, l, 3}, at%2 == 0)
				b, z := normals(r, d*l), normals(r, n*l)
				b[at], z[at*l+at] = bad, bad
				got, want := in(make([]float64, n*l), func(dst []float64) { Gather(dst, m.ptr, m.index, m.value, b, l) })
				agree(t, "Gather", got, want, 10)
				got, want = in(make([]float64, d*l), func(dst []float64) { Scatter(dst, m.ptr, m.index, m.value, z, l) })
				agree(t, "Scatter", got, want, 10)
				got, want = in(make([]float64, n*l), func(dst []float64) { DenseMul(dst, m.dense, d, b, l) })
				agree(t, "DenseMul", got, want, 10)
				got, want = in(make([]float64, d*l), func(dst []float64) { DenseTransMul(dst, m.dense, d, z, l) })
				agree(t, "DenseTransMul", got, want, 10)
				got, want = in(make([]float64, l*(l+1)*(l+2)/6), func(dst []float64) { Cube(dst, z, nil, l) })
				agree(t, "Cube", got, want, 10)
				got, want = in(make([]float64, l*(l+1)/2), func(dst []float64) { Outer(dst, z, nil, l) })
				agree(t, "Outer", got, want, 10)
				for _, k := range []int{1, 3, 9} {
					x := normals(r, 4*k+4+k)
					x[min(at, k-1)] = bad
					for j := range k {
						x[k+j], x[2*k+j] = bad, -inf
					}
					x[2*k+min(at, k-1)] = bad
					got, want = in(x, func(dst []float64) { Softmax(dst[:4*k], k, nil, dst[4*k:][:4], dst[4*k+4:]) })
					agree(t, fmt.Sprintf("Softmax k=%d %v at %d", k, bad, at), got, want, 1)
				}
			}
		}
	})
}

func TestChosen(t *testing.T) {
	for _, c := range []struct {
		name       string
		best, want tier
	}{
		{"", avx2, avx2},
		{"plain", avx512, plain},
		{"avx2", avx512, avx2},
		{"avx512", avx2, avx2},
		{"other", avx512, avx512},
		{"neon", avx512, avx512},
		{"neon", neon, neon},
		{"plain", neon, plain},
		{"avx2", neon, neon},
		{"neon", plain, plain},
	} {
		if got := chosen(c.name, c.best); got != c.want {
			t.Errorf("%q on a machine with %v: %v, want %v", c.name, c.best, got, c.want)
		}
	}
}

func TestMarks(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(6, 6))
		for _, n := range []int{0, 1, 7, 8, 63, 64, 65, 127, 128, 300, 1000} {
			for _, set := range [][4]byte{{',', '\n', '"', '\r'}, {0, 0x80, 0xff, 1}, {'x', 'x', 'x', 'x'}} {
				text := make([]byte, n)
				for i := range text {
					text[i] = byte(r.IntN(256))
					if i%3 == 0 {
						text[i] = set[r.IntN(4)] ^ byte(i%2)
					}
				}
				dst := make([]uint64, n/64+2)
				if got, want := Marks(dst, text, set), (n+63)/64; got != want {
					t.Fatalf("%d words, want %d", got, want)
				}
				for i := range 64 * ((n + 63) / 64) {
					want := i < n && (text[i] == set[0] || text[i] == set[1] || text[i] == set[2] || text[i] == set[3])
					if got := dst[i/64]>>(i%64)&1 == 1; got != want {
						t.Fatalf("byte %d of %d: %v, want %v", i, n, got, want)
					}
				}
			}
		}
	})
}
