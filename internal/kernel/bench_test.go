package kernel

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// perTier runs f in every tier and reports the floating-point operations a
// second.
func perTier(b *testing.B, name string, flops float64, f func()) {
	best := active
	defer func() { active = best }()
	for _, active = range upTo(available()) {
		b.Run(name+"/"+Tier(), func(b *testing.B) {
			for b.Loop() {
				f()
			}
			if flops > 0 {
				b.ReportMetric(flops*float64(b.N)/b.Elapsed().Seconds()/1e9, "GF/s")
			}
		})
	}
}

// documents are 1000 rows of about 110 words of 3000, patients 5000 of about 10
// codes of 700.
var (
	documents = shape{n: 1000, d: 3000, nnz: 110}
	patients  = shape{n: 5000, d: 700, nnz: 10}
)

func BenchmarkProducts(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, data := range []struct {
		name   string
		s      shape
		binary bool
	}{{"documents", documents, false}, {"patients", patients, true}} {
		m := random(r, data.s, data.binary)
		for _, l := range []int{1, 2, 5, 16, 20, 50, 100} {
			table, rows := normals(r, data.s.d*l), make([]float64, data.s.n*l)
			flops := float64(2 * (len(m.index) - 3) * l)
			perTier(b, fmt.Sprintf("gather/%s/l=%d", data.name, l), flops, func() {
				Gather(rows, m.ptr, m.index, m.value, table, l)
			})
			for i := range rows {
				rows[i] *= 1e-3
			}
			perTier(b, fmt.Sprintf("scatter/%s/l=%d", data.name, l), flops, func() {
				Scatter(table, m.ptr, m.index, m.value, rows, l)
			})
		}
	}
}

// BenchmarkPowers counts two operations for every number of the packed result
// and every row.
func BenchmarkPowers(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, l := range []int{2, 5, 10, 20, 30, 60, 110} {
		const n = 256
		z := normals(r, n*l)
		entries := l * (l + 1) * (l + 2) / 6
		dst := make([]float64, entries)
		perTier(b, fmt.Sprintf("cube/l=%d", l), float64(2*n*entries), func() { Cube(dst, z, nil, l) })
		perTier(b, fmt.Sprintf("cube of one/l=%d", l), float64(2*entries), func() { Cube(dst, z[:l], nil, l) })
		entries = l * (l + 1) / 2
		perTier(b, fmt.Sprintf("outer/l=%d", l), float64(2*n*entries), func() { Outer(dst, z, nil, l) })
	}
}

func BenchmarkDense(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, s := range [][3]int{{256, 20, 30}, {256, 20, 500}, {3000, 30, 30}, {400, 20, 256}, {3600, 60, 256}, {240, 240, 240}, {960, 960, 960}, {150, 7, 150}} {
		m, n, k := s[0], s[1], s[2]
		x, y, dst := normals(r, m*k), normals(r, k*n), make([]float64, m*n)
		flops := 2 * float64(m) * float64(n) * float64(k)
		c, right := Matrix{dst, m, n, n}, Matrix{y, k, n, n}
		perTier(b, fmt.Sprintf("gemm/%dx%dx%d", m, n, k), flops, func() { Gemm(c, Matrix{x, m, k, k}, right) })
		perTier(b, fmt.Sprintf("gemmtrans/%dx%dx%d", m, n, k), flops, func() { GemmTrans(c, Matrix{x, k, m, m}, right) })
	}
}

func BenchmarkSoftmax(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, k := range []int{2, 5, 8, 16, 50} {
		const n = 256
		scores, x := normals(r, n*k), make([]float64, n*k)
		bias, logp, count := normals(r, k), make([]float64, n), make([]float64, k)
		perTier(b, fmt.Sprintf("k=%d", k), 0, func() {
			copy(x, scores)
			Softmax(x, k, bias, logp, count)
		})
	}
}

func BenchmarkExps(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	const n = 1000
	list, x := normals(r, n), make([]float64, n)
	perTier(b, "exps", 0, func() {
		copy(x, list)
		Exps(x)
	})
	odds := slices.Clone(list)
	Exps(odds)
	perTier(b, "logs", 0, func() {
		copy(x, odds)
		Logs(x)
	})
}

func BenchmarkVectors(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{10, 50, 400} {
		x, y := normals(r, n), normals(r, n)
		perTier(b, fmt.Sprintf("rotate/n=%d", n), float64(6*n), func() { Rotate(x, y, 0.6, 0.8) })
		perTier(b, fmt.Sprintf("axpy/n=%d", n), float64(2*n), func() { Axpy(x, 1e-9, y) })
	}
}

// BenchmarkEM is an iteration of EM over 50,000 records of about ten codes, as
// loglinear does it: panels of 256 records.
func BenchmarkEM(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	s := shape{n: 50000, d: 700, nnz: 10}
	m := random(r, s, true)
	for _, k := range []int{2, 5, 10, 16, 50} {
		slope, bias, count := normals(r, s.d*k), normals(r, k), make([]float64, k)
		sum, post, logp := make([]float64, s.d*k), make([]float64, 256*k), make([]float64, 256)
		perTier(b, fmt.Sprintf("k=%d", k), 0, func() {
			for lo := 0; lo < s.n; lo += 256 {
				n := min(256, s.n-lo)
				ptr := m.ptr[lo : lo+n+1]
				Gather(post[:n*k], ptr, m.index, nil, slope, k)
				Softmax(post[:n*k], k, bias, logp, count)
				Scatter(sum, ptr, m.index, nil, post[:n*k], k)
			}
		})
	}
}

func BenchmarkMarks(b *testing.B) {
	text, dst := make([]byte, 1<<16), make([]uint64, 1<<10)
	best := active
	defer func() { active = best }()
	for _, active = range upTo(available()) {
		b.Run(Tier(), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Marks(dst, text, [4]byte{',', '\n', '"', '\r'})
			}
		})
	}
}
