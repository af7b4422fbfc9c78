package verdict

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/moiety-go/moiety/internal/stream"
)

// clearGroups draws k groups of presences that hardly overlap.
func clearGroups(r *rand.Rand, n, d, k int) [][]uint32 {
	p := make([]float64, k*d)
	for i := range p {
		p[i] = 1 / (1 + math.Exp(1-2*r.NormFloat64()))
	}
	rows := make([][]uint32, n)
	for i := range rows {
		g := r.IntN(k)
		for j := range d {
			if r.Float64() < p[g*d+j] {
				rows[i] = append(rows[i], uint32(j))
			}
		}
	}
	return rows
}

// EM that can come to its goal takes the steps that it takes without one, to the
// bit; EM that cannot ends below the goal, and earlier than it would.
func TestEMGivesUpWhatIsOutOfReach(t *testing.T) {
	r := stream.New(1, "test")
	lay := presenceLayout(20)
	s := newSample(clearGroups(r, 300, 20, 3), lay.cols)
	tr := &trainer{lay: lay, s: s, pr: prior{2, lay.overall(s, nil)}}
	start := tr.scattered(3, stream.New(2, "test"))
	free := tr.em(start.copied(), s, mostSteps, enough)
	if with := tr.towards(start.copied(), s, mostSteps, enough, free.loglik-1); with.loglik != free.loglik {
		t.Errorf("towards a goal in reach: %v, without one %v", with.loglik, free.loglik)
	}
	far := tr.towards(start.copied(), s, mostSteps, enough, free.loglik+1e6)
	if few := tr.em(start.copied(), s, leastSteps+1, 0); far.loglik != few.loglik {
		t.Errorf("towards a goal out of reach: %v, after the least steps %v", far.loglik, few.loglik)
	}
}

// Lines that could not come near the groups are not looked at; where records differ
// along lines they are.
func TestLinesAreTriedInReach(t *testing.T) {
	ctx := context.Background()
	lay := presenceLayout(24)
	clear := &drawn{lay: presenceLayout(40), rows: clearGroups(stream.New(3, "test"), 900, 40, 10), n: 900}
	groups := clear.newJudge(2, clear.divide(1, 1), 1, 1, nil)
	if err := groups.onePopulation(ctx); err != nil {
		t.Fatal(err)
	}
	if two := groups.scores[candidate{1, twoTrends, noRepeats}]; two != nil {
		t.Error("two trends were tried beside ten clear groups")
	}
	r := stream.New(4, "test")
	rows := make([][]uint32, 900)
	for i := range rows {
		at := [2]float64{r.NormFloat64(), r.NormFloat64()}
		for j := range 24 {
			if r.Float64() < 1/(1+math.Exp(.5-2*at[j%2])) {
				rows[i] = append(rows[i], uint32(j))
			}
		}
	}
	along := &drawn{lay: lay, rows: rows, n: len(rows)}
	lines := along.newJudge(2, along.divide(1, 1), 1, 1, nil)
	if err := lines.onePopulation(ctx); err != nil {
		t.Fatal(err)
	}
	if best, _ := lines.best(func(candidate) bool { return true }); best.kind != twoTrends && best.kind != threeTrends {
		t.Errorf("two trends are told as %v", best)
	}
}

// What was not measured is not reported.
func TestAgainIsReportedWhereItWasMeasured(t *testing.T) {
	for _, c := range []struct {
		v        Verdict
		measured bool
	}{
		{Verdict{Groups: 1, Repeat: 1}, true},
		{Verdict{Groups: 2, Repeat: .5, Found: &Found{}}, true},
		{Verdict{Groups: 2, Found: &Found{fewHalves: true}}, false},
	} {
		if again, measured := c.v.Again(); measured != c.measured || again != c.v.Repeat {
			t.Errorf("%+v: %v, %v", c.v, again, measured)
		}
	}
}
