package split

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/moiety-go/moiety/bank/law"
)

// some makes up laws of three kinds, every other one a single population.
func some(n int) []law.Law {
	laws := make([]law.Law, n)
	for i := range laws {
		laws[i] = law.Law{Name: fmt.Sprint("law ", i), Kind: []law.Kind{law.Texts, law.Counts, law.Mixed}[i%3], Groups: 1 + 2*(i/3%2)}
	}
	return laws
}

// TestFewNames holds the split of a few names: it must never change, or what was kept
// for the judge has been seen.
func TestFewNames(t *testing.T) {
	parts := Laws("hand", some(30))
	for name, want := range map[string]Part{
		"law 0": Choose, "law 1": Choose, "law 2": Choose, "law 3": Choose, "law 4": Calibrate, "law 29": Judge,
	} {
		if parts[name] != want {
			t.Errorf("%s is in the part %s, was in %s", name, parts[name], want)
		}
	}
}

// TestShares sees that every part has its share in all and of each kind, single
// populations and groups.
func TestShares(t *testing.T) {
	laws := some(120)
	parts := Laws("hand", laws)
	all, strata := map[Part]int{}, map[string]map[Part]int{}
	for _, l := range laws {
		stratum := fmt.Sprint(l.Kind, l.Groups)
		if strata[stratum] == nil {
			strata[stratum] = map[Part]int{}
		}
		all[parts[l.Name]]++
		strata[stratum][parts[l.Name]]++
	}
	want := map[Part]float64{Choose: 0.4, Calibrate: 0.3, Judge: 0.3}
	for part, share := range want {
		if all[part] != int(120*share) {
			t.Errorf("%s has %d of 120", part, all[part])
		}
		for stratum, sizes := range strata {
			if !(math.Abs(float64(sizes[part])-20*share) <= 1) {
				t.Errorf("%s has %d of 20 of %s", part, sizes[part], stratum)
			}
		}
	}
}

// TestOrder sees that the order in which a hand lists its laws does not matter, and
// that hands are split each in its own way.
func TestOrder(t *testing.T) {
	laws := some(40)
	first, other := Laws("hand", laws), Laws("other", laws)
	slices.Reverse(laws)
	moved := 0
	for name, part := range Laws("hand", laws) {
		if first[name] != part {
			t.Errorf("%s moved with the order", name)
		}
		if other[name] != part {
			moved++
		}
	}
	if moved < 10 {
		t.Errorf("only %d of 40 are elsewhere in another hand", moved)
	}
}
