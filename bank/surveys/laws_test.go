package surveys

import (
	"math/rand/v2"
	"reflect"
	"strconv"
	"testing"

	"github.com/moiety-go/moiety/bank/law"
)

// TestLaws draws every law twice from the same seed, at several sizes, and looks at
// the shape of the data.
func TestLaws(t *testing.T) {
	names := map[string]bool{}
	for _, l := range Laws() {
		if names[l.Name] {
			t.Errorf("two laws are called %q", l.Name)
		}
		names[l.Name] = true
		if l.About == "" || l.Draw == nil || l.Groups < 1 || l.Groups > 8 {
			t.Errorf("%s: not a complete law", l.Name)
		}
		t.Run(l.Name, func(t *testing.T) {
			for seed := range uint64(6) {
				for _, n := range []int{50, 300} {
					d := l.Draw(rand.New(rand.NewPCG(seed, 7)), n)
					again := l.Draw(rand.New(rand.NewPCG(seed, 7)), n)
					if !reflect.DeepEqual(d, again) {
						t.Fatalf("n=%d seed=%d: two draws from one seed differ", n, seed)
					}
					checkShape(t, l, d, n)
					checkGroups(t, l, d, n)
				}
			}
		})
	}
}

// checkShape sees that one part of the data is filled, with n records, and that the
// cells fit the kind.
func checkShape(t *testing.T, l law.Law, d law.Data, n int) {
	t.Helper()
	switch {
	case d.Table != nil && d.Lists == nil:
		if len(d.Table) != n || d.Texts != nil || d.Steps != nil {
			t.Fatalf("n=%d: %d rows", n, len(d.Table))
		}
		columns := map[string]bool{}
		for _, c := range d.Columns {
			if columns[c] || c == "" {
				t.Fatalf("column %q is empty or twice there", c)
			}
			columns[c] = true
		}
		for _, row := range d.Table {
			if len(row) != len(d.Columns) {
				t.Fatalf("a row of %d cells under %d columns", len(row), len(d.Columns))
			}
			for _, c := range row {
				checkCell(t, l.Kind, c)
			}
		}
	case d.Lists != nil && d.Table == nil:
		if len(d.Lists) != n || l.Kind != law.Presences || d.Texts != nil || d.Steps != nil {
			t.Fatalf("n=%d: %d lists of kind %s", n, len(d.Lists), l.Kind)
		}
		for _, list := range d.Lists {
			seen := map[string]bool{}
			for _, c := range list {
				if seen[c] || c == "" {
					t.Fatalf("code %q is empty or twice in a list", c)
				}
				seen[c] = true
			}
		}
	default:
		t.Fatal("not exactly one part of the data is filled")
	}
}

// checkCell sees that a cell fits the kind of its table.
func checkCell(t *testing.T, kind law.Kind, c string) {
	t.Helper()
	if c == "" {
		return
	}
	switch kind {
	case law.Presences:
		if c != "0" && c != "1" {
			t.Fatalf("presence %q", c)
		}
	case law.Ordered:
		if v, err := strconv.Atoi(c); err != nil || v < 0 || v > 20 {
			t.Fatalf("ordered answer %q", c)
		}
	case law.Measurements:
		if _, err := strconv.ParseFloat(c, 64); err != nil {
			t.Fatalf("measurement %q", c)
		}
	}
	if c == "NaN" || c == "+Inf" || c == "-Inf" {
		t.Fatalf("cell %q", c)
	}
}

// checkGroups sees that the groups agree with the law.
func checkGroups(t *testing.T, l law.Law, d law.Data, n int) {
	t.Helper()
	if (d.Group == nil) != (l.Groups == 1) {
		t.Fatalf("groups are nil: %t, of %d groups", d.Group == nil, l.Groups)
	}
	if d.Group == nil {
		return
	}
	if len(d.Group) != n {
		t.Fatalf("%d groups of %d records", len(d.Group), n)
	}
	seen := map[int]bool{}
	for _, g := range d.Group {
		if g < 0 || g >= l.Groups {
			t.Fatalf("group %d of %d", g, l.Groups)
		}
		seen[g] = true
	}
	if n >= 300 && len(seen) < 2 {
		t.Fatalf("only %d groups appear in %d records", len(seen), n)
	}
}
