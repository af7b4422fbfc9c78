package run

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/numtest"
)

// A table of 0 and 1 with blanks whose format is named gives the same files
// whether its rows fit into memory or not.
func TestBlanksOnDisk(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("a,b,c,d,e,f\n")
	for i := range 5000 {
		for h := range 6 {
			cell := "0"
			switch {
			case (i*7+h*13)%23 == 0:
				cell = ""
			case (i+h)%2 == 0 != ((i*31+h*17)%11 == 0):
				cell = "1"
			}
			b.WriteString(cell + map[bool]string{true: "\n", false: ","}[h == 5])
		}
	}
	data := filepath.Join(t.TempDir(), "answers.csv")
	if err := os.WriteFile(data, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	made := func(memory int64, format string) *Run {
		o := order(data, filepath.Join(t.TempDir(), "r"))
		o.Fit, o.Read.Format = fit.Settings{K: 2, Seed: 1}, format
		o.Encode.MaxMemory = memory
		r, err := Make(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	here, disk := made(0, "binary"), made(1000, "binary")
	for _, name := range []string{modelFile, rowsFile, assignmentsFile} {
		x, _ := os.ReadFile(filepath.Join(here.Path, name))
		y, _ := os.ReadFile(filepath.Join(disk.Path, name))
		if len(x) == 0 || !bytes.Equal(x, y) {
			t.Errorf("%s differs", name)
		}
	}
	// Blanks are decided once, on all records: naming the format changes nothing.
	if m := here.Outcome.Model.Spec.Model; m != "categorical" {
		t.Errorf("fitted as %s, want answers with missing ones skipped", m)
	}
	guessed := made(0, "")
	for i, g := range guessed.Outcome.Group {
		if p := here.Outcome.Probability[i]; g != here.Outcome.Group[i] || numtest.Off(float64(p-guessed.Outcome.Probability[i]), 0, 1e-5) {
			t.Fatalf("record %d: group %d with %v where the format is named, %d with %v where it is guessed", i+1, here.Outcome.Group[i], p, g, guessed.Outcome.Probability[i])
		}
	}
}
