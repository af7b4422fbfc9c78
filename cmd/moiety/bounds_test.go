package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/inspect"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/report"
)

// TestBounds: --bounds adds the numbers of the theorems, more records make them
// smaller, and counts of four trials are found to be so.
func TestBounds(t *testing.T) {
	type doc struct {
		Light  string
		Bounds *struct {
			Groups, KRank                      int
			Second, Third, Norm2, Norm3, Gamma float64
			Unique                             bool
			Trials, Centers                    *float64
		}
	}
	inspect := func(args ...string) doc {
		var d doc
		if err := json.Unmarshal([]byte(done(t, append([]string{"inspect", "-q", "--json"}, args...)...)), &d); err != nil {
			t.Fatal(err)
		}
		return d
	}
	write := func(name string, n int) string {
		r := stream.New(1, "test/bounds")
		var b strings.Builder
		b.WriteString("id,a,b,c,d,e,f\n")
		for i := range n {
			b.WriteString("r" + string(rune('0'+i%10)) + strings.Repeat("x", i/10%7) + string(rune('a'+i%26)))
			for range 6 {
				x := 0
				for range 4 {
					if r.Float64() < .4 {
						x++
					}
				}
				b.WriteString("," + string(rune('0'+x)))
			}
			b.WriteString("\n")
		}
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	times := numtest.Scale(4, 16, 16)
	small, large := write("small.csv", 500), write("large.csv", 500*times)
	plain, full := inspect(small, "--format", "counts"), inspect(small, "--format", "counts", "--bounds")
	if plain.Bounds != nil {
		t.Error("bounds that nobody asked for")
	}
	if plain.Light != full.Light {
		t.Errorf("the light is %s with bounds and %s without", full.Light, plain.Light)
	}
	a, b := inspect(small, "--format", "counts", "--bounds").Bounds, inspect(large, "--format", "counts", "--bounds").Bounds
	if a == nil || b == nil {
		t.Fatal("no bounds")
	}
	if ratio, want := a.Second/b.Second, math.Sqrt(float64(times)); numtest.Off(ratio, want, .1*want) {
		t.Errorf("%d times the records make the bound %.2f times smaller, want %.1f", times, ratio, want)
	}
	if b.Trials == nil || numtest.Off(*b.Trials, 4, .3) {
		t.Errorf("trials %v, want 4", b.Trials)
	}
	c := inspect(twoCauses(t), "--bounds", "-k", "2").Bounds
	if !(c.Gamma > 0) || c.Gamma > c.Second || c.Centers != nil {
		t.Errorf("errors of %v, γ %v, and the theorem says %v", c.Second, c.Gamma, c.Centers)
	}
	words := done(t, "inspect", large, "--format", "counts", "--bounds", "-q") + done(t, "inspect", twoCauses(t), "--bounds", "-k", "2", "-q")
	for _, want := range []string{"Bounds (19 in 20 samples)", "The model of 2 groups", "says nothing here: needs errors below γ = ", "no theorem of the papers is of these", "Kruskal", "trials ([L])"} {
		if !strings.Contains(strings.Join(strings.Fields(words), " "), want) {
			t.Errorf("no %q in:\n%s", want, words)
		}
	}
	if code, _, said := do(t, "inspect", smallMeasures(t), "--bounds"); code == 0 || !strings.Contains(said, "leave --bounds out") {
		t.Errorf("measurements: exit %d: %s", code, said)
	}
}

// TestBoundsInWords: the theorem is cited where it says something, and where it says nothing
// its premise is told, with both numbers.
func TestBoundsInWords(t *testing.T) {
	b := inspect.Bounds{Groups: 2, Documents: true, Second: .02, Third: .03, Gamma: .2, Centers: report.NumberOf(.5), Feature: "polls", AlphaR: .1, AlphaM2: .2, Unique: true, KRank: 2}
	for _, c := range []struct {
		change func(*inspect.Bounds)
		want   string
	}{
		{func(*inspect.Bounds) {}, "a feature is off by 0.5 over all groups at the most ([T] Thm 2.2.1, for errors of the moments below γ = 0.2"},
		{func(b *inspect.Bounds) { b.Gamma, b.Centers = .01, report.Number{} }, "says nothing here: needs errors below γ = 0.01, the errors here are up to 0.03"},
		{func(b *inspect.Bounds) { b.Gamma, b.Centers = 0, report.Number{} }, "no single feature tells all of them apart"},
		{func(b *inspect.Bounds) { b.Documents, b.Centers = false, report.Number{} }, "which presences do not show"},
	} {
		b := b
		c.change(&b)
		if got := strings.Join(groupsInWords(&b), " "); !strings.Contains(got, c.want) {
			t.Errorf("%q, want %q in it", got, c.want)
		}
	}
}

func smallMeasures(t *testing.T) string {
	t.Helper()
	r := stream.New(2, "test/bounds")
	var b strings.Builder
	b.WriteString("id,x,y\n")
	for i := range 60 {
		b.WriteString(string(rune('A'+i%26)) + string(rune('a'+i/26)))
		for range 2 {
			x, _ := json.Marshal(math.Round(r.NormFloat64()*1000) / 1000)
			b.WriteString("," + string(x))
		}
		b.WriteString("\n")
	}
	path := filepath.Join(t.TempDir(), "measures.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
