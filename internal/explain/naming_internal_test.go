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

// What tells best comes first, and what tells as much as the features are; what is too faint for
// any name is cut off.
func TestLoudInOrder(t *testing.T) {
	const least = faintPart * faintPart
	n := &namer{b: &builder{place: []int{3, 1, 0, 2}}}
	list := []naming{{feature: 0, score: 1}, {feature: 1, score: 1}, {feature: 2, score: 1.1 * least}, {feature: 3, score: .5}}
	n.inOrder(list)
	order := func(list []naming) (out []int) {
		for _, p := range list {
			out = append(out, p.feature)
		}
		return out
	}
	if got, want := order(loud(list)), []int{1, 0, 3, 2}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	list[3].score = .9 * least
	if got, want := order(loud(list)), []int{1, 0, 3}; !slices.Equal(got, want) {
		t.Errorf("with a faint one %v, want %v", got, want)
	}
}
