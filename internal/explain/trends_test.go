package explain_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/report"
)

// dated gives documents a year that grows with their number, and the paper they
// stand in, which says nothing.
func dated(d *dataset.Dataset) *dataset.Dataset {
	year, paper := dataset.Side{Name: "year"}, dataset.Side{Name: "paper"}
	for i := range d.Len() {
		y := fmt.Sprint(1990 + 10*i/d.Len())
		if i%17 == 0 {
			y = ""
		}
		year.Values, paper.Values = append(year.Values, y), append(paper.Values, []string{"a", "b", "c"}[i%3])
	}
	d.Side = []dataset.Side{year, paper}
	return d
}

// TestTrends: shares of documents in groups by year and paper, against a direct
// count.
func TestTrends(t *testing.T) {
	d := dated(corpus(5, 900))
	o := flat(t, d, 4, "single-topic")
	r := explained(t, o, d, report.Settings{Date: "year"})
	if len(r.Trends) != 2 || r.Trends[0].Column != "year" || r.Trends[0].Kind != explain.TrendTime || r.Trends[1].Kind != explain.TrendAnswer || len(r.Trends[0].Places) != 10 || r.Trends[0].Every != "year" {
		t.Fatalf("%+v", r.Trends)
	}
	for _, x := range r.Trends {
		side, _ := d.SideColumn(x.Column)
		for l, place := range x.Places {
			counts, n := make([]int, 4), 0
			for i, v := range side.Values {
				if v == place.Name {
					counts[o.Group[i]]++
					n++
				}
			}
			if got, _ := place.N.Value(); got != n {
				t.Errorf("%s %s: %d, want %d", x.Column, place.Name, got, n)
			}
			for j, g := range x.Groups {
				low, high := explain.Wilson(float64(counts[j]), float64(n))
				if s := g.Shares[l]; numtest.Off(s.Share.Or(-1), float64(counts[j])/float64(n), 1e-12) || numtest.Off(s.Low.Or(-1), low, 1e-12) || numtest.Off(s.High.Or(-1), high, 1e-12) {
					t.Errorf("%s %s, group %d: %+v, want %d of %d", x.Column, place.Name, j+1, s, counts[j], n)
				}
			}
		}
	}
	if x := r.Trends[1]; !strings.HasPrefix(x.Finding, "No topic is clearly") && !strings.HasPrefix(x.Finding, "No group is clearly") {
		t.Errorf("a column that says nothing: %q, p %v", x.Finding, x.Groups[0].Adjusted)
	}
	if explained(t, o, d, report.Settings{Date: "year", Share: true}).Trends != nil {
		t.Error("trends are shared")
	}
	if again := explained(t, o, dated(corpus(5, 900)), report.Settings{Date: "year"}); fmt.Sprintf("%+v", again.Trends) != fmt.Sprintf("%+v", r.Trends) {
		t.Error("another answer the second time")
	}
}

// TestTrendsMix: of topics that mix, the share of the average document with
// Student's interval in log-odds, and words by the shares that documents have.
func TestTrendsMix(t *testing.T) {
	d := dated(corpus(5, 600))
	o := flat(t, d, 3, "lda")
	r := explained(t, o, d, report.Settings{Date: "year"})
	x := r.Trends[0]
	f, err := o.Model.Family()
	if err != nil {
		t.Fatal(err)
	}
	theta := make([]float64, 3*d.Len())
	if err := f.Posterior(o.Model.Params, pass.Block{Rows: d.Rows}, theta); err != nil {
		t.Fatal(err)
	}
	year, _ := d.SideColumn("year")
	for l, place := range x.Places {
		for j := range 3 {
			var list []float64
			for i, v := range year.Values {
				if v == place.Name {
					list = append(list, theta[3*i+j])
				}
			}
			m, ss := 0.0, 0.0
			for _, v := range list {
				m += v / float64(len(list))
			}
			for _, v := range list {
				ss += (v - m) * (v - m)
			}
			n := float64(len(list))
			s := x.Groups[j].Shares[l]
			if numtest.Off(s.Share.Or(-1), m, 1e-9) {
				t.Fatalf("%s, topic %d: %v, want %v", place.Name, j+1, s.Share, m)
			}
			// Symmetric in log-odds, of half width t·se/(m(1−m)).
			odds := func(p float64) float64 { return math.Log(p / (1 - p)) }
			half := (odds(s.High.Or(-1)) - odds(s.Low.Or(-1))) / 2
			if se := math.Sqrt(ss/(n-1)/n) / (m * (1 - m)); half < 1.96*se || half > 2.1*se || numtest.Off(odds(s.High.Or(-1))-half, odds(m), 1e-6) {
				t.Errorf("%s, topic %d: half width %v for an error of %v", place.Name, j+1, half, se)
			}
		}
	}
	sum := 0.0
	for _, w := range x.Groups[0].Words {
		for _, s := range w.Shares {
			v, ok := s.Share.Value()
			if sum += v; ok && (v < 0 || v > 1 || v > 0 && !(s.Low.Or(-1) <= v && v <= s.High.Or(-1))) {
				t.Errorf("%s: %+v", w.Name, s)
			}
		}
		if w.Rises != (w.Last.Or(0) > w.First.Or(0)) {
			t.Errorf("%s: %+v", w.Name, w)
		}
	}
	if sum == 0 {
		t.Error("no words over time: the test tests nothing")
	}
}

// TestTrendsMask: of people no count below the limit is reported over time, nor found
// from others; periods are put together until none is left.
func TestTrendsMask(t *testing.T) {
	d := sided(hospital(t, 3, 600))
	d.Side[3].Values[5] = "" // one without a date
	o := flat(t, d, 3, "")
	for _, missing := range []bool{true, false} {
		r := explained(t, o, d, report.Settings{Health: true, Date: "date"})
		if len(r.Trends) != 1 || r.Trends[0].Withheld != missing {
			t.Fatalf("one without a date %v: %+v", missing, r.Trends)
		}
		d.Side[3].Values[5] = "2016-01-06"
	}
	r := explained(t, o, d, report.Settings{Health: true, Date: "date"})
	x := r.Trends[0]
	if len(x.Places) < 2 {
		t.Fatalf("%+v", x.Places)
	}
	for l, place := range x.Places {
		n, _ := place.N.Value()
		for j, g := range x.Groups {
			c := int(math.Round(g.Shares[l].Share.Or(0) * float64(n)))
			if c > 0 && c < 11 || n-c > 0 && n-c < 11 {
				t.Errorf("%s, group %d: %d of %d", place.Name, j+1, c, n)
			}
			if len(g.Words) > 0 {
				t.Error("words of people are told")
			}
		}
	}
	if slices.ContainsFunc(r.Sides, func(c report.SideColumn) bool { return c.Name == "date" }) {
		t.Error("a column of times is told twice")
	}
	all := explained(t, o, d, report.Settings{Date: "date"})
	if len(all.Trends) != 1 || len(all.Trends[0].Places) <= len(x.Places) {
		t.Error("without a limit there are no more periods: the test tests nothing")
	}
}

// However many side columns stand before that of times, it is told, and of the others as many
// as without it.
func TestTrendsOfManyColumns(t *testing.T) {
	d := dated(corpus(5, 600))
	year, paper := d.Side[0], d.Side[1]
	var many []dataset.Side
	for i := range 20 {
		many = append(many, dataset.Side{Name: fmt.Sprint("paper", i), Values: paper.Values})
	}
	o := flat(t, d, 3, "single-topic")
	others := func(side []dataset.Side, date string) (n int, time bool) {
		d.Side = side
		for _, x := range explained(t, o, d, report.Settings{Date: date}).Trends {
			if x.Column == "year" {
				time = true
			} else {
				n++
			}
		}
		return n, time
	}
	want, _ := others(many, "")
	for name, side := range map[string][]dataset.Side{
		"first": slices.Concat([]dataset.Side{year}, many),
		"last":  slices.Concat(many, []dataset.Side{year}),
	} {
		if n, time := others(side, "year"); !time || n != want {
			t.Errorf("the column of times %s: told %v, and %d others, want %d", name, time, n, want)
		}
	}
	if want == 0 || want > 12 { // a page of a dozen charts
		t.Errorf("%d of %d columns are told", want, len(many))
	}
}
