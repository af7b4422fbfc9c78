package geometric_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety"
	"github.com/moiety-go/moiety/docs/geometric"
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/family/familytest"
	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/show"
)

// TestSize: a model is added in two places, the folder and the line that hands it
// over, of no more than 150 lines.
func TestSize(t *testing.T) {
	text, err := os.ReadFile("geometric.go")
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(text, []byte{'\n'}); n > 149 {
		t.Errorf("%d lines, want 149 and the line that hands it over at most", n)
	}
}

// TestSpokenOf: a flat fit and a tree of the new model are spoken of in averages
// by the report and by show, and a run of it is opened again.
func TestSpokenOf(t *testing.T) {
	ctx := context.Background()
	draw, err := geometric.Family{}.Sample(params(), stream.New(1, "geometric"), 6000, family.Shape{})
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"visits", "calls", "letters", "tests", "pills", "falls"}
	for shape, o := range map[string]moiety.Options{"flat": {Groups: 3}, "tree": {Leaves: 3}} {
		t.Run(shape, func(t *testing.T) {
			o.Family = geometric.Family{}
			found, err := moiety.Fit(ctx, moiety.Rows(names, draw.Rows), o)
			if err != nil {
				t.Fatal(err)
			}
			defer found.Close()
			path := filepath.Join(t.TempDir(), "run")
			if err := found.Save(path); err != nil {
				t.Fatal(err)
			}
			opened, err := moiety.Open(path, geometric.Family{})
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range []*moiety.Result{found, opened} {
				spoken(t, ctx, r)
				places, err := r.Assigned(ctx)
				if err != nil {
					t.Fatal(err)
				}
				if ari, err := agree.ARI(places.Group, draw.Labels); err != nil || ari < .5 {
					t.Errorf("ARI %.2f with the groups that made the records (%v)", ari, err)
				}
			}
			if _, err := moiety.Open(path); err == nil {
				t.Error("a run of a model that nobody knows is opened")
			}
		})
	}
}

func spoken(t *testing.T, ctx context.Context, r *moiety.Result) {
	t.Helper()
	rep, err := r.Report(ctx, report.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	for f, of := range rep.Table.Of {
		if of != report.Average {
			t.Errorf("feature %d is spoken of in %q, want %q", f+1, of, report.Average)
		}
	}
	if !strings.Contains(rep.Fit.InWords, "geometric counts") {
		t.Errorf("the model in words: %q", rep.Fit.InWords)
	}
	var text bytes.Buffer
	if err := show.Tree(&text, rep, show.Options{}); err != nil {
		t.Fatal(err)
	}
	for j := range rep.Leaves {
		if err := show.Group(&text, rep, rep.Leaf(j).ID, show.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	if s := text.String(); !strings.Contains(s, "on average") || strings.Contains(s, "visits 100 %") {
		t.Errorf("not in averages:\n%s", s)
	}
}

func params() mixture.Params {
	return mixture.New(mat.NewDense(6, 3, []float64{
		3, .5, 1,
		.1, 4, 1,
		.2, .3, 2,
		1, 1, 1,
		5, 1, 3,
		.7, .7, 6,
	}), []float64{.5, .3, .2})
}

// TestBattery puts the example through what every model goes through.
func TestBattery(t *testing.T) {
	negative := params()
	negative.Centers.Set(2, 1, -.1)
	familytest.Run(t, geometric.Family{}, familytest.Case{
		Params: params(), Illegal: []mixture.Params{negative}, Free: 2 + 6*3,
		Coordinates: func(src moment.Source, p mixture.Params) mixture.Params {
			return familytest.Divide(p, src.(*moment.Sampled).Formula().Scale)
		},
	})
}
