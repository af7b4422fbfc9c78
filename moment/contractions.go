package moment

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/spectral"
)

// Contracted is the number of matrices T(·,·,v) that tell components apart as well as all
// slices of a third moment do. Two of them are mixed up where they look alike from all v: of
// eight random ones that is one pair in some hundred thousand.
const Contracted = 8

// Contractions returns the k×k matrices M3(B,B,Bv) for a basis B of k columns and the
// columns v of a k×m matrix, in 1 + m scans for Rows, since
//
//	2 T(·,e,v) = T(·,e+v,e+v) − T(·,e,e) − T(·,v,v).
//
// They are symmetric but for the error of the moments: the mean of both halves is taken.
func Contractions(ctx context.Context, src Source, b, v *mat.Dense) ([]*mat.Dense, error) {
	k, m := v.Dims()
	both := mat.NewDense(k, k+m, nil)
	for a := range k {
		both.Set(a, a, 1)
	}
	both.Slice(0, k, k, k+m).(*mat.Dense).Copy(v)
	alone, err := Thirds(ctx, src, b, both)
	if err != nil {
		return nil, err
	}
	out := make([]*mat.Dense, m)
	for r := range out {
		x := mat.NewDense(k, k, nil)
		for a := range k {
			for e := range k {
				x.Set(a, e, v.At(a, r))
			}
			x.Set(a, a, 1+v.At(a, r))
		}
		sum, err := Thirds(ctx, src, b, x)
		if err != nil {
			return nil, err
		}
		half := func(a, e int) float64 { return (sum.At(a, e) - alone.At(a, e) - alone.At(a, k+r)) / 2 }
		out[r] = mat.NewDense(k, k, nil)
		for a := range k {
			for e := range k {
				out[r].Set(a, e, (half(a, e)+half(e, a))/2)
			}
		}
	}
	return out, nil
}

// Thirds returns the matrix whose columns are M3(B,Bx,Bx) for the columns x of a matrix,
// in a scan for Rows.
func Thirds(ctx context.Context, src Source, b, x *mat.Dense) (*mat.Dense, error) {
	team := spectral.Team(max(Workers(src), 1))
	var at mat.Dense
	team.Mul(&at, b, x)
	p, err := src.Project(ctx, &at, Rows)
	if err != nil {
		return nil, err
	}
	out := new(mat.Dense)
	team.Cross(out, b, p.Rows)
	return out, nil
}
