package verdict

import (
	"cmp"
	"math"
	"slices"

	"github.com/moiety-go/moiety/internal/pages"
)

// forest says which features repeat others: every child has one parent, which is the more
// frequent one or leads to it. Its trees are chains: see mostLinked.
type forest struct {
	child, parent []int
	edge          []int // of every feature: its place among the children, or −1
}

// children returns the number of features that repeat another.
func (f *forest) children() int {
	if f == nil {
		return 0
	}
	return len(f.child)
}

// of returns the place of a feature among the children, or −1.
func (f *forest) of(j int) int {
	if f == nil {
		return -1
	}
	return f.edge[j]
}

const (
	leastResidual = .1 // correlation
	clearResidual = 4  // the same in standard errors
)

// newForest finds features that repeat others: the maximal spanning forest of
// the residual correlations under a model of one population.
func (t *trainer) newForest(m *model) *forest {
	s, d, c := t.s, m.lay.cols, m.components()
	m.ready()
	seen, both := t.joint()
	return spanning(d, s.n, seen, func(a, b int) float64 {
		e := 0.0
		for i := range c {
			e += m.nodes.weight[i] * m.p[a*c+i] * m.p[b*c+i]
		}
		pa, pb := seen[a]/s.n, seen[b]/s.n
		v := math.Sqrt(max(pa*(1-pa), 1e-9) * max(pb*(1-pb), 1e-9))
		return (both[a*d+b]/s.n - e) / v
	})
}

// insideForest is the same for the correlations inside the groups of a model:
// with has the columns of the model's own forest.
func (t *trainer) insideForest(m *model, with *sample) *forest {
	s, d, groups := t.s, m.lay.cols, m.labels(with, &t.st)
	k := m.groups
	if m.kind == twoHeaps {
		k = 2
	}
	size, seen := make([]float64, k), make([]float64, k*d)
	for i, n := range s.count {
		g := groups[i]
		size[g] += n
		for _, j := range s.row(i) {
			seen[g*d+int(j)] += n
		}
	}
	t.places.add(size, seen)
	all, both := t.joint()
	cov, variance := slices.Clone(both), make([]float64, d)
	for g, n := range size {
		if n == 0 {
			continue
		}
		own := seen[g*d:][:d]
		for a, v := range own {
			variance[a] += v * (1 - v/n)
			for b := a + 1; b < d; b++ {
				cov[a*d+b] -= v * own[b] / n
			}
		}
	}
	return spanning(d, s.n, all, func(a, b int) float64 {
		return cov[a*d+b] / math.Sqrt(max(variance[a], 1e-9)*max(variance[b], 1e-9))
	})
}

// mostLinked is how many others a feature may be linked to. Three that are independent given
// a fourth are a latent class (Allman, Matias and Rhodes 2009), and the fourth says who is in
// it: a tree that hangs on a code which all of a kind have would be a mixture of two kinds,
// and no single population.
const mostLinked = 2

// spanning is the maximal spanning forest of chains of the correlations that are clear.
func spanning(d int, n float64, seen []float64, correlation func(a, b int) float64) *forest {
	type link struct {
		a, b int
		r    float64
	}
	var links []link
	for a := range d {
		for b := a + 1; b < d; b++ {
			r := math.Abs(correlation(a, b))
			if r > leastResidual && r*math.Sqrt(n) > clearResidual {
				links = append(links, link{a, b, r})
			}
		}
	}
	slices.SortStableFunc(links, func(x, y link) int { return cmp.Compare(y.r, x.r) })
	next := make([][]int, d)
	root := make([]int, d)
	for j := range root {
		root[j] = j
	}
	find := func(j int) int {
		for root[j] != j {
			j = root[j]
		}
		return j
	}
	for _, l := range links {
		if a, b := find(l.a), find(l.b); a != b && len(next[l.a]) < mostLinked && len(next[l.b]) < mostLinked {
			root[a] = b
			next[l.a], next[l.b] = append(next[l.a], l.b), append(next[l.b], l.a)
		}
	}
	return rooted(next, seen)
}

// joint counts the records that have each feature, and each pair of which the
// first comes before the second.
func (t *trainer) joint() (seen, both []float64) {
	if t.pairs == nil {
		s, d := t.s, t.lay.cols
		t.pairs = pages.Sums[float64](d + d*d)
		seen, both := t.pairs[:d], t.pairs[d:]
		for i, n := range s.count {
			row := s.row(i)
			for x, a := range row {
				seen[a] += n
				for _, b := range row[x+1:] {
					both[int(a)*d+int(b)] += n
				}
			}
		}
		t.addPairs(seen, both)
	}
	d := t.lay.cols
	return t.pairs[:d], t.pairs[d:]
}

// addPairs adds up counts of pairs, of which each stands once.
func (t *trainer) addPairs(seen, both []float64) {
	if t.places == nil {
		return
	}
	d := t.lay.cols
	rows := [][]float64{seen}
	for a := range d {
		rows = append(rows, both[a*d+a+1:(a+1)*d])
	}
	t.places.add(rows...)
}

// rooted turns trees into parents and children, from the most frequent feature
// of each.
func rooted(next [][]int, seen []float64) *forest {
	f := &forest{edge: make([]int, len(next))}
	order := make([]int, len(next))
	for j := range order {
		order[j], f.edge[j] = j, -1
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(seen[b], seen[a]) })
	met := make([]bool, len(next))
	for _, top := range order {
		if met[top] {
			continue
		}
		met[top] = true
		open := []int{top}
		for len(open) > 0 {
			u := open[len(open)-1]
			open = open[:len(open)-1]
			for _, v := range next[u] {
				if !met[v] {
					met[v] = true
					f.edge[v] = len(f.child)
					f.child, f.parent = append(f.child, v), append(f.parent, u)
					open = append(open, v)
				}
			}
		}
	}
	return f
}

// with returns the records with two columns more for every child: the parent
// is there, and both are.
func (f *forest) with(s *sample, d int) *sample {
	e := f.children()
	of := make([][]int, d) // children of every feature
	for i, p := range f.parent {
		of[p] = append(of[p], i)
	}
	out := &sample{ptr: make([]int, 1, len(s.ptr)), count: s.count, n: s.n, cols: d + 2*e, equal: s.equal, of: s.of}
	mark := make([]bool, d)
	for i := range s.rows() {
		row := s.row(i)
		for _, j := range row {
			mark[j] = true
		}
		out.index = append(out.index, row...)
		for _, j := range row {
			for _, edge := range of[j] {
				out.index = append(out.index, uint32(d+edge))
				if mark[f.child[edge]] {
					out.index = append(out.index, uint32(d+e+edge))
				}
			}
		}
		for _, j := range row {
			mark[j] = false
		}
		out.ptr = append(out.ptr, len(out.index))
	}
	return out
}
