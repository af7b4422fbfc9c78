package singletopic_test

import (
	"context"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/decompose"
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/family/familytest"
	"github.com/moiety-go/moiety/internal/family/singletopic"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
)

func topics() mixture.Params {
	return mixture.New(mat.NewDense(6, 3, []float64{
		.5, .1, .1,
		.3, .1, .1,
		.1, .4, .1,
		.05, .3, .1,
		.04, .05, .3,
		.01, .05, .3,
	}), []float64{.5, .3, .2})
}

func newFamily(t *testing.T, o singletopic.Options) *singletopic.Family {
	t.Helper()
	f, err := singletopic.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestBattery(t *testing.T) {
	for _, w := range []moment.Weighting{"", moment.Length, moment.Equal, moment.ThreeWords} {
		t.Run(string(w), func(t *testing.T) {
			bad := topics()
			bad.Centers.Set(0, 0, .6)
			negative := topics()
			negative.Centers.Set(0, 0, -.1)
			negative.Centers.Set(1, 0, .9)
			familytest.Run(t, newFamily(t, singletopic.Options{Weights: w}), familytest.Case{
				Params:      topics(),
				Shape:       family.Shape{Lengths: []int{5, 12, 3, 40, 1, 0, 2}},
				Proportions: true,
				Illegal:     []mixture.Params{bad, negative},
				Free:        2 + 3*5,
			})
		})
	}
}

func TestRecover(t *testing.T) {
	solve := func(ctx context.Context, src moment.Source, k int) (mixture.Params, error) {
		r, err := decompose.Auto(ctx, src, k, decompose.Options{})
		if err != nil {
			return mixture.Params{}, err
		}
		return r.Params, nil
	}
	familytest.Recover(t, newFamily(t, singletopic.Options{}), familytest.Case{
		Params: topics(), Shape: family.Shape{Lengths: []int{5, 12, 3, 40}},
	}, solve)
}
