package spectral

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"

	"github.com/moiety-go/moiety/internal/stream"
)

// Products have gonum's bits, whatever is turned, and ask for no goroutine.
func TestOneCore(t *testing.T) {
	r := stream.New(1, "test/onecore")
	var theirs gonum.Implementation
	for _, s := range [][3]int{{330, 2, 2}, {200, 130, 150}, {64, 256, 65}, {20, 20, 300}, {129, 129, 64}} {
		m, n, k := s[0], s[1], s[2]
		for _, tA := range []blas.Transpose{blas.NoTrans, blas.Trans} {
			for _, tB := range []blas.Transpose{blas.NoTrans, blas.Trans} {
				lda, ldb := k+1, n+2
				if tA == blas.Trans {
					lda = m + 1
				}
				if tB == blas.Trans {
					ldb = k + 2
				}
				a, b, c := make([]float64, (m+k)*lda), make([]float64, (n+k)*ldb), make([]float64, m*(n+3))
				for _, x := range [][]float64{a, b, c} {
					stream.Normals(r, x)
				}
				want := slices.Clone(c)
				theirs.Dgemm(tA, tB, m, n, k, .7, a, lda, b, ldb, .3, want, n+3)
				OneCore().Dgemm(tA, tB, m, n, k, .7, a, lda, b, ldb, .3, c, n+3)
				if !slices.Equal(c, want) {
					t.Errorf("%v, %c%c: other numbers than gonum's", s, tA, tB)
				}
			}
		}
	}
	a := make([]float64, 400*400)
	if n := testing.AllocsPerRun(3, func() {
		OneCore().Dgemm(blas.NoTrans, blas.NoTrans, 400, 400, 400, 1, a, 400, a, 400, 0, make([]float64, 400*400), 400)
	}); n > 5 {
		t.Errorf("%v allocations: goroutines?", n)
	}
}
