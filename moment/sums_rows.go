package moment

import "github.com/moiety-go/moiety/sparse"

// rowSums adds the diagonals of the slices where e2(x) is x or 0: they are
// Xᵀ·Q with Q = v(z² − X·(B∘B)) or vz², three products of a panel of rows with a
// matrix instead of loops over its entries.
type rowSums struct {
	s          *projectSum
	b, squares []float64 // d×l: the basis, and its squares where they are subtracted
	q, less    []float64 // of a panel
}

func (g *rowSums) add(rows []float64, panel sparse.Rows, z []float64, w recordWeights, lo int) {
	l := g.s.l
	if g.q == nil {
		g.q = make([]float64, panelRows*l)
		if g.s.f.Law.Correct != nil {
			g.less, g.squares = make([]float64, panelRows*l), make([]float64, len(g.b))
			for i, v := range g.b {
				g.squares[i] = v * v
			}
		}
	}
	q := g.q[:len(z)]
	for i, v := range z {
		q[i] = v * v
	}
	if g.less != nil {
		less := g.less[:len(z)]
		panel.MulTo(less, g.squares, l)
		for i, v := range less {
			q[i] -= v
		}
	}
	if w.totals != nil {
		for i := range panel.N() {
			_, _, v := w.at(lo + i)
			for a := i * l; a < (i+1)*l; a++ {
				q[a] *= v
			}
		}
	}
	panel.AddTransMul(rows, q, l)
}
