package singletopic

import (
	"github.com/moiety-go/moiety/family"
)

// Info implements family.Family.
func (f *Family) Info() family.Info {
	return family.Info{
		Name: "single-topic", Group: "topic", Paper: "[T] §3.2", Example: "texts.txt --format lines -k 3",
		Joins:       true,
		Words:       "topics with their own frequencies of words, one topic a document",
		Unit:        family.Only(family.WordShare),
		Plain:       f.D.calm == nil,
		Extra:       map[string]family.Role{Calm: family.CountWeight},
		SameMoments: true,
		EM:          family.EMHints{Quick: true},
		Settings:    []family.Setting{family.Weights()},
	}
}
