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
	rho   float64 // in all
	spent float64
	// times is the number of places that each add noise of their own.
	times float64
	noise *rand.Rand
	store map[string][]float64
}

// NewLedger returns the ledger of a budget over records of which each person is one.
// Noise comes from the system's source of randomness; with sites above one every
// site adds as much as one alone would.
func NewLedger(run pass.Runner, rho float64, sites int) (*Ledger, error) {
	var seed [32]byte
	if _, err := crand.Read(seed[:]); err != nil {
		return nil, err
	}
	return newLedger(run, rho, sites, rand.New(rand.NewChaCha8(seed))), nil
}

func newLedger(run pass.Runner, rho float64, sites int, noise *rand.Rand) *Ledger {
	return &Ledger{run: run, rho: rho, times: math.Sqrt(float64(max(sites, 1))), noise: noise, store: map[string][]float64{}}
}

// Spent returns what of the budget is spent, of 1.
func (l *Ledger) Spent() float64 { return l.spent / l.rho }

// sigma is the noise of a sum that one person changes by at most delta, for a share
// of the budget.
func (l *Ledger) sigma(delta, share float64) float64 {
	return l.times * delta / math.Sqrt(2*share*l.rho)
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
	state, err := pass.RunOne(ctx, l.run, s)
	if err != nil {
		return nil, err
	}
	l.spent += share * l.rho
	sigma := l.sigma(delta, share)
	// Numbers of a machine betray by their last digits what was added up (Mironov
	// 2012): only whole steps of a grid are released.
	grid := math.Ldexp(1, int(math.Floor(math.Log2(sigma)))-gridBits)
	for i, v := range state {
		state[i] = math.Round((v+sigma*l.noise.NormFloat64())/grid) * grid
	}
	l.store[name] = state
	return state, nil
}
