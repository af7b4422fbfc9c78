package verdict

import (
	"context"
	"math"
)

// A line whose positions lie in two heaps is a claim of two groups, so its rival is the
// nearest line with one heap, whatever the law of its positions: long to one side, flat,
// pointed. The shapes of lineShapes are laws of a few forms in few places; against them
// two heaps win by their finer places alone where the line is steep, or where its law is
// long-tailed. Here the weights of many places are free but for having one heap, which
// EM finds exactly: the nearest weights that rise to a place and fall behind it are means
// over neighbours.

const (
	freePlaces = 25
	freeReach  = 4.8 // deviations on either side
)

// evenly are places at equal distances that begin with the normal law.
func evenly() *nodes {
	n := &nodes{shape: "one heap", dims: 1, at: make([]float64, freePlaces), weight: make([]float64, freePlaces)}
	sum, square := 0.0, 0.0
	for i := range n.at {
		x := freeReach * (2*float64(i)/(freePlaces-1) - 1)
		n.at[i], n.weight[i] = x, math.Exp(-x*x/2)
		sum += n.weight[i]
		square += n.weight[i] * x * x
	}
	for i := range n.weight {
		n.weight[i] /= sum
		n.at[i] /= math.Sqrt(square / sum)
	}
	return n
}

// oneHeap tries a line with one heap of any shape, where a claim rests on the law of
// positions: heaps on a line, or groups over a continuum. Groups without one stand by
// themselves. Another law of positions adds no more than the line itself did.
func (j *judge) oneHeap(ctx context.Context) error {
	claim := j.decide()
	if claim.groups == 1 || claim.kind == none || claim.kind == sameTotal {
		return nil
	}
	top, _ := j.best(func(candidate) bool { return true })
	line := candidate{1, oneTrend, noRepeats}
	gain := j.against(line, candidate{1, none, noRepeats}).Nats
	if e := j.against(top, line); e.Nats-gain > margin(e.Error) {
		return nil
	}
	_, err := j.tryNear(ctx, candidate{1, freeTrend, noRepeats}, 1)
	return err
}

// fitFree fits a line with one heap of any shape, from the line of the best shape and from
// the normal one.
func (p *path) fitFree() *model {
	line := p.at(candidate{1, oneTrend, noRepeats})
	starts := []*model{line.over(freeTrend, evenly(), line.a, 1)}
	if normal := p.normal[oneTrend]; normal != nil && normal != line {
		starts = append(starts, normal.over(freeTrend, evenly(), normal.a, 1))
	}
	return p.best(starts, p.s)
}

// reweighted sets the weights of the places by the records at each. Models may share
// nodes: these are new ones.
func (m *model) reweighted(records []float64) {
	n := *m.nodes
	n.weight = risen(records)
	m.nodes = &n
}

// risen returns the weights with one heap that are likeliest to have given these records:
// up to some place they do not fall, behind it they do not rise. A record in all is
// spread over the places, so that none is impossible.
func risen(records []float64) []float64 {
	q, total := len(records), 1.0
	rest := make([]float64, q)
	for i, v := range records {
		rest[i] = v + 1/float64(q)
		total += v
	}
	best, top := make([]float64, q), math.Inf(-1)
	one := make([]float64, q)
	for mode := range q {
		rising(one[:mode+1], rest[:mode+1])
		back := reversed(rest[mode+1:])
		rising(back, append([]float64(nil), back...))
		copy(one[mode+1:], reversed(back))
		// What lies behind the mode may be higher than it: then another place is the mode.
		sum := 0.0
		for i, v := range one {
			sum += rest[i] * math.Log(v)
		}
		if (mode == q-1 || one[mode+1] <= one[mode]) && sum > top {
			top = sum
			copy(best, one)
		}
	}
	for i := range best {
		best[i] /= total
	}
	return best
}

// rising sets out to the nearest values that do not fall: where they would, neighbours
// share their mean.
func rising(out, of []float64) {
	type run struct {
		sum float64
		n   int
	}
	var runs []run
	for _, v := range of {
		runs = append(runs, run{v, 1})
		for l := len(runs); l > 1 && runs[l-2].sum*float64(runs[l-1].n) >= runs[l-1].sum*float64(runs[l-2].n); l-- {
			runs[l-2].sum += runs[l-1].sum
			runs[l-2].n += runs[l-1].n
			runs = runs[:l-1]
		}
	}
	at := 0
	for _, r := range runs {
		for range r.n {
			out[at] = r.sum / float64(r.n)
			at++
		}
	}
}

func reversed(v []float64) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[len(v)-1-i] = x
	}
	return out
}
