package fit

import (
	"context"
	"math"
	"slices"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/progress"
	"github.com/moiety-go/moiety/internal/refine"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
)

// Bounds of the search for waits.
const (
	waitSteps   = 500  // of EM at most
	waitTol     = 1e-9 // gain of the log-likelihood, relative, that ends it
	regularStep = .05  // sd of the logarithms of all waits below which steps come regularly
	regularPart = .5   // of all waits that are the same from which steps come regularly
	fewestWaits = 10   // of all sequences
	leastSpread = .01  // of a state, as a share of the sd of all
	waitParts   = 12   // parts of the sequences, each left out once for the errors
	waitSample  = 2000 // sequences at most that errors are found on
	againTol    = 1e-8 // that ends it there
	againSteps  = 200  // of EM at most, without a part
	waitSums    = 6    // numbers of a component in the state of family.Timed
)

// waits adds to a fit of states how long it is from a step in each of them to the
// next one. States, emissions and moves stay as they are (the second of two steps,
// Bakk and Kuha 2018): the waits are learned by EM with the states unknown, so that
// not knowing them does not wash the differences out.
func (s Settings) waits(ctx context.Context, fam family.Family, o *Outcome, data Training) error {
	f, ok := fam.(family.Timed)
	if !ok || data.Times == nil || data.Run.Can().Places > 1 || s.Privacy.Epsilon > 0 {
		return nil
	}
	times, err := data.Times(ctx)
	if err != nil || times == nil || len(times.At) != data.Run.Can().OwnRows {
		return err
	}
	w := &waiter{fam: f, p: o.Model.Params, run: data.Run, at: times.At, pseudo: s.Prior.Records(), prior: float64(s.Prior)}
	if w.first, err = rowsOf(ctx, data.Run); err != nil {
		return err
	}
	if !w.survey() {
		return nil
	}
	of, err := w.climb(ctx, w.alike())
	if err != nil {
		return err
	}
	if err := w.errors(progress.With(ctx, nil), fam, of); err != nil {
		return err
	}
	of.Days, of.N = times.Days, w.people(o.Group)
	o.Model.Provenance.Waits = of
	return nil
}

// rowsOf returns where every own sequence begins among the own rows, and behind
// the last one their number.
func rowsOf(ctx context.Context, run pass.Runner) ([]int, error) {
	first := make([]int, run.Can().Own+1)
	_, err := run.Own(ctx, func(b pass.Block) error {
		for i := range b.N() {
			first[b.First+i+1] = 1
			if b.Steps != nil {
				first[b.First+i+1] = b.Steps[i+1] - b.Steps[i]
			}
		}
		return nil
	})
	for i := 1; i < len(first); i++ {
		first[i] += first[i-1]
	}
	return first, err
}

// waiter learns waits.
type waiter struct {
	fam      family.Timed
	p        mixture.Params
	run      pass.Runner
	at       []float64 // times of the own rows
	first    []int     // row where every own sequence begins
	list     []int     // own numbers of the sequences of run; nil: all
	pseudo   float64   // waits of the prior, which has the law of all
	prior    float64   // the same, as refine has it
	mean, sd float64   // of the logarithms of all
}

// after returns the wait after a step; steps of one time have none.
func (w *waiter) after(record, step int) (float64, bool) {
	if w.list != nil {
		record = w.list[record]
	}
	row := w.first[record] + step
	if row+1 >= w.first[record+1] {
		return 0, false
	}
	d := w.at[row+1] - w.at[row]
	return d, d > 0 && !math.IsInf(d, 1)
}

// survey takes all waits together and reports whether they are worth a model.
func (w *waiter) survey() bool {
	var n, sum, square float64
	same := map[float64]float64{}
	for i := range len(w.first) - 1 {
		for t := range w.first[i+1] - w.first[i] {
			if d, ok := w.after(i, t); ok {
				x := math.Log(d)
				n, sum, square = n+1, sum+x, square+x*x
				same[d]++
			}
		}
	}
	if n < fewestWaits {
		return false
	}
	for _, times := range same {
		if times >= regularPart*n {
			return false
		}
	}
	w.mean = sum / n
	w.sd = math.Sqrt(math.Max(square/n-w.mean*w.mean, 0))
	return w.sd >= regularStep
}

// alike is the law of all waits in every state.
func (w *waiter) alike() *mixture.Waits {
	k := w.p.K()
	return &mixture.Waits{Mean: slices.Repeat([]float64{w.mean}, k), SD: slices.Repeat([]float64{w.sd}, k)}
}

// climb runs EM.
func (w *waiter) climb(ctx context.Context, of *mixture.Waits) (*mixture.Waits, error) {
	last := math.Inf(-1)
	for step := 0; ; step++ {
		state, err := w.sum(ctx, of)
		if err != nil {
			return nil, err
		}
		if step == waitSteps || math.Abs(state[0]-last) <= waitTol*math.Abs(state[0]) {
			return withQuantiles(of, state), nil
		}
		last = state[0]
		of = w.most(state)
	}
}

func (w *waiter) sum(ctx context.Context, of *mixture.Waits) ([]float64, error) {
	sum, err := w.fam.WaitStep(w.p, of, w.after)
	if err != nil {
		return nil, err
	}
	return pass.RunOne(ctx, w.run, sum)
}

// most returns the likeliest laws for expected waits.
func (w *waiter) most(state []float64) *mixture.Waits {
	k := w.p.K()
	of := &mixture.Waits{Mean: make([]float64, k), SD: make([]float64, k)}
	for j := range k {
		sums := state[1+waitSums*j:][:waitSums]
		n := sums[0] + w.pseudo
		if n <= 0 {
			of.Mean[j], of.SD[j] = w.mean, w.sd
			continue
		}
		m := (sums[1] + w.pseudo*w.mean) / n
		v := (sums[2]+w.pseudo*(w.sd*w.sd+w.mean*w.mean))/n - m*m
		of.Mean[j], of.SD[j] = m, math.Max(math.Sqrt(math.Max(v, 0)), leastSpread*w.sd)
	}
	return of
}

// withQuantiles adds what else the last E-step says of the laws.
func withQuantiles(of *mixture.Waits, state []float64) *mixture.Waits {
	k := len(of.Mean)
	of.Middle, of.Last, of.Error = make([]float64, k), make([]float64, k), make([]float64, k)
	for j := range k {
		sums := state[1+waitSums*j:][:waitSums]
		if sums[0] > 0 {
			of.Middle[j] = sums[5] / sums[0]
		}
		if sums[3] > 0 {
			of.Last[j] = sums[4] / sums[3]
		}
	}
	return of
}

// errors fills in the standard errors by the jackknife: all is learned again,
// states and moves too, without one of waitParts parts of the sequences at a time,
// from where it ended. Of many sequences some, spread evenly, tell how far they
// are off, and all are off by the root of their number less.
func (w *waiter) errors(ctx context.Context, fam family.Family, of *mixture.Waits) error {
	own := len(w.first) - 1
	every := (own + waitSample - 1) / waitSample
	sample := make([][]float64, 0, waitParts) // means of the logarithms
	for part := range waitParts {
		var list []int
		keep := func(i int) bool { return i%every == 0 && i/every%waitParts != part }
		for i := range own {
			if keep(i) {
				list = append(list, i)
			}
		}
		run, err := pass.Copy(ctx, w.run, keep)
		if err != nil {
			return err
		}
		done, err := refine.EM(ctx, fam, run, w.p, refine.Options{Pseudo: w.prior, Tol: againTol, Iterations: againSteps})
		if err != nil {
			return err
		}
		less := *w
		less.p, less.run, less.list = done.Params, run, list
		again, err := less.climb(ctx, of)
		if err != nil {
			return err
		}
		sample = append(sample, again.Mean)
	}
	used := float64((own + every - 1) / every)
	for j := range of.Mean {
		mean, square := 0.0, 0.0
		for _, x := range sample {
			mean += x[j] / waitParts
		}
		for _, x := range sample {
			square += (x[j] - mean) * (x[j] - mean)
		}
		of.Error[j] = math.Sqrt((waitParts - 1.0) / waitParts * square * used / float64(own))
	}
	return nil
}

// people counts the own sequences with a wait from every state, by the states of
// the own rows.
func (w *waiter) people(states []int32) []int {
	n := make([]int, w.p.K())
	seen := make([]int, len(n)) // the last sequence counted, from 1
	for i := range len(w.first) - 1 {
		for t := range w.first[i+1] - w.first[i] {
			if _, ok := w.after(i, t); !ok {
				continue
			}
			if g := states[w.first[i]+t]; seen[g] != i+1 {
				seen[g] = i + 1
				n[g]++
			}
		}
	}
	return n
}
