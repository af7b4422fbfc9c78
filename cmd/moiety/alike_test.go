package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"testing"
)

// The two groups that the map calls most alike are those that "show" says so of,
// and those whose records are: one distance, counted here from the records.
func TestMostAlike(t *testing.T) {
	dir := t.TempDir()
	r := rand.New(rand.NewPCG(5, 12))
	kinds := [][]float64{ // the first two differ in two features only
		{.9, .9, .9, .9, .1, .1, .1, .1, .1, .1, .1, .1},
		{.9, .9, .9, .9, .9, .9, .1, .1, .1, .1, .1, .1},
		{.1, .1, .1, .1, .1, .1, .9, .9, .9, .9, .1, .1},
		{.1, .1, .1, .1, .1, .1, .1, .1, .1, .9, .9, .9},
		{.1, .9, .1, .9, .1, .9, .1, .9, .1, .9, .1, .9},
	}
	var text strings.Builder
	text.WriteString("id")
	for f := range kinds[0] {
		fmt.Fprintf(&text, ",f%d", f)
	}
	var cells [][]float64
	for i := range 3000 {
		fmt.Fprintf(&text, "\n%d", i)
		row := make([]float64, len(kinds[0]))
		for f, p := range kinds[[]int{0, 0, 0, 1, 1, 2, 2, 3, 3, 4}[i%10]] {
			if r.Float64() < p {
				row[f] = 1
			}
			fmt.Fprintf(&text, ",%v", row[f])
		}
		cells = append(cells, row)
	}
	data, run, tables, pictures := filepath.Join(dir, "t.csv"), filepath.Join(dir, "run"), filepath.Join(dir, "tables"), filepath.Join(dir, "pictures")
	if err := os.WriteFile(data, []byte(text.String()+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"fit", data, "-k", "5", "--health", "-o", run},
		{"export", run, "--to", "csv", "-o", tables},
		{"export", run, "--to", "svg", "-o", pictures},
	} {
		if code, _, said := do(t, args...); code != 0 {
			t.Fatalf("%v: %s", args, said)
		}
	}
	group := map[string]string{}
	for _, row := range sheetOf(t, filepath.Join(tables, "assignments.csv"))[1:] {
		group[row[0]] = row[1]
	}
	n, sums := map[string]float64{}, map[string][]float64{}
	for i, row := range cells {
		g := group[fmt.Sprint(i)]
		n[g]++
		if sums[g] == nil {
			sums[g] = make([]float64, len(row))
		}
		for f, x := range row {
			sums[g][f] += x
		}
	}
	var names []string
	for g := range n {
		names = append(names, g)
	}
	sort.Strings(names)
	a, b, least := "", "", math.Inf(1)
	for i, g := range names {
		for _, h := range names[i+1:] {
			d := 0.0
			for f := range sums[g] {
				p, q := sums[g][f]/n[g], sums[h][f]/n[h]
				d -= math.Log(math.Sqrt(p*q) + math.Sqrt((1-p)*(1-q)))
			}
			if d < least {
				a, b, least = g, h, d
			}
		}
	}
	svg, err := os.ReadFile(filepath.Join(pictures, "map.svg"))
	if err != nil {
		t.Fatal(err)
	}
	title := regexp.MustCompile(`Groups (\S+) and (\S+) are most alike`).FindStringSubmatch(string(svg))
	if title == nil || min(title[1], title[2]) != a || max(title[1], title[2]) != b {
		t.Errorf("the map says %q, the records %s and %s", title, a, b)
	}
	_, shown, _ := do(t, "show", run, a)
	if _, after, ok := strings.Cut(shown, "Most like it"); !ok || strings.Fields(after)[0] != b {
		t.Errorf("show %s says: %s, want %s first", a, after, b)
	}
}
