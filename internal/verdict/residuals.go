package verdict

import (
	"math"
	"math/rand/v2"

	"github.com/moiety-go/moiety/internal/kernel"
)

// residuals are what a model leaves unexplained in each of its groups: the leading
// direction of the weighted standardised residuals, by power iteration for all groups at
// once.
type residuals struct {
	share []float64 // rows×groups
	at    []float64 // rows×groups: place of the record along the leading direction
	eigen []float64 // groups
	size  []float64 // groups: records

	own  []float64 // groups: records here
	v    []float64 // columns×groups: the directions; on the way, what records add to them
	node []float64 // components: what is to be taken from that
	w, y []float64
}

// turns is the number of passes after which a direction is found.
const turns = 6

// residuals finds the leading directions of a model, unless they were found while it
// was fitted.
func (t *trainer) residuals(m *model, s *sample, r *rand.Rand) *residuals {
	post, scale, found := m.posterior(s, &t.st), t.deviation(), m.lean != nil
	out := t.newResiduals(m, s, r)
	if found {
		copy(out.v, m.lean.v)
		copy(out.eigen, m.lean.eigen)
		copy(out.size, m.lean.size)
	}
	out.shares(m, s, post)
	for pass := 0; pass < turns && !found; pass++ {
		out.positions(m, s, post, scale)
		t.places.add(out.sums(s)...)
		out.turn(m, scale)
	}
	out.positions(m, s, post, scale)
	tooSmall(out)
	return out
}

// newResiduals begins with directions by chance.
func (t *trainer) newResiduals(m *model, s *sample, r *rand.Rand) *residuals {
	k, n := m.groups, s.rows()
	out := &residuals{
		share: make([]float64, n*k), at: make([]float64, n*k), eigen: make([]float64, k), size: make([]float64, k), own: make([]float64, k),
		v: make([]float64, s.cols*k), w: make([]float64, s.cols*k), y: make([]float64, n*k), node: make([]float64, m.components()),
	}
	for i := range t.lay.cols * k {
		out.v[i] = r.NormFloat64()
	}
	return out
}

// shares sets the share of every record in every group, and makes the probabilities of
// its nodes those inside the group.
func (d *residuals) shares(m *model, s *sample, post []float64) {
	k, q := m.groups, m.nodes.q()
	for i := range d.share {
		nodes, share := post[i*q:][:q], 0.0
		for _, v := range nodes {
			share += v
		}
		if d.share[i] = share; share >= nobody {
			for l := range nodes {
				nodes[l] /= share
			}
		}
	}
	clear(d.own)
	for g := range k {
		for i, n := range s.count {
			d.own[g] += n * d.share[i*k+g]
		}
	}
}

// positions sets the places of the records here along the directions, and what they add to
// the next ones.
func (d *residuals) positions(m *model, s *sample, post, scale []float64) {
	k, q := m.groups, m.nodes.q()
	project(m, d.v, d.w, scale)
	kernel.Gather(d.y, s.ptr, s.index, nil, d.w, k)
	clear(d.node)
	if q == 1 {
		d.flatPositions(m.expected, s)
		return
	}
	for i, count := range s.count {
		for g := range k {
			share := d.share[i*k+g]
			if share < nobody {
				d.y[i*k+g] = 0
				continue
			}
			at, nodes, sums := d.y[i*k+g], post[(i*k+g)*q:][:q], d.node[g*q:][:q]
			for l, v := range m.expected[g*q:][:q] {
				at -= nodes[l] * v
			}
			d.at[i*k+g] = at
			at *= share * count
			d.y[i*k+g] = at
			for l, p := range nodes {
				sums[l] += p * at
			}
		}
	}
}

// flatPositions is positions where groups have no continuum.
func (d *residuals) flatPositions(expected []float64, s *sample) {
	k := len(expected)
	for i, count := range s.count {
		shares, y, at := d.share[i*k:][:k], d.y[i*k:][:k], d.at[i*k:][:k]
		for g, share := range shares {
			if share < nobody {
				y[g] = 0
				continue
			}
			v := y[g] - expected[g]
			at[g] = v
			v *= share * count
			y[g] = v
			d.node[g] += v
		}
	}
}

// sums returns what is added up over all places.
func (d *residuals) sums(s *sample) [][]float64 {
	clear(d.v)
	kernel.Scatter(d.v, s.ptr, s.index, nil, d.y, len(d.own))
	copy(d.size, d.own)
	return [][]float64{d.v, d.node, d.size}
}

// turn makes the next directions of the sums over all places.
func (d *residuals) turn(m *model, scale []float64) {
	k, cols := m.groups, m.lay.cols
	backProject(m, d.v, scale, d.node)
	for g := range k {
		norm := 0.0
		for j := range cols {
			norm += d.v[j*k+g] * d.v[j*k+g]
		}
		norm = math.Sqrt(norm) + 1e-300
		d.eigen[g] = norm
		for j := range cols {
			d.v[j*k+g] /= norm
		}
	}
}

// leaning takes so many steps of EM, and looks in the same exchanges for the directions
// along which every group is cut.
func (t *trainer) leaning(m *model, s *sample, steps int, r *rand.Rand) *model {
	d, scale := t.newResiduals(m, s, r), t.deviation()
	for range steps {
		if !t.beat() || t.places.failed() != nil {
			break
		}
		m.estep(s, &t.st)
		post := m.posterior(s, &stats{})
		d.shares(m, s, post)
		d.positions(m, s, post, scale)
		fit := []float64{t.st.loglik}
		t.places.add(append(d.sums(s), fit, t.st.n, t.st.s)...)
		m.loglik, t.st.loglik = fit[0], fit[0]
		d.turn(m, scale)
		m.maximise(&t.st, t.pr)
	}
	m.lean = &residuals{v: d.v, eigen: d.eigen, size: d.size}
	return m
}
