package exponential_test

import (
	"context"
	"testing"

	"github.com/moiety-go/moiety/decompose"
	"github.com/moiety-go/moiety/family/exponential"
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
	familytest.Recover(t, exponential.New(), familytest.Case{Params: params(), N: 4000}, auto)
}
