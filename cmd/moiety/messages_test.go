package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	messageRow   = regexp.MustCompile(`^\| (.*) \| (.*) \| ([^|]*) \|$`)
	messageWords = regexp.MustCompile(`“([^”]*)”`)
	testFunction = regexp.MustCompile(`(?m)^func (Test\w+)\(`)
)

// testTexts returns the text of every test function by its name, each up to the
// next function that stands at the margin.
func testTexts(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(filepath.Join("..", ".."), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		at := testFunction.FindAllSubmatchIndex(text, -1)
		for i, m := range at {
			end := len(text)
			if i+1 < len(at) {
				end = at[i+1][0]
			}
			out[string(text[m[2]:m[3]])] += string(text[m[0]:end])
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// bare takes out what patterns and strings of the language put before signs.
func bare(text string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(text, `\`, "")), " ")
}

// TestMessages holds docs/messages.md against the tests that it names: each is
// there, and one of them asks for the words in quotes.
func TestMessages(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "messages.md"))
	if err != nil {
		t.Fatal(err)
	}
	tests, rows, words, silent := testTexts(t), 0, 0, 0
	source := func(name string) (string, bool) {
		switch {
		case name == "bad-input":
			text, err := os.ReadFile(filepath.Join("..", "..", "docs", "bad-input.md"))
			return string(text), err == nil
		case strings.HasSuffix(name, ".txtar"):
			text, err := os.ReadFile(filepath.Join("testdata", "script", name))
			return string(text), err == nil
		}
		text, ok := tests[name]
		return text, ok
	}
	for line := range strings.Lines(string(page)) {
		m := messageRow.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil || m[3] == "test" || strings.HasPrefix(m[3], "---") {
			continue
		}
		rows++
		all := ""
		for name := range strings.SplitSeq(m[3], ",") {
			text, ok := source(strings.TrimSpace(name))
			if !ok {
				t.Errorf("%s: there is no test %s", m[1], name)
			}
			all += text
		}
		all = bare(all)
		said := messageWords.FindAllStringSubmatch(m[2], -1)
		if len(said) == 0 {
			silent++
		}
		for _, w := range said {
			words++
			if !strings.Contains(all, bare(w[1])) {
				t.Errorf("%s: %s does not ask for %q", m[1], m[3], w[1])
			}
		}
	}
	if rows < 95 || words < 120 || silent > 4 {
		t.Errorf("%d rows, of which %d have no words, and %d sayings", rows, silent, words)
	}
}
