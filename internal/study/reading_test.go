package study_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/run"
	"github.com/moiety-go/moiety/internal/study"
	"github.com/moiety-go/moiety/record"
)

// Counts that are hardly ever 0 look like measurements in the few rows of a site, and like
// counts in those of all sites: a study of sites at which a column looks otherwise is not
// begun before they name the format.
func TestColumnsOfFewRows(t *testing.T) {
	dir := t.TempDir()
	head := "c0,c1,c2\n"
	var files []string
	all := head
	for s := range 3 {
		text := ""
		for i := range 40 {
			row := []string{"", "", ""}
			for h := range row {
				row[h] = fmt.Sprint(1 + (7*i+h)%17)
			}
			if i == 0 {
				row[s] = "0"
			}
			text += strings.Join(row, ",") + "\n"
		}
		files = append(files, filepath.Join(dir, fmt.Sprint("site", s, ".csv")))
		write(t, files[s], head+text)
		all += text
	}
	pooled := filepath.Join(dir, "pooled.csv")
	write(t, pooled, all)
	one := fit.Order{Args: []string{pooled}}
	p, err := fit.Prepare(t.Context(), one, "")
	if err != nil || p.Set.Describe().Kind != record.Counts {
		t.Fatalf("all rows look like %v (%v)", p.Set.Describe().Kind, err)
	}
	p.Close()
	for format, want := range map[string]string{"": `the column "c0" looks like counts at site0 and like real at site1`, "counts": ""} {
		here := t.TempDir()
		f := begin(t, here, len(files), false, order(2, false))
		for i, file := range files {
			j := study.Joining{Home: filepath.Join(here, fmt.Sprint("home", i)), Where: f.Dir, Name: fmt.Sprint("site", i), Order: run.Order{Order: fit.Order{Args: []string{file}}}}
			j.Order.Read.Format = format
			if _, err := study.Join(t.Context(), j); err != nil {
				t.Fatal(err)
			}
		}
		_, err := f.Round(run.Check)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "‹format›")) {
			t.Errorf("format %q: %v, want %q", format, err, want)
		}
	}
}

// Open sums over a few records would show them: a study of these does not judge whether counts
// mix groups, and says what to do.
func TestOpenSumsJudgeNothing(t *testing.T) {
	c := crowds()["counts"]
	for model, want := range map[string]string{"": "name the model with ‹model› (lda or single-topic)", "poisson": ""} {
		dir := t.TempDir()
		files, _ := c.write(t, dir, 12, 12, 12)
		o, as := c.order(model, false)
		f := begin(t, dir, len(files), true, o)
		var last error
		for i, file := range files {
			j := study.Joining{Home: filepath.Join(dir, fmt.Sprint("home", i)), Where: f.Dir, Name: fmt.Sprint("site", i), Open: true, Order: run.Order{Order: fit.Order{Args: []string{file}, Read: as}}}
			if _, err := study.Join(t.Context(), j); err != nil {
				t.Fatal(err)
			}
		}
		for range 3 {
			if _, err := f.Round(run.Check); err != nil {
				t.Fatal(err)
			}
			for i := range files {
				h, err := study.OpenHome(filepath.Join(dir, fmt.Sprint("home", i)))
				if err != nil {
					t.Fatal(err)
				}
				if _, err := h.Round(t.Context(), run.Order{}, false); err != nil {
					last = err
				}
			}
		}
		if want == "" && last != nil || want != "" && (last == nil || !strings.Contains(last.Error(), want)) {
			t.Errorf("model %q: %v, want %q", model, last, want)
		}
	}
}
