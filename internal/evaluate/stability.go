package evaluate

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/stream"
)

// StabilityOptions steers Stability. Zero values mean the defaults.
type StabilityOptions struct {
	Share float64 // of the records in both fits; 0 means 0.8. The rest is halved
	Runs  int     // pairs of fits; 0 means 5
	Seed  uint64
}

// Steadiness tells how much a grouping depends on the records at hand.
type Steadiness struct {
	Mean, SD float64   // of the adjusted Rand index over the runs; SD is 0 for one run
	ARI      []float64 // of each run
	Shared   int       // records in both fits
	Own      int       // records of each fit alone
}

// Stability fits twice, on records that share Share of all n and have half of
// the rest each, and compares the groups of the shared records ([T] Section
// 6.4.1: 80 %, 10 % and 10 %). fit gets record numbers in rising order and
// returns a label for each.
func Stability(ctx context.Context, n int, o StabilityOptions, fit func(ctx context.Context, rows []int) ([]int, error)) (*Steadiness, error) {
	if o.Share == 0 {
		o.Share = 0.8
	}
	if o.Runs == 0 {
		o.Runs = 5
	}
	shared := int(math.Round(o.Share * float64(n)))
	own := (n - shared) / 2
	if !(o.Share > 0) || o.Runs < 0 || shared < 2 || own < 1 {
		return nil, fmt.Errorf("evaluate: stability of %d records with a share of %v in both of %d pairs of fits: want at least 2 shared and 1 of its own for each fit", n, o.Share, o.Runs)
	}
	s := &Steadiness{Shared: shared, Own: own}
	for run := range o.Runs {
		order := stream.New(o.Seed, "evaluate/stability/"+strconv.Itoa(run)).Perm(n)
		both, a, b := order[:shared], order[shared:shared+own], order[shared+own:shared+2*own]
		first, err := onShared(ctx, both, a, fit)
		if err != nil {
			return nil, err
		}
		second, err := onShared(ctx, both, b, fit)
		if err != nil {
			return nil, err
		}
		v, err := agree.ARI(first, second)
		if err != nil {
			return nil, err
		}
		s.ARI = append(s.ARI, v)
	}
	s.Mean, s.SD = meanSD(s.ARI)
	return s, nil
}

// onShared fits on both and own, and returns the labels of the former by
// rising record number.
func onShared(ctx context.Context, both, own []int, fit func(context.Context, []int) ([]int, error)) ([]int, error) {
	rows := slices.Concat(both, own)
	slices.Sort(rows)
	labels, err := fit(ctx, rows)
	if err != nil {
		return nil, err
	}
	if len(labels) != len(rows) {
		return nil, fmt.Errorf("evaluate: a fit of %d records gave %d labels", len(rows), len(labels))
	}
	mine := make(map[int]bool, len(own))
	for _, i := range own {
		mine[i] = true
	}
	out := make([]int, 0, len(both))
	for x, i := range rows {
		if !mine[i] {
			out = append(out, labels[x])
		}
	}
	return out, nil
}

// meanSD returns the mean and the sample standard deviation.
func meanSD(v []float64) (mean, sd float64) {
	for _, x := range v {
		mean += x / float64(len(v))
	}
	if len(v) < 2 {
		return mean, 0
	}
	for _, x := range v {
		sd += (x - mean) * (x - mean) / float64(len(v)-1)
	}
	return mean, math.Sqrt(sd)
}
