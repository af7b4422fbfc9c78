package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/stream"
)

// visits draws people of three kinds with codes and notes: the codes and texts by id,
// and one table of both.
func visits(t *testing.T, dir string, n int) {
	t.Helper()
	r := stream.New(3, "test/besides")
	words := []string{"cough wheeze inhaler breath sputum", "knee joint stiff swelling walking", "sugar insulin thirst diet feet"}
	codes := []string{"491 496 518", "715 719 733", "250 272 362"}
	shared := strings.Fields("patient seen clinic history stable review " + strings.Join(words, " "))
	var names, noted, lied, both strings.Builder
	names.WriteString("id,code\n")
	noted.WriteString("id,note\n")
	lied.WriteString("id,note\n")
	both.WriteString("id,dx1,dx2,dx3,note\n")
	order := r.Perm(n)
	notes := make([]string, n)
	for i := range n {
		var text []string
		for range 20 {
			w := shared[r.IntN(len(shared))]
			if r.Float64() < .4 {
				w = strings.Fields(words[i%3])[r.IntN(5)]
			}
			text = append(text, w)
		}
		notes[i] = strings.Join(text, " ")
		fmt.Fprintf(&both, "p%d", i)
		for range 3 {
			g := i % 3
			if r.Float64() < .3 {
				g = r.IntN(3)
			}
			code := strings.Fields(codes[g])[r.IntN(3)]
			fmt.Fprintf(&both, ",%s", code)
			if i%10 != 1 {
				fmt.Fprintf(&names, "p%d,%s\n", i, code)
			}
		}
		fmt.Fprintf(&both, ",%s\n", notes[i])
	}
	for i := range n {
		if i%10 != 2 {
			fmt.Fprintf(&noted, "p%d,%s\n", i, notes[i])
			fmt.Fprintf(&lied, "p%d,%s\n", i, notes[order[i]])
		}
	}
	for name, text := range map[string]string{"codes.csv": names.String(), "notes.csv": noted.String(), "lied.csv": lied.String(), "visits.csv": both.String()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestBeside: codes and running text become one record, whose groups both views show;
// people who lack one of them are placed by the other, and a view that belongs to others
// is reported ([T] conclusions, several sources).
func TestBeside(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	visits(t, dir, 900)
	done(t, "convert", "codes.csv", "--beside", "notes.csv", "--to", "csv", "-o", "both.csv", "-q")
	head, rows := joinedTable(t, "both.csv")
	if len(rows) != 900 || !strings.HasPrefix(head[1], "code_") || !strings.HasPrefix(head[len(head)-1], "word_") || !strings.Contains(strings.Join(head, ","), "code_250 (Diabetes mellitus)") {
		t.Fatalf("%d records, columns %v", len(rows), head)
	}
	for _, row := range rows { // who is in one source alone has empty cells in the other
		var n int
		fmt.Sscanf(row[0], "p%d", &n)
		if (row[1] == "") != (n%10 == 1) || (row[len(row)-1] == "") != (n%10 == 2) {
			t.Fatalf("%s: first cell %q, last cell %q", row[0], row[1], row[len(row)-1])
		}
	}
	words := done(t, "fit", "both.csv", "--health", "--model", "multiview", "--views", "code_*:word_*", "-k", "3", "-o", "run", "-q")
	if !strings.Contains(words, "Views that share the groups of the others") {
		t.Errorf("the report does not say that the views share groups:\n%s", words)
	}
	done(t, "assign", "run", "both.csv", "-o", "placed.csv", "-q")
	_, placed := joinedTable(t, "placed.csv")
	var got, want [3][]int
	for _, row := range placed {
		var n, g int
		fmt.Sscanf(row[0], "p%d", &n)
		fmt.Sscanf(row[1], "%d", &g)
		which := map[int]int{1: 1, 2: 2}[n%10] // 1: notes alone, 2: codes alone
		got[which], want[which] = append(got[which], g), append(want[which], n%3)
	}
	for which, least := range []float64{.85, .7, .4} {
		ari, err := agree.ARI(got[which], want[which])
		if err != nil || ari < least {
			t.Errorf("people of kind %d: ARI %.2f, want %v: %v", which, ari, least, err)
		}
	}

	done(t, "convert", "codes.csv", "--beside", "lied.csv", "--to", "csv", "-o", "lied-both.csv", "-q")
	words = done(t, "fit", "lied-both.csv", "--health", "--model", "multiview", "--views", "code_*:word_*", "-k", "3", "-o", "lied", "-q")
	if !strings.Contains(strings.Join(strings.Fields(words), " "), "Nothing shows that the views share groups") {
		t.Errorf("notes of other people are not told:\n%s", words)
	}

	done(t, "convert", "visits.csv", "--code", "dx*", "--beside", "visits.csv", "--text", "note", "--to", "csv", "-o", "one.csv", "-q")
	if head, rows := joinedTable(t, "one.csv"); len(rows) != 900 || !strings.HasPrefix(head[1], "code_") || !strings.HasPrefix(head[len(head)-1], "word_") {
		t.Errorf("one table of both: %d records, columns %v", len(rows), head)
	}
	for _, c := range [][]string{
		{"two sources of codes", "codes.csv", "--beside", "codes.csv", "--to", "csv"},
		{"to csv, jsonl or parquet", "codes.csv", "--beside", "notes.csv", "--to", "uci"},
	} {
		if code, _, words := do(t, append(append([]string{"convert"}, c[1:]...), "-o", "no.csv")...); code == 0 || !strings.Contains(words, "--beside") {
			t.Errorf("%s: exit %d: %s", c[0], code, words)
		}
	}
}

// joinedTable reads a table back: its header and its rows.
func joinedTable(t *testing.T, path string) (head []string, rows [][]string) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all, err := csv.NewReader(f).ReadAll()
	if err != nil || len(all) < 2 {
		t.Fatalf("%s: %d lines, %v", path, len(all), err)
	}
	return all[0], all[1:]
}
