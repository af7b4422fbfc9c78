package reference

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/simplex"
	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/sparse"
)

// ThreeViewResult is a mixture learned from three views.
type ThreeViewResult struct {
	Result            // Centers are the estimated means, Objective the summed squared distances to them
	Weights []float64 // of the groups, on the simplex
}

// wholeProducts is the largest number of features whose d×d products the
// three-view method forms.
const wholeProducts = 4096

// ThreeViewMoM learns a mixture of independent features by the moments of three
// views, random thirds of the features. Products of a feature with itself, the
// only biased entries of M2, are replaced by those of the rank-k product
// C_va·C_ba†·C_bv of its view v with the others; the slice of a feature comes
// from the two views it is not in; the slice whose eigenvalues lie farthest
// apart gives one rotation for all features (as SVTD, [T] Alg. 1), so no
// columns have to be matched across views. Rows go to the nearest center.
// It needs k ≤ d/3.
func ThreeViewMoM(ctx context.Context, rows sparse.Rows, k int, o Options) (*ThreeViewResult, error) {
	if err := check(rows, k); err != nil {
		return nil, err
	}
	if k > rows.Dim/3 || rows.Dim > wholeProducts {
		return nil, fmt.Errorf("reference: %d groups of rows of %d features: three views need at least three features a group and at most %d in all", k, rows.Dim, wholeProducts)
	}
	v, err := newViews(ctx, rows, k, o)
	if err != nil {
		return nil, err
	}
	if err := v.slices(ctx); err != nil {
		return nil, err
	}
	return v.finish(ctx, v.widestSlice())
}

// views holds the moments of three views of the features.
type views struct {
	rows   sparse.Rows
	k      int
	o      Options
	view   []int         // of each feature, 0 to 2
	mean   []float64     // M1
	inside [3]*mat.Dense // d×k: the transposed pseudo-inverse of the view's rows of E, zero elsewhere
	slice  *mat.Dense    // d×k²: row r is H_r, symmetric
}

// newViews deals the features to views and whitens each.
func newViews(ctx context.Context, rows sparse.Rows, k int, o Options) (*views, error) {
	d := rows.Dim
	v := &views{rows: rows, k: k, o: o, view: make([]int, d), mean: mean(rows)}
	var of [3][]int
	for at, h := range o.stream("three-views", 0).Perm(d) {
		v.view[h] = at * 3 / d
	}
	for h, w := range v.view {
		of[w] = append(of[w], h)
	}
	m2 := mat.NewDense(d, d, nil)
	if err := gram(ctx, rows, identity(d), m2); err != nil {
		return nil, err
	}
	m2.Scale(1/float64(rows.N()), m2)
	for w := range 3 {
		replaceDiagonal(m2, of[w], of[(w+1)%3], of[(w+2)%3], k)
	}
	values, vectors := spectral.SymEig(m2)
	for w, features := range of {
		e := mat.NewDense(len(features), k, nil)
		for i, h := range features {
			for a := range k {
				e.Set(i, a, vectors.At(h, a)*math.Sqrt(math.Max(values[a], 0)))
			}
		}
		inverse, _ := spectral.PseudoInverse(e, k) // k×|view|
		v.inside[w] = mat.NewDense(d, k, nil)
		for i, h := range features {
			for a := range k {
				v.inside[w].Set(h, a, inverse.At(a, i))
			}
		}
	}
	return v, nil
}

// replaceDiagonal puts the diagonal of C_va·(C_ba)†·C_bv in the place of the
// products of the features of v with themselves.
func replaceDiagonal(m2 *mat.Dense, v, a, b []int, k int) {
	inverse, _ := spectral.PseudoInverse(block(m2, b, a), k) // |a|×|b|
	var left mat.Dense
	left.Mul(block(m2, v, a), inverse) // |v|×|b|
	for i, h := range v {
		sum := 0.0
		for j, g := range b {
			sum += left.At(i, j) * m2.At(g, h)
		}
		m2.Set(h, h, sum)
	}
}

func block(m *mat.Dense, rows, cols []int) *mat.Dense {
	out := mat.NewDense(len(rows), len(cols), nil)
	for i, h := range rows {
		for j, g := range cols {
			out.Set(i, j, m.At(h, g))
		}
	}
	return out
}

// slices sums up H_r = mean x_r·z_a·z_bᵀ over the rows, z being the rows seen
// in the two views that r is not in.
func (v *views) slices(ctx context.Context) error {
	k := v.k
	v.slice = mat.NewDense(v.rows.Dim, k*k, nil)
	var z [3][]float64
	x := make([]float64, v.rows.Dim)
	err := each(ctx, v.rows, func(_ int, part sparse.Rows) {
		for w := range z {
			z[w] = make([]float64, part.N()*k)
			part.MulTo(z[w], v.inside[w].RawMatrix().Data, k)
		}
		for i := range part.N() {
			v.addRecord(part, i, x, [3][]float64{z[0][i*k:][:k], z[1][i*k:][:k], z[2][i*k:][:k]})
		}
	})
	v.symmetric()
	return err
}

// addRecord adds row i; x is a scratch row of zeros and is left as such.
func (v *views) addRecord(part sparse.Rows, i int, x []float64, z [3][]float64) {
	k := v.k
	addRow(x, part, i)
	for h, value := range x {
		if value == 0 {
			continue
		}
		a, b := z[(v.view[h]+1)%3], z[(v.view[h]+2)%3]
		row := v.slice.RawRowView(h)
		for p, zp := range a {
			for q, zq := range b {
				row[p*k+q] += value * zp * zq
			}
		}
		x[h] = 0
	}
}

// symmetric turns sums into symmetric means.
func (v *views) symmetric() {
	k, n := v.k, float64(v.rows.N())
	for h := range v.rows.Dim {
		row := v.slice.RawRowView(h)
		for p := range k {
			for q := p; q < k; q++ {
				m := (row[p*k+q] + row[q*k+p]) / (2 * n)
				row[p*k+q], row[q*k+p] = m, m
			}
		}
	}
}

// widestSlice returns the eigenvectors of the slice with the largest least gap
// between eigenvalues.
func (v *views) widestSlice() *mat.Dense {
	var best *mat.Dense
	widest := math.Inf(-1)
	for h := range v.rows.Dim {
		values, vectors := spectral.SymEig(mat.NewDense(v.k, v.k, v.slice.RawRowView(h)))
		least := math.Inf(1)
		for j := 1; j < v.k; j++ {
			least = math.Min(least, values[j-1]-values[j])
		}
		if least > widest || best == nil {
			best, widest = vectors, least
		}
	}
	return best
}

// finish reads the centers from the rotated slices, row r being the diagonal of
// OᵀH_rO, and the weights from M1, and gives every row its nearest center.
func (v *views) finish(ctx context.Context, o *mat.Dense) (*ThreeViewResult, error) {
	k, d := v.k, v.rows.Dim
	centers := mat.NewDense(k, d, nil)
	for h := range d {
		var turned, diagonal mat.Dense
		turned.Mul(mat.NewDense(k, k, v.slice.RawRowView(h)), o)
		diagonal.MulElem(o, &turned)
		for j := range k {
			sum := 0.0
			for a := range k {
				sum += diagonal.At(a, j)
			}
			centers.Set(j, h, sum)
		}
	}
	out := &ThreeViewResult{Result: Result{Labels: make([]int, v.rows.N()), Centers: centers, Iterations: 1}}
	inverse, _ := spectral.PseudoInverse(mat.DenseCopyOf(centers.T()), k) // k×d
	var w mat.VecDense
	w.MulVec(inverse, mat.NewVecDense(d, v.mean))
	out.Weights = simplex.Project(make([]float64, k), w.RawVector().Data)
	p := newLloyd(v.rows, k, v.o.filled())
	far := make([]float64, v.rows.N())
	if _, err := p.assign(ctx, &out.Result, far); err != nil {
		return nil, err
	}
	for _, f := range far {
		out.Objective += f
	}
	return out, nil
}
