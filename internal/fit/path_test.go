package fit_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/refine"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// counting counts the scans of a runner.
type counting struct {
	pass.Runner
	scans int
}

func (c *counting) Run(ctx context.Context, sums ...pass.Sum) ([][]float64, error) {
	c.scans++
	return c.Runner.Run(ctx, sums...)
}

func pathData(rows sparse.Rows) (fit.Training, *counting) {
	run := &counting{Runner: pass.NewLocal(rows, 1)}
	return fit.Training{Run: run, Vocab: vocab.Numbered(rows.Dim), Kind: record.Presence}, run
}

// Models that complete their moments have the bits of Flat on the path.
func TestPathIsFlat(t *testing.T) {
	ctx := context.Background()
	data, _ := pathData(synth.ExponentialBernoulli(1, 500, 20, 3, synth.UniformWeights).Rows)
	p, err := fit.NewPath(ctx, data, fit.Settings{Seed: 4}, 4)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []int{1, 3} {
		got, err := p.At(ctx, k)
		if err != nil {
			t.Fatal(err)
		}
		want, err := fit.Flat(ctx, data, fit.Settings{Seed: 4, K: k})
		if err != nil {
			t.Fatal(err)
		}
		numtest.SameBits(t, "centers", got.Params.Centers.RawMatrix().Data, want.Model.Params.Centers.RawMatrix().Data)
		if got.K != k || len(got.Raw) == 0 || got.Raw[0].K() != k {
			t.Errorf("%d groups: %d, %d raw answers", k, got.K, len(got.Raw))
		}
	}
}

// Models whose moments do not depend on k sum them up once: a further size
// costs fewer scans than a fit of its own and is as likely.
func TestPathSharesMoments(t *testing.T) {
	const likelihoodTol = 1e-3 // relative: the subspaces differ, EM levels it
	ctx := context.Background()
	s := fit.Settings{Spec: model.Spec{Model: "single-topic"}, Refine: fit.None}
	data, run := pathData(synth.HierarchicalTopics(1, 600, 60, .1).Rows)
	p, err := fit.NewPath(ctx, data, s, 8)
	if err != nil {
		t.Fatal(err)
	}
	before := run.scans
	path, err := p.At(ctx, 4)
	if err != nil {
		t.Fatal(err)
	}
	onPath := run.scans - before
	s.K, before = 4, run.scans
	flat, err := fit.Flat(ctx, data, s)
	if err != nil {
		t.Fatal(err)
	}
	if alone := run.scans - before; onPath >= alone {
		t.Errorf("%d scans on the path, %d alone", onPath, alone)
	}
	a, err := refine.EM(ctx, p.Family(), data.Run, path.Params, refine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := refine.EM(ctx, p.Family(), data.Run, flat.Model.Params, refine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if numtest.Off(a.LogLikelihood, b.LogLikelihood, likelihoodTol*math.Abs(b.LogLikelihood)) {
		t.Errorf("log-likelihood %v on the path, %v alone", a.LogLikelihood, b.LogLikelihood)
	}
}

func TestPathRefuses(t *testing.T) {
	ctx := context.Background()
	data, _ := pathData(sparse.FromDense([][]float64{{1, 0}, {1, 0}, {1, 0}}, 2, true))
	if _, err := fit.NewPath(ctx, data, fit.Settings{}, 0); err == nil {
		t.Error("a path up to 0 groups was accepted")
	}
	p, err := fit.NewPath(ctx, data, fit.Settings{}, 3)
	if err == nil {
		_, err = p.At(ctx, 2)
	}
	if !errors.Is(err, fit.ErrTooLittle) {
		t.Errorf("equal records: %v", err)
	}
}
