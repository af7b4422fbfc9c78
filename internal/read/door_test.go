package read

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// gen makes n lines of comma-separated cells below a header.
func gen(header string, n int, row func(r *rand.Rand, i int) string) string {
	r := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	b.WriteString(header + "\n")
	for i := range n {
		b.WriteString(row(r, i) + "\n")
	}
	return b.String()
}

// cells joins n cells.
func cells(n int, sep string, cell func(j int) string) string {
	out := make([]string, n)
	for j := range out {
		out[j] = cell(j)
	}
	return strings.Join(out, sep)
}

func named(n int, stem string) string {
	return cells(n, ",", func(j int) string { return stem + strconv.Itoa(j+1) })
}

// doorCase is one file that somebody brought and that was read wrong.
type doorCase struct {
	name, file, text string
	o                Options
	format           string
	kind             record.Kind
	records          int
	columns          int // of the schema, or features
	notes            string
}

func doorCases() []doorCase {
	pick := func(r *rand.Rand, words ...string) string { return words[r.IntN(len(words))] }
	icd9 := []string{"250,00", "401,9", "38,9", "428,0", "70,54", "585,9", "780,79", "285,21", "42"}
	icd10 := []string{"I50.9", "I11.0", "N18.9", "E11.9", "J44.1", "F32.9", "K21.0", "M54.5"}
	return []doorCase{
		{"the first 2 late in the file", "x.csv", gen(named(40, "s"), 30000, func(r *rand.Rand, i int) string {
			return cells(40, ",", func(int) string { return strconv.Itoa(r.IntN(2 + i/20000)) })
		}), Options{}, "categorical", record.Categorical, 30000, 40, "as copies of alleles: --format genotypes, as counts: --format counts"},
		{"counts of which most are 0 and 1", "x.csv", gen(named(30, "w"), 400, func(r *rand.Rand, i int) string {
			return cells(30, ",", func(j int) string {
				if r.IntN(90) == 0 {
					return "2"
				}
				return strconv.Itoa(r.IntN(2))
			})
		}), Options{}, "counts", record.Counts, 400, 30, "as answers: --format categorical"},
		{"genes CD4 and CD8", "x.csv", gen("cell,CD4,CD8,CD19,"+named(20, "g"), 200, func(r *rand.Rand, i int) string {
			return fmt.Sprintf("c%d,", i) + cells(23, ",", func(int) string { return strconv.Itoa(int(r.ExpFloat64() * 3)) })
		}), Options{}, "counts", record.Counts, 200, 23, "counts"},
		{"items of a survey", "x.csv", gen(named(10, "item"), 300, func(r *rand.Rand, i int) string {
			return cells(10, ",", func(int) string { return strconv.Itoa(1 + r.IntN(5)) })
		}), Options{}, "categorical", record.Categorical, 300, 10, "10 questions with answers 1 to 5; as measurements: --format real"},
		{"answers in words", "x.csv", gen(named(8, "Q"), 200, func(r *rand.Rand, i int) string {
			return cells(8, ",", func(int) string { return pick(r, "Agree", "Strongly agree", "Disagree") })
		}), Options{}, "categorical", record.Categorical, 200, 8, "categories"},
		{"-9 for missing", "x.csv", gen(named(5, "q"), 200, func(r *rand.Rand, i int) string {
			return cells(5, ",", func(int) string { return pick(r, "1", "2", "3", "4", "-9") })
		}), Options{}, "categorical", record.Categorical, 200, 5, "-9 stands in 5 of 5 columns"},
		{"a table of measurements with -9 as a value", "x.csv", gen("a,b", 100, func(r *rand.Rand, i int) string {
			return fmt.Sprintf("%d,%.2f", r.IntN(40)-20, r.Float64())
		}), Options{}, "real", record.Real, 100, 2, "measurements"},
		{"an export of a hospital", "x.csv", "\ufeffHospital\nInforme\nPeriodo 2020\n" + gen("NHC;Fecha alta;Edad;Estancia;Coste", 300, func(r *rand.Rand, i int) string {
			return fmt.Sprintf("%d;%02d.%02d.2020;%d;%d,%d;%d.%03d,%02d", 10000+i, 1+r.IntN(28), 1+r.IntN(12), 20+r.IntN(70), r.IntN(20), r.IntN(10), 1+r.IntN(9), r.IntN(1000), r.IntN(100))
		}) + ";;;;\n;;;;\nTotal;;;;300\n", Options{}, "real", record.Real, 300, 3, "3 lines were left out above the header"},
		{"codes with a decimal comma and foreign names", "x.csv", gen("NHC;Fecha;Código CIE9", 900, func(r *rand.Rand, i int) string {
			return fmt.Sprintf("%d;%02d/%02d/2020;%s", i/3, 1+r.IntN(28), 1+r.IntN(12), icd9[r.IntN(len(icd9))])
		}), Options{}, "long", record.Presence, 300, 9, "codes have a decimal comma (250,00): read as 250.00"},
		{"several codes in one cell", "x.csv", gen("patient;diagnoses", 100, func(r *rand.Rand, i int) string {
			return fmt.Sprintf(`%d;"%s, %s"`, i, icd10[r.IntN(4)], icd10[4+r.IntN(4)])
		}), Options{}, "long", record.Presence, 100, 8, "cells hold several codes"},
		{"a member is no id", "x.csv", gen("member,status,plan,smoker", 400, func(r *rand.Rand, i int) string {
			return pick(r, "yes", "no") + "," + pick(r, "new", "old", "gone") + "," + pick(r, "A", "B", "C") + "," + pick(r, "yes", "no")
		}), Options{}, "categorical", record.Categorical, 400, 4, "4 columns hold a few values"},
		{"laboratory values", "x.csv", gen("id,creat,sat", 200, func(r *rand.Rand, i int) string {
			if r.IntN(10) == 0 {
				return fmt.Sprintf("%d,<0.2,%d %%", i, 60+r.IntN(40))
			}
			return fmt.Sprintf("%d,%.2f,%d %%", i, 0.2+r.Float64(), 60+r.IntN(40))
		}), Options{}, "real", record.Real, 200, 2, "cells such as <0.2 lie beyond a limit"},
		{"one column of numbers", "bmi.csv", gen("bmi", 50, func(r *rand.Rand, i int) string { return fmt.Sprintf("%.1f", 18+20*r.Float64()) }), Options{}, "real", record.Real, 50, 1, "1 column holds"},
		{"one column of notes", "n.csv", gen("note", 50, func(r *rand.Rand, i int) string {
			return "\"well today, no fever at all,\nwent home in the afternoon\""
		}), Options{}, "text", record.Text, 50, 0, "column note"},
		{"genotypes", "x.csv", gen("id,rs11,rs22,rs33,rs44", 60, func(r *rand.Rand, i int) string {
			return fmt.Sprintf("p%d,", i) + cells(4, ",", func(int) string { return strconv.Itoa(r.IntN(3)) })
		}), Options{}, "genotypes", record.Counts, 60, 4, "genotypes"},
		{"letters without a header and a class", "x.data", strings.TrimPrefix(gen("", 200, func(r *rand.Rand, i int) string {
			return pick(r, "left", "right") + "," + cells(16, ",", func(int) string { return pick(r, "y", "n", "?") })
		}), "\n"), Options{}, "categorical", record.Categorical, 200, 16, "kept beside the features"},
		{"letters that are no answers", "x.data", strings.TrimPrefix(gen("", 200, func(r *rand.Rand, i int) string {
			return cells(6, ",", func(int) string { return pick(r, "y", "f", "s", "x") })
		}), "\n"), Options{}, "categorical", record.Categorical, 200, 6, "categories"},
		{"quotes in a table of tabs", "x.tsv", gen("a\tb\tc", 60, func(r *rand.Rand, i int) string {
			return pick(r, "m", "f") + "\t" + pick(r, `"Swing it" magistern`, `"open`, `5" disc`) + "\t" + pick(r, "1", "2", "3")
		}), Options{}, "categorical", record.Categorical, 60, 3, ""},
		{"backslashes before quotes", "x.csv", gen("a,b,c", 60, func(r *rand.Rand, i int) string {
			return pick(r, "x", "z") + "," + pick(r, `"a \"b\" c, d"`, `"e"`) + "," + pick(r, "1", "2", "3")
		}), Options{}, "categorical", record.Categorical, 60, 3, ""},
		{"numbers as names", "x.csv", gen("id,100022,100025", 40, func(r *rand.Rand, i int) string {
			return fmt.Sprintf("id%d,%s,%s", i, pick(r, "TRUE", "FALSE"), pick(r, "TRUE", "FALSE"))
		}), Options{}, "binary", record.Presence, 40, 2, ""},
		{"years as names", "x.csv", gen("land,2001,2002,2003", 40, func(r *rand.Rand, i int) string {
			return fmt.Sprintf("l%d,%d,%d,%d", i, 1000+r.IntN(3000), 1000+r.IntN(3000), 1000+r.IntN(3000))
		}), Options{}, "real", record.Real, 40, 3, ""},
		{"days as numbers", "x.csv", gen("born,weight,height", 40, func(r *rand.Rand, i int) string {
			return fmt.Sprintf("19%02d%02d%02d,%.1f,%.1f", 30+r.IntN(60), 1+r.IntN(12), 1+r.IntN(28), 50+40*r.Float64(), 150+40*r.Float64())
		}), Options{}, "real", record.Real, 40, 2, "column born is kept beside the features: it holds dates"},
	}
}

func TestDoor(t *testing.T) {
	for _, c := range doorCases() {
		t.Run(c.name, func(t *testing.T) {
			s := summarise(t, c.o, write(t, c.file, []byte(c.text)))
			notes := strings.Join(record.Texts(s.problems.Notes), "\n")
			columns := len(s.schema.Columns)
			if columns == 0 && s.schema.Kind != record.Text {
				columns = s.features
			}
			if s.schema.Format != c.format || s.schema.Kind != c.kind || s.records != c.records || columns != c.columns || s.problems.Skipped > 0 {
				t.Errorf("%s, %v, %d records, %d columns, %d skipped; want %s, %v, %d, %d\n%s", s.schema.Format, s.schema.Kind, s.records, columns,
					s.problems.Skipped, c.format, c.kind, c.records, c.columns, notes)
			}
			if !strings.Contains(notes, c.notes) {
				t.Errorf("nothing says %q:\n%s", c.notes, notes)
			}
		})
	}
}

// The same table from a stream, which can be read only once.
func TestDoorOnce(t *testing.T) {
	c := doorCases()[0]
	p := new(record.Problems)
	src, err := OpenInputs(context.Background(), []source.Input{source.Reader("standard input", strings.NewReader(c.text))}, Options{}, p)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	err = src.Read(context.Background(), func(b *record.Batch) error { n += b.N(); return nil })
	if n != c.records || err != nil || src.Schema().Kind != c.kind {
		t.Errorf("%d records of kind %v, %v", n, src.Schema().Kind, err)
	}
}

func TestFolderOfNotes(t *testing.T) {
	dir := t.TempDir()
	words := strings.Fields("patient well fever cough no pain chest discharged home today ward stable")
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 40 {
		text := cells(6+2*(i%2), " ", func(int) string { return words[r.IntN(len(words))] })
		if i%3 == 0 {
			text = strings.ReplaceAll(text, " ", ", ")
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("n%02d.txt", i)), []byte(text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := summarise(t, Options{}, dir)
	says := "looks like running text: 40 files, one document each"
	if s.records != 40 || s.schema.Kind != record.Text || !strings.Contains(strings.Join(record.Texts(s.problems.Notes), "\n"), says) {
		t.Errorf("%d records of kind %v: %v", s.records, s.schema.Kind, s.problems.Notes)
	}
}

// A named format that a cell contradicts is refused, with the number of records,
// the column and the cell; a loss that is allowed is said.
func TestNamedFormatContradicted(t *testing.T) {
	text := gen("a,b,c", 400, func(r *rand.Rand, i int) string {
		if i == 7 {
			return "1,2,0"
		}
		return cells(3, ",", func(int) string { return strconv.Itoa(r.IntN(2)) })
	})
	file := write(t, "x.csv", []byte(text))
	var pe *record.ParseError
	_, _, err := read(t, Options{Reading: record.Reading{Format: "binary"}}, file)
	if !errors.As(err, &pe) || pe.Name != "b" || pe.Text != "2" || pe.Line != 9 || !source.Unreadable(err) ||
		!strings.Contains(err.Error(), "1 of 400 records would be left out (0.2 %); leave ‹format› out, and every cell is read, or allow the loss with ‹skip-malformed› 0.3%") {
		t.Errorf("binary: %v", err)
	}
	if n, p, err := read(t, Options{Reading: record.Reading{Format: "binary", SkipMalformed: 0.01}}, file); n != 399 || p.Skipped != 1 || err != nil {
		t.Errorf("allowed: %d records, %d skipped, %v", n, p.Skipped, err)
	}
	if n, p, err := read(t, Options{}, file); n != 400 || p.Skipped != 0 || err != nil {
		t.Errorf("by itself: %d records, %d skipped, %v", n, p.Skipped, err)
	}
}

// Rows with too many fields are the only ones that a guess leaves out: up to one
// in a hundred, and no more.
func TestOneInAHundred(t *testing.T) {
	rows := func(bad int) string {
		return gen("a,b,c", 200, func(r *rand.Rand, i int) string {
			row := cells(3, ",", func(int) string { return strconv.Itoa(1 + r.IntN(4)) })
			if i < bad {
				row += ",9,9"
			}
			return row
		})
	}
	if n, p, err := read(t, Options{}, write(t, "x.csv", []byte(rows(2)))); n != 198 || p.Skipped != 2 || err != nil {
		t.Errorf("2 of 200: %d records, %v", n, err)
	}
	if _, _, err := read(t, Options{}, write(t, "x.csv", []byte(rows(3)))); err == nil || !strings.Contains(err.Error(), "3 of 200 records would be left out (1.5 %)") {
		t.Errorf("3 of 200: %v", err)
	}
}

func TestUnknownColumns(t *testing.T) {
	file := write(t, "x.csv", []byte(gen("id,age,dx", 50, func(r *rand.Rand, i int) string { return fmt.Sprintf("%d,%d,42%d.0", i/2, r.IntN(90), i%9) })))
	for name, o := range map[string]Options{
		"id": {Reading: record.Reading{ID: "nope"}}, "code": {Reading: record.Reading{Code: "nope"}}, "pattern": {Reading: record.Reading{Code: "nope*"}}, "columns": {Reading: record.Reading{Columns: []string{"nope"}}},
		"label": {Reading: record.Reading{Label: []string{"nope"}}}, "time": {Reading: record.Reading{Time: "nope"}}, "text": {Reading: record.Reading{Text: "nope"}}, "count": {Reading: record.Reading{Count: "nope"}},
	} {
		if _, _, err := read(t, o, file); !errors.Is(err, record.ErrNoColumn) || !strings.Contains(err.Error(), "id, age, dx") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
