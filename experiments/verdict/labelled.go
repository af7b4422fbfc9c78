package verdict

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/moiety-go/moiety/experiments/lab"
	"github.com/moiety-go/moiety/internal/encode"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/read"
	"github.com/moiety-go/moiety/record"
)

// labelledSet is a public set with classes.
type labelledSet struct {
	name, kind string
	file       []string
	read       read.Options // the first label holds the classes
}

// labelledSets are the public sets with classes. iris, wine27 and olive were looked at
// while the rules for measurements were made, hgdp while those for genotypes were; zoo
// and votes chose nothing.
func labelledSets() []labelledSet {
	labelled := func(name, kind, label string, file ...string) labelledSet {
		return labelledSet{name, kind, file, read.Options{Reading: record.Reading{Label: strings.Split(label, ",")}}}
	}
	list := []labelledSet{
		labelled("iris (3 species)", "measurements", "Species", "classics", "iris.csv"),
		labelled("wine27 (3 types)", "measurements", "Type", "classics", "wine27.csv"),
		labelled("olive (9 areas)", "measurements", "Area,Region", "classics", "olive.csv"),
		labelled("zoo (7 classes)", "mixed columns", "type", "classics", "zoo.csv"),
		labelled("votes of 1984 (2 parties)", "answers", "column1", "house-votes-84", "house-votes-84.data"),
		{"hgdp (7 regions)", "genotypes", []string{"hgdp", "genotypes.txt.gz"}, read.Options{Reading: record.Reading{Format: "genotypes"}}},
	}
	list[4].read.Format = "categorical"
	return list
}

// labelled prints what is claimed of sets with classes, beside other tools.
func labelled(ctx context.Context, w io.Writer) error {
	lab.Heading(w, "Labelled sets: groups claimed, agreement with the classes (ARI)")
	t := lab.NewTable("set", "records", "tool", "groups", "range", "sure", "ARI")
	p := newPeers(ctx)
	for _, s := range labelledSets() {
		r, err := lab.Open(ctx, [][]string{s.file}, s.read, encode.Settings{})
		if err != nil {
			if lab.Skipped(w, err) == nil {
				continue
			}
			return fmt.Errorf("%s: %w", s.name, err)
		}
		truth, err := s.classes(r)
		if err != nil {
			return err
		}
		data := r.Fit()
		out, err := fit.Tree(ctx, data, fit.Settings{Seed: 1, Workers: 1})
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		ari, err := lab.ARI(out.Group, truth)
		if err != nil {
			return err
		}
		v := out.Verdict
		t.Add(s.name, r.Len(), "moiety", v.Groups, fmt.Sprintf("%d–%d", v.Range[0], v.Range[1]), v.Sure, fmt.Sprintf("%.2f", ari))
		if p.python == "" || data.Run.Can().Rows == nil {
			continue
		}
		task := tableOf(data, s.kind, truth)
		task.Name = s.name
		answers, err := p.ask(ctx, []peerTask{task})
		if err != nil {
			return err
		}
		for _, a := range answers {
			if a.Note == "" {
				t.Add("", "", a.Peer, a.Groups, "", "", fmt.Sprintf("%.2f", a.ARI))
			}
		}
	}
	t.Write(w)
	return nil
}

// classes are the known classes of a set: its first label, or for genotypes the
// regions that stand in a file beside them.
func (s labelledSet) classes(r *lab.Real) ([]int, error) {
	if len(s.read.Label) > 0 {
		side, ok := r.SideColumn(s.read.Label[0])
		if !ok {
			return nil, fmt.Errorf("%s: no column %q", s.name, s.read.Label[0])
		}
		truth, _ := lab.Numbers(side.Values)
		return truth, nil
	}
	path, err := lab.Path("hgdp", "labels.txt")
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var words []string
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" {
			words = append(words, line)
		}
	}
	truth, _ := lab.Numbers(words)
	return truth, nil
}
