package tree

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/family/bernoulli"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// Three frequencies and a weight are what a split adds: 4, or with caution half of
// 4·log n. A split that gains just the penalty has no evidence.
func TestPenaltyByHand(t *testing.T) {
	b := &branch{records: &scanned{n: 100}, model: mixture.New(mat.NewDense(3, 1, []float64{.2, .5, .7}), []float64{1})}
	for cautious, want := range map[bool]float64{false: 4, true: 2 * math.Log(100)} {
		g := &builder{s: Settings{Family: bernoulli.New(bernoulli.Options{}), Cautious: cautious}}
		if got := g.penalty(b); numtest.Off(got, want, 1e-12) {
			t.Errorf("cautious %v: penalty %v, want %v", cautious, got, want)
		}
	}
	if no, limit := refusal(Split{Gain: 4, Penalty: 4}), refusal(Split{Gain: 5, Penalty: 4}); no != "the records give no evidence of two groups" || limit != "the limit on the number of groups was reached" {
		t.Errorf("refused by %q and %q", no, limit)
	}
}

// Of twelve features that differ the ten that differ most are named, whichever side
// has more of them; those in which the sides are alike are not.
func TestDifferencesByHand(t *testing.T) {
	var columns [2]columnStats
	for h := range 13 {
		columns[0].mean = append(columns[0].mean, 0)
		columns[0].variance = append(columns[0].variance, 1)
		d := float64(h) // the last differ most
		if h%2 == 1 {
			d = -d
		}
		columns[1].mean = append(columns[1].mean, d)
		columns[1].variance = append(columns[1].variance, 11)
	}
	got := differences([2]int{9, 1}, columns)
	if len(got) != 10 {
		t.Fatalf("%d features, want 10", len(got))
	}
	for i, d := range got {
		h := 12 - i
		want := float64(-h) / math.Sqrt2 // (9·1 + 1·11)/10 = 2
		if h%2 == 1 {
			want = -want
		}
		if d.Feature != h || numtest.Off(d.Z, want, 1e-12) {
			t.Errorf("place %d: feature %d at %v, want %d at %v", i, d.Feature, d.Z, h, want)
		}
	}
}

// Sides of equal size stay as they are, a larger second one comes first, ties go with the
// larger, and a cut
// with nobody on one side is none.
func TestSidesByHand(t *testing.T) {
	g := &builder{run: pass.NewLocal(sparse.Rows{Dim: 1, Ptr: []int{0}}, 1)}
	for text, want := range map[string]string{"0011": "0011", "1100": "1100", "0111": "1000", "0211": "1000", "2111": "0000"} {
		s := make(sides, len(text))
		for i := range s {
			s[i] = text[i] - '0'
		}
		swapped, err := g.largerFirst(t.Context(), s)
		got := ""
		for _, l := range s {
			got += string('0' + rune(l))
		}
		if err != nil || got != want || swapped != (text[2:] == "11" && text[:2] != "00") {
			t.Errorf("%s became %s, exchanged %v, want %s", text, got, swapped, want)
		}
	}
	for _, c := range []struct {
		s    sides
		both bool
	}{{sides{0, 0}, false}, {sides{1, 1}, false}, {sides{0, 1}, true}} {
		if both, err := g.resolved(t.Context(), c.s); err != nil || both != c.both {
			t.Errorf("%v has both sides: %v", c.s, !c.both)
		}
	}
}

// As many records as are wanted are all taken, one more is not.
func TestDrawByHand(t *testing.T) {
	perm := stream.New(3, "test").Perm(7)
	if got := draw(stream.New(3, "test"), 7, 7); !slices.Equal(got, perm) {
		t.Errorf("7 of 7 records are %v, want the order %v", got, perm)
	}
	if got := draw(stream.New(3, "test"), 8, 7); len(got) != 7 {
		t.Errorf("%d of 8 records, want 7", len(got))
	}
}

// A branch on the last level asked for is not cut.
func TestLimitsByHand(t *testing.T) {
	ready := func(level int) *branch { return &branch{level: level, cut: &cut{split: Split{Gain: 9, Penalty: 1}}} }
	for level, cut := range map[int]bool{1: true, 2: false, 3: false} {
		g := &builder{s: Settings{Levels: 2}, open: []*branch{ready(level)}}
		if got := g.best() != nil; got != cut {
			t.Errorf("a branch on level %d of 2 is cut: %v", level, got)
		}
	}
}
