package explain_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/encode"
	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/warn"
)

// exact is rounding only.
const exact = 1e-12

func TestRelevance(t *testing.T) {
	// By hand: .6·log(.5) + .4·log(.5/.1).
	if got, want := explain.Relevance(.6, .5, .1), .6*math.Log(.5)+.4*math.Log(5); numtest.Off(got, want, exact) {
		t.Errorf("got %v, want %v", got, want)
	}
	// λ = 1 is frequency alone, λ = 0 the ratio alone.
	if got := explain.Relevance(1, .3, .001); numtest.Off(got, math.Log(.3), exact) {
		t.Errorf("λ = 1: %v", got)
	}
	if got := explain.Relevance(0, .3, .1); numtest.Off(got, math.Log(3), exact) {
		t.Errorf("λ = 0: %v", got)
	}
	if got := explain.Relevance(.6, 0, .1); !math.IsInf(got, -1) {
		t.Errorf("p = 0: %v", got)
	}
}

func TestWilson(t *testing.T) {
	// Bounds solve (p̂−p)² = z²p(1−p)/n: checked by putting them back.
	const z = 1.959963984540054
	for _, c := range [][2]float64{{1, 10}, {5, 10}, {71, 100}, {854, 1204}} {
		low, high := explain.Wilson(c[0], c[1])
		for _, p := range []float64{low, high} {
			gap := c[0]/c[1] - p
			if numtest.Off(gap*gap, z*z*p*(1-p)/c[1], exact) {
				t.Errorf("%v of %v: %v is no bound", c[0], c[1], p)
			}
		}
		if !(low < c[0]/c[1] && c[0]/c[1] < high) {
			t.Errorf("%v of %v: %v to %v", c[0], c[1], low, high)
		}
	}
	if low, high := explain.Wilson(0, 10); low != 0 || numtest.Off(high, 0.27753279, 1e-8) { // z²/(n+z²)
		t.Errorf("none of 10: %v to %v", low, high)
	}
	if low, high := explain.Wilson(10, 10); high != 1 || numtest.Off(low, 0.72246721, 1e-8) {
		t.Errorf("10 of 10: %v to %v", low, high)
	}
	if low, high := explain.Wilson(0, 0); low != 0 || high != 1 {
		t.Errorf("none of none: %v to %v", low, high)
	}
}

func TestNumbersInWords(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0 %", 1: "100 %", .9996: "over 99.9 %", .9981: "99.8 %", .712: "71 %", .12: "12 %", .0995: "10 %",
		.0534: "5.3 %", .03: "3 %", .00996: "1 %", .0052: "0.52 %", .00003: "under 0.01 %",
	} {
		if got := report.Percent(v); got != want {
			t.Errorf("Percent(%v) = %q, want %q", v, got, want)
		}
	}
	for v, want := range map[float64]string{4.13: "4.1", 12.4: "12", 1234: "1,234", .23: "0.2", .046: "0.05", 0: "0"} {
		if got := report.Times(v); got != want {
			t.Errorf("Times(%v) = %q, want %q", v, got, want)
		}
	}
	for v, want := range map[int]string{0: "0", 999: "999", 1204: "1,204", -1204: "-1,204", 1234567: "1,234,567", -999: "-999"} {
		if got := report.Thousands(v); got != want {
			t.Errorf("Thousands(%v) = %q, want %q", v, got, want)
		}
	}
	for v, want := range map[float64]string{71.24: "71.2", 4.056: "4.06", 0.0123: "0.012", 132.6: "133", 15234.2: "15,234", -0.5: "-0.50"} {
		if got := report.Amount(v); got != want {
			t.Errorf("Amount(%v) = %q, want %q", v, got, want)
		}
	}
}

// TestFeatures checks the numbers of every list against the records, where
// shares are counted.
func TestFeatures(t *testing.T) {
	d := hospital(t, 3, 600)
	o := flat(t, d, 3, "")
	r := explained(t, o, d, report.Settings{Lambda: .7, Counted: true})
	n := make([]int, 3)
	for _, g := range o.Group {
		n[g]++
	}
	for j := range r.Leaves {
		g := r.Leaf(j)
		for _, list := range [][]report.Feature{g.Typical, g.Frequent, g.Rare} {
			for _, f := range list {
				have, all := 0, 0
				for i, group := range o.Group {
					if d.Rows.At(i, f.Index) != 0 {
						all++
						if int(group) == j {
							have++
						}
					}
				}
				p, q := float64(have)/float64(n[j]), float64(all)/600
				low, high := explain.Wilson(float64(have), float64(n[j]))
				for what, pair := range map[string][2]float64{
					"share": {f.Share.Or(-1), p}, "overall": {f.Overall.Or(-1), q}, "ratio": {f.Ratio.Or(-1), p / q},
					"low": {f.Low.Or(-1), low}, "high": {f.High.Or(-1), high},
				} {
					if numtest.Off(pair[0], pair[1], exact) {
						t.Errorf("group %d, %s: %s %v, want %v", j+1, f.Title, what, pair[0], pair[1])
					}
				}
				if count, _ := f.Count.Value(); count != have {
					t.Errorf("group %d, %s: count %d, want %d", j+1, f.Title, count, have)
				}
				if have > 0 && numtest.Off(f.Relevance.Or(99), explain.Relevance(.7, p, q), exact) {
					t.Errorf("group %d, %s: relevance %v", j+1, f.Title, f.Relevance)
				}
			}
		}
		for i := 1; i < len(g.Typical); i++ {
			if g.Typical[i].Relevance.Or(0) > g.Typical[i-1].Relevance.Or(0) {
				t.Errorf("group %d: typical features out of order", j+1)
			}
		}
		for _, f := range g.Rare {
			if f.Ratio.Or(1) >= 1 {
				t.Errorf("group %d: %s is called rare at a ratio of %v", j+1, f.Title, f.Ratio)
			}
		}
	}
}

// TestPlanted finds the planted groups in the names, for several seeds.
func TestPlanted(t *testing.T) {
	for seed := range uint64(5) {
		d := hospital(t, seed, 1000)
		outcomes := []*fit.Outcome{grown(t, d, fit.TreeShape{Leaves: 3})}
		if seed < 4 { // the flat fit of the fifth set joins all three groups
			outcomes = append(outcomes, flat(t, d, 3, ""))
		}
		for _, o := range outcomes {
			r := explained(t, o, d, report.Settings{Health: true})
			for j, want := range []string{"Chronic kidney disease", "Mitral valve disease", "Chronic airway obstruction"} {
				if got := r.Leaf(j).Name; !strings.HasPrefix(got, want) {
					t.Errorf("seed %d: group %d is called %q, want %q first", seed, j+1, got, want)
				}
			}
		}
	}
}

// TestWarnings checks that small counts leave the sentences of others.
func TestWarnings(t *testing.T) {
	d := hospital(t, 1, 200)
	o := flat(t, d, 2, "")
	read := explain.Gate{}.Encoded(&encode.Summary{Read: 204, Kept: 200, LeftOut: []encode.Count{{Name: "no age", N: 4}}})
	read.Warnings = []warn.Warning{
		warn.New(warn.Note, "empty-records", "They are placed.", "3 records (1.5 %%) have no feature left; 1,204 records have."),
		warn.New(warn.Serious, "x", "", "Only 1 patient was seen twice, and 3 of the 200 records."),
	}
	r := explained(t, o, d, report.Settings{Health: true, Read: read.Report()})
	if got, want := r.Warnings[1].Text, "A few patients have no diagnosis left; 1,204 patients have."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := r.Warnings[0].Text, "Only a few patients were seen twice, and a few of the 200 patients."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if !r.Data.Read.Masked() || !r.Data.LeftOut[0].N.Masked() {
		t.Errorf("204 read and 200 kept tell that 4 were left out: %+v", r.Data)
	}
	open := explained(t, o, d, report.Settings{Read: read.Report()})
	if n, _ := open.Data.LeftOut[0].N.Value(); n != 4 || open.Data.Read.Masked() {
		t.Errorf("masked without a limit: %+v", open.Data)
	}
}

func TestCountJSON(t *testing.T) {
	type pair struct {
		A, B report.Count
		C, D report.Number
	}
	in := pair{A: report.CountOf(12), C: report.NumberOf(.25)}
	text, err := json.Marshal(in)
	if err != nil || string(text) != `{"A":12,"B":null,"C":0.25,"D":null}` {
		t.Fatalf("%s, %v", text, err)
	}
	var out pair
	if err := json.Unmarshal(text, &out); err != nil || out != in {
		t.Errorf("%+v, %v", out, err)
	}
	if !report.NumberOf(math.NaN()).Masked() || !report.NumberOf(math.Inf(1)).Masked() {
		t.Errorf("a number that is none can be read")
	}
}

func TestRefuses(t *testing.T) {
	d := hospital(t, 1, 100)
	o := flat(t, d, 2, "")
	if _, err := explain.New(t.Context(), o, hospital(t, 1, 99), report.Settings{}); err == nil {
		t.Errorf("a fit of other records was explained")
	}
	if _, err := explain.New(t.Context(), o, d, report.Settings{Lambda: 2}); err == nil {
		t.Errorf("λ = 2 was accepted")
	}
}

// TestOneRecord: a single record forms nothing, in right grammar.
func TestOneRecord(t *testing.T) {
	d := hospital(t, 1, 1)
	o := flat(t, hospital(t, 1, 40), 1, "bernoulli")
	o.Group, o.Probability = o.Group[:1], o.Probability[:1]
	if got := explained(t, o, d, report.Settings{}).Summary[0]; got != "1 patient is one group." {
		t.Error(got)
	}
}
