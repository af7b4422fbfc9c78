package verdict

import (
	"math"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
)

// A claim is sure on one side of every bound, and not on the other.
func TestBoundsOfSure(t *testing.T) {
	for _, c := range []struct {
		name    string
		records int
		repeat  float64
		parts   [2]int
		least   int
		kind    continuum
		doubt   string
	}{
		{"steady", 800, .92, [2]int{3, 3}, 80, none, ""},
		{"not steady", 800, .919, [2]int{3, 3}, 80, none, NotRepeated},
		{"few, steady", 799, .95, [2]int{3, 3}, 80, none, ""},
		{"few, not steady", 799, .949, [2]int{3, 3}, 80, none, NotRepeated},
		{"one half says two", 800, 1, [2]int{3, 2}, 80, none, Differ},
		{"the other half says four", 800, 1, [2]int{4, 3}, 80, none, Differ},
		{"a small group", 800, 1, [2]int{3, 3}, 79, none, SmallGroup},
		{"heaps on a line", 800, 1, [2]int{3, 3}, 80, twoHeaps, OneLine},
	} {
		v := &Verdict{Groups: 3, Repeat: c.repeat, Records: c.records, Found: &Found{smallest: c.least}}
		v.steadyDoubts(candidate{3, c.kind, noRepeats}, c.parts, Words{}.filled(true))
		if v.unsteady() != (c.doubt != "") || c.doubt != "" && (len(v.Against) != 1 || v.Against[0].Code != c.doubt) {
			t.Errorf("%s: %+v, want %q", c.name, v.Against, c.doubt)
		}
	}
	v := &Verdict{Groups: 1, Repeat: 0}
	if v.steadyDoubts(candidate{1, none, noRepeats}, [2]int{1, 2}, Words{}); v.unsteady() {
		t.Errorf("one group has doubts of several: %+v", v.Against)
	}
}

// The law of the number of features, by hand: two features with chances of 1/2
// and 1/5 give 0, 1, 2 with 4/10, 5/10, 1/10; half of the records have none.
func TestLawOfTotals(t *testing.T) {
	lay := &layout{presence: true, items: []item{{0, 2}, {1, 2}}, cols: 2}
	m := newModel(lay, 2, none, noNodes(), nil)
	copy(m.group(0), []float64{0, math.Log(.25)})
	copy(m.group(1), []float64{-steep, -steep})
	m.ready()
	numtest.Slices(t, "law", m.lawOfTotals(), []float64{.7, .25, .05}, 1e-12)
}

// Given the number of features, densities of all records sum to one.
func TestDensityByTotals(t *testing.T) {
	r := stream.New(1, "test")
	var rows [][]uint32
	for range 60 {
		a := uint32(r.IntN(4))
		rows = append(rows, []uint32{min(a, (a+1)%4), max(a, (a+1)%4)})
	}
	lay := &layout{presence: true, items: []item{{0, 2}, {1, 2}, {2, 2}, {3, 2}}, cols: 4}
	p := newPath(lay, newSample(rows, 4), 2, 1, "test", nil)
	var all [][]uint32
	for set := range 16 {
		var row []uint32
		for j := range uint32(4) {
			if set>>j&1 == 1 {
				row = append(row, j)
			}
		}
		all = append(all, row)
	}
	for k := 1; k <= 2; k++ {
		sum := 0.0
		s := newSample(all, 4)
		for _, v := range p.at(candidate{k, sameTotal, noRepeats}).score(s, &stats{}) {
			sum += math.Exp(v)
		}
		numtest.Slices(t, "sum", []float64{sum}, []float64{1}, 1e-9)
	}
}
