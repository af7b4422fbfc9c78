package multiview

import (
	"github.com/moiety-go/moiety/family"
)

// Info implements family.Family.
func (f *Family) Info() family.Info {
	return family.Info{
		Name: "multiview", Group: "group", Paper: "[T] ch. 1", Example: "views.csv -k 3 --views 'a*:b*:c*'",
		Joins: true,
		Words: "groups seen from several sides, with a distribution of their own on each",
		Unit:  f.unit,
		Views: true,
	}
}

func (f *Family) unit(h int) family.Unit {
	for _, v := range f.views {
		if v.From <= h && h < v.To {
			return v.Family.Info().Unit(h - v.From)
		}
	}
	return family.Share
}
