package show

import (
	"fmt"
	"math"

	"github.com/moiety-go/moiety/report"
)

// treeTitle is the claim in one line.
func treeTitle(r *report.Report) string {
	k := len(r.Leaves)
	noun, say := nounWord(r, false), speech(r)
	all := say("title.all", word(r, rowUnit(r)))
	if n := r.Data.Rows.String(); n != "" {
		all = n + " " + word(r, rowUnit(r))
	}
	if n, ok := r.Data.Rows.Value(); ok && n == 1 {
		return say("title.only", noun)
	}
	if k == 1 {
		return say("title.one", all, noun)
	}
	if n := r.Data.Records.String(); r.Shape == report.States && n != "" {
		return say("title.states", n, word(r, r.Unit.Many), k)
	}
	return say("title.groups", all, k, nounWord(r, true))
}

// icicleTitle is the finding of the picture: the largest group.
func icicleTitle(r *report.Report) string {
	if len(r.Leaves) > 1 {
		if p, ok := r.Largest().Share.Value(); ok {
			of := rowUnit(r)
			if r.Soft {
				of = r.Unit.Features
			}
			return speech(r)("title.largest", nounWord(r, false), r.Largest().Name, report.Percent(p), word(r, of))
		}
	}
	return treeTitle(r)
}

func joinSentences(s []string) string {
	out := ""
	for _, x := range s {
		out += x + " "
	}
	return out
}

// treeTable is the table behind the picture of the whole. "How sure" is of the
// group, "found again" of the split that made it.
func treeTable(r *report.Report) Table {
	sh := Table{Head: []string{groupNoun(r), "name", "inside", "n", "share", "how sure", "its split found again"}}
	for i := range r.Groups {
		g := &r.Groups[i]
		row := []string{g.ID, g.Name, g.Parent, g.N.String(), "", string(g.Sureness), ""}
		if p, ok := g.Share.Value(); ok {
			row[4] = report.Percent(p)
		}
		if p, ok := r.Find(g.Parent); ok && p.Split != nil {
			if s, ok := p.Split.Stability.Value(); ok {
				row[6] = fmt.Sprintf("%.2f", math.Round(s*100)/100)
			}
		}
		sh.Rows = append(sh.Rows, row)
	}
	return sh
}
