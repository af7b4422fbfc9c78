package run

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/model"
)

// arriving are tables of records in batches, and what is said of them.
type arriving struct {
	head  string
	lines [][]string // of every batch
	s     fit.Settings
}

func arrivals(batches, each int) map[string]arriving {
	r := stream.New(17, "arrivals")
	codes := strings.Fields("428 427 414 401 250 272 585 403 496 486 518 491")
	long := arriving{head: "patient,code"}
	wide := arriving{head: "id,x0,x1,x2,x3,x4,x5,x6,x7", s: fit.Settings{K: 2, Spec: model.Spec{Model: "bernoulli"}}}
	real := arriving{head: "id,a,b,c,d", s: fit.Settings{K: 2, Spec: model.Spec{Model: "gaussian"}}}
	for b := range batches {
		var l, w, m []string
		for i := range each {
			z := r.IntN(3)
			for h, c := range codes {
				if p := .1 + .6*float64(b2i(h/4 == z)); r.Float64() < p || h == 4*z {
					l = append(l, fmt.Sprintf("p%d-%d,%s", b, i, c))
				}
			}
			row := fmt.Sprintf("w%d-%d", b, i)
			for h := range 8 {
				row += fmt.Sprintf(",%d", b2i(r.Float64() < .15+.7*float64(b2i((h < 4) == (z == 0)))))
			}
			w = append(w, row)
			row = fmt.Sprintf("m%d-%d", b, i)
			for h := range 4 {
				row += fmt.Sprintf(",%.3f", 3*float64(b2i(z == 0))*float64(h)+r.NormFloat64())
			}
			m = append(m, row)
		}
		long.lines, wide.lines, real.lines = append(long.lines, l), append(wide.lines, w), append(real.lines, m)
	}
	return map[string]arriving{"codes, a tree": long, "a table": wide, "measurements": real}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (a arriving) file(t *testing.T, batches [][]string, without string) string {
	t.Helper()
	text := a.head + "\n"
	for _, lines := range batches {
		for _, l := range lines {
			if without == "" || !strings.HasPrefix(l, without+",") {
				text += l + "\n"
			}
		}
	}
	name := filepath.Join(t.TempDir(), "data.csv")
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

func (a arriving) fit(t *testing.T, data string) *Run {
	t.Helper()
	o := Order{Order: fit.Order{Args: []string{data}, Fit: a.s}, Out: filepath.Join(t.TempDir(), "run")}
	o.Fit.Seed = 1
	r, err := Make(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func updated(t *testing.T, r *Run, u Update) *Run {
	t.Helper()
	m, err := r.Update(t.Context(), u)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	out, err := m.Write(t.Context(), filepath.Join(t.TempDir(), "run"), false)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// sameBytes compares the groups, places and rows of two runs.
func sameBytes(t *testing.T, got, want *Run) {
	t.Helper()
	for _, name := range []string{rowsFile, modelFile, treeFile, assignmentsFile} {
		w, err := os.ReadFile(filepath.Join(want.Path, name))
		if os.IsNotExist(err) {
			continue
		}
		g, err := os.ReadFile(filepath.Join(got.Path, name))
		if err != nil || string(g) != string(w) {
			t.Errorf("%s has other bytes than that of one fit of all (%v)", name, err)
		}
	}
}

// TestBatches: 20 batches, one after the other, are one fit of all records; a record
// that is taken out is as if it had never been there.
func TestBatches(t *testing.T) {
	t.Parallel()
	for name, a := range arrivals(numtest.Scale(3, 20, 20), 60) {
		if testing.Short() && name == "measurements" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			r := a.fit(t, a.file(t, a.lines[:1], ""))
			for b := range a.lines[1:] {
				r = updated(t, r, Update{Order: Order{Order: fit.Order{Args: []string{a.file(t, a.lines[b+1:b+2], "")}}}})
			}
			sameBytes(t, r, a.fit(t, a.file(t, a.lines, "")))
			if b := r.Manifest.Batches; b == nil || len(b.Records) != len(a.lines) {
				t.Errorf("batches: %+v", b)
			}
			id := strings.Split(a.lines[2][5], ",")[0]
			sameBytes(t, updated(t, r, Update{Withdraw: []string{id}}), a.fit(t, a.file(t, a.lines, id)))
			if _, err := r.Update(t.Context(), Update{Withdraw: []string{"nobody"}}); err == nil || !strings.Contains(err.Error(), "nobody") {
				t.Errorf("a record that is not there: %v", err)
			}
		})
	}
}

// TestForget: groups that drift are followed within three batches where each counts
// half as much as the next, and not where nothing is forgotten.
func TestForget(t *testing.T) {
	t.Parallel()
	r := stream.New(3, "drift")
	batch := func(b int, p [2]float64) []string {
		var out []string
		for i := range numtest.Scale(200, 400, 400) {
			row := fmt.Sprintf("d%d-%d", b, i)
			for h := range 10 {
				row += fmt.Sprintf(",%d", b2i(r.Float64() < p[b2i((h < 5) == (i%2 == 0))]))
			}
			out = append(out, row)
		}
		return out
	}
	a := arriving{head: "id,x0,x1,x2,x3,x4,x5,x6,x7,x8,x9", s: fit.Settings{K: 2, Spec: model.Spec{Model: "bernoulli"}}}
	for b := range 5 {
		a.lines = append(a.lines, batch(b, [2]float64{.1, .9}))
	}
	for b := range 3 {
		a.lines = append(a.lines, batch(5+b, [2]float64{.4, .9}))
	}
	low := func(forget float64) float64 {
		run := a.fit(t, a.file(t, a.lines[:1], ""))
		for b := range a.lines[1:] {
			run = updated(t, run, Update{Forget: forget, Order: Order{Order: fit.Order{Args: []string{a.file(t, a.lines[b+1:b+2], "")}}}})
		}
		sum, p := 0.0, run.Outcome.Model.Params
		for h := range 10 {
			sum += min(p.Centers.At(h, 0), p.Centers.At(h, 1))
		}
		return sum / 10
	}
	slow, quick := low(0), low(.5)
	if numtest.Off(quick, .4, .05) || numtest.Off(slow, (.1*5+.4*3)/8, .03) {
		t.Errorf("after three batches of .4 the groups stand at %.3f where half is forgotten, and at %.3f where nothing is", quick, slow)
	}
}
