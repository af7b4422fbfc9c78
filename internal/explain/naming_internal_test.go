package explain

import (
	"slices"
	"testing"

	"github.com/moiety-go/moiety/report"
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

// A branch is called nothing that one of its children is called, and what is below them comes
// after what is not, unless it tells much better.
func TestCandidatesOfABranch(t *testing.T) {
	n := &namer{
		b: &builder{
			h:     &hierarchy{parent: []int{-1, 0, 0, 1, 1}, children: [][]int{{1, 2}, {3, 4}, nil, nil, nil}},
			place: []int{0, 1, 2, 3}, question: []int{-1, -1, -1, -1}, of: make([]report.Of, 4), r: &report.Report{},
		},
		parts: map[int][]naming{}, like: map[int][]int8{},
		bare: [][]string{{"asthma"}, {"gout"}, {"sepsis"}, {"anemia"}},
	}
	part := func(feature int, score float64) naming {
		return naming{text: n.bare[feature][0], feature: feature, score: score}
	}
	n.parts[2], n.parts[3] = []naming{part(0, 1)}, []naming{part(1, 1)}
	for _, c := range []struct {
		below float64
		want  []int
	}{{1, []int{2, 1, 3}}, {2, []int{1, 2, 3}}} {
		n.tells = [][]naming{{part(0, 3), part(1, c.below), part(2, .8), part(3, .3)}, nil, nil, nil, nil}
		var got []int
		for _, p := range n.candidates(0) {
			got = append(got, p.feature)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("what is below scores %v: %v, want %v", c.below, got, c.want)
		}
	}
}
