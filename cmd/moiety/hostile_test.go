package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/cells"
)

// hostileNames are names that do something where they are not expected:
// formulas, escapes of terminals, tags, turns of direction.
var hostileNames = []string{
	`=HYPERLINK("http://evil.example","x")`, `+cmd|' /C calc'!A0`, `-2+3+cmd|' /C calc'!A0`, `@SUM(1+1)`, "'=1+1", "''@x", "＝1+1",
	"\x1b[2Jgone", "\x1b]0;title\x07", "\u009b31mred", "\u202eesrever", "bell\x07", "back\x08\x08space",
	`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `</title></style></script><b>`, `]]>--><!--`, `{{.}}`, `a&b;c<d>'e"f`,
	"comma, quote \" and ; |", "-5", "+3.25", "-", "plain",
}

// do runs the program in this process and returns what it prints.
func do(t *testing.T, args ...string) (code int, out, said string) {
	t.Helper()
	dir := t.TempDir()
	o, err := os.Create(filepath.Join(dir, "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	e, err := os.Create(filepath.Join(dir, "err"))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	a := &app{in: os.Stdin, out: &output{f: o}, err: e}
	code = a.run(args)
	text := func(name string) string {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	return code, text("out"), text("err")
}

// controls are names with bytes that no table may hold; JSON may.
func controls(name string) bool { return strings.ContainsAny(name, "\x1b\x07\x08") }

// hostileData writes records in two groups; every name is an id and a code.
func hostileData(t *testing.T, names []string, record func(w io.Writer, id string, codes []string, side string)) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "hostile")
	var b bytes.Buffer
	half := len(names) / 2
	for i := range 20 * len(names) {
		id := names[i%len(names)]
		if i >= len(names) {
			id = fmt.Sprintf("r%d", i)
		}
		var codes []string
		for j := range half - i/2%3 {
			codes = append(codes, names[half*(i%2)+(i/3+j)%half])
		}
		record(&b, id, codes, names[i*7%len(names)])
	}
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// disturbing returns the first thing in a text that a terminal would act on.
func disturbing(s string) string {
	if at := strings.IndexFunc(s, cells.Disturbs); at >= 0 {
		return fmt.Sprintf("%q", s[at:min(at+20, len(s))])
	}
	return ""
}

// Names that try to do something are only shown: on a terminal, in pages, in
// pictures and in spreadsheets.
func TestHostileNames(t *testing.T) {
	data := hostileData(t, hostileNames, func(w io.Writer, id string, codes []string, side string) {
		json.NewEncoder(w).Encode(map[string]any{"record": id, "codes": codes, "side": side})
	})
	dir := t.TempDir()
	run := filepath.Join(dir, "run")
	flags := []string{"--id", "record", "--code", "codes", "--label", "side", "--format", "jsonl", "--system", "none"}
	code, out, said := do(t, append([]string{"fit", data, "-k", "2", "-o", run}, flags...)...)
	if code != 0 {
		t.Fatal(said)
	}
	for name, args := range map[string][]string{
		"show": {"show", run}, "a group": {"show", run, "1"}, "inspect": append([]string{"inspect", data}, flags...),
		"inspect in JSON": append([]string{"inspect", data, "--json"}, flags...), "show in JSON": {"show", run, "--json"},
		"an unknown group":  {"show", run, "\x1b[2J"},
		"an unknown column": {"fit", data, "--id", "\x1b[2J", "-o", filepath.Join(dir, "no")},
		"a missing file":    {"fit", "\x1b[2Jno", "-o", filepath.Join(dir, "no")},
	} {
		_, o, e := do(t, args...)
		out, said = out+o, said+e
		if bad := disturbing(o + e); bad != "" {
			t.Errorf("%s prints %s", name, bad)
		}
	}
	if bad := disturbing(out + said); bad != "" {
		t.Errorf("fit prints %s", bad)
	}
	hostilePages(t, run, dir)
	hostilePictures(t, run, dir)
	hostileTables(t, run, dir)
	hostileFiles(t, run, dir, append([]string{data}, flags...))
}

// hostileFiles looks for what a terminal would act on in files that people look at there.
func hostileFiles(t *testing.T, run, dir string, data []string) {
	at := func(name string) string { return filepath.Join(dir, "files", name) }
	if err := os.Mkdir(at(""), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"export", run, "--to", "csv", "-o", at("csv")},
		{"export", run, "--to", "dot", "-o", at("groups.dot")},
		{"export", run, "--to", "octis", "-o", at("octis.json")},
		{"export", run, "--to", "json", "-o", at("run.json")},
		{"export", run, "--to", "svg", "-o", at("svg")},
		{"report", run, "-o", at("report.html")},
		{"sample", run, "-n", "50", "-o", at("sample.csv")},
		append([]string{"assign", run, data[0], "-o", at("assigned.csv")}, data[1:]...),
		append([]string{"convert", data[0], "--to", "csv", "-o", at("converted.csv")}, data[1:]...),
	} {
		if code, _, said := do(t, args...); code != 0 && !(args[0] == "assign" && code == exitUsage) {
			t.Errorf("%q: exit %d: %s", args, code, said)
		}
	}
	files := 0
	err := filepath.WalkDir(at(""), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files++
		if bad := disturbing(textOf(t, path)); bad != "" {
			t.Errorf("%s holds %s", filepath.Base(path), bad)
		}
		return nil
	})
	if err != nil || files < 12 {
		t.Errorf("%d files looked at (%v)", files, err)
	}
}

// hostilePages looks for tags that came from names.
func hostilePages(t *testing.T, run, dir string) {
	for _, args := range [][]string{{"report", run, "--title", "</title><script>alert(2)</script>"}, {"export", run, "--to", "ldavis"}} {
		path := filepath.Join(dir, args[0]+".html")
		if code, _, said := do(t, append(args, "-o", path)...); code != 0 {
			t.Fatal(said)
		}
		page := textOf(t, path)
		for _, tag := range []string{"<script>alert", "<img src=x", "</title></style>", "onerror=alert(1)>", "<b>"} {
			if strings.Contains(page, tag) {
				t.Errorf("%s: a name became the tag %s", args[0], tag)
			}
		}
		if !strings.Contains(page, "alert(1)") {
			t.Errorf("%s: the names are not there at all", args[0])
		}
	}
}

// hostilePictures parses every picture strictly.
func hostilePictures(t *testing.T, run, dir string) {
	folder := filepath.Join(dir, "svg")
	if code, _, said := do(t, "export", run, "--to", "svg", "-o", folder); code != 0 {
		t.Fatal(said)
	}
	list, err := filepath.Glob(filepath.Join(folder, "*.svg"))
	if err != nil || len(list) < 3 {
		t.Fatalf("%d pictures (%v)", len(list), err)
	}
	seen := false
	for _, path := range list {
		d := xml.NewDecoder(strings.NewReader(textOf(t, path)))
		for {
			token, err := d.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			switch x := token.(type) {
			case xml.StartElement:
				if slices.Contains([]string{"script", "img", "b", "style", "a", "foreignObject"}, x.Name.Local) {
					t.Errorf("%s: a name became the element %s", path, x.Name.Local)
				}
			case xml.CharData:
				seen = seen || strings.Contains(string(x), "alert(1)")
			}
		}
	}
	if !seen {
		t.Error("the names are in no picture")
	}
}

// hostileTables looks for formulas, and for the names behind them.
func hostileTables(t *testing.T, run, dir string) {
	folder := filepath.Join(dir, "csv")
	code, _, said := do(t, "export", run, "--to", "csv", "-o", folder)
	if code != 0 || strings.Count(said, "take for a formula") != 1 {
		t.Fatalf("%d: %s", code, said)
	}
	names := map[string]int{"centers.csv": 0, "assignments.csv": 0, "topics.csv": 2, "weights.csv": 0}
	for name, column := range names {
		found := 0
		for i, row := range sheetOf(t, filepath.Join(folder, name)) {
			for _, cell := range row {
				if guarded, changed := cells.Guard(cell); changed && !strings.HasPrefix(cell, "'") {
					t.Errorf("%s, line %d: the formula %q, want %q", name, i+1, cell, guarded)
				}
			}
			if slices.ContainsFunc(hostileNames, func(h string) bool { return cells.Visible(h) == cells.Unguard(row[column]) }) {
				found++
			}
		}
		if want := len(hostileNames); found < want && (name == "centers.csv" || name == "assignments.csv") {
			t.Errorf("%s has %d of %d names", name, found, want)
		}
	}
}

func textOf(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func sheetOf(t *testing.T, path string) [][]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(textOf(t, path))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// hostileTable is the same as a long table.
func hostileTable(t *testing.T, names []string) string {
	first := true
	return hostileData(t, names, func(w io.Writer, id string, codes []string, side string) {
		c := csv.NewWriter(w)
		if first {
			c.Write([]string{"record", "code", "side"})
		}
		first = false
		for _, code := range codes {
			c.Write([]string{id, code, side})
		}
		c.Flush()
	})
}

// What is written comes back with the names it had: the second file is the
// first, and the cells of both are no formulas.
func TestHostileNamesComeBack(t *testing.T) {
	names := slices.DeleteFunc(slices.Clone(hostileNames), controls)
	data, dir := hostileTable(t, names), t.TempDir()
	flags := []string{"--id", "record", "--code", "code", "--label", "side", "--format", "long"}
	first, second := filepath.Join(dir, "a.csv"), filepath.Join(dir, "b.csv")
	if code, _, said := do(t, append([]string{"convert", data, "--to", "csv", "-o", first}, flags...)...); code != 0 || strings.Count(said, "take for a formula") != 1 {
		t.Fatalf("%d: %s", code, said)
	}
	if code, _, said := do(t, "convert", first, "--to", "csv", "-o", second, "--label", "side", "--format", "long"); code != 0 {
		t.Fatal(said)
	}
	if textOf(t, first) != textOf(t, second) {
		t.Error("the second file is another")
	}
	got := map[string]bool{}
	for _, row := range sheetOf(t, first)[1:] {
		got[cells.Unguard(row[0])], got[cells.Unguard(row[1])], got[cells.Unguard(row[len(row)-1])] = true, true, true
		for _, cell := range row {
			if _, changed := cells.Guard(cell); changed && cell[0] != '\'' {
				t.Errorf("the formula %q", cell)
			}
		}
	}
	for _, name := range names {
		if !got[cells.Visible(name)] {
			t.Errorf("%q did not come through", name)
		}
	}
	// Labels of a user against places of ours: joined by the names they had.
	truth := filepath.Join(dir, "truth.csv")
	places := filepath.Join(dir, "places.csv")
	var b, c bytes.Buffer
	w, p := csv.NewWriter(&b), csv.NewWriter(&c)
	w.Write([]string{"id", "label"})
	p.Write([]string{"id", "group", "probability"})
	for i, name := range hostileNames {
		guarded, _ := cells.Guard(name)
		w.Write([]string{name, fmt.Sprint(i % 2)})
		p.Write([]string{guarded, fmt.Sprint(1 + i%2), "1"})
	}
	w.Flush()
	p.Flush()
	if err := os.WriteFile(truth, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(places, c.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, out, said := do(t, "eval", "--pred", places, "--truth", truth, "--json"); !strings.Contains(out, fmt.Sprintf(`"n": %d`, len(hostileNames))) || !strings.Contains(out, `"ari": 1`) {
		t.Errorf("eval: %s %s", out, said)
	}
}

func writeText(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
