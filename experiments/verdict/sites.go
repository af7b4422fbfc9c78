package verdict

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"

	"github.com/moiety-go/moiety/experiments/lab"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/par"
)

// FromSites is the first seed of the table of verdicts by sums.
const FromSites = 182001

// Sites compares, on the same draws, the verdict of one machine that looks at
// records one by one with the verdict by sums that sites come to. Full uses six seeds
// and files of four sizes; MOIETY_LAWS names laws by their kind.
func Sites(ctx context.Context, w io.Writer, full bool) error {
	seeds, sizes := 1, []int{400, 2000}
	if full {
		seeds, sizes = 6, []int{150, 400, 2000, 20000}
	}
	for _, kind := range []struct {
		name string
		laws []Law
	}{
		{"presences and answers", append(Singles(), Structured()...)},
		{"measurements", append(MeasuredSingles(), MeasuredGroups()...)},
		{"counts", CountLaws()},
		{"genotypes", append(AlleleLaws(), oddly(oddAlleles())...)},
		{"documents", append(TextLaws(), oddly(oddTexts())...)},
		{"mixed columns", slices.Concat(MixedSingles(), MixedGroups(), oddly(oddMixed()))},
		{"sequences", slices.Concat(walking(Walks()), walking(OddWalks()), walking(PaceWalks()))},
	} {
		laws := without(kind.laws, func(l Law) bool { return !asked(kind.name, l.Name) })
		if len(laws) == 0 {
			continue
		}
		all, err := bothWays(ctx, laws, sizes, seedsFrom(ctx, FromSites, seeds))
		if err != nil {
			return err
		}
		lab.Heading(w, "The verdict by sums, as sites come to it, beside that of one machine: %s", kind.name)
		beside(all, sizes).Write(w)
		lab.Heading(w, "Where the two differ: %s", kind.name)
		t := lab.NewTable("law", "records", "seed", "groups", "one machine", "by sums")
		for _, x := range all {
			if x.one.Claim != x.sums.Claim {
				t.Add(x.one.Law.Name, x.one.N, x.one.Seed, x.one.Law.Groups, claimText(x.one), claimText(x.sums))
			}
		}
		t.Write(w)
	}
	return nil
}

// both is what two ways to look say of one draw.
type both struct{ one, sums Case }

// bothWays draws and judges.
func bothWays(ctx context.Context, laws []Law, sizes []int, seeds []uint64) ([]both, error) {
	var all []both
	for _, l := range laws {
		for _, n := range sizes {
			for _, s := range seeds {
				c := Case{Law: l, N: n, Seed: s}
				all = append(all, both{c, c})
			}
		}
	}
	err := par.Do(ctx, runtime.GOMAXPROCS(0), len(all), func(i int) error {
		x := &all[i]
		draw := x.one.Law.records(x.one.Seed, x.one.N)
		for double, c := range map[bool]*Case{false: &x.one, true: &x.sums} {
			data := draw()
			out, err := fit.Tree(ctx, data, fit.Settings{Seed: 1, Workers: 1, Double: double})
			if err != nil {
				return err
			}
			c.Claim, c.Range, c.Sure = out.Verdict.Groups, out.Verdict.Range, out.Verdict.Sure
		}
		return nil
	})
	return all, err
}

// records draws n records; what it returns gives them to a fit.
func (l Law) records(seed uint64, n int) func() fit.Training {
	if l.walk != nil {
		w := l.walk.Draw(seed, n)
		return func() fit.Training { data, _ := w.Data(0, n); return data }
	}
	d := l.Draw(seed, n)
	return func() fit.Training { data, _ := d.Data(); return data }
}

// walking makes laws of those of sequences.
func walking(list []Walk) []Law {
	var out []Law
	for _, w := range list {
		out = append(out, Law{Name: w.Name, Groups: w.States, Hard: w.Hard, walk: &w})
	}
	return out
}

// beside is the table of both.
func beside(all []both, sizes []int) *lab.Table {
	t := lab.NewTable("laws", "records", "draws", "right", "by sums", "too many", "by sums", "range holds", "by sums", "sure and wrong", "by sums", "same number", "same range")
	for _, kind := range kinds() {
		for _, n := range sizes {
			var one, sums []Case
			number, span := 0, 0
			for _, x := range all {
				if !kind.in(x.one.Law) || x.one.N != n {
					continue
				}
				one, sums = append(one, x.one), append(sums, x.sums)
				if x.one.Claim == x.sums.Claim {
					number++
				}
				if x.one.Range == x.sums.Range {
					span++
				}
			}
			if len(one) == 0 {
				continue
			}
			row := []any{kind.name, n, len(one)}
			for _, of := range []func(Case) bool{
				func(c Case) bool { return c.Claim == c.Law.Groups },
				func(c Case) bool { return c.Claim > c.Law.Groups },
				func(c Case) bool { return c.inside() },
				func(c Case) bool { return c.Sure && c.Claim != c.Law.Groups },
			} {
				row = append(row, many(one, of), many(sums, of))
			}
			t.Add(append(row, number, span)...)
		}
	}
	return t
}

// many counts cases.
func many(c []Case, of func(Case) bool) int {
	n := 0
	for _, x := range c {
		if of(x) {
			n++
		}
	}
	return n
}

// claimText is a claim with its range, and a mark where it is sure.
func claimText(c Case) string {
	text := fmt.Sprintf("%d (%d to %d)", c.Claim, c.Range[0], c.Range[1])
	if c.Sure {
		text += ", sure"
	}
	return text
}
