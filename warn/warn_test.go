package warn

import "testing"

func TestWarning(t *testing.T) {
	w := New(Caution, "few-records", "Collect more.", "Only %d of %d records have three codes.", 7, 90)
	want := Warning{Code: "few-records", Text: "Only 7 of 90 records have three codes.", Remedy: "Collect more.", Weight: 2}
	if w != want {
		t.Errorf("New = %+v, want %+v", w, want)
	}
	if got := w.String(); got != "Only 7 of 90 records have three codes. Collect more." {
		t.Errorf("String = %q", got)
	}
	if got := New(Note, "x", "", "All went well.").String(); got != "All went well." {
		t.Errorf("without remedy: %q", got)
	}
	list := []Warning{New(Note, "a", "", ""), New(Serious, "b", "", ""), New(Note, "c", "", ""), New(Serious, "d", "", "")}
	Sort(list)
	if got := list[0].Code + list[1].Code + list[2].Code + list[3].Code; got != "bdac" {
		t.Errorf("sorted: %s, want bdac", got)
	}
	if !(Note < Caution && Caution < Serious) {
		t.Error("weights out of order")
	}
}
