package reference

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/spectral"
	"github.com/moiety-go/moiety/stream"
)

// Starts and iterations of the tensor power method, as the papers' code has
// them: 25 starts of 20 iterations, 20 more from the best.
const (
	powerStarts     = 25
	powerIterations = 20
)

// powers returns the k vectors of the tensor power method with deflation
// (Anandkumar et al. 2014) as the nearest orthogonal matrix.
func (v *views) powers() *mat.Dense {
	k, t := v.k, v.cube.Clone()
	r := v.o.stream("tpm", 0)
	found := mat.NewDense(k, k, nil)
	for j := range k {
		var best []float64
		top := math.Inf(-1)
		for range powerStarts {
			u := make([]float64, k)
			stream.Normals(r, u)
			unit(u)
			u = iterate(t, u)
			if f := form(t, u); f > top {
				best, top = u, f
			}
		}
		best = iterate(t, best)
		t.AddSym3(-form(t, best), best)
		found.SetCol(j, best)
	}
	return nearestRotation(found)
}

// iterate takes steps u ← T(·,u,u)/|T(·,u,u)|.
func iterate(t *spectral.Cube, u []float64) []float64 {
	for range powerIterations {
		var next mat.VecDense
		next.MulVec(t.Contract(u), mat.NewVecDense(len(u), u))
		if mat.Norm(&next, 2) == 0 {
			break
		}
		u = next.RawVector().Data
		unit(u)
	}
	return u
}

// form returns T(u,u,u).
func form(t *spectral.Cube, u []float64) float64 {
	x := mat.NewVecDense(len(u), u)
	return mat.Inner(x, t.Contract(u), x)
}

func unit(u []float64) {
	size := mat.Norm(mat.NewVecDense(len(u), u), 2)
	if size == 0 {
		u[0], size = 1, 1
	}
	for i := range u {
		u[i] /= size
	}
}

// nearestRotation returns U·Vᵀ of the singular vectors of a; a itself where
// they cannot be had.
func nearestRotation(a *mat.Dense) *mat.Dense {
	var svd mat.SVD
	if !svd.Factorize(a, mat.SVDThin) {
		return a
	}
	var u, w, out mat.Dense
	svd.UTo(&u)
	svd.VTo(&w)
	out.Mul(&u, w.T())
	return &out
}
