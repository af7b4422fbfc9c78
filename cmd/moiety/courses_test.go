package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
)

// Sequences of two kinds, with times: the fit tells the courses and when the next
// step comes, in words, on the page and in tables; new sequences get the course that
// fitting gave them.
func TestCoursesAndWaits(t *testing.T) {
	numtest.NotShort(t)
	dir := t.TempDir()
	r := rand.New(rand.NewPCG(4, 2))
	var b strings.Builder
	b.WriteString("id,day,symbol\n")
	for i := range 240 {
		state, day := r.IntN(3), 0
		for range 25 {
			symbol := 2*state + r.IntN(2)
			if r.Float64() < .1 {
				symbol = r.IntN(6)
			}
			fmt.Fprintf(&b, "s%d,%d,%c\n", i, day, "abcdef"[symbol])
			day += []int{20, 3, 8}[state] + r.IntN(5)
			if stays := []float64{.9, .3}[i%2]; r.Float64() > stays {
				state = (state + 1) % 3
			}
		}
	}
	data, run := filepath.Join(dir, "steps.csv"), filepath.Join(dir, "run")
	writeText(t, data, b.String())
	reading := []string{"--format", "sequences", "--id", "id", "--time", "day"}
	if code, _, said := do(t, append([]string{"fit", data, "-k", "3", "--courses", "2", "-o", run}, reading...)...); code != 0 {
		t.Fatal(said)
	}
	code, out, said := do(t, "show", run)
	if code != 0 || !strings.Contains(out, "course 1:") || !strings.Contains(out, "When the next step comes") {
		t.Errorf("show says %s%s", out, said)
	}
	page := filepath.Join(dir, "page.html")
	if code, _, said := do(t, "report", run, "-o", page); code != 0 {
		t.Fatal(said)
	}
	for _, want := range []string{"Which state comes next, and when", "next step after", "Courses"} {
		if !strings.Contains(slurped(t, page), want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	tables := filepath.Join(dir, "tables")
	if code, _, said := do(t, "export", run, "--to", "csv", "-o", tables); code != 0 {
		t.Fatal(said)
	}
	placed := filepath.Join(dir, "placed.csv")
	if code, _, said := do(t, "assign", run, data, "--courses", "-o", placed); code != 0 {
		t.Fatal(said)
	}
	courses := slurped(t, filepath.Join(tables, "courses.csv"))
	if got := slurped(t, placed); got != courses {
		t.Errorf("assign gives other courses than the fit:\n%s\nwant\n%s", got[:200], courses[:200])
	}
	right := 0
	for i, line := range strings.Split(strings.TrimSpace(courses), "\n")[1:] {
		if strings.Split(line, ",")[1] == strings.Split(strings.Split(courses, "\n")[1+i%2], ",")[1] {
			right++
		}
	}
	if right < 228 { // 95 of 100
		t.Errorf("%d of 240 sequences are in the course of their kind", right)
	}
	waits := strings.Split(strings.TrimSpace(slurped(t, filepath.Join(tables, "waits.csv"))), "\n")
	if len(waits) != 4 || !strings.HasPrefix(waits[0], "state,unit,median,low,high") {
		t.Errorf("waits %q", waits)
	}
	if code, _, said := do(t, "assign", run, data, "--courses", "--probabilities", "all"); code != 2 {
		t.Errorf("--courses and --probabilities: code %d, %s", code, said)
	}
}

func slurped(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
