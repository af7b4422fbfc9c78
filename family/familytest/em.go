package familytest

import (
	"context"
	"math"
	"testing"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
)

const (
	// posteriorTol: a few roundings of log densities of some hundred nats.
	posteriorTol = 1e-9
	// roundsTol: a posterior found by rounds ends where they hardly move, which
	// on a flat bound is some thousandths from the end, and another order of
	// components may stop some rounds apart (seen: 2e-3 in one of 200 documents).
	roundsTol = 5e-3
	// fallTol is how far rounding alone may lower an objective, relative.
	fallTol = 1e-9
	// mergeTol is the promise of house.md §1 on real sums.
	mergeTol = 1e-12
	// likelihoodTol: sums of thousands of log densities, relative.
	likelihoodTol = 1e-9
)

// eStep runs the E-step of p over the draw.
func eStep(t *testing.T, f family.Family, p mixture.Params, d family.Draw, workers int) []float64 {
	t.Helper()
	before := clone(p)
	sum, err := f.EStep(p, true)
	if err != nil {
		t.Fatalf("EStep: %v", err)
	}
	state, err := pass.RunOne(context.Background(), d.Runner(workers), sum)
	if err != nil {
		t.Fatalf("E-step: %v", err)
	}
	if !same(before, p) {
		t.Fatal("the E-step changed its parameters")
	}
	return state
}

// checkPosterior: rows add up to one and obey Bayes' rule, computed from the
// densities of the components taken one at a time.
func checkPosterior(t *testing.T, f family.Family, c Case) {
	d, k := draw(t, f, c, min(c.n(), 500)), c.Params.K()
	n := d.Rows.N()
	out := make([]float64, n*k)
	if err := f.Posterior(c.Params, whole(d), out); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		sum := 0.0
		for _, v := range out[i*k:][:k] {
			if !(v >= 0) {
				t.Fatalf("row %d: posterior %v", i, v)
			}
			sum += v
		}
		if math.Abs(sum-1) > posteriorTol {
			t.Fatalf("row %d: posteriors add up to %v", i, sum)
		}
	}
	if c.NoLabels {
		return
	}
	want := bayes(t, f, c.Params, d)
	for i := range out {
		if math.Abs(out[i]-want[i]) > posteriorTol {
			t.Fatalf("row %d component %d: posterior %v, by Bayes' rule %v", i/k, i%k+1, out[i], want[i])
		}
	}
	narrow := pass.Block{Rows: d.Rows}
	narrow.Rows.Dim++
	if !d.Rows.IsDense() && f.Posterior(c.Params, narrow, out) == nil {
		t.Error("Posterior accepts rows of another number of features")
	}
}

// bayes returns ω_j p_j(x) / Σ ω p(x), row by row.
func bayes(t *testing.T, f family.Family, p mixture.Params, d family.Draw) []float64 {
	t.Helper()
	n, k := count(d), p.K()
	joint := make([]float64, n*k)
	for j, w := range p.Weights {
		one := f.Reorder(p, []int{j})
		one.Weights = []float64{1}
		logp := make([]float64, n)
		if err := f.LogDensity(one, whole(d), logp); err != nil {
			t.Fatalf("LogDensity of component %d alone: %v", j+1, err)
		}
		for i, v := range logp {
			joint[i*k+j] = math.Log(w) + v
		}
	}
	for i := range n {
		row, top, sum := joint[i*k:][:k], math.Inf(-1), 0.0
		for _, v := range row {
			top = math.Max(top, v)
		}
		for j, v := range row {
			row[j] = math.Exp(v - top)
			sum += row[j]
		}
		for j := range row {
			row[j] /= sum
		}
	}
	return joint
}

// checkLikelihood: between two models the E-step's first number changes as
// much as the sum of the log densities does; the terms left out do not depend
// on the parameters.
func checkLikelihood(t *testing.T, f family.Family, c Case) {
	d := draw(t, f, c, c.n())
	p, q := c.Params, blurred(c.Params)
	total := func(p mixture.Params) float64 {
		logp := make([]float64, count(d))
		if err := f.LogDensity(p, whole(d), logp); err != nil {
			t.Fatal(err)
		}
		finite(t, "LogDensity", logp)
		sum := 0.0
		for _, v := range logp {
			sum += v
		}
		return sum
	}
	want := total(p) - total(q)
	if c.Bound {
		return
	}
	if !(want > 0) {
		t.Errorf("the true parameters are less likely than blurred ones: %v", want)
	}
	a, b := eStep(t, f, p, d, 1)[0], eStep(t, f, q, d, 1)[0]
	if math.Abs(a-b-want) > likelihoodTol*math.Max(math.Abs(a), math.Abs(total(p))) {
		t.Errorf("the E-step's log-likelihood differs by %v between two models, the densities by %v", a-b, want)
	}
}

// checkMerge: the states of two halves add up to the state of the whole.
func checkMerge(t *testing.T, f family.Family, c Case) {
	d := draw(t, f, c, c.n())
	n := count(d)
	all := eStep(t, f, c.Params, d, 1)
	a := eStep(t, f, c.Params, records(d, sequence(0, n/3)), 1)
	b := eStep(t, f, c.Params, records(d, sequence(n/3, n)), 1)
	for i, v := range all {
		if diff := math.Abs(a[i] + b[i] - v); diff > mergeTol*math.Max(1, math.Abs(v)) {
			t.Fatalf("number %d of the state: %v + %v is not %v", i, a[i], b[i], v)
		}
	}
}

// checkWorkers: the same bits with 1, 2 and 8 workers, over many blocks and an
// uneven last one.
func checkWorkers(t *testing.T, f family.Family, c Case) {
	blocks := 51
	if testing.Short() {
		blocks = 9
	}
	n := blocks*pass.BlockRecords + 123
	small := draw(t, f, c, 1000)
	numbers := make([]int, n)
	for i := range numbers {
		numbers[i] = (i * 7) % 1000
	}
	d := records(small, numbers)
	want := eStep(t, f, c.Params, d, 1)
	for _, workers := range []int{2, 8} {
		for i, v := range eStep(t, f, c.Params, d, workers) {
			if v != want[i] {
				t.Fatalf("number %d of the state: %v with %d workers, %v with one", i, v, workers, want[i])
			}
		}
	}
}

// checkEM: the objective never falls, with and without prior, and parameters
// stay legal. A prior of a thousand records weighs as much as the data, so that a
// step and an objective of two different priors fall apart.
func checkEM(t *testing.T, f family.Family, c Case) {
	d := draw(t, f, c, c.n())
	for _, pseudo := range []float64{0, 1, 1000} {
		p, last := blurred(c.Params), math.Inf(-1)
		for step := range 20 {
			stats := eStep(t, f, p, d, 2)
			now := f.Objective(stats, p, pseudo)
			if math.IsNaN(now) || now < last-fallTol*math.Abs(last) {
				t.Fatalf("pseudo %v step %d: objective fell from %v to %v", pseudo, step, last, now)
			}
			last = now
			p = mStep(t, f, stats, p, pseudo)
		}
	}
}

// mStep runs an M-step and checks that it leaves its input alone and returns
// legal parameters.
func mStep(t *testing.T, f family.Family, stats []float64, old mixture.Params, pseudo float64) mixture.Params {
	t.Helper()
	before, state := clone(old), append([]float64(nil), stats...)
	p, _, err := f.MStep(stats, old, pseudo)
	if err != nil {
		t.Fatalf("MStep: %v", err)
	}
	if !same(before, old) {
		t.Fatal("MStep changed the old parameters")
	}
	for i, v := range state {
		if v != stats[i] && !math.IsNaN(v) {
			t.Fatal("MStep changed the statistics")
		}
	}
	if err := f.Check(p); err != nil {
		t.Fatalf("MStep returned illegal parameters: %v", err)
	}
	return p
}

// checkEmptied: a component without records is reported and gives no NaN.
func checkEmptied(t *testing.T, f family.Family, c Case) {
	d := draw(t, f, c, c.n())
	p := clone(c.Params)
	last := p.K() - 1
	p.Weights[0] += p.Weights[last]
	p.Weights[last] = 0
	for _, pseudo := range []float64{0, 1} {
		stats := eStep(t, f, p, d, 1)
		finite(t, "state with an empty component", stats)
		q, warnings, err := f.MStep(stats, p, pseudo)
		if err != nil {
			t.Fatalf("pseudo %v: MStep with an empty component: %v", pseudo, err)
		}
		if len(warnings) == 0 && !c.Bound {
			t.Errorf("pseudo %v: the emptied component is not reported", pseudo)
		}
		finiteParams(t, "after an emptied component", q)
		if err := f.Check(q); err != nil {
			t.Errorf("pseudo %v: %v", pseudo, err)
		}
	}
}

// checkPartition: a family that learns from a partition makes of one group for
// all records what EM makes of one component, whatever the parameters before,
// and of the true groups parameters near those that made the records.
func checkPartition(t *testing.T, f family.Family, c Case) {
	g, ok := f.(family.Grouped)
	if !ok {
		t.Skip("the family does not learn from a partition")
	}
	d := draw(t, f, c, c.n())
	labels := make([]int32, count(d))
	one := f.Reorder(c.Params, []int{0})
	one.Weights = []float64{1}
	soft := mStep(t, f, eStep(t, f, one, d, 1), one, 1)
	hard := mStep(t, f, hardStep(t, g, one, d, labels), one, 1)
	near := func(a, b float64) bool { return math.Abs(a-b) <= likelihoodTol*math.Max(1, math.Abs(b)) }
	for i, v := range hard.Centers.RawMatrix().Data {
		if !near(v, soft.Centers.RawMatrix().Data[i]) {
			t.Fatalf("center of feature %d: %v from the partition, %v from EM", i+1, v, soft.Centers.RawMatrix().Data[i])
		}
	}
	if c.NoLabels || c.NoMean || d.Labels == nil {
		return
	}
	for i, j := range d.Labels {
		labels[i] = int32(j)
	}
	state := hardStep(t, g, blurred(c.Params), d, labels)
	p := mStep(t, f, state, blurred(c.Params), 0)
	for j := range c.Params.K() {
		want, _ := mean(c, d.Rows, func(i int) bool { return d.Labels[i] == j })
		for h, m := range want {
			// Bags of words of different lengths weigh differently here.
			if !c.Proportions && math.Abs(p.Centers.At(h, j)-m) > partitionTol*math.Max(1, math.Abs(m)) {
				t.Errorf("feature %d: center of group %d is %v, the mean of its records %v", h+1, j+1, p.Centers.At(h, j), m)
			}
		}
	}
}

// partitionTol leaves room for the bounds that keep centers legal.
const partitionTol = 1e-6

// hardStep runs the statistics of a partition over the draw.
func hardStep(t *testing.T, g family.Grouped, p mixture.Params, d family.Draw, labels []int32) []float64 {
	t.Helper()
	sum, err := g.HardStep(p, labels)
	if err != nil {
		t.Fatalf("HardStep: %v", err)
	}
	state, err := pass.RunOne(context.Background(), d.Runner(2), sum)
	if err != nil {
		t.Fatalf("HardStep: %v", err)
	}
	return state
}
