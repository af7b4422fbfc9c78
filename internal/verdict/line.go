package verdict

import (
	"math"

	"github.com/moiety-go/moiety/internal/kernel"
)

// line is a mixture of a few normal heaps along a line.
type line struct{ weight, mean, sd []float64 }

// densities sets f to the density at the places from, from + step …
func (l *line) densities(f []float64, from, step float64) {
	clear(f)
	heap := make([]float64, len(f))
	for j, w := range l.weight {
		over := 1 / l.sd[j]
		for i := range heap {
			z := (from + float64(i)*step - l.mean[j]) * over
			heap[i] = -z * z / 2
		}
		kernel.Exps(heap)
		w *= over / math.Sqrt(2*math.Pi)
		for i, v := range heap {
			f[i] += w * v
		}
	}
}

// order chooses the number of heaps by BIC, and whether they start from the
// two sides or from quantiles, and fits them.
func (r *ranks) order(floor float64) (best *line, order int, bySide bool) {
	const each = 10 // records a heap
	logn := math.Log(float64(len(r.at)))
	p := pointsOf(r.at)
	best, fit := lineEM(p, r.startSides(), floor)
	least := 5*logn - 2*fit
	order, bySide = 2, true
	for m := 2; m <= valleyOrder && len(r.at) >= each*m; m++ {
		l, fit := lineEM(p, startQuantiles(r.at, m), floor)
		if bic := float64(3*m-1)*logn - 2*fit; bic < least {
			best, least, order, bySide = l, bic, m, false
		}
	}
	return best, order, bySide
}

// fit fits the mixture that order chose for other records.
func (r *ranks) fit(order int, bySide bool, floor float64) *line {
	start := startQuantiles(r.at, order)
	if bySide {
		start = r.startSides()
	}
	l, _ := lineEM(pointsOf(r.at), start, floor)
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

func (r *ranks) startSides() *line {
	_, all := spread(r.at)
	lower, higher := r.sides()
	l := &line{}
	for _, side := range [][]float64{lower, higher} {
		mean, sd := spread(side)
		l.weight = append(l.weight, float64(len(side))/float64(len(r.at)))
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
	buf := p.buffer(len(l.weight))
	for range valleySteps {
		buf.shares(p, l)
		last := l
		if l = buf.step(p, least, floor); l.moved(last) < valleySettled*(p.sd+tiny) {
			break
		}
	}
	buf.shares(p, l)
	return l, buf.loglik(p)
}

// moved is how far heaps lie from others, or are wider, at most.
func (l *line) moved(o *line) (most float64) {
	for j, v := range l.mean {
		most = max(most, math.Abs(v-o.mean[j]), math.Abs(l.sd[j]-o.sd[j]))
	}
	return most
}

// lineBuffer is the memory of a fit of m heaps: a row a heap, a number a place.
type lineBuffer struct {
	m                 int
	post, total, tops []float64
}

func (p points) buffer(m int) *lineBuffer {
	n := len(p.at)
	buf := make([]float64, (m+2)*n)
	return &lineBuffer{m, buf[:m*n], buf[m*n:][:n], buf[(m+1)*n:]}
}

// shares sets the exponentials of the heaps at every place over the largest, and their sums.
func (r *lineBuffer) shares(p points, l *line) {
	n := len(p.at)
	for j := range r.m {
		height, mean, over := math.Log(l.weight[j]/l.sd[j]), l.mean[j], 1/l.sd[j]
		row := r.post[j*n:][:n]
		for i, x := range p.at {
			z := (x - mean) * over
			row[i] = height - z*z/2
		}
		if j == 0 {
			copy(r.tops, row)
			continue
		}
		for i, v := range row {
			if v > r.tops[i] {
				r.tops[i] = v
			}
		}
	}
	for j := range r.m {
		row := r.post[j*n:][:n]
		for i, v := range r.tops {
			row[i] -= v
		}
	}
	kernel.Exps(r.post)
	copy(r.total, r.post)
	for j := 1; j < r.m; j++ {
		for i, v := range r.post[j*n:][:n] {
			r.total[i] += v
		}
	}
}

// loglik is the log-likelihood of these shares, which it spoils.
func (r *lineBuffer) loglik(p points) (fit float64) {
	kernel.Logs(r.total)
	for i, v := range r.tops {
		fit += p.n[i] * (v + r.total[i] - math.Log(2*math.Pi)/2)
	}
	return fit
}

// step is one step of EM with these shares.
func (r *lineBuffer) step(p points, least, floor float64) *line {
	m := r.m
	all := 0.0
	for i, v := range p.n {
		all += v
		r.total[i] = v / r.total[i]
	}
	next := &line{make([]float64, m), make([]float64, m), make([]float64, m)}
	for j := range m {
		n, sum, square := 1e-9, 0.0, 0.0
		row := r.post[j*len(p.at):][:len(p.at)]
		for i, x := range p.at {
			w := row[i] * r.total[i]
			n += w
			sum += w * x
			square += w * x * x
		}
		next.weight[j], next.mean[j] = n/(all+float64(m)*1e-9), sum/n
		v := max(square/n-next.mean[j]*next.mean[j], 0)
		next.sd[j] = math.Sqrt(max(v, floor*floor)+least*least) + .3*least
	}
	return next
}
