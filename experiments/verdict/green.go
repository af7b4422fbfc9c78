package verdict

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/moiety-go/moiety/experiments/lab"
	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/assign"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/par"
)

// Pair are two independent samples of one law, what was claimed of each, and how
// alike the two place a third.
type Pair struct {
	Law  Law
	N    int
	Seed uint64

	Of    [2]*fit.Outcome
	Alike float64 // agreement about the third sample (ARI)
}

// GreenFrom is the first seed of the pairs; none chose a constant.
const GreenFrom = 140001

// alike is the agreement from which a third sample is placed alike.
const alike = .9

// kept reports that both samples gave the same number of groups and place the
// third alike: what green promises.
func (p Pair) kept() bool { return p.Of[0].K() == p.Of[1].K() && p.Alike >= alike }

// Green measures what the green light promises of records of every kind: where the
// first sample is sure, a second one of the same size gives the same number of groups,
// and both place a third alike. One seed makes about 400 pairs; full uses three.
func Green(ctx context.Context, w io.Writer, full bool) error {
	seeds, sizes := 1, []int{peerRecords, 2000}
	if full {
		seeds = 3
	}
	var list []Law
	for _, p := range parts() {
		list = append(list, p.laws...)
	}
	all, err := Pairs(ctx, list, lab.Seeds(ctx, firstSeed(GreenFrom), seeds), sizes)
	if err != nil {
		return err
	}
	greenTable(w, all, sizes)
	if name := os.Getenv("MOIETY_PAIRS"); name != "" {
		return os.WriteFile(name, []byte(pairLines(all)), 0o644)
	}
	return nil
}

// firstSeed is the one of MOIETY_SEED, where other draws are wanted than the usual.
func firstSeed(usual uint64) uint64 {
	if n, err := strconv.ParseUint(os.Getenv("MOIETY_SEED"), 10, 64); err == nil {
		return n
	}
	return usual
}

// Pairs draws and judges pairs of every law and size, on all cores.
func Pairs(ctx context.Context, list []Law, seeds []uint64, sizes []int) ([]Pair, error) {
	var todo []Pair
	for _, s := range seeds {
		for _, n := range sizes {
			for _, l := range list {
				todo = append(todo, Pair{Law: l, N: n, Seed: s})
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

func (p *Pair) measure(ctx context.Context) error {
	all := p.Law.Draw(p.Seed, 3*p.N)
	third, _ := all.part(2*p.N, 3*p.N).Data()
	var placed [2][]int
	for i := range p.Of {
		data, _ := all.part(i*p.N, (i+1)*p.N).Data()
		o, err := fit.Tree(ctx, data, fit.Settings{Seed: 1, Workers: 1})
		if err != nil {
			return err
		}
		f, err := o.Model.Spec.Family(o.Model.Vocab)
		if err != nil {
			return err
		}
		a, err := assign.All(ctx, f, o.Model.Params, third.Run)
		if err != nil {
			return err
		}
		o.Group, o.Probability = nil, nil
		p.Of[i], placed[i] = o, lab.Ints(a.Group)
	}
	var err error
	p.Alike, err = agree.ARI(placed[0], placed[1])
	if p.Of[0].K() == 1 && p.Of[1].K() == 1 {
		p.Alike = 1
	}
	return err
}

// greenTable counts the promises that were kept.
func greenTable(w io.Writer, all []Pair, sizes []int) {
	lab.Heading(w, "Where the light is green: a second sample says the same, and both place a third alike")
	t := lab.NewTable("laws", "records", "pairs", "green", "promise kept", "number right", "not green, and kept")
	for _, kind := range kinds() {
		for _, n := range sizes {
			pairs, green, kept, right, other := 0, 0, 0, 0, 0
			for _, p := range all {
				if !kind.in(p.Law) || p.N != n {
					continue
				}
				pairs++
				switch sure := p.Of[0].Verdict.Sure; {
				case !sure && p.kept():
					other++
				case sure:
					green++
					if p.kept() {
						kept++
					}
					if p.Of[0].K() == p.Law.Groups {
						right++
					}
				}
			}
			t.Add(kind.name, n, pairs, green, kept, right, other)
		}
	}
	t.Write(w)
}

// pairLines are all pairs as a table of tabs.
func pairLines(all []Pair) string {
	var b strings.Builder
	b.WriteString("law\ttruth\thard\tn\tseed\talike")
	for i := range 2 {
		fmt.Fprintf(&b, "\tk%[1]d\tlow%[1]d\thigh%[1]d\tsure%[1]d\trepeat%[1]d\tnats%[1]d\terr%[1]d\tfewer%[1]d\tfewererr%[1]d\tfeatures%[1]d\tcomp%[1]d\tleast%[1]d\tkind%[1]d\tagainst%[1]d", i)
	}
	b.WriteByte('\n')
	for _, p := range all {
		fmt.Fprintf(&b, "%s\t%d\t%v\t%d\t%d\t%.4f", p.Law.Name, p.Law.Groups, p.Law.Hard, p.N, p.Seed, p.Alike)
		for _, o := range p.Of {
			v := o.Verdict
			f, e := 0.0, 0.0
			if v.Fewer != nil {
				f, e = v.Fewer.Nats, v.Fewer.Error
			}
			var codes []string
			for _, d := range v.Against {
				codes = append(codes, d.Code)
			}
			fmt.Fprintf(&b, "\t%d\t%d\t%d\t%v\t%.3f\t%.0f\t%.0f\t%.0f\t%.0f\t%.0f\t%d\t%.4f\t%s\t%s", o.K(), v.Range[0], v.Range[1], v.Sure, v.Repeat,
				v.Evidence.Nats, v.Evidence.Error, f, e, v.Features, v.Components, slices.Min(o.Model.Params.Weights), v.Continuum, strings.Join(codes, ","))
		}
		b.WriteByte('\n')
	}
	return b.String()
}
