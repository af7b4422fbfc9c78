package show

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/moiety-go/moiety/internal/cells"
	"github.com/moiety-go/moiety/report"
)

// Groups proper are named in tables by their ids, in the order of their
// numbers: "1", "2", ... of a flat fit, paths of the leaves of a tree.

// CentersCSV writes centers.csv: feature,1,2,... one column a group. A masked
// center is an empty field.
func CentersCSV(w io.Writer, r *report.Report) error {
	t := newTable(w)
	t.row(append([]string{"feature"}, groupIDs(r)...))
	for f, name := range r.Table.Names {
		row := make([]string, 1, 1+len(r.Leaves))
		row[0] = name
		for j := range r.Leaves {
			row = append(row, field(r.Table.Centers[j][f]))
		}
		t.row(row)
	}
	return t.close()
}

// WeightsCSV writes weights.csv: group,weight; of topics also words, the share of
// all words, documents, that of the average document, and alpha, the parameter of
// the prior of topics that mix, whose weight is that of the words;
// of states also start, the chance that a sequence begins there; of latent
// classes also the standard error and the 95 % interval of the weight.
func WeightsCSV(w io.Writer, r *report.Report) error {
	t := newTable(w)
	head, columns := []string{"group", "weight"}, [][]report.Number{r.Table.Weights}
	var se, low, high []report.Number
	if r.Inference != nil {
		for _, e := range r.Inference.Shares {
			se, low, high = append(se, e.SE), append(low, e.Low), append(high, e.High)
		}
	}
	for _, c := range []struct {
		name   string
		values []report.Number
	}{{"words", r.Table.Words}, {"documents", r.Table.Documents}, {"alpha", r.Table.Alpha}, {"start", r.Table.Starts}, {"se", se}, {"low", low}, {"high", high}} {
		if c.values != nil {
			head, columns = append(head, c.name), append(columns, c.values)
		}
	}
	t.row(head)
	for j, id := range groupIDs(r) {
		row := []string{id}
		for _, c := range columns {
			row = append(row, field(c[j]))
		}
		t.row(row)
	}
	return t.close()
}

// TransitionsCSV writes transitions.csv of states: from, and one column a state,
// the chance that it comes next.
func TransitionsCSV(w io.Writer, r *report.Report) error {
	t := newTable(w)
	ids := groupIDs(r)
	t.row(append([]string{"from"}, ids...))
	for j, id := range ids {
		row := make([]string, 1+len(ids))
		row[0] = id
		for _, m := range r.Leaf(j).Moves {
			row[1+slices.Index(ids, m.To)] = field(m.Probability)
		}
		t.row(row)
	}
	return t.close()
}

// HasWaits reports whether some state has a wait that is reported.
func HasWaits(r *report.Report) bool {
	for j := range r.Leaves {
		if r.Leaf(j).Wait != nil {
			return true
		}
	}
	return false
}

// WaitsCSV writes waits.csv of states: how long it is to the next step.
func WaitsCSV(w io.Writer, r *report.Report) error {
	t := newTable(w)
	t.row([]string{"state", "unit", "median", "low", "high", "first_quartile", "third_quartile", "middle", "last"})
	for j, id := range groupIDs(r) {
		if x := r.Leaf(j).Wait; x != nil {
			t.row([]string{id, x.Unit, field(x.Median), field(x.Low), field(x.High), field(x.Quarter), field(x.Quarters), field(x.Middle), field(x.Last)})
		}
	}
	return t.close()
}

// NodesCSV writes nodes.csv of a tree: node,parent,level,n,share,name.
func NodesCSV(w io.Writer, r *report.Report) error {
	if r.Shape != report.Tree {
		return fmt.Errorf("show: nodes are of a tree; this fit is flat: its groups are in weights.csv")
	}
	t := newTable(w)
	t.row([]string{"node", "parent", "level", "n", "share", "name"})
	for i := range r.Groups {
		g := &r.Groups[i]
		n := ""
		if v, ok := g.N.Value(); ok {
			n = strconv.Itoa(v)
		}
		t.row([]string{g.ID, g.Parent, strconv.Itoa(g.Level), n, rounded(g.Share), g.Name})
	}
	return t.close()
}

// TopicsCSV writes topics.csv: group,rank,feature,relevance,probability,ratio,
// the most relevant features of every group. Where features have averages, which
// are no probabilities, they stand in a column of their own.
func TopicsCSV(w io.Writer, r *report.Report) error {
	t := newTable(w)
	head := []string{"group", "rank", "feature", "relevance", "probability", "ratio"}
	averages := slices.Contains(r.Table.Of, report.Average)
	if averages {
		head = append(head, "average")
	}
	t.row(head)
	for j := range r.Leaves {
		g := r.Leaf(j)
		for i, f := range g.Typical {
			row := []string{g.ID, strconv.Itoa(i + 1), f.Name, rounded(f.Relevance), rounded(f.Share), rounded(f.Ratio)}
			switch {
			case f.Of == report.Average:
				row = append(row, row[4])
				row[4] = ""
			case averages:
				row = append(row, "")
			}
			t.row(row)
		}
	}
	return t.close()
}

// About writes a note for a folder of tables or pictures: in which ring they
// stand, and which of them hold records.
func About(w io.Writer, r *report.Report) error {
	text := markAbout + r.RingWords() + "\n"
	if r.Ring == report.Inside {
		text += "assignments.csv, steps.csv and courses.csv, where they are here, hold one line for every record.\n"
	}
	_, err := io.WriteString(w, text)
	return err
}

// groupIDs returns the ids of the groups proper, by number.
func groupIDs(r *report.Report) []string {
	out := make([]string, len(r.Leaves))
	for j := range out {
		out[j] = r.Leaf(j).ID
	}
	return out
}

// field writes a number with all its digits, or nothing.
func field(x report.Number) string {
	if v, ok := x.Value(); ok {
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return ""
}

// tableDigits are the significant digits of numbers that people read.
const tableDigits = 6

func rounded(x report.Number) string {
	if v, ok := x.Value(); ok {
		return strconv.FormatFloat(v, 'g', tableDigits, 64)
	}
	return ""
}

// Guarded is a writer of tables that is told how many cells got an apostrophe in
// front, because spreadsheets take them for formulas.
type Guarded interface{ Guarded(cells int) }

// table writes CSV with guarded cells and keeps the first error.
type table struct {
	out     io.Writer
	w       *csv.Writer
	guarded int
	err     error
}

func newTable(w io.Writer) *table { return &table{out: w, w: csv.NewWriter(w)} }

func (t *table) row(fields []string) {
	t.guarded += cells.Row(fields)
	if t.err == nil {
		t.err = t.w.Write(fields)
	}
}

func (t *table) close() error {
	if t.err != nil {
		return t.err
	}
	if g, ok := t.out.(Guarded); ok && t.guarded > 0 {
		g.Guarded(t.guarded)
	}
	t.w.Flush()
	return t.w.Error()
}
