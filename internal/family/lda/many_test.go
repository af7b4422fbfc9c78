package lda_test

import (
	"context"
	"errors"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/decompose"
	"github.com/moiety-go/moiety/internal/family/lda"
	"github.com/moiety-go/moiety/moment"
)

// dirichlet gives the raw moments of documents of known topics, and nothing of k³ numbers:
// those of the mixture, with the Dirichlet put in.
type dirichlet struct {
	*moment.Exact
	a0 float64
}

func (dirichlet) GivesRows() bool { return true }

func (s dirichlet) Project(ctx context.Context, b *mat.Dense, want moment.Want) (*moment.Projection, error) {
	if want&(moment.Core|moment.Slices) != 0 {
		return nil, errors.New("the third moment is asked for whole")
	}
	p, err := s.Exact.Project(ctx, b, want|moment.Second)
	if err != nil {
		return nil, err
	}
	m1, err := s.First(ctx)
	if err != nil {
		return nil, err
	}
	var y mat.VecDense
	y.MulVec(b.T(), mat.NewVecDense(len(m1), m1))
	a, second := s.a0, p.Second
	second.Apply(func(h, j int, v float64) float64 { return (v + a*m1[h]*y.AtVec(j)) / (a + 1) }, second)
	if p.Rows != nil {
		var g mat.Dense
		g.Mul(b.T(), second)
		p.Rows.Apply(func(h, j int, v float64) float64 {
			placed := m1[h]*g.At(j, j) + 2*second.At(h, j)*y.AtVec(j)
			alone := m1[h] * y.AtVec(j) * y.AtVec(j)
			return 2*v/((a+1)*(a+2)) + a/(a+2)*placed - 2*a*a/((a+1)*(a+2))*alone
		}, p.Rows)
	}
	return p, nil
}

// Of more topics than a whole third moment is held of, α0 and the topics are found as well.
func TestAlpha0OfManyTopics(t *testing.T) {
	const k = moment.MostCubed + 2
	for _, a0 := range []float64{.5, 5} {
		truth, _ := randomModel(7, k+24, k, a0)
		for j := range k { // each has a word of its own
			truth.Centers.Set(j, j, truth.Centers.At(j, j)+1)
		}
		for j := range k {
			sum := mat.Sum(truth.Centers.ColView(j))
			for h := range k + 24 {
				truth.Centers.Set(h, j, truth.Centers.At(h, j)/sum)
			}
		}
		src, err := lda.EstimateSource(t.Context(), dirichlet{moment.NewExact(truth), a0}, k, 1)
		if err != nil {
			t.Fatal(err)
		}
		// The flat side that an estimate leans to is wider than of four topics.
		near(t, "alpha0", src.Alpha0()/a0, 1, 2*alphaTol)
		got, err := decompose.Auto(t.Context(), src, k, decompose.Options{BestOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		p, _, err := newFamily(t, lda.Options{}).Normalise(t.Context(), src, got.Params)
		if err != nil {
			t.Fatal(err)
		}
		if l1, _ := meanL1(t, truth.Centers, p.Centers); l1 > 2*alphaTol {
			t.Errorf("alpha0 %v: topics off by %v", a0, l1)
		}
	}
}
