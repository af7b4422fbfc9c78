package normals

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/kernel"
	"github.com/moiety-go/moiety/internal/spectral"
)

// KMeans returns memberships (n×k) of k round clouds: the best of so many starts
// spread out by chance (Arthur and Vassilvitskii 2007), each moved a few times.
func KMeans(t Table, k, tries int, r *rand.Rand) []float64 {
	return Members(Nearest(t, k, tries, r), k)
}

// Nearest returns the cloud of every row, the best of so many starts.
func Nearest(t Table, k, tries int, r *rand.Rand) []int {
	best, label := math.Inf(1), []int(nil)
	for range tries {
		if sum, l := lloyd(t, spreadOut(t, k, r)); sum < best {
			best, label = sum, l
		}
	}
	return label
}

// Round returns clouds of one size and one variance in all columns, around the means
// of labelled rows: each row lies in the cloud whose mean is nearest.
func Round(t Table, label []int, k int) *Mixture {
	weight, mean, size := make([]float64, k), make([]float64, k*t.D), make([]float64, k)
	for i, l := range label {
		size[l]++
		for h, v := range t.Row(i) {
			mean[l*t.D+h] += v
		}
	}
	for i := range mean {
		mean[i] /= max(size[i/t.D], 1)
	}
	sum := 0.0
	for i, l := range label {
		sum += squared(t.Row(i), mean[l*t.D:][:t.D])
	}
	cells, spread := float64(max(t.N*t.D, 1)), make([]float64, t.D)
	for h := range spread {
		spread[h] = sum/cells + ridge
	}
	for j := range weight {
		weight[j] = 1 / float64(k)
	}
	m := New(Common, t.D, weight, mean, spread)
	m.LogLik = -cells/2*math.Log(2*math.Pi*spread[0]) - sum/spread[0]/2 - float64(t.N)*math.Log(float64(k)) // of rows with their clouds
	return m
}

// Members turns labels into memberships (n×k).
func Members(label []int, k int) []float64 {
	out := make([]float64, len(label)*k)
	for i, l := range label {
		out[i*k+l] = 1
	}
	return out
}

// spreadOut draws centers far from each other.
func spreadOut(t Table, k int, r *rand.Rand) []float64 {
	const draws = 4
	centers := append([]float64(nil), t.Row(r.IntN(t.N))...)
	f := t.forms()
	near := append([]float64(nil), f.length...)
	f.around(centers, func(from int, dist kernel.Matrix) { copy(near[from:], dist.Data) })
	for len(centers) < k*t.D {
		total, some := 0.0, []float64(nil)
		for _, v := range near {
			total += v
		}
		for range draws {
			some = append(some, t.Row(drawn(near, total, r))...)
		}
		var sum [draws]float64
		f.around(some, func(from int, dist kernel.Matrix) {
			for i, q := range dist.Data {
				sum[i%draws] += min(near[from+i/draws], q)
			}
		})
		best := 0
		for i, v := range sum {
			if v < sum[best] {
				best = i
			}
		}
		next := some[best*t.D:][:t.D]
		centers = append(centers, next...)
		f.around(next, func(from int, dist kernel.Matrix) {
			for i, q := range dist.Data {
				near[from+i] = min(near[from+i], q)
			}
		})
	}
	return centers
}

func drawn(weight []float64, total float64, r *rand.Rand) int {
	u := r.Float64() * total
	for i, w := range weight {
		if u -= w; u < 0 {
			return i
		}
	}
	return len(weight) - 1
}

// lloyd moves centers to the means of their rows.
func lloyd(t Table, centers []float64) (sum float64, label []int) {
	const moves = 12
	k := len(centers) / t.D
	f := t.forms()
	label, last := make([]int, t.N), make([]int, t.N)
	for range moves {
		next, size := make([]float64, len(centers)), make([]float64, k)
		sum = f.nearest(label, centers)
		for i, at := range label {
			size[at]++
			for h, v := range t.Row(i) {
				next[at*t.D+h] += v
			}
		}
		changed := !slices.Equal(label, last)
		copy(last, label)
		moved := []float64{sum, 0}
		if changed {
			moved[1] = 1
		}
		t.total(next, size, moved)
		if sum = moved[0]; moved[1] == 0 {
			break
		}
		for i := range next {
			if size[i/t.D] > 0 {
				centers[i] = next[i] / size[i/t.D]
			}
		}
	}
	return sum, label
}

// Halved returns memberships of one cloud more: the widest cloud of m, by its
// weight, is cut in two across its longest axis.
func (m *Mixture) Halved(t Table) []float64 {
	d, k := m.D, m.K
	widest, cut, axis := math.Inf(-1), 0, []float64(nil)
	for c := range k {
		values, vectors := spectral.SymEig(mat.NewDense(d, d, append([]float64(nil), m.Covariance(c)...)))
		if w := m.Weight[c] * values[0]; w > widest {
			widest, cut, axis = w, c, mat.Col(nil, 0, vectors)
		}
	}
	old, out := make([]float64, t.N*k), make([]float64, t.N*(k+1))
	m.Scores(t, old)
	Posterior(old, k)
	for i := range t.N {
		copy(out[i*(k+1):], old[i*k:][:k])
		at := 0.0
		for h, v := range t.Row(i) {
			at += axis[h] * (v - m.Mean[cut*d+h])
		}
		if at > 0 {
			out[i*(k+1)+k], out[i*(k+1)+cut] = out[i*(k+1)+cut], 0
		}
	}
	return out
}

// DrawnIn returns the table as one cloud with heavy tails sees it: columns uncorrelated
// and of its spread, and rows that lie far out drawn in towards its middle, so that starts are
// found among the others; it tells which they are.
func (m *Mixture) DrawnIn(t Table) (out Table, far []bool) {
	reach := 2*math.Sqrt(float64(t.D)) + 1
	out, far = Table{N: t.N, D: t.D, X: make([]float64, len(t.X)), Total: t.Total}, make([]bool, t.N)
	row := make([]float64, t.D)
	for i := range t.N {
		for h, v := range t.Row(i) {
			row[h] = v - m.Mean[h]
		}
		to, square := out.Row(i), 0.0
		lower(to, m.factor, row)
		for _, v := range to {
			square += v * v
		}
		if is := math.Sqrt(square); is > reach {
			far[i] = true
			for h := range to {
				to[h] *= reach / is
			}
		}
	}
	return out, far
}

// Sphered returns the table in which all columns are uncorrelated and of
// variance 1.
func Sphered(t Table) Table {
	one := EM(t, Members(make([]int, t.N), 1), 1, Options{Shape: Tied})
	out := Table{N: t.N, D: t.D, X: make([]float64, len(t.X)), Total: t.Total}
	for i := range t.N {
		lower(out.Row(i), one.factor, t.Row(i))
	}
	return out
}
