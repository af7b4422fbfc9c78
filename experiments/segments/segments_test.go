// Package segments_test holds the segments of public sets against their classes.
package segments_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/experiments/lab"
	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/division"
	"github.com/moiety-go/moiety/internal/encode"
	"github.com/moiety-go/moiety/internal/read"
	"github.com/moiety-go/moiety/record"
)

// TestRealSets: the segments of public sets agree with their classes as far as those of the
// same rule by other programs' fits do (scikit-learn 1.7: iris 2 segments with ARI .57, olive 5
// with .60, wine27 3 with .90, zoo 2 with .45).
func TestRealSets(t *testing.T) {
	if testing.Short() {
		t.Skip("real sets take seconds")
	}
	label := func(format, label string) read.Options {
		o := read.Options{Reading: record.Reading{Format: format}}
		if label != "" {
			o.Label = strings.Split(label, ",")
		}
		return o
	}
	for _, c := range []struct {
		file   []string
		read   read.Options
		groups int     // 0: any, -1: none
		least  float64 // ARI
	}{
		{[]string{"classics", "iris.csv"}, label("", "Species"), 2, .56},
		{[]string{"classics", "olive.csv"}, label("", "Region,Area"), 5, .59},
		{[]string{"classics", "wine27.csv"}, label("", "Type"), 3, .85},
		{[]string{"classics", "zoo.csv"}, label("", "type"), 0, .4},
		{[]string{"house-votes-84", "house-votes-84.data"}, label("categorical", "column1"), 2, .5},
		{[]string{"hgdp", "genotypes.txt.gz"}, label("genotypes", ""), 0, .4},
		{[]string{"divina-commedia", "cantos"}, label("", ""), -1, 0},
	} {
		name := c.file[len(c.file)-1]
		set, err := lab.Open(t.Context(), [][]string{c.file}, c.read, encode.Settings{})
		if errors.Is(err, lab.ErrNoData) {
			t.Logf("%s: %v", name, err)
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		var d *division.Division
		seconds, err := lab.Timed(func() (err error) {
			d, err = division.Segments(t.Context(), division.New(set.Rows, set.Kind, set.Vocab), division.Settings{Seed: 1, Workers: 1})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if d == nil {
			if t.Logf("%-22s one group, %.1f CPU s", name, seconds); c.groups >= 0 {
				t.Errorf("%s: one group", name)
			}
			continue
		}
		a, err := agree.ARI(d.Label, classes(t, set, name))
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%-22s %d segments by %s%s, score %.3f (repeat %.3f, agreement %.3f, gap %.3f), ARI %.3f, %.1f CPU s",
			name, d.Groups, d.View, d.Method, d.Score(), d.Repeat, d.Agreement, d.Gap, a, seconds)
		if a < c.least || c.groups != 0 && d.Groups != c.groups {
			t.Errorf("%s: %d segments with ARI %.3f, want %d with %.2f", name, d.Groups, a, c.groups, c.least)
		}
	}
}

// classes are the known classes of a set: its first label, the regions that stand in a file
// beside genotypes, or the book that a song stands in.
func classes(t *testing.T, set *lab.Real, name string) []int {
	var words []string
	switch name {
	case "genotypes.txt.gz":
		path, err := lab.Path("hgdp", "labels.txt")
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		words = strings.Fields(string(text))
	case "cantos":
		for _, id := range set.IDs {
			words = append(words, id[:1])
		}
	default:
		words = set.Side[0].Values
	}
	labels, _ := lab.Numbers(words)
	return labels
}
