package run

import (
	"slices"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/warn"
)

// TestEditsInWords: every page of a group that was changed by hand says so, and
// says nothing more once the edits are taken back.
func TestEditsInWords(t *testing.T) {
	r := made(t)
	before, err := r.Explain(t.Context(), report.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	d, err := r.Data()
	if err != nil {
		t.Fatal(err)
	}
	from, to := r.GroupID(int(r.Outcome.Group[0])), ""
	for j := range r.Outcome.K() {
		if r.GroupID(j) != from {
			to = r.GroupID(j)
		}
	}
	for _, e := range []Edit{
		{Kind: Rename, Group: from, Text: "hearts"},
		{Kind: Note, Group: "1", Text: "seen by a doctor"},
		{Kind: MoveOne, Record: d.ID(0), To: to},
	} {
		if err := r.AddEdit(e); err != nil {
			t.Fatal(err)
		}
	}
	rep, err := r.Explain(t.Context(), report.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]string{
		from: "Its name was given by hand. Records were moved out of it by hand.",
		to:   "Records were moved into it by hand.",
		"1":  "Note: seen by a doctor",
	} {
		if g, _ := rep.Find(id); !strings.HasSuffix(g.Text, want) {
			t.Errorf("group %s: %q, want it to end with %q", id, g.Text, want)
		}
	}
	for _, code := range []string{"moved-by-hand", "named-by-hand", "noted-by-hand"} {
		if !slices.ContainsFunc(rep.Warnings, func(w warn.Warning) bool { return w.Code == code }) {
			t.Errorf("no warning %s", code)
		}
	}
	for range 3 {
		if _, err := r.Undo(); err != nil {
			t.Fatal(err)
		}
	}
	after, err := r.Explain(t.Context(), report.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range after.Groups {
		if after.Groups[i].Text != before.Groups[i].Text {
			t.Errorf("after undo: %q, before: %q", after.Groups[i].Text, before.Groups[i].Text)
		}
	}
}
