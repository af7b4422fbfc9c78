package main

import (
	"encoding/csv"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/cells"
)

// What moiety writes, moiety reads: names and ids of every kind come back from
// every format, with nothing said on the command line.
func TestFormatsComeBack(t *testing.T) {
	names := append(slices.DeleteFunc(slices.Clone(hostileNames), controls),
		"two\nlines", "two lines", "tab\there", `back\slash`, `\n`, "hash # mark", "colon:1", "日本語", "3:4", "x")
	data, dir := hostileTable(t, names), t.TempDir()
	flags := []string{"--id", "record", "--code", "code", "--label", "side", "--format", "long"}
	pairs := func(path string, more ...string) []string {
		t.Helper()
		out := filepath.Join(dir, "back.csv")
		if code, _, said := do(t, append([]string{"convert", path, "--to", "csv", "-o", out}, more...)...); code != 0 {
			t.Fatalf("%s: %s", path, said)
		}
		var list []string
		for _, row := range sheetOf(t, out)[1:] {
			list = append(list, cells.Unguard(row[0])+"\x00"+cells.Unguard(row[1]))
		}
		sort.Strings(list)
		return slices.Compact(list)
	}
	want := pairs(data, flags...)
	for format, name := range map[string]string{
		"csv": "a.csv", "jsonl": "a.jsonl", "mtx": "a.mtx", "svmlight": "a.svm", "parquet": "a.parquet", "uci": "docword.a.txt",
	} {
		path := filepath.Join(dir, name)
		if code, _, said := do(t, append([]string{"convert", data, "--to", format, "-o", path}, flags...)...); code != 0 {
			t.Fatalf("%s: %s", format, said)
		}
		got, want := pairs(path), want
		if format == "uci" { // its ids are numbers
			got, want = codesOf(got), codesOf(want)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %d pairs of record and code come back, want %d; the first that differs: %q", format, len(got), len(want), difference(got, want))
		}
	}
}

func codesOf(pairs []string) []string {
	var out []string
	for _, p := range pairs {
		_, code, _ := strings.Cut(p, "\x00")
		out = append(out, code)
	}
	sort.Strings(out)
	return slices.Compact(out)
}

func difference(a, b []string) []string {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return []string{a[i], b[i]}
		}
	}
	return nil
}

// Wide tables keep the order of their columns, ids first, and unusual names.
func TestWideTablesComeBack(t *testing.T) {
	dir := t.TempDir()
	head := []string{"id", "zeta", "column10", "column2", "=sum", "alpha"}
	var b strings.Builder
	w := csv.NewWriter(&b)
	w.Write(head)
	for i := range 60 {
		cell := func(k int) string {
			return strings.TrimRight(strings.Repeat("9", i%3)+"."+strings.Repeat("5", 1+(i+k)%4), ".")
		}
		row := []string{"r" + strings.Repeat("i", i), "1" + cell(1), "2" + cell(2), "", "-4" + cell(4), "5" + cell(5)}
		if i%7 > 0 {
			row[3] = "3" + cell(3)
		}
		w.Write(row)
	}
	w.Flush()
	data := filepath.Join(dir, "wide.csv")
	writeText(t, data, b.String())
	first := filepath.Join(dir, "first.csv")
	if code, _, said := do(t, "convert", data, "--to", "csv", "-o", first, "--format", "real"); code != 0 {
		t.Fatal(said)
	}
	if got := sheetOf(t, first)[0]; !slices.Equal(got, []string{"id", "zeta", "column10", "column2", "'=sum", "alpha"}) {
		t.Errorf("csv has the columns %q", got)
	}
	wide := filepath.Join(dir, "wide.parquet")
	if code, _, said := do(t, "convert", data, "--to", "parquet", "-o", wide, "--format", "real"); code != 0 {
		t.Fatal(said)
	}
	second := filepath.Join(dir, "second.csv")
	for _, from := range []string{wide, first} {
		if code, _, said := do(t, "convert", from, "--to", "csv", "-o", second, "--format", "real"); code != 0 {
			t.Fatal(said)
		}
		if textOf(t, first) != textOf(t, second) {
			t.Errorf("%s comes back as\n%.300s\nwant\n%.300s", filepath.Base(from), textOf(t, second), textOf(t, first))
		}
	}
}
