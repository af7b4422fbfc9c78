package decompose

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/moment"
)

// RandomProjections is the method of Kuleshov, Chaganty and Liang 2015 on the
// whitened core: many random contractions T(η) are jointly diagonalised, and a
// second, plug-in round contracts along the directions found, for which the
// eigenvalues lie furthest apart. Centers come from E·O.
func RandomProjections(ctx context.Context, src moment.Source, k int, o Options) (*Result, error) {
	w, err := Whiten(ctx, src, k, o)
	if err != nil {
		return nil, err
	}
	k = w.K()
	r := o.stream("random-projections")
	random := make([]*mat.Dense, orDefault(o.Directions, max(10, 2*k)))
	for i := range random {
		eta := make([]float64, k)
		stream.Normals(r, eta)
		unit(eta)
		random[i] = w.Core.Contract(eta)
	}
	first := spectral.JointDiagonalise(ctx, random, k)
	plug := make([]*mat.Dense, k)
	for j := range plug {
		plug[j] = w.Core.Contract(mat.Col(nil, j, first.O))
	}
	rot := spectral.JointDiagonalise(ctx, plug, k)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	rot.Sweeps += first.Sweeps
	s := w.sign(rot.O, o)
	res := w.result(w.fromSecond(s))
	res.Warnings = append(res.Warnings, s.warnings()...)
	res.note(w, rot)
	return res, nil
}
