package read

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/record"
)

// Records without ids have the numbers of their rows, whatever stands between them: rows
// without a value, lines that are malformed, and those of files before. Every record says in
// its cells which row it is.
func TestRowNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	row := func(n int) string {
		return fmt.Sprintf("%d,%d,%d,%d,r%d", r.IntN(2), r.IntN(2), r.IntN(2), r.IntN(2), n)
	}
	// table has so many rows, every few of them blank in some way, numbered on from one.
	table := func(first, rows int, blank ...string) string {
		var b strings.Builder
		b.WriteString("q1,q2,q3,q4,where\n")
		for n := first; n < first+rows; n++ {
			if n%7 == 3 && len(blank) > 0 {
				b.WriteString(blank[n%len(blank)] + "\n")
			} else {
				b.WriteString(row(n) + "\n")
			}
		}
		return b.String()
	}
	object := func(n int) string {
		return fmt.Sprintf(`{"q1":%d,"q2":%d,"q3":%d,"where":"r%d"}`, r.IntN(2), r.IntN(2), r.IntN(2), n)
	}
	lines := func(rows int, blank string, line func(n int) string) string {
		var b strings.Builder
		for n := 1; n <= rows; n++ {
			if n%7 == 3 {
				b.WriteString(blank + "\n")
			} else {
				b.WriteString(line(n) + "\n")
			}
		}
		return b.String()
	}
	of := record.Reading{Label: []string{"where"}}
	for _, x := range []struct {
		name  string
		files map[string]string
		o     record.Reading
		left  int // rows that are told to be left out
	}{
		{"separators alone", map[string]string{"t.csv": table(1, 300, ",,,,")}, of, 43},
		{"empty lines", map[string]string{"t.csv": table(1, 300, "")}, of, 0},
		{"blanks and totals", map[string]string{"t.csv": table(1, 300, ",,,,", "Total,,,,300")}, of, 43},
		{"comments and titles are no rows", map[string]string{"t.csv": "A survey,,,,\n" + strings.Replace(table(1, 300, ",,,,"), ",r20\n", ",r20\n# remark\n", 1)}, of, 43},
		{"several files", map[string]string{"a.csv": table(1, 100, ",,,,"), "b.csv": table(101, 100, ",,,,")}, of, 29},
		{"many rows", map[string]string{"t.csv": table(1, 200_000, ",,,,", "")}, of, 14286},
		{"malformed rows", map[string]string{"t.csv": table(1, 300, "1,0,1,0,1,0,1")}, record.Reading{Label: []string{"where"}, SkipMalformed: .5}, 0},
		{"JSON lines as a table", map[string]string{"t.jsonl": lines(300, "", object)}, of, 0},
		{"JSON lines, some malformed", map[string]string{"t.jsonl": lines(300, `{"where":`, object)}, record.Reading{Label: []string{"where"}, SkipMalformed: .5}, 0},
		{"JSON lines of texts", map[string]string{"t.jsonl": lines(300, "", func(n int) string {
			return fmt.Sprintf(`{"where":"r%d","text":"rain and wind over the long hill"}`, n)
		})}, record.Reading{Label: []string{"where"}, Text: "text"}, 0},
		{"a text a line", map[string]string{"t.txt": lines(300, " ", func(n int) string { return fmt.Sprintf("__label__r%d rain and wind over the hill", n) })}, record.Reading{Format: "lines", Lines: "fasttext"}, 0},
		{"SVMlight", map[string]string{"t.svm": lines(300, "7 2:x", func(n int) string { return fmt.Sprintf("%d 1:2 %d:1", n, 2+n%5) })}, record.Reading{Format: "svmlight", SkipMalformed: .5}, 0},
	} {
		dir := t.TempDir()
		var paths []string
		for name, text := range x.files {
			path := filepath.Join(dir, name)
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			paths = append(paths, path)
		}
		slices.Sort(paths)
		for _, workers := range numtest.Workers() {
			p := new(record.Problems)
			src, err := Open(context.Background(), paths, Options{Reading: x.o, Workers: workers}, p)
			if err != nil {
				t.Errorf("%s: %v", x.name, err)
				break
			}
			wrong := wrongNumbers(t, src)
			left := 0
			for _, n := range p.LeftOut {
				left += n
			}
			if wrong != "" || left != x.left {
				t.Errorf("%s, %d workers: %s; %d rows left out, want %d", x.name, workers, wrong, left, x.left)
			}
		}
	}
}

// wrongNumbers reads a source and tells the first record whose number is not that of its row.
func wrongNumbers(t *testing.T, src record.Source) (wrong string) {
	t.Helper()
	at := 0
	err := src.Read(context.Background(), func(b *record.Batch) error {
		for i := range b.N() {
			id := fmt.Sprint(at + 1)
			if b.IDs != nil {
				id = b.IDs[i]
			}
			at++
			if want := strings.TrimPrefix(b.Side[0][i], "r"); id != want && wrong == "" {
				wrong = fmt.Sprintf("row %s has the number %s", want, id)
			}
		}
		return nil
	})
	if err != nil || at == 0 {
		t.Fatalf("%d records, %v", at, err)
	}
	return wrong
}

// A row of a sheet without a cell has a number too.
func TestRowNumbersOfSheets(t *testing.T) {
	var b strings.Builder
	b.WriteString(`<worksheet><sheetData>`)
	cell := func(n, j int, v string) {
		fmt.Fprintf(&b, `<c r="%c%d" t="inlineStr"><is><t>%s</t></is></c>`, 'A'+rune(j), n, v)
	}
	for n := 1; n < 60; n++ {
		if n%6 == 4 { // row n of the sheet is row n-1 below the header
			continue
		}
		fmt.Fprintf(&b, `<row r="%d">`, n)
		for j, v := range []string{"yes", "no", "no", fmt.Sprintf("r%d", n-1)} {
			if n == 1 {
				v = []string{"q1", "q2", "q3", "where"}[j]
			} else if j < 3 && n%2 == 1 {
				v = "no"
			}
			cell(n, j, v)
		}
		b.WriteString(`</row>`)
	}
	b.WriteString(`</sheetData></worksheet>`)
	p := new(record.Problems)
	src, err := Open(context.Background(), []string{write(t, "t.xlsx", bookOf(t, b.String()))}, Options{Reading: record.Reading{Label: []string{"where"}}}, p)
	if err != nil {
		t.Fatal(err)
	}
	if wrong := wrongNumbers(t, src); wrong != "" || p.LeftOut["empty lines"] != 10 {
		t.Errorf("%s; left out %v", wrong, p.LeftOut)
	}
}
