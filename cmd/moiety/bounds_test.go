package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
)

// TestBounds: --bounds adds the numbers of the theorems, more records make them
// smaller, and counts of four trials are found to be so.
func TestBounds(t *testing.T) {
	type doc struct {
		Bounds *struct {
			Groups, KRank               int
			Second, Third, Norm2, Norm3 float64
			Unique                      bool
			Trials                      *float64
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
	if inspect(small, "--format", "counts").Bounds != nil {
		t.Error("bounds that nobody asked for")
	}
	a, b := inspect(small, "--format", "counts", "--bounds").Bounds, inspect(large, "--format", "counts", "--bounds").Bounds
	if a == nil || b == nil {
		t.Fatal("no bounds")
	}
	if ratio, want := a.Second/b.Second, math.Sqrt(float64(times)); math.Abs(ratio-want) > .1*want {
		t.Errorf("%d times the records make the bound %.2f times smaller, want %.1f", times, ratio, want)
	}
	if b.Trials == nil || math.Abs(*b.Trials-4) > .3 {
		t.Errorf("trials %v, want 4", b.Trials)
	}
	words := done(t, "inspect", large, "--format", "counts", "--bounds", "-q") + done(t, "inspect", twoCauses(t), "--bounds", "-k", "2", "-q")
	for _, want := range []string{"Bounds (19 in 20 samples)", "With 2 groups", "Kruskal", "trials ([L])"} {
		if !strings.Contains(strings.Join(strings.Fields(words), " "), want) {
			t.Errorf("no %q in:\n%s", want, words)
		}
	}
	if code, _, said := do(t, "inspect", smallMeasures(t), "--bounds"); code == 0 || !strings.Contains(said, "leave --bounds out") {
		t.Errorf("measurements: exit %d: %s", code, said)
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
