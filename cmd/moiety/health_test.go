package main

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/stream"
)

// ward is a small hospital in some form: common codes in three pictures, one that
// a single patient has, one that seven have.
type ward struct {
	name  string
	file  string
	flags []string
	rare  []string // names that no output may hold
	write func(w io.Writer, patients [][]string)
	codes [3][]string
	seven string
	one   string
}

func icd9(file string, write func(io.Writer, [][]string), flags ...string) ward {
	return ward{file: file, flags: flags, write: write, codes: [3][]string{{"428", "585", "401", "250"}, {"650", "664", "V27", "285"}, {"486", "491", "305", "496"}}, seven: "V61", one: "V08"}
}

func wards() []ward {
	long := func(w io.Writer, patients [][]string) {
		fmt.Fprintln(w, "patient,code")
		for i, codes := range patients {
			for _, c := range codes {
				fmt.Fprintf(w, "p%d,%s\n", i+1, c)
			}
		}
	}
	plain := func(head, line string) func(w io.Writer, patients [][]string) {
		return func(w io.Writer, patients [][]string) {
			if head != "" {
				fmt.Fprintln(w, head)
			}
			n := 0
			for i, codes := range patients {
				for _, c := range codes {
					n++
					fmt.Fprintf(w, line+"\n", n, 1000+i, c)
				}
			}
		}
	}
	list := []ward{
		icd9("claims.csv", long),
		{
			file: "claims10.csv", write: long, seven: "D86", one: "B20",
			codes: [3][]string{{"I50", "N18", "I10", "E11"}, {"O80", "O70", "Z37", "D64"}, {"J18", "J42", "F17", "J44"}},
		},
		icd9("DIAGNOSES_ICD.csv", plain("ROW_ID,SUBJECT_ID,HADM_ID,SEQ_NUM,ICD9_CODE", "%d,%[2]d,%[2]d,1,%[3]s"), "--format", "mimic"),
		icd9("Condition.ndjson", plain("", `{"resourceType":"Condition","id":"c%d","subject":{"reference":"Patient/%d"},"code":{"coding":[{"system":"http://hl7.org/fhir/sid/icd-9-cm","code":"%s"}]}}`), "--format", "fhir"),
		{
			file: "omop.csv", flags: []string{"--format", "omop"}, seven: "438688", one: "439727", write: plain("condition_occurrence_id,person_id,condition_concept_id,visit_occurrence_id", "%d,%[2]d,%[3]s,%[2]d"),
			codes: [3][]string{{"316139", "46271022", "320128", "201826"}, {"4128331", "441641", "435875", "433316"}, {"255848", "255841", "4209423", "255573"}},
		},
		{
			file: "notes.csv", flags: []string{"--health", "--text", "note", "--stopwords", "none"}, seven: "sarcoidosis", one: "immunodeficiency",
			codes: [3][]string{{"heart", "kidney", "pressure", "oedema"}, {"delivery", "newborn", "birth", "mother"}, {"cough", "lung", "smoker", "sputum"}},
			write: func(w io.Writer, patients [][]string) {
				fmt.Fprintln(w, "id,note")
				for i, words := range patients {
					fmt.Fprintf(w, "n%d,%s\n", i+1, strings.Join(append(words, words...), " "))
				}
			},
		},
		{
			file: "steps.csv", flags: []string{"--health", "--format", "sequences", "--id", "id", "--time", "t"}, seven: "isolated", one: "coma",
			codes: [3][]string{{"ward", "icu", "home", "rehab"}, {"birth", "nursery", "visit", "check"}, {"cough", "fever", "rest", "walk"}},
			write: func(w io.Writer, patients [][]string) {
				fmt.Fprintln(w, "id,t,symbol")
				for i, steps := range patients {
					for t, s := range append(append(steps, steps...), steps...) {
						fmt.Fprintf(w, "s%d,%d,%s\n", i+1, t+1, s)
					}
				}
			},
		},
	}
	for i := range list {
		list[i].name = list[i].file
		list[i].rare = []string{list[i].seven, list[i].one}
	}
	return list
}

// patients draws who has what.
func (x ward) patients(r *rand.Rand) [][]string {
	var out [][]string
	for i := range 260 {
		g := i % 3
		var codes []string
		for j, c := range x.codes[g] {
			if r.Float64() < .9-.15*float64(j) {
				codes = append(codes, c)
			}
		}
		if r.Float64() < .15 {
			codes = append(codes, x.codes[(g+1)%3][0])
		}
		if i%40 == 5 { // seven of them
			codes = append(codes, x.seven)
		}
		if i == 17 {
			codes = append(codes, x.one)
		}
		if len(codes) < 3 {
			codes = append(codes, x.codes[g][0], x.codes[g][1], x.codes[g][2])
		}
		out = append(out, codes)
	}
	return out
}

// TestHealthIsKept: health data of every form are known to be such, and no output
// names what fewer than 11 people have, or counts them.
func TestHealthIsKept(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	for at, x := range wards() {
		if testing.Short() && at > 0 {
			break
		}
		t.Run(x.name, func(t *testing.T) {
			dir := t.TempDir()
			data := filepath.Join(dir, x.file)
			var b bytes.Buffer
			x.write(&b, x.patients(stream.New(1, "test/ward")))
			if err := os.WriteFile(data, b.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
			h := &keeping{t: t, x: x, dir: dir, run: filepath.Join(dir, "run")}
			h.do(append([]string{"fit", data, "-k", "3", "-o", h.run}, x.flags...)...)
			h.do(append([]string{"fit", data, "-k", "2", "-o", h.run + "2"}, x.flags...)...)
			h.manifest()
			h.outputs(data)
		})
	}
}

// keeping looks at everything that a run gives.
type keeping struct {
	t        *testing.T
	x        ward
	dir, run string
}

func (h *keeping) do(args ...string) string {
	h.t.Helper()
	if !slices.Contains(args, "-v") {
		args = append(args, "-q")
	}
	code, out, said := inProcess(h.t, nil, args...)
	if code != exitDone && !honest(said) {
		h.t.Fatalf("%s: exit %d: %s", strings.Join(args, " "), code, said)
	}
	h.inspect(strings.Join(args, " "), []byte(out+said))
	return out
}

func (h *keeping) manifest() {
	h.t.Helper()
	text, err := os.ReadFile(filepath.Join(h.run, "manifest.json"))
	if err != nil {
		h.t.Fatal(err)
	}
	var m struct {
		Health  bool `json:"health"`
		MinCell int  `json:"min_cell"`
	}
	if err := json.Unmarshal(text, &m); err != nil {
		h.t.Fatal(err)
	}
	if !m.Health || m.MinCell != 11 {
		h.t.Errorf("health %v, min_cell %d, want true and 11", m.Health, m.MinCell)
	}
	h.inspect("manifest.json", text)
}

func (h *keeping) outputs(data string) {
	sequences := slices.Contains(h.x.flags, "sequences")
	for _, share := range [][]string{nil, {"--share"}} {
		with := func(args ...string) []string { return append(args, share...) }
		h.do(with("show", h.run)...)
		h.do(with("show", h.run, "--json")...)
		h.do(with("show", h.run, "1")...)
		h.do(with("compare", h.run, h.run+"2")...)
		h.do(with("compare", h.run, h.run+"2", "--json")...)
		if !testing.Short() || share == nil { // a verdict each time
			h.do(append(with("inspect", data), h.x.flags...)...)
		}
		if !testing.Short() || share != nil {
			h.do(append(with("inspect", data, "--json"), h.x.flags...)...)
		}
		if !sequences { // they have no tree of features
			h.do(append(with("features", data), h.x.flags...)...)
			h.do(append(with("features", data, "--json"), h.x.flags...)...)
		}
		out := filepath.Join(h.dir, "out"+strings.Join(share, ""))
		h.do(with("sample", h.run, "-n", "3000", "-o", out+".sample.csv")...)
		h.do(with("report", h.run, "-o", out+".html")...)
		h.do(with("report", h.run, "-o", out+".pdf")...)
		for _, to := range []string{"csv", "json", "npz", "ldavis", "octis", "dot", "svg", "model"} {
			h.do(with("export", h.run, "--to", to, "-o", out+"."+to)...)
		}
	}
	flags := func(args ...string) []string { return append(args, h.x.flags...) }
	h.do("eval", h.run)
	h.do("eval", h.run, "--json")
	h.do("eval", h.run, data)
	h.do(flags("choose", data, "--max", "3", "-v")...)
	h.do(flags("choose", data, "--max", "3", "--json")...)
	h.do(flags("fit", data, "-k", "3", "--dry-run")...)
	h.do("edit", h.run, "note", "1", "seen")
	h.do("edit", h.run, "--list")
	h.do("assign", h.run, data, "--json", "-o", filepath.Join(h.dir, "out.assigned.csv"))
	h.do("assign", filepath.Join(h.dir, "out.model"), data, "-o", filepath.Join(h.dir, "out.placed.csv"))
	err := filepath.WalkDir(h.dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasPrefix(strings.TrimPrefix(path, h.dir+"/"), "out") {
			return err
		}
		text, err := os.ReadFile(path)
		if records := strings.Contains(path, "assign") || strings.Contains(path, "placed"); records {
			if info, err := e.Info(); err == nil && info.Mode().Perm()&0o077 != 0 {
				h.t.Errorf("%s holds records and can be read by others: %v", path, info.Mode())
			}
			return err
		}
		h.inspect(path, text)
		return err
	})
	if err != nil {
		h.t.Fatal(err)
	}
}

// inspect reads an output: it names nothing rare, and where it is JSON no count of
// people or entries is 1 to 10.
func (h *keeping) inspect(name string, text []byte) {
	h.t.Helper()
	if z, err := zip.NewReader(bytes.NewReader(text), int64(len(text))); err == nil {
		for _, f := range z.File {
			r, err := f.Open()
			if err != nil {
				h.t.Fatal(err)
			}
			part, _ := io.ReadAll(r)
			h.inspect(name+": "+f.Name, narrowed(part))
		}
		return
	}
	for _, rare := range h.x.rare {
		if at := wordIndex(string(text), rare); at >= 0 {
			h.t.Errorf("%s names %s: …%s…", name, rare, text[max(0, at-60):min(len(text), at+60)])
		}
	}
	var doc any
	if json.Unmarshal(text, &doc) == nil {
		h.counts(name, "", doc)
	}
	for _, m := range fewPeople.FindAllString(ofPrior.ReplaceAllString(string(text), ""), -1) {
		if !strings.HasSuffix(name, ".svg") { // numbers there are places
			h.t.Errorf("%s says %q", name, m)
		}
	}
}

// ofPrior finds the weight of a prior, which is nobody.
var ofPrior = regexp.MustCompile(`(?:worth|prior of) [\d.]+ records?`)

// fewPeople finds one to ten people, or their entries, in a sentence.
var fewPeople = regexp.MustCompile(`(?:^|[^\d.,–-])(?:[1-9]|10) (?:patients?|people|records?|stays?|documents?|texts?|notes?|sequences?|persons?)\b[^;]`)

// TestHealthMeasures: what eval tells of few people's outcome, or of a pair of
// diagnoses that few share, is withheld: eight of 260 died, two have 042.
func TestHealthMeasures(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	r := stream.New(2, "test/measures")
	var b strings.Builder
	b.WriteString("patient,died,code\n")
	for i := range 260 {
		died := 0
		if i%37 == 0 {
			died = 1
		}
		codes := []string{"428", "585", "401"}
		if i%2 == 0 {
			codes = []string{"650", "664", "V27"}
		}
		for _, c := range codes {
			if r.Float64() < .8 || c == codes[0] {
				fmt.Fprintf(&b, "p%d,%d,%s\n", i, died, c)
			}
		}
		if i%130 == 7 {
			fmt.Fprintf(&b, "p%d,%d,042\n", i, died)
		}
	}
	for name, text := range map[string]string{"claims.csv": b.String(), "pair.txt": "042 428\n428 585\n"} {
		if err := os.WriteFile(path(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	do := func(want int, args ...string) string {
		t.Helper()
		code, out, said := inProcess(t, nil, append(args, "-q")...)
		if code != want {
			t.Fatalf("%s: exit %d: %s", strings.Join(args, " "), code, said)
		}
		return out + said
	}
	do(exitDone, "fit", path("claims.csv"), "--label", "died", "-k", "2", "-o", path("r"))
	do(exitDone, "fit", path("claims.csv"), "--label", "died", "-k", "2", "--min-cell", "-1", "-o", path("open"))
	for _, form := range [][]string{nil, {"--json"}} {
		out := do(exitDone, append([]string{"eval", path("r"), "--outcome", "died"}, form...)...)
		if strings.Contains(out, "96.9") || strings.Contains(out, "0.969") || !strings.Contains(out, "inside") && !strings.Contains(out, "house") {
			t.Errorf("eight deaths are told, or no ring:\n%s", out)
		}
		if all := do(exitDone, append([]string{"eval", path("open"), "--outcome", "died"}, form...)...); !strings.Contains(all, "96.9") && !strings.Contains(all, "0.969") {
			t.Errorf("without a limit the share is told:\n%s", all)
		}
	}
	var pair struct {
		Topics []struct{ UMass, NPMI float64 }
	}
	if err := json.Unmarshal([]byte(do(exitDone, "eval", path("r"), "--topics", path("pair.txt"), "--json")), &pair); err != nil {
		t.Fatal(err)
	}
	if pair.Topics[0].UMass != 0 || pair.Topics[0].NPMI != 0 || pair.Topics[1].UMass == 0 {
		t.Errorf("a pair that two people have is judged: %+v", pair)
	}
}

// narrowed makes one byte of every character of a numpy string.
func narrowed(b []byte) []byte {
	var out []byte
	for i := 0; i+4 <= len(b); i += 4 {
		if v := binary.LittleEndian.Uint32(b[i:]); v > 0 && v < 128 {
			out = append(out, byte(v))
		} else {
			out = append(out, ' ')
		}
	}
	return out
}

// wordIndex finds a word that stands alone.
func wordIndex(text, word string) int {
	letter := func(c byte) bool {
		return c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '#'
	}
	for from := 0; ; {
		at := strings.Index(text[from:], word)
		if at < 0 {
			return -1
		}
		at += from
		if (at == 0 || !letter(text[at-1])) && (at+len(word) == len(text) || !letter(text[at+len(word)])) {
			return at
		}
		from = at + 1
	}
}

// counts walks through a document.
func (h *keeping) counts(name, key string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			h.counts(name, k, x)
		}
	case []any:
		for _, x := range v {
			h.counts(name, key, x)
		}
	case float64:
		switch key {
		case "count", "n", "records", "tokens", "patients", "size", "out", "shared", "only_a", "only_b", "table", "read", "empty", "short", "unknown_uses", "duplicates":
			if v >= 1 && v <= 10 {
				h.t.Errorf("%s: %s is %v", name, key, v)
			}
		}
	}
}
