package explain

import "testing"

// What there is stands before what there is not: "No coronary disease, heart
// failure" is read as two things that are missing.
func TestJoinedPresentFirst(t *testing.T) {
	parts := []naming{{text: "no coronary disease", absent: true}, {text: "heart failure"}, {text: "rarely gout", absent: true}, {text: "anemia"}}
	if got, want := joined(parts), "heart failure, anemia, no coronary disease, rarely gout"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if parts[0].text != "no coronary disease" {
		t.Error("the order of the parts was changed")
	}
}
