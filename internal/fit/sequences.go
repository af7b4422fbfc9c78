package fit

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/progress"
	"github.com/moiety-go/moiety/internal/refine"
	"github.com/moiety-go/moiety/internal/verdict"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
)

// judgeSequences says how many states sequences pass through.
func judgeSequences(ctx context.Context, data Training, s Settings) (*verdict.Verdict, error) {
	s, err := s.resolved(ctx, data, false)
	if err != nil {
		return nil, err
	}
	fam, err := s.Spec.Family(data.Vocab)
	if err != nil || !fam.Info().Sequences {
		return nil, err
	}
	find := func(ctx context.Context, run pass.Runner, k int) (mixture.Params, error) {
		s := s
		s.K = k
		ctx = progress.With(ctx, nil) // one of many fits
		st, err := search(ctx, fam, run, s)
		if err != nil {
			return mixture.Params{}, serious(err)
		}
		done, err := refined(ctx, fam, run, st, s)
		if err != nil {
			return mixture.Params{}, serious(err)
		}
		return done.Params, nil
	}
	return verdict.Sequences(ctx, data.Run, fam, find, verdict.Settings{Seed: s.Seed, Workers: s.Workers})
}

// states fits as many states as the verdict claims.
func states(ctx context.Context, data Training, s Settings) (*Outcome, error) {
	if s.Tree.Grown() {
		return nil, fmt.Errorf("fit: sequences have states, not a tree of groups: ask for a number of states with ‹groups›, or leave it to the data")
	}
	v, err := Judge(ctx, data, s)
	if err != nil {
		return nil, err
	}
	if v == nil {
		return nil, fmt.Errorf("fit: the number of states cannot be judged here: ask for one with ‹groups›")
	}
	s.Tree = TreeShape{}
	if v.Shown != nil {
		return shown(ctx, data, s, v)
	}
	for s.K = v.Groups; ; s.K-- {
		out, err := Flat(ctx, data, s)
		if errors.Is(err, ErrTooLittle) && s.K > 1 { // all sequences tell fewer apart than those that were looked at
			continue
		}
		if err != nil {
			return nil, err
		}
		return out.judgedBy(v), nil
	}
}

func (o *Outcome) judgedBy(v *verdict.Verdict) *Outcome {
	o.Model.Provenance.Warnings = append(verdictWarnings(v), o.Model.Provenance.Warnings...)
	o.Verdict = v
	return o
}

// shown makes each of the features that steps show a state, with the moves that
// were seen: nothing is hidden, and nothing has to be found.
func shown(ctx context.Context, data Training, s Settings, v *verdict.Verdict) (*Outcome, error) {
	s.K = len(v.Shown)
	s, err := s.resolved(ctx, data, false)
	if err != nil {
		return nil, err
	}
	fam, err := s.Spec.Family(data.Vocab)
	if err != nil {
		return nil, err
	}
	k, info := s.K, fam.Info()
	centers, moves, weights := mat.NewDense(data.Run.Dim(), k, nil), mat.NewDense(k, k, nil), make([]float64, k)
	for j, h := range v.Shown {
		centers.Set(h, j, 1)
		weights[j] = 1 / float64(k)
		moves.SetRow(j, slices.Repeat([]float64{1 / float64(k)}, k))
	}
	p := mixture.New(centers, weights).With(info.In(family.Transitions), moves).With(info.In(family.Starts), mat.NewDense(1, k, slices.Clone(weights)))
	done, err := refine.Steps(ctx, fam, data.Run, p, 1, refine.Options{Pseudo: float64(s.Prior)})
	if err != nil {
		return nil, err
	}
	m, err := finish(fam, data, s, &start{}, done)
	if err != nil {
		return nil, err
	}
	out, err := place(ctx, fam, m, data)
	if err != nil {
		return nil, err
	}
	if out, err = s.inTime(ctx, fam, out, data, true); err != nil {
		return nil, err
	}
	return out.judgedBy(v), nil
}

// inTime adds what lies in time: the courses that were asked for, and how long it
// is to the next step. Held states are what steps show.
func (s Settings) inTime(ctx context.Context, fam family.Family, o *Outcome, data Training, held bool) (*Outcome, error) {
	o, err := s.courses(ctx, fam, o, data, held)
	if err != nil {
		return nil, err
	}
	return o, s.waits(ctx, fam, o, data)
}

// Grown reports that a shape of a tree was asked for.
func (t TreeShape) Grown() bool {
	t.Stability = ""
	return t != TreeShape{}
}
