package verdict

import (
	"math"
	"math/rand/v2"

	"github.com/moiety-go/moiety/internal/kernel"
)

// alone returns one group at the overall frequencies, with slopes to begin
// with: equal ones for an amount, the leading directions of the records for
// trends.
func (t *trainer) alone(kind continuum, n *nodes, r *rand.Rand) *model {
	m := newModel(t.lay, 1, kind, n, nil)
	for _, it := range t.lay.items {
		from, to := t.lay.free(it)
		for j := from; j < to; j++ {
			m.b[j] = math.Log(t.pr.overall[j] / t.reference(it))
			switch {
			case kind != amount:
			case t.lay.presence:
				m.a[j] = .7
			default:
				m.a[j] = float64(j-it.first) / float64(it.answers-1)
			}
		}
	}
	if kind >= oneTrend {
		t.directions(m, r)
	}
	return m
}

// turned returns the starts of one population: of a bent line, whose second
// coordinate is not like the first, with the directions either way round.
func (m *model) turned() []*model {
	out := []*model{m}
	if m.kind != bentTrend {
		return out
	}
	for _, swap := range []bool{false, true} {
		for _, sign := range []float64{1, -1} {
			c := m.copied()
			first, second := m.slope(0), m.slope(1)
			if swap {
				first, second = second, first
			}
			copy(c.slope(0), first)
			for j, v := range second {
				c.slope(1)[j] = sign * v
			}
			if swap || sign < 0 {
				out = append(out, c)
			}
		}
	}
	return out
}

// reference returns the overall frequency of the answer that an item is
// compared with.
func (t *trainer) reference(it item) float64 {
	if t.lay.presence {
		return 1 - t.pr.overall[it.first]
	}
	return t.pr.overall[it.first]
}

// deviation returns one over the standard deviation of every column.
func (t *trainer) deviation() []float64 {
	out := make([]float64, t.lay.cols)
	for j, p := range t.pr.overall {
		out[j] = 1 / math.Sqrt(p*(1-p))
	}
	return out
}

// directions sets the slopes to the leading directions of the standardised
// records, by orthogonal iteration.
func (t *trainer) directions(m *model, r *rand.Rand) {
	const passes = 8
	l, cols := m.nodes.dims, t.lay.cols
	scale := t.deviation()
	v := make([]float64, cols*l)
	for i := range v {
		v[i] = r.NormFloat64()
	}
	y, w := make([]float64, t.s.rows()*l), make([]float64, cols*l)
	for range passes {
		mean := make([]float64, l)
		for j := range cols {
			for c := range l {
				w[j*l+c] = v[j*l+c] * scale[j]
				mean[c] += w[j*l+c] * t.pr.overall[j]
			}
		}
		kernel.Gather(y, t.s.ptr, t.s.index, nil, w, l)
		total := make([]float64, l)
		for i, n := range t.s.count {
			for c := range l {
				y[i*l+c] = (y[i*l+c] - mean[c]) * n
				total[c] += y[i*l+c]
			}
		}
		clear(v)
		kernel.Scatter(v, t.s.ptr, t.s.index, nil, y, l)
		t.places.add(v, total)
		for j := range cols {
			for c := range l {
				v[j*l+c] = (v[j*l+c] - t.pr.overall[j]*total[c]) * scale[j]
			}
		}
		orthonormal(v, cols, l)
	}
	copy(m.a, t.asSlopes(v, l))
}

// asSlopes turns directions (cols×l) into slopes to begin with (l×cols).
func (t *trainer) asSlopes(v []float64, l int) []float64 {
	cols := t.lay.cols
	out := make([]float64, l*cols)
	for _, it := range t.lay.items {
		from, to := t.lay.free(it)
		for j := from; j < to; j++ {
			for c := range l {
				out[c*cols+j] = .8 * clip(v[j*l+c]*math.Sqrt(float64(cols)), 2.5)
			}
		}
	}
	return out
}

// orthonormal makes the columns of v (n×l) orthonormal, one after the other.
func orthonormal(v []float64, n, l int) {
	for c := range l {
		for b := range c {
			dot := 0.0
			for j := range n {
				dot += v[j*l+c] * v[j*l+b]
			}
			for j := range n {
				v[j*l+c] -= dot * v[j*l+b]
			}
		}
		norm := 0.0
		for j := range n {
			norm += v[j*l+c] * v[j*l+c]
		}
		norm = math.Sqrt(norm) + 1e-300
		for j := range n {
			v[j*l+c] /= norm
		}
	}
}

// scattered returns groups around records that lie far apart (k-means++); over
// several places, where no record is shown, see anchored.
func (t *trainer) scattered(k int, r *rand.Rand) *model {
	if t.places != nil {
		return t.anchored(k, r)
	}
	m := newModel(t.lay, k, none, noNodes(), nil)
	s := t.s
	dist := make([]float64, s.rows())
	fill(dist, math.Inf(1))
	at := r.IntN(s.rows())
	mark := make([]bool, t.lay.cols)
	const pull = .35
	for g := range k {
		for _, j := range s.row(at) {
			mark[j] = true
		}
		t.around(m.group(g), mark, pull)
		total := 0.0
		for i := range dist {
			common := 0
			for _, j := range s.row(i) {
				if mark[j] {
					common++
				}
			}
			d := float64(len(s.row(i)) + len(s.row(at)) - 2*common)
			dist[i] = min(dist[i], d*d)
			total += dist[i] * s.count[i]
		}
		for _, j := range s.row(at) {
			mark[j] = false
		}
		u := r.Float64() * total
		for i, d := range dist {
			if u -= d * s.count[i]; u < 0 || i == len(dist)-1 {
				at = i
				break
			}
		}
	}
	return m
}

// around sets log-odds between the overall frequencies and one record.
func (t *trainer) around(b []float64, mark []bool, pull float64) {
	p := func(j int) float64 {
		v := (1 - pull) * t.pr.overall[j]
		if mark[j] {
			v += pull
		}
		return v
	}
	for _, it := range t.lay.items {
		from, to := t.lay.free(it)
		for j := from; j < to; j++ {
			if t.lay.presence {
				b[j] = math.Log(p(j) / (1 - p(j)))
			} else {
				b[j] = math.Log(p(j) / p(it.first))
			}
		}
	}
}
