package read

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/record"
)

// A sweep over generated tables: every kind of column, every way of writing a
// table, with and without missing values and damage, against what the generator
// wrote. No record may be lost, no cell may change, and no kind may be wrong
// that can be told from the cells.

const sweepRows, sweepColumns = 90, 6

// sweepKind makes the cells of one kind of table.
type sweepKind struct {
	name  string
	cell  func(r *rand.Rand, column int) string
	plain record.Kind // kind of the records without missing values
	holes record.Kind // and with them
	// value is what a cell is read as: a number, or a level.
	value func(cell string) (x float64, level bool)
	marks []string // marks of missing values to try
}

func sweepKinds() []sweepKind {
	number := func(cell string) (float64, bool) {
		x, _ := strconv.ParseFloat(cell, 64)
		return x, false
	}
	level := func(string) (float64, bool) { return 1, true }
	usual := []string{"NA", "", ".", "?", `\N`, "#N/A"}
	pick := func(words ...string) func(*rand.Rand, int) string {
		return func(r *rand.Rand, _ int) string { return words[r.IntN(len(words))] }
	}
	return []sweepKind{
		{"digits", pick("0", "1"), record.Presence, record.Categorical, number, usual},
		{"floats of 0 and 1", pick("0.0", "1.0"), record.Presence, record.Categorical, number, usual},
		{"yes and no", pick("yes", "no"), record.Presence, record.Categorical, func(c string) (float64, bool) {
			return map[string]float64{"yes": 1}[c], false
		}, usual},
		{"sí and no", pick("Sí", "No"), record.Presence, record.Categorical, func(c string) (float64, bool) {
			return map[string]float64{"Sí": 1}[c], false
		}, usual},
		{"answers 1 to 5", pick("1", "2", "3", "4", "5"), record.Categorical, record.Categorical, level, append(usual, "-9", "99")},
		{"answers 1 and 2", pick("1", "2"), record.Categorical, record.Categorical, level, append(usual, "-9", "99")},
		{"words", pick("never", "sometimes", "often"), record.Categorical, record.Categorical, level, usual},
		{"counts", func(r *rand.Rand, _ int) string { return strconv.Itoa(int(math.Floor(r.ExpFloat64() * 2))) }, record.Counts, record.Mixed, number, append(usual, "-9", "N")},
		{"rare counts", func(r *rand.Rand, _ int) string {
			if r.IntN(60) == 0 {
				return strconv.Itoa(2 + r.IntN(3))
			}
			return strconv.Itoa(r.IntN(2))
		}, record.Counts, record.Mixed, number, append(usual, "N")},
		{"measurements", func(r *rand.Rand, _ int) string { return strconv.FormatFloat(20+100*r.Float64(), 'f', 2, 64) }, record.Real, record.Mixed, number, append(usual, "-9", "-")},
		{"signed", func(r *rand.Rand, _ int) string { return strconv.FormatFloat(r.NormFloat64(), 'f', 3, 64) }, record.Real, record.Mixed, number, usual},
	}
}

// dialects write a table: names and cells, nil cells for missing.
type sweepDialect struct {
	name  string
	write func(names []string, cells [][]string, mark string) []byte
	plain bool // cells with blanks and marks of every kind can be written
}

func joined(sep, end string, quote bool) func([]string, [][]string, string) []byte {
	return func(names []string, cells [][]string, mark string) []byte {
		var b bytes.Buffer
		row := func(fields []string) {
			for i, f := range fields {
				if i > 0 {
					b.WriteString(sep)
				}
				if f == hole {
					f = mark
				}
				if quote {
					f = `"` + f + `"`
				}
				b.WriteString(f)
			}
			b.WriteString(end)
		}
		row(names)
		for _, c := range cells {
			row(c)
		}
		return b.Bytes()
	}
}

const hole = "\x00hole"

func sweepDialects() []sweepDialect {
	comma := joined(",", "\n", false)
	with := func(edit func(string) string) func([]string, [][]string, string) []byte {
		return func(n []string, c [][]string, m string) []byte { return []byte(edit(string(comma(n, c, m)))) }
	}
	return []sweepDialect{
		{"comma", comma, true},
		{"semicolon", joined(";", "\n", false), true},
		{"tab", joined("\t", "\n", false), true},
		{"bar", joined("|", "\n", false), true},
		{"quoted", joined(",", "\n", true), true},
		{"crlf", joined(",", "\r\n", false), true},
		{"cr", joined(",", "\r", false), true},
		{"bom", with(func(s string) string { return "\ufeff" + s }), true},
		{"no last end", with(func(s string) string { return strings.TrimRight(s, "\n") }), false},
		{"separator at the end", with(func(s string) string { return strings.ReplaceAll(s, "\n", ",\n") }), true},
		{"separator at the end of rows", with(func(s string) string {
			head, body, _ := strings.Cut(s, "\n")
			return head + "\n" + strings.ReplaceAll(body, "\n", ",\n")
		}), true},
		{"titles above", with(func(s string) string { return "Report of the ward,,,\nspring and summer\n\n" + s }), true},
		{"totals below", with(func(s string) string {
			return s + strings.Repeat(",,,,,\n", 5) + "Total,90,,,,\nSource: the ward itself\n"
		}), true},
		{"comments", with(func(s string) string {
			head, body, _ := strings.Cut(s, "\n")
			return "# exported by hand\n" + head + "\n# first half\n" + body + "# the end\n"
		}), true},
		{"blank lines", with(func(s string) string { return "\n\n" + strings.Replace(s, "\n", "\n\n", 10) + "\n" }), true},
		{"sep line", func(n []string, c [][]string, m string) []byte {
			return append([]byte("sep=;\r\n"), joined(";", "\r\n", false)(n, c, m)...)
		}, true},
		{"unnamed column", with(func(s string) string { return strings.Replace(s, "a1", "", 1) }), true},
		{"decimal comma", func(n []string, c [][]string, m string) []byte {
			return []byte(strings.ReplaceAll(string(joined(";", "\n", false)(n, c, m)), ".", ","))
		}, false},
	}
}

func TestSweep(t *testing.T) {
	dir := t.TempDir()
	files, met, step := 0, 0, numtest.Scale(13, 1, 1)
	for _, k := range sweepKinds() {
		for di, d := range sweepDialects() {
			for mi, mark := range append([]string{hole}, k.marks...) {
				if mark != hole && (mi+di)%3 != 0 && d.name != "comma" || mark == "." && d.name == "decimal comma" {
					continue // every mark with the comma, a third of the rest
				}
				if d.name == "decimal comma" && mark != hole && mark != "NA" || d.name == "separator at the end of rows" && mark == "" || d.name == "no last end" && mark == "" {
					continue
				}
				if met++; met%step != 0 {
					continue
				}
				r := rand.New(rand.NewPCG(uint64(di), uint64(mi)))
				names, cells := sweepTable(r, k, mark != hole)
				data := d.write(names, cells, mark)
				path := filepath.Join(dir, fmt.Sprintf("t%d.csv", files))
				if files%7 == 3 {
					path += ".gz"
					data = gzipBytes(data)
				}
				files++
				if err := os.WriteFile(path, data, 0o600); err != nil {
					t.Fatal(err)
				}
				want := k.plain
				if mark != hole {
					want = k.holes
				}
				checkSweep(t, fmt.Sprintf("%s, %s, missing %q", k.name, d.name, mark), path, names, cells, k, want)
			}
		}
	}
	if files*step < 60 {
		t.Errorf("only %d files", files)
	}
	t.Logf("%d generated files", files)
}

func gzipBytes(data []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write(data)
	z.Close()
	return b.Bytes()
}

// sweepTable makes a table; with holes every column has some, and no row is
// empty.
func sweepTable(r *rand.Rand, k sweepKind, holes bool) (names []string, cells [][]string) {
	for j := range sweepColumns {
		names = append(names, "a"+strconv.Itoa(j))
	}
	for i := range sweepRows {
		row := make([]string, sweepColumns)
		for j := range row {
			row[j] = k.cell(r, j)
			if holes && (i*sweepColumns+j)%11 == 0 {
				row[j] = hole
			}
		}
		cells = append(cells, row)
	}
	return names, cells
}

func checkSweep(t *testing.T, what, path string, names []string, cells [][]string, k sweepKind, want record.Kind) {
	t.Helper()
	p := new(record.Problems)
	src, err := Open(context.Background(), []string{path}, Options{}, p)
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	var got []map[string]float64
	err = src.Read(context.Background(), func(b *record.Batch) error {
		for i := range b.N() {
			m := map[string]float64{}
			if b.Ptr != nil {
				for e := b.Ptr[i]; e < b.Ptr[i+1]; e++ {
					m[src.Schema().Dict.Name(b.Feature[e])] = b.At(e)
				}
			}
			got = append(got, m)
		}
		return nil
	})
	if err != nil || len(got) != len(cells) || p.Skipped > 0 {
		t.Errorf("%s: %d of %d records, %d skipped, %v\n%s", what, len(got), len(cells), p.Skipped, err, strings.Join(record.Texts(p.Notes), "\n"))
		return
	}
	if src.Schema().Kind != want {
		t.Errorf("%s: kind %v, want %v\n%s", what, src.Schema().Kind, want, strings.Join(record.Texts(p.Notes), "\n"))
		return
	}
	for i, row := range cells {
		if err := sameRow(got[i], row, names, src.Schema().Kind, k); err != "" {
			t.Errorf("%s: record %d: %s\n%v\n%s", what, i+1, err, got[i], strings.Join(record.Texts(p.Notes), "\n"))
			return
		}
	}
}

// sameRow compares a record with the cells that were written.
func sameRow(got map[string]float64, row, names []string, kind record.Kind, k sweepKind) string {
	for j, cell := range row {
		name := names[j]
		if j == 1 && !slices.ContainsFunc(keys(got), func(s string) bool { return s == name || strings.HasPrefix(s, name+"=") }) {
			name = "column2" // the unnamed one
		}
		if kind == record.Categorical {
			_, there := got[name+"="+cell]
			_, comma := got[name+"="+strings.ReplaceAll(cell, ".", ",")]
			if (there || comma) != (cell != hole) {
				return fmt.Sprintf("%s is not %q", name, cell)
			}
			continue
		}
		x, there := got[name]
		switch want, _ := k.value(cell); {
		case cell == hole && (!there || !math.IsNaN(x)):
			return fmt.Sprintf("%s is %v, not missing", name, x)
		case cell != hole && x != want:
			return fmt.Sprintf("%s is %v, not %v", name, x, want)
		}
	}
	return ""
}

func keys(m map[string]float64) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	return out
}
