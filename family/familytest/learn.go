package familytest

import (
	"context"
	"testing"

	"github.com/moiety-go/moiety/decompose"
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
)

// Auto is the default decomposition.
func Auto(ctx context.Context, src moment.Source, k int) (mixture.Params, error) {
	r, err := decompose.Auto(ctx, src, k, decompose.Options{})
	if err != nil {
		return mixture.Params{}, err
	}
	return r.Params, nil
}

// Learn goes from records to settled parameters by the default decomposition,
// and through so many steps of EM.
func Learn(t *testing.T, f family.Family, run pass.Runner, k, steps int) mixture.Params {
	t.Helper()
	p, err := learn(context.Background(), f, run, k, steps)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func learn(ctx context.Context, f family.Family, run pass.Runner, k, steps int) (mixture.Params, error) {
	src, err := f.Source(ctx, run, k)
	if err != nil {
		return mixture.Params{}, err
	}
	p, err := Auto(ctx, src, k)
	if err != nil {
		return p, err
	}
	if p, _, err = f.Normalise(ctx, src, p); err != nil {
		return p, err
	}
	for range steps {
		sum, err := f.EStep(p, true)
		if err != nil {
			return p, err
		}
		state, err := pass.RunOne(ctx, run, sum)
		if err != nil {
			return p, err
		}
		if p, _, err = f.MStep(state, p, 1); err != nil {
			return p, err
		}
	}
	return p, nil
}
