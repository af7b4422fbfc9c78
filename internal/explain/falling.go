package explain

import (
	"cmp"
	"slices"
)

// place is where something stands in a list, and by what it is put in order.
type place struct {
	key float64
	at  int
}

// inOrder sorts places by falling key; equals stay in the order of their list.
func inOrder(places []place) {
	slices.SortFunc(places, func(x, y place) int { return cmp.Or(cmp.Compare(y.key, x.key), cmp.Compare(x.at, y.at)) })
}

// falling sorts a list by falling key; equals stay in their order. One sort does for lists
// of all types: a sort of each is 10 KB of the program.
func falling[T any](list []T, key func(T) float64) {
	places := make([]place, len(list))
	for i, x := range list {
		places[i] = place{key(x), i}
	}
	inOrder(places)
	was := slices.Clone(list)
	for i, p := range places {
		list[i] = was[p.at]
	}
}
