package show

import (
	"bytes"
	"flag"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/showtest"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/sparse"
)

// Made-up reports, which tests outside the package share.
var (
	synthetic   = showtest.Synthetic
	sidedReport = showtest.Sided
	trendReport = showtest.Trended
)

// components draws each component once, of a small made-up report.
func components(t *testing.T) map[string]*Scene {
	t.Helper()
	r := synthetic(5, 3)
	flat := synthetic(4, 2)
	flat.Shape = report.Flat
	flat.Groups = nil
	all := synthetic(4, 2)
	for j, i := range all.Leaves {
		g := all.Groups[i]
		g.ID, g.Parent, g.Level = string(rune('1'+j)), "", 0
		flat.Groups, flat.Leaves[j] = append(flat.Groups, g), j
		flat.Table.Shares[j] = all.Table.Shares[i]
	}
	leaf := r.Leaf(0)
	m, err := TopicMap(flat, 0)
	if err != nil {
		t.Fatal(err)
	}
	states := statesReport()
	strips, err := StateStrips(states, Records{Group: []int32{0, 0, 1, 1, 1, 0, 1, 1}, Steps: []int{0, 4, 8}})
	if err != nil {
		t.Fatal(err)
	}
	moves, err := StateMoves(states)
	if err != nil {
		t.Fatal(err)
	}
	time, answers := drawTrend(trendReport(explain.TrendTime), 0, chartWidth), drawTrend(trendReport(explain.TrendAnswer), 0, chartWidth)
	population, narrow := onePopulation(t, chartWidth), onePopulation(t, phoneWide)
	return map[string]*Scene{
		"population": population, "population-narrow": narrow,
		"over-time": time, "over-time-narrow": drawTrend(trendReport(explain.TrendTime), 0, phoneWide), "by-answer": answers,
		"icicle": Icicle(r), "icicle-upright": icicle(r, icicleForm{width: 300, bare: true, upright: true, id: "tree"}), "row": Icicle(flat),
		"dots": DotPlot(r, leaf), "two": DotPlotOfTwo(r, leaf, r.Leaf(1)), "map": m, "strips": strips, "moves": moves,
	}
}

// onePopulation draws a made-up population along the line it differs by most.
func onePopulation(t *testing.T, width float64) *Scene {
	t.Helper()
	r := &report.Report{
		Shape: report.Flat, Unit: report.Unit{One: "person", Many: "people", Feature: "measurement", Features: "measurements"}, Leaves: []int{0},
		Data: report.Data{Records: report.CountOf(400), Rows: report.CountOf(400)},
	}
	g := report.Group{ID: "1", Number: 1, Name: "All people", Whole: true, N: report.CountOf(400), Share: report.NumberOf(1)}
	table := make([][]float64, 400)
	for i := range table {
		u := math.Sin(float64(i)*12.9898)*.5 + math.Sin(float64(i)*78.233)*.5 // scattered, the same everywhere
		table[i] = []float64{170 + 10*u, 70 + 8*u + 2*math.Sin(float64(3*i)), 36.6 + .3*math.Sin(float64(7*i))}
	}
	for f, name := range []string{"height", "weight", "temperature"} {
		mean, square := 0.0, 0.0
		for _, row := range table {
			mean += row[f] / 400
		}
		for _, row := range table {
			square += (row[f] - mean) * (row[f] - mean) / 399
		}
		g.Measures = append(g.Measures, report.Measure{Index: f, Name: name, Title: name, Mean: report.NumberOf(mean), SD: report.NumberOf(math.Sqrt(square))})
	}
	r.Groups = []report.Group{g}
	rows := sparse.FromDense(table, 3, false)
	s, err := drawPopulation(r, Records{Rows: func(visit func(sparse.Rows) error) error { return visit(rows) }, Group: make([]int32, 400)}, width)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestGoldenParts keeps the parts of a page that are no drawings: claim, numbers,
// cards, side columns. They look as the tokens say, which are kept for both
// themes.
func TestGoldenParts(t *testing.T) {
	p, err := NewParts(sidedReport(), Pages{})
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{"tokens.css": tokenCSS()}
	for _, name := range []string{PartClaim, PartNumbers, PartCards, PartOutcomes, PartNext} {
		if files[name+".html"], err = p.HTML(name); err != nil {
			t.Fatal(err)
		}
	}
	for name, got := range files {
		path := filepath.Join("testdata", "components", name)
		if flag.Lookup("update").Value.String() == "true" {
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil || got != string(want) {
			t.Errorf("%s is otherwise than before (%v): look at it, then go test ./show -run GoldenParts -update", path, err)
		}
	}
	// The bars of a table are as long as its numbers say.
	for _, s := range newSides(sidedReport()) {
		most := 0.0
		for _, row := range s.Rows {
			v, err := strconv.ParseFloat(strings.TrimSuffix(row.Number, " %"), 64)
			if err != nil {
				t.Fatal(err)
			}
			most = max(most, v)
		}
		for _, row := range s.Rows {
			v, _ := strconv.ParseFloat(strings.TrimSuffix(row.Number, " %"), 64)
			wide, err := strconv.ParseFloat(strings.TrimSuffix(row.Width, "%"), 64)
			want := 100 * v / most
			if strings.HasSuffix(row.Number, "%") {
				want = v
			}
			if err != nil || numtest.Off(wide, want, 1) {
				t.Errorf("%s, %s: a bar of %s for %s", s.Title, row.Name, row.Width, row.Number)
			}
		}
	}
}

// statesReport is a made-up report of two states.
func statesReport() *report.Report {
	r := &report.Report{
		Shape: report.States, Unit: report.Unit{One: "person", Many: "people", Feature: "symbol", Features: "symbols"}, Leaves: []int{0, 1},
		Data: report.Data{Records: report.CountOf(2), Rows: report.CountOf(8)},
	}
	for i, name := range []string{"Rest", "Run"} {
		p := []float64{0.75, 0.6}[i]
		own, other := []string{"1", "2"}[i], []string{"2", "1"}[i]
		r.Groups = append(r.Groups, report.Group{
			ID: own, Number: i + 1, Name: name, N: report.CountOf([]int{3, 5}[i]), Share: report.NumberOf([]float64{0.375, 0.625}[i]),
			Moves: []report.Move{{To: own, Probability: report.NumberOf(p)}, {To: other, Probability: report.NumberOf(1 - p)}},
		})
	}
	return r
}

// TestGoldenComponents keeps the drawing of each component, light and dark.
func TestGoldenComponents(t *testing.T) {
	update := flag.Lookup("update").Value.String() == "true"
	for name, s := range components(t) {
		for theme, word := range map[Theme]string{Light: "light", Dark: "dark"} {
			var b bytes.Buffer
			if err := WriteSVG(&b, s.In(theme)); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("testdata", "components", name+"-"+word+".svg")
			if update {
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil || !bytes.Equal(b.Bytes(), want) {
				t.Errorf("%s is drawn otherwise than before (%v): look at it, then go test ./show -run GoldenComponents -update", path, err)
			}
			if strings.Contains(b.String(), "var(") {
				t.Errorf("%s: a file has no page around it", path)
			}
		}
	}
}

// TestPicturesHaveWordsAndTables: a title, a sentence and a table each, and the
// numbers of the picture are those of the table.
func TestPicturesHaveWordsAndTables(t *testing.T) {
	for name, s := range components(t) {
		if s.Title == "" || s.Desc == "" || len(s.Table.Rows) == 0 {
			t.Errorf("%s: title %q, sentence %q, %d rows", name, s.Title, s.Desc, len(s.Table.Rows))
		}
		cells := make(map[string]bool)
		for _, row := range s.Table.Rows {
			for _, c := range row {
				share, _, _ := strings.Cut(c, " (") // a share with its interval
				cells[c], cells[share] = true, true
			}
		}
		n := 0
		eachLayer(s.Marks, func(l Layer) {
			eachLabel(l.Marks, func(m Label) {
				for _, word := range strings.Split(m.Text, " · ") {
					if ratio, ok := strings.CutSuffix(word, "×"); ok && cells[ratio+"×"] || cells[word] {
						n++
					} else if strings.HasSuffix(word, " %") && len(word) < 7 {
						t.Errorf("%s: %q stands in the picture and not in the table", name, word)
					}
				}
			})
		})
		if strings.HasPrefix(name, "over-time") { // lines have no numbers: what a pointer is told
			eachLayer(s.Marks, func(l Layer) {
				_, list, _ := strings.Cut(l.Title, ": ")
				for _, word := range strings.Split(list, "; ") {
					if _, share, _ := strings.Cut(word, " "); cells[share] {
						n++
					} else {
						t.Errorf("%s: %q is told and does not stand in the table", name, word)
					}
				}
			})
		}
		if strings.HasPrefix(name, "population") { // bars as high as their counts
			per := 0.0
			eachLayer(s.Marks, func(l Layer) {
				_, count, _ := strings.Cut(l.Title, ": ")
				v, err := strconv.Atoi(count)
				if err != nil || !cells[count] {
					t.Fatalf("%s: %q does not stand in the table", name, l.Title)
				}
				h := l.Marks[0].(Box).H
				if per == 0 && v > 0 {
					per = h / float64(v)
				}
				if n += v; numtest.Off(h, per*float64(v), 1e-9) {
					t.Errorf("%s: %q is %v high, want %v", name, l.Title, h, per*float64(v))
				}
			})
			if n != 400 {
				t.Errorf("%s: bars of %d records", name, n)
			}
		}
		if n == 0 && name != "strips" && name != "map" {
			t.Errorf("%s: no number of the picture stands in the table", name)
		}
	}
}

func eachLayer(marks []Mark, visit func(Layer)) {
	for _, m := range marks {
		if l, ok := m.(Layer); ok {
			visit(l)
			eachLayer(l.Marks, visit)
		}
	}
}

// TestLargeReport: forty groups on eight levels stay small and cut by level.
func TestLargeReport(t *testing.T) {
	r := synthetic(40, 8)
	if len(r.Leaves) != 40 {
		t.Fatalf("%d leaves", len(r.Leaves))
	}
	var b bytes.Buffer
	if err := WriteReportHTML(&b, r, Pages{}); err != nil {
		t.Fatal(err)
	}
	if b.Len() > 2<<20 {
		t.Errorf("the page has %d bytes, want 2 MB at most", b.Len())
	}
	deepest := 0.0
	for _, s := range []*Scene{Icicle(r), icicle(r, icicleForm{width: 300, bare: true, upright: true, id: "tree"})} {
		eachLabel(s.Marks, func(l Label) {
			if l.Size < 11 {
				t.Errorf("letters of %v: %q", l.Size, l.Text)
			}
		})
		deepest = max(deepest, s.Height)
	}
	if deepest > 2400 {
		t.Errorf("a picture %v high", deepest)
	}
	var pdf bytes.Buffer
	if err := WriteReportPDF(&pdf, r, Pages{}); err != nil {
		t.Fatal(err)
	}
	if got := bytes.Count(pdf.Bytes(), []byte("/Type /Page\n")); got != 42 {
		t.Errorf("%d pages, want two and one a group", got)
	}
}
