package api_test

import (
	"html"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/api"
)

// TestOneNameForOneThing: a diagnosis is called the same on cards, in paragraphs, drawings and
// tables, among the first rows and in what single records have; its official title stands
// behind that name alone, and no two diagnoses have one name.
func TestOneNameForOneThing(t *testing.T) {
	for name, s := range map[string]api.Settings{"a tree": {Leaves: 4}, "flat": {Groups: 4}} {
		if testing.Short() && name == "a tree" {
			continue // a verdict
		}
		t.Run(name, func(t *testing.T) { oneName(t, s) })
	}
}

func oneName(t *testing.T, s api.Settings) {
	t.Helper()
	a, f, _ := workbench(t)
	head, rows := api.ExamplePatients(3, 500)
	data := put(t, f, "patients.csv", head, rows)
	s.Label = []string{"sex", "age"}
	j, err := a.StartFit(t.Context(), api.FitRequest{Data: data, Settings: s})
	if j = wait(t, a, j, err); j.State != api.Done {
		t.Fatal(j.Error)
	}
	g, err := a.Groups(t.Context(), api.RunRequest{Run: j.Run})
	if err != nil {
		t.Fatal(err)
	}
	table := g.Report.Table
	other, said := make(map[string]string), make(map[string]string) // official titles that are not the name; codes by names
	for c, title := range table.Titles {
		name := table.Said(c)
		if said[name] != "" {
			t.Errorf("%s and %s are both called %q", said[name], table.Names[c], name)
		}
		said[name] = table.Names[c]
		if !strings.EqualFold(title, name) && !strings.Contains(strings.ToLower(name), strings.ToLower(title)) {
			other[title] = name
		}
	}
	looked := 0
	check := func(where, text string) {
		looked++
		text = html.UnescapeString(text)
		for title, name := range other {
			for rest := text; ; {
				before, after, found := strings.Cut(rest, title)
				if !found {
					break
				}
				if rest = after; !strings.HasSuffix(before, name+" (") && !strings.Contains(name, title) && !ofLonger(table.Titles, said, before, title, after) {
					t.Errorf("%s: %q is called by its official title %q: …%.60s", where, name, title, after)
				}
			}
		}
	}
	for part, page := range g.HTML {
		check(part, page)
	}
	for _, x := range g.Report.Groups {
		one, err := a.Group(t.Context(), api.GroupRequest{Run: j.Run, Group: x.ID})
		if err != nil {
			t.Fatal(err)
		}
		check("the paragraph of "+x.ID, x.Text)
		check("group "+x.ID, one.HTML)
		if m, err := a.Members(t.Context(), api.MembersRequest{Run: j.Run, Group: x.ID, Show: true}); err != nil {
			t.Fatal(err)
		} else {
			for _, y := range m.Members {
				check("records of "+x.ID, strings.Join(y.Features, "\n"))
			}
		}
	}
	j, err = a.StartRead(t.Context(), api.DataRequest{Data: data})
	if j = wait(t, a, j, err); j.State != api.Done {
		t.Fatal(j.Error)
	}
	read := j.Result.(*api.Read)
	for _, row := range read.Table.Rows {
		check("the first rows", strings.Join(row, "\n"))
	}
	for _, q := range read.Questions {
		for _, o := range q.Options {
			check("a question", o.Label)
		}
	}
	if len(other) < 20 || looked < 100 {
		t.Errorf("%d titles that are not names were looked for in %d places", len(other), looked)
	}
	t.Logf("%d titles that are not names, in %d places", len(other), looked)
}

// ofLonger reports that a title stands there as part of a longer title or name.
func ofLonger(titles []string, said map[string]string, before, title, after string) bool {
	longer := func(whole string) bool {
		at := strings.Index(whole, title)
		return at >= 0 && whole != title && strings.HasSuffix(before, whole[:at]) && strings.HasPrefix(after, whole[at+len(title):])
	}
	for _, x := range titles {
		if longer(x) {
			return true
		}
	}
	for x := range said {
		if longer(x) {
			return true
		}
	}
	return false
}
