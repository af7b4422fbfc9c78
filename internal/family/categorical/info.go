package categorical

import (
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/record"
)

// Info implements family.Family.
func (Family) Info() family.Info {
	return family.Info{
		Name: "categorical", Group: "group", Paper: "[T] ch. 4", Example: "answers.csv -k 2",
		Joins:   true,
		Words:   "groups in which every question has its own frequencies of answers (latent class analysis)",
		Unit:    family.Only(family.Share),
		Plain:   true,
		For:     []record.Kind{record.Categorical},
		Missing: true,
		EM:      family.EMHints{Quick: true},
	}
}
