// Package simulators holds the benchmarks and simulators by which the literature of
// clustering, latent class analysis and mixture modelling judges its methods. Each
// is written anew from its published description.
package simulators

import "github.com/moiety-go/moiety/bank/law"

// Laws returns the laws of this hand.
func Laws() []law.Law {
	var all []law.Law
	for _, part := range [][]law.Law{
		clusterLaws(), shapeLaws(), componentLaws(), continuousLaws(), growthLaws(),
		itemLaws(), classLaws(), presenceLaws(), countLaws(), genotypeLaws(),
		textLaws(), seriesLaws(), mixedLaws(),
	} {
		all = append(all, part...)
	}
	return all
}
