package lda_test

import (
	"context"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/decompose"
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/family/familytest"
	"github.com/moiety-go/moiety/internal/family/lda"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
)

// topics returns three topics over six words, with uneven alpha.
func topics() mixture.Params {
	return mixture.New(mat.NewDense(6, 3, []float64{
		.5, .1, .1,
		.3, .1, .1,
		.1, .4, .1,
		.05, .3, .1,
		.04, .05, .3,
		.01, .05, .3,
	}), []float64{.5, .3, .2}).With(lda.Alpha, mat.NewDense(3, 1, []float64{.6, .36, .24}))
}

func newFamily(t *testing.T, o lda.Options) *lda.Family {
	t.Helper()
	f, err := lda.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestBattery(t *testing.T) {
	illegal := topics()
	illegal.Centers.Set(0, 0, .6)
	negative := topics().With(lda.Alpha, mat.NewDense(3, 1, []float64{1, 0, 1}))
	missing := topics()
	missing.Extra = nil
	c := familytest.Case{
		Params:      topics(),
		Shape:       family.Shape{Lengths: []int{8, 15, 3, 20, 1, 0, 2}},
		Proportions: true, NoLabels: true, Bound: true,
		Illegal: []mixture.Params{illegal, negative, missing},
		Free:    3 + 3*5,
	}
	t.Run("given", func(t *testing.T) {
		familytest.Run(t, newFamily(t, lda.Options{Alpha0: 1.2}), c)
	})
	t.Run("length", func(t *testing.T) {
		if testing.Short() {
			t.Skip("-short: the battery runs with other settings")
		}
		familytest.Run(t, newFamily(t, lda.Options{Alpha0: 1.2, Weights: moment.Length, Alpha: lda.UpdateAll}), c)
	})
	t.Run("estimated", func(t *testing.T) {
		c := c
		c.NoMoments = true // they depend on the estimate: see TestAlpha0
		familytest.Run(t, newFamily(t, lda.Options{}), c)
	})
}

func TestRecover(t *testing.T) {
	solve := func(ctx context.Context, src moment.Source, k int) (mixture.Params, error) {
		r, err := decompose.Auto(ctx, src, k, decompose.Options{})
		if err != nil {
			return mixture.Params{}, err
		}
		return r.Params, nil
	}
	familytest.Recover(t, newFamily(t, lda.Options{Alpha0: 1.2}), familytest.Case{
		Params: topics(), Shape: family.Shape{Lengths: []int{20, 40, 3, 60}}, NoLabels: true,
	}, solve)
}
