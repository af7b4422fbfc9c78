package verdict

import (
	"context"
	"io"
	"slices"
)

// largeFrom is the first seed of many records; none chose a constant.
const largeFrom = 120001

// Large prints what is claimed of single populations of every kind in many records,
// where a law that is a little wrong is found out. Full has 50,000 records too.
func Large(ctx context.Context, w io.Writer, full bool) error {
	sizes := []int{20000}
	if full {
		sizes = append(sizes, 50000)
	}
	var list []Law
	for _, p := range parts() {
		list = append(list, p.laws...)
	}
	list = without(slices.Concat(list, WildSingles(), LaterLaws()), func(l Law) bool { return l.Groups > 1 })
	return tabled(ctx, w, list, seedsFrom(ctx, largeFrom, 2), sizes)
}
