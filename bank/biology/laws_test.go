package biology

import (
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/bank/law"
)

// source is the source of randomness of a test.
func source(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 7)) }

// filled is the number of records and of labels that data need, and how many of the
// four parts are filled.
func filled(d law.Data) (records, labels, parts int) {
	for _, part := range [][][]string{d.Table, d.Lists, d.Steps} {
		if part != nil {
			parts++
			records, labels = len(part), len(part)
		}
	}
	if d.Texts != nil {
		parts++
		records, labels = len(d.Texts), len(d.Texts)
	}
	if d.Steps != nil {
		labels = 0
		for _, s := range d.Steps {
			labels += len(s)
		}
	}
	return records, labels, parts
}

func TestLawsDraw(t *testing.T) {
	for _, l := range Laws() {
		t.Run(strings.ReplaceAll(l.Name, " ", "_"), func(t *testing.T) {
			for _, n := range []int{50, 300} {
				for seed := range uint64(2) {
					d := l.Draw(source(seed), n)
					if !reflect.DeepEqual(d, l.Draw(source(seed), n)) {
						t.Fatalf("n %d seed %d: two draws of one seed differ", n, seed)
					}
					check(t, l, d, n)
				}
			}
		})
	}
}

// check fails where data break the promises of package law.
func check(t *testing.T, l law.Law, d law.Data, n int) {
	t.Helper()
	records, labels, parts := filled(d)
	if parts != 1 || records != n {
		t.Fatalf("%d parts are filled with %d records, want one with %d", parts, records, n)
	}
	if (d.Group == nil) != (l.Groups == 1) {
		t.Fatalf("Group is nil: %t, with %d groups", d.Group == nil, l.Groups)
	}
	seen := map[int]bool{}
	for _, g := range d.Group {
		if g < 0 || g >= l.Groups {
			t.Fatalf("group %d of %d", g, l.Groups)
		}
		seen[g] = true
	}
	if d.Group != nil && (len(d.Group) != labels || n >= 300 && len(seen) != l.Groups) {
		t.Fatalf("%d labels of %d groups, want %d of %d", len(d.Group), len(seen), labels, l.Groups)
	}
	if (l.Kind == law.Sequences) != (d.Steps != nil) || (l.Kind == law.Texts) != (d.Texts != nil) ||
		d.Lists != nil && l.Kind != law.Presences {
		t.Fatalf("the part that is filled does not fit %s", l.Kind)
	}
	names := map[string]bool{}
	for _, c := range d.Columns {
		if c == "" || names[c] {
			t.Fatalf("column name %q is empty or twice", c)
		}
		names[c] = true
	}
	for _, row := range d.Table {
		if len(row) != len(d.Columns) {
			t.Fatalf("%d cells, want %d", len(row), len(d.Columns))
		}
		for _, c := range row {
			checkCell(t, l.Kind, c)
		}
	}
	for _, s := range d.Steps {
		if len(s) < 20 || len(s) > 60 {
			t.Fatalf("%d steps", len(s))
		}
	}
}

// checkCell fails where a cell is not of the kind of its law.
func checkCell(t *testing.T, kind law.Kind, c string) {
	t.Helper()
	bad := strings.Contains(c, "NaN") || strings.Contains(c, "Inf")
	switch kind {
	case law.Genotypes:
		bad = c != "" && c != "0" && c != "1" && c != "2"
	case law.Presences:
		bad = c != "" && c != "0" && c != "1"
	case law.Counts:
		bad = c == "" || strings.Trim(c, "0123456789") != "" || len(c) > 7
	}
	if bad {
		t.Fatalf("cell %q of %s", c, kind)
	}
}

func TestLawsAreNamed(t *testing.T) {
	names := map[string]bool{}
	for _, l := range Laws() {
		if l.Name == "" || names[l.Name] || l.About == "" || l.Groups < 1 {
			t.Errorf("law %q has no name, no words about it, or a name twice", l.Name)
		}
		names[l.Name] = true
	}
	if len(names) < 55 {
		t.Errorf("%d laws, want 55 or more", len(names))
	}
}

// TestMoments holds the draws of the helpers against their means and variances.
func TestMoments(t *testing.T) {
	const draws = 40000
	for _, c := range []struct {
		name       string
		mean, vary float64
		draw       func(r *rand.Rand) float64
	}{
		{"gamma", 6, 12, func(r *rand.Rand) float64 { return gamma(r, 3, 2) }},
		{"gamma below one", 0.5, 0.5, func(r *rand.Rand) float64 { return gamma(r, 0.5, 1) }},
		{"beta", 0.4, 0.04, func(r *rand.Rand) float64 { return beta(r, 2, 3) }},
		{"poisson", 5, 5, func(r *rand.Rand) float64 { return float64(poisson(r, 5)) }},
		{"poisson large", 300, 300, func(r *rand.Rand) float64 { return float64(poisson(r, 300)) }},
		{"binomial", 6, 4.2, func(r *rand.Rand) float64 { return float64(binomial(r, 20, 0.3)) }},
		{"binomial large", 300, 210, func(r *rand.Rand) float64 { return float64(binomial(r, 1000, 0.3)) }},
		{"negative binomial", 8, 40, func(r *rand.Rand) float64 { return float64(negbin(r, 8, 2)) }},
		{"student", 0, 1.25, func(r *rand.Rand) float64 { return student(r, 10) }},
	} {
		r := source(11)
		sum, squares := 0.0, 0.0
		for range draws {
			x := c.draw(r)
			sum += x
			squares += (x - c.mean) * (x - c.mean)
		}
		if !(math.Abs(sum/draws-c.mean) <= 5*math.Sqrt(c.vary/draws)) {
			t.Errorf("%s: mean %.3f, want %.3f", c.name, sum/draws, c.mean)
		}
		if v := squares / draws; !(math.Abs(v/c.vary-1) <= 0.1) {
			t.Errorf("%s: variance %.3f, want %.3f", c.name, v, c.vary)
		}
	}
}
