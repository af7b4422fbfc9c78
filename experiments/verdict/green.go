package verdict

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/moiety-go/moiety/experiments/lab"
	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/assign"
	"github.com/moiety-go/moiety/internal/fit"
)

// Pair are two independent samples of one law, what was claimed of each, and how
// alike the two place a third.
type Pair struct {
	Law  Law
	N    int
	Seed uint64

	K     [2]int  // groups of each; 0 where they were not judged
	Sure  bool    // of the first
	Alike float64 // agreement about the third sample (ARI)
	line  string  // all that is kept of it
}

// GreenFrom is the first seed of the pairs; none chose a constant.
const GreenFrom = 140001

// alike is the agreement from which a third sample is placed alike.
const alike = .9

// kept reports that both samples gave the same number of groups and place the
// third alike: what green promises.
func (p Pair) kept() bool { return p.K[0] == p.K[1] && p.Alike >= alike }

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
		list = append(list, without(p.laws, func(l Law) bool { return !asked(p.name, l.Name) })...)
	}
	all, err := Pairs(ctx, list, seedsFrom(ctx, GreenFrom, seeds), sizes)
	if err != nil {
		return err
	}
	greenTable(w, all, sizes)
	return nil
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
	kept, err := openPairs()
	if err != nil {
		return nil, err
	}
	err = inPieces(ctx, len(todo), func(i int) uint64 { return todo[i].Seed }, func(ctx context.Context, i int) error {
		if kept.take(&todo[i]) {
			return nil
		}
		if err := todo[i].measure(ctx); err != nil {
			todo[i].K = [2]int{}
			return fmt.Errorf("%s, %d records, seed %d: %w", todo[i].Law.Name, todo[i].N, todo[i].Seed, err)
		}
		return kept.put(todo[i])
	})
	return slices.DeleteFunc(todo, func(p Pair) bool { return p.K[0] == 0 }), err
}

func (p *Pair) measure(ctx context.Context) error {
	all := p.Law.Draw(p.Seed, 3*p.N)
	third, _ := all.part(2*p.N, 3*p.N).Data()
	var placed [2][]int
	var of [2]*fit.Outcome
	for i := range of {
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
		of[i], placed[i] = o, lab.Ints(a.Group)
	}
	var err error
	p.Alike, err = agree.ARI(placed[0], placed[1])
	p.K, p.Sure = [2]int{of[0].K(), of[1].K()}, of[0].Verdict.Sure
	if p.K == [2]int{1, 1} {
		p.Alike = 1
	}
	p.line = p.given(of)
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
				switch {
				case !p.Sure && p.kept():
					other++
				case p.Sure:
					green++
					if p.kept() {
						kept++
					}
					if p.K[0] == p.Law.Groups {
						right++
					}
				}
			}
			t.Add(kind.name, n, pairs, green, kept, right, other)
		}
	}
	t.Write(w)
}

// given is the line that is kept of a pair.
func (p *Pair) given(of [2]*fit.Outcome) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\t%d\t%v\t%d\t%d\t%.4f", p.Law.Name, p.Law.Groups, p.Law.Hard, p.N, p.Seed, p.Alike)
	for _, o := range of {
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
	return b.String()
}
