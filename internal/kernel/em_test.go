package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// singleTol bounds what single precision costs the sums of a few thousand rows
// of up to twenty entries, relative to the sum, and more in proportion for
// longer ones, whose scores are larger. 4096 additions of half a unit in the
// last place, were all in one direction, would make 2e-4; those of shares that
// differ make 1e-6.
const singleTol = 1e-5

// singleLogTol bounds the error of the mean log density of a row, relative to it
// or to one: a hundred roundings of scores, which differ from row to row.
const singleLogTol = 2e-7

// mixtureTwin is one step of EM in double precision: the sums of logarithms, the
// counts and the sums of shares.
func mixtureTwin(m csr, n, d, k int, bias, slope []float64) (float64, []float64, []float64) {
	post, logp := make([]float64, n*k), make([]float64, n)
	count, sum := make([]float64, k), make([]float64, d*k)
	gatherPlain(post, m.ptr, m.index, m.value, slope, k)
	softmaxPlain(post, k, bias, logp, count)
	scatterPlain(sum, m.ptr, m.index, m.value, post, k)
	total := 0.0
	for _, l := range logp {
		total += l
	}
	return total, count, sum
}

// mixtureRows returns rows of all lengths from none to most, shuffled.
func mixtureRows(r *rand.Rand, n, d, most int, binary bool) csr {
	m := csr{ptr: []int{3}, index: make([]uint32, 3)}
	if !binary {
		m.value = make([]float32, 3)
	}
	for range n {
		length := r.IntN(most + 1)
		if r.IntN(4) > 0 {
			length = r.IntN(min(most, 20) + 1)
		}
		h := r.IntN(3)
		for range length {
			if h >= d {
				break
			}
			m.index = append(m.index, uint32(h))
			if !binary {
				m.value = append(m.value, float32(1+r.IntN(3)))
			}
			h += 1 + r.IntN(max(1, 2*d/most))
		}
		m.ptr = append(m.ptr, len(m.index))
	}
	return m
}

func TestTiersMixture(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		for _, k := range hostile {
			if k < 1 || k > mixtureMost {
				continue
			}
			for i, s := range []struct{ n, d, most int }{{1, 1, 1}, {3, 29, 5}, {61, 40, 20}, {700, 300, 70}, {90, 900, 300}, {MixtureRows, 50, 20}, {MixtureRows, 200, 120}} {
				if s.n == MixtureRows && k%16 > 1 {
					continue // the slow twin
				}
				r := rand.New(rand.NewPCG(uint64(k), uint64(i)))
				m := mixtureRows(r, s.n, s.d, s.most, (k+i)%2 == 0)
				bias, slope := normals(r, k), normals(r, s.d*k)
				for j := range slope {
					slope[j] = 0.3*slope[j] - 5
				}
				if k > 2 {
					bias[1] = math.Inf(-1) // a component without weight
				}
				name, tol := fmt.Sprintf("k=%d %+v", k, s), singleTol*max(1, float64(s.most)/20)
				start := normals(r, k+s.d*k)
				got := append([]float64(nil), start...)
				sums := NewMixture(s.d, k, bias, slope).NewSums()
				for range 2 { // scratch is used again
					copy(got, start)
					log, ok := sums.Add(m.ptr, m.index, m.value)
					sums.Flush(s.n, got[:k], got[k:])
					wantLog, count, sum := mixtureTwin(m, s.n, s.d, k, bias, slope)
					if !ok || !(math.Abs(log-wantLog) <= singleLogTol*math.Max(float64(s.n), math.Abs(wantLog))) {
						t.Fatalf("%s: log density %v, in double precision %v (%v)", name, log, wantLog, ok)
					}
					for j, w := range append(count, sum...) {
						if v := got[j] - start[j]; !(math.Abs(v-w) <= tol*math.Max(1, w)) {
							t.Fatalf("%s: entry %d is %v, in double precision %v", name, j, v, w)
						}
					}
					if k > 2 && got[1] != start[1] {
						t.Fatalf("%s: a component without weight has got %v records", name, got[1]-start[1])
					}
				}
			}
		}
	})
}

func TestMixtureRefused(t *testing.T) {
	inf := math.Inf(1)
	for name, m := range map[string]*Mixture{
		"components": NewMixture(1, 65, make([]float64, 65), make([]float64, 65)),
		"none":       NewMixture(1, 2, []float64{-inf, -inf}, make([]float64, 2)),
		"infinite":   NewMixture(1, 2, make([]float64, 2), []float64{0, -inf}),
		"NaN":        NewMixture(1, 2, []float64{0, math.NaN()}, make([]float64, 2)),
	} {
		if m != nil {
			t.Errorf("%s: single precision for a table that it does not suit", name)
		}
	}
	eachTier(t, func(t *testing.T) {
		s := NewMixture(2, 3, make([]float64, 3), []float64{-1, -2, -3, -9, -8, -9}).NewSums()
		if _, ok := s.Add([]int{0, 1}, []uint32{1}, []float32{2000}); ok {
			t.Error("a score out of reach is taken")
		}
		s.Clear()
		if log, _ := s.Add([]int{0, 2, 3}, []uint32{0, 1, 1}, []float32{1, float32(math.NaN()), 1}); !math.IsNaN(log) {
			t.Errorf("a value that is no number gives %v", log)
		}
		for name, f := range map[string]func(){
			"index":   func() { s.Add([]int{0, 1}, []uint32{2}, nil) },
			"far":     func() { s.Add([]int{0, 1}, []uint32{1 << 31}, nil) },
			"offsets": func() { s.Add([]int{0, 2}, []uint32{1}, nil) },
			"beyond":  func() { s.Add([]int{0, 9, 1}, []uint32{1}, nil) },
			"before":  func() { s.Add([]int{-1, 1}, []uint32{1}, nil) },
			"values":  func() { s.Add([]int{0, 1}, []uint32{1}, []float32{}) },
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

// TestMixtureLongRow: rows may be longer than those that are grouped by their
// lengths, and than all that are divided together, which is about 65,536 entries.
func TestMixtureLongRow(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		for _, k := range []int{1, 3, 8, 16, 20, 40, 64} {
			d := 4000
			if k == 16 {
				d = 70000
			}
			r, m := rand.New(rand.NewPCG(1, 2)), csr{ptr: []int{0}}
			for _, length := range []int{3, 1024, 0, 1022, 2000, d, 1023, 1023, 0, 1100} {
				for h := range length {
					m.index = append(m.index, uint32(d-length+h))
					m.value = append(m.value, float32(1+h%2))
				}
				m.ptr = append(m.ptr, len(m.index))
			}
			n, bias, slope := len(m.ptr)-1, normals(r, k), normals(r, d*k)
			for i := range slope {
				slope[i] *= 1e-3
			}
			sums, got := NewMixture(d, k, bias, slope).NewSums(), make([]float64, k+d*k)
			log, ok := sums.Add(m.ptr, m.index, m.value)
			sums.Flush(n, got[:k], got[k:])
			want, count, sum := mixtureTwin(m, n, d, k, bias, slope)
			if !ok || !(math.Abs(log-want) <= 1e-3) {
				t.Errorf("k=%d: log density %v, want %v", k, log, want)
			}
			for j, w := range append(count, sum...) {
				if !(math.Abs(got[j]-w) <= 1e-3) {
					t.Fatalf("k=%d: entry %d is %v, want %v", k, j, got[j], w)
				}
			}
		}
	})
}

// TestMixtureFarScores: scores far above and far below zero, alone and beside
// small ones, where powers of them would leave single precision.
func TestMixtureFarScores(t *testing.T) {
	const tol = 1e-3 // scores of size 1000 have 13 bits behind the point
	eachTier(t, func(t *testing.T) {
		for _, k := range []int{1, 3, 8, 16, 20, 40, 64} {
			r, m := rand.New(rand.NewPCG(1, uint64(k))), csr{ptr: []int{0}}
			for i := range 400 {
				m.index = append(m.index, uint32(i%2))
				m.value = append(m.value, float32(1+i)*[]float32{4.5, 0.9}[i%2])
				m.ptr = append(m.ptr, i+1)
			}
			n, bias, slope := len(m.ptr)-1, normals(r, k), normals(r, 2*k)
			for j := range slope { // the second is far below what is taken from all, the first above
				slope[j] = 0.03*slope[j] - 1 - 2*float64(j/k)
			}
			sums, got := NewMixture(2, k, bias, slope).NewSums(), make([]float64, 3*k)
			log, ok := sums.Add(m.ptr, m.index, m.value)
			sums.Flush(n, got[:k], got[k:])
			want, count, sum := mixtureTwin(m, n, 2, k, bias, slope)
			if !ok || !(math.Abs(log-want) <= singleLogTol*math.Abs(want)) {
				t.Errorf("k=%d: log density %v, want %v (%v)", k, log, want, ok)
			}
			for j, w := range append(count, sum...) {
				if !(math.Abs(got[j]-w) <= tol*math.Max(1, w)) {
					t.Errorf("k=%d: entry %d is %v, want %v", k, j, got[j], w)
				}
			}
		}
	})
}

// TestMixtureSameBits: the same rows give the same bits wherever they stand.
func TestMixtureSameBits(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(5, 5))
		const n, d, k = 500, 80, 16
		m := mixtureRows(r, n, d, 30, false)
		bias, slope := normals(r, k), normals(r, d*k)
		add := func(ptr []int, index []uint32, value []float32) []float64 {
			sums, out := NewMixture(d, k, bias, slope).NewSums(), make([]float64, 1+k+d*k)
			out[0], _ = sums.Add(ptr, index, value)
			sums.Flush(n, out[1:1+k], out[1+k:])
			return out
		}
		ptr := append([]int(nil), m.ptr...)
		for i := range ptr {
			ptr[i] += 5
		}
		same(t, "moved", add(ptr, append(make([]uint32, 5), m.index...), append(make([]float32, 5), m.value...)), add(m.ptr, m.index, m.value))
	})
}

// BenchmarkMixture is BenchmarkEM in single precision.
func BenchmarkMixture(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	s := shape{n: 50000, d: 700, nnz: 10}
	m := random(r, s, true)
	for _, k := range []int{2, 5, 10, 16, 32, 50} {
		slope, bias, count, sum := normals(r, s.d*k), normals(r, k), make([]float64, k), make([]float64, s.d*k)
		perTier(b, fmt.Sprintf("k=%d", k), 0, func() {
			sums := NewMixture(s.d, k, bias, slope).NewSums()
			for lo := 0; lo < s.n; lo += MixtureRows {
				n := min(MixtureRows, s.n-lo)
				sums.Add(m.ptr[lo:lo+n+1], m.index, nil)
				sums.Flush(n, count, sum)
			}
		})
	}
}
