package show_test

import (
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/show"
)

var pictures = flag.String("pictures", "", "write all pictures into this folder, to be looked at")

func recordsOf(o *fit.Outcome, d *dataset.Dataset) show.Records {
	return show.Records{Rows: show.RowsOf(context.Background(), d), Group: o.Group, Probability: o.Probability}
}

// picture is a scene with its name.
type picture struct {
	name  string
	scene *show.Scene
}

// scenes draws every chart of a report.
func scenes(t *testing.T, name string, r *report.Report, rec show.Records) []picture {
	t.Helper()
	out := []picture{{name + "-tree", show.Icicle(r)}}
	for i := range r.Groups {
		out = append(out, picture{name + "-dots-" + r.Groups[i].ID, show.DotPlot(r, &r.Groups[i])})
		if i > 0 {
			out = append(out, picture{name + "-two-" + r.Groups[i].ID, show.DotPlotOfTwo(r, &r.Groups[i], &r.Groups[i-1])})
		}
	}
	for j := range r.Leaves {
		s, err := show.TopicMap(r, j)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, picture{name + "-map-" + r.Leaf(j).ID, s})
	}
	for word, draw := range map[string]func(*report.Report, show.Records) (*show.Scene, error){"heat": show.HeatMap, "areas": show.AssignmentAreas} {
		s, err := draw(r, rec)
		if errors.Is(err, show.ErrNoPicture) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, picture{name + "-" + word, s})
	}
	return out
}

// generic are charts of the helpers for experiments.
func generic() []picture {
	k := []float64{2, 3, 4, 6, 8, 12, 16, 24, 32}
	rise := func(a, b float64) []float64 {
		out := make([]float64, len(k))
		for i, x := range k {
			out[i] = a + b*x
		}
		return out
	}
	coherence := show.LineChart{
		ID: "coherence", Title: "Coherence falls with the number of topics", Subtitle: "UMass coherence of the 20 most relevant words, mean over topics.",
		XLabel: "number of topics k", YLabel: "coherence", Width: 460,
		Series: []show.Series{{Name: "single topic, moments", X: k, Y: rise(-180, -2)}, {Name: "LDA, moments", X: k, Y: rise(-190, -2.2)}, {Name: "LDA, Gibbs sampler", X: k, Y: rise(-240, -1)}},
		At:     []show.Reference{{X: 4, Name: "chosen"}}, Notes: []string{"N = 100 cantos."},
	}
	times := coherence
	times.ID, times.Title, times.YLabel, times.LogY = "times", "Sampling takes a hundred times as long", "seconds", true
	times.Subtitle = "Running time of one fit."
	times.Series = []show.Series{{Name: "single topic, moments", X: k, Y: rise(.01, .002)}, {Name: "LDA, moments", X: k, Y: rise(.02, .01)}, {Name: "LDA, Gibbs sampler", X: k, Y: rise(3, 1)}}
	bars := show.BarChart{
		ID: "bars", Title: "The method of moments is as good as EM and faster", XLabel: "adjusted Rand index",
		Categories: []string{"ASVTD + EM", "k-means", "spectral clustering"},
		Series:     []show.Bars{{Name: "heart failure", Value: []float64{.91, .6, .7}, Low: []float64{.88, .5, .65}, High: []float64{.93, .7, .75}}, {Name: "tertiarism", Value: []float64{.85, .5, .72}}},
		Notes:      []string{"Mean of 10 runs."},
	}
	return []picture{
		{"generic-line", coherence.Scene()},
		{"generic-bars", bars.Scene()},
		{"generic-times", times.Scene()},
	}
}

// TestPictures writes the pictures to be looked at, when asked to.
func TestPictures(t *testing.T) {
	if *pictures == "" {
		t.Skip("no -pictures folder: pictures are written only to be looked at")
	}
	all := generic()
	w, l := ward(t, 1, 3000), library(t, 1, 300)
	for _, c := range []struct {
		name string
		d    *dataset.Dataset
		o    *fit.Outcome
		s    report.Settings
	}{
		{"ward-tree", w, grown(t, w, fit.TreeShape{}), report.Settings{Health: true}},
		{"library-tree", l, grown(t, l, fit.TreeShape{}), report.Settings{}},
		{"library-lda", l, flat(t, l, 6, "lda"), report.Settings{}},
	} {
		all = append(all, scenes(t, c.name, explained(t, c.o, c.d, c.s), recordsOf(c.o, c.d))...)
	}
	for _, p := range all {
		write := func(ext string, draw func(*os.File) error) {
			f, err := os.Create(filepath.Join(*pictures, p.name+ext))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if err := draw(f); err != nil {
				t.Fatal(err)
			}
		}
		write(".svg", func(f *os.File) error { return show.WriteSVG(f, p.scene) })
		write(".png", func(f *os.File) error { return show.WritePNG(f, p.scene, 1.5) })
		write(".pdf", func(f *os.File) error { return show.WritePDF(f, p.scene) })
	}
}
