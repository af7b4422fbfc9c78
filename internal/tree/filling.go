package tree

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// filling is a basis in which the leading direction of A + diag is sought, the
// diagonal being that which goes with the direction.
type filling struct {
	*krylov
	diag   []float64
	begun  bool        // whether the diagonal is being filled in
	u      []float64   // the direction at the last look
	value  float64     // its value
	y      *mat.Dense  // all directions, in terms of the basis
	left   [][]float64 // what the leading ones are off by
	last   []float64
	buffer [][]float64
}

// powers returns the products of the last directions of the basis.
func (f *filling) powers(n int) [][]float64 {
	out := f.vectors(n)
	for i, v := range out {
		at := len(f.q.list) - n + i
		for h, x := range f.q.list[at] {
			v[h] = f.aq.list[at][h] + f.diag[h]*x
		}
	}
	return out
}

// vectors returns room for n vectors, the same each time.
func (f *filling) vectors(n int) [][]float64 {
	for len(f.buffer) < n {
		f.buffer = append(f.buffer, make([]float64, len(f.diag)))
	}
	return f.buffer[:n]
}

// leading finds the leading direction in the basis and reports whether it has
// converged. whole says that the basis holds all there is.
func (f *filling) leading(whole bool) (converged bool) {
	if f.u == nil {
		f.u, f.last = make([]float64, len(f.diag)), make([]float64, len(f.diag))
	}
	if !f.begun {
		values, y := f.ritz(nil)
		f.see(values, y)
		f.begun = whole || length(f.left[0]) <= roughDirection*f.value
	}
	if !f.begun {
		return false
	}
	turns := fills
	if whole {
		turns = lastFills
	}
	for turn := range turns {
		copy(f.last, f.u)
		values, y := f.ritz(f.diag)
		f.q.combine(f.u, y, 0)
		for h, x := range f.u {
			f.diag[h] = math.Min(math.Max(values[0], 0)*x*x, 1)
		}
		f.see(values, y)
		if turn > 0 && 1-math.Abs(floats.Dot(f.u, f.last)) < directionTol*directionTol/10 {
			break
		}
	}
	return length(f.left[0]) <= directionTol*f.value
}

// see keeps what a pass over the basis showed.
func (f *filling) see(values []float64, y *mat.Dense) {
	n := min(followed, len(values))
	f.value, f.y, f.left = values[0], y, f.vectors(n)
	for i := n - 1; i >= 0; i-- {
		f.q.combine(f.u, y, i)
		f.aq.combine(f.left[i], y, i)
		for h, x := range f.u {
			f.left[i][h] += (f.diag[h] - values[i]) * x
		}
	}
}
