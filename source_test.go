package moiety_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/moiety-go/moiety"
	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/encode"
	"github.com/moiety-go/moiety/internal/family/gaussian"
	"github.com/moiety-go/moiety/internal/family/poisson"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"

	"gonum.org/v1/gonum/mat"
)

// drawn are records of three kinds with their names.
func drawn(t *testing.T) map[string]sparse.Rows {
	t.Helper()
	centers := mat.NewDense(7, 3, []float64{3, .5, 1, .1, 4, 1, .2, .3, 2, 1, 1, 5, 5, 1, 3, .7, .7, 6, 2, 4, .1})
	p := mixture.New(centers, []float64{.5, .3, .2})
	out := map[string]sparse.Rows{"presences": synth.ExponentialBernoulli(1, 900, 30, 3, synth.UniformWeights).Rows}
	for name, f := range map[string]family.Family{"counts": poisson.New(), "measurements": gaussian.New(gaussian.Options{})} {
		q := p
		if name == "measurements" {
			q = p.With(gaussian.VarianceOf, mat.NewDense(1, 3, []float64{.3, .4, .5})).With(gaussian.ScaleOf, mat.NewDense(7, 1, []float64{1, 1, 1, 1, 1, 1, 1}))
		}
		d, err := f.Sample(q, stream.New(3, name), 900, family.Shape{})
		if err != nil {
			t.Fatal(err)
		}
		out[name] = d.Rows
	}
	return out
}

// TestSources: rows, a data set in memory and one in a file, records, one worker
// and eight, in memory and on disk give the same groups to the last bit, and the
// records placed anew get the same probabilities.
func TestSources(t *testing.T) {
	ctx := context.Background()
	for name, rows := range drawn(t) {
		t.Run(name, func(t *testing.T) {
			names := vocab.Numbered(rows.Dim).Names
			o := moiety.Options{Groups: 3}
			if name == "counts" {
				o.Model = "poisson"
			}
			kind := map[string]record.Kind{"presences": record.Presence, "counts": record.Counts, "measurements": record.Real}[name]
			set := &dataset.Dataset{Kind: kind, Rows: rows, Vocab: vocab.Numbered(rows.Dim)}
			path := filepath.Join(t.TempDir(), "rows")
			if err := dataset.Write(path, set); err != nil {
				t.Fatal(err)
			}
			file, err := dataset.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			want := ""
			for i, c := range []struct {
				src             moiety.Source
				workers, memory int
			}{
				{moiety.Rows(names, rows), 1, 0},
				{moiety.Rows(names, rows), 8, 0},
				{moiety.Rows(names, rows), 2, 1000},
				{moiety.Dataset(set), 2, 0},
				{moiety.Dataset(file), 2, 0},
			} {
				o.Workers, o.Memory, o.TempDir = c.workers, int64(c.memory), t.TempDir()
				got := placesOf(t, ctx, c.src, o)
				if want == "" {
					want = got
				}
				if got != want {
					t.Errorf("source %d: other groups or probabilities", i+1)
				}
				if left, _ := os.ReadDir(o.TempDir); len(left) > 0 {
					t.Errorf("source %d: %d files are left", i+1, len(left))
				}
			}
		})
	}
}

// placesOf fits, places the same records anew, and writes all down.
func placesOf(t *testing.T, ctx context.Context, src moiety.Source, o moiety.Options) string {
	t.Helper()
	found, err := moiety.Fit(ctx, src, o)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := found.Close(); err != nil {
			t.Error(err)
		}
	}()
	a, err := found.Assigned(ctx)
	if err != nil {
		t.Fatal(err)
	}
	b, err := found.Assign(ctx, src)
	if err != nil {
		t.Fatal(err)
	}
	saved(t, ctx, found, a)
	if fmt.Sprint(a.Shares) != fmt.Sprint(b.Shares) || fmt.Sprint(a.IDs) != fmt.Sprint(b.IDs) {
		t.Error("records placed anew have other probabilities or ids")
	}
	return fmt.Sprint(a.IDs, a.Group, a.Probability, a.Shares, found.Model().Params.Weights)
}

// saved: what is saved and opened again gives the same places.
func saved(t *testing.T, ctx context.Context, found *moiety.Result, want *moiety.Assignment) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "run")
	if err := found.Save(path); err != nil {
		t.Fatal(err)
	}
	opened, err := moiety.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	got, err := opened.Assigned(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Error("what was saved and opened again places the records elsewhere")
	}
}

// TestTexts: documents in memory are encoded as those in files, and the progress
// of the work is reported.
func TestTexts(t *testing.T) {
	ctx := context.Background()
	var texts []string
	for i := range 60 {
		texts = append(texts, []string{"court judge jury trial law", "rain wind snow storm cold", "bread butter cheese wine salt"}[i%3]+
			" "+[]string{"court rain", "wine law", "snow salt", "cheese cold"}[i%4])
	}
	path := filepath.Join(t.TempDir(), "texts.txt")
	if err := os.WriteFile(path, []byte(strings.Join(texts, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	heard := make(chan moiety.Event, 10000)
	o := moiety.Options{Groups: 3, Model: "single-topic", Progress: func(e moiety.Event) { heard <- e }}
	a := placesOf(t, ctx, moiety.Texts(texts), o)
	if len(heard) == 0 {
		t.Error("nothing was heard of the work")
	}
	o.Read.Format = "lines"
	if b := placesOf(t, ctx, moiety.Files(path), o); a != b {
		t.Errorf("texts in memory and in a file differ:\n%.300s\n%.300s", a, b)
	}
}

// TestRecords: a source of one's own.
func TestRecords(t *testing.T) {
	set := synth.ExponentialBernoulli(1, 900, 30, 3, synth.UniformWeights)
	d := &dataset.Dataset{Kind: record.Presence, Rows: set.Rows, Vocab: vocab.Numbered(30)}
	src := encode.Records(d, "mine", func(i int) bool { return i%2 == 0 })
	found, err := moiety.Fit(context.Background(), moiety.Records(src), moiety.Options{Groups: 3})
	if err != nil {
		t.Fatal(err)
	}
	defer found.Close()
	places, err := found.Assigned(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if len(places.IDs) != 450 || places.IDs[1] != "3" {
		t.Errorf("%d records, the second is %s", len(places.IDs), places.IDs[1])
	}
}
