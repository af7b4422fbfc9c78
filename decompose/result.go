package decompose

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/warn"
)

// Result is the outcome of a decomposition. Components stand in canonical
// order (mixture.Params.Order).
type Result struct {
	// Params are the raw centers (d×k, in the coordinates of the source, not
	// brought into any legal range) and the weights, on the simplex.
	Params mixture.Params
	// Alternatives are further answers to the same question, in a fixed order;
	// who knows the likelihood keeps the best.
	Alternatives []mixture.Params
	// Second is the best guess of Auto's second rotation, nil where both
	// rotations agree and for the other methods.
	Second *mixture.Params
	// Rotation is O (k×k), columns in the order of Params. Methods that work
	// without an orthogonal O give the whitened directions, of unit length;
	// nil where there are none.
	Rotation    *mat.Dense
	Diagnostics Diagnostics
	Warnings    []warn.Warning
}

// Diagnostics tell how a decomposition went.
type Diagnostics struct {
	Spectrum []float64 // leading eigenvalues of M2, falling
	// Gap is the fall from the k-th eigenvalue of M2 to the next, as a share of
	// the k-th: near 0, the number of components is arbitrary.
	Gap float64
	// Feature is the feature whose slice gave the rotation of SVTD, -1 for
	// methods that use no single feature; Separation is the least gap between
	// eigenvalues of the matrix whose eigenvectors gave the rotation, as a
	// share of the largest.
	Feature    int
	Separation float64
	// Objective is the share, from 0 to 1, of the squared entries of the
	// whitened third moment that the rotation leaves off the diagonal.
	Objective float64
	Sweeps    int // sweeps, or iterations of the best start
	// Condition bounds by how much relative errors of the moments grow in the
	// centers: √(λ_1/λ_k) of M2, times the length of the longest center over
	// the least distance between two.
	Condition float64
	// Residual tells how well the leading subspace of M2 was found: see
	// Whitened.
	Residual  float64
	Passes    int  // scans of the source
	Converged bool // the search for the rotation came to an end
}

// candidate is one answer before it is put in order.
type candidate struct {
	params mixture.Params
	v      *mat.Dense // k×k whitened directions, or nil
}

// ordered brings the components into canonical order.
func (c candidate) ordered(team spectral.Team) candidate {
	order := c.params.Order()
	if !slices.IsSorted(order) {
		weights := make([]float64, len(order))
		for at, j := range order {
			weights[at] = c.params.Weights[j]
		}
		c.params.Centers, c.params.Weights = team.Columns(c.params.Centers, order), weights
	}
	if c.v != nil {
		c.v = mixture.Columns(c.v, order)
	}
	return c
}

// result puts the candidates, best guess first, into a Result.
func (w *Whitened) result(candidates ...candidate) *Result {
	r := &Result{Warnings: append([]warn.Warning(nil), w.Warnings...)}
	for i, c := range candidates {
		c = c.ordered(max(w.team, 1))
		if i == 0 {
			r.Params, r.Rotation = c.params, c.v
			continue
		}
		r.Alternatives = append(r.Alternatives, c.params)
	}
	var g mat.Dense // products of the centers
	max(w.team, 1).Cross(&g, r.Params.Centers, r.Params.Centers)
	r.Diagnostics = Diagnostics{
		Spectrum: append([]float64(nil), w.Eigen...), Gap: w.Gap, Feature: -1,
		Condition: w.condition(r.Params, &g), Residual: w.Residual, Passes: w.Passes, Converged: true,
	}
	if r.Diagnostics.Condition > poorCondition {
		r.Warnings = append(r.Warnings, warn.New(warn.Caution, "ill-conditioned",
			"Ask for fewer groups, or add records.",
			"Two groups are nearly alike, or one is very weak: small errors in the data change them by up to %.0g times as much.", r.Diagnostics.Condition))
	}
	if rank, unique := kruskal(&g); !unique {
		r.Warnings = append(r.Warnings, warn.New(warn.Serious, "not-unique",
			"Ask for fewer groups.",
			"Any %d of the groups can be told apart, but not all %d: other groups describe the records equally well (Kruskal's condition).", rank, r.Params.K()))
	}
	return r
}

// poorCondition is the condition from which a warning is given: a relative
// error of one in a hundred thousand becomes one of order one.
const poorCondition = 1e5

// condition returns Diagnostics.Condition, given the products of the centers.
func (w *Whitened) condition(p mixture.Params, g *mat.Dense) float64 {
	k := p.K()
	if k == 1 {
		return 1
	}
	longest, least := extent(p.Centers, g)
	eigen := w.Eigen
	if len(eigen) < k {
		eigen = secondSpectrum(p)
	}
	c := math.Sqrt(eigen[0]/eigen[k-1]) * math.Sqrt(longest/least)
	if math.IsNaN(c) || math.IsInf(c, 0) {
		return math.MaxFloat64
	}
	return math.Max(c, 1)
}

// extent returns the squares of the length of the longest column and of the
// least distance between two, given the products of the columns.
func extent(m, g *mat.Dense) (longest, least float64) {
	k, _ := g.Dims()
	least = math.Inf(1)
	for i := range k {
		longest = math.Max(longest, g.At(i, i))
		for j := range i {
			far := g.At(i, i) + g.At(j, j) - 2*g.At(i, j)
			if far < digits*(g.At(i, i)+g.At(j, j)) { // the difference has lost too many
				far = apart(m, i, j)
			}
			least = math.Min(least, far)
		}
	}
	return longest, least
}

// digits is the share of two squares at which their difference is computed
// anew: ten of its digits are left.
const digits = 1e-6

// apart returns the square of the distance between two columns.
func apart(m *mat.Dense, i, j int) float64 {
	d, _ := m.Dims()
	sum := 0.0
	for h := range d {
		x := m.At(h, i) - m.At(h, j)
		sum += x * x
	}
	return sum
}

// secondSpectrum returns the eigenvalues of MΩMᵀ that are not zero by shape.
func secondSpectrum(p mixture.Params) []float64 {
	root := make([]float64, p.K())
	for j, v := range p.Weights {
		root[j] = math.Sqrt(v)
	}
	m := mat.DenseCopyOf(p.Centers)
	scaleColumns(m, root)
	var g mat.Dense
	g.Mul(m.T(), m)
	values, _ := spectral.SymEig(&g)
	return values
}
