package show_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/show"
	"github.com/moiety-go/moiety/vocab"
)

// touch is how far two labels may reach into each other: the boxes around
// letters are a little larger than the ink.
const touch = 1.0

// laidOut checks a drawing: no label outside, no two over each other, a title, a
// table.
func laidOut(t *testing.T, p picture) {
	t.Helper()
	s := p.scene
	labels := show.LabelsOf(s)
	for i, a := range labels {
		if a.X0 < 0 || a.Y0 < 0 || a.X1 > s.Width || a.Y1 > s.Height {
			t.Errorf("%s: %q lies outside: %.1f %.1f %.1f %.1f of %v×%v", p.name, a.Text, a.X0, a.Y0, a.X1, a.Y1, s.Width, s.Height)
		}
		for _, b := range labels[:i] {
			if a.X0+touch < b.X1 && b.X0+touch < a.X1 && a.Y0+touch < b.Y1 && b.Y0+touch < a.Y1 {
				t.Errorf("%s: %q and %q lie over each other", p.name, a.Text, b.Text)
			}
		}
	}
	if s.Title == "" || s.ID == "" || len(s.Table.Head) == 0 {
		t.Errorf("%s: title %q, id %q, table %v", p.name, s.Title, s.ID, s.Table.Head)
	}
	for _, row := range s.Table.Rows {
		if len(row) != len(s.Table.Head) {
			t.Errorf("%s: a row of %d for %d columns", p.name, len(row), len(s.Table.Head))
		}
	}
	var b bytes.Buffer
	if err := show.WriteSVG(&b, s); err != nil {
		t.Fatal(err)
	}
	wellFormed(t, b.Bytes())
}

func TestGenericCharts(t *testing.T) {
	for _, p := range generic() {
		laidOut(t, p)
	}
	for _, p := range []picture{
		{"empty", show.LineChart{ID: "a", Title: "Nothing"}.Scene()},
		{"one", show.LineChart{ID: "b", Title: "One point", Series: []show.Series{{X: []float64{3}, Y: []float64{2}}}}.Scene()},
		{"no bars", show.BarChart{ID: "c", Title: "No bars"}.Scene()},
	} {
		laidOut(t, p)
	}
}

// hostile are names as data may hold them.
var hostile = []string{
	strings.Repeat("Oncology and haematology of the ", 12), "<script>alert(1)</script>", "日本語の見出し", "a\nb\tc", "", "\"quoted\" & 'more'",
	strings.Repeat("W", 200), "العربية", "λ ≤ µ",
}

// TestLayout draws every chart of reports of many shapes and looks for labels
// that collide or run out.
func TestLayout(t *testing.T) {
	for name, r := range cases(t) {
		for _, p := range scenes(t, name, r, show.Records{}) {
			laidOut(t, p)
		}
	}
}

func TestLayoutOfHostileNames(t *testing.T) {
	d := hospital(t, 3, 500)
	for i := range d.Vocab.Titles {
		d.Vocab.Titles[i] = hostile[i%len(hostile)] + fmt.Sprint(" ", i)
	}
	o := flat(t, d, 3, "")
	for _, p := range scenes(t, "hostile", explained(t, o, d, report.Settings{}), recordsOf(o, d)) {
		laidOut(t, p)
		var svg bytes.Buffer
		if err := show.WriteSVG(&svg, p.scene); err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(svg.Bytes(), []byte("<script")) {
			t.Errorf("%s: a name became an element", p.name)
		}
		if err := errors.Join(show.WritePDF(io.Discard, p.scene), show.WritePNG(io.Discard, p.scene, 0.5)); err != nil {
			t.Errorf("%s: %v", p.name, err)
		}
	}
}

// TestLayoutOfCounts draws features that have an average, not a share.
func TestLayoutOfCounts(t *testing.T) {
	set := synth.PoissonMixture(1, 400, 12, 3, 30)
	names := make([]string, 12)
	for f := range names {
		names[f] = fmt.Sprint("count ", f)
	}
	d := &dataset.Dataset{Kind: record.Counts, Rows: set.Rows, Vocab: &vocab.Vocab{Names: names, System: vocab.Text}}
	o := flat(t, d, 3, "poisson")
	for _, p := range scenes(t, "counts", explained(t, o, d, report.Settings{}), recordsOf(o, d)) {
		laidOut(t, p)
		if strings.Contains(p.name, "-share") && strings.Contains(p.scene.Desc, "share of its") {
			t.Errorf("%s: an average is called a share: %s", p.name, p.scene.Desc)
		}
	}
}

func TestLayoutOfManyGroups(t *testing.T) {
	l := library(t, 2, 240)
	o := grown(t, l, fit.TreeShape{Leaves: 11})
	for _, p := range scenes(t, "many", explained(t, o, l, report.Settings{}), recordsOf(o, l)) {
		laidOut(t, p)
	}
}

// TestIDs looks for ids that stand twice in a drawing, or in all of a report.
func TestIDs(t *testing.T) {
	d := hospital(t, 1, 300)
	o := grown(t, d, fit.TreeShape{Leaves: 4})
	rec := recordsOf(o, d)
	var page bytes.Buffer
	if err := show.WriteReportHTML(&page, explained(t, o, d, report.Settings{}), show.Pages{Records: &rec}); err != nil {
		t.Fatal(err)
	}
	texts := []string{page.String()}
	for _, p := range generic() {
		texts = append(texts, show.InlineSVG(p.scene))
	}
	for _, text := range texts {
		seen := make(map[string]bool)
		for _, m := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(text, -1) {
			if seen[m[1]] {
				t.Errorf("id %q stands twice", m[1])
			}
			seen[m[1]] = true
		}
	}
}

// TestRepeated draws twice and compares the bytes of all three files.
func TestRepeated(t *testing.T) {
	d := hospital(t, 1, 300)
	o := flat(t, d, 3, "")
	draw := func() []byte {
		var b bytes.Buffer
		s, err := show.HeatMap(explained(t, o, d, report.Settings{}), recordsOf(o, d))
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(show.WriteSVG(&b, s), show.WritePNG(&b, s, 1), show.WritePDF(&b, s)); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	if !bytes.Equal(draw(), draw()) {
		t.Error("two drawings of the same scene differ")
	}
}

// TestHeatMapRows checks when rows are averaged, and that it is said.
func TestHeatMapRows(t *testing.T) {
	for _, c := range []struct {
		n      int
		health bool
		want   string
	}{
		{400, false, "A dark mark: the feature is there."},
		{2100, false, "Each row is the average of"},
		{400, true, "Each row is the average of at least 11 patients"},
	} {
		d := hospital(t, 1, c.n)
		o := flat(t, d, 3, "")
		s, err := show.HeatMap(explained(t, o, d, report.Settings{Health: c.health}), recordsOf(o, d))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(s.Desc, c.want) {
			t.Errorf("%d records, health %v: %q lacks %q", c.n, c.health, s.Desc, c.want)
		}
	}
}

// TestHeatMapKeepsSmallNumbers draws two sets that differ only in counts below
// the limit: the pictures are the same.
func TestHeatMapKeepsSmallNumbers(t *testing.T) {
	draw := func(rare int) []byte {
		var list [][]string
		for i := range 300 {
			b := []string{"common"}
			if i%2 == 0 {
				b = append(b, "half", "also")
			}
			if i%2 == 1 && i < 2*rare {
				b = append(b, "also")
			}
			list = append(list, b)
		}
		d := bags(t, record.Presence, list)
		r := &report.Report{Unit: report.Unit{One: "patient", Many: "patients", Feature: "code", Features: "codes"}, Limit: 11, Shape: report.Flat, Leaves: []int{0, 1}}
		r.Groups = []report.Group{{ID: "1", Number: 1, N: report.CountOf(150)}, {ID: "2", Number: 2, N: report.CountOf(150)}}
		rec := show.Records{Rows: show.RowsOf(t.Context(), d), Group: make([]int32, 300)}
		for i := range rec.Group {
			rec.Group[i] = int32(i % 2)
		}
		for range d.Vocab.Len() {
			r.Table.Of = append(r.Table.Of, report.OfRecords)
			r.Table.Overall = append(r.Table.Overall, report.NumberOf(.5))
		}
		r.Table.Names, r.Table.Titles = d.Vocab.Names, d.Vocab.Names
		for range 2 {
			row := make([]report.Number, d.Vocab.Len())
			for f := range row {
				row[f] = report.NumberOf(.5)
			}
			r.Table.Shares = append(r.Table.Shares, row)
		}
		s, err := show.HeatMap(r, rec)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := show.WriteSVG(&b, s); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	if !bytes.Equal(draw(3), draw(9)) {
		t.Error("3 and 9 records of a code can be told apart")
	}
	if bytes.Equal(draw(3), draw(40)) {
		t.Error("3 and 40 records of a code look the same: the test sees nothing")
	}
}

func TestNoPicture(t *testing.T) {
	d := laboratory(t, 100)
	o := flat(t, d, 2, "")
	r := explained(t, o, d, report.Settings{})
	if _, err := show.HeatMap(r, recordsOf(o, d)); !errors.Is(err, show.ErrNoPicture) {
		t.Errorf("heat map of measurements: %v", err)
	}
	h := hospital(t, 1, 200)
	ho := flat(t, h, 2, "")
	if _, err := show.AssignmentAreas(explained(t, ho, h, report.Settings{Health: true}), recordsOf(ho, h)); !errors.Is(err, show.ErrNoPicture) {
		t.Errorf("areas of patients: %v", err)
	}
	wrong := recordsOf(ho, h)
	wrong.Group = wrong.Group[1:]
	if _, err := show.HeatMap(r, wrong); err == nil || errors.Is(err, show.ErrNoPicture) {
		t.Errorf("records of another report: %v", err)
	}
	if _, err := show.TopicMap(r, 5); err == nil {
		t.Error("map of a group that is not there")
	}
}

// TestAssignmentShares checks the table of a corpus whose shares are known.
func TestAssignmentShares(t *testing.T) {
	d := corpus(1, 40)
	o := flat(t, d, 2, "lda")
	rec := recordsOf(o, d)
	for i := range rec.Group {
		p := float64(i) / float64(len(rec.Group)-1) // from all in the second to all in the first
		rec.Shares = append(rec.Shares, []float64{p, 1 - p})
	}
	s, err := show.AssignmentAreas(explained(t, o, d, report.Settings{}), rec)
	if err != nil {
		t.Fatal(err)
	}
	laidOut(t, picture{"shares", s})
	first, last := s.Table.Rows[0], s.Table.Rows[len(s.Table.Rows)-1]
	if got, want := strings.Join(first, "|")+"/"+strings.Join(last, "|"), "1–2|1.3 %|99 %/39–40|99 %|1.3 %"; got != want {
		t.Errorf("table %s, want %s", got, want)
	}
	if want := "Topic 2 leads at the start and in the middle of the data, 1 at the end"; s.Title != want {
		t.Errorf("title %q, want %q", s.Title, want)
	}
	rec.Shares = rec.Shares[1:]
	if _, err := show.AssignmentAreas(explained(t, o, d, report.Settings{}), rec); err == nil {
		t.Error("shares of fewer rows than there are")
	}
}
