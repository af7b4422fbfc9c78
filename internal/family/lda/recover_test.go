package lda_test

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
)

// decomposed is a small decomposition of its own, so that these tests do not
// hang on the room decompose: whiten, Jacobi on the slices S^¾·T, E·O.
func decomposed(t testing.TB, src moment.Source, k int) mixture.Params {
	t.Helper()
	ctx := context.Background()
	apply := func(ctx context.Context, b *mat.Dense) (*mat.Dense, error) {
		p, err := src.Project(ctx, b, moment.Second)
		if err != nil {
			return nil, err
		}
		return p.Second, nil
	}
	values, u, _, err := spectral.Leading(ctx, src.Dim(), k, apply,
		spectral.LeadingOptions{Rand: stream.New(1, "recover"), Passes: 20, Tol: 1e-14})
	if err != nil {
		t.Fatal(err)
	}
	d := src.Dim()
	w, e := mat.NewDense(d, k, nil), mat.NewDense(d, k, nil)
	for h := range d {
		for j, s := range values {
			w.Set(h, j, u.At(h, j)/math.Sqrt(s))
			e.Set(h, j, u.At(h, j)*math.Sqrt(s))
		}
	}
	return rotated(t, src, w, e, values)
}

// rotated finishes a decomposition from a whitening.
func rotated(t testing.TB, src moment.Source, w, e *mat.Dense, values []float64) mixture.Params {
	t.Helper()
	ctx := context.Background()
	d, k := w.Dims()
	p, err := src.Project(ctx, w, moment.Core)
	if err != nil {
		t.Fatal(err)
	}
	slices := make([]*mat.Dense, k)
	for r := range slices {
		slices[r] = mat.DenseCopyOf(p.Core.Slice(r))
		slices[r].Scale(math.Pow(values[r]/values[0], .75), slices[r])
	}
	rot := spectral.JointDiagonalise(context.Background(), slices, k)
	m1, err := src.First(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var wo, centers mat.Dense
	wo.Mul(w, rot.O)
	centers.Mul(e, rot.O)
	var q mat.VecDense
	q.MulVec(wo.T(), mat.NewVecDense(d, m1))
	weights, sum := make([]float64, k), 0.0
	for j := range k {
		weights[j] = q.AtVec(j) * q.AtVec(j)
		sum += weights[j]
		for h := range d {
			centers.Set(h, j, centers.At(h, j)/q.AtVec(j))
		}
	}
	for j := range weights {
		weights[j] /= sum
	}
	return mixture.New(&centers, weights)
}

// meanL1 returns the mean L1 distance of matched columns, and the match.
func meanL1(t testing.TB, truth, got *mat.Dense) (float64, []int) {
	t.Helper()
	match, err := agree.Columns(truth, got)
	if err != nil {
		t.Fatal(err)
	}
	d, k := truth.Dims()
	sum := 0.0
	for j := range k {
		for h := range d {
			sum += math.Abs(truth.At(h, j) - got.At(h, match[j]))
		}
	}
	return sum / float64(k), match
}
