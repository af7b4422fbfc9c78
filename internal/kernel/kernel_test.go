package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// tol is for sums of at most a few hundred terms near one in size, added in
// another order.
const tol = 1e-13

// shape of one test: n rows over d features, l columns, expected entries a row.
type shape struct{ n, d, l, nnz int }

var shapes = []shape{
	{0, 1, 1, 0},
	{1, 1, 1, 1},
	{3, 5, 1, 2},
	{7, 4, 2, 3},
	{20, 30, 3, 4},
	{33, 17, 5, 0},
	{64, 100, 7, 9},
	{19, 50, 8, 12},
	{11, 40, 16, 5},
	{5, 64, 33, 20},
}

// csr is a random sparse matrix with empty rows, whose storage starts before
// its first row as in a slice of a larger one.
type csr struct {
	ptr   []int
	index []uint32
	value []float32
	dense []float64 // n×d
}

func random(r *rand.Rand, s shape, binary bool) csr {
	m := csr{ptr: []int{3}, index: []uint32{0, 0, 0}, value: []float32{9, 9, 9}, dense: make([]float64, s.n*s.d)}
	for i := range s.n {
		for h := range s.d {
			if i%4 == 1 || r.Float64()*float64(s.d) >= float64(s.nnz) {
				continue
			}
			v := float32(1)
			if !binary {
				v = float32(r.NormFloat64())
			}
			m.index, m.value = append(m.index, uint32(h)), append(m.value, v)
			m.dense[i*s.d+h] = float64(v)
		}
		m.ptr = append(m.ptr, len(m.index))
	}
	if binary {
		m.value = nil
	}
	return m
}

func normals(r *rand.Rand, n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = r.NormFloat64()
	}
	return v
}

// each runs f for all shapes, valued and binary.
func each(t *testing.T, f func(t *testing.T, r *rand.Rand, s shape, m csr)) {
	for i, s := range shapes {
		for _, binary := range []bool{false, true} {
			t.Run(fmt.Sprintf("n%d d%d l%d binary=%v", s.n, s.d, s.l, binary), func(t *testing.T) {
				r := rand.New(rand.NewPCG(uint64(i), 7))
				f(t, r, s, random(r, s, binary))
			})
		}
	}
}

func near(t *testing.T, name string, got, want []float64) {
	t.Helper()
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= tol*math.Max(1, math.Abs(want[i]))) {
			t.Errorf("%s: entry %d is %v, want %v", name, i, got[i], want[i])
			return
		}
	}
}

// mulTwin is X·B by its definition.
func mulTwin(x, b []float64, s shape) []float64 {
	out := make([]float64, s.n*s.l)
	for i := range s.n {
		for a := range s.l {
			for h := range s.d {
				out[i*s.l+a] += x[i*s.d+h] * b[h*s.l+a]
			}
		}
	}
	return out
}

// transTwin is start + Xᵀ·Z by its definition.
func transTwin(start, x, z []float64, s shape) []float64 {
	out := append([]float64(nil), start...)
	for h := range s.d {
		for a := range s.l {
			for i := range s.n {
				out[h*s.l+a] += x[i*s.d+h] * z[i*s.l+a]
			}
		}
	}
	return out
}

func TestProducts(t *testing.T) {
	each(t, func(t *testing.T, r *rand.Rand, s shape, m csr) {
		b, z, start := normals(r, s.d*s.l), normals(r, s.n*s.l), normals(r, s.d*s.l)
		dst := normals(r, s.n*s.l) // must be overwritten
		Gather(dst, m.ptr, m.index, m.value, b, s.l)
		near(t, "Gather", dst, mulTwin(m.dense, b, s))
		dst = normals(r, s.n*s.l)
		DenseMul(dst, m.dense, s.d, b, s.l)
		near(t, "DenseMul", dst, mulTwin(m.dense, b, s))

		want := transTwin(start, m.dense, z, s)
		got := append([]float64(nil), start...)
		Scatter(got, m.ptr, m.index, m.value, z, s.l)
		near(t, "Scatter", got, want)
		got = append([]float64(nil), start...)
		DenseTransMul(got, m.dense, s.d, z, s.l)
		near(t, "DenseTransMul", got, want)
	})
}

func TestPowers(t *testing.T) {
	each(t, func(t *testing.T, r *rand.Rand, s shape, _ csr) {
		z, v, l := normals(r, s.n*s.l), normals(r, s.n), s.l
		for name, v := range map[string][]float64{"weights": v, "ones": nil} {
			start2, start3 := normals(r, l*(l+1)/2), normals(r, l*(l+1)*(l+2)/6)
			want2, want3 := append([]float64(nil), start2...), append([]float64(nil), start3...)
			powersTwin(want2, want3, z, v, l)
			Outer(start2, z, v, l)
			Cube(start3, z, v, l)
			near(t, "Outer, "+name, start2, want2)
			near(t, "Cube, "+name, start3, want3)
		}
	})
}

// powersTwin adds Σ v z_a z_b and Σ v z_a z_b z_c entry by entry in packed order.
func powersTwin(two, three, z, v []float64, l int) {
	at2, at3 := 0, 0
	for a := range l {
		for b := a; b < l; b++ {
			for i := 0; i < len(z)/l; i++ {
				two[at2] += weight(v, i) * z[i*l+a] * z[i*l+b]
			}
			at2++
			for c := b; c < l; c++ {
				for i := 0; i < len(z)/l; i++ {
					three[at3] += weight(v, i) * z[i*l+a] * z[i*l+b] * z[i*l+c]
				}
				at3++
			}
		}
	}
}
