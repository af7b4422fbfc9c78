package simulators

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/moiety-go/moiety/bank/law"
)

func TestNamesAreUniqueAndLawsComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, l := range Laws() {
		if seen[l.Name] {
			t.Errorf("name %q comes twice", l.Name)
		}
		seen[l.Name] = true
		if l.Name == "" || l.About == "" || l.Draw == nil || l.Groups < 1 || l.Groups > 8 {
			t.Errorf("law %q is not complete", l.Name)
		}
	}
}

func TestLawsDraw(t *testing.T) {
	for _, l := range Laws() {
		t.Run(l.Name, func(t *testing.T) {
			for _, n := range []int{50, 300} {
				for seed := range uint64(3) {
					first := l.Draw(rand.New(rand.NewPCG(seed, 7)), n)
					second := l.Draw(rand.New(rand.NewPCG(seed, 7)), n)
					if !reflect.DeepEqual(first, second) {
						t.Fatalf("n = %d, seed %d: two draws differ", n, seed)
					}
					check(t, l, first, n)
				}
			}
		})
	}
}

// check looks at one draw: the part that is filled, its size, and its groups.
func check(t *testing.T, l law.Law, data law.Data, n int) {
	t.Helper()
	records, steps := 0, 0
	parts := 0
	if data.Table != nil {
		parts++
		records = len(data.Table)
		checkTable(t, data)
	}
	if data.Lists != nil {
		parts++
		records = len(data.Lists)
	}
	if data.Texts != nil {
		parts++
		records = len(data.Texts)
		for _, text := range data.Texts {
			if text == "" {
				t.Fatal("an empty document")
			}
		}
	}
	if data.Steps != nil {
		parts++
		records = len(data.Steps)
		for _, s := range data.Steps {
			if len(s) < 20 || len(s) > 60 {
				t.Fatalf("a series of %d steps", len(s))
			}
			steps += len(s)
		}
	}
	if parts != 1 || records != n {
		t.Fatalf("%d parts filled, %d records of %d", parts, records, n)
	}
	if (data.Group == nil) != (l.Groups == 1) {
		t.Fatalf("groups given: %t, though the law has %d", data.Group != nil, l.Groups)
	}
	if data.Group == nil {
		return
	}
	want := n
	if data.Steps != nil {
		want = steps
	}
	if len(data.Group) != want {
		t.Fatalf("%d groups of %d", len(data.Group), want)
	}
	for _, g := range data.Group {
		if g < 0 || g >= l.Groups {
			t.Fatalf("group %d of %d", g, l.Groups)
		}
	}
}

// checkTable looks at names and widths, and that no cell is a broken number.
func checkTable(t *testing.T, data law.Data) {
	t.Helper()
	seen := map[string]bool{}
	for _, name := range data.Columns {
		if name == "" || seen[name] {
			t.Fatalf("column %q is empty or comes twice", name)
		}
		seen[name] = true
	}
	for _, row := range data.Table {
		if len(row) != len(data.Columns) {
			t.Fatalf("%d cells in %d columns", len(row), len(data.Columns))
		}
		for _, cell := range row {
			if cell == "NaN" || cell == "+Inf" || cell == "-Inf" {
				t.Fatalf("cell %s", cell)
			}
		}
	}
}

// TestKinds checks that tables hold what their kind asks.
func TestKinds(t *testing.T) {
	for _, l := range Laws() {
		data := l.Draw(rand.New(rand.NewPCG(5, 5)), 300)
		for _, row := range data.Table {
			for _, cell := range row {
				ok := true
				switch l.Kind {
				case law.Presences:
					ok = cell == "0" || cell == "1"
				case law.Genotypes:
					ok = cell == "0" || cell == "1" || cell == "2" || cell == ""
				case law.Counts:
					ok = cell != "" && cell[0] != '-'
				case law.Ordered:
					ok = len(cell) <= 1
				}
				if !ok {
					t.Fatalf("%s: cell %q in %s", l.Name, cell, l.Kind)
				}
			}
		}
	}
}
