package exponential

import (
	"github.com/moiety-go/moiety/family"
)

// Info implements family.Family.
func (Family) Info() family.Info {
	return family.Info{
		Name: "exponential", Group: "group", Paper: "[T] ch. 1", Example: "waits.csv -k 2",
		Joins:       true,
		Words:       "groups in which every feature has its own average (a mixture of exponential measurements)",
		Unit:        family.Only(family.Value),
		Plain:       true,
		SameMoments: true,
	}
}
