package verdict

import (
	"testing"
)

// judged draws a law of that name and judges it.
func judged(t *testing.T, list []Law, name string, n int, seed uint64) Case {
	t.Helper()
	for _, l := range list {
		if l.Name == name {
			c := Case{Law: l, N: n, Seed: seed}
			if err := c.judge(t.Context()); err != nil {
				t.Fatal(err)
			}
			return c
		}
	}
	t.Fatalf("no law %q", name)
	return Case{}
}

// Draws that were reported "sure" and wrong (decision 0054). None of them was the only one.
func TestNotSureWhereGroupsMayBe(t *testing.T) {
	if c := judged(t, Structured(), "k2+pairs", 500, 301); c.Sure || c.Range[1] < 2 {
		t.Errorf("two groups and eight pairs of features: %d groups, range %v, sure %v", c.Claim, c.Range, c.Sure)
	}
	if testing.Short() {
		return
	}
	if c := judged(t, OddLaws(), "odd: genotypes, 3 and a tenth between them", 2000, 402); c.Sure && c.Claim != 3 {
		t.Errorf("three populations and some between them: %d groups, range %v, sure", c.Claim, c.Range)
	}
	if c := judged(t, MeasuredGroups(), "hard: 3 groups 3 apart", 500, 304); c.Sure {
		t.Errorf("three groups that overlap: %d groups, range %v, sure", c.Claim, c.Range)
	}
}
