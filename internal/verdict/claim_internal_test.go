package verdict

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
)

// scored is a judge of folds that were scored by hand; count has the records of
// every row of a fold.
func scored(count [][]float64, scores map[candidate][]float64) *judge {
	j := &judge{scores: map[candidate][]float64{}, to: len(count)}
	size := make([]float64, len(count))
	for f, list := range count {
		j.folds = append(j.folds, &fold{test: &sample{count: list}})
		j.count, size[f] = append(j.count, list...), sum(list)
	}
	j.table = newTable(j.folds, size, nil)
	for c, v := range scores {
		j.score(c, v)
		j.table.Enter([]candidate{c}, [][]float64{v})
	}
	return j
}

// ones are n rows of one record each.
func ones(n int) []float64 {
	out := make([]float64, n)
	fill(out, 1)
	return out
}

// judged is a judge whose records, kept aside, all score alike: totals are those
// given. Differences then have no error, and five nats are clear.
func judged(totals map[candidate]float64) *judge {
	const n = 100
	scores := map[candidate][]float64{}
	for c, total := range totals {
		scores[c] = make([]float64, n)
		fill(scores[c], total/n)
	}
	return scored([][]float64{ones(n)}, scores)
}

// The claim is the smallest number of groups that is not clearly worse than the
// best, in its plainest form; the range ends with the largest such number.
func TestClaimOfHandmadeScores(t *testing.T) {
	flat := func(k int) candidate { return candidate{k, none, noRepeats} }
	even := func(k int) candidate { return candidate{k, amount, noRepeats} }
	again := func(k int) candidate { return candidate{k, none, inOne} }
	for _, c := range []struct {
		name   string
		totals map[candidate]float64
		want   []candidate
	}{
		{"two are four nats behind three", map[candidate]float64{flat(1): -1000, flat(2): -990, flat(3): -986}, []candidate{flat(2), flat(3)}},
		{"two are six nats behind three", map[candidate]float64{flat(1): -1000, flat(2): -992, flat(3): -986}, []candidate{flat(3)}},
		{"one is as good", map[candidate]float64{flat(1): -988, flat(2): -986}, []candidate{flat(1), flat(2)}},
		{"more are worse, a little", map[candidate]float64{flat(1): -1000, flat(2): -986, flat(3): -988}, []candidate{flat(2), flat(3)}},
		{"more are worse, clearly", map[candidate]float64{flat(1): -1000, flat(2): -986, flat(3): -996}, []candidate{flat(2)}},
		{"an amount that adds little", map[candidate]float64{flat(1): -1000, flat(2): -989, even(2): -986}, []candidate{flat(2)}},
		{"an amount that adds much", map[candidate]float64{flat(1): -1000, flat(2): -995, even(2): -986}, []candidate{even(2)}},
		{"an amount instead of groups", map[candidate]float64{flat(1): -1000, even(1): -987, flat(2): -986}, []candidate{even(1), flat(2)}},
		{"an amount is plainer than repeats", map[candidate]float64{again(1): -986, even(1): -986}, []candidate{even(1)}},
		{"of equals the plainest", map[candidate]float64{flat(2): -986, even(2): -986, again(2): -986}, []candidate{flat(2)}},
	} {
		j := judged(c.totals)
		top, _ := j.best(func(candidate) bool { return true })
		if got := j.defensible(top); !slices.Equal(got, c.want) || j.decide() != c.want[0] {
			t.Errorf("%s: %v, claim %v, want %v", c.name, got, j.decide(), c.want)
		}
	}
	j := judged(map[candidate]float64{flat(1): -986, even(1): -986})
	if best, _ := j.best(func(candidate) bool { return true }); best != flat(1) {
		t.Errorf("best of equals %v", best)
	}
}

// Four records, two of them alike: differences 3, 1, 1 and 1 have mean 1.5 and
// squares 2.25 + 3·.25 about it.
func TestEvidenceByHand(t *testing.T) {
	c, other := candidate{1, none, noRepeats}, candidate{2, none, noRepeats}
	j := scored([][]float64{{1, 2, 1}}, map[candidate][]float64{c: {4, 3, 1}, other: {1, 2, 0}})
	got := j.against(c, other)
	if numtest.Off(got.Nats, 6, 1e-12) || numtest.Off(got.Error, math.Sqrt(3), 1e-12) {
		t.Errorf("evidence %+v, want 6 and √3", got)
	}
	if got := j.total(c); numtest.Off(got, 11, 1e-12) {
		t.Errorf("total %v, want 4 + 2·3 + 1", got)
	}
	for e, want := range map[Evidence]bool{{5, 0}: false, {5.01, 0}: true, {5.01, 2.5}: true, {20, 10}: false, {20.01, 10}: true, {-20, 1}: false} {
		if e.clear() != want {
			t.Errorf("%+v is clear: %v", e, !want)
		}
	}
}

// Of 200 records two may be left out. Where they speak by 30 nats each and the
// others by .2, what is left is below two errors; twenty that speak by 10 each
// carry it without the first two.
func TestFewCarry(t *testing.T) {
	a, b := candidate{2, none, noRepeats}, candidate{1, none, noRepeats}
	for _, c := range []struct {
		loud       int
		each, rest float64
		want       bool
	}{{2, 30, .2, true}, {20, 10, 0, false}, {0, 0, 1, false}} {
		says := make([]float64, 200)
		for i := range says {
			says[i] = c.rest
			if i >= len(says)-c.loud {
				says[i] = c.each
			}
		}
		j := scored([][]float64{ones(200)}, map[candidate][]float64{a: says, b: make([]float64, 200)})
		if got := j.fewCarry(a, b); got != c.want {
			t.Errorf("%d records of %v: few carry it %v", c.loud, c.each, got)
		}
	}
}

// Five folds of four records, each with what its records say for two groups: the
// first two folds and the last three claim by themselves.
func TestBoundsOfParts(t *testing.T) {
	one, two := candidate{1, none, noRepeats}, candidate{2, none, noRepeats}
	for _, says := range [][]float64{{9, 9, -3, -3, -3}, {0, 9, -3, -3, -3}} {
		var count [][]float64
		scores := map[candidate][]float64{}
		for _, v := range says {
			count = append(count, ones(4))
			for range 4 {
				scores[one], scores[two] = append(scores[one], 0), append(scores[two], v)
			}
		}
		j := scored(count, scores)
		if got := j.parts(); got != [2]int{2, 1} {
			t.Errorf("%v: parts %v, want 2 and 1", says, got)
		}
	}
}

// Few records are divided among five folds, and no more than one group is tried for
// every twenty of them.
func TestBoundsOfFolds(t *testing.T) {
	lay := &layout{presence: true, items: []item{{0, 2}, {1, 2}}, cols: 2}
	for n, want := range map[int][2]int{30: {5, 2}, 100: {5, 5}, 799: {5, 39}, 800: {2, 40}} {
		var rows [][]uint32
		for i := range n {
			rows = append(rows, [][]uint32{{0}, {1}, {0, 1}, {}}[i%4])
		}
		d := &drawn{lay: lay, rows: rows, n: n}
		j := d.newJudge(2, d.divide(1, 1), 1, 1, nil)
		if got := [2]int{len(j.folds), j.limit}; got != want {
			t.Errorf("%d records: folds and most groups %v, want %v", n, got, want)
		}
	}
	var nine [][]uint32
	for i := range 9 {
		nine = append(nine, [][]uint32{{0}, {1}, {0, 1}}[i%3])
	}
	v, err := (&drawn{lay: lay, rows: nine, n: 9}).verdict(context.Background(), Settings{})
	if err != nil || v.Groups != 1 || !strings.HasPrefix(v.Reason, "Too few") {
		t.Errorf("nine records: %+v (%v)", v, err)
	}
}

// What speaks against a split, by the first thing that does.
func TestDoubtOfSplit(t *testing.T) {
	clear, not := Evidence{20, 1}, Evidence{4, 1}
	for _, c := range []struct {
		v         Verdict
		finer     bool
		stability float64
		e         Evidence
		want      string
	}{
		{Verdict{Groups: 1}, true, 1, clear, "the records show one group"},
		{Verdict{Groups: 3}, true, 1, clear, "the records show 3 groups"},
		{Verdict{Groups: 3, Sure: true}, false, .1, not, ""},
		{Verdict{Groups: 3, Records: 900}, false, 1, not, "nearly as well where these two are one"},
		{Verdict{Groups: 3, Records: 900}, false, .91, clear, "draw this line differently"},
		{Verdict{Groups: 3, Records: 900}, false, .92, clear, ""},
		{Verdict{Groups: 3, Records: 900}, false, -1, clear, ""},
		{Verdict{Groups: 3, Records: 199}, false, 1, clear, "Too few records to be sure"},
		{Verdict{Groups: 3, Records: 200}, false, 1, clear, ""},
		{Verdict{Groups: 3, Records: 900, Against: []Doubt{{Code: FewRecords}}}, false, 1, clear, "rests on few records"},
	} {
		got := c.v.SplitDoubt(c.finer, c.stability, c.e)
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%+v, finer %v, stability %v, %v: %q, want %q", c.v, c.finer, c.stability, c.e, got, c.want)
		}
	}
	for _, c := range []struct {
		v    Verdict
		e    Evidence
		want string
	}{
		{Verdict{Groups: 2, Plain: true, Range: [2]int{2, 2}}, not, "would not describe new records better"},
		{Verdict{Groups: 2, Plain: true, Range: [2]int{2, 2}}, clear, "more groups cannot be ruled out"},
		{Verdict{Groups: 2, Range: [2]int{2, 3}}, clear, "more groups cannot be ruled out"},
		{Verdict{Groups: 2, Range: [2]int{2, 2}}, clear, "differ by degree"},
		{Verdict{Groups: 1, Plain: true, Range: [2]int{1, 1}}, clear, "differ by degree"},
	} {
		if got := c.v.Unsplit(c.e); !strings.Contains(got, c.want) {
			t.Errorf("%+v, %v: %q, want %q", c.v, c.e, got, c.want)
		}
	}
}

// Halves that agree by less than .8 do not find the same groups; from there on
// they find not quite the same.
func TestDoubtOfHalves(t *testing.T) {
	for repeat, want := range map[float64]string{.79: "do not find the same", .8: "do not find quite the same"} {
		v := &Verdict{Groups: 3, Repeat: repeat, Records: 900, Found: &Found{smallest: 80}}
		v.steadyDoubts(candidate{3, none, noRepeats}, [2]int{3, 3}, Words{}.filled(true))
		if len(v.Against) != 1 || !strings.Contains(v.Against[0].Text, want) {
			t.Errorf("agreement %v: %+v, want %q", repeat, v.Against, want)
		}
	}
}

// Of seven records nothing is said, of eight there may be a gap.
func TestValleyFromEight(t *testing.T) {
	at, upper := []float64{0, .1, .2, .3, 10, 10.1, 10.2, 10.3}, []bool{false, false, false, false, true, true, true, true}
	if v := across(at[1:], upper[1:], 1); v.depth != 1 || v.Nats != 0 {
		t.Errorf("seven records: %+v", v)
	}
	if v := across(at, upper, 1); v.Nats == 0 {
		t.Errorf("eight records: %+v", v)
	}
}
