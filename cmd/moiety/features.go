package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/inspect"
	"github.com/moiety-go/moiety/internal/latent"
	"github.com/moiety-go/moiety/internal/outfile"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/show"
)

// defaultFeatures is how many features a tree shows: a page or two.
const defaultFeatures = 60

func (a *app) featuresCommand() *cobra.Command {
	var r reading
	var e encoding
	var m machine
	n, limit := defaultFeatures, 0
	share, health := false, false
	var out target
	c := &cobra.Command{
		Use:   "features DATA...",
		Short: "Say which features come together: a tree of diagnoses, words or answers",
		Long: `Reads data and finds which of the most frequent features come together in the same
records, which of these groups belong together in turn, and which features come
together with no other. (Recursive grouping on pair counts.) -o writes the tree as a
picture (.svg, .png) or as a page with its explanation (.html).`,
		Example: `  moiety features claims.csv
  moiety features claims.csv -o together.html
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
			return a.features(c.Context(), o, n, share, out)
		},
	}
	c.Flags().IntVarP(&n, "number", "n", n, "features in the tree, the most frequent ones")
	c.Flags().IntVar(&limit, "min-cell", 0, "smallest count to show (11 for health data; -1: show all)")
	c.Flags().BoolVar(&health, "health", false, "the records are of people's health, whatever their form")
	addShare(c, &share)
	out.add(c, "picture or page to write: .svg, .png or .html")
	e.add(c)
	r.add(c)
	m.add(c)
	return c
}

// featureWriters say how the tree is written, by the end of the file's name.
func featureWriters() map[string]func(io.Writer, *report.FeatureTree) error {
	drawn := func(write func(io.Writer, *show.Scene) error) func(io.Writer, *report.FeatureTree) error {
		return func(w io.Writer, t *report.FeatureTree) error { return write(w, show.FeatureTree(t)) }
	}
	return map[string]func(io.Writer, *report.FeatureTree) error{
		".html": show.FeatureTreeHTML, ".svg": drawn(show.WriteSVG),
		".png": drawn(func(w io.Writer, s *show.Scene) error { return show.WritePNG(w, s, 2) }),
	}
}

func (a *app) features(ctx context.Context, o fit.Order, n int, share bool, out target) error {
	ext := strings.ToLower(filepath.Ext(out.path))
	write, ok := featureWriters()[ext]
	form := formOf(strings.TrimPrefix(ext, "."))
	if ext == ".html" {
		form = formOf("report" + ext)
	}
	if out.path != "" {
		if !ok {
			return misuse("-o %s: name a file that ends in .svg, .png or .html", out.path)
		}
		if err := outfile.Check(out.path, form, out.force); err != nil {
			return err
		}
	}
	x, err := inspect.Features(a.listening(ctx), o, n, share)
	if err != nil {
		return ofData(err)
	}
	if out.path != "" {
		if err := a.draw(ctx, out, form, func(w io.Writer) error { return write(w, x) }); err != nil {
			return err
		}
	}
	if a.json {
		return a.document("features", x)
	}
	a.print("%s\n", wrap(fmt.Sprintf("%s, the %s of %s: %s of features that come together, %s with no other.", counted(x.Records, "record", "records"),
		count(x.Features, "most frequent feature", "most frequent features"), report.Thousands(x.Of), count(x.Trees(), "tree", "trees"), count(len(x.Alone), "feature", "features")), 100, ""))
	for i := range x.Nodes {
		if x.Nodes[i].Parent == "" {
			a.print("\n")
		}
		a.print("%s%s\n", branchOf(x.Nodes, i), x.Words(&x.Nodes[i]))
	}
	if len(x.Alone) > 0 {
		a.print("\n%s\n", wrap("With no other: "+firstOf(x.Alone, 40)+".", 100, "  "))
	}
	if x.For != "" {
		a.print("\n%s\n", wrap(x.For, 100, ""))
	}
	if out.path != "" {
		a.say("wrote %s", out.path)
	}
	return nil
}

// draw writes one file.
func (a *app) draw(ctx context.Context, out target, form outfile.Form, write func(io.Writer) error) error {
	f, err := a.create(ctx, out, form, false)
	if err != nil {
		return err
	}
	defer f.Abandon()
	if err := write(f); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return f.Commit()
}

// branchOf draws the way from the root to a node.
func branchOf(nodes []report.FeatureNode, at int) string {
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
