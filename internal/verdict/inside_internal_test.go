package verdict

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/moiety-go/moiety/internal/normals"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
)

// driftedFrom are frequencies after drift (Balding and Nichols 1995), as a normal law with
// the same variance.
func driftedFrom(r *rand.Rand, p []float64, drift float64) []float64 {
	out := make([]float64, len(p))
	for j, v := range p {
		out[j] = min(max(v+math.Sqrt(drift*v*(1-v))*r.NormFloat64(), .01), .99)
	}
	return out
}

// populations are so many people of each.
func populations(r *rand.Rand, each int, of ...[]float64) *bag {
	b := &bag{trials: 2, cols: len(of[0])}
	for _, p := range of {
		for range each {
			var index []uint32
			var value []float32
			for j, v := range p {
				if c := boolInt(r.Float64() < v) + boolInt(r.Float64() < v); c > 0 {
					index, value = append(index, uint32(j)), append(value, float32(c))
				}
			}
			b.add(index, value)
		}
	}
	return b
}

// Two populations of one stem beside another stem: two components are the stems, and the one
// that parted again is cut by itself; one that did not is left whole.
func TestGroupsByThemselves(t *testing.T) {
	const loci, each = 800, 24
	r := stream.New(301, "test")
	old := make([]float64, loci)
	for j := range old {
		old[j] = .2 + .6*r.Float64()
	}
	far, near := driftedFrom(r, old, .15), driftedFrom(r, old, .15)
	for _, c := range []struct {
		of   [][]float64
		want int
	}{
		{[][]float64{far, driftedFrom(r, near, .03), driftedFrom(r, near, .03)}, 3},
		{[][]float64{far, near, near}, 2},
	} {
		b := populations(r, each, c.of...)
		m, first := b.cutAt(2, b.overall(), 1, "test")
		if len(first.leaves) != 2 {
			t.Fatalf("two components are %d groups", len(first.leaves))
		}
		m, found := b.inside(m, first, 0, 1)
		if len(found.leaves) != c.want || len(found.taken) != c.want-1 {
			t.Errorf("%d groups by %d cuts, want %d", len(found.leaves), len(found.taken), c.want)
		}
		if total := sum(m.weight); numtest.Off(total, 1, 1e-9) || m.k != len(m.bias) {
			t.Errorf("%d components weigh %v", m.k, total)
		}
		wrong := map[[2]int]int{}
		for i, g := range m.grouped(b, found.leaves) {
			wrong[[2]int{i / each, g}]++
		}
		if c.want == 3 && len(wrong) != 3 {
			t.Errorf("people of populations in groups: %v", wrong)
		}
		if _, more := b.inside(m, found, 4, 1); len(more.leaves) != 4 {
			t.Errorf("%d groups where 4 are wanted", len(more.leaves))
		}
	}
}

// Populations are drawn together as strongly as they drifted apart.
func TestDrawnByDrift(t *testing.T) {
	const loci, each, drift = 2000, 150, .05
	r := stream.New(302, "test")
	old := make([]float64, loci)
	for j := range old {
		old[j] = .2 + .6*r.Float64()
	}
	b := populations(r, each, driftedFrom(r, old, drift), driftedFrom(r, old, drift))
	labels := make([]int, 2*each)
	for i := range labels {
		labels[i] = i / each
	}
	m := b.mstep(normals.Members(labels, 2), 2, b.overall())
	if got, want := m.drawnBy(b), (1-drift)/(2*drift); numtest.Off(got/want, 1, .15) {
		t.Errorf("drawn by %.1f people, want %.1f", got, want)
	}
}

// People in the gap count where loci are many, and not where chance alone puts them there.
func TestCrowded(t *testing.T) {
	at, upper := twoNormals(1, 200, 8)
	for _, c := range []struct {
		depth, chance float64
		want          bool
	}{{.2, 1, true}, {.04, 1, false}, {.2, 2, false}} {
		if got := crowded(valley{depth: c.depth}, at, upper, c.chance); got != c.want {
			t.Errorf("depth %v, chance %v: %v", c.depth, c.chance, got)
		}
	}
}
