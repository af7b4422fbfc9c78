package read

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
	pq "github.com/moiety-go/moiety/internal/parquet"
	"github.com/moiety-go/moiety/record"
)

// sweepFormat writes a table as a format; nil where it cannot hold it.
type sweepFormat struct {
	name  string // of the file
	write func(t *testing.T, names []string, cells [][]string, holes bool) []byte
	names func(j int) string // of its columns; nil: those of the table
}

func sweepFormats() []sweepFormat {
	return []sweepFormat{
		{"t.xlsx", asWorkbook, nil},
		{"t.parquet", asParquet, nil},
		{"t.jsonl", asObjects("\n", "", "\n"), nil},
		{"t.json", asObjects(",\n", "[", "]"), nil},
		{"t.npy", asArray, func(j int) string { return "x" + strconv.Itoa(j) }},
		{"t.npz", asArrays, func(j int) string { return "x" + strconv.Itoa(j) }},
		{"t.biom", asObservations, nil},
		{"t.mtx", asCoordinates, func(j int) string { return strconv.Itoa(j + 1) }},
		{"t.svm", asPairs, func(j int) string { return strconv.Itoa(j + 1) }},
		{"docword.t.txt", asDocword, func(j int) string { return strconv.Itoa(j + 1) }},
	}
}

// TestSweepFormats writes every kind of table in every format that can hold it,
// with and without missing values: no record may be lost, no cell may change, no
// kind may be wrong.
func TestSweepFormats(t *testing.T) {
	files, step := 0, numtest.Scale(11, 1, 1) // a prime: every format meets some kinds
	for _, f := range sweepFormats() {
		for ki, k := range sweepKinds() {
			for _, holes := range []bool{false, true} {
				names, cells := sweepTable(rand.New(rand.NewPCG(uint64(ki), 7)), k, holes)
				data := f.write(t, names, cells, holes)
				if data == nil {
					continue
				}
				if files++; files%step != 0 {
					continue
				}
				path := filepath.Join(t.TempDir(), f.name)
				if err := os.WriteFile(path, data, 0o600); err != nil {
					t.Fatal(err)
				}
				if f.names != nil {
					for j := range names {
						names[j] = f.names(j)
					}
				}
				want := k.plain
				if holes {
					want = k.holes
				}
				if f.name == "docword.t.txt" {
					want = record.Counts // of words in documents, whatever they are
				}
				sweepSays(t, path, map[string]string{
					"t.xlsx": "is an Excel workbook", "t.npz": "is a file of numpy arrays", "t.npy": "is an array of numpy", "t.biom": "the samples are the records",
				}[f.name])
				checkSweep(t, fmt.Sprintf("%s, %s, missing %v", k.name, f.name, holes), path, names, plainCells(f.name, cells), k, want)
			}
		}
	}
	if files < 80 {
		t.Errorf("only %d files", files)
	}
	t.Logf("%d generated files", files/step)
}

// sweepSays looks for what is said of a file.
func sweepSays(t *testing.T, path, says string) {
	t.Helper()
	p := new(record.Problems)
	if _, err := Open(t.Context(), []string{path}, Options{}, p); err != nil || !strings.Contains(strings.Join(record.Texts(p.Notes), "\n"), says) {
		t.Errorf("%s: %v, said %q, want %q", path, err, record.Texts(p.Notes), says)
	}
}

// plainCells are the cells as a format that keeps numbers writes them.
func plainCells(name string, cells [][]string) [][]string {
	if strings.HasPrefix(name, "t.json") {
		return cells
	}
	for _, row := range cells {
		for j, c := range row {
			if x, err := strconv.ParseFloat(c, 64); err == nil {
				row[j] = strconv.FormatFloat(x, 'g', -1, 64)
			}
		}
	}
	return cells
}

// typed returns a cell as the number it is, or as its text; nil for a hole.
func typed(cell string) any {
	if cell == hole {
		return nil
	}
	if x, err := strconv.ParseFloat(cell, 64); err == nil {
		return x
	}
	return cell
}

// asWorkbook writes the least that spreadsheets take for a workbook.
func asWorkbook(t *testing.T, names []string, cells [][]string, _ bool) []byte {
	var sheet strings.Builder
	sheet.WriteString("<worksheet><sheetData>")
	for i, row := range append([][]string{names}, cells...) {
		fmt.Fprintf(&sheet, `<row r="%d">`, i+1)
		for j, c := range row {
			at := string(rune('A'+j)) + strconv.Itoa(i+1)
			switch v := typed(c).(type) {
			case nil:
			case string:
				fmt.Fprintf(&sheet, `<c r="%s" t="inlineStr"><is><t>%s</t></is></c>`, at, v)
			default:
				fmt.Fprintf(&sheet, `<c r="%s"><v>%v</v></c>`, at, v)
			}
		}
		sheet.WriteString("</row>")
	}
	sheet.WriteString("</sheetData></worksheet>")
	return bookOf(t, sheet.String())
}

// bookOf writes a workbook of one sheet.
func bookOf(t *testing.T, sheet string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, part := range [][2]string{
		{"[Content_Types].xml", `<Types/>`},
		{"xl/_rels/workbook.xml.rels", `<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>`},
		{"xl/workbook.xml", `<workbook><sheets><sheet name="Data" sheetId="1" r:id="rId1"/></sheets></workbook>`},
		{"xl/worksheets/sheet1.xml", sheet},
	} {
		w, err := z.Create(part[0])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(part[1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// asParquet writes numbers as numbers and words as strings, holes as null.
func asParquet(t *testing.T, names []string, cells [][]string, _ bool) []byte {
	_, words := typed(firstCell(cells)).(string)
	columns, rows := make([]pq.Column, len(names)), make([][]any, len(cells))
	for i, n := range names {
		columns[i] = pq.NumberColumn(n).Optional()
		if words {
			columns[i] = pq.TextColumn(n).Optional()
		}
	}
	for i, row := range cells {
		for _, c := range row {
			rows[i] = append(rows[i], typed(c))
		}
	}
	data, err := parquetOf(t, "", columns, rows...).Stored(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func firstCell(cells [][]string) string {
	for _, row := range cells {
		for _, c := range row {
			if c != hole {
				return c
			}
		}
	}
	return ""
}

// asObjects writes JSON; numbers keep the form they have as text.
func asObjects(between, open, end string) func(*testing.T, []string, [][]string, bool) []byte {
	return func(_ *testing.T, names []string, cells [][]string, _ bool) []byte {
		var rows []string
		for _, row := range cells {
			var fields []string
			for j, c := range row {
				value := c
				switch v := typed(c).(type) {
				case nil:
					value = "null"
				case string:
					text, _ := json.Marshal(v)
					value = string(text)
				}
				fields = append(fields, fmt.Sprintf("%q:%s", names[j], value))
			}
			rows = append(rows, "{"+strings.Join(fields, ",")+"}")
		}
		return []byte(open + strings.Join(rows, between) + end)
	}
}

// asArray is what numpy.save writes of float64; NaN is missing.
func asArray(_ *testing.T, _ []string, cells [][]string, _ bool) []byte {
	if _, words := typed(firstCell(cells)).(string); words {
		return nil
	}
	head := fmt.Sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': (%d, %d), }", len(cells), len(cells[0]))
	head += strings.Repeat(" ", 118-len(head)-1) + "\n"
	b := append([]byte("\x93NUMPY\x01\x00"), byte(len(head)), 0)
	b = append(b, head...)
	for _, row := range cells {
		for _, c := range row {
			x := math.NaN()
			if v, ok := typed(c).(float64); ok {
				x = v
			}
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
		}
	}
	return b
}

// asArrays is the array in an archive, as numpy.savez writes it.
func asArrays(t *testing.T, names []string, cells [][]string, holes bool) []byte {
	data := asArray(t, names, cells, holes)
	if data == nil {
		return nil
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create("arr_0.npy")
	if err == nil {
		_, err = w.Write(data)
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// asObservations is a matrix with the columns as observations and the rows as samples.
func asObservations(t *testing.T, names []string, cells [][]string, holes bool) []byte {
	type axis struct {
		ID string `json:"id"`
	}
	var rows, columns []axis
	var data [][]any
	if !sparseCells(cells, holes, func(i, j int, x float64) { data = append(data, []any{j, i, x}) }) || answersOf(cells) {
		return nil
	}
	for _, name := range names {
		rows = append(rows, axis{name})
	}
	for i := range cells {
		columns = append(columns, axis{fmt.Sprint("s", i)})
	}
	text, err := json.Marshal(map[string]any{
		"format": "Biological Observation Matrix 1.0.0", "matrix_type": "sparse", "shape": []int{len(rows), len(columns)}, "rows": rows, "columns": columns, "data": data,
	})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// sparseCells calls each for every number that is not 0, and reports whether the
// table is one of numbers without holes.
func sparseCells(cells [][]string, holes bool, each func(i, j int, x float64)) bool {
	if _, words := typed(firstCell(cells)).(string); words || holes {
		return false
	}
	for i, row := range cells {
		for j, c := range row {
			if x := typed(c).(float64); x != 0 {
				each(i, j, x)
			}
		}
	}
	return true
}

func asCoordinates(_ *testing.T, _ []string, cells [][]string, holes bool) []byte {
	var lines []string
	if !sparseCells(cells, holes, func(i, j int, x float64) { lines = append(lines, fmt.Sprintf("%d %d %v\n", i+1, j+1, x)) }) || answersOf(cells) {
		return nil
	}
	return []byte(fmt.Sprintf("%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n", len(cells), len(cells[0]), len(lines)) + strings.Join(lines, ""))
}

func asPairs(_ *testing.T, _ []string, cells [][]string, holes bool) []byte {
	rows := make([]string, len(cells))
	if !sparseCells(cells, holes, func(i, j int, x float64) { rows[i] += fmt.Sprintf(" %d:%v", j+1, x) }) || answersOf(cells) {
		return nil
	}
	return []byte("1" + strings.Join(rows, "\n1") + "\n")
}

func asDocword(_ *testing.T, _ []string, cells [][]string, holes bool) []byte {
	var lines []string
	whole := true
	ok := sparseCells(cells, holes, func(i, j int, x float64) {
		whole = whole && x == math.Trunc(x) && x > 0
		lines = append(lines, fmt.Sprintf("%d %d %v\n", i+1, j+1, x))
	})
	if !ok || !whole || answersOf(cells) {
		return nil
	}
	return []byte(fmt.Sprintf("%d\n%d\n%d\n", len(cells), len(cells[0]), len(lines)) + strings.Join(lines, ""))
}

// answersOf reports that there is no 0 among the whole numbers: nobody keeps
// answers as a sparse matrix.
func answersOf(cells [][]string) bool {
	for _, row := range cells {
		for _, c := range row {
			if x, ok := typed(c).(float64); !ok || x != math.Trunc(x) || x == 0 {
				return false
			}
		}
	}
	return true
}
