package show

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/moiety-go/moiety/report"
)

// CompareFormat is the name of the JSON document of a comparison; its version
// is the comparison's.
const CompareFormat = "moiety comparison"

// Compare writes a comparison of two fits: what they share, how well they agree,
// and pair by pair what changed.
func Compare(w io.Writer, c *report.Comparison, o Options) error {
	p := &page{w: w, o: o}
	p.item("A  ", "   ", c.A.Name)
	p.item("B  ", "   ", c.B.Name)
	p.line("")
	for _, s := range c.Summary {
		p.text("", s)
	}
	if !c.Same {
		p.pairs(c)
	}
	if len(c.Warnings) > 0 {
		p.heading("Keep in mind")
		for _, x := range c.Warnings {
			p.item("  ! ", "    ", x.String())
		}
	}
	return p.err
}

// pairs writes what became of every group.
func (p *page) pairs(c *report.Comparison) {
	if len(c.Pairs) > 0 {
		p.heading("Groups that are alike")
	}
	for i := range c.Pairs {
		x := &c.Pairs[i]
		p.named("A "+x.A.ID+"  ", x.A.Name)
		second := x.B.Name
		if second == x.A.Name {
			second = "the same name"
		}
		p.named("B "+x.B.ID+"  ", second)
		p.text("    ", x.Text)
		p.changes(x.Features)
		if i+1 < len(c.Pairs) {
			p.line("")
		}
	}
	p.alone("Only in A", "A ", c.AloneA)
	p.alone("Only in B", "B ", c.AloneB)
}

// named writes the id and the name of a group.
func (p *page) named(id, name string) {
	p.item("  "+id, "  "+strings.Repeat(" ", columns(id)), name)
}

// changes writes a table of the features that changed.
func (p *page) changes(list []report.Change) {
	if len(list) == 0 {
		return
	}
	rows := [][]string{{"  changed", "n in A", "A", "95 %", "n in B", "B", "95 %"}}
	for _, f := range list {
		row := []string{"  " + labelled(f.Name, f.Title, f.Said())}
		for _, x := range []report.ChangedNumber{f.A, f.B} {
			row = append(row, x.Count.String(), changed(f.Of, x.Share), interval(x.Low, x.High))
		}
		rows = append(rows, row)
	}
	p.table(rows)
}

func changed(of report.Of, x report.Number) string {
	v, ok := x.Value()
	switch {
	case !ok:
		return ""
	case of == report.Average || of == report.Value:
		return report.Amount(v)
	}
	return report.Percent(v)
}

func interval(low, high report.Number) string {
	l, known := low.Value()
	if h, ok := high.Value(); known && ok {
		return strings.TrimSuffix(report.Percent(l), " %") + "–" + report.Percent(h)
	}
	return ""
}

// alone writes groups without a partner.
func (p *page) alone(title, side string, list []report.Alone) {
	if len(list) == 0 {
		return
	}
	p.heading(title)
	for _, x := range list {
		p.named(side+x.Group.ID+"  ", x.Group.Name)
		p.text("    ", x.Text)
	}
}

// CompareJSON writes the comparison as one versioned document. Masked numbers
// are null.
func CompareJSON(w io.Writer, c *report.Comparison) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(struct {
		Format string `json:"format"`
		*report.Comparison
	}{CompareFormat, c}); err != nil {
		return fmt.Errorf("show: the comparison cannot be written: %w", err)
	}
	return nil
}
