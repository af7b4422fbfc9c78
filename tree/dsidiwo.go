package tree

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/decompose"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
)

// discriminants is D-SIDIWO ([T] Alg. 5): SIDIWO with l = 2 on raw moments, no
// model. The rows d_1, d_2 of D = (E·O)† are made as orthogonal as possible on
// the records, and a record goes to the side of the larger |⟨d_j, x⟩|.
func discriminants(ctx context.Context, run *pass.Local, seed uint64) (*Rule, Split, error) {
	src := moment.NewSampled(run, moment.Formula{Diagonal: moment.Raw}, run.Rows().IsBinary())
	o := decompose.Options{Seed: seed, Extra: extraColumns, Settle: planeSettle}
	w, err := decompose.Whiten(ctx, src, 2, o)
	if err != nil {
		return nil, Split{}, err
	}
	rotation, separation := w.Pair()
	rule := &Rule{Vectors: new(mat.Dense), Absolute: true}
	rule.Vectors.Mul(w.W, rotation)
	return rule, Split{Spectrum: w.Eigen, Gap: w.Gap, Separation: separation, Stability: -1}, nil
}
