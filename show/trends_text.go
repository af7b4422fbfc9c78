package show

import (
	"fmt"
	"io"
	"strings"

	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/report"
)

// findings writes what was found over time and by other columns.
func (p *page) findings(r *report.Report) {
	for i := range r.Trends {
		if i == 0 {
			p.line("")
		}
		p.text("", r.Trends[i].Finding)
	}
}

// trends writes how common a group is over time and by other columns, and its
// words that change most.
func (p *page) trends(r *report.Report, g *report.Group) {
	for i := range r.Trends {
		t := &r.Trends[i]
		if g.Number < 1 || t.Withheld {
			continue
		}
		x := t.Groups[g.Number-1]
		most := 0.0
		for _, s := range x.Shares {
			most = max(most, s.Share.Or(0))
		}
		title := "By " + t.Column
		if t.Kind == explain.TrendTime {
			title = "Over " + t.Column
		}
		p.heading(title)
		if v, ok := x.Adjusted.Value(); ok {
			p.text("  ", fmt.Sprintf("%s, p %s after Holm's correction", t.Test, pValue(v)))
		}
		rows := [][]string{{t.Column, r.Unit.Many, "share", "95 %", ""}}
		for l, s := range x.Shares {
			v, ok := s.Share.Value()
			row := []string{t.Places[l].Name, t.Places[l].N.String(), "", intervalOf(s.Low, s.High, report.Percent), ""}
			if ok {
				row[2], row[4] = report.Percent(v), padRight(blocks(v/max(most, 1e-12), barColumns), barColumns)
			}
			rows = append(rows, row)
		}
		p.table(rows)
		p.changing(x)
	}
}

// changing writes the words of a topic that change most, with their shares in the
// first and the last third of the periods.
func (p *page) changing(g report.TrendGroup) {
	for _, rises := range []bool{true, false} {
		var list []string
		for _, w := range g.Words {
			if w.Rises == rises {
				list = append(list, fmt.Sprintf("%s %s → %s", w.Title, report.Percent(w.First.Or(0)), report.Percent(w.Last.Or(0))))
			}
		}
		if len(list) > 0 {
			word := map[bool]string{true: "Words that rise: ", false: "Words that fall: "}[rises]
			p.text("  ", word+strings.Join(list, "; ")+".")
		}
	}
}

// TrendsCSV writes trends.csv: how common every group is over time and by other
// side columns, a row a place and group.
func TrendsCSV(w io.Writer, r *report.Report) error {
	t := newTable(w)
	t.row([]string{"column", "kind", "value", "n", "group", "share", "low", "high", "p", "p_holm"})
	for _, x := range r.Trends {
		for j, g := range x.Groups {
			for l, s := range g.Shares {
				n := ""
				if v, ok := x.Places[l].N.Value(); ok {
					n = fmt.Sprint(v)
				}
				t.row([]string{x.Column, x.Kind, x.Places[l].Name, n, r.Leaf(j).ID, field(s.Share), field(s.Low), field(s.High), field(g.P), field(g.Adjusted)})
			}
		}
	}
	return t.close()
}

// TrendWordsCSV writes trend-words.csv: the words of every topic that change most
// over time, as shares of the words of the topic.
func TrendWordsCSV(w io.Writer, r *report.Report) error {
	t := newTable(w)
	t.row([]string{"column", "value", "group", "feature", "share", "low", "high"})
	for _, x := range r.Trends {
		for j, g := range x.Groups {
			for _, word := range g.Words {
				for l, s := range word.Shares {
					t.row([]string{x.Column, x.Places[l].Name, r.Leaf(j).ID, word.Name, field(s.Share), field(s.Low), field(s.High)})
				}
			}
		}
	}
	return t.close()
}

// HasTrendWords reports words over time.
func HasTrendWords(r *report.Report) bool {
	for _, x := range r.Trends {
		for _, g := range x.Groups {
			if len(g.Words) > 0 {
				return true
			}
		}
	}
	return false
}
