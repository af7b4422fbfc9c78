package bernoullitrees

import (
	"context"

	"github.com/moiety-go/moiety/experiments/lab"
	"github.com/moiety-go/moiety/experiments/reference"
	"github.com/moiety-go/moiety/internal/assign"
	"github.com/moiety-go/moiety/internal/family/bernoulli"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/refine"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/internal/tree"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
)

// Clusterer groups rows into k groups.
type Clusterer struct {
	Name  string
	Group func(ctx context.Context, rows sparse.Rows, k int) ([]int, error)
}

// Names of the methods that verdicts speak of.
const (
	Default     = "default tree"
	Unpolished  = "default split, EM after each, leaves not polished"
	RawDSIDIWO  = "D-SIDIWO ([T] Alg. 5)"
	AtOnce      = "D-SIDIWO into all parts at once ([T] 6.2)"
	DSIDIWOEM   = "D-SIDIWO + EM after each split"
	Bisecting   = "bisecting k-means"
	Divisive    = "PDDP"
	FlatDefault = "flat default + EM"
	FlatASVTD   = "ASVTD + EM"
)

// Clusterers lists the methods of [T] ch. 6 and ours; seed is that of methods
// with random starts.
func Clusterers(seed uint64) []Clusterer {
	grown := func(s tree.Settings) func(context.Context, sparse.Rows, int) ([]int, error) {
		return func(ctx context.Context, rows sparse.Rows, k int) ([]int, error) {
			s.Family, s.Leaves, s.Workers = bernoulli.New(bernoulli.Options{}), k, 1
			r, err := tree.Grow(ctx, pass.NewLocal(rows, 0), s)
			if err != nil {
				return nil, err
			}
			return lab.Ints(r.Leaf), nil
		}
	}
	flat := func(spec model.Spec, method string) func(context.Context, sparse.Rows, int) ([]int, error) {
		return func(ctx context.Context, rows sparse.Rows, k int) ([]int, error) {
			o, err := lab.Flat(ctx, lab.Generated(rows, record.Presence), spec, k, method, fit.EM)
			if err != nil {
				return nil, err
			}
			return lab.Ints(o.Group), nil
		}
	}
	type divide func(context.Context, sparse.Rows, int, reference.Options) (*reference.Result, error)
	peer := func(f divide) func(context.Context, sparse.Rows, int) ([]int, error) {
		return func(ctx context.Context, rows sparse.Rows, k int) ([]int, error) {
			r, err := f(ctx, rows, k, reference.Options{Seed: seed, Workers: 1})
			if err != nil {
				return nil, err
			}
			return r.Labels, nil
		}
	}
	return []Clusterer{
		{Default, grown(tree.Settings{})},
		{"default split, no EM", grown(tree.Settings{Steps: -1, NoRefine: true})},
		{Unpolished, grown(tree.Settings{NoRefine: true})},
		{RawDSIDIWO, grown(tree.Settings{Splitter: tree.DSidiwo, Steps: -1, NoRefine: true})},
		{AtOnce, parts},
		{DSIDIWOEM, grown(tree.Settings{Splitter: tree.DSidiwo, Steps: 100, NoRefine: true})},
		{"SIDIWO, corrected moments, + EM", grown(tree.Settings{Splitter: tree.Sidiwo, NoRefine: true})},
		{Bisecting, peer(reference.BisectingKMeans)},
		{Divisive, peer(reference.PDDP)},
		{FlatDefault, flat(model.Spec{Model: "bernoulli"}, "")},
		{FlatASVTD, flat(model.Spec{Model: "bernoulli", Moments: model.Raw}, "svtd")},
	}
}

// parts divides by the largest of k discriminants, without a tree and without a model.
func parts(ctx context.Context, rows sparse.Rows, k int) ([]int, error) {
	labels, err := fit.Parts(ctx, pass.NewLocal(rows, 1), fit.Settings{K: k, Method: "d-sidiwo", Seed: 1, Workers: 1})
	return lab.Ints(labels), err
}

// fromTruth is EM started at the true parameters: the best that any start can
// lead to.
func fromTruth(ctx context.Context, set synth.Set) ([]int, error) {
	f, run := bernoulli.New(bernoulli.Options{}), pass.NewLocal(set.Rows, 1)
	r, err := refine.EM(ctx, f, run, set.Truth, refine.Options{})
	if err != nil {
		return nil, err
	}
	a, err := assign.All(ctx, f, r.Params, run)
	if err != nil {
		return nil, err
	}
	return a.Labels(), nil
}
