// Package realizable measures SIDIWO where the number of pseudo-centers is that
// of the components, and where it is smaller ([T] Thm 5.3.1 and 5.3.2, [H]
// Section 3).
//
// Claims of the papers: with l = k SIDIWO returns the true centers; with l < k
// each pseudo-center stands for a group of true centers.
//
// Command: go run -C experiments . realizable
//
// Ours: docs/results.md, rows "realizable".
package realizable

import (
	"context"
	"fmt"
	"io"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/decompose"
	"github.com/moiety-go/moiety/experiments/lab"
	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/record"
)

const topics = 8

// Run prints the tables.
func Run(ctx context.Context, w io.Writer, full bool) error {
	for _, part := range []func(context.Context, io.Writer, bool) error{exact, sampled, fewer} {
		if err := part(ctx, w, full); err != nil {
			return err
		}
	}
	return nil
}

// exact decomposes the exact moments of the hierarchical topics.
func exact(ctx context.Context, w io.Writer, _ bool) error {
	lab.Heading(w, "Exact moments of the 8 hierarchical topics, l = k = 8, 10 draws: mean L1 error of a topic")
	t := lab.NewTable("method", "mean", "worst")
	ok := true
	for _, name := range []string{"sidiwo", "auto", "svtd", "tpm", "als", "eigen", "svd", "random-projections"} {
		s, err := Exact(ctx, name, lab.Seeds(ctx, 0, 10))
		if err != nil {
			return err
		}
		worst := 0.0
		for _, e := range s {
			worst = math.Max(worst, e)
		}
		t.Add(name, fmt.Sprintf("%.1e", s.Mean()), fmt.Sprintf("%.1e", worst))
		ok = ok && (name != "sidiwo" || worst < 1e-8)
	}
	t.Write(w)
	fmt.Fprintf(w, "- SIDIWO is exact in the realizable setting: %s\n\n", lab.Verdict(ok))
	return nil
}

// Exact returns the error of a method on exact moments for each seed.
func Exact(ctx context.Context, name string, seeds []uint64) (lab.Series, error) {
	m, err := decompose.ByName(name)
	if err != nil {
		return nil, err
	}
	var out lab.Series
	for _, seed := range seeds {
		truth := synth.HierarchicalTopics(seed, 10, 10, .1).Truth
		r, err := m(ctx, moment.NewExact(truth), topics, decompose.Options{})
		if err != nil {
			return nil, err
		}
		e, err := l1(r.Params, truth)
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}

// sampled lets the number of documents grow.
func sampled(ctx context.Context, w io.Writer, full bool) error {
	seeds := 5
	if full {
		seeds = 10
	}
	lab.Heading(w, "Sampled moments, 200 words a document, l = k = 8, %d seeds: mean L1 error of a topic", seeds)
	sizes := []int{400, 1600, 6400}
	t := lab.NewTable("method", "n=400", "n=1600", "n=6400")
	for _, m := range []struct{ name, method, refine string }{
		{"SIDIWO", "sidiwo", fit.None},
		{"default", "", fit.None},
		{"default + EM", "", fit.EM},
		{"SVTD", "svtd", fit.None},
		{"TPM", "tpm", fit.None},
		{"ALS", "als", fit.None},
		{"eigenvectors", "eigen", fit.None},
	} {
		row := []any{m.name}
		for _, n := range sizes {
			var s lab.Series
			for _, seed := range lab.Seeds(ctx, 0, seeds) {
				set := synth.HierarchicalTopics(seed, n, 200, .1)
				o, err := lab.Flat(ctx, lab.Generated(set.Rows, record.Counts), model.Spec{Model: "single-topic"}, topics, m.method, m.refine)
				if err != nil {
					return err
				}
				e, err := l1(o.Model.Params, set.Truth)
				if err != nil {
					return err
				}
				s = append(s, e)
			}
			row = append(row, s)
		}
		t.Add(row...)
	}
	t.Write(w)
	return nil
}

// fewer asks for fewer pseudo-centers than there are topics.
func fewer(ctx context.Context, w io.Writer, full bool) error {
	seeds := 5
	if full {
		seeds = 10
	}
	lab.Heading(w, "Fewer pseudo-centers than topics, 400 documents of 200 words, %d seeds: share of the documents that lie where most of their topic lies", seeds)
	t := lab.NewTable("l", "SIDIWO", "TPM", "ALS", "eigenvectors")
	for l := 2; l <= 6; l += 2 {
		row := []any{l}
		for _, method := range []string{"sidiwo", "tpm", "als", "eigen"} {
			var s lab.Series
			for _, seed := range lab.Seeds(ctx, 0, seeds) {
				set := synth.HierarchicalTopics(seed, 400, 200, .1)
				o, err := lab.Flat(ctx, lab.Generated(set.Rows, record.Counts), model.Spec{Model: "single-topic"}, l, method, fit.None)
				if err != nil {
					return err
				}
				s = append(s, together(o.Group, set.Labels))
			}
			row = append(row, s)
		}
		t.Add(row...)
	}
	t.Write(w)
	return nil
}

// together returns the share of records in the group that holds most records
// of their true group: 1 where no true group is torn apart.
func together(group []int32, truth []int) float64 {
	var held [topics]map[int32]int
	for i, j := range truth {
		if held[j] == nil {
			held[j] = map[int32]int{}
		}
		held[j][group[i]]++
	}
	sum := 0
	for _, h := range held {
		most := 0
		for _, n := range h {
			most = max(most, n)
		}
		sum += most
	}
	return float64(sum) / float64(len(truth))
}

// l1 is the mean L1 distance of matched centers.
func l1(got, want mixture.Params) (float64, error) {
	order, err := agree.Columns(got.Centers, want.Centers)
	if err != nil {
		return 0, err
	}
	sum := 0.0
	for a, b := range order {
		diff := mat.NewVecDense(want.Dim(), nil)
		diff.SubVec(got.Centers.ColView(a), want.Centers.ColView(b))
		sum += mat.Norm(diff, 1)
	}
	return sum / float64(len(order)), nil
}
