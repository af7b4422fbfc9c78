// Package private learns groups of presences with differential privacy: whatever
// is learned hardly changes when one person is added or taken away, whatever else
// somebody knows.
//
// It is the zero-concentrated kind (Bun and Steinke 2016): a sum whose value one
// person can change by at most Δ (in the Euclidean norm) is released with normal
// noise of deviation σ, at a cost of ρ = Δ²/(2σ²); costs add up, and ρ in all is
// (ε, δ)-private with ε = ρ + 2√(ρ ln 1/δ). A Ledger holds the budget, releases
// sums, answers a sum that was released before from its store, and refuses to
// release what the budget does not cover. Everything that is made of released sums
// alone is free.
//
// Step in the flow: beside fit, for presences. It must not know files.
package private

import (
	"context"
	crand "crypto/rand"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/moiety-go/moiety/pass"
)

// Rho returns the budget that is (ε, δ)-private.
func Rho(epsilon, delta float64) float64 {
	l := math.Log(1 / delta)
	r := math.Sqrt(l+epsilon) - math.Sqrt(l)
	return r * r
}

// Ledger releases sums over records within a budget.
type Ledger struct {
	run   pass.Runner
	cut   func(pass.Sum) pass.Sum // shows sums what of a record counts
	rho   float64                 // in all
	spent float64
	// own is the noise that this place adds, and all that of the total of all
	// places, as multiples of what one place with all records would add.
	own, all float64
	noise    *rand.Rand // where all records are here
	store    map[string][]float64
}

// NewLedger returns the ledger of a budget over records of which each person is one.
// Noise comes from the system's source of randomness. Of several places each adds
// as much noise as one alone would, or, with once, its part of it: a total that
// somebody sees who knows the noise of one place still has all of it.
func NewLedger(run pass.Runner, rho float64, once bool) (*Ledger, error) {
	var seed [32]byte
	if _, err := crand.Read(seed[:]); err != nil {
		return nil, err
	}
	l := &Ledger{run: run, rho: rho, own: 1, all: 1, noise: rand.New(rand.NewChaCha8(seed)), store: map[string][]float64{}}
	can := run.Can()
	places := float64(max(can.Places, 1))
	switch {
	case places == 1:
	case can.Release == nil:
		return nil, errors.New("private: the records lie at several places that give their sums bare")
	case once:
		l.own, l.all = 1/math.Sqrt(places-1), math.Sqrt(places/(places-1))
	default:
		l.all = math.Sqrt(places)
	}
	return l, nil
}

// Spent returns what of the budget is spent, of 1.
func (l *Ledger) Spent() float64 { return l.spent / l.rho }

// sigma is the noise of the total of a sum that one person changes by at most
// delta, for a share of the budget.
func (l *Ledger) sigma(delta, share float64) float64 {
	return l.all * delta / math.Sqrt(2*share*l.rho)
}

// gridBits is how much finer than the noise the grid is to which sums are rounded.
const gridBits = 10

// release returns a sum with noise. name stands for the sum: the same name is the
// same sum, and is answered by what was released before.
func (l *Ledger) release(ctx context.Context, name string, s pass.Sum, delta, share float64) ([]float64, error) {
	if old, ok := l.store[name]; ok {
		return old, nil
	}
	if l.spent+share*l.rho > l.rho*(1+1e-9) {
		return nil, fmt.Errorf("private: the budget is spent: %s cannot be released any more", name)
	}
	if l.cut != nil {
		s = l.cut(s)
	}
	sigma := l.own * delta / math.Sqrt(2*share*l.rho)
	state, err := l.noised(ctx, name, s, sigma)
	if err != nil {
		return nil, err
	}
	l.spent += share * l.rho
	l.store[name] = state
	return state, nil
}

// noised adds up a sum, each place with noise of so much.
func (l *Ledger) noised(ctx context.Context, name string, s pass.Sum, sigma float64) ([]float64, error) {
	if release := l.run.Can().Release; release != nil {
		return release(ctx, fmt.Sprintf("%s with noise, %d", name, s.Len()), s, func(x []float64, seed [32]byte) {
			cover(x, sigma, rand.New(rand.NewChaCha8(seed)))
		})
	}
	state, err := pass.RunOne(ctx, l.run, s)
	if err == nil {
		cover(state, sigma, l.noise)
	}
	return state, err
}

// cover lays noise over numbers. Numbers of a machine betray by their last digits
// what was added up (Mironov 2012): only whole steps of a grid are left.
func cover(x []float64, sigma float64, noise *rand.Rand) {
	grid := math.Ldexp(1, int(math.Floor(math.Log2(sigma)))-gridBits)
	for i, v := range x {
		x[i] = math.Round((v+sigma*noise.NormFloat64())/grid) * grid
	}
}
