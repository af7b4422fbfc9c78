package binomial_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/moiety-go/moiety/decompose"
	"github.com/moiety-go/moiety/family/familytest"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
)

// auto is the default decomposition.
func auto(ctx context.Context, src moment.Source, k int) (mixture.Params, error) {
	r, err := decompose.Auto(ctx, src, k, decompose.Options{})
	if err != nil {
		return mixture.Params{}, err
	}
	return r.Params, nil
}

func TestRecover(t *testing.T) {
	for _, m := range []float64{1, 2, 5} {
		t.Run(fmt.Sprintf("%v trials", m), func(t *testing.T) {
			familytest.Recover(t, newFamily(t, 0), familytest.Case{Params: params(m, 18)}, auto)
		})
	}
}
