package pass

import (
	"bytes"
	"math"
	"testing"
)

// Two rounds are one only where everything that is said of them is.
func TestRoundsDiffer(t *testing.T) {
	of := Round{Number: 2, Name: "sum of 3", Study: "a", Before: "b", Given: "c"}
	seen := map[string]bool{"": true}
	for _, other := range []Round{
		{Number: 3, Name: "sum of 3", Study: "a", Before: "b", Given: "c"},
		{Number: 2, Name: "sum of 4", Study: "a", Before: "b", Given: "c"},
		{Number: 2, Name: "sum of 3", Study: "x", Before: "b", Given: "c"},
		{Number: 2, Name: "sum of 3", Study: "a", Before: "x", Given: "c"},
		{Number: 2, Name: "sum of 3", Study: "a", Before: "b", Given: "x"},
	} {
		why := other.Differs(of)
		if seen[why] {
			t.Errorf("%+v: %q", other, why)
		}
		seen[why] = true
	}
	if why := of.Differs(of); why != "" {
		t.Errorf("a round differs from itself: %s", why)
	}
}

// Numbers that a sum is made of are the same where another processor rounds their last digits
// otherwise, and others where they differ by more.
func TestGivenUpToTheLastDigits(t *testing.T) {
	of := func(list ...float64) []byte { return given([]Sum{Given(nothing{}, list)}) }
	x, y := math.Pi, -math.E/1000
	for _, c := range []struct {
		name string
		x, y float64
		same bool
	}{
		{"the next number", math.Nextafter(x, 4), math.Nextafter(y, -1), true},
		{"rounded a hundred times", x * (1 + 1e-14), y * (1 - 1e-14), true},
		{"a millionth more", x * (1 + 1e-6), y, false},
		{"another sign", x, -y, false},
		{"the other way round", y, x, false},
	} {
		if same := bytes.Equal(of(x, y), of(c.x, c.y)); same != c.same {
			t.Errorf("%s: the same %v, want %v", c.name, same, c.same)
		}
	}
}

// nothing is a Sum of no interest.
type nothing struct{}

func (nothing) Len() int { return 1 }

func (nothing) Add([]float64, Block) error { return nil }
