package division

import (
	"cmp"
	"math"
	"slices"

	"github.com/moiety-go/moiety/internal/normals"
)

// merge joins the cluster of row b to the cluster of row a.
type merge struct {
	a, b   int
	height float64
}

// ward returns the merges of Ward's clustering (1963), lowest first, by chains of nearest
// neighbours (Murtagh 1983).
func ward(t normals.Table) []merge {
	n := t.N
	far, size, active := gains(t), make([]float64, n), make([]int, n)
	for i := range n {
		size[i], active[i] = 1, i
	}
	var merges []merge
	var chain []int
	for len(active) > 1 {
		if len(chain) == 0 {
			chain = append(chain, active[0])
		}
		last := chain[len(chain)-1]
		before := -1
		if len(chain) > 1 {
			before = chain[len(chain)-2]
		}
		next := far.nearest(last, before, active)
		if next != before {
			chain = append(chain, next)
			continue
		}
		a, b := min(last, next), max(last, next)
		chain = chain[:len(chain)-2]
		merges = append(merges, merge{a, b, far.at(a, b)})
		active = slices.DeleteFunc(active, func(i int) bool { return i == b })
		far.join(a, b, size, active)
	}
	slices.SortStableFunc(merges, func(x, y merge) int { return cmp.Compare(x.height, y.height) })
	return merges
}

// triangle holds what it costs to merge two clusters: half a square matrix.
type triangle []float64

// gains returns the costs of merging two rows.
func gains(t normals.Table) triangle {
	out := make(triangle, t.N*(t.N-1)/2)
	for i := range t.N {
		for j := range i {
			out[i*(i-1)/2+j] = squared(t.Row(i), t.Row(j)) / 2
		}
	}
	return out
}

func (f triangle) at(i, j int) float64 {
	if i < j {
		i, j = j, i
	}
	return f[i*(i-1)/2+j]
}

// nearest is the cluster that is cheapest to merge with i; among equals the one before.
func (f triangle) nearest(i, before int, active []int) int {
	best, least := before, math.Inf(1)
	if before >= 0 {
		least = f.at(i, before)
	}
	for _, j := range active {
		if j == i {
			continue
		}
		if d := f.at(i, j); d < least {
			best, least = j, d
		}
	}
	return best
}

// join updates the costs of a, which b has joined (Lance and Williams 1967).
func (f triangle) join(a, b int, size []float64, active []int) {
	both := f.at(a, b)
	for _, c := range active {
		if c == a {
			continue
		}
		cost := ((size[a]+size[c])*f.at(a, c) + (size[b]+size[c])*f.at(b, c) - size[c]*both) / (size[a] + size[b] + size[c])
		i, j := max(a, c), min(a, c)
		f[i*(i-1)/2+j] = cost
	}
	size[a] += size[b]
}

// cutAt returns the groups of n rows where k clusters are left.
func cutAt(merges []merge, n, k int) []int {
	parent := make([]int, n)
	for i := range parent {
		parent[i] = i
	}
	root := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	for _, m := range merges[:max(n-k, 0)] {
		parent[root(m.b)] = root(m.a)
	}
	number, label := map[int]int{}, make([]int, n)
	for i := range label {
		r := root(i)
		if _, ok := number[r]; !ok {
			number[r] = len(number)
		}
		label[i] = number[r]
	}
	return label
}

// squared is the square of the distance between two rows.
func squared(a, b []float64) (sum float64) {
	for h, v := range a {
		sum += (v - b[h]) * (v - b[h])
	}
	return sum
}
