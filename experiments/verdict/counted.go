package verdict

import (
	"context"
	"fmt"
	"io"
	"runtime"

	"github.com/moiety-go/moiety/experiments/lab"
	"github.com/moiety-go/moiety/internal/par"
)

// countedFrom is the first seed of these tables: 9001 to 9004 showed that linked
// loci were not found well enough.
const countedFrom = 9501

// Counted prints the tables of counts, genotypes and documents, kind by kind. Full
// uses twenty seeds.
func Counted(ctx context.Context, w io.Writer, full bool) error {
	seeds, sizes := 4, []int{500, 2000}
	if full {
		seeds = 20
	}
	for _, list := range [][]Law{CountLaws(), AlleleLaws(), TextLaws()} {
		lab.Heading(w, "Laws of %s", list[0].Kind)
		var all []Case
		for _, n := range sizes {
			some, err := counted(ctx, list, lab.Seeds(ctx, countedFrom, seeds), n)
			if err != nil {
				return err
			}
			laws(w, some, []int{n})
			all = append(all, some...)
		}
		goals(w, all, sizes)
	}
	return nil
}

// counted judges every law at one size, on all cores, without the rivals.
func counted(ctx context.Context, list []Law, seeds []uint64, n int) ([]Case, error) {
	var todo []Case
	for _, l := range list {
		for _, s := range seeds {
			todo = append(todo, Case{Law: l, N: n, Seed: s})
		}
	}
	err := par.Do(ctx, runtime.GOMAXPROCS(0), len(todo), func(i int) error {
		if err := todo[i].measure(ctx); err != nil {
			return fmt.Errorf("%s, %d records, seed %d: %w", todo[i].Law.Name, n, todo[i].Seed, err)
		}
		return nil
	})
	return todo, err
}
