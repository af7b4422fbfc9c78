// Package verdict measures how often the number of groups that the product
// claims is the right one, and how well it then places records: laws of every kind
// whose number of groups is known, single populations of many shapes among them,
// and labelled sets, beside other tools that choose a number by themselves.
//
// Command: go run ./experiments verdict
//
// Seeds below 1000 chose the constants of the rules; the tables use seeds from
// 9001 on, which nobody looked at before the rules were finished. Which sets were
// looked at while building stands with every part. verdict-discrete, -measured,
// -mixed, -counted, -sequences and -fresh print the parts law by law.
//
// Ours: docs/results.md, "How many groups, and how sure".
package verdict

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"

	"github.com/moiety-go/moiety/experiments/lab"
	"github.com/moiety-go/moiety/internal/par"
)

// part is one kind of records, its laws, and the first seed of its tables.
type part struct {
	name string
	laws []Law
	from uint64
}

func parts() []part {
	discrete := append(Singles(), Structured()...)
	answers := func(l Law) bool { return l.Draw(1, 2).Answers > 2 }
	return []part{
		{"presences", without(discrete, answers), From},
		{"answers", without(discrete, func(l Law) bool { return !answers(l) }), From},
		{"counts", CountLaws(), countedFrom},
		{"genotypes", AlleleLaws(), countedFrom},
		{"documents", TextLaws(), countedFrom},
		{"measurements", append(MeasuredSingles(), MeasuredGroups()...), From},
		{"mixed columns", append(MixedSingles(), MixedGroups()...), From},
		{"all kinds, fresh", FreshLaws(), FreshFrom},
	}
}

func without(list []Law, drop func(Law) bool) []Law {
	return slices.DeleteFunc(slices.Clone(list), drop)
}

// Run prints one table over all kinds of records, then what Peers prints. Full uses
// twenty seeds.
func Run(ctx context.Context, w io.Writer, full bool) error {
	seeds := 1
	if full {
		seeds = 20
	}
	lab.Heading(w, "Laws of every kind: groups claimed")
	t := lab.NewTable("records", "number", "one population: left whole", "groups: right", "too many", "range holds", "ARI", "ARI told", "overlapping or small: right", "sure", "sure and right")
	var few []Case
	for _, p := range parts() {
		for _, n := range []int{peerRecords, 2000} {
			all, err := judgedAt(ctx, p, lab.Seeds(ctx, firstSeed(p.from), seeds), n)
			if err != nil {
				return err
			}
			row(t, p.name, n, all)
			for _, c := range all {
				if c.Claim != c.Law.Groups {
					few = append(few, c)
				}
			}
		}
	}
	if err := walkRows(ctx, t, seeds); err != nil {
		return err
	}
	t.Write(w)
	wrong(w, few)
	if newPeers(ctx).python == "" {
		fmt.Fprintf(w, "Other tools and labelled sets: go run ./experiments verdict-peers (set MOIETY_PYTHON).\n\n")
		return nil
	}
	return Peers(ctx, w, full)
}

// wrong prints the laws of which a number was claimed that is not theirs.
func wrong(w io.Writer, all []Case) {
	lab.Heading(w, "Where the number was not the right one")
	t := lab.NewTable("law", "number", "groups", "claimed", "of these sure")
	for at := 0; at < len(all); {
		end := at
		for end < len(all) && all[end].Law.Name == all[at].Law.Name && all[end].N == all[at].N {
			end++
		}
		c := all[at:end]
		t.Add(c[0].Law.Name, c[0].N, c[0].Law.Groups, list(c, func(x Case) int { return x.Claim }), count(c, func(x Case) bool { return x.Sure }))
		at = end
	}
	t.Write(w)
}

// peerRecords is the size of the draws that other tools see: the first of every law.
const peerRecords = 500

// Peers prints what other tools claim of the first draw of every law, and of labelled
// sets, beside what is claimed here.
func Peers(ctx context.Context, w io.Writer, _ bool) error {
	draws := newPeers(ctx)
	for _, p := range parts() {
		all, err := judgedAt(ctx, p, lab.Seeds(ctx, p.from, 1), peerRecords)
		if err != nil {
			return err
		}
		if err := draws.add(p.name, all); err != nil {
			return err
		}
	}
	if err := draws.table(ctx, w, peerRecords); err != nil {
		return err
	}
	return labelled(ctx, w)
}

// judgedAt judges all draws of a part at one size, on all cores.
func judgedAt(ctx context.Context, p part, seeds []uint64, n int) ([]Case, error) {
	var todo []Case
	for _, l := range p.laws {
		for _, s := range seeds {
			todo = append(todo, Case{Law: l, N: n, Seed: s})
		}
	}
	err := par.Do(ctx, runtime.GOMAXPROCS(0), len(todo), func(i int) error {
		if err := todo[i].judge(ctx); err != nil {
			return fmt.Errorf("%s, %d records, seed %d: %w", todo[i].Law.Name, n, todo[i].Seed, err)
		}
		return nil
	})
	return todo, err
}

// row adds what was claimed of the draws of one size.
func row(t *lab.Table, name string, n int, all []Case) {
	in := kinds()
	split := make([][]Case, len(in))
	for _, c := range all {
		for i, k := range in {
			if k.in(c.Law) {
				split[i] = append(split[i], c)
				break
			}
		}
	}
	one, clear, hard := split[0], split[1], split[2]
	right := func(x Case) bool { return x.Claim == x.Law.Groups }
	sure := func(x Case) bool { return x.Sure }
	t.Add(name, n, count(one, right), count(clear, right), count(clear, func(x Case) bool { return x.Claim > x.Law.Groups }),
		count(clear, Case.inside), mean(clear, func(x Case) float64 { return x.ARI }), mean(clear, func(x Case) float64 { return x.Told }),
		count(hard, right), count(all, sure), count(all, func(x Case) bool { return x.Sure && right(x) }))
}

// walkRows adds the rows of sequences.
func walkRows(ctx context.Context, t *lab.Table, seeds int) error {
	for _, n := range []int{60, 400} {
		all, err := MeasureWalks(ctx, Walks(), lab.Seeds(ctx, From, seeds), []int{n})
		if err != nil {
			return err
		}
		var one, clear, hard []Walking
		for _, x := range all {
			switch {
			case x.Walk.States == 1:
				one = append(one, x)
			case x.Walk.Hard:
				hard = append(hard, x)
			default:
				clear = append(clear, x)
			}
		}
		t.Add("sequences", n, walkCount(one, Walking.right), walkCount(clear, Walking.right),
			walkCount(clear, func(x Walking) bool { return x.Verdict.Groups > x.Walk.States }), walkCount(clear, Walking.inside), walkMean(clear), "–",
			walkCount(hard, Walking.right), walkCount(all, Walking.sure), walkCount(all, func(x Walking) bool { return x.sure() && x.right() }))
	}
	return nil
}
