package show_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/show"
)

func TestTablesGolden(t *testing.T) {
	d := hospital(t, 2, 150)
	o := grown(t, d, fit.TreeShape{Leaves: 4})
	r := explained(t, o, d, report.Settings{Health: true, Top: 5})
	for name, write := range map[string]func(io.Writer) error{
		"nodes.csv":  func(w io.Writer) error { return show.NodesCSV(w, r) },
		"topics.csv": func(w io.Writer) error { return show.TopicsCSV(w, r) },
		"octis.json": func(w io.Writer) error { return show.OCTIS(w, r, nil) },
	} {
		var b, again bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		if err := write(&again); err != nil || !bytes.Equal(b.Bytes(), again.Bytes()) {
			t.Errorf("%s: written twice, it differs (%v)", name, err)
		}
		golden(t, name, b.Bytes())
	}
}

// TestCenters: all digits of the model, in the order of the groups.
func TestCenters(t *testing.T) {
	d := hospital(t, 1, 300)
	for _, o := range []*fit.Outcome{flat(t, d, 3, ""), grown(t, d, fit.TreeShape{Leaves: 3})} {
		r := explained(t, o, d, report.Settings{})
		rows := parsed(t, func(w io.Writer) error { return show.CentersCSV(w, r) })
		weights := parsed(t, func(w io.Writer) error { return show.WeightsCSV(w, r) })
		if rows[0][0] != "feature" || len(rows) != 15 || !strings.HasPrefix(strings.Join(weights[0], ","), "group,weight") || len(weights) != 4 {
			t.Fatalf("%v, %v", rows[0], weights[0])
		}
		for j, id := range rows[0][1:] {
			if weights[j+1][0] != id || id != r.Leaf(j).ID {
				t.Errorf("column %d is group %s, line %d of weights %s", j+1, id, j+1, weights[j+1][0])
			}
			if v, err := strconv.ParseFloat(weights[j+1][1], 64); err != nil || v != o.Model.Params.Weights[j] {
				t.Errorf("weight of %s is %v, want %v", id, weights[j+1][1], o.Model.Params.Weights[j])
			}
			for f, row := range rows[1:] {
				if v, err := strconv.ParseFloat(row[j+1], 64); err != nil || v != o.Model.Params.Centers.At(f, j) || row[0] != d.Vocab.Names[f] {
					t.Errorf("center of %s in %s is %v", row[0], id, row[j+1])
				}
			}
		}
	}
}

// parsed reads a CSV table.
func parsed(t *testing.T, write func(io.Writer) error) [][]string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestAssignments: one line a record, in input order, every record placed.
func TestAssignments(t *testing.T) {
	d := hospital(t, 1, 120)
	o := flat(t, d, 2, "")
	r := explained(t, o, d, report.Settings{})
	rows := parsed(t, func(w io.Writer) error { return show.AssignmentsCSV(t.Context(), w, r, o.Placed(), d, nil) })
	if len(rows) != 121 || strings.Join(rows[0], ",") != "id,group,probability" {
		t.Fatalf("%d lines, header %v", len(rows), rows[0])
	}
	for i, row := range rows[1:] {
		if row[0] != d.ID(i) || row[1] != strconv.Itoa(int(o.Group[i])+1) {
			t.Fatalf("line %d is %v", i+1, row)
		}
		if p, err := strconv.ParseFloat(row[2], 64); err != nil || numtest.Off(p, float64(o.Probability[i]), 1e-5) {
			t.Fatalf("line %d: probability %v, want %v", i+1, row[2], o.Probability[i])
		}
	}
	w := walks(t, 30)
	so := flat(t, w, 2, "")
	sr := explained(t, so, w, report.Settings{})
	if rows := parsed(t, func(out io.Writer) error { return show.AssignmentsCSV(t.Context(), out, sr, so.Placed(), w, nil) }); len(rows) != 31 {
		t.Errorf("%d lines for 30 sequences", len(rows))
	}
	if rows := parsed(t, func(out io.Writer) error { return show.StepsCSV(t.Context(), out, sr, so.Placed(), w, nil) }); len(rows) != w.Rows.N()+1 {
		t.Errorf("%d lines for %d steps", len(rows), w.Rows.N())
	}
	if err := show.StepsCSV(t.Context(), io.Discard, r, o.Placed(), d, nil); err == nil {
		t.Errorf("steps of records without steps")
	}
}

func TestCohortNeedsDates(t *testing.T) {
	d := hospital(t, 1, 60)
	o := flat(t, d, 2, "")
	if err := show.OMOPCohortCSV(t.Context(), io.Discard, o.Placed(), d, show.Dates{Start: "born"}); err == nil || !strings.Contains(err.Error(), `"born`) {
		t.Errorf("got %v", err)
	}
	err := show.OMOPCohortCSV(t.Context(), io.Discard, o.Placed(), d, show.Dates{Start: "admitted"})
	if err == nil || !strings.Contains(err.Error(), `record "P0001" has none`) {
		t.Errorf("got %v", err)
	}
	for i := range d.IDs {
		d.IDs[i] = strconv.Itoa(i + 1)
	}
	side := slices.IndexFunc(d.Side, func(s dataset.Side) bool { return s.Name == "admitted" })
	for _, c := range []struct {
		first, second, want, says string
		undated                   int
	}{
		{"2016-01-01", "2016-01-31T10:00", "2016-01-01", "", 0},
		{"03/12/2009", "22/12/2009", "2009-12-03", "", 0}, // the second tells that the day comes first
		{"12/03/2009", "12/22/2009", "2009-12-03", "", 0},
		{"3.12.2009", "4.12.2009", "2009-12-03", "", 0},
		{"20091203", "", "2009-12-03", "", 1},
		{"03/12/2009", "04/12/2009", "", "cannot be told apart", 0},
		{"03/12/2009", "31/02/2009", "", "is no date", 0},
		{"soon", "", "", "is no date", 0},
	} {
		values := slices.Repeat([]string{"2016-02-01"}, d.Len())
		values[0], values[1] = c.first, c.second
		d.Side[side].Values = values
		left := 0
		var b bytes.Buffer
		err := show.OMOPCohortCSV(t.Context(), &b, o.Placed(), d, show.Dates{Start: "admitted", Undated: func(n int) { left = n }})
		if c.says != "" {
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%q, %q: %v, want %q", c.first, c.second, err, c.says)
			}
			continue
		}
		want := strconv.Itoa(int(o.Group[0])+1) + ",1," + c.want + "," + c.want
		if lines := strings.Split(strings.TrimSpace(b.String()), "\n"); err != nil || strings.TrimSpace(lines[1]) != want || left != c.undated || len(lines) != 61-left {
			t.Errorf("%q, %q: %q, %d left, %v; want %q", c.first, c.second, lines[1], left, err, want)
		}
	}
}

func TestHoldsRecords(t *testing.T) {
	for name, want := range map[string]bool{
		show.Assignments: true, show.Steps: true, show.OMOPCohort: true, show.Theta: true, "centers": false, "csv": false,
	} {
		if got := show.HoldsRecords(name); got != want {
			t.Errorf("HoldsRecords(%q) = %v", name, got)
		}
	}
}

// TestNodesOfFlat: a flat fit has no nodes, a tree that did not split has one.
func TestNodesOfFlat(t *testing.T) {
	d := hospital(t, 1, 60)
	if err := show.NodesCSV(io.Discard, explained(t, flat(t, d, 2, ""), d, report.Settings{})); err == nil {
		t.Errorf("nodes of a flat fit")
	}
	r := explained(t, grown(t, d, fit.TreeShape{Leaves: 1}), d, report.Settings{})
	rows := parsed(t, func(w io.Writer) error { return show.NodesCSV(w, r) })
	if len(rows) != 2 || strings.Join(rows[1], ",") != "1,,0,60,1,All patients" {
		t.Errorf("got %v", rows)
	}
}

const (
	limit = 11
	// rounding of six digits, times some hundred records.
	rounding = 1e-3
)

// TestNothingSmallWritten reads every aggregate output back and looks for
// counts of 1 to 10: as numbers, as differences of a node and its children, and
// as a share times n.
func TestNothingSmallWritten(t *testing.T) {
	seeds := uint64(12)
	if testing.Short() {
		seeds = 4
	}
	for seed := range seeds {
		d := hospital(t, seed, 40+20*int(seed))
		outcomes := []*fit.Outcome{flat(t, d, 3, ""), grown(t, d, fit.TreeShape{Leaves: 2 + int(seed%4)})}
		for _, o := range outcomes {
			r := explained(t, o, d, report.Settings{Health: true})
			n := make([]int, o.K())
			for _, g := range o.Group {
				n[g]++
			}
			checkTables(t, r, n)
			checkJSON(t, r)
			checkText(t, r)
			checkNPZ(t, r, n)
		}
	}
}

// small fails on a written number that stands for 1 to 10 records.
func small(t *testing.T, what, value string, n float64) {
	t.Helper()
	if value == "" {
		return
	}
	v, err := strconv.ParseFloat(value, 64)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if x := v * n; x > 1e-9 && x < limit-rounding {
		t.Fatalf("%s: %s stands for %v records", what, value, x)
	}
}

func checkTables(t *testing.T, r *report.Report, n []int) {
	t.Helper()
	for _, row := range parsed(t, func(w io.Writer) error { return show.CentersCSV(w, r) })[1:] {
		for j, v := range row[1:] {
			small(t, "centers.csv "+row[0], v, float64(n[j]))
		}
	}
	hidden, sum := 0, 0
	for j, row := range parsed(t, func(w io.Writer) error { return show.WeightsCSV(w, r) })[1:] {
		if row[1] == "" {
			hidden++
			sum += n[j]
		} else if n[j] > 0 && n[j] < limit {
			t.Fatalf("weights.csv: group %s of %d records has the weight %s", row[0], n[j], row[1])
		}
	}
	if hidden > 0 && sum < limit {
		t.Fatalf("weights.csv: %d records are hidden alone", sum)
	}
	for _, row := range parsed(t, func(w io.Writer) error { return show.TopicsCSV(w, r) })[1:] {
		g, _ := r.Find(row[0])
		small(t, "topics.csv "+row[2], row[4], float64(n[g.Number-1]))
		if row[4] == "" && (row[3] != "" || row[5] != "") {
			t.Fatalf("topics.csv: relevance or ratio beside a masked share: %v", row)
		}
	}
	if r.Shape == report.Tree {
		checkNodes(t, parsed(t, func(w io.Writer) error { return show.NodesCSV(w, r) })[1:])
	}
}

func checkNodes(t *testing.T, rows [][]string) {
	t.Helper()
	size, below, open := map[string]int{}, map[string]int{}, map[string]int{}
	for _, row := range rows {
		small(t, "nodes.csv "+row[0], row[3], 1)
		if (row[3] == "") != (row[4] == "") {
			t.Fatalf("nodes.csv: share beside a masked n: %v", row)
		}
		if row[3] != "" {
			size[row[0]], _ = strconv.Atoi(row[3])
			below[row[1]] += size[row[0]]
			open[row[1]]++
		}
	}
	for parent, one := range open {
		if _, known := size[parent]; known && one == 1 {
			if rest := size[parent] - below[parent]; rest > 0 && rest < limit {
				t.Fatalf("nodes.csv: %s less its one open child is %d", parent, rest)
			}
		}
	}
}

// checkJSON walks the document: counts, and shares with what they are of.
func checkJSON(t *testing.T, r *report.Report) {
	t.Helper()
	var b bytes.Buffer
	if err := show.JSON(&b, r); err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := json.Unmarshal(b.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	if doc["format"] != show.Format || doc["version"] != float64(report.Version) {
		t.Fatalf("format %v, version %v", doc["format"], doc["version"])
	}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, x := range v {
				walk(x)
			}
		case map[string]any:
			for _, key := range []string{"n", "count", "out", "records", "rows", "short", "empty", "read"} {
				if x, ok := v[key].(float64); ok && x > 0 && x < limit {
					t.Fatalf("report.json: %s is %v in %v", key, x, v)
				}
			}
			share, shown := v["share"].(float64)
			if out, ok := v["out"].(float64); ok && shown {
				small(t, "report.json", fmt.Sprint(share), out)
				small(t, "report.json: lacking", fmt.Sprint(1-share), out)
			}
			for _, x := range v {
				walk(x)
			}
		}
	}
	walk(doc)
	var back report.Report
	if err := json.Unmarshal(b.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	back.Table = r.Table
	if len(back.Groups) != len(r.Groups) || back.Groups[0].N != r.Groups[0].N || back.Methods != r.Methods {
		t.Fatalf("the document does not give the report back")
	}
}

// checkText looks for small numbers of patients in words.
func checkText(t *testing.T, r *report.Report) {
	t.Helper()
	var b bytes.Buffer
	write := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	write(show.Tree(&b, r, show.Options{Width: 1000}))
	write(show.Summary(&b, r, show.Options{Width: 1000}))
	for _, g := range r.Groups {
		write(show.Group(&b, r, g.ID, show.Options{Width: 1000}))
	}
	words := strings.Fields(b.String())
	for i, w := range words[:len(words)-1] {
		if next := words[i+1]; strings.HasPrefix(next, "patient") {
			if n, err := strconv.Atoi(strings.Trim(w, "(,.")); err == nil && n > 0 && n < limit {
				t.Fatalf("text: %s %s", w, next)
			}
		}
	}
}

func checkNPZ(t *testing.T, r *report.Report, n []int) {
	t.Helper()
	var b bytes.Buffer
	if err := show.NPZ(&b, r, nil, nil); err != nil {
		t.Fatal(err)
	}
	arrays := unzip(t, b.Bytes())
	centers := arrays["centers.npy"]
	d := len(r.Table.Names)
	for i := range len(n) * d {
		v := math.Float64frombits(binary.LittleEndian.Uint64(centers[8*i:]))
		if x := v * float64(n[i/d]); x > 1e-9 && x < limit {
			t.Fatalf("npz: center %v of group %d stands for %v records", v, i/d+1, x)
		}
	}
}

// unzip returns the data of the arrays, behind their heads.
func unzip(t *testing.T, b []byte) map[string][]byte {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	out := make(map[string][]byte)
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		head := 10 + int(binary.LittleEndian.Uint16(data[8:]))
		if !bytes.HasPrefix(data, []byte("\x93NUMPY\x01\x00")) || head%64 != 0 || data[head-1] != '\n' {
			t.Fatalf("%s: the head is %q", f.Name, data[:head])
		}
		out[f.Name] = data[head:]
	}
	return out
}

func TestNPZ(t *testing.T) {
	d := corpus(1, 200)
	o := flat(t, d, 2, "lda")
	r := explained(t, o, d, report.Settings{})
	theta := &show.Probabilities{Rows: 200, Labels: o.Group, Each: func(visit func([]float64) error) error {
		for range 100 {
			if err := visit([]float64{.5, .5, .5, .5}); err != nil {
				return err
			}
		}
		return nil
	}}
	var b, again bytes.Buffer
	if err := show.NPZ(&b, r, nil, theta); err != nil {
		t.Fatal(err)
	}
	if err := show.NPZ(&again, r, nil, theta); err != nil || !bytes.Equal(b.Bytes(), again.Bytes()) {
		t.Errorf("written twice, it differs (%v)", err)
	}
	arrays := unzip(t, b.Bytes())
	if len(arrays) != 9 || len(arrays["labels.npy"]) != 8*200 || len(arrays["phi.npy"]) != 8*2*100 || len(arrays["theta.npy"]) != 8*400 || len(arrays["vocabulary.npy"]) != 4*6*100 {
		t.Errorf("arrays of %d, %d, %d bytes", len(arrays["phi.npy"]), len(arrays["theta.npy"]), len(arrays["vocabulary.npy"]))
	}
	for i := range 200 {
		got := math.Float64frombits(binary.LittleEndian.Uint64(arrays["phi.npy"][8*i:]))
		if want := o.Model.Params.Centers.At(i%100, i/100); got != want {
			t.Fatalf("phi[%d] is %v, want %v", i, got, want)
		}
	}
	theta.Rows = 201
	if err := show.NPZ(io.Discard, r, nil, theta); err == nil {
		t.Errorf("400 probabilities for 201 records of two groups")
	}
}

// TestCSVQuotes: names with commas, quotes and line ends come back.
func TestCSVQuotes(t *testing.T) {
	d := hospital(t, 1, 60)
	d.Vocab.Names[0] = "a, \"b\"\nc"
	r := explained(t, flat(t, d, 2, ""), d, report.Settings{})
	rows := parsed(t, func(w io.Writer) error { return show.CentersCSV(w, r) })
	if rows[1][0] != d.Vocab.Names[0] || len(rows) != len(d.Vocab.Names)+1 {
		t.Errorf("got %q", rows[1][0])
	}
}
