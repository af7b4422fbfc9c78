// Package biology holds laws of the life sciences: population genetics, ecology,
// clinical medicine, genomics, neuroscience and physiology.
package biology

import (
	"slices"

	"github.com/moiety-go/moiety/bank/law"
)

// Laws are all the laws of this hand.
func Laws() []law.Law {
	return slices.Concat(
		populationGenetics(),
		ecologicalCounts(),
		ecologicalPresences(),
		genomics(),
		clinicalCodes(),
		clinicalMeasurements(),
		clinicalMixed(),
		physiology(),
	)
}
