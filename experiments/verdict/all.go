// Package verdict measures how often the number of groups that the product
// claims is the right one, and how well it then places records: laws of every kind
// whose number of groups is known, single populations of many shapes among them,
// and labelled sets, beside other tools that choose a number by themselves.
//
// Command: go run -C experiments . verdict
//
// Seeds below 1000 chose the constants of the rules; the tables use seeds from
// 9001 on, which nobody looked at before the rules were finished. Which sets were
// looked at while building stands with every part. verdict-discrete, -measured,
// -mixed, -counted, -sequences and -fresh print the parts law by law.
//
// Ours: docs/results.md, "How many groups, and how sure".
package verdict

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"

	"github.com/moiety-go/moiety/experiments/lab"
)

// part is one kind of records, its laws, the first seed of its tables and its sizes.
type part struct {
	name  string
	laws  []Law
	walks []Walk
	from  uint64
	sizes []int
}

func parts() []part {
	discrete := append(Singles(), Structured()...)
	answers := func(l Law) bool { return l.Draw(1, 2).Answers > 2 }
	list := []part{
		{name: "presences", laws: without(discrete, answers), from: From},
		{name: "answers", laws: without(discrete, func(l Law) bool { return !answers(l) }), from: From},
		{name: "counts", laws: CountLaws(), from: countedFrom},
		{name: "genotypes", laws: AlleleLaws(), from: countedFrom},
		{name: "documents", laws: TextLaws(), from: countedFrom},
		{name: "measurements", laws: append(MeasuredSingles(), MeasuredGroups()...), from: From},
		{name: "mixed columns", laws: append(MixedSingles(), MixedGroups()...), from: From},
		{name: "all kinds, fresh", laws: FreshLaws(), from: FreshFrom},
	}
	for i := range list {
		list[i].sizes = sizesOr(peerRecords, 2000)
	}
	return append(list, part{name: "sequences", walks: Walks(), from: From, sizes: []int{60, 400}})
}

// asked reports that a law of a part is wanted: all are, or those of which "part: law"
// matches the expression MOIETY_LAWS.
func asked(part, law string) bool {
	want, err := regexp.Compile(os.Getenv("MOIETY_LAWS"))
	return err == nil && want.MatchString(part+": "+law)
}

// draws are those of a part at one size.
func (p part) draws(seeds []uint64, n int) []Case {
	var out []Case
	for _, s := range seeds {
		for _, l := range p.laws {
			if !asked(p.name, l.Name) {
				continue
			}
			out = append(out, Case{Law: l, N: n, Seed: s})
		}
		for _, w := range p.walks {
			if !asked(p.name, w.Name) {
				continue
			}
			out = append(out, Case{Law: Law{Name: w.Name, Groups: w.States, Hard: w.Hard, Kind: "sequences"}, N: n, Seed: s, walk: &w})
		}
	}
	return out
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
	t := lab.NewTable("records", "number", "one population: left whole", "groups: right", "too many", "range holds", "ARI", "ARI told", "its width", "overlapping or small: right", "their range holds", "sure", "sure and right")
	list := parts()
	var all []Case
	for _, p := range list {
		for _, n := range p.sizes {
			all = append(all, p.draws(seedsFrom(ctx, p.from, seeds), n)...)
		}
	}
	if err := judgeAll(ctx, all); err != nil {
		return err
	}
	var few []Case
	var size [2][]Case
	rest, judged := all, 0
	for _, p := range list {
		for i, n := range p.sizes {
			m := len(p.draws(seedsFrom(ctx, p.from, seeds), n))
			some := done(rest[:m])
			if len(some) > 0 {
				row(t, p.name, n, some)
			}
			judged += len(some)
			size[i] = append(size[i], some...)
			for _, c := range some {
				if c.Claim != c.Law.Groups {
					few = append(few, c)
				}
			}
			rest = rest[m:]
		}
	}
	for i, name := range []string{"few", "many"} {
		row(t, "all kinds", name, size[i])
	}
	t.Write(w)
	fmt.Fprintf(w, "%d of %d draws were judged.\n\n", judged, len(all))
	wrong(w, few)
	if newPeers(ctx).python == "" {
		fmt.Fprintf(w, "Other tools and labelled sets: go run -C experiments . verdict-peers (set MOIETY_PYTHON).\n\n")
		return nil
	}
	return Peers(ctx, w, full)
}

// wrong prints the laws of which a number was claimed that is not theirs.
func wrong(w io.Writer, all []Case) {
	slices.SortStableFunc(all, byLaw)
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

// byLaw puts the draws of a law and size beside each other.
func byLaw(a, b Case) int {
	return cmp.Or(cmp.Compare(a.Law.Kind, b.Law.Kind), cmp.Compare(a.Law.Name, b.Law.Name), cmp.Compare(a.N, b.N))
}

// peerRecords is the size of the draws that other tools see: the first of every law.
const peerRecords = 500

// Peers prints what other tools claim of the first draw of every law, and of labelled
// sets, beside what is claimed here.
func Peers(ctx context.Context, w io.Writer, _ bool) error {
	draws := newPeers(ctx)
	for _, p := range parts() {
		if p.walks != nil { // nobody else answers
			continue
		}
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
	all := p.draws(seeds, n)
	err := judgeAll(ctx, all)
	all = done(all)
	slices.SortStableFunc(all, func(a, b Case) int { return cmp.Compare(at(p.laws, a), at(p.laws, b)) })
	return all, err
}

func at(laws []Law, c Case) int {
	return slices.IndexFunc(laws, func(l Law) bool { return l.Name == c.Law.Name })
}

// judgeAll judges draws on all cores, but for those that were judged before.
func judgeAll(ctx context.Context, all []Case) error {
	kept, err := openLedger()
	if err != nil {
		return err
	}
	return inPieces(ctx, len(all), func(i int) uint64 { return all[i].Seed }, func(ctx context.Context, i int) error {
		c := &all[i]
		if kept.take(c) {
			return nil
		}
		next := *c
		if err := next.judge(ctx); err != nil {
			return fmt.Errorf("%s, %d records, seed %d: %w", c.Law.Name, c.N, c.Seed, err)
		}
		*c = next
		return kept.put(next)
	})
}

// row adds what was claimed of the draws of one size.
func row(t *lab.Table, name string, n any, all []Case) {
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
		count(clear, Case.inside), mean(clear, func(x Case) float64 { return x.ARI }), mean(clear, func(x Case) float64 { return x.Given }),
		width(clear), count(hard, right), count(hard, Case.inside), count(all, sure), count(all, func(x Case) bool { return x.Sure && right(x) }))
}
