package verdict

import (
	"math"
	"slices"
)

// line is a mixture of a few normal heaps along a line.
type line struct{ weight, mean, sd []float64 }

// density returns the density at a place.
func (l *line) density(x float64) float64 {
	sum := 0.0
	for j, w := range l.weight {
		z := (x - l.mean[j]) / l.sd[j]
		sum += w / l.sd[j] * math.Exp(-z*z/2)
	}
	return sum / math.Sqrt(2*math.Pi)
}

// lineOrder chooses the number of heaps by BIC, and whether they start from the
// two sides or from quantiles.
func lineOrder(at []float64, upper []bool, floor float64) (order int, bySide bool) {
	const each = 10 // records a heap
	logn := math.Log(float64(len(at)))
	order, bySide = 2, true
	sorted := slices.Clone(at)
	slices.Sort(sorted)
	p := pointsOf(sorted)
	_, fit := lineEM(p, startSides(at, upper), floor)
	best := 5*logn - 2*fit
	for m := 2; m <= valleyOrder && len(at) >= each*m; m++ {
		_, fit := lineEM(p, startQuantiles(sorted, m), floor)
		if bic := float64(3*m-1)*logn - 2*fit; bic < best {
			best, order, bySide = bic, m, false
		}
	}
	return order, bySide
}

// lineFit fits the mixture that lineOrder chose.
func lineFit(at []float64, upper []bool, order int, bySide bool, floor float64) *line {
	sorted := slices.Clone(at)
	slices.Sort(sorted)
	start := startQuantiles(sorted, order)
	if bySide {
		start = startSides(at, upper)
	}
	l, _ := lineEM(pointsOf(sorted), start, floor)
	return l
}

// points are places with the number of records at each.
type points struct {
	at, n []float64
	sd    float64 // of all records
}

// pointsOf puts neighbours together where there are many: each bin of equal
// width stands at the mean of its records.
func pointsOf(sorted []float64) points {
	const bins, tail = 400, .002
	p := points{at: sorted}
	_, p.sd = spread(sorted)
	if len(sorted) <= bins {
		p.n = make([]float64, len(sorted))
		for i := range p.n {
			p.n[i] = 1
		}
		return p
	}
	lo := quantile(sorted, tail)
	width := (quantile(sorted, 1-tail) - lo) / bins
	p.at = nil
	last := math.Inf(-1)
	for _, v := range sorted {
		bin := math.Floor((v - lo) / width)
		if e := len(p.at) - 1; bin == last && v-v == 0 {
			p.n[e]++
			p.at[e] += (v - p.at[e]) / p.n[e]
			continue
		}
		p.at, p.n, last = append(p.at, v), append(p.n, 1), bin
	}
	return p
}

// spread returns mean and standard deviation.
func spread(at []float64) (mean, sd float64) {
	for _, v := range at {
		mean += v
	}
	mean /= float64(len(at))
	for _, v := range at {
		sd += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(sd / float64(len(at)))
}

func startSides(at []float64, upper []bool) *line {
	_, all := spread(at)
	lower, higher := sides(at, upper)
	l := &line{}
	for _, side := range [][]float64{lower, higher} {
		mean, sd := spread(side)
		l.weight = append(l.weight, float64(len(side))/float64(len(at)))
		l.mean, l.sd = append(l.mean, mean), append(l.sd, sd+leastHeap*(all+tiny))
	}
	return l
}

func startQuantiles(sorted []float64, m int) *line {
	_, all := spread(sorted)
	l := &line{}
	for j := range m {
		l.weight = append(l.weight, 1/float64(m))
		l.mean = append(l.mean, quantile(sorted, (float64(j)+.5)/float64(m)))
		l.sd = append(l.sd, (all+tiny)/float64(m))
	}
	return l
}

const (
	leastHeap = .02 // least width of a heap over that of all records
	tiny      = 1e-12
)

// lineEM fits the heaps and returns the log-likelihood. No heap becomes narrower
// than floor.
func lineEM(p points, l *line, floor float64) (*line, float64) {
	least := leastHeap * (p.sd + tiny)
	for range valleySteps {
		l = p.step(l, least, floor)
	}
	fit := 0.0
	for i, x := range p.at {
		fit += p.n[i] * math.Log(l.density(x)+math.SmallestNonzeroFloat64)
	}
	return l, fit
}

// step is one step of EM.
func (p points) step(l *line, least, floor float64) *line {
	m := len(l.weight)
	post, height := make([]float64, m), make([]float64, m)
	n, sum, square := make([]float64, m), make([]float64, m), make([]float64, m)
	for j := range height {
		height[j] = math.Log(l.weight[j] / l.sd[j])
	}
	all := 0.0
	for i, x := range p.at {
		top := math.Inf(-1)
		for j := range post {
			z := (x - l.mean[j]) / l.sd[j]
			post[j] = height[j] - z*z/2
			top = max(top, post[j])
		}
		total := 0.0
		for j := range post {
			post[j] = math.Exp(post[j] - top)
			total += post[j]
		}
		all += p.n[i]
		for j := range post {
			r := p.n[i] * post[j] / total
			n[j] += r
			sum[j] += r * x
			square[j] += r * x * x
		}
	}
	next := &line{make([]float64, m), make([]float64, m), make([]float64, m)}
	for j := range n {
		k := n[j] + 1e-9
		next.weight[j], next.mean[j] = k/(all+float64(m)*1e-9), sum[j]/k
		v := max(square[j]/k-next.mean[j]*next.mean[j], 0)
		next.sd[j] = math.Sqrt(max(v, floor*floor)+least*least) + .3*least
	}
	return next
}
