package choose

import (
	"math"
	"testing"

	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"

	"github.com/moiety-go/moiety/internal/family/categorical"
	"github.com/moiety-go/moiety/internal/verdict"
)

// Ten records a group at the least, twenty groups at the most; not all records can
// be held out.
func TestRangeByHand(t *testing.T) {
	for n, want := range map[int]int{5: 1, 50: 5, 59: 5, 60: 6, 200: 20, 5000: 20} {
		if o, err := (Options{}).filled(n); err != nil || o.Max != want {
			t.Errorf("%d records: up to %d groups (%v), want %d", n, o.Max, err, want)
		}
	}
	for share, legal := range map[float64]bool{.99: true, 1: false, 1.5: false} {
		if _, err := (Options{HeldOut: share}).filled(100); (err == nil) != legal {
			t.Errorf("%v of the records kept aside: %v", share, err)
		}
	}
}

// The differences 1, 2, 3, 6 have the mean 3, squares about it of 14, and the
// standard error √(14/3/4).
func TestBehindByHand(t *testing.T) {
	m, se := behind([]float64{1, 9, 2, 3, 6}, make([]float64, 5), []int{0, 2, 3, 4})
	if want := math.Sqrt(14. / 3 / 4); m != 3 || numtest.Off(se, want, 1e-12) {
		t.Errorf("behind by %v ± %v, want 3 ± %v", m, se, want)
	}
}

// Two questions of two and three answers have six cells, of which five are free.
func TestFreeCellsByHand(t *testing.T) {
	f, err := categorical.New(categorical.Options{Blocks: [][2]int{{0, 2}, {2, 5}}})
	if err != nil {
		t.Fatal(err)
	}
	if got := freeCells(f, 5); got != 5 {
		t.Errorf("%v free cells, want 5", got)
	}
}

// Patterns that stand out from chance do not raise the number where the records
// held out are described worse by it; numbers from one to three are far apart, from
// two to three they are not; a curve that falls to its end says so.
func TestAdviceByHand(t *testing.T) {
	curve := func(picks Picks, points ...Point) *Curve {
		c := &Curve{Points: points, Picks: picks, Called: verdict.CalledFor(false, false)}
		c.advise()
		return c
	}
	for held, want := range map[float64]int{-8: 3, -7: 4, -6: 4} {
		a := curve(Picks{BIC: 3, HeldOut: 3, Edge: 4}, Point{K: 3, BIC: 20, HeldOut: -7}, Point{K: 4, BIC: 31, HeldOut: held}).Advice
		if a.K != want {
			t.Errorf("held out %v against -7: %d groups, want %d", held, a.K, want)
		}
	}
	for low, want := range map[int]string{1: Weak, 2: Clear} {
		a := curve(Picks{BIC: low, HeldOut: 3}, Point{K: low, BIC: 20, HeldOut: -7}, Point{K: 3, BIC: 40, HeldOut: -6}).Advice
		if a.Low != low || a.High != 3 || a.Confidence != want {
			t.Errorf("from %d to 3: %+v, want %s", low, a, want)
		}
	}
	for best, want := range map[int]bool{2: false, 3: true} {
		s := &search{o: Options{Max: 3}, curve: curve(Picks{BIC: best}, Point{K: 2, BIC: 9}, Point{K: 3, BIC: 8})}
		s.limits()
		if got := s.curve.warned("at-the-limit"); got != want {
			t.Errorf("best at %d of 3: warned of the limit %v", best, got)
		}
	}
}

// Records held out speak for the number under which they are likeliest, and the others
// are so much behind it.
func TestHeldOutByHand(t *testing.T) {
	const n = leastHeldOut
	s := &search{curve: &Curve{}, trainPath: &fit.Path{}, tried: map[int]*trial{}}
	s.heldOut.Run = pass.NewLocal(sparse.Rows{Dim: 1, Ptr: make([]int, n+1)}, 1)
	for k, density := range map[int]float64{1: -3, 2: -1, 3: -2} {
		s.tried[k] = &trial{aside: make([]float64, n)}
		for i := range s.tried[k].aside {
			s.tried[k].aside[i] = density
		}
	}
	s.compareHeldOut()
	for k, want := range map[int]float64{1: 2, 2: 0, 3: 1} {
		if got := s.tried[k].point.Behind; numtest.Off(got, want, 1e-12) {
			t.Errorf("%d groups are behind by %v, want %v", k, got, want)
		}
	}
}

// Features that fewer than ten records hold, or lack, take no part.
func TestCommonFeaturesByHand(t *testing.T) {
	const n = 40
	holds := []int{9, 10, 30, 31} // records from the first on
	rows := sparse.Rows{Dim: len(holds), Ptr: []int{0}}
	for i := range n {
		for h, m := range holds {
			if i < m {
				rows.Index = append(rows.Index, uint32(h))
			}
		}
		rows.Ptr = append(rows.Ptr, len(rows.Index))
	}
	data := fit.Training{Run: pass.NewLocal(rows, 1), Kind: record.Presence, Vocab: vocab.Numbered(len(holds))}
	c, err := newCorrelations(t.Context(), data, false)
	if err != nil {
		t.Fatal(err)
	}
	for h, want := range []bool{false, true, true, false} {
		if got := c.inverse[h] > 0; got != want {
			t.Errorf("a feature of %d of %d records takes part: %v", holds[h], n, got)
		}
	}
}
