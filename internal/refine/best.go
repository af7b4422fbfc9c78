package refine

import (
	"context"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
)

// Best takes n plain steps of EM from every start, all of them in the same n+1 passes over the
// records, and returns where the one has come that has the highest objective then, the first
// of equals.
func Best(ctx context.Context, f family.Family, run pass.Runner, starts []mixture.Params, n int, o Options) (mixture.Params, error) {
	o = o.filled()
	at := append([]mixture.Params(nil), starts...)
	for step := 0; ; step++ {
		sums := make([]pass.Sum, len(at))
		for i, p := range at {
			expected, err := f.EStep(p, o.Exact || !quick(f, run, o))
			if err != nil {
				return mixture.Params{}, err
			}
			sums[i] = pass.Given(expected, p.Numbers()...)
		}
		states, err := run.Run(ctx, sums...)
		if err != nil {
			return mixture.Params{}, err
		}
		if step == n {
			return likeliest(f, at, states, o), nil
		}
		for i := range at {
			if at[i], _, err = f.MStep(states[i], at[i], o.Pseudo); err != nil {
				return mixture.Params{}, err
			}
		}
	}
}

// likeliest returns the parameters of the highest objective.
func likeliest(f family.Family, list []mixture.Params, states [][]float64, o Options) mixture.Params {
	best := 0
	for i := range list {
		if f.Objective(states[i], list[i], o.Pseudo) > f.Objective(states[best], list[best], o.Pseudo) {
			best = i
		}
	}
	return list[best]
}
