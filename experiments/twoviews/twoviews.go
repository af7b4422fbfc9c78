// Package twoviews measures groups that two views of the same people share: alleles and
// codes ([T] conclusions, genotype and phenotype; several sources).
//
// Command: go run -C experiments . two-views (the last tables need the data set hgdp)
//
// Ours: docs/results.md, row "genotype and phenotype in two views".
package twoviews

import (
	"context"
	"io"

	"github.com/moiety-go/moiety/experiments/lab"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
)

const (
	n, loci, codes, k = 600, 60, 20, 4
	few, many         = 20, 200 // seeds
	firstSeed         = 9100
)

var (
	alleleSpec = model.Spec{Model: "binomial", Trials: 2}
	codeSpec   = model.Spec{Model: "bernoulli"}
)

// Run prints the tables.
func Run(ctx context.Context, w io.Writer, _ bool) error {
	for _, part := range []func(context.Context, io.Writer) error{shared, lacking, lying} {
		if err := part(ctx, w); err != nil {
			return err
		}
	}
	return lab.Skipped(w, regions(ctx, w))
}

// twoViews is the model of alleles and codes.
func twoViews(loci, codes int) model.Spec {
	return model.Spec{Model: "multiview", Views: []model.View{
		{Name: "alleles", From: 0, To: loci, Spec: alleleSpec},
		{Name: "codes", From: loci, To: loci + codes, Spec: codeSpec},
	}}
}

func fitted(ctx context.Context, x sparse.Rows, spec model.Spec, k int) (*fit.Outcome, error) {
	kind := record.Counts
	if spec.Model == codeSpec.Model {
		kind = record.Presence
	}
	return lab.Flat(ctx, lab.Generated(x, kind), spec, k, "", "")
}

// score is the ARI of the groups of a model with the truth.
func score(ctx context.Context, x sparse.Rows, spec model.Spec, k int, truth []int) (float64, *fit.Outcome, error) {
	o, err := fitted(ctx, x, spec, k)
	if err != nil {
		return 0, nil, err
	}
	ari, err := lab.ARI(o.Group, truth)
	return ari, o, err
}

// describe reports whether a view was said to share groups, and its agreement.
func describe(o *fit.Outcome, view string) (agreement, shares float64) {
	for _, s := range o.Model.Provenance.Shared {
		if s.View == view {
			if s.Shares() {
				shares = 1
			}
			return s.Agreement, shares
		}
	}
	return 0, 0
}

// shared lets a share of the people have the codes of the group of their alleles.
func shared(ctx context.Context, w io.Writer) error {
	lab.Heading(w, "Alleles and codes: %d people, %d loci, %d codes, %d groups; ARI with the groups of the alleles", n, loci, codes, k)
	t := lab.NewTable("codes follow the groups of", "seeds", "two views", "alleles alone", "codes alone", "agreement", "told as shared")
	for _, c := range []struct {
		name  string
		share float64
		seeds int
	}{{"all people", 1, few}, {"half of them", .5, few}, {"a fifth", .2, few}, {"nobody", 0, many}} {
		var both, first, second, agreement, shares lab.Series
		for _, seed := range lab.Seeds(ctx, firstSeed, c.seeds) {
			p := drawn(seed, n, loci, codes, k, c.share)
			a, o, err := score(ctx, rows(p.alleles, p.codes), twoViews(loci, codes), k, p.labels)
			if err != nil {
				return err
			}
			x, s := describe(o, "codes")
			both, agreement, shares = append(both, a), append(agreement, x), append(shares, s)
			if c.seeds > few {
				continue
			}
			b, _, err := score(ctx, rows(p.alleles), alleleSpec, k, p.labels)
			if err != nil {
				return err
			}
			d, _, err := score(ctx, rows(p.codes), codeSpec, k, p.labels)
			if err != nil {
				return err
			}
			first, second = append(first, b), append(second, d)
		}
		t.Add(c.name, c.seeds, both, first, second, agreement, shares)
	}
	t.Write(w)
	return nil
}

// lacking takes one view from some of the people.
func lacking(ctx context.Context, w io.Writer) error {
	lab.Heading(w, "Views that are missing: the alleles of a fifth, the codes of another fifth; ARI with the groups, %d seeds", few)
	t := lab.NewTable("people", "ARI")
	var by [3]lab.Series
	for _, seed := range lab.Seeds(ctx, firstSeed, few) {
		p := drawn(seed, n, loci, codes, k, 1)
		lack := func(what int) func(int) bool { return func(i int) bool { return i%5 == what } }
		o, err := fitted(ctx, rows(without(p.alleles, lack(0)), without(p.codes, lack(1))), twoViews(loci, codes), k)
		if err != nil {
			return err
		}
		for which := range by {
			var got []int32
			var want []int
			for i, g := range o.Group {
				if min(i%5, 2) == which {
					got, want = append(got, g), append(want, p.labels[i])
				}
			}
			ari, err := lab.ARI(got, want)
			if err != nil {
				return err
			}
			by[which] = append(by[which], ari)
		}
	}
	for which, name := range []string{"with codes alone", "with alleles alone", "with both"} {
		t.Add(name, by[which])
	}
	t.Write(w)
	return nil
}

// lying gives the rows of one of three views to other people.
func lying(ctx context.Context, w io.Writer) error {
	lab.Heading(w, "A view whose rows belong to others: alleles cut into two views, and codes; share of %d seeds in which a view is told as shared", few)
	t := lab.NewTable("rows of other people", "first alleles", "second alleles", "codes")
	names := []string{"first alleles", "second alleles", "codes"}
	for liar := -1; liar < 3; liar++ {
		var by [3]lab.Series
		for _, seed := range lab.Seeds(ctx, firstSeed, few) {
			p := drawn(seed, n, loci, codes, k, 1)
			views := [][][]float32{columns(p.alleles, 0, loci/2), columns(p.alleles, loci/2, loci), p.codes}
			if liar >= 0 {
				views[liar] = mislaid(stream.New(seed, "experiments/two-views/mislaid"), views[liar])
			}
			spec := model.Spec{Model: "multiview", Views: []model.View{
				{Name: names[0], From: 0, To: loci / 2, Spec: alleleSpec},
				{Name: names[1], From: loci / 2, To: loci, Spec: alleleSpec},
				{Name: names[2], From: loci, To: loci + codes, Spec: codeSpec},
			}}
			o, err := fitted(ctx, rows(views...), spec, k)
			if err != nil {
				return err
			}
			for v, name := range names {
				_, s := describe(o, name)
				by[v] = append(by[v], s)
			}
		}
		name := "none"
		if liar >= 0 {
			name = names[liar]
		}
		t.Add(name, by[0], by[1], by[2])
	}
	t.Write(w)
	return nil
}

func columns(view [][]float32, from, to int) [][]float32 {
	out := make([][]float32, len(view))
	for i, x := range view {
		out[i] = x[from:to]
	}
	return out
}
