package explain

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/encode"
	"github.com/moiety-go/moiety/internal/lca"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// column is a count of one feature in every node.
func column(x ...int32) [][]int32 {
	out := make([][]int32, len(x))
	for i, v := range x {
		out[i] = []int32{v}
	}
	return out
}

// A limit of one masks nothing, one of two something.
func TestLimitsByHand(t *testing.T) {
	h := flatHierarchy(2)
	h.number = []int{-1, 0, 1}
	c := &cells{n: []int{41, 40, 1}, sure: [3][]int{{41, 40, 1}, {0, 0, 0}, {0, 0, 0}}}
	for limit, want := range map[int]bool{1: true, 2: false} {
		if got := newOpenness(h, c, &survey{vocab: &vocab.Vocab{}}, nil, limit, false, 1).sizeOpen(2); got != want {
			t.Errorf("limit %d: a group of one is told %v", limit, got)
		}
	}
}

// Where the count of all is closed, it is put together from what is open and
// three quarters of the limit, or half of the rest where that is less: up to
// twice the limit in the rest are few.
func TestEstimateByHand(t *testing.T) {
	h := flatHierarchy(3)
	h.number = []int{-1, 0, 1, 2}
	for _, c := range []struct {
		name    string
		n       []int
		have    [][]int32
		missing int32
		want    float64 // 0: none
	}{
		{"few", []int{300, 100, 100, 100}, column(55, 50, 3, 2), 0, (50 + .75*11) / 300},
		{"as many as may be", []int{300, 100, 100, 100}, column(72, 50, 11, 11), 0, (50 + .75*11) / 300},
		{"one too many", []int{300, 100, 100, 100}, column(73, 50, 12, 11), 0, 0},
		{"nearly all", []int{300, 100, 100, 100}, column(295, 100, 98, 97), 0, (300 - .75*11) / 300},
		{"a small rest", []int{104, 100, 2, 2}, column(52, 50, 1, 1), 0, 52. / 104},
		{"some are missing", []int{300, 100, 100, 100}, column(55, 50, 3, 2), 1, 0},
	} {
		x := &cells{n: c.n, have: c.have, miss: column(c.missing, 0, 0, c.missing)}
		o := &openness{limit: 11, size: allOpen(4), cell: [][]bool{{false, true, false, false}}, rest: make([]rest, 1)}
		o.rest[0] = o.restOf(h, x, report.OfRecords, 0)
		if got, ok := o.estimate(h, x, 0); ok != (c.want > 0) || ok && numtest.Off(got, c.want, 1e-12) {
			t.Errorf("%s: %v (%v), want %v", c.name, got, ok, c.want)
		}
	}
}

// A closed group beside one of nearly its size closes it too; one that is closed
// because it is small does not.
func TestNeighboursByHand(t *testing.T) {
	h := flatHierarchy(3)
	for _, c := range []struct{ n, closed, want []int }{
		{[]int{47, 30, 12, 5}, []int{3}, []int{3}},
		{[]int{71, 40, 16, 15}, []int{3}, []int{2, 3}},
		{[]int{79, 40, 24, 15}, []int{3}, []int{3}}, // nine apart
		{[]int{78, 40, 23, 15}, []int{3}, []int{2, 3}},
	} {
		o := &openness{limit: 11, size: allOpen(4)}
		for _, i := range c.closed {
			o.size[i] = false
		}
		o.closeNeighbours(h, &cells{n: c.n})
		var got []int
		for i, open := range o.size {
			if !open {
				got = append(got, i)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v: closed %v, want %v", c.n, got, c.want)
		}
	}
}

// "Nearly all" is said of groups, not of what holds them.
func TestNearlyAllOfGroupsOnly(t *testing.T) {
	h := flatHierarchy(1)
	h.number = []int{-1, 0}
	o := &openness{limit: 11, size: allOpen(2), cell: [][]bool{{false, false}}, vague: make([]bool, 1)}
	x := &cells{n: []int{200, 200}, have: column(197, 197)}
	if o.nearlyAll(h, x, 0, 0) || !o.nearlyAll(h, x, 1, 0) {
		t.Error("nearly all said of the whole, or not of the group")
	}
}

// How many steps are sure is reported of nobody; of records, where few are doubtful,
// sure ones are told from all others.
func TestSureByHand(t *testing.T) {
	h := flatHierarchy(1)
	sure := [3][]int{{100, 100}, {6, 6}, {6, 6}}
	o := &openness{limit: 11, size: allOpen(2)}
	if o.closeSure(h, &cells{sure: sure, people: &people{}}); o.sure[0] || o.sure[1] {
		t.Errorf("of steps: %v", o.sure)
	}
	if o.closeSure(h, &cells{sure: sure}); !o.sure[0] || !o.sure[1] || o.doubtful {
		t.Errorf("12 others of 112: sure %v, doubtful %v", o.sure, o.doubtful)
	}
}

// Fifty steps with a code in each group are of three people.
func TestFewPeopleByHand(t *testing.T) {
	h := flatHierarchy(2)
	c := &cells{n: []int{200, 100, 100}, have: column(100, 50, 50), people: &people{
		in: &once{n: []int{40, 20, 20}}, with: []*once{{n: []int{6, 3, 3}}},
	}}
	o := &openness{limit: 11, size: allOpen(3), cell: make([][]bool, 1), ofAll: make([]bool, 1)}
	if o.closeFeature(h, c, report.OfRecords, 0, nil); slices.Contains(o.cell[0], true) {
		t.Errorf("open %v", o.cell[0])
	}
}

// One hidden word is joined by the one used least, not by the one that the fewest
// documents hold.
func TestFewWordsByHand(t *testing.T) {
	c := &cells{n: []int{50}, have: [][]int32{{1, 5, 10}}, sum: [][]float64{{1, 30, 12}}}
	o := &openness{limit: 3, size: allOpen(1), cell: [][]bool{{false}, {true}, {true}}}
	o.closeWords(c, []report.Of{report.OfWords, report.OfWords, report.OfWords}, 0)
	if o.cell[0][0] || !o.cell[1][0] || o.cell[2][0] {
		t.Errorf("open %v", o.cell)
	}
}

// Where the chapter is closed its codes are, common as they may be.
func TestClosedChapterByHand(t *testing.T) {
	h := flatHierarchy(3)
	c := &cells{n: []int{300, 100, 100, 100}, have: [][]int32{{180, 120}, {60, 40}, {60, 40}, {60, 40}}}
	o := &openness{limit: 11, size: allOpen(4), cell: [][]bool{{true, false, false, true}, nil}, ofAll: make([]bool, 2)}
	if o.closeFeature(h, c, report.OfRecords, 1, []int{0}); !slices.Equal(o.cell[1], o.cell[0]) {
		t.Errorf("code %v, want as its chapter", o.cell[1])
	}
}

// People behind hidden counts are those of the largest: 7 and 6 may be the same.
func TestPeopleByHand(t *testing.T) {
	if got := flatHierarchy(2).most([]int{13, 7, 6}, []bool{true, false, false}, 0); got != 7 {
		t.Errorf("at least %d people, want 7", got)
	}
	v := division{classes: [][]int{{50}, {40}, {30}}, people: [][]int{{40}, {40}, {3}}, limit: 11}
	joined, hidden := mergeRare(v)
	if !slices.Equal(hidden, []bool{false, true, true}) || joined.people[1][0] != 40 {
		t.Errorf("hidden %v, people %v: 30 answers of 3 people", hidden, joined.people)
	}
	if _, hidden := mergeRare(division{classes: [][]int{{50}, {40}, {11}}, limit: 11}); slices.Contains(hidden, true) {
		t.Errorf("hidden %v: an answer that eleven gave", hidden)
	}
}

// Of 1,234 a fiftieth is 24: sizes are reported in twenties. A count that was rounded
// to twenties may be 10, which a limit of 11 does not let pass.
func TestRoundedByHand(t *testing.T) {
	if got := (rounding{10}).size(1234); got != 1240 {
		t.Errorf("1234 is told as %d, want 1240", got)
	}
	if got := (rounding{20}).reaches(20, partOfFeatures, 11); got {
		t.Error("20, rounded to twenties, is said to be 11 at least")
	}
	h := flatHierarchy(1)
	h.number = []int{-1, 0}
	c := &cells{n: []int{2000, 2000}, have: column(2000, 2000)}
	o := sharedOpenness(h, c, []report.Of{report.OfRecords}, 11, roundings{rows: rounding{10}})
	if o.cell[0][1] || !o.near[0][1] {
		t.Error("100 % is told of a rounded count")
	}
}

// Of 100, 90 to 95 have it: 5 to 10 lack it.
func TestDividingByHand(t *testing.T) {
	both := func(v float64) []float64 { return []float64{v, v} }
	out := flatHierarchy(1).dividing(span{both(100), both(100)}, span{both(90), both(95)})
	if without := out[1]; without.low[1] != 5 || without.high[1] != 10 {
		t.Errorf("%v to %v lack it, want 5 to 10", without.low[1], without.high[1])
	}
}

// Above .9 a record is sure, below .5 doubtful.
func TestDoubtfulByHand(t *testing.T) {
	group, probability := make([]int32, 5), []float32{.95, .9, .5, .49, .45}
	tally := &tally{group: group, probability: probability, leaves: 1, parts: (&cells{}).parts()}
	state := make([]float64, tally.Len())
	if err := tally.Add(state, pass.Block{Rows: sparse.Rows{Dim: 1, Ptr: make([]int, 6)}}); err != nil {
		t.Fatal(err)
	}
	c := newCells(2, &survey{vocab: &vocab.Vocab{}}, nil)
	c.take(tally, state, 0, flatHierarchy(1).leaf[0])
	if c.sure[0][1] != 1 || c.sure[1][1] != 2 || c.sure[2][1] != 2 {
		t.Errorf("sure, between, doubtful: %v", c.sure)
	}
}

// What is typical and what is rare, on both sides of each bound: by the interval
// where there is one (10 expected, a ratio of 1.1 and of .67), by three standard
// deviations of the expected count where there is none.
func TestJudgeByHand(t *testing.T) {
	var masked report.Number
	for _, c := range []struct {
		name                     string
		share, overall, expected float64
		low, high                report.Number
		clear, rare              bool
	}{
		{"above by an interval", .5, .4, 40, report.NumberOf(.41), report.NumberOf(.6), true, false},
		{"the interval touches", .5, .4, 40, report.NumberOf(.4), report.NumberOf(.6), false, false},
		{"hardly more", .436, .4, 4000, report.NumberOf(.42), report.NumberOf(.45), false, false},
		{"rare", .2, .4, 10, report.NumberOf(.1), report.NumberOf(.3), false, true},
		{"rare, and nine expected", .2, .4, 9, report.NumberOf(.1), report.NumberOf(.3), false, false},
		{"not so rare", .28, .4, 1000, report.NumberOf(.26), report.NumberOf(.3), false, false},
		{"rare by chance", .2, .4, 10, report.NumberOf(.1), report.NumberOf(.4), false, false},
		{"3.2 deviations", .132, .1, 100, masked, masked, true, false},
		{"2.8 deviations", .128, .1, 100, masked, masked, false, false},
		{"many deviations, hardly more", .109, .1, 10000, masked, masked, false, false},
		{"few deviations below", .05, .1, 36, masked, masked, false, false}, // 3 exactly
		{"more below", .05, .1, 37, masked, masked, false, true},
		{"as many below, of which more are left", .07, .1, 1000, masked, masked, false, false},
	} {
		x := &known{ranked: ranked{share: c.share, overall: c.overall, expected: c.expected}}
		x.Low, x.High = c.low, c.high
		new(builder).judge(x, 1)
		if x.clear != c.clear || x.rare != c.rare {
			t.Errorf("%s: typical %v, rare %v", c.name, x.clear, x.rare)
		}
	}
}

// Few unknown codes are not named, other things are; of one record alone too.
func TestRareNamesByHand(t *testing.T) {
	list := []encode.Count{{Name: "Q99", N: 1}, {Name: "Z98", N: 10}, {Name: "Z99", N: 11}}
	g := NewGate(true, 11, false, 1000)
	if got := g.counts(list, true); len(got) != 1 || got[0].Name != "Z99" {
		t.Errorf("rare names: %v", got)
	}
	if got := g.counts(list, false); len(got) != 3 || !got[0].N.Masked() || !got[1].N.Masked() || got[2].N.Masked() {
		t.Errorf("names: %v", got)
	}
}

// The interval of what all have ends at 1, that of what nobody has begins at 0.
func TestWilsonEnds(t *testing.T) {
	for n := 1.0; n < 500; n++ {
		if low, high := Wilson(n, n); high != 1 || !(low < 1) {
			t.Fatalf("%v of %[1]v: %v to %v", n, low, high)
		}
		if low, high := Wilson(0, n); low != 0 || !(high > 0) {
			t.Fatalf("none of %v: %v to %v", n, low, high)
		}
	}
}

// An outcome by three steps is closed where few of a class have a value, few have none,
// few gave the answer, or few another.
func TestSmallOutcomesByHand(t *testing.T) {
	const n = 200 // half of them hold all features: two classes
	rows := sparse.Rows{Dim: 4, Ptr: []int{0}}
	of := make([]int32, n)
	for i := range n {
		if i >= n/2 {
			rows.Index = append(rows.Index, 0, 1, 2, 3)
		}
		rows.Ptr = append(rows.Ptr, len(rows.Index))
	}
	run := pass.NewLocal(rows, 1)
	table, err := lca.Gather(t.Context(), run, []family.Question{{From: 0, To: 1, Presence: true}, {From: 1, To: 2, Presence: true}, {From: 2, To: 3, Presence: true}, {From: 3, To: 4, Presence: true}}, 10)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := run.Own(t.Context(), func(b pass.Block) error { return table.Rows(b, of[b.First:][:b.N()]) }); err != nil {
		t.Fatal(err)
	}
	found, err := table.Search(t.Context(), 2, lca.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name         string
		level        string
		missing, yes int // of the first class; the others of it say no
		want         bool
	}{
		{"all is large", "yes", 20, 30, false},
		{"nothing is missing", "yes", 0, 30, false},
		{"few are missing", "yes", 10, 30, true},
		{"few are missing, numbers", "", 10, 30, true},
		{"few values", "", 90, 5, true},
		{"few said yes", "yes", 0, 10, true},
		{"few said no", "yes", 0, 90, true},
		{"few are 1, numbers", "", 0, 10, false},
	} {
		y := make([]float64, n)
		for i := range y {
			switch at := i % (n / 2); {
			case i >= n/2:
				y[i] = float64(at % 2)
			case at < c.missing:
				y[i] = math.NaN()
			case at < c.missing+c.yes:
				y[i] = 1
			}
		}
		d := &stepping{s: DistalSettings{Gate: Gate{Limit: 11}}, table: table, model: found.Model, of: of}
		if got := d.small(c.level, y); got != c.want {
			t.Errorf("%s: closed %v", c.name, got)
		}
	}
}

// What speaks for a group are the words with the largest share in its likelihood against all
// groups, those that come often before those that come once; what speaks for others is left out.
func TestSpeakingByHand(t *testing.T) {
	centers := mat.NewDense(8, 2, []float64{
		.04, .04, .08, .02, .10, .05, .12, .03, .14, .02, .16, .02, .01, .40, .35, .42,
	})
	b := &builder{
		d:      &survey{vocab: &vocab.Vocab{Names: []string{"even", "a", "b", "c", "d", "e", "other", "both"}}},
		info:   family.Info{Unit: family.Only(family.WordShare)},
		params: mixture.New(centers, []float64{.5, .5}),
	}
	rows := sparse.Rows{Dim: 8, Ptr: []int{0, 8}, Index: []uint32{0, 1, 2, 3, 4, 5, 6, 7}, Value: []float32{9, 1, 9, 1, 1, 1, 9, 9}}
	got := b.speaking(&dataset.Dataset{Rows: rows}, 0, 0)
	if want := []string{"b", "e", "d", "c", "a"}; !slices.Equal(got, want) {
		t.Errorf("%q speak for the first group, want %q", got, want)
	}
	if got := b.speaking(&dataset.Dataset{Rows: rows}, 0, 1); !slices.Equal(got, []string{"other", "both"}) {
		t.Errorf("%q speak for the second group", got)
	}
}

// A difference is measured in standard errors of one record, whatever is counted and however
// often it is: a change of the number by one error is a change of one.
func TestDifferenceInErrors(t *testing.T) {
	const n = 1e6
	for _, p := range []float64{.01, .2, .5, .9} {
		for of, v := range map[report.Of]float64{report.OfRecords: p * (1 - p), report.OfWords: p, report.Average: p} {
			step := math.Sqrt(v / n)
			if got := difference(p+step, p, of, 0) * math.Sqrt(n); !(math.Abs(got-1) <= .01) {
				t.Errorf("%v at %v: one error more is %v", of, p, got)
			}
		}
	}
	if got := difference(7, 4, report.Value, 2); got != 1.5 {
		t.Errorf("means apart by 3 where the spread is 2: %v", got)
	}
}
