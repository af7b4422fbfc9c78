package inference

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Numbers summarises the numbers of one group.
type Numbers struct {
	N          int
	Mean, SD   float64
	Median     float64
	Low, High  float64 // 95 % interval of the mean (Student)
	Difference float64 // from all others, in standard deviations; NaN without others
}

// Compared are numbers by group, with the whole and a test.
type Compared struct {
	Groups []Numbers
	All    Numbers
	// P is the probability of such differences of means by chance (Welch 1951);
	// NaN where it cannot be worked out.
	P float64
}

// CompareNumbers summarises a column of numbers by group; NaN is missing.
func CompareNumbers(values []float64, group []int32, k int) Compared {
	lists := make([][]float64, k)
	var all []float64
	for i, v := range values {
		if v == v {
			lists[group[i]] = append(lists[group[i]], v)
			all = append(all, v)
		}
	}
	out := Compared{All: summarise(all)}
	out.All.Difference = math.NaN()
	for g, list := range lists {
		x := summarise(list)
		var others []float64
		for o, l := range lists {
			if o != g {
				others = append(others, l...)
			}
		}
		y := summarise(others)
		x.Difference = (x.Mean - y.Mean) / math.Sqrt((x.SD*x.SD+y.SD*y.SD)/2)
		out.Groups = append(out.Groups, x)
	}
	out.P = Welch(out.Groups)
	return out
}

func summarise(list []float64) Numbers {
	n := float64(len(list))
	x := Numbers{N: len(list), Mean: math.NaN(), SD: math.NaN(), Median: math.NaN(), Low: math.NaN(), High: math.NaN()}
	if len(list) == 0 {
		return x
	}
	x.Mean = 0
	for _, v := range list {
		x.Mean += v / n
	}
	sorted := slices.Clone(list)
	slices.Sort(sorted)
	x.Median = (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
	if len(list) < 2 {
		return x
	}
	ss := 0.0
	for _, v := range list {
		ss += (v - x.Mean) * (v - x.Mean)
	}
	x.SD = math.Sqrt(ss / (n - 1))
	by := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.Quantile(.975) * x.SD / math.Sqrt(n)
	x.Low, x.High = x.Mean-by, x.Mean+by
	return x
}

// Welch tests equal means without equal variances (Welch 1951); NaN where fewer
// than two groups vary.
func Welch(groups []Numbers) float64 {
	var w, mean, k float64
	for _, g := range groups {
		if g.N < 2 || !(g.SD > 0) {
			continue
		}
		v := float64(g.N) / (g.SD * g.SD)
		w, mean, k = w+v, mean+v*g.Mean, k+1
	}
	if k < 2 {
		return math.NaN()
	}
	mean /= w
	between, lambda := 0.0, 0.0
	for _, g := range groups {
		if g.N < 2 || !(g.SD > 0) {
			continue
		}
		v := float64(g.N) / (g.SD * g.SD)
		between += v * (g.Mean - mean) * (g.Mean - mean)
		lambda += (1 - v/w) * (1 - v/w) / float64(g.N-1)
	}
	f := between / (k - 1) / (1 + 2*(k-2)*lambda/(k*k-1))
	return distuv.F{D1: k - 1, D2: (k*k - 1) / (3 * lambda)}.Survival(f)
}

// ChiSquared tests whether a table of counts, group × level, shows different
// shares in the groups (Pearson); NaN where a margin is empty.
func ChiSquared(counts [][]float64) float64 {
	var total float64
	rows := make([]float64, len(counts))
	cols := map[int]float64{}
	for g, list := range counts {
		for l, v := range list {
			rows[g] += v
			cols[l] += v
			total += v
		}
	}
	x2, r, c := 0.0, 0, 0
	for _, v := range rows {
		if v > 0 {
			r++
		}
	}
	for _, v := range cols {
		if v > 0 {
			c++
		}
	}
	for g, list := range counts {
		for l, v := range list {
			if e := rows[g] * cols[l] / total; e > 0 {
				x2 += (v - e) * (v - e) / e
			}
		}
	}
	if r < 2 || c < 2 {
		return math.NaN()
	}
	return distuv.ChiSquared{K: float64((r - 1) * (c - 1))}.Survival(x2)
}

// Holm corrects several p-values so that all of them hold at once (Holm 1979);
// NaN stays and does not count.
func Holm(p []float64) []float64 {
	var order []int
	out := make([]float64, len(p))
	for i, v := range p {
		out[i] = math.NaN()
		if v == v {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	most := 0.0
	for at, i := range order {
		most = max(most, min(1, p[i]*float64(len(order)-at)))
		out[i] = most
	}
	return out
}
