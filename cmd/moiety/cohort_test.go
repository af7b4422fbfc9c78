package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSmallCohort: of fewer patients than the limit nothing is shared, whichever verb is
// asked, also where the limit was lifted inside the house; and inside it no diagnosis of
// theirs is named where it was not.
func TestSmallCohort(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	codes := []string{"042", "1363", "0859", "2859", "25000"}
	var b strings.Builder
	b.WriteString("patient,code\n")
	for i := range 40 {
		for j := range 3 {
			fmt.Fprintf(&b, "p%d,%s\n", i, codes[1+(i+j*(1+i%2))%4])
		}
		if i < 5 {
			fmt.Fprintf(&b, "p%d,042\n", i)
		}
	}
	if err := os.WriteFile(path("p.csv"), []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	of := func(verb string, more ...string) []string {
		return append([]string{verb, path("p.csv"), "--where", "has code 042"}, more...)
	}
	if code, _, said := inProcess(t, nil, of("fit", "-k", "2", "--min-cell", "-1", "-o", path("open"), "-q")...); code != exitDone {
		t.Fatalf("without a limit: exit %d: %s", code, said)
	}
	for _, args := range [][]string{
		of("inspect", "--share"), of("inspect", "--share", "--json"), of("inspect", "--min-cell", "-1", "--share"),
		of("features", "--share"),
		{"show", path("open"), "--share"},
		{"report", path("open"), "--share", "-o", path("r.html")},
		{"export", path("open"), "--share", "--to", "csv", "-o", path("tables")},
		{"export", path("open"), "--to", "model", "-o", path("model")},
		{"compare", path("open"), path("open"), "--share"},
		{"sample", path("open"), "-n", "20", "--share", "-o", path("drawn.csv")},
	} {
		code, out, said := inProcess(t, nil, append(args, "-q")...)
		if code != exitTooLittle || out != "" && !strings.Contains(out, `"moiety": "error"`) || !strings.Contains(said, "fewer than 11 people") {
			t.Errorf("%s: exit %d\n%s%s", strings.Join(args, " "), code, out, said)
		}
		for _, word := range append(codes, "HIV", "immunodeficiency", "diabetes") {
			if strings.Contains(strings.ReplaceAll(out+said, dir, ""), word) {
				t.Errorf("%s tells %q:\n%s%s", strings.Join(args, " "), word, out, said)
			}
		}
	}
	for _, args := range [][]string{
		of("inspect"), of("inspect", "--json"), of("choose"), of("fit", "-k", "2", "-o", path("few")),
		{"show", path("few")},
		{"report", path("few"), "-o", path("few.html")},
		{"export", path("few"), "--to", "csv", "-o", path("few")},
	} {
		_, out, said := inProcess(t, nil, append(args, "-q")...)
		for _, word := range append(codes, "HIV", "immunodeficiency", "diabetes") {
			if strings.Contains(strings.ReplaceAll(out+said, dir, ""), word) && !strings.Contains(out, `"where": "has code 042"`) {
				t.Errorf("%s tells %q:\n%s%s", strings.Join(args, " "), word, out, said)
			}
		}
	}
	for _, name := range []string{"few", "few.html"} {
		if err := os.RemoveAll(path(name)); err != nil {
			t.Fatal(err)
		}
	}
	if left, _ := filepath.Glob(path("*")); len(left) != 2 { // the data and the run without a limit
		t.Errorf("written: %q", left)
	}
}
