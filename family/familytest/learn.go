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
	ctx := context.Background()
	src, err := f.Source(ctx, run, k)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := Auto(ctx, src, k)
	if err != nil {
		t.Fatal(err)
	}
	p, _, err := f.Settle(ctx, src, raw)
	if err != nil {
		t.Fatal(err)
	}
	for range steps {
		sum, err := f.EStep(p)
		if err != nil {
			t.Fatal(err)
		}
		state, err := pass.RunOne(ctx, run, sum)
		if err != nil {
			t.Fatal(err)
		}
		if p, _, err = f.MStep(state, p, 1); err != nil {
			t.Fatal(err)
		}
	}
	return p
}
