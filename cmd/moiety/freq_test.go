package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A table of patterns with frequencies and the table of all records are twins:
// the same groups, numbers and scores, counts by the sum of the frequencies.
func TestFrequenciesAreRecords(t *testing.T) {
	dir := t.TempDir()
	short, long := "a,b,c,d,e,freq\n", "a,b,c,d,e\n"
	for i := range 32 {
		cells := strings.Trim(strings.Replace(fmt.Sprintf("%05b", i), "", ",", -1), ",")
		n := 1 + 9*((i&3)/3) + 7*(((i>>2)&7)/7) + i%3
		short += fmt.Sprintf("%s,%d\n", cells, n)
		long += strings.Repeat(cells+"\n", n)
	}
	results := map[string]string{}
	for name, text := range map[string]string{"short": short, "long": long} {
		data, run, tables := filepath.Join(dir, name+".csv"), filepath.Join(dir, name), filepath.Join(dir, name+"-tables")
		if err := os.WriteFile(data, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		flags := []string{}
		if name == "short" {
			flags = []string{"--freq", "freq"}
		}
		for _, args := range [][]string{
			append([]string{"fit", data, "-k", "2", "--health", "-o", run}, flags...),
			{"export", run, "--to", "csv", "-o", tables},
		} {
			if code, _, said := do(t, args...); code != 0 {
				t.Fatalf("%v: %s", args, said)
			}
		}
		_, scores, _ := do(t, "eval", run, data, "--json")
		_, placed, _ := do(t, "assign", run, data)
		var sum strings.Builder
		for _, f := range []string{"centers.csv", "weights.csv", "topics.csv", "parameters.csv"} {
			b, err := os.ReadFile(filepath.Join(tables, f))
			if err != nil {
				t.Fatal(err)
			}
			sum.Write(b)
		}
		sum.WriteString(strings.ReplaceAll(scores, run, "RUN"))
		for line := range strings.Lines(placed) {
			_, rest, _ := strings.Cut(line, ",")
			sum.WriteString(rest)
		}
		results[name] = sum.String()
	}
	if results["short"] != results["long"] {
		t.Errorf("frequencies:\n%s\nrecords:\n%s", results["short"], results["long"])
	}
}
