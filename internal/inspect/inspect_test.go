package inspect

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/verdict"
	"github.com/moiety-go/moiety/warn"
)

// The light of a number of groups that was asked for, beside what the records show:
// both sides of every bound.
func TestAskedFor(t *testing.T) {
	v := &verdict.Verdict{Groups: 4, Range: [2]int{3, 5}, Components: 7, Records: 500}
	w := verdict.CalledFor(false, false)
	for _, c := range []struct {
		k           int
		light, part string
	}{
		{2, amber, "would put together"},
		{3, amber, "any number from 3 to 5"},
		{5, amber, "any number from 3 to 5"},
		{6, amber, "may be a useful description"},
		{7, amber, "may be a useful description"},
		{8, red, "would mostly be chance"},
	} {
		if j := askedFor(v, c.k, w); j.light != c.light || !strings.Contains(j.reason, c.part) || j.remedy == "" {
			t.Errorf("%d groups: %s, %q, %q", c.k, j.light, j.reason, j.remedy)
		}
	}
}

func TestLightOfAVerdict(t *testing.T) {
	w := verdict.CalledFor(true, false)
	for _, c := range []struct {
		v                   verdict.Verdict
		light, part, remedy string
	}{
		{verdict.Verdict{Groups: 3, Sure: true, Records: 900}, "green", "the same states", ""},
		{verdict.Verdict{Groups: 1, Sure: true, Records: 900}, "green", "No other number of states", ""},
		{verdict.Verdict{Groups: 2, Records: 900, Against: []verdict.Doubt{{Text: "One line."}}}, amber, "One line.", w.Remedy},
		{verdict.Verdict{Groups: 1, Records: 4}, red, "So few sequences", w.Remedy},
	} {
		if j := byVerdict(&c.v, w); j.light != c.light || !strings.Contains(j.reason, c.part) || j.remedy != c.remedy {
			t.Errorf("%+v: %s, %q, %q", c.v, j.light, j.reason, j.remedy)
		}
	}
	j := byVerdict(&verdict.Verdict{Groups: 3, Sure: true, Records: 900}, w)
	doubted(j, []warn.Warning{warn.New(warn.Caution, "zeros-unclear", "Read them as text.", "Zeros are lost.")})
	if j.light != red || j.remedy != "Read them as text." {
		t.Errorf("codes that may be others: %+v", j)
	}
}

// A table of two clear groups: what is read, how many groups, and the light of another
// number; its features come together.
func TestData(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var text strings.Builder
	text.WriteString("id,a,b,c,d,e,f\n")
	for i := range 600 {
		fmt.Fprintf(&text, "%d", i)
		for h := range 6 {
			p := .1
			if (h < 3) == (i%2 == 0) {
				p = .9
			}
			x := 0
			if r.Float64() < p {
				x = 1
			}
			fmt.Fprintf(&text, ",%d", x)
		}
		text.WriteByte('\n')
	}
	path := filepath.Join(t.TempDir(), "two.csv")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	o := fit.Order{Args: []string{path}}
	x, err := Data(t.Context(), o, 0, false)
	if err != nil {
		t.Fatal(err)
	}
	if x.Records.Or(0) != 600 || x.Features != 6 || x.Verdict == nil || x.Verdict.Groups != 2 || x.Light != x.Verdict.Light() {
		t.Errorf("%+v", x)
	}
	if x, err = Data(t.Context(), o, 30, false); err != nil || x.Light != red {
		t.Errorf("30 groups: %+v, %v", x, err)
	}
	tree, err := Features(t.Context(), o, 100, false)
	if err != nil || tree.Features != 6 {
		t.Errorf("%+v, %v", tree, err)
	}
	if err := x.Bound(t.Context(), o, 2); err != nil || x.Bounds == nil || x.Bounds.Groups != 2 || !(x.Bounds.Second > 0) || !x.Bounds.Unique {
		t.Errorf("bounds %+v, %v", x.Bounds, err)
	}
}

// TestBoundOfDocuments: bounds are those of groups of whole documents, whatever the default
// for texts may mix: two groups whose shares of a word are 40 % and 10 % differ by 30 %.
func TestBoundOfDocuments(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 3))
	words := []string{"amber", "basil", "cedar", "dahlia"}
	share := []float64{.4, .3, .2, .1}
	var text strings.Builder
	for i := range 800 {
		for range 40 {
			h := 0
			for u := r.Float64() - share[0]; u > 0 && h < 3; u -= share[h] {
				h++
			}
			if i%2 == 1 {
				h = 3 - h
			}
			text.WriteString(words[h] + " ")
		}
		text.WriteString("\n")
	}
	path := filepath.Join(t.TempDir(), "documents.txt")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	o := fit.Order{Args: []string{path}}
	o.Read.Format = "lines"
	x := &Inspected{}
	if err := x.Bound(t.Context(), o, 2); err != nil {
		t.Fatal(err)
	}
	if x.Bounds == nil || numtest.Off(x.Bounds.AlphaR, .3, .02) || numtest.Off(x.Bounds.Norm2, .25, .01) {
		t.Errorf("the bounds are %+v, want a difference of .3 and a size of .25", x.Bounds)
	}
}

// What is found beside columns that were left out by a guess is never sure, and says so
// first; where somebody said that they stay out it is as sure as the records make it.
func TestGuessIsNeverGreen(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	var text strings.Builder
	text.WriteString("region")
	for j := range 20 {
		fmt.Fprintf(&text, ",q%d", j)
	}
	for i := range 800 {
		fmt.Fprintf(&text, "\n%s", []string{"north", "south"}[r.IntN(2)])
		for j := range 20 {
			fmt.Fprintf(&text, ",%s", map[bool]string{true: "yes", false: "no"}[r.Float64() < []float64{.9, .1, .1}[(i+j)%3]])
		}
	}
	path := filepath.Join(t.TempDir(), "survey.csv")
	if err := os.WriteFile(path, []byte(text.String()+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	o := fit.Order{Args: []string{path}}
	x, err := Data(t.Context(), o, 0, false)
	if err != nil {
		t.Fatal(err)
	}
	if x.Light == "green" || x.Verdict.Sure || !strings.Contains(x.Reason, "region") || !strings.Contains(x.Remedy, "--label") {
		t.Errorf("%s, sure: %t, %q, %q", x.Light, x.Verdict.Sure, x.Reason, x.Remedy)
	}
	o.Read.Label = []string{"region"}
	if x, err = Data(t.Context(), o, 0, false); err != nil || x.Light != "green" || !x.Verdict.Sure {
		t.Errorf("said to stay out: %s, %q, %v", x.Light, x.Reason, err)
	}
}

// Genotypes of which some calls are missing show the peoples that they show without a blank.
func TestMissingCalls(t *testing.T) {
	const people, loci, groups = 300, 300, 4
	var texts [2]strings.Builder
	r, blank := rand.New(rand.NewPCG(21, 4)), rand.New(rand.NewPCG(1, 1))
	share := make([]float64, loci*groups)
	for h := range loci {
		p := .2 + .6*r.Float64()
		for g := range groups {
			share[h*groups+g] = min(max(p+.1*r.NormFloat64(), .02), .98)
		}
	}
	for _, text := range []*strings.Builder{&texts[0], &texts[1]} {
		text.WriteString("who")
		for h := range loci {
			fmt.Fprintf(text, ",rs%d", h)
		}
	}
	for i := range people {
		fmt.Fprintf(&texts[0], "\np%d", i)
		fmt.Fprintf(&texts[1], "\np%d", i)
		for h := range loci {
			copies := 0
			for range 2 {
				if r.Float64() < share[h*groups+i%groups] {
					copies++
				}
			}
			call := fmt.Sprintf(",%d", copies)
			texts[0].WriteString(call)
			if blank.Float64() < .03 {
				call = ","
			}
			texts[1].WriteString(call)
		}
	}
	for i, text := range []string{texts[0].String(), texts[1].String()} {
		path := filepath.Join(t.TempDir(), "g.csv")
		if err := os.WriteFile(path, []byte(text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		o := fit.Order{Args: []string{path}}
		o.Read.Format, o.Read.ID = "genotypes", "who"
		x, err := Data(t.Context(), o, 0, false)
		if err != nil || x.Verdict.Groups != groups || x.Encoding.Plan.Kind != "counts" {
			t.Fatalf("%d: %+v, %v", i, x, err)
		}
	}
}
