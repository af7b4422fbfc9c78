package main

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// spoken runs the program as a process of its own and returns what it printed.
func spoken(t *testing.T, args ...string) string {
	t.Helper()
	text, err := child(t, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", args, err, text)
	}
	return string(text)
}

// TestNamesOfRealData holds the rule of names on real data: siblings differ, no
// child says again what its parent is called, 40 letters at most.
func TestNamesOfRealData(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: fits real data sets")
	}
	for _, c := range []struct{ set, args string }{
		{"", "demo"},
		{"desynpuf", "fit *Inpatient_Claims_Sample_1.csv.gz"},
		{"desynpuf", "fit *Inpatient_Claims_Sample_2.csv.gz --leaves 12 --stability off"},
		{"diabetes130", "fit diabetic_data.csv.gz --code diag_? --stability off"},
		{"kos", "fit docword.kos.txt.gz -k 20 --model lda"},
		{"sotu", "fit texts -k 8"},
	} {
		t.Run(c.set+" "+c.args, func(t *testing.T) {
			dir := t.TempDir()
			args := strings.Fields(c.args)
			if c.set != "" {
				args[1] = filepath.Join(dataFolder(t, c.set), args[1])
			}
			spoken(t, append(args, "-o", filepath.Join(dir, "run"), "-q")...)
			spoken(t, "export", filepath.Join(dir, "run"), "--to", "csv", "-o", filepath.Join(dir, "csv"), "-q")
			names, parents := namesIn(t, filepath.Join(dir, "csv"), filepath.Join(dir, "run"))
			checkNames(t, names, parents)
		})
	}
}

// namesIn reads the names of the nodes, or of the groups of a flat fit.
func namesIn(t *testing.T, folder, run string) (names, parents map[string]string) {
	t.Helper()
	names, parents = make(map[string]string), make(map[string]string)
	f, err := os.Open(filepath.Join(folder, "nodes.csv"))
	if err != nil { // a flat fit
		var doc struct{ Groups []struct{ ID, Name string } }
		text := spoken(t, "show", run, "--json", "-q")
		if err := json.Unmarshal([]byte(text), &doc); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		for _, g := range doc.Groups {
			names[g.ID] = g.Name
		}
		return names, parents
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		names[row[0]], parents[row[0]] = row[5], row[1]
	}
	return names, parents
}

func checkNames(t *testing.T, names, parents map[string]string) {
	t.Helper()
	if len(names) == 0 {
		t.Fatal("no names")
	}
	parts := func(s string) []string {
		return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return r == ',' || r == ';' })
	}
	seen := make(map[string]string)
	for id, name := range names {
		if n := utf8.RuneCountInString(name); n == 0 || n > 40 || strings.Contains(name, "elsewhere classified") {
			t.Errorf("%s is called %q, %d letters", id, name, n)
		}
		if other := seen[strings.ToLower(name)]; other != "" {
			t.Errorf("%s and %s are both called %q", id, other, name)
		}
		seen[strings.ToLower(name)] = id
		for _, a := range parts(names[parents[id]]) {
			for _, b := range parts(name) {
				if strings.TrimSpace(a) == strings.TrimSpace(b) {
					t.Errorf("%s is called %q, and %s above it %q", id, name, parents[id], names[parents[id]])
				}
			}
		}
	}
}
