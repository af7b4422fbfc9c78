package hands

import (
	"testing"

	"github.com/moiety-go/moiety/bank/law"
	"github.com/moiety-go/moiety/bank/split"
)

// TestAll sees that names are unique and that every part has a share of what there is.
func TestAll(t *testing.T) {
	seen, parts := map[string]bool{}, map[split.Part]map[bool]int{}
	for _, l := range All() {
		name := l.Hand + "/" + l.Name
		if seen[name] {
			t.Errorf("%s is there twice", name)
		}
		seen[name] = true
		if parts[l.Part] == nil {
			parts[l.Part] = map[bool]int{}
		}
		parts[l.Part][l.Groups == 1]++
	}
	for _, part := range split.Parts() {
		for _, single := range []bool{false, true} {
			if n := parts[part][single]; 4*n < len(seen)/2 {
				t.Errorf("the part %s has %d of about %d laws, single populations: %t", part, n, len(seen)/2, single)
			}
		}
	}
}

// TestSurveys holds the parts of a few laws of a hand that is closed.
func TestSurveys(t *testing.T) {
	want := map[string]split.Part{
		"types of values": split.Choose, "feeling thermometers": split.Choose, "electorates": split.Choose,
		"two cultures": split.Calibrate, "social distance scale": split.Judge, "voting blocs": split.Judge,
	}
	for _, l := range All() {
		if part, ok := want[l.Name]; ok && l.Hand == "surveys" && l.Part != part {
			t.Errorf("%s is in the part %s, was in %s", l.Name, l.Part, part)
		}
	}
}

// TestSample sees that a sample is spread over parts, hands, and single populations
// and groups, and the same whatever the order.
func TestSample(t *testing.T) {
	sample := Sample(All(), 40)
	if len(sample) < 35 || len(sample) > 45 {
		t.Fatalf("%d laws", len(sample))
	}
	parts, hands, kinds, single := map[split.Part]int{}, map[string]int{}, map[law.Kind]int{}, 0
	for _, l := range sample {
		parts[l.Part]++
		hands[l.Hand]++
		kinds[l.Kind]++
		if l.Groups == 1 {
			single++
		}
	}
	if len(parts) != 3 || len(hands) != handsOf(All()) || len(kinds) != 9 || single < 15 || single > 25 {
		t.Errorf("parts %v, hands %v, kinds %v, %d single populations", parts, hands, kinds, single)
	}
	if got := Sample(sample[:5], 40); len(got) != 5 {
		t.Errorf("%d laws of 5", len(got))
	}
}

// handsOf counts the hands.
func handsOf(laws []Law) int {
	seen := map[string]bool{}
	for _, l := range laws {
		seen[l.Hand] = true
	}
	return len(seen)
}
