package explain_test

import (
	"fmt"
	"testing"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/report"
)

// sided gives a data set side columns: a number, a yes or no, a rare answer, one
// that few lack, dates and names.
func sided(d *dataset.Dataset) *dataset.Dataset {
	columns := map[string]func(i int) string{
		"age":    func(i int) string { return fmt.Sprint(30 + i%50) },
		"female": func(i int) string { return fmt.Sprint(i % 2) },
		"died": func(i int) string {
			if i%97 == 0 {
				return "yes"
			}
			return "no"
		},
		"date": func(i int) string { return fmt.Sprintf("2016-01-%02d", 1+i%28) },
		"name": func(i int) string { return fmt.Sprintf("N%d", i) },
	}
	d.Side = nil
	for _, name := range []string{"age", "female", "died", "date", "name"} {
		s := dataset.Side{Name: name}
		for i := range d.Len() {
			s.Values = append(s.Values, columns[name](i))
		}
		d.Side = append(d.Side, s)
	}
	return d
}

// TestSides: means and shares of the records put into each group, against a
// direct count.
func TestSides(t *testing.T) {
	d := sided(hospital(t, 3, 600))
	o := flat(t, d, 3, "")
	r := explained(t, o, d, report.Settings{})
	if len(r.Sides) != 3 || r.Sides[0].Kind != report.SideNumber || r.Sides[1].Kind != report.SideAnswer {
		t.Fatalf("%d side columns", len(r.Sides))
	}
	for j := range r.Leaves {
		n, sum, female := 0, 0.0, 0
		for i, g := range o.Group {
			if int(g) == j {
				n++
				sum += float64(30 + i%50)
				female += i % 2
			}
		}
		p, q := r.Sides[0].Parts[j], r.Sides[1].Parts[j].Levels[1]
		count, _ := q.Count.Value()
		if numtest.Off(p.Mean.Or(0), sum/float64(n), 1e-9) || count != female || numtest.Off(q.Share.Or(-1), float64(female)/float64(n), 1e-12) || !(p.Low.Or(99) < p.Mean.Or(0)) {
			t.Errorf("group %d: %+v, %+v; %d records, %d female", j+1, p, q, n, female)
		}
	}
	// Columns that have nothing to do with the groups: hardly any p is small.
	if r.Sides[0].Adjusted.Or(0) < .01 || r.Sides[1].Adjusted.Or(0) < .01 {
		t.Errorf("p %v and %v", r.Sides[0].Adjusted, r.Sides[1].Adjusted)
	}
	if explained(t, o, d, report.Settings{Share: true}).Sides != nil {
		t.Error("side columns are shared")
	}
}

// TestSidesMask: no small count of a side column is reported, nor found from the
// others.
func TestSidesMask(t *testing.T) {
	d := sided(hospital(t, 3, 600))
	o := flat(t, d, 3, "")
	r := explained(t, o, d, report.Settings{Health: true})
	shown := 0
	for _, c := range r.Sides {
		for j, p := range append(c.Parts, c.All) {
			n, known := p.N.Value()
			sum := 0
			for _, l := range p.Levels {
				v, ok := l.Count.Value()
				sum += v
				if shown++; ok && (v > 0 && v < 11 || n-v > 0 && n-v < 11) {
					t.Errorf("%s, group %d: %s has %d of %d", c.Name, j+1, l.Name, v, n)
				}
			}
			if known && len(p.Levels) > 0 && sum != n {
				t.Errorf("%s, group %d: %d of %d", c.Name, j+1, sum, n)
			}
		}
		if c.Name == "died" && !c.Withheld { // 7 of 600
			t.Errorf("seven deaths are told: %+v", c)
		}
	}
	if shown == 0 {
		t.Error("nothing is shown: the test tests nothing")
	}
}
