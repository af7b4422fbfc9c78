package reference

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/sparse"
)

// PCAKMeans projects the centred rows on their leading principal components
// (0 means k) and groups the scores by k-means. Centers are those of the
// scores.
func PCAKMeans(ctx context.Context, rows sparse.Rows, k, components int, o Options) (*Result, error) {
	if err := check(rows, k); err != nil {
		return nil, err
	}
	if components == 0 {
		components = k
	}
	scores, err := principal(ctx, rows, components, o)
	if err != nil {
		return nil, err
	}
	return KMeans(ctx, scores, k, o)
}

// wholeCovariance is the largest number of features for which the covariance
// is formed and decomposed to rounding; beyond, subspace iteration finds the
// leading part.
const wholeCovariance = 512

// principal returns the scores of the rows on their leading principal
// components.
func principal(ctx context.Context, rows sparse.Rows, components int, o Options) (sparse.Rows, error) {
	d := rows.Dim
	if components < 1 {
		return sparse.Rows{}, fmt.Errorf("reference: %d principal components; ask for 1 or more", components)
	}
	components = min(components, d)
	c := centred{rows, mean(rows)}
	var v *mat.Dense
	if d <= wholeCovariance {
		whole, err := c.apply(ctx, identity(d))
		if err != nil {
			return sparse.Rows{}, err
		}
		_, all := spectral.SymEig(whole)
		v = mat.DenseCopyOf(all.Slice(0, d, 0, components))
	} else {
		var err error
		_, v, _, err = spectral.Leading(ctx, d, components, c.apply, spectral.LeadingOptions{Passes: leadingPasses, Rand: o.stream("pca", 0)})
		if err != nil {
			return sparse.Rows{}, err
		}
	}
	return c.scores(ctx, v)
}

// leadingPasses bounds the subspace iterations of this package: the bulk of a
// spectrum converges slowly, and a comparison must not suffer from it.
const leadingPasses = 200

// centred applies (X−1mᵀ)ᵀ(X−1mᵀ)/n without forming it.
type centred struct {
	rows sparse.Rows
	mean []float64
}

func (c centred) apply(ctx context.Context, b *mat.Dense) (*mat.Dense, error) {
	d, l := b.Dims()
	out := mat.NewDense(d, l, nil)
	if err := gram(ctx, c.rows, b, out); err != nil {
		return nil, err
	}
	out.Scale(1/float64(c.rows.N()), out)
	m := mat.NewVecDense(d, c.mean)
	var mb mat.VecDense
	mb.MulVec(b.T(), m)
	out.RankOne(out, -1, m, &mb)
	return out, nil
}

// gram adds XᵀX·B to out.
func gram(ctx context.Context, rows sparse.Rows, b, out *mat.Dense) error {
	_, l := b.Dims()
	z := make([]float64, min(chunk, rows.N())*l)
	return each(ctx, rows, func(_ int, part sparse.Rows) {
		z := z[:part.N()*l]
		part.MulTo(z, b.RawMatrix().Data, l)
		part.AddTransMul(out.RawMatrix().Data, z, l)
	})
}

// scores returns the dense rows (X−1mᵀ)·V.
func (c centred) scores(ctx context.Context, v *mat.Dense) (sparse.Rows, error) {
	_, l := v.Dims()
	var offset mat.VecDense
	offset.MulVec(v.T(), mat.NewVecDense(len(c.mean), c.mean))
	out := sparse.Rows{Dim: l, Dense: make([]float64, c.rows.N()*l)}
	err := each(ctx, c.rows, func(first int, part sparse.Rows) {
		z := out.Dense[first*l : (first+part.N())*l]
		part.MulTo(z, v.RawMatrix().Data, l)
		for i := range z {
			z[i] -= offset.AtVec(i % l)
		}
	})
	return out, err
}

func identity(n int) *mat.Dense {
	out := mat.NewDense(n, n, nil)
	for i := range n {
		out.Set(i, i, 1)
	}
	return out
}
