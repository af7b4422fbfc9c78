package run

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/read"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/warn"
)

// clinic writes sixty records of two kinds of patients with ICD codes, the way
// that line writes one.
func clinic(t *testing.T, name, head string, icd10 bool, line func(patient int, code string) string) string {
	t.Helper()
	kinds := [2][]string{{"4280", "4019", "41401", "42731", "5859"}, {"650", "V270", "66411", "64891", "V221"}}
	if icd10 {
		kinds = [2][]string{{"I50.9", "I10", "I25.10", "I48.0", "N18.9"}, {"O80", "Z37.0", "O70.1", "O99.8", "Z34.9"}}
	}
	var b strings.Builder
	b.WriteString(head)
	for p := range 60 {
		for j, code := range append(slices.Clone(kinds[p%2]), kinds[1-p%2][p%5:][:1]...) {
			if (p/2+j)%5 != 0 || p%20 == 0 {
				b.WriteString(line(p+1, code) + "\n")
			}
		}
	}
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// smallCounts counts the counts of 1 to 10 in a report.
func smallCounts(doc any) (n int) {
	switch doc := doc.(type) {
	case []any:
		for _, v := range doc {
			n += smallCounts(v)
		}
	case map[string]any:
		for key, v := range doc {
			if x, ok := v.(float64); ok && (key == "count" || key == "n") && x >= 1 && x <= 10 {
				n++
			}
			n += smallCounts(v)
		}
	}
	return n
}

// Patients are recognised in every form, and their small counts withheld.
func TestHealth(t *testing.T) {
	long := func(p int, code string) string { return fmt.Sprintf("%d,%s", p, code) }
	fhir := func(p int, code string) string {
		return fmt.Sprintf(`{"resourceType":"Condition","subject":{"reference":"Patient/%d"},"code":{"coding":[{"system":"http://hl7.org/fhir/sid/icd-10-cm","code":"%s"}]}}`, p, code)
	}
	for _, c := range []struct {
		name   string
		path   string
		format string
		health bool
	}{
		{"icd-9", clinic(t, "a.csv", "id,code\n", false, long), "", true},
		{"icd-10", clinic(t, "a.csv", "id,code\n", true, long), "", true},
		{"fhir", clinic(t, "Condition.ndjson", "", true, fhir), "fhir", true},
		{"mimic", clinic(t, "DIAGNOSES_ICD.csv", "subject_id,hadm_id,seq_num,icd_code,icd_version\n", false, func(p int, code string) string {
			return fmt.Sprintf("%d,%d,1,%s,9", p, 1000+p, code)
		}), "mimic", true},
		{"omop", clinic(t, "condition_occurrence.csv", "person_id,condition_concept_id\n", false, func(p int, code string) string {
			return fmt.Sprintf("%d,%d", p, 300000+int(code[1])*256+int(code[2]))
		}), "omop", true},
		{"fruit", clinic(t, "a.csv", "id,code\n", false, func(p int, code string) string { return fmt.Sprintf("%d,apple%s", p, code) }), "", false},
	} {
		o := Order{Order: fit.Order{Args: []string{c.path}, Fit: fit.Settings{K: 2, Seed: 1}}, Out: filepath.Join(t.TempDir(), "r")}
		o.Read.Format = c.format
		r, err := Make(t.Context(), o)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		want := 0
		if c.health {
			want = report.DefaultMinCell
		}
		if r.Manifest.Health != c.health || r.Manifest.MinCell != want {
			t.Errorf("%s: health %v, limit %d", c.name, r.Manifest.Health, r.Manifest.MinCell)
		}
		report, err := r.Explain(t.Context(), report.Settings{})
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(report)
		if err != nil {
			t.Fatal(err)
		}
		var doc any
		if err := json.Unmarshal(text, &doc); err != nil {
			t.Fatal(err)
		}
		if small := smallCounts(doc); report.Limit != want || c.health == (small > 0) {
			t.Errorf("%s: the limit of the report is %d, with %d counts below 11", c.name, report.Limit, small)
		}
	}
	for system, want := range map[string]bool{"icd9": true, "icd10": true, "": false, "atc": false} {
		if fit.IsHealth("long", system, false) != want {
			t.Errorf("codes of %q: %v", system, !want)
		}
	}
	for _, format := range []string{"mimic", "fhir", "omop"} {
		if !fit.IsHealth(format, "", false) {
			t.Errorf("the format %s is no health data", format)
		}
	}
}

// Chains of edits against a plain list of groups that is changed by hand.
func TestEditChains(t *testing.T) {
	r := made(t)
	d, err := r.Data()
	if err != nil {
		t.Fatal(err)
	}
	ids := make([]string, 4)
	for j := range ids {
		ids[j] = r.GroupID(j)
	}
	chains := map[string][]Edit{
		"1 into 2 into 3":         {{Kind: MoveGroup, Group: ids[0], To: ids[1]}, {Kind: MoveGroup, Group: ids[1], To: ids[2]}},
		"there and back":          {{Kind: MoveGroup, Group: ids[0], To: ids[1]}, {Kind: MoveGroup, Group: ids[1], To: ids[0]}},
		"one, then its new group": {{Kind: MoveOne, Record: d.ID(5), To: ids[3]}, {Kind: MoveGroup, Group: ids[3], To: ids[0]}},
		"a group, then one of it": {{Kind: MoveGroup, Group: ids[2], To: ids[3]}, {Kind: MoveOne, Record: d.ID(7), To: ids[2]}},
		"one twice":               {{Kind: MoveOne, Record: d.ID(9), To: ids[1]}, {Kind: MoveOne, Record: d.ID(9), To: ids[2]}},
	}
	for name, chain := range chains {
		want := slices.Clone(r.Outcome.Group)
		history := [][]int32{slices.Clone(want)}
		for _, x := range chain {
			to := int32(slices.Index(ids, x.To))
			for i := range want {
				if x.Kind == MoveGroup && want[i] == int32(slices.Index(ids, x.Group)) || x.Kind == MoveOne && d.ID(i) == x.Record {
					want[i] = to
				}
			}
			history = append(history, slices.Clone(want))
			if err := r.AddEdit(x); err != nil {
				t.Fatal(err)
			}
		}
		for step := len(chain); ; step-- {
			got, err := r.Edited(t.Context(), d)
			if err != nil || !slices.Equal(got.Group, history[step]) {
				t.Errorf("%s, after %d edits: wrong groups (%v)", name, step, err)
			}
			if step == 0 {
				break
			}
			if _, err := r.Undo(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// A record of the second block of a file on disk is the one that is moved.
func TestMoveBeyondBlock(t *testing.T) {
	o := order(hospital(t, 5000), filepath.Join(t.TempDir(), "r"))
	o.Fit = fit.Settings{K: 3, Seed: 1}
	r, err := Make(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	f, err := r.Rows()
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	const at = 4100 - 1
	block, err := f.Block(1)
	if err != nil {
		t.Fatal(err)
	}
	to := (r.Outcome.Group[at] + 1) % 3
	if err := r.AddEdit(Edit{Kind: MoveOne, Record: block.ID(at - 4096), To: r.GroupID(int(to))}); err != nil {
		t.Fatal(err)
	}
	edited, err := r.Edited(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	for i, g := range r.Outcome.Group {
		if want := g; i == at && edited.Group[i] != to || i != at && edited.Group[i] != want {
			t.Errorf("record %d is in group %d", i+1, edited.Group[i]+1)
		}
	}
}

// filled sets every field of a struct to something.
func fillFields(v reflect.Value, skip []string) {
	for i := range v.NumField() {
		f := v.Field(i)
		name := v.Type().Field(i).Name
		if !f.CanSet() || slices.Contains(skip, name) {
			continue
		}
		switch f.Kind() {
		case reflect.Struct:
			fillFields(f, skip)
		case reflect.String:
			f.SetString("set " + name)
		case reflect.Bool:
			f.SetBool(true)
		case reflect.Int, reflect.Int64:
			f.SetInt(int64(3 + i))
		case reflect.Float64:
			f.SetFloat(.25)
		case reflect.Slice:
			f.Set(reflect.Append(f, reflect.ValueOf("set "+name).Convert(f.Type().Elem())))
		}
	}
}

// Every option of reading that belongs to the result is kept, and comes back:
// those of the machine are the only ones that do not.
func TestReadSettingsAreAllKept(t *testing.T) {
	machine := []string{"MaxMemory", "TempDir", "Workers"}
	var o read.Options
	fillFields(reflect.ValueOf(&o).Elem(), machine)
	if back := fit.NewReadSettings(o).Options(); !reflect.DeepEqual(back, o) {
		t.Errorf("kept:\n%+v\nof:\n%+v", back, o)
	}
	var s fit.ReadSettings
	fillFields(reflect.ValueOf(&s).Elem(), nil)
	if back := fit.NewReadSettings(s.Options()); !reflect.DeepEqual(back, s) {
		t.Errorf("back:\n%+v\nof:\n%+v", back, s)
	}
}

// Warnings come heaviest first, those of one weight in their order, each once.
func TestHeaviestFirst(t *testing.T) {
	w := func(weight int, code string) warn.Warning { return warn.New(weight, code, "", "%s", code) }
	got := heaviestFirst(
		[]warn.Warning{w(warn.Note, "a"), w(warn.Serious, "b")},
		[]warn.Warning{w(warn.Caution, "c"), w(warn.Serious, "d"), w(warn.Note, "a"), w(warn.Note, "e")},
	)
	var codes []string
	for _, x := range got {
		codes = append(codes, x.Code)
	}
	if want := "b d c a e"; strings.Join(codes, " ") != want {
		t.Errorf("%v, want %s", codes, want)
	}
}
