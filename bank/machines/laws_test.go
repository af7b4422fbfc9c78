package machines

import (
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/bank/law"
)

// TestLaws draws every law twice at two sizes, and looks at what comes.
func TestLaws(t *testing.T) {
	names := map[string]bool{}
	for _, l := range Laws() {
		t.Run(l.Name, func(t *testing.T) {
			if names[l.Name] {
				t.Error("name is not unique")
			}
			names[l.Name] = true
			if l.About == "" || l.Groups < 1 {
				t.Error("About or Groups is missing")
			}
			for _, n := range []int{50, 300} {
				for seed := range uint64(3) {
					first := l.Draw(rand.New(rand.NewPCG(seed, 7)), n)
					again := l.Draw(rand.New(rand.NewPCG(seed, 7)), n)
					if !reflect.DeepEqual(first, again) {
						t.Fatal("the same seed gives other data")
					}
					checkParts(t, l, first, n)
					checkGroups(t, l, first, n)
				}
			}
		})
	}
	if len(names) < 55 {
		t.Errorf("%d laws", len(names))
	}
}

// checkParts says whether exactly the part of the law's kind is filled with n records.
func checkParts(t *testing.T, l law.Law, d law.Data, n int) {
	t.Helper()
	table, lists, texts, steps := len(d.Table), len(d.Lists), len(d.Texts), len(d.Steps)
	if table+lists+texts+steps != n || max(table, lists, texts, steps) != n {
		t.Fatalf("%d rows, %d lists, %d texts, %d sequences of %d", table, lists, texts, steps, n)
	}
	fits := table == n
	switch l.Kind {
	case law.Texts:
		fits = texts == n
	case law.Sequences:
		fits = steps == n
	case law.Presences:
		fits = lists == n || table == n
	}
	if !fits {
		t.Error("another part of the data than the kind says")
	}
	if (len(d.Columns) > 0) != (table > 0) {
		t.Error("columns without a table, or a table without columns")
	}
	seen := map[string]bool{}
	for _, c := range d.Columns {
		if c == "" || seen[c] {
			t.Errorf("column %q is empty or twice there", c)
		}
		seen[c] = true
	}
	for _, row := range d.Table {
		if len(row) != len(d.Columns) {
			t.Fatalf("row of %d cells under %d columns", len(row), len(d.Columns))
		}
		checkCells(t, row)
	}
	for _, list := range d.Lists {
		once := map[string]bool{}
		for _, code := range list {
			if code == "" || once[code] {
				t.Fatalf("code %q is empty or twice in a list", code)
			}
			once[code] = true
		}
	}
	for _, text := range d.Texts {
		if strings.TrimSpace(text) == "" {
			t.Fatal("empty text")
		}
	}
	for _, sequence := range d.Steps {
		if len(sequence) < 20 || len(sequence) > 60 {
			t.Fatalf("sequence of %d steps", len(sequence))
		}
		checkCells(t, sequence)
	}
}

// checkCells looks for numbers that are none.
func checkCells(t *testing.T, cells []string) {
	t.Helper()
	for _, c := range cells {
		if strings.Contains(c, "NaN") || strings.Contains(c, "Inf") {
			t.Fatalf("cell %q", c)
		}
	}
}

// checkGroups says whether the groups are those that the law promises.
func checkGroups(t *testing.T, l law.Law, d law.Data, n int) {
	t.Helper()
	if (d.Group == nil) != (l.Groups == 1) {
		t.Fatal("groups given for a single population, or missing")
	}
	if d.Group == nil {
		return
	}
	want := n
	if l.Kind == law.Sequences {
		want = 0
		for _, sequence := range d.Steps {
			want += len(sequence)
		}
	}
	if len(d.Group) != want {
		t.Fatalf("%d groups of %d records or steps", len(d.Group), want)
	}
	for _, g := range d.Group {
		if g < 0 || g >= l.Groups {
			t.Fatalf("group %d of %d", g, l.Groups)
		}
	}
}

// TestDraws compares means and variances of the draws with those they should have.
func TestDraws(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	tests := []struct {
		name           string
		draw           func() float64
		mean, variance float64
	}{
		{"gamma", func() float64 { return gamma(r, 2.5, 3) }, 7.5, 22.5},
		{"small gamma", func() float64 { return gamma(r, 0.4, 1) }, 0.4, 0.4},
		{"beta", func() float64 { return beta(r, 2, 3) }, 0.4, 0.04},
		{"small poisson", func() float64 { return float64(poisson(r, 3)) }, 3, 3},
		{"large poisson", func() float64 { return float64(poisson(r, 40)) }, 40, 40},
		{"poisson of ten", func() float64 { return float64(poisson(r, 10)) }, 10, 10},
		{"negative binomial", func() float64 { return float64(negBin(r, 6, 2)) }, 6, 24},
		{"geometric", func() float64 { return float64(geometric(r, 0.25)) }, 3, 12},
	}
	const draws = 200_000
	for _, test := range tests {
		sum, squares := 0.0, 0.0
		for range draws {
			x := test.draw()
			sum += x
			squares += x * x
		}
		mean := sum / draws
		variance := squares/draws - mean*mean
		if !(math.Abs(mean/test.mean-1) <= 0.02) || !(math.Abs(variance/test.variance-1) <= 0.05) {
			t.Errorf("%s: mean %.3f, variance %.3f, want %.3f and %.3f", test.name, mean, variance, test.mean, test.variance)
		}
	}
}
