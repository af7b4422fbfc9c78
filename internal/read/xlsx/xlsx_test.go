package xlsx

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/read/source"
)

// bookOf writes a workbook of one sheet or two.
func bookOf(parts map[string]string) []byte {
	all := map[string]string{
		"[Content_Types].xml":        `<Types/>`,
		"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Target="/xl/worksheets/sheet2.xml"/></Relationships>`,
		"xl/workbook.xml":            `<workbook><workbookPr/><sheets><sheet name="Data &amp; more" sheetId="1" r:id="rId1"/><sheet name="Notes" sheetId="2" r:id="rId2"/></sheets></workbook>`,
		"xl/sharedStrings.xml":       `<sst><si><t>id</t></si><si><t>ICD code</t></si><si><r><t>se</t></r><r><t xml:space="preserve">en &lt;1</t></r></si><si><t>東</t><rPh><t>ひがし</t></rPh></si></sst>`,
		"xl/styles.xml": `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy;@"/><numFmt numFmtId="165" formatCode="00000"/><numFmt numFmtId="166" formatCode="&quot;days&quot; 0.0"/></numFmts>` +
			`<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/><xf numFmtId="22"/></cellXfs></styleSheet>`,
		"xl/worksheets/sheet1.xml": `<worksheet><sheetData>` +
			`<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c><c r="D1" t="inlineStr"><is><t>when</t></is></c><c r="F1" t="str"><f>1+1</f><v>zip</v></c></row>` +
			`<row r="2"/><row r="3"><c r="A3"><v>7</v></c><c r="B3"><v>42</v></c><c r="C3"><v>0.1</v></c><c r="D3" s="1"><v>43831</v></c><c r="E3" t="b"><v>1</v></c><c r="F3" s="3"><v>42</v></c></row>` +
			`<row r="4"><c r="A4" t="s"><v>3</v></c><c r="B4" t="e"><v>#N/A</v></c><c r="C4" s="4"><v>1.5E+3</v></c><c r="D4" s="5"><v>43831.5</v></c><c r="F4"/></row>` +
			`<row r="5"><c r="G5" s="3"/></row></sheetData></worksheet>`,
		"xl/worksheets/sheet2.xml": `<x:worksheet><x:sheetData><x:row><x:c t="inlineStr"><x:is><x:t>a,b</x:t></x:is></x:c><x:c s="2"><x:v>43832</x:v></x:c></x:row></x:sheetData></x:worksheet>`,
	}
	for name, text := range parts {
		all[name] = text
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range all {
		w, _ := z.Create(name)
		_, _ = io.WriteString(w, text)
	}
	z.Close()
	return b.Bytes()
}

func tableOf(data []byte, sheet string) (string, *Table, error) {
	ctx := context.Background()
	b, err := Open(ctx, source.Bytes("t.xlsx", data))
	if err != nil {
		return "", nil, err
	}
	t, err := b.Table(ctx, sheet)
	if err != nil {
		return "", nil, err
	}
	r, err := t.Input.Text(ctx, nil)
	if err != nil {
		return "", nil, err
	}
	defer r.Close()
	text, err := io.ReadAll(r)
	return string(text), t, err
}

func TestSheets(t *testing.T) {
	want := "id,ICD code,seen <1,when,,zip\n,,,,,\n7,42,0.1,2020-01-01,TRUE,00042\n東,,1500,2020-01-01T12:00:00,,\n"
	got, table, err := tableOf(bookOf(nil), "")
	if err != nil || got != want || table.Sheet != "Data & more" || !slices.Equal(table.Numbers, []string{"ICD code"}) {
		t.Errorf("%q, %+v (%v), want %q", got, table, err, want)
	}
	if got, _, err = tableOf(bookOf(nil), "notes"); err != nil || got != "\"a,b\",2020-01-02\n" {
		t.Errorf("second sheet: %q (%v)", got, err)
	}
	if _, _, err = tableOf(bookOf(nil), "Note"); err == nil || !strings.Contains(err.Error(), `did you mean "Notes"`) {
		t.Errorf("no such sheet: %v", err)
	}
	old := bookOf(map[string]string{"xl/workbook.xml": `<workbook><workbookPr date1904="1"/><sheets><sheet name="S" r:id="rId2"/></sheets></workbook>`})
	if got, _, err = tableOf(old, ""); err != nil || got != "\"a,b\",2024-01-03\n" {
		t.Errorf("days from 1904: %q (%v)", got, err)
	}
}

func TestStyles(t *testing.T) {
	for code, want := range map[string]style{
		"General": {}, "0.00": {}, "#,##0": {}, "yyyy-mm-dd": {date: true}, "[$-409]d-mmm-yy;@": {date: true}, "hh:mm:ss": {date: true},
		"[Red]0": {}, "000": {zeros: 3}, "000-00": {zeros: 5}, "@": {}, "\"day\"": {}, "0.0E+00": {}, "mmm yyyy": {date: true},
	} {
		if got := styleOf(code); got != want {
			t.Errorf("%q is %+v, want %+v", code, got, want)
		}
	}
	for ref, want := range map[string]int{"A1": 0, "Z9": 25, "AA3": 26, "xfd1": 16383} {
		if got, ok := columnOf(ref); got != want || !ok {
			t.Errorf("%s is column %d", ref, got)
		}
	}
}

func TestDamagedBooks(t *testing.T) {
	whole := bookOf(nil)
	for name, data := range map[string][]byte{
		"cut off": whole[:len(whole)/2], "no sheets": bookOf(map[string]string{"xl/workbook.xml": "<workbook/>"}),
		"empty sheet": bookOf(map[string]string{"xl/worksheets/sheet1.xml": "<worksheet/>"}), "tag without end": bookOf(map[string]string{"xl/worksheets/sheet1.xml": "<worksheet><row><c"}),
		"endless tag": bookOf(map[string]string{"xl/worksheets/sheet1.xml": "<worksheet><row " + strings.Repeat("a", maxToken+1<<17)}),
	} {
		if _, _, err := tableOf(data, ""); err == nil || !source.Unreadable(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzSheet(f *testing.F) {
	f.Add([]byte(`<row r="1"><c r="A1" t="s"><v>0</v></c><c r="ZZ1" t="inlineStr"><is><t>a&#65;&amp;</t></is></c></row>`))
	f.Add([]byte(`<row><c s="99" t="b"><v>1</v></c><c><v>1e999</v></c></row><row><c r="A999999999999"><v>x</v></c>`))
	f.Fuzz(func(t *testing.T, sheet []byte) {
		if _, _, err := tableOf(bookOf(map[string]string{"xl/worksheets/sheet1.xml": string(sheet), "xl/sharedStrings.xml": string(sheet)}), ""); err != nil && !source.Unreadable(err) {
			t.Errorf("%v is not an error of the data", err)
		}
	})
}

// A sheet of more rows than a workbook has is refused before the rest is read.
func TestTooManyRows(t *testing.T) {
	rows := func(n int) map[string]string {
		return map[string]string{"xl/worksheets/sheet1.xml": "<worksheet><sheetData><row><c><v>1</v></c></row>" + strings.Repeat("<row/>", n-1) + "</sheetData></worksheet>"}
	}
	if text, _, err := tableOf(bookOf(rows(maxRows)), ""); err != nil || text != "1\n" {
		t.Errorf("%q, %v", text, err)
	}
	if _, _, err := tableOf(bookOf(rows(maxRows+1)), ""); !errors.Is(err, source.ErrTooLarge) || !strings.Contains(err.Error(), "more than 1048576 rows") {
		t.Error(err)
	}
}

// The first sheet that holds a table is read; a cell that goes over several rows is the
// value of each, and rows that are hidden are counted.
func TestMergedHiddenAndTitles(t *testing.T) {
	text := func(ref, s string) string { return `<c r="` + ref + `" t="inlineStr"><is><t>` + s + `</t></is></c>` }
	book := bookOf(map[string]string{
		"xl/worksheets/sheet1.xml": `<worksheet><sheetData><row r="1">` + text("A1", "about this book") + `</row></sheetData></worksheet>`,
		"xl/worksheets/sheet2.xml": `<worksheet><sheetData><row r="1">` + text("A1", "ward") + text("B1", "age") + `</row>` +
			`<row r="2">` + text("A2", "north") + `<c r="B2"><v>40</v></c></row><row r="3" hidden="1"><c r="B3"><v>50</v></c></row>` +
			`<row r="4">` + text("A4", "south") + `<c r="B4"><v>60</v></c></row><row r="5"><c r="B5"><v>70</v></c></row><row r="6"><c r="B6"><v>80</v></c></row>` +
			`</sheetData><mergeCells count="3"><mergeCell ref="A2:A3"/><mergeCell ref="A4:A5"/><mergeCell ref="A1:B1"/></mergeCells></worksheet>`,
	})
	got, table, err := tableOf(book, "")
	if want := "ward,age\nnorth,40\nnorth,50\nsouth,60\nsouth,70\n,80\n"; err != nil || got != want {
		t.Fatalf("%q, %v, want %q", got, err, want)
	}
	if table.Sheet != "Notes" || table.Hidden != 1 || table.Filled != 2 {
		t.Errorf("%+v", table)
	}
}
