package verdict

import (
	"context"
	"io"
	"slices"

	"github.com/moiety-go/moiety/experiments/lab"
)

// largeFrom is the first seed of many records; none chose a constant.
const largeFrom = 120001

// Large prints what is claimed of single populations of every kind in many records,
// where a law that is a little wrong is found out. Full has 50,000 records too.
func Large(ctx context.Context, w io.Writer, full bool) error {
	seeds, sizes := 2, []int{20000}
	if full {
		sizes = append(sizes, 50000)
	}
	var list []Law
	for _, p := range parts() {
		list = append(list, p.laws...)
	}
	list = without(slices.Concat(list, WildSingles(), LaterLaws()), func(l Law) bool { return l.Groups > 1 })
	var all []Case
	for _, n := range sizes {
		some, err := judgedAt(ctx, part{laws: list}, lab.Seeds(ctx, firstSeed(largeFrom), seeds), n)
		if err != nil {
			return err
		}
		all = append(all, some...)
	}
	laws(w, all, sizes)
	goals(w, all, sizes)
	return nil
}
