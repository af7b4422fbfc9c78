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
	if !(Note < Caution && Caution < Serious) {
		t.Error("weights out of order")
	}
}
