package verdict

import (
	"testing"

	"github.com/moiety-go/moiety/internal/stream"
)

// Three levels of all features are no line: where records tell its nodes apart there are more
// of them, so that gaps between the levels stay gaps. A line that is not so steep keeps its
// nodes.
func TestLevelsAreNoLine(t *testing.T) {
	const d, n = 20, 600
	for _, c := range []struct {
		name   string
		chance func(i int, at float64) float64
		nodes  int
	}{
		{"levels", func(i int, _ float64) float64 { return []float64{.06, .5, .94}[i%3] }, fineNodes},
		{"a line", func(_ int, at float64) float64 { return .5 + .2*max(-2, min(at, 2)) }, lineNodes},
	} {
		r := stream.New(1, "test/levels")
		rows := make([][]uint32, n)
		for i := range rows {
			p := c.chance(i, r.NormFloat64())
			for j := range d {
				if r.Float64() < p {
					rows[i] = append(rows[i], uint32(j))
				}
			}
		}
		p := newPath(presenceLayout(d), newSample(rows[:n/2], d), 2, 1, "test", nil)
		test := newSample(rows[n/2:], d)
		score := func(kind continuum, groups int) float64 { return p.keptAside(test, candidate{groups, kind, noRepeats}) }
		line := score(amount, 1)
		if q := p.at(candidate{1, amount, noRepeats}).nodes.q(); q != c.nodes {
			t.Errorf("%s: %d nodes, want %d", c.name, q, c.nodes)
		}
		for k := range 3 {
			p.at(candidate{k + 1, none, noRepeats})
		}
		if groups := score(none, 3); (groups > line) != (c.name == "levels") {
			t.Errorf("%s: records kept aside %.1f nats by three groups, %.1f by a line", c.name, groups, line)
		}
	}
}

// keptAside is the log density of records kept aside by a candidate.
func (p *path) keptAside(test *sample, c candidate) (sum float64) {
	for i, v := range p.at(c).score(test, &p.st) {
		sum += test.count[i] * v
	}
	return sum
}
