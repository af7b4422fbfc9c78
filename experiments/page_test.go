package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The output of a run replaces that of the last one; the page around it stays.
func TestBetween(t *testing.T) {
	path := filepath.Join(t.TempDir(), "page.md")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("head\n" + summaryMark + "\nold\n" + summaryEnd + "tail\n")
	if err := between(path, summaryMark, summaryEnd, []byte("new\n")); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if want := "head\n" + summaryMark + "\nnew\n\n" + summaryEnd + "tail\n"; string(got) != want {
		t.Errorf("got %q, want %q", got, want)
	}
	write("no marker")
	if err := between(path, summaryMark, "", nil); err == nil || !strings.Contains(err.Error(), "no line") {
		t.Errorf("a page without marker: %v", err)
	}
}

func TestParse(t *testing.T) {
	o, err := parse([]string{"tree", "--full", "--charts", "dir", "--into", "page", "--book", "file"})
	if err != nil || len(o.names) != 1 || !o.full || o.charts != "dir" || o.page != "page" || o.book != "file" {
		t.Errorf("%+v, %v", o, err)
	}
	for _, bad := range []string{"--charts", "--quick"} {
		if _, err := parse([]string{bad}); err == nil {
			t.Errorf("%s must be refused", bad)
		}
	}
}

// Every experiment has a name of its own and says what it is about.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range experiments {
		if seen[e.name] || e.what == "" || e.run == nil || strings.ContainsAny(e.name, " _") {
			t.Errorf("entry %q: %q", e.name, e.what)
		}
		seen[e.name] = true
	}
	if err := run(t.Context(), []string{"nonsense"}); err == nil {
		t.Error("an unknown experiment must be refused")
	}
}
