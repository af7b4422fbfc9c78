package beyond

import (
	"context"
	"fmt"
	"io"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/experiments/lab"
	"github.com/moiety-go/moiety/internal/encode"
	"github.com/moiety-go/moiety/internal/evaluate"
	"github.com/moiety-go/moiety/internal/family/hmm"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/read"
	"github.com/moiety-go/moiety/internal/refine"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/pass"
)

// workingLives fits hidden Markov models to the monthly states of mvad and
// compares their likelihood with Baum and Welch from random starts.
func workingLives(ctx context.Context, w io.Writer, full bool) error {
	data, err := lab.Open(ctx, [][]string{{"mvad", "mvad.csv.gz"}}, read.Options{}, encode.Settings{})
	if err != nil {
		return err
	}
	starts := 5
	if full {
		starts = 20
	}
	lab.Heading(w, "mvad, %d people × 72 months, %d states of work: hidden Markov models, log-likelihood a person", data.Len(), data.Rows.Dim)
	t := lab.NewTable("hidden states", "from moments", "moments + Baum-Welch", fmt.Sprintf("best of %d random starts", starts), "random starts not behind ours", "CPU moments + Baum-Welch / random starts")
	f := hmm.New(hmm.Options{})
	for _, k := range []int{2, 3, 4} {
		raw, err := lab.Flat(ctx, data.Fit(), model.Spec{Model: "hmm"}, k, "", fit.None)
		if err != nil {
			return err
		}
		var ours *fit.Outcome
		seconds, err := lab.Timed(func() (err error) {
			ours, err = lab.Flat(ctx, data.Fit(), model.Spec{Model: "hmm"}, k, "", fit.EM)
			return err
		})
		if err != nil {
			return err
		}
		before, err := evaluate.Likelihood(ctx, f, raw.Model.Params, data.Runner(1))
		if err != nil {
			return err
		}
		after, err := evaluate.Likelihood(ctx, f, ours.Model.Params, data.Runner(1))
		if err != nil {
			return err
		}
		best, even := math.Inf(-1), 0
		slow, err := lab.Timed(func() error {
			for s := range starts {
				v, err := fromChance(ctx, f, data.Runner(1), data.Rows.Dim, k, uint64(s))
				if err != nil {
					return err
				}
				if best = math.Max(best, v); v >= after.PerRecord-.01 {
					even++
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		t.Add(k, before.PerRecord, after.PerRecord, best, fmt.Sprintf("%d of %d", even, starts), lab.Seconds(seconds)+" / "+lab.Seconds(slow))
	}
	t.Write(w)
	return nil
}

// fromChance runs Baum and Welch from random parameters.
func fromChance(ctx context.Context, f hmm.Family, run pass.Runner, d, k int, seed uint64) (float64, error) {
	r := stream.New(seed, "experiments/hmm")
	ones := func(n int) []float64 {
		out := make([]float64, n)
		for i := range out {
			out[i] = 1
		}
		return out
	}
	centers, transition := mat.NewDense(d, k, nil), mat.NewDense(k, k, nil)
	for j := range k {
		column := make([]float64, d)
		synth.Dirichlet(r, ones(d), column)
		centers.SetCol(j, column)
		synth.Dirichlet(r, ones(k), transition.RawRowView(j))
	}
	initial := make([]float64, k)
	synth.Dirichlet(r, ones(k), initial)
	var start mixture.Params = hmm.NewParams(centers, transition, initial, nil)
	res, err := refine.EM(ctx, f, run, start, refine.Options{})
	if err != nil {
		return 0, err
	}
	l, err := evaluate.Likelihood(ctx, f, res.Params, run)
	if err != nil {
		return 0, err
	}
	return l.PerRecord, nil
}
