package gaussian

import (
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/record"
)

// Info implements family.Family.
func (Family) Info() family.Info {
	return family.Info{
		Name: "gaussian", Group: "group", Paper: "[L]",
		Words:    "groups around a center (a mixture of spherical normal distributions)",
		Unit:     family.Only(family.Value),
		For:      []record.Kind{record.Real},
		Tree:     family.TreeHints{Steps: 20},
		Settings: []family.Setting{{Name: "variance", Help: "gaussian: own (default) or shared", Values: []string{"own", "shared"}}},
	}
}
