package binomial

import (
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/vocab"
)

// Info implements family.Family.
func (Family) Info() family.Info {
	return family.Info{
		Name: "binomial", Group: "group", Paper: "[T] ch. 1", Example: "counts.csv -k 3",
		Joins:  true,
		Words:  "groups in which every feature has its own chance in a number of trials (a mixture of binomial counts)",
		Unit:   family.Only(family.Average),
		For:    []record.Kind{record.Counts},
		System: vocab.Genotypes,
		EM:     family.EMHints{Quick: true},
		Extra:  map[string]family.Role{Trials: family.Trials},
		Settings: []family.Setting{
			{Name: "trials", Help: "binomial: how many trials every count is of: a number, or moments to have it estimated ([L]); the largest count if left out"},
		},
	}
}
