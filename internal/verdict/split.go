package verdict

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/moiety-go/moiety/internal/kernel"
	"github.com/moiety-go/moiety/internal/pages"
)

// splits returns starts of one group more: the groups whose residuals have
// the largest leading eigenvalue are cut in two along it, and those where it
// stands out most from chance. The first alone are the large groups, which have
// large eigenvalues without any structure; a small group that is two in truth
// would never be cut.
func (t *trainer) splits(m *model, s *sample, r *rand.Rand) []*model {
	const tries = 2
	res := t.residuals(m, s, r)
	largest, clearest := t.ranks(m, res)
	list := slices.Clone(largest[:min(tries, m.groups)])
	for _, k := range clearest[:min(tries, m.groups)] {
		if !slices.Contains(list, k) {
			list = append(list, k)
		}
	}
	cuts := make([]*model, len(list))
	_ = t.places.beside(context.Background(), max(t.workers, 1), len(list), func(i int, own *strand) error { // nothing fails
		if c := t.cut(m, s, list[i], res, own); c != nil {
			cuts[i] = t.divided(m, *c)
		}
		return nil
	})
	return slices.DeleteFunc(cuts, func(c *model) bool { return c == nil })
}

// ranks orders groups by their leading eigenvalues, and by how far these stand out.
func (t *trainer) ranks(m *model, res *residuals) (largest, clearest []int) {
	largest, clearest = make([]int, m.groups), make([]int, m.groups)
	for k := range m.groups {
		largest[k], clearest[k] = k, k
	}
	slices.SortStableFunc(largest, func(a, b int) int { return cmp.Compare(res.eigen[b], res.eigen[a]) })
	slices.SortStableFunc(clearest, func(a, b int) int {
		return cmp.Compare(t.standsOut(res, b), t.standsOut(res, a))
	})
	return largest, clearest
}

// standsOut is the leading eigenvalue of a group's residuals over the one that
// chance gives to so many records and columns (Marchenko and Pastur 1967).
func (t *trainer) standsOut(res *residuals, k int) float64 {
	edge := math.Sqrt(res.size[k]) + math.Sqrt(float64(t.lay.cols))
	return res.eigen[k] / (edge * edge)
}

const (
	leastGroup = 6     // records below which a group is not cut
	nobody     = 1e-12 // share below which a record is none of a group
)

// tooSmall takes groups of next to nobody out of the choice.
func tooSmall(res *residuals) {
	for g, n := range res.size {
		if n < leastGroup {
			res.eigen[g] = -1
		}
	}
}

// project sets w to the directions v in the scale of the columns, and what the
// model expects along them at every component.
func project(m *model, v, w, scale []float64) {
	k, q, c := m.groups, m.nodes.q(), m.components()
	m.expected = sized(m.expected, c)
	for j := range m.lay.cols {
		for g := range k {
			u := v[j*k+g] * scale[j]
			w[j*k+g] = u
			for l := range q {
				m.expected[g*q+l] += u * m.p[j*c+g*q+l]
			}
		}
	}
}

// backProject takes the expected part from the sums of the records.
func backProject(m *model, v, scale, node []float64) {
	k, q, c := m.groups, m.nodes.q(), m.components()
	for j := range m.lay.cols {
		for g := range k {
			e := 0.0
			for l := range q {
				e += node[g*q+l] * m.p[j*c+g*q+l]
			}
			v[j*k+g] = (v[j*k+g] - e) * scale[j]
		}
	}
}

// parted is a group in two parts: their records, and the sums of these.
type parted struct {
	group int
	part  [2]float64
	sums  [2][]float64
}

// cut divides group k where two means of the places along its direction fit
// best; nil where it cannot be divided.
func (t *trainer) cut(m *model, s *sample, k int, res *residuals, places *strand) *parted {
	if res.eigen[k] < 0 {
		return nil
	}
	g := m.groups
	var along []spot
	var rows []int
	for i, n := range s.count {
		if share := res.share[i*g+k]; share >= nobody {
			along, rows = append(along, spot{res.at[i*g+k], n * share}), append(rows, i)
		}
	}
	border, ok := places.border(slices.Clone(along))
	if !ok {
		return nil
	}
	h := &parted{group: k, sums: [2][]float64{pages.Sums[float64](t.lay.cols), pages.Sums[float64](t.lay.cols)}}
	for at, i := range rows {
		side := boolInt(along[at].at > border)
		h.part[side] += along[at].weight
		for _, j := range s.row(i) {
			if int(j) < t.lay.cols {
				h.sums[side][j] += along[at].weight
			}
		}
	}
	places.add(h.part[:], h.sums[0], h.sums[1])
	return h
}

// divided returns the model with some groups in two, by the sums of their sides.
func (t *trainer) divided(m *model, list ...parted) *model {
	out := newModel(m.lay, m.groups+len(list), m.kind, m.nodes, m.forest)
	copy(out.pi, m.pi)
	copy(out.b, m.b)
	copy(out.a, m.a)
	copy(out.g, m.g)
	all := make([]float64, t.lay.cols)
	for i, h := range list {
		for j := range all {
			all[j] = h.sums[0][j] + h.sums[1][j]
		}
		total := h.part[0] + h.part[1]
		whole := t.odds(all, total)
		for side, to := range []int{h.group, m.groups + i} {
			own := t.odds(h.sums[side], h.part[side])
			for j, v := range own {
				out.b[to*m.lay.cols+j] = m.b[h.group*m.lay.cols+j] + v - whole[j]
			}
			out.pi[to] = m.pi[h.group] * h.part[side] / total
		}
	}
	return out
}

// odds returns the log-odds of every column for sums over n records, with one
// record of the overall frequencies added.
func (t *trainer) odds(sums []float64, n float64) []float64 {
	out := make([]float64, t.lay.cols)
	for _, it := range t.lay.items {
		from, to := t.lay.free(it)
		ref := n + 1
		if !t.lay.presence {
			ref = sums[it.first] + t.pr.overall[it.first]
		}
		for j := from; j < to; j++ {
			v := sums[j] + t.pr.overall[j]
			r := ref
			if t.lay.presence {
				r -= v
			}
			out[j] = math.Log(v / max(r, 1e-6))
		}
	}
	return out
}

// allBut sets others to the probability that a record is not of a group, for each of
// them, of the probabilities of its components, q to a group. It is the sum of the other
// groups: one less that of the group is zero, or a rounding error, where the record is
// surely of it, and a logarithm would then tell how a processor rounds.
func allBut(row, others []float64, q int) {
	sum := 0.0
	for k := range others {
		others[k] = sum
		for _, v := range row[k*q:][:q] {
			sum += v
		}
	}
	sum = 0
	for k := len(others) - 1; k >= 0; k-- {
		others[k] += sum
		for _, v := range row[k*q:][:q] {
			sum += v
		}
	}
}

// without returns the model less the group that it loses least by.
func (t *trainer) without(m *model, s *sample) *model {
	post, c, q := m.posterior(s, &t.st), m.components(), m.nodes.q()
	loss, others := make([]float64, m.groups), make([]float64, m.groups)
	for i, n := range s.count {
		row := post[i*c:][:c]
		allBut(row, others, q)
		for k, v := range others {
			others[k] = max(v, 1e-300)
		}
		kernel.Logs(others)
		for k, v := range others {
			loss[k] -= n * v
		}
	}
	t.places.add(loss)
	least := 0
	for k := range loss {
		if loss[k] += s.n * math.Log1p(-min(m.pi[k], .999)); loss[k] < loss[least] {
			least = k
		}
	}
	out := newModel(m.lay, m.groups-1, m.kind, m.nodes, m.forest)
	copy(out.a, m.a)
	copy(out.g, m.g)
	to := 0
	for k := range m.groups {
		if k != least {
			copy(out.group(to), m.group(k))
			out.pi[to] = m.pi[k] / (1 - m.pi[least])
			to++
		}
	}
	return out
}
