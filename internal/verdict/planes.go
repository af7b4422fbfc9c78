package verdict

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/moiety-go/moiety/internal/kernel"
)

// planes tries groups whose records differ along two lines, where a claim has one line
// inside its groups: groups that share a second line would be cut into slices along it.
// Lines are found by how much they explain, so that the second adds no more than the
// first did: only numbers of groups are tried that it could bring up to the best of
// all, from the smallest on, and none beyond the claim.
func (j *judge) planes(ctx context.Context) error {
	claim := j.decide()
	if claim.groups == 1 || claim.kind != oneTrend && claim.kind != amount || claim.repeated != noRepeats {
		return nil
	}
	line := func(k int) candidate { return candidate{k, oneTrend, noRepeats} }
	tried := func(k int) bool { return j.scores[line(k)] != nil && j.scores[candidate{k, none, noRepeats}] != nil }
	inReach := func(k int) bool {
		top, _ := j.best(func(candidate) bool { return true })
		e := j.against(top, line(k))
		return e.Nats-j.against(line(k), candidate{k, none, noRepeats}).Nats <= margin(e.Error)
	}
	for k := 2; k <= claim.groups; k++ {
		if err := j.wholly(ctx, line(k)); err != nil {
			return err
		}
	}
	var ahead []candidate
	for k := 2; k <= claim.groups && j.places != nil; k++ {
		if tried(k) && inReach(k) {
			ahead = append(ahead, candidate{k, twoTrends, noRepeats})
		}
	}
	if err := j.fitAlong(ctx, ahead...); err != nil {
		return err
	}
	for k := 2; k <= claim.groups; k++ {
		if !tried(k) {
			continue
		}
		if top, _ := j.best(func(candidate) bool { return true }); top.kind == twoTrends && top.groups < k {
			return nil // one more adds nothing that a slice would not
		}
		if !inReach(k) {
			continue
		}
		c := candidate{k, twoTrends, noRepeats}
		if !slices.Contains(ahead, c) {
			if err := j.fitAlong(ctx, c); err != nil {
				return err
			}
		}
		if _, err := j.tryNear(ctx, c, 1); err != nil {
			return err
		}
	}
	return nil
}

// fitAlong has groups over two lines fitted anew, with lines that are sought inside
// them, whatever was tried before. Where no groups are claimed this is not done: one
// population has no such help.
func (j *judge) fitAlong(ctx context.Context, list ...candidate) error {
	for _, c := range list {
		for _, f := range j.folds {
			f.path.inside = true
			delete(f.path.fits, c)
			delete(f.path.made, c)
		}
		j.forget(c)
	}
	if j.places == nil { // one fold first, see tryNear
		return nil
	}
	return j.fitTogether(ctx, list...)
}

// beside returns the groups of a model over two lines: its own, where it has one, and
// the directions in which its records differ most from what it expects of them.
func (t *trainer) beside(m *model, r *rand.Rand) *model {
	n := plane(planeNodes)
	own := m.nodes.dims
	more := t.unexplained(m, n.dims-own, r)
	slopes := append(append([]float64(nil), m.a...), more...)
	return m.over(twoTrends, n, slopes, 1)
}

// unexplained returns the leading directions of the standardised differences of the
// records from what a model expects of them, as slopes (dims×cols).
func (t *trainer) unexplained(m *model, dims int, r *rand.Rand) []float64 {
	const passes = 8
	post := m.posterior(t.s, &t.st)
	c, cols, l := m.components(), t.lay.cols, dims
	scale := t.deviation()
	v, w := make([]float64, cols*l), make([]float64, cols*l)
	for i := range v {
		v[i] = r.NormFloat64()
	}
	y, expected, back := make([]float64, t.s.rows()*l), make([]float64, c*l), make([]float64, c*l)
	for range passes {
		clear(expected)
		for j := range cols {
			for a := range l {
				u := v[j*l+a] * scale[j]
				w[j*l+a] = u
				for i, p := range m.p[j*c:][:c] {
					expected[i*l+a] += u * p
				}
			}
		}
		kernel.Gather(y, t.s.ptr, t.s.index, nil, w, l)
		clear(back)
		for i, n := range t.s.count {
			for a := range l {
				at := y[i*l+a]
				for h, p := range post[i*c:][:c] {
					at -= p * expected[h*l+a]
				}
				at *= n
				y[i*l+a] = at
				for h, p := range post[i*c:][:c] {
					back[h*l+a] += p * at
				}
			}
		}
		clear(v)
		kernel.Scatter(v, t.s.ptr, t.s.index, nil, y, l)
		t.places.add(v, back)
		for j := range cols {
			for a := range l {
				sum := v[j*l+a]
				for i, p := range m.p[j*c:][:c] {
					sum -= p * back[i*l+a]
				}
				v[j*l+a] = sum * scale[j]
			}
		}
		orthonormal(v, cols, l)
	}
	return t.asSlopes(v, l)
}
