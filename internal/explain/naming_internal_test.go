package explain

import (
	"slices"
	"testing"
)

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

// What carries a part is the same however its feature is meant: its words are kept by feature.
func TestBareWordsOfFeatures(t *testing.T) {
	const title = "Heart failure, by cause"
	want := bareWords(title)
	for how := range saidOf {
		if got := bareWords(how + " " + title); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", how, got, want)
		}
	}
}
