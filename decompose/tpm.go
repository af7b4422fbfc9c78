package decompose

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
)

const (
	tpmStarts     = 25
	tpmIterations = 20
)

// TPM is the tensor power method with deflation on the whitened core
// (Anandkumar et al. 2014, [L]): from many random starts, v ← T(·,v,v)
// normalised finds an eigenvector of largest λ = T(v,v,v), a component with
// ω = 1/λ² and center λ·E·v; λ·v⊗v⊗v is subtracted and the search goes on.
func TPM(ctx context.Context, src moment.Source, k int, o Options) (*Result, error) {
	w, err := Whiten(ctx, src, k, o)
	if err != nil {
		return nil, err
	}
	k = w.K()
	t, r := w.Core.Clone(), o.stream("tpm")
	v := mat.NewDense(k, k, nil)
	weights, scale := make([]float64, k), make([]float64, k)
	converged, floored := true, false
	most := 1 / math.Sqrt(o.leastWeight())
	for j := range k {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		x, lambda, found := powerSearch(t, r, o)
		converged = converged && found
		v.SetCol(j, x)
		t.AddSym3(-lambda, x)
		if lambda > most {
			lambda, floored = most, true
		}
		if lambda <= 0 { // nothing left to find
			lambda, floored = 1, true
			weights[j] = o.leastWeight()
		} else {
			weights[j] = 1 / (lambda * lambda)
		}
		scale[j] = lambda
	}
	normalise(weights)
	centers := new(mat.Dense)
	centers.Mul(w.E, v)
	scaleColumns(centers, scale)
	res := w.result(candidate{mixture.New(centers, weights), v})
	res.Diagnostics.Sweeps = 2 * orDefault(o.Iterations, tpmIterations)
	res.Diagnostics.Converged = converged
	res.Diagnostics.Objective = math.Max(0, math.Min(1, share(t, w.Core)))
	res.Warnings = append(res.Warnings, (&signed{floored: floored}).warnings()...)
	return res, nil
}

// powerSearch returns the eigenvector of largest λ that the starts find, with
// more iterations from the best; settled tells that the last one moved little.
func powerSearch(t *moment.Cube, r *rand.Rand, o Options) (best []float64, lambda float64, converged bool) {
	n := orDefault(o.Iterations, tpmIterations)
	lambda = math.Inf(-1)
	for range orDefault(o.Starts, tpmStarts) {
		v := make([]float64, t.N)
		stream.Normals(r, v)
		unit(v)
		for range n {
			v = power(t, v)
		}
		if l := cubic(t, v); l > lambda {
			best, lambda = v, l
		}
	}
	last := best
	for range n {
		last, best = best, power(t, best)
	}
	return best, cubic(t, best), 1-math.Abs(dot(last, best)) < sameTol
}

// power returns T(·,v,v) normalised, v itself where that is zero.
func power(t *moment.Cube, v []float64) []float64 {
	next := bilinear(t, v)
	if unit(next) == 0 {
		return v
	}
	return next
}

// bilinear returns T(·,v,v).
func bilinear(t *moment.Cube, v []float64) []float64 {
	n := t.N
	out := make([]float64, n)
	for a := range n {
		plane := t.Data[a*n*n:][:n*n]
		sum := 0.0
		for b, x := range v {
			sum += x * dot(plane[b*n:][:n], v)
		}
		out[a] = sum
	}
	return out
}

// cubic returns T(v,v,v).
func cubic(t *moment.Cube, v []float64) float64 { return dot(bilinear(t, v), v) }

// unit scales v to length 1 and returns its former length.
func unit(v []float64) float64 {
	n := math.Sqrt(dot(v, v))
	if n == 0 || math.IsNaN(n) || math.IsInf(n, 0) {
		return 0
	}
	for i := range v {
		v[i] /= n
	}
	return n
}

// share returns ‖rest‖²/‖all‖².
func share(rest, all *moment.Cube) float64 {
	a := dot(all.Data, all.Data)
	if a == 0 {
		return 0
	}
	return dot(rest.Data, rest.Data) / a
}
