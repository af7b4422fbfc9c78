package oracle

import (
	"math"
	"math/rand/v2"
)

// trees is the number of trees of a forest.
const trees = 150

// forest learns extremely randomised trees (Geurts, Ernst and Wehenkel 2006): each node
// tries as many columns as the root of their number, each at one random place.
func forest(rows [][]float64, group []int, groups int) func([]float64) int {
	r := rand.New(rand.NewPCG(1, 1))
	all := make([]int, len(rows))
	for i := range all {
		all[i] = i
	}
	g := grower{r: r, rows: rows, group: group, groups: groups, tries: 1 + int(math.Sqrt(float64(len(rows[0]))))}
	roots := make([]*node, trees)
	for t := range roots {
		roots[t] = g.grow(all)
	}
	return func(row []float64) int {
		votes := make([]float64, groups)
		for _, root := range roots {
			add(votes, root.leaf(row))
		}
		return best(votes)
	}
}

// node is a node of a tree: a leaf where it has no children.
type node struct {
	column    int
	cut       float64
	low, high *node
	shares    []float64 // of the groups, in a leaf
}

// leaf returns the frequencies of the groups where a row ends.
func (n *node) leaf(row []float64) []float64 {
	for n.low != nil {
		if row[n.column] < n.cut {
			n = n.low
		} else {
			n = n.high
		}
	}
	return n.shares
}

// grower grows trees on rows.
type grower struct {
	r      *rand.Rand
	rows   [][]float64
	group  []int
	groups int
	tries  int
}

// grow grows a tree on some of the rows until its leaves are pure.
func (g *grower) grow(some []int) *node {
	sizes := make([]float64, g.groups)
	for _, i := range some {
		sizes[g.group[i]]++
	}
	top := node{}
	if impurity(sizes) > 0 && g.split(&top, some) {
		var low, high []int
		for _, i := range some {
			if g.rows[i][top.column] < top.cut {
				low = append(low, i)
			} else {
				high = append(high, i)
			}
		}
		top.low, top.high = g.grow(low), g.grow(high)
		return &top
	}
	for k := range sizes {
		sizes[k] /= float64(len(some))
	}
	top.shares = sizes
	return &top
}

// split finds the best of a few random splits; false where every column that was tried
// is constant.
func (g *grower) split(top *node, some []int) bool {
	least, found := math.Inf(1), 0
	for range 5 * g.tries {
		column := g.r.IntN(len(g.rows[0]))
		a, b := g.rows[some[g.r.IntN(len(some))]][column], g.rows[some[g.r.IntN(len(some))]][column]
		if a == b {
			continue
		}
		cut := max(a, b) - (max(a, b)-min(a, b))*g.r.Float64()*(1-1e-9)
		if left := g.after(some, column, cut); left < least {
			least, top.column, top.cut = left, column, cut
		}
		if found++; found == g.tries {
			break
		}
	}
	return found > 0
}

// after is the impurity that is left by a split.
func (g *grower) after(some []int, column int, cut float64) float64 {
	low, high := make([]float64, g.groups), make([]float64, g.groups)
	for _, i := range some {
		if g.rows[i][column] < cut {
			low[g.group[i]]++
		} else {
			high[g.group[i]]++
		}
	}
	return impurity(low) + impurity(high)
}

// impurity is Gini's, times the number of records.
func impurity(sizes []float64) float64 {
	n, squares := 0.0, 0.0
	for _, s := range sizes {
		n, squares = n+s, squares+s*s
	}
	return n - squares/max(n, 1)
}
