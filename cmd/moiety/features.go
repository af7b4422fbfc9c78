package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/inspect"
	"github.com/moiety-go/moiety/internal/latent"
	"github.com/moiety-go/moiety/report"
)

// defaultFeatures is how many features a tree shows: a page or two.
const defaultFeatures = 60

func (a *app) featuresCommand() *cobra.Command {
	var r reading
	var e encoding
	var m machine
	n, limit := defaultFeatures, 0
	share, health := false, false
	c := &cobra.Command{
		Use:   "features DATA...",
		Short: "Say which features come together: a tree of diagnoses, words or answers",
		Long: `Reads data and finds which of the most frequent features come together in the same
records, which of these groups belong together in turn, and which features come
together with no other. Nothing is written. (Recursive grouping on pair counts.)`,
		Example: `  moiety features claims.csv
  moiety features texts/ -n 100 --stopwords en`,
		RunE: func(c *cobra.Command, args []string) error {
			if err := needData(c, args); err != nil {
				return err
			}
			if n < 2 || n > latent.MostFeatures {
				return misuse("-n %d: write a number of features from 2 to %d", n, latent.MostFeatures)
			}
			o := fit.Order{Args: args, Read: r.o, Now: time.Now}
			var err error
			if o.Encode, err = e.settings(); err != nil {
				return err
			}
			if err := m.apply(a, &o.Read, &o.Encode); err != nil {
				return err
			}
			o.MinCell, o.Health = limit, health
			return a.features(c.Context(), o, n, share)
		},
	}
	c.Flags().IntVarP(&n, "number", "n", n, "features in the tree, the most frequent ones")
	c.Flags().IntVar(&limit, "min-cell", 0, "smallest count to show (11 for health data; -1: show all)")
	c.Flags().BoolVar(&health, "health", false, "the records are of people's health, whatever their form")
	addShare(c, &share)
	e.add(c)
	r.add(c)
	m.add(c)
	return c
}

func (a *app) features(ctx context.Context, o fit.Order, n int, share bool) error {
	x, err := inspect.Features(a.listening(ctx), o, n, share)
	if err != nil {
		return ofData(err)
	}
	if a.json {
		return a.document("features", x)
	}
	groups := 0
	for _, f := range x.Nodes {
		if f.Parent == "" {
			groups++
		}
	}
	a.print("%s\n", wrap(fmt.Sprintf("%s, the %s of %s: %s of features that come together, %s with no other.", counted(x.Records, "record", "records"),
		count(x.Features, "most frequent feature", "most frequent features"), report.Thousands(x.Of), count(groups, "tree", "trees"), count(len(x.Alone), "feature", "features")), 100, ""))
	for i, f := range x.Nodes {
		if f.Parent == "" {
			a.print("\n")
		}
		a.print("%s%s\n", branchOf(x.Nodes, i), featureInWords(x, f))
	}
	if len(x.Alone) > 0 {
		a.print("\n%s\n", wrap("With no other: "+firstOf(x.Alone, 40)+".", 100, "  "))
	}
	if words := x.Words(); words != "" {
		a.print("\n%s\n", wrap(words, 100, ""))
	}
	return nil
}

// featureInWords is the line of a node.
func featureInWords(x *inspect.FeatureTree, f inspect.FeatureNode) string {
	if f.Feature != "" {
		name := f.Feature
		if f.Title != "" {
			name += "  " + f.Title
		}
		if n, ok := f.Count.Value(); ok {
			if all, ok := x.Records.Value(); ok && all > 0 {
				name += fmt.Sprintf("  %.1f %%", 100*float64(n)/float64(all))
			}
		}
		return name
	}
	words := fmt.Sprintf("%s: %s features. Most clearly: %s and %s", f.ID, report.Thousands(f.Members), f.Pair[0], f.Pair[1])
	if times, ok := f.Times.Value(); ok {
		words += fmt.Sprintf(", %.1f times as often together as by chance", times)
	}
	if !f.Repeats {
		words += "; half of the records shows other features in it"
	}
	return words
}

// branchOf draws the way from the root to a node.
func branchOf(nodes []inspect.FeatureNode, at int) string {
	id := nodes[at].ID
	depth := strings.Count(id, ".")
	if depth == 0 {
		return ""
	}
	last := func(prefix string) bool { // no later node has this parent
		parent := prefix[:strings.LastIndex(prefix, ".")]
		for _, n := range nodes[at+1:] {
			if n.Parent == parent && n.ID != prefix {
				return false
			}
		}
		return true
	}
	parts := strings.Split(id, ".")
	var b strings.Builder
	for level := 1; level <= depth; level++ {
		end := last(strings.Join(parts[:level+1], "."))
		switch {
		case level == depth && end:
			b.WriteString("└─ ")
		case level == depth:
			b.WriteString("├─ ")
		case end:
			b.WriteString("   ")
		default:
			b.WriteString("│  ")
		}
	}
	return b.String()
}
