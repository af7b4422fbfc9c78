// Package hands lists the laws of all hands.
package hands

import (
	"cmp"
	"slices"

	"github.com/moiety-go/moiety/bank/biology"
	"github.com/moiety-go/moiety/bank/law"
	"github.com/moiety-go/moiety/bank/machines"
	"github.com/moiety-go/moiety/bank/simulators"
	"github.com/moiety-go/moiety/bank/split"
	"github.com/moiety-go/moiety/bank/surveys"
)

// Law is a law, whose it is, and the part of the bank that it belongs to.
type Law struct {
	law.Law
	Hand string
	Part split.Part
}

// All returns every law of every hand, hand by hand. A new hand has a line here.
func All() []Law {
	var all []Law
	all = append(all, of("biology", biology.Laws())...)
	all = append(all, of("machines", machines.Laws())...)
	all = append(all, of("simulators", simulators.Laws())...)
	all = append(all, of("surveys", surveys.Laws())...)
	return all
}

// of puts the laws of a hand into their parts.
func of(hand string, laws []law.Law) []Law {
	parts := split.Laws(hand, laws)
	list := make([]Law, len(laws))
	for i, l := range laws {
		list[i] = Law{Law: l, Hand: hand, Part: parts[l.Name]}
	}
	return list
}

// Sample returns about as many laws as size says, the same for ever: of every kind,
// single populations and groups, its share, but one at least.
func Sample(laws []Law, size int) []Law {
	if len(laws) <= size {
		return laws
	}
	sorted := slices.SortedFunc(slices.Values(laws), func(a, b Law) int {
		return cmp.Or(stratum(a, b), cmp.Compare(order(a), order(b)))
	})
	var some []Law
	for len(sorted) > 0 {
		next := slices.IndexFunc(sorted, func(l Law) bool { return stratum(l, sorted[0]) != 0 })
		if next < 0 {
			next = len(sorted)
		}
		share := (next*size + len(laws)/2) / len(laws)
		some = append(some, sorted[:max(1, share)]...)
		sorted = sorted[next:]
	}
	return some
}

// stratum orders laws by kind, single populations before groups.
func stratum(a, b Law) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(min(a.Groups, 2), min(b.Groups, 2)))
}

// order is a number by hand and name that has nothing to do with the parts.
func order(l Law) uint64 { return split.Hash("sample/"+l.Hand, l.Name) }
