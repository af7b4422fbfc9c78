package verdict

import (
	"context"
	"fmt"
	"io"
	"math"
	"runtime"

	"github.com/moiety-go/moiety/experiments/lab"
	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/read"
	"github.com/moiety-go/moiety/record"
)

// From is the first seed of the tables.
const From = 9001

// Discrete prints the tables of presences and answers, law by law. Full uses
// twenty seeds and more sizes.
func Discrete(ctx context.Context, w io.Writer, full bool) error {
	seeds, sizes := 3, []int{400, 2000}
	if full {
		seeds, sizes = 20, []int{150, 400, 2000, 20000}
	}
	all, err := Measure(ctx, append(Singles(), Structured()...), lab.Seeds(ctx, From, seeds), sizes)
	if err != nil {
		return err
	}
	laws(w, all, sizes)
	goals(w, all, sizes)
	return realSets(ctx, w)
}

// Measured prints the tables of measurements. Full uses twenty seeds up to 2,000
// records and six beyond.
func Measured(ctx context.Context, w io.Writer, full bool) error {
	seeds, sizes := 2, []int{400, 2000}
	if full {
		seeds, sizes = 20, []int{150, 400, 2000}
	}
	list := append(MeasuredSingles(), MeasuredGroups()...)
	all, err := Measure(ctx, list, lab.Seeds(ctx, From, seeds), sizes)
	if err != nil {
		return err
	}
	if full {
		const many, few = 20000, 6
		large, err := Measure(ctx, list, lab.Seeds(ctx, From, few), []int{many})
		if err != nil {
			return err
		}
		all, sizes = append(all, large...), append(sizes, many)
	}
	laws(w, all, sizes)
	goals(w, all, sizes)
	return measuredSets(ctx, w)
}

// MixedColumns prints the tables of mixed columns.
func MixedColumns(ctx context.Context, w io.Writer, full bool) error {
	seeds, sizes := 2, []int{400, 2000}
	if full {
		seeds, sizes = 20, []int{150, 400, 2000}
	}
	all, err := Measure(ctx, append(MixedSingles(), MixedGroups()...), lab.Seeds(ctx, From, seeds), sizes)
	if err != nil {
		return err
	}
	laws(w, all, sizes)
	goals(w, all, sizes)
	return sets(ctx, w, []realSet{{"zoo (7 classes)", []string{"classics", "zoo.csv"}, read.Options{Reading: record.Reading{Label: []string{"type"}}}, "type"}})
}

// Measure draws and judges every law at every size, on all cores.
func Measure(ctx context.Context, list []Law, seeds []uint64, sizes []int) ([]Case, error) {
	var todo []Case
	for _, l := range list {
		for _, n := range sizes {
			for at, s := range seeds {
				todo = append(todo, Case{Law: l, N: n, Seed: s, rival: at < rivalSeeds && n <= rivalRecords})
			}
		}
	}
	err := par.Do(ctx, runtime.GOMAXPROCS(0), len(todo), func(i int) error {
		if err := todo[i].measure(ctx); err != nil {
			return fmt.Errorf("%s, %d records, seed %d: %w", todo[i].Law.Name, todo[i].N, todo[i].Seed, err)
		}
		return nil
	})
	return todo, err
}

// The rivals are measured on few draws: they are there to be compared with.
const (
	rivalSeeds   = 3
	rivalRecords = 2000
)

// laws prints one line for every law and size.
func laws(w io.Writer, all []Case, sizes []int) {
	for _, n := range sizes {
		lab.Heading(w, "%d records: groups claimed", n)
		t := lab.NewTable("law", "groups", "verdict", "tree before", "BIC", "ARI", "ARI told", "range holds", "sure")
		for at := 0; at < len(all); {
			end := at
			for end < len(all) && all[end].Law.Name == all[at].Law.Name && all[end].N == all[at].N {
				end++
			}
			if all[at].N == n {
				c := all[at:end]
				t.Add(c[0].Law.Name, c[0].Law.Groups, list(c, func(x Case) int { return x.Claim }), list(c, func(x Case) int { return x.Before }),
					list(c, func(x Case) int { return x.BIC }), mean(c, func(x Case) float64 { return x.ARI }), mean(c, func(x Case) float64 { return x.Given }),
					count(c, func(x Case) bool { return x.inside() }), count(c, func(x Case) bool { return x.Sure }))
			}
			at = end
		}
		t.Write(w)
	}
}

// list writes numbers, equal ones once with how often they come.
func list(c []Case, of func(Case) int) string {
	text := ""
	for at := 0; at < len(c); {
		end := at
		for end < len(c) && of(c[end]) == of(c[at]) {
			end++
		}
		v := of(c[at])
		word := fmt.Sprint(v)
		if v == 0 {
			word = "–"
		}
		if v == 0 && at > 0 {
			break
		}
		if end-at > 1 && v > 0 {
			word += fmt.Sprintf("×%d", end-at)
		}
		if text != "" {
			text += " "
		}
		text += word
		at = end
	}
	return text
}

func mean(c []Case, of func(Case) float64) string {
	if len(c) == 0 {
		return "–"
	}
	sum := 0.0
	for _, x := range c {
		sum += of(x)
	}
	if c[0].Law.Groups == 1 || math.IsNaN(sum) {
		return "–"
	}
	return fmt.Sprintf("%.2f", sum/float64(len(c)))
}

func count(c []Case, of func(Case) bool) string {
	n := 0
	for _, x := range c {
		if of(x) {
			n++
		}
	}
	return fmt.Sprintf("%d of %d", n, len(c))
}

// width is how many other numbers can be defended, in the mean.
func width(c []Case) string {
	sum := 0
	for _, x := range c {
		sum += x.Range[1] - x.Range[0]
	}
	return fmt.Sprintf("%.2f", float64(sum)/max(float64(len(c)), 1))
}

// kind is a kind of laws.
type kind struct {
	name string
	in   func(Law) bool
}

func kinds() []kind {
	return []kind{
		{"single populations", func(l Law) bool { return l.Groups == 1 }},
		{"groups, well separated", func(l Law) bool { return l.Groups > 1 && !l.Hard }},
		{"groups that overlap or are small", func(l Law) bool { return l.Hard }},
	}
}

// goals prints the figures that the product wants to reach.
func goals(w io.Writer, all []Case, sizes []int) {
	lab.Heading(w, "All laws together")
	t := lab.NewTable("laws", "records", "right", "too many", "range holds", "its width", "tree before: right", "BIC: right", "ARI", "ARI told", "sure", "sure and right", "third sample alike")
	for _, kind := range kinds() {
		for _, n := range sizes {
			var c, rivals []Case
			for _, x := range all {
				if kind.in(x.Law) && x.N == n {
					c = append(c, x)
					if x.rival {
						rivals = append(rivals, x)
					}
				}
			}
			sure := count(c, func(x Case) bool { return x.Sure && x.Claim == x.Law.Groups })
			t.Add(kind.name, n, count(c, func(x Case) bool { return x.Claim == x.Law.Groups }),
				count(c, func(x Case) bool { return x.Claim > x.Law.Groups }), count(c, Case.inside), width(c),
				count(rivals, func(x Case) bool { return x.Before == x.Law.Groups }), count(rivals, func(x Case) bool { return x.BIC == x.Law.Groups }),
				mean(c, func(x Case) float64 { return x.ARI }), mean(c, func(x Case) float64 { return x.Given }),
				count(c, func(x Case) bool { return x.Sure }), sure,
				count(c, func(x Case) bool { return x.Sure && x.Alike }))
		}
	}
	t.Write(w)
	cpu := map[int]lab.Series{}
	for _, x := range all {
		cpu[x.N] = append(cpu[x.N], x.Seconds)
	}
	for _, n := range sizes {
		fmt.Fprintf(w, "%d records: a fit without a size takes %.2f s on one core in the mean.\n", n, cpu[n].Mean())
	}
	fmt.Fprintln(w)
}
