// Package machines holds laws of texts, of sensors and industry, of networks and
// logs, of finance and commerce, and of shapes that measurements take.
package machines

import (
	"slices"

	"github.com/moiety-go/moiety/bank/law"
)

// Laws is all laws of the hand.
func Laws() []law.Law {
	return slices.Concat(singleTexts(), groupedTexts(), shapeLaws(), sensorLaws(), networkLaws(), financeLaws())
}
