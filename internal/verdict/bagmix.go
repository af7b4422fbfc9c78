package verdict

import (
	"math"

	"github.com/moiety-go/moiety/internal/kernel"
)

// bagMix is a mixture of groups of counts: multinomial given the total of a
// record, or binomial for copies.
type bagMix struct {
	k      int
	weight []float64
	prob   []float64 // cols×k
	table  []float64 // width×k: what every count adds to the log density
	bias   []float64 // k
	loglik float64
	n      float64 // records of all places
}

// Prior: every group is given so many words, or copies of every feature, at the
// overall frequencies.
const (
	pseudoWords  = 50
	pseudoCopies = 1
)

// mstep returns the groups that records have these shares (n×k) in.
// Over several places other numbers are added up beside.
func (b *bag) mstep(shares []float64, k int, base []float64, beside ...[]float64) *bagMix {
	m := &bagMix{k: k, weight: make([]float64, k), prob: make([]float64, b.cols*k), n: float64(b.n())}
	for i := range b.n() {
		for c, v := range shares[i*k:][:k] {
			m.weight[c] += v
		}
	}
	sums := make([]float64, b.width()*k)
	kernel.Scatter(sums, b.ptr, b.index, b.value, shares, k)
	if b.places != nil {
		n := []float64{m.n}
		sent := sums
		if b.whole {
			sent = sums[:b.cols*k]
		}
		b.places.add(append(beside, m.weight, sent, n)...)
		m.n = n[0]
	}
	total := make([]float64, k)
	for j := range b.cols {
		for c := range k {
			v := sums[j*k+c]
			if b.trials > 0 {
				m2 := float64(b.trials)
				more := pseudoCopies + b.drawn
				records := m.weight[c] - sums[(b.cols+j)*k+c] + more
				v = min(max((v+m2*more*base[j])/(m2*records), rareCopy/2), 1-rareCopy/2)
			} else {
				v += pseudoWords * base[j]
				total[c] += v
			}
			m.prob[j*k+c] = v
		}
	}
	if b.trials == 0 {
		for e := range m.prob {
			m.prob[e] /= total[e%k]
		}
	}
	for c := range m.weight {
		m.weight[c] = (m.weight[c] + 1) / (m.n + float64(k))
	}
	m.ready(b)
	return m
}

// ready makes the table of the densities.
func (m *bagMix) ready(b *bag) {
	m.table, m.bias = make([]float64, b.width()*m.k), make([]float64, m.k)
	for c, w := range m.weight {
		m.bias[c] = math.Log(w)
	}
	for j := range b.cols {
		for c := range m.k {
			p := m.prob[j*m.k+c]
			if b.trials == 0 {
				m.table[j*m.k+c] = math.Log(p)
				continue
			}
			none := float64(b.trials) * math.Log1p(-p)
			m.table[j*m.k+c] = math.Log(p / (1 - p))
			m.table[(b.cols+j)*m.k+c] = -none
			m.bias[c] += none
		}
	}
}

// joint returns log(weight · density) of every record and group, up to what is
// the same for all groups.
func (m *bagMix) joint(b *bag) []float64 {
	out := make([]float64, b.n()*m.k)
	kernel.Gather(out, b.ptr, b.index, b.value, m.table, m.k)
	for i := range out {
		out[i] += m.bias[i%m.k]
	}
	return out
}

// shares returns the probability of every group for the records, and the log
// density of each.
func (m *bagMix) shares(b *bag) (share, density []float64) {
	share, density = make([]float64, b.n()*m.k), make([]float64, b.n())
	kernel.Gather(share, b.ptr, b.index, b.value, m.table, m.k)
	kernel.Softmax(share, m.k, m.bias, density, nil)
	return share, density
}

const (
	bagSteps  = 25
	crossTurn = 12
	bagTol    = 1e-4 // nats a record
)

// em goes from shares to the mixture that fits best near them. Over several places it
// hears how likely a mixture is together with the sums of the next, and ends a step later.
func (b *bag) em(share []float64, k, steps int, base []float64) (*bagMix, []float64) {
	last := math.Inf(-1)
	m := b.mstep(share, k, base)
	for step := 0; ; step++ {
		next, density := m.shares(b)
		loglik := []float64{sum(density)}
		share = next
		end := step+1 >= steps
		var after *bagMix
		switch {
		case b.places == nil:
		case end:
			b.places.add(loglik)
		default:
			after = b.mstep(share, k, base, loglik)
		}
		m.loglik = loglik[0]
		if end || m.loglik-last < bagTol*m.n {
			return m, share
		}
		last = m.loglik
		if m = after; m == nil {
			m = b.mstep(share, k, base)
		}
	}
}
