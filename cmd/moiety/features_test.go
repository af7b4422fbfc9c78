package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/stream"
)

// twoCauses writes records of two causes with three columns each, and one column on its
// own.
func twoCauses(t *testing.T) string {
	t.Helper()
	r := stream.New(1, "test/features")
	var b strings.Builder
	b.WriteString("id,a1,a2,a3,b1,b2,b3,c\n")
	bit := func(on bool, chance float64) int {
		if (r.Float64() < chance) != on {
			return 1
		}
		return 0
	}
	for i := range 1500 {
		x, y := r.Float64() < .4, r.Float64() < .4
		fmt.Fprintf(&b, "%d,%d,%d,%d,%d,%d,%d,%d\n", i, bit(x, .1), bit(x, .1), bit(x, .1), bit(y, .1), bit(y, .1), bit(y, .1), bit(false, .3))
	}
	path := filepath.Join(t.TempDir(), "causes.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestFeatures: what comes together is drawn together, in words and in JSON, and -n
// keeps the most frequent ones.
func TestFeatures(t *testing.T) {
	data := twoCauses(t)
	words := done(t, "features", data, "-q")
	for _, want := range []string{"1,500 records, the 7 most frequent features of 7: 2 trees", "1: 3 features. Most clearly: ", "├─ a", "└─ b", "With no other: c."} {
		if !strings.Contains(words, want) {
			t.Errorf("no %q in:\n%s", want, words)
		}
	}
	var doc struct {
		Moiety   string
		Features int
		Nodes    []struct {
			ID, Parent, Feature string
			Members, Count      int
			Times               *float64
			Repeats             bool
		}
		Alone []string
	}
	if err := json.Unmarshal([]byte(done(t, "features", data, "--json", "-q")), &doc); err != nil {
		t.Fatal(err)
	}
	of := map[string]string{}
	for _, n := range doc.Nodes {
		if n.Feature != "" {
			of[n.Parent] += n.Feature[:1]
		} else if n.Members != 3 || !n.Repeats || n.Times == nil || *n.Times < 1.5 {
			t.Errorf("group %+v", n)
		}
	}
	if len(of) != 2 || of["1"] != strings.Repeat(of["1"][:1], 3) || of["2"] != strings.Repeat(of["2"][:1], 3) || fmt.Sprint(doc.Alone) != "[c]" {
		t.Errorf("groups %v, alone %v", of, doc.Alone)
	}
	if out := done(t, "features", data, "-q", "-n", "3"); !strings.Contains(out, "the 3 most frequent features of 7") {
		t.Errorf("-n 3: %s", out)
	}
	if code, _, said := do(t, "features", data, "-n", "1"); code != 2 || !strings.Contains(said, "from 2 to") {
		t.Errorf("-n 1: exit %d: %s", code, said)
	}
	folder := t.TempDir()
	for _, name := range []string{"tree.svg", "tree.png", "tree.html"} {
		path := filepath.Join(folder, name)
		for range 2 { // our own is replaced
			done(t, "features", data, "-q", "-o", path)
		}
		if text, err := os.ReadFile(path); err != nil || len(text) < 2000 {
			t.Errorf("%s: %d bytes, %v", name, len(text), err)
		}
	}
	if code, _, said := do(t, "features", data, "-o", filepath.Join(folder, "tree.txt")); code != 2 || !strings.Contains(said, ".html") {
		t.Errorf("-o tree.txt: exit %d: %s", code, said)
	}
}
