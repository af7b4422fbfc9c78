package bernoullitrees

import (
	"context"
	"fmt"
	"io"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/experiments/lab"
	"github.com/moiety-go/moiety/internal/evaluate"
	"github.com/moiety-go/moiety/internal/family/bernoulli"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// predictions is the test of predictive power of [T] §6.4.1 on generated data,
// and the likelihood of records that the grouping did not see: the groups of
// the first records give a mixture, whatever method found them.
func predictions(ctx context.Context, w io.Writer, seeds int) error {
	for _, s := range Settings()[2:] {
		lab.Heading(w, "Unseen records and a yes-or-no outcome: %s, %d seeds", s.Name, seeds)
		t := lab.NewTable("method", "log-likelihood a held-out record", "accuracy of the outcome", "AUC", "knowing nothing")
		add := func(name string, group func(set synth.Set) ([]int, error)) error {
			var heldOut, accuracy, auc, base lab.Series
			for _, seed := range lab.Seeds(ctx, s.From, seeds) {
				set := s.Draw(seed)
				h, p, err := foretold(ctx, set, seed, s.K, group)
				if err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
				heldOut, accuracy = append(heldOut, h), append(accuracy, p.Accuracy)
				auc, base = append(auc, p.AUC), append(base, p.Baseline)
			}
			t.Add(name, fmt.Sprintf("%.3f", heldOut.Mean()), accuracy, auc, fmt.Sprintf("%.3f", base.Mean()))
			return nil
		}
		for _, c := range Clusterers(s.From) {
			if err := add(c.Name, func(set synth.Set) ([]int, error) { return c.Group(ctx, set.Rows, s.K) }); err != nil {
				return err
			}
		}
		if err := add("true groups", func(set synth.Set) ([]int, error) { return set.Labels, nil }); err != nil {
			return err
		}
		t.Write(w)
	}
	return nil
}

// oneIn says how many records there are for each that the grouping does not
// see.
const oneIn = 4

// foretold groups the first records of a set, and scores the mixture they make
// on the others and the outcome from the groups.
func foretold(ctx context.Context, set synth.Set, seed uint64, k int, group func(synth.Set) ([]int, error)) (float64, *evaluate.Prediction, error) {
	n := set.Rows.N()
	seen := synth.Set{Rows: set.Rows.Slice(0, n-n/oneIn), Labels: set.Labels[:n-n/oneIn], Truth: set.Truth}
	labels, err := group(seen)
	if err != nil {
		return 0, nil, err
	}
	f := bernoulli.New(bernoulli.Options{})
	info, err := evaluate.Likelihood(ctx, f, partition(seen.Rows, labels), pass.NewLocal(set.Rows.Slice(n-n/oneIn, n), 1))
	if err != nil {
		return 0, nil, err
	}
	p, err := evaluate.PredictFromGroups(ctx, labels, outcome(seed, seen.Labels, k), evaluate.PredictOptions{Seed: seed})
	return info.PerRecord, p, err
}

// outcome draws a yes or no for every record, with a probability of its own
// for every true group.
func outcome(seed uint64, truth []int, k int) []bool {
	r := stream.New(seed, "experiments/outcome")
	chance := make([]float64, k)
	for j := range chance {
		chance[j] = .05 + .9*r.Float64()
	}
	out := make([]bool, len(truth))
	for i, j := range truth {
		out[i] = r.Float64() < chance[j]
	}
	return out
}

// partition returns the mixture of given groups: means drawn towards the
// overall mean by one record, as in the product's own EM.
func partition(rows sparse.Rows, labels []int) mixture.Params {
	number, k := map[int]int{}, 0
	for _, l := range labels {
		if _, ok := number[l]; !ok {
			number[l], k = k, k+1
		}
	}
	n, d := float64(rows.N()), rows.Dim
	centers, size, mean := mat.NewDense(d, k, nil), make([]float64, k), make([]float64, d)
	for i, l := range labels {
		j := number[l]
		size[j]++
		index, _ := rows.Row(i)
		for _, h := range index {
			centers.Set(int(h), j, centers.At(int(h), j)+1)
			mean[h] += 1 / n
		}
	}
	const edge = 1e-4 // keeps a feature that a group never showed possible
	for j := range k {
		for h := range d {
			p := (centers.At(h, j) + mean[h]) / (size[j] + 1)
			centers.Set(h, j, math.Min(math.Max(p, edge), 1-edge))
		}
		size[j] /= n
	}
	return mixture.New(centers, size)
}
