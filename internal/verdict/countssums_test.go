package verdict_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/internal/verdict"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/pass/passtest"
	"github.com/moiety-go/moiety/sparse"
)

// Counts and genotypes at three uneven sites, one of them empty, are told what one machine says that
// judges by sums: groups, and one population.
func TestCountedSitesSayTheSame(t *testing.T) {
	for i, c := range []struct {
		name   string
		rows   sparse.Rows
		trials int
		groups int
	}{
		{"groups", synth.PoissonMixture(3, 700, 20, 3, 60).Rows, 0, 3},
		{"one population", synth.PoissonMixture(3, 500, 20, 1, 60).Rows, 0, 1},
		{"sets that were not asked for", panels(1, 600, 1), 0, 1},
		{"genotypes, some missing", copies(3, 300, numtest.Scale(100, 200, 200), 3, 0, .1), 2, 3},
		{"genotypes of one population, linked", copies(2, 300, 200, 1, 10, 0), 2, 1},
	} {
		if testing.Short() && i != 3 {
			continue // counts below a largest one, some missing, are the hardest
		}
		rows, n := c.rows, c.rows.N()
		want, err := verdict.Counts(t.Context(), pass.Double(pass.NewLocal(rows, 1)), c.trials, verdict.Settings{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if want.Groups != c.groups {
			t.Errorf("%s: %s", c.name, words(want))
		}
		var rounds, numbers atomic.Int64
		err = passtest.SplitAt(rows, nil, []int{n * 6 / 10, n * 6 / 10, n}, 1).Each(t.Context(), func(ctx context.Context, place int, r pass.Runner) error {
			got, err := verdict.Counts(ctx, counting{r, &rounds, &numbers}, c.trials, verdict.Settings{Seed: 1})
			if err == nil && words(got) != words(want) {
				t.Errorf("%s: site %d says %s; one machine %s", c.name, place, words(got), words(want))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if a := rounds.Load() / 3; a > 600 {
			t.Errorf("%s: %d rounds", c.name, a)
		}
		t.Logf("%s: %s; %d rounds, %d numbers a site", c.name, words(want), rounds.Load()/3, numbers.Load()/3)
	}
}
