package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// letters writes texts of two topics; the second grows over the years.
func letters(t *testing.T) string {
	t.Helper()
	words := [2][]string{strings.Fields("heart blood pulse vein valve nurse ward fever"), strings.Fields("judge jury court law trial verdict appeal crime")}
	draw := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	b.WriteString("id,year,paper,text\n")
	for i := range 400 {
		topic := 0
		if (i*7)%40 < i/10 {
			topic = 1
		}
		var text []string
		for w := range 30 {
			from := topic
			if w%10 == 9 {
				from = 1 - topic
			}
			text = append(text, words[from][draw.IntN(8)])
		}
		fmt.Fprintf(&b, "d%d,%d,%s,%s\n", i, 1990+i/40, []string{"east", "west"}[i%2], strings.Join(text, " "))
	}
	path := filepath.Join(t.TempDir(), "letters.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestTopicsOverTime: from a file with times to sentence, picture and tables.
func TestTopicsOverTime(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, "run")
	done(t, "fit", letters(t), "--text", "text", "--id", "id", "--time", "year", "--label", "paper", "--model", "lda", "-k", "2", "--stopwords", "none", "-o", folder, "-q")
	page := done(t, "show", folder)
	if !strings.Contains(page, "grows from") && !strings.Contains(page, "shrinks from") || !strings.Contains(page, "over paper") && !strings.Contains(page, "values of paper") {
		t.Errorf("show says nothing over time:\n%s", page)
	}
	if page = done(t, "show", folder, "2"); !strings.Contains(page, "Over year") || !strings.Contains(page, "By paper") || !strings.Contains(page, "1990") {
		t.Errorf("show of a topic:\n%s", page)
	}
	done(t, "export", folder, "--to", "csv", "-o", filepath.Join(dir, "tables"), "-q")
	table, err := os.ReadFile(filepath.Join(dir, "tables", "trends.csv"))
	if err != nil || !strings.HasPrefix(string(table), "column,kind,value,n,group,share,low,high,p,p_holm\n") || strings.Count(string(table), "\n") != 1+2*(10+2) {
		t.Errorf("%v\n%s", err, table)
	}
	html := filepath.Join(dir, "report.html")
	done(t, "report", folder, "-o", html, "-q")
	if b, err := os.ReadFile(html); err != nil || !strings.Contains(string(b), `id="figure-trend-1"`) || !strings.Contains(string(b), "Over time and by other columns") {
		t.Errorf("the report has no picture over time: %v", err)
	}
	done(t, "report", folder, "-o", filepath.Join(dir, "report.pdf"), "--full", "-q")
	shared := done(t, "show", folder, "--share")
	if strings.Contains(shared, "1990") {
		t.Errorf("shared:\n%s", shared)
	}
}

// TestKeepText: texts are kept, quoted and shaded where asked for, and nowhere
// else; of health data never.
func TestKeepText(t *testing.T) {
	dir := t.TempDir()
	data := letters(t)
	b, err := os.ReadFile(data)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(b), "\n")
	for i := 1; i < len(lines)-1; i++ {
		lines[i] += " Zanzibar." // in every document: no feature
	}
	lines[7] += " Xylophone & <b>"
	if err := os.WriteFile(data, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	fit := []string{"fit", data, "--text", "text", "--id", "id", "-k", "2", "--model", "lda", "--max-df", "90%", "-q"}
	bare, kept := filepath.Join(dir, "bare"), filepath.Join(dir, "kept")
	done(t, append(fit, "-o", bare)...)
	done(t, append(fit, "-o", kept, "--keep-text")...)
	holds := func(folder string) bool {
		list, err := filepath.Glob(filepath.Join(folder, "*"))
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, path := range list {
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			found = found || strings.Contains(string(b), "Xylophone")
		}
		return found
	}
	if holds(bare) || !holds(kept) {
		t.Errorf("texts are in the run without the flag %v, with it %v", holds(bare), holds(kept))
	}
	page := done(t, "show", kept, "1")
	if !strings.Contains(page, "Zanzibar.") || !strings.Contains(page, "*") || strings.Contains(page, "*Zanzibar*") {
		t.Errorf("no document with its words marked:\n%s", page)
	}
	html := filepath.Join(dir, "report.html")
	done(t, "report", kept, "-o", html, "-q")
	if b, err := os.ReadFile(html); err != nil || !strings.Contains(string(b), `<mark class="shade-`) || !strings.Contains(string(b), "Zanzibar") {
		t.Errorf("the report quotes nothing: %v", err)
	}
	done(t, "report", kept, "-o", filepath.Join(dir, "report.pdf"), "-q")
	for name, out := range map[string]string{"bare": done(t, "show", bare, "1"), "shared": done(t, "show", kept, "1", "--share")} {
		if strings.Contains(out, "Zanzibar") {
			t.Errorf("%s:\n%s", name, out)
		}
	}
	for _, flags := range [][]string{{"--health"}, {"--min-cell", "5"}} {
		if code, _, said := do(t, append(append(fit, "--keep-text", "-o", filepath.Join(dir, "health")), flags...)...); code != 2 || !strings.Contains(said, "--keep-text") {
			t.Errorf("%v: exit %d: %s", flags, code, said)
		}
		if _, err := os.Stat(filepath.Join(dir, "health")); err == nil {
			t.Error("a run was written all the same")
		}
	}
	if code, _, said := do(t, "fit", survey(t), "-k", "2", "--keep-text", "-o", filepath.Join(dir, "table"), "-q"); code != 2 || !strings.Contains(said, "no running texts") {
		t.Errorf("a table: exit %d: %s", code, said)
	}
}
