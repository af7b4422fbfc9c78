package normals

import "math"

// mergedRows is the number of rows that are merged; the others go to the nearest
// of what they became.
const mergedRows = 400

// Merged returns the cloud of every row, from merging rows again and again so that
// the squares within clouds grow least (Ward 1963): starts of EM that no draw
// decides (Fraley 1998).
func Merged(t Table, k int) []int {
	n := min(t.N, mergedRows)
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i * t.N / n
	}
	w := newWard(t.Rows(rows))
	for left := n; left > k; left-- {
		w.merge()
	}
	return w.labels(t, rows)
}

// ward are the clouds that rows have been merged into, each under the number of
// its first row.
type ward struct {
	t    Table // means of the clouds
	size []float64
	of   []int // cloud of every row
	near []int // the cloud that it costs least to merge with
	cost []float64
}

func newWard(t Table) *ward {
	w := &ward{t: t, size: make([]float64, t.N), of: make([]int, t.N), near: make([]int, t.N), cost: make([]float64, t.N)}
	for i := range t.N {
		w.size[i], w.of[i] = 1, i
	}
	for i := range t.N {
		w.look(i)
	}
	return w
}

// look finds the cloud with which i is merged at least cost.
func (w *ward) look(i int) {
	w.near[i], w.cost[i] = -1, math.Inf(1)
	for j, n := range w.size {
		if j == i || n == 0 {
			continue
		}
		c := squared(w.t.Row(i), w.t.Row(j)) * w.size[i] * n / (w.size[i] + n)
		if c < w.cost[i] || w.near[i] < 0 {
			w.near[i], w.cost[i] = j, c
		}
	}
}

// merge joins the two clouds for which it costs least.
func (w *ward) merge() {
	a := -1
	for i, n := range w.size {
		if n > 0 && (a < 0 || w.cost[i] < w.cost[a]) {
			a = i
		}
	}
	a, b := min(a, w.near[a]), max(a, w.near[a])
	both, x, y := w.size[a]+w.size[b], w.t.Row(a), w.t.Row(b)
	for h, v := range y {
		x[h] = (x[h]*w.size[a] + v*w.size[b]) / both
	}
	w.size[a], w.size[b] = both, 0
	for i, c := range w.of {
		if c == b {
			w.of[i] = a
		}
	}
	for i, n := range w.size {
		if n > 0 && (i == a || w.near[i] == a || w.near[i] == b) {
			w.look(i)
		}
	}
}

// labels numbers the clouds and puts every row of t into one: rows that were
// merged into theirs, others into the nearest.
func (w *ward) labels(t Table, rows []int) []int {
	number, centers := make([]int, w.t.N), []int(nil)
	for i, n := range w.size {
		if n > 0 {
			number[i] = len(centers)
			centers = append(centers, i)
		}
	}
	out := make([]int, t.N)
	for i := range out {
		best := math.Inf(1)
		for c, row := range centers {
			if q := squared(t.Row(i), w.t.Row(row)); q < best {
				best, out[i] = q, c
			}
		}
	}
	for i, row := range rows {
		out[row] = number[w.of[i]]
	}
	return out
}
