package gaussian

import (
	"fmt"
	"strings"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/normals"
	"github.com/moiety-go/moiety/record"
)

// Info implements family.Family.
func (Family) Info() family.Info {
	return family.Info{
		Name: "gaussian", Group: "group", Paper: "[L]", Example: "measures.csv -k 2 --covariance spherical",
		Joins: true,
		Words: "groups around a center (a mixture of spherical normal distributions)",
		Unit:  family.Only(family.Value),
		For:   []record.Kind{record.Real},
		Tree:  family.TreeHints{Steps: 20},
		Settings: []family.Setting{
			{Name: "variance", Help: "gaussian, spherical: own (default) or shared", Values: []string{"own", "shared"}},
			{Name: "covariance", Help: "gaussian: auto (default: by the evidence), spherical, common, diagonal, tied or full", Values: Covariances()},
		},
	}
}

// Info implements family.Family.
func (f Shaped) Info() family.Info {
	i := Family{}.Info()
	i.Joins = false // its starts look at records one by one
	i.Words = map[normals.Shape]string{
		normals.Common:   "groups around a center (a mixture of normal distributions with the same variances)",
		normals.Diagonal: "groups around a center, each feature with its own spread (a mixture of normal distributions with diagonal covariances)",
		normals.Tied:     "groups around a center in which features vary together in one way (a mixture of normal distributions with one full covariance)",
		normals.Own:      "groups around a center, each with its own spread and correlations (a mixture of normal distributions with full covariances)",
	}[f.shape]
	if len(f.logs) > 0 {
		i.Words += ", some features by their logarithms"
	}
	return i
}

// Covariances returns the words for the shape of components, the usual one first.
func Covariances() []string { return []string{"auto", Spherical, "common", "diagonal", "tied", "full"} }

// Spherical is the word for components that are round.
const Spherical = "spherical"

// ByName returns the family with covariances of that name: round ones, also where
// they are still to be chosen, with the options given.
func ByName(covariance string, logs []int, o Options) (family.Family, error) {
	if covariance == "" || covariance == "auto" || covariance == Spherical {
		return New(o), nil
	}
	for _, shape := range []normals.Shape{normals.Common, normals.Diagonal, normals.Tied, normals.Own} {
		if covariance == shape.String() {
			return NewShaped(shape, logs), nil
		}
	}
	return nil, fmt.Errorf("gaussian: unknown covariance %q, want one of %s", covariance, strings.Join(Covariances(), ", "))
}
