package latent

import (
	"math"
	"slices"
)

// graph is a tree without a root: neighbours of every vertex and the lengths of the
// ways to them. The first leaves vertices are features.
type graph struct {
	leaves int
	next   []map[int]float64
}

func (g *graph) link(a, b int, length float64) {
	length = math.Max(0, length)
	g.next[a][b], g.next[b][a] = length, length
}

// joined makes the tree of a linked set of features by neighbour joining (Saitou and
// Nei 1987): two open vertices at a time get a hidden cause between them, the pair
// with the least distance less how far the two are from all others.
func (p pairs) joined(set []int) *graph {
	g := &graph{leaves: len(set)}
	var open []int
	var d [][]float64
	// A correlation that is not above its error has the distance of one that is just so.
	most := math.Log(float64(p.n)) / 2
	for x, a := range set {
		g.next, open = append(g.next, map[int]float64{}), append(open, x)
		row := make([]float64, len(set))
		for y, b := range set {
			if a != b {
				row[y] = math.Min(most, -math.Log(math.Max(p.correlation(a, b), math.SmallestNonzeroFloat64)))
			}
		}
		d = append(d, row)
	}
	for len(open) > 2 {
		x, y, dx := siblings(d)
		g.next = append(g.next, map[int]float64{})
		cause := len(g.next) - 1
		g.link(cause, open[x], dx)
		g.link(cause, open[y], d[x][y]-dx)
		for k := range open {
			if k != x && k != y {
				v := math.Max(0, (d[x][k]+d[y][k]-d[x][y])/2)
				d[x][k], d[k][x] = v, v
			}
		}
		open[x] = cause
		open = slices.Delete(open, y, y+1)
		d = slices.Delete(d, y, y+1)
		for k := range d {
			d[k] = slices.Delete(d[k], y, y+1)
		}
	}
	g.link(open[0], open[1], d[0][1])
	return g
}

// siblings returns the pair to join, x < y, and the length of the way of x.
func siblings(d [][]float64) (x, y int, dx float64) {
	n := len(d)
	far := make([]float64, n)
	for a, row := range d {
		for _, v := range row {
			far[a] += v
		}
	}
	least := math.Inf(1)
	for a := range n {
		for b := range a {
			if q := float64(n-2)*d[a][b] - far[a] - far[b]; q < least {
				x, y, least = b, a, q
			}
		}
	}
	dx = d[x][y]/2 + (far[x]-far[y])/float64(2*(n-2))
	return x, y, math.Min(math.Max(dx, 0), d[x][y])
}

// contract takes hidden causes together that are no farther apart than sampling errors
// are: a group may have more than two members.
func (g *graph) contract(tol float64) {
	for a := g.leaves; a < len(g.next); a++ {
		for again := true; again; {
			again = false
			for _, b := range around(g.next[a]) {
				if b < g.leaves || g.next[a][b] > tol {
					continue
				}
				delete(g.next[a], b)
				delete(g.next[b], a)
				for _, c := range around(g.next[b]) {
					g.link(a, c, g.next[b][c])
					delete(g.next[c], b)
				}
				g.next[b] = map[int]float64{}
				again = true
			}
		}
	}
}

// around returns neighbours in order.
func around(m map[int]float64) []int {
	out := make([]int, 0, len(m))
	for v := range m {
		out = append(out, v)
	}
	slices.Sort(out)
	return out
}

// farthest returns the vertex that is farthest from one, the way to it from the end,
// and its length.
func (g *graph) farthest(from int) (way []int, length float64) {
	type step struct {
		at, before int
		far        float64
	}
	before := map[int]int{from: -1}
	best := step{from, -1, 0}
	for todo := []step{best}; len(todo) > 0; {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if s.far > best.far {
			best = s
		}
		for _, v := range around(g.next[s.at]) {
			if v != s.before {
				before[v] = s.at
				todo = append(todo, step{v, s.at, s.far + g.next[s.at][v]})
			}
		}
	}
	for v := best.at; v >= 0; v = before[v] {
		way = append(way, v)
	}
	return way, best.far
}

// root puts a root in the middle of the longest way between two features, on the
// hidden cause nearest to it where that is within tol, and returns it.
func (g *graph) root(tol float64) int {
	way, _ := g.farthest(0)
	way, length := g.farthest(way[0])
	left := length / 2
	for i := 1; i < len(way); i++ {
		a, b := way[i-1], way[i]
		step := g.next[a][b]
		if left > step {
			left -= step
			continue
		}
		switch {
		case a >= g.leaves && left <= tol:
			return a
		case b >= g.leaves && step-left <= tol:
			return b
		}
		delete(g.next[a], b)
		delete(g.next[b], a)
		g.next = append(g.next, map[int]float64{})
		g.link(len(g.next)-1, a, left)
		g.link(len(g.next)-1, b, step-left)
		return len(g.next) - 1
	}
	return way[len(way)-1]
}

// errors is the number of standard errors of a distance, of features that correlate by
// a third, below which one is none.
const errors = 2

// join adds the tree of a linked set of features and returns its root.
func (p pairs) join(t *Tree, set, features []int) int {
	g := p.joined(set)
	tol := 3 * errors / math.Sqrt(float64(p.n))
	g.contract(tol)
	return p.grow(t, g, g.root(tol), -1, -1, set, features)
}

// grow adds a vertex and all beyond it below parent.
func (p pairs) grow(t *Tree, g *graph, at, from, parent int, set, features []int) int {
	n := Node{Feature: -1, Parent: parent}
	if from >= 0 {
		n.Length = g.next[from][at]
	}
	if at < g.leaves {
		n.Feature, n.Count = features[set[at]], int(p.at(set[at], set[at]))
	}
	t.Nodes = append(t.Nodes, n)
	node := len(t.Nodes) - 1
	for _, v := range around(g.next[at]) {
		if v != from {
			child := p.grow(t, g, v, at, node, set, features)
			t.Nodes[node].Children = append(t.Nodes[node].Children, child)
		}
	}
	return node
}
