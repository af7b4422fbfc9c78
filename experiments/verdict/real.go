package verdict

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/moiety-go/moiety/experiments/lab"
	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/encode"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/read"
	"github.com/moiety-go/moiety/record"
)

// realSet is a file of presences or answers.
type realSet struct {
	name  string
	file  []string
	read  read.Options
	label string // side column with the known classes
}

func realList() []realSet {
	answers := read.Options{Reading: record.Reading{Format: "categorical"}}
	list := []realSet{
		{"votes of 1984 (2 parties)", []string{"house-votes-84", "house-votes-84.data"}, read.Options{Reading: record.Reading{Format: "categorical", Label: []string{"column1"}}}, "column1"},
	}
	for _, name := range []string{"carcinoma", "values", "hivtests", "dentistry", "alzheimer", "naep", "gss82", "hads"} {
		list = append(list, realSet{name, []string{"lca", name + ".csv"}, answers, ""})
	}
	return list
}

// measuredSets prints what is claimed of real measurements.
func measuredSets(ctx context.Context, w io.Writer) error {
	list := []realSet{{"iris (3 species)", []string{"classics", "iris.csv"}, read.Options{Reading: record.Reading{Label: []string{"Species"}}}, "Species"}}
	list = append(list,
		realSet{"wine27 (3 types)", []string{"classics", "wine27.csv"}, read.Options{Reading: record.Reading{Label: []string{"Type"}}}, "Type"},
		realSet{"olive (9 areas)", []string{"classics", "olive.csv"}, read.Options{Reading: record.Reading{Label: []string{"Region", "Area"}}}, "Area"},
	)
	return sets(ctx, w, list)
}

// realSets prints what is claimed of real files.
func realSets(ctx context.Context, w io.Writer) error { return sets(ctx, w, realList()) }

func sets(ctx context.Context, w io.Writer, list []realSet) error {
	lab.Heading(w, "Real files")
	t := lab.NewTable("file", "records", "groups", "range", "sure", "evidence, nats", "tree before", "BIC", "ARI", "in words")
	for _, s := range list {
		r, err := lab.Open(ctx, [][]string{s.file}, s.read, encode.Settings{})
		if err != nil {
			if lab.Skipped(w, err) == nil {
				continue
			}
			return fmt.Errorf("%s: %w", s.name, err)
		}
		data := r.Fit()
		out, err := fit.Tree(ctx, data, fit.Settings{Seed: 1, Workers: 1})
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		v := out.Verdict
		if v == nil {
			continue
		}
		tree, err := before(ctx, data)
		if err != nil {
			return err
		}
		bic, err := leastBIC(ctx, data)
		if err != nil {
			return err
		}
		ari := "–"
		if side, ok := r.SideColumn(s.label); ok {
			truth, _ := lab.Numbers(side.Values)
			a, err := agree.ARI(lab.Ints(out.Group), truth)
			if err != nil {
				return err
			}
			ari = fmt.Sprintf("%.2f", a)
		}
		words := []string{v.Reason}
		for _, d := range v.Against {
			words = append(words, d.Text)
		}
		t.Add(s.name, r.Len(), v.Groups, fmt.Sprintf("%d–%d", v.Range[0], v.Range[1]), v.Sure,
			fmt.Sprintf("%.0f ± %.0f", v.Evidence.Nats, v.Evidence.Error), tree, bic, ari, strings.Join(words, " "))
	}
	t.Write(w)
	return nil
}
