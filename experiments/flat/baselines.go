package flat

import (
	"context"

	"github.com/moiety-go/moiety/experiments/lab"
	"github.com/moiety-go/moiety/experiments/reference"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/record"
)

// baseline is a method of [T] Fig. 4.1 beside ASVTD + EM.
type baseline struct {
	name, printed string // printed: seconds of [T] Fig. 4.2
	group         func(ctx context.Context, set synth.Set, k int, seed uint64) ([]int, error)
}

func baselines() []baseline {
	return []baseline{
		{"3V-MoM", "–", threeView("three-view", fit.None)},
		{"3V-MoM + EM", "0.77", threeView("three-view", fit.EM)},
		{"3V-TPM", "–", threeView("three-view-tpm", fit.None)},
		{"3V-TPM + EM", "3.68", threeView("three-view-tpm", fit.EM)},
		{"k-means", "0.76", func(ctx context.Context, set synth.Set, k int, seed uint64) ([]int, error) {
			r, err := reference.KMeans(ctx, set.Rows, k, reference.Options{Seed: seed, Workers: 1})
			if err != nil {
				return nil, err
			}
			return r.Labels, nil
		}},
		{"SC-lin", "7.48", func(ctx context.Context, set synth.Set, k int, seed uint64) ([]int, error) {
			data := lab.Generated(set.Rows, record.Presence)
			parts, err := fit.Parts(ctx, data.Run, fit.Settings{K: k, Method: "spectral-clustering", Seed: seed})
			if err != nil {
				return nil, err
			}
			return lab.Ints(parts), nil
		}},
	}
}

func baselineNames() []string {
	var out []string
	for _, b := range baselines() {
		out = append(out, b.name)
	}
	return out
}

// threeView is a method of moments between three random thirds of the features; the
// products of different features need no correction, so raw moments serve.
func threeView(method, refine string) func(context.Context, synth.Set, int, uint64) ([]int, error) {
	return func(ctx context.Context, set synth.Set, k int, seed uint64) ([]int, error) {
		o, err := fit.Flat(ctx, lab.Generated(set.Rows, record.Presence), fit.Settings{
			K: k, Spec: model.Spec{Model: "bernoulli", Moments: model.Raw}, Method: method, Refine: refine, Seed: seed, Workers: 1,
		})
		if err != nil {
			return nil, err
		}
		return lab.Ints(o.Group), nil
	}
}

// measureBaselines lets all baselines group a set; one that finds too little scores 0.
func (r *bernoulliRow) measureBaselines(ctx context.Context, set synth.Set, seed uint64) error {
	for i, b := range baselines() {
		var labels []int
		seconds, err := lab.Timed(func() (err error) {
			labels, err = b.group(ctx, set, r.k, seed)
			return err
		})
		ari := 0.0
		switch {
		case lab.TooLittle(err):
		case err != nil:
			return err
		default:
			if ari, err = labelAgreement(labels, set.Labels); err != nil {
				return err
			}
		}
		r.others[i], r.othersTime[i] = append(r.others[i], ari), append(r.othersTime[i], seconds)
	}
	return nil
}
