package explain

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// TestNarrow: both sides of every bound.
func TestNarrow(t *testing.T) {
	for _, c := range []struct {
		sum, parts, hidden int
		want               bool
	}{
		{0, 2, 0, false},
		{10, 1, 1, true},
		{11, 1, 1, false}, // one that is large
		{17, 2, 2, true},
		{20, 2, 2, true},
		{21, 2, 2, false}, // two below 11
		{20, 3, 3, false},
		{21, 3, 3, true},
		{30, 3, 3, true},
		{31, 3, 3, false},
	} {
		if got := narrow(c.sum, c.parts, c.hidden, 11); got != c.want {
			t.Errorf("%d in %d: %v, want %v", c.sum, c.parts, got, c.want)
		}
	}
}

// TestMergeRare: rare answers are joined, with as many more as it takes, and no
// others are closed.
func TestMergeRare(t *testing.T) {
	for _, c := range []struct {
		have []int
		want []bool
	}{
		{[]int{50, 40, 30}, []bool{false, false, false}},
		{[]int{50, 40, 3}, []bool{false, true, true}}, // 3 alone would follow
		{[]int{50, 8, 9}, []bool{true, true, true}},   // 17 in two is too narrow
		{[]int{90, 50, 9, 9, 9}, []bool{false, true, true, true, true}},
		{[]int{50, 0, 30}, []bool{false, false, false}},
	} {
		v := division{limit: 11}
		for _, n := range c.have {
			v.classes = append(v.classes, []int{n})
		}
		if _, hidden := mergeRare(v); !slices.Equal(hidden, c.want) {
			t.Errorf("%v: %v, want %v", c.have, hidden, c.want)
		}
	}
}

// TestYield: where most cases of a feature lie in one group, the count of all gives
// way to that group's; half of them are not most, and only the first class, those who
// have the feature, is asked. Nodes are all records, then the groups; limit 11.
func TestYield(t *testing.T) {
	for name, c := range map[string]struct {
		with, without []int
		never         bool
		want          []bool
	}{
		"most in one group":      {[]int{43, 40, 3}, []int{157, 60, 97}, false, []bool{false, true, false}},
		"without the rule":       {[]int{43, 40, 3}, []int{157, 60, 97}, true, []bool{true, false, false}},
		"exactly half":           {[]int{40, 20, 17, 3}, []int{160, 50, 50, 60}, false, []bool{true, false, false, false}},
		"one more than half":     {[]int{41, 21, 17, 3}, []int{160, 50, 50, 60}, false, []bool{false, true, false, false}},
		"most are without it":    {[]int{157, 60, 97}, []int{43, 40, 3}, false, []bool{true, false, false}},
		"nothing small anywhere": {[]int{43, 23, 20}, []int{157, 60, 97}, false, []bool{true, true, true}},
	} {
		h := flatHierarchy(len(c.with) - 1)
		base := make([]bool, len(c.with))
		for i := range base {
			base[i] = true
		}
		v := division{classes: [][]int{c.with, c.without}, limit: 11, yield: !c.never}
		if got := h.protect(v, base); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// TestFewMissing: missing values that are too few to be reported are counted among
// those without; from the limit on they are a class of their own.
func TestFewMissing(t *testing.T) {
	for missing, classes := range map[int]int{0: 2, 10: 2, 11: 3} {
		h := flatHierarchy(1)
		o := &openness{limit: 11, ofAll: make([]bool, 1)}
		c := &cells{n: []int{100, 100}, have: [][]int32{{40}, {40}}, miss: [][]int32{{int32(missing)}, {int32(missing)}}}
		if got := o.classes(h, c, report.OfRecords, 0); len(got) != classes || o.ofAll[0] != (missing == 10) {
			t.Errorf("%d missing: %d classes, of all %v", missing, len(got), o.ofAll[0])
		} else if classes == 2 && got[1][0] != 60 {
			t.Errorf("%d missing: %d without, want 60", missing, got[1][0])
		}
	}
}

// TestClosedParentClosesTheCode: chapter 5 and 32 in two groups, of which the
// chapter is closed; the code is 0 and 30 of them. Were the code reported, the 7 who
// have the chapter without it would follow from the two sums.
func TestClosedParentClosesTheCode(t *testing.T) {
	h := flatHierarchy(3)
	c := &cells{n: []int{300, 100, 100, 100}, have: [][]int32{{97, 90}, {5, 0}, {32, 30}, {60, 60}}}
	h.number = []int{-1, 0, 1, 2}
	o := &openness{limit: 11, size: allOpen(4), cell: make([][]bool, 2), ofAll: make([]bool, 2)}
	o.closeFeature(h, c, report.OfRecords, 0, nil)
	if o.cell[0][1] || o.cell[0][2] || !o.cell[0][3] {
		t.Fatalf("chapter: %v", o.cell[0])
	}
	o.closeFeature(h, c, report.OfRecords, 1, []int{0})
	if o.cell[1][1] || o.cell[1][2] {
		t.Errorf("code: %v, though the chapter is closed there", o.cell[1])
	}
}

// TestTypicalFromThree: two records characterise nothing, three may; and ten must
// be expected before a feature is called rare.
func TestTypicalFromThree(t *testing.T) {
	b := &builder{}
	for n, few := range map[int]bool{2: true, 3: false} {
		if got := tooFew(&report.Feature{Of: report.OfRecords, Count: report.CountOf(n)}); got != few {
			t.Errorf("%d records: too few %v", n, got)
		}
	}
	for n, few := range map[int]bool{4: true, 5: false} {
		if got := tooFew(&report.Feature{Of: report.OfWords, Count: report.CountOf(n)}); got != few {
			t.Errorf("%d words: too few %v", n, got)
		}
	}
	for expected, rare := range map[float64]bool{9.9: false, 10: true} {
		x := known{ranked: ranked{share: .01, overall: .5, expected: expected}, Feature: report.Feature{Low: report.NumberOf(0), High: report.NumberOf(.05)}}
		if b.judge(&x, 1); x.rare != rare {
			t.Errorf("%v expected: rare %v", expected, x.rare)
		}
	}
}

// TestNearlyAllIsHonest: said of groups of ten limits and more, of which at most
// the limit and one lack the feature.
func TestNearlyAllIsHonest(t *testing.T) {
	h := flatHierarchy(1)
	h.number = []int{-1, 0}
	for _, c := range []struct {
		n, lack int
		want    bool
	}{{109, 3, false}, {110, 3, true}, {200, 12, true}, {200, 13, false}, {200, 0, false}} {
		o := &openness{limit: 11, size: allOpen(2), cell: [][]bool{{false, false}}, vague: make([]bool, 1)}
		x := &cells{n: []int{c.n, c.n}, have: [][]int32{{int32(c.n - c.lack)}, {int32(c.n - c.lack)}}}
		if got := o.nearlyAll(h, x, 1, 0); got != c.want {
			t.Errorf("%d of %d lack it: nearly all %v", c.lack, c.n, got)
		}
	}
}

// TestTooExact: "nearly all" is not said where the sum of those who lack it tells
// how many.
func TestTooExact(t *testing.T) {
	for _, c := range []struct {
		lack [2]int
		want bool
	}{{[2]int{12, 12}, true}, {[2]int{1, 11}, true}, {[2]int{6, 7}, false}, {[2]int{3, 60}, false}} {
		h := flatHierarchy(2)
		h.number = []int{-1, 0, 1}
		n, lack := 400, c.lack[0]+c.lack[1]
		x := &cells{n: []int{n, 200, 200}, have: [][]int32{{int32(n - lack)}, {int32(200 - c.lack[0])}, {int32(200 - c.lack[1])}}}
		o := &openness{limit: 11, size: allOpen(3), cell: [][]bool{{true, false, false}}, vague: make([]bool, 1)}
		if got := o.tooExact(h, x, 0); got != c.want {
			t.Errorf("%v lack it: too exact %v", c.lack, got)
		}
	}
}

// TestDeviationOfSparse: zeros that are not stored count in the deviation.
func TestDeviationOfSparse(t *testing.T) {
	v := vocab.New([]string{"x", "y"})
	dense := &dataset.Dataset{Kind: record.Real, Vocab: v, Rows: sparse.Rows{Dim: 2, Ptr: []int{0, 0, 0, 0, 0}, Dense: []float64{3, 0, 0, 5, 0, 0, 1, 2}}}
	sparse := &dataset.Dataset{Kind: record.Real, Vocab: v, Rows: sparse.Rows{Dim: 2, Ptr: []int{0, 1, 2, 2, 4}, Index: []uint32{0, 1, 0, 1}, Value: []float32{3, 5, 1, 2}}}
	of := []report.Of{report.Value, report.Value}
	var sd [2][2]float64
	for i, d := range []*dataset.Dataset{dense, sparse} {
		s, err := newSurvey(t.Context(), d, 0, func(*vocab.Vocab) bool { return true }, "", false)
		if err != nil {
			t.Fatal(err)
		}
		h := &hierarchy{leaf: []int{0}, parent: []int{-1}}
		c, err := count(t.Context(), &fit.Outcome{Group: make([]int32, 4), Probability: []float32{1, 1, 1, 1}}, d, 0, s, h, of)
		if err != nil {
			t.Fatal(err)
		}
		for f := range 2 {
			_, sd[i][f] = c.deviation(0, f)
		}
	}
	want := [2]float64{math.Sqrt(2), 2.3629078131263} // of 3 0 0 1, and of 0 5 0 2
	for f := range 2 {
		if numtest.Off(sd[0][f], want[f], 1e-9) || numtest.Off(sd[1][f], want[f], 1e-9) {
			t.Errorf("feature %d: dense %v, sparse %v, want %v", f, sd[0][f], sd[1][f], want[f])
		}
	}
}

// A block looks at its own values, not at those of all blocks behind the same memory.
func TestLookedAtABlock(t *testing.T) {
	rows := sparse.Rows{Dim: 2, Ptr: []int{0, 1, 2, 3}, Index: []uint32{0, 1, 0}, Value: []float32{1, float32(math.NaN()), 2}}
	l := &looked{dim: 2}
	for i, want := range []float64{0, 1, 0} {
		state := make([]float64, l.Len())
		if err := l.Add(state, pass.Block{First: i, Rows: rows.Slice(i, i+1)}); err != nil || state[1] != want || state[0] != 1 {
			t.Errorf("row %d: %v (%v)", i, state, err)
		}
	}
}

// The bounds that a sum sets on its cells are those of each cell beside the others, one after
// another.
func TestWorkAgainstEachCell(t *testing.T) {
	r := stream.New(3, "test/work")
	for range 500 {
		n := 2 + r.IntN(4)
		low, high, cells := make([]float64, n), make([]float64, n), make([]int, n)
		total := 0
		for c := range n {
			x := r.IntN(20)
			total += x
			cells[c], low[c], high[c] = c, float64(max(0, x-r.IntN(10))), float64(x+r.IntN(10))
			if r.IntN(3) == 0 {
				high[c] = math.Inf(1)
			}
		}
		s := sum{cells: cells, low: float64(total - r.IntN(3)), high: float64(total + r.IntN(3))}
		wantLow, wantHigh := slices.Clone(low), slices.Clone(high)
		for c := range n {
			others := func(bound []float64) (all float64) {
				for o, v := range bound {
					if o != c {
						all += v
					}
				}
				return all
			}
			wantHigh[c] = max(0, min(wantHigh[c], s.high-others(wantLow)))
			wantLow[c] = max(wantLow[c], s.low-others(wantHigh))
		}
		was := fmt.Sprint(low, high, s)
		s.work(low, high)
		if !slices.Equal(low, wantLow) || !slices.Equal(high, wantHigh) {
			t.Fatalf("%s: %v to %v, want %v to %v", was, low, high, wantLow, wantHigh)
		}
	}
}

// Days are told of things; of people, or where small counts are withheld, months; and nothing
// of what is shared.
func TestPeriodByHand(t *testing.T) {
	for _, c := range []struct {
		health bool
		limit  int
		ring   report.Ring
		want   string
	}{
		{false, 0, report.Inside, "2015-03-04 to 2016-01-02"},
		{true, 0, report.Inside, "2015-03 to 2016-01"},
		{false, 11, report.Inside, "2015-03 to 2016-01"},
		{true, 11, report.Inside, "2015-03 to 2016-01"},
		{false, 0, report.Shared, ""},
	} {
		b := &builder{d: &survey{first: "2015-03-04", last: "2016-01-02"}, s: report.Settings{Health: c.health}, open: &openness{limit: c.limit}, r: &report.Report{Ring: c.ring}}
		if got := b.period(); got != c.want {
			t.Errorf("health %v, limit %d: %q, want %q", c.health, c.limit, got, c.want)
		}
	}
}

// Whichever node is known too well is closed, the root too, and nothing else.
func TestWidenAnyNode(t *testing.T) {
	h := flatHierarchy(2)
	for p := range h.len() {
		open := slices.Repeat([]bool{true}, h.len())
		h.widen(open, 11, func() []span {
			x := span{low: make([]float64, h.len()), high: slices.Repeat([]float64{1e9}, h.len())}
			if open[p] {
				x.low[p], x.high[p] = 3, 5
			}
			return []span{x}
		})
		for q, o := range open {
			if o == (q == p) {
				t.Errorf("node %d is known too well: node %d stays open %v", p, q, o)
			}
		}
	}
}

// How mixed documents are goes with a model, in all groups as much as they are large.
func TestMixedOfDisclosed(t *testing.T) {
	const alpha = "alpha"
	p := mixture.New(mat.NewDense(1, 2, []float64{1, 1}), []float64{.3, .7}).With(alpha, mat.NewDense(2, 1, []float64{.123, .456}))
	for ring, want := range map[report.Ring]float64{report.Inside: .579, report.Shared: .58} {
		x := &discloser{r: &report.Report{Ring: ring}, info: family.Info{Extra: map[string]family.Role{alpha: family.Concentration}}, o: &fit.Outcome{Model: &model.Model{Params: p}}}
		got := x.mixed(p).Extra[alpha]
		if !(math.Abs(mat.Sum(got)-want) <= 1e-12) || !(math.Abs(got.At(0, 0)-.3*want) <= 1e-12) {
			t.Errorf("%v: %v, want %v in all", ring, mat.Formatted(got), want)
		}
	}
}
