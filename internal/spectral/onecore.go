package spectral

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

// OneCore are gonum's own routines with products of matrices on the core that asks for
// them, to the same bits. Gonum starts a goroutine for each tile of a product of four
// tiles and more, however many workers were asked for, and thin ones too: 330×2
// by 2×2, a microsecond of work, took a hundred to deal out.
//
// A program takes them by blas64.Use, a room never: the routines are those of the whole
// process.
func OneCore() blas.Float64 { return oneCore{gonum.Implementation{}} }

// oneCore holds what blas64 asks for and no more: all of gonum's routines would be wrapped.
type oneCore struct{ blas.Float64 }

// tile is gonum's: the order of a sum hangs on it.
const tile = 64

// Dgemm is gonum's, tile after tile where it would deal them out.
func (o oneCore) Dgemm(tA, tB blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int) {
	const dealt = 4 // tiles from which on gonum deals them out
	if k < 1 || (m+tile-1)/tile*((n+tile-1)/tile) < dealt {
		o.Float64.Dgemm(tA, tB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
		return
	}
	at := func(t blas.Transpose, row, column, ld int) int {
		if t != blas.NoTrans {
			row, column = column, row
		}
		return row*ld + column
	}
	for i := 0; i < m; i += tile {
		for j := 0; j < n; j += tile {
			scale := beta
			for l := 0; l < k; l += tile {
				o.Float64.Dgemm(tA, tB, min(tile, m-i), min(tile, n-j), min(tile, k-l), alpha,
					a[at(tA, i, l, lda):], lda, b[at(tB, l, j, ldb):], ldb, scale, c[i*ldc+j:], ldc)
				scale = 1
			}
		}
	}
}
