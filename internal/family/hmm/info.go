package hmm

import (
	"github.com/moiety-go/moiety/family"
)

// Info implements family.Family.
func (f Family) Info() family.Info {
	unit := family.Only(family.Share)
	if f.o.Emission == Gaussian {
		unit = family.Only(family.Value)
	}
	if f.o.Of != nil {
		unit = f.o.Of.Info().Unit
	}
	return family.Info{
		Name: "hmm", Group: "state", Paper: "[T] ch. 1", Example: "steps.csv --format sequences --id id --time t --code code -k 2",
		Joins:     true,
		Words:     "hidden states that follow each other in time (a hidden Markov model)",
		Unit:      unit,
		Sequences: true,
		Symbols:   f.o.Of == nil && f.o.Emission == Discrete,
		Extra:     map[string]family.Role{TransitionOf: family.Transitions, InitialOf: family.Starts},
	}
}
