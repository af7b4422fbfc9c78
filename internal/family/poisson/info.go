package poisson

import (
	"github.com/moiety-go/moiety/family"
)

// Info implements family.Family.
func (Family) Info() family.Info {
	return family.Info{
		Name: "poisson", Group: "group", Paper: "[T] ch. 1", Example: "counts.csv -k 3",
		Joins:       true,
		Words:       "groups in which every feature has its own average count (a mixture of Poisson counts)",
		Unit:        family.Only(family.Average),
		Plain:       true,
		SameMoments: true,
		EM:          family.EMHints{Quick: true},
	}
}
