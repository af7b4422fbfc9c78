package verdict

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/moiety-go/moiety/experiments/lab"
	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/assign"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/verdict"
)

// Walking is one draw of sequences, and what was claimed of it.
type Walking struct {
	Walk    Walk
	N       int
	Seed    uint64
	Verdict *verdict.Verdict
	ARI     float64 // of the states of all steps with the truth
	Alike   bool    // where it is sure: a second sample claims the same, and both place a third alike
	Seconds float64
}

// measure draws three samples, judges the first, and the second where it is sure.
func (c *Walking) measure(ctx context.Context) error {
	all := c.Walk.Draw(c.Seed, 3*c.N)
	data, truth := all.Data(0, c.N)
	begin := time.Now()
	out, err := fit.Tree(ctx, data, fit.Settings{Seed: 1, Workers: 1})
	if err != nil {
		return err
	}
	c.Seconds, c.Verdict = time.Since(begin).Seconds(), out.Verdict
	if c.ARI, err = lab.ARI(out.Group, truth); err != nil || !out.Verdict.Sure {
		return err
	}
	second, _ := all.Data(c.N, 2*c.N)
	other, err := fit.Tree(ctx, second, fit.Settings{Seed: 1, Workers: 1})
	if err != nil || other.K() != out.K() {
		return err
	}
	third, _ := all.Data(2*c.N, 3*c.N)
	var labels [2][]int
	for i, o := range []*fit.Outcome{out, other} {
		f, err := o.Model.Family()
		if err != nil {
			return err
		}
		a, err := assign.All(ctx, f, o.Model.Params, third.Run)
		if err != nil {
			return err
		}
		labels[i] = lab.Ints(a.Group)
	}
	ari, err := agree.ARI(labels[0], labels[1])
	c.Alike = ari >= alike
	return err
}

// MeasureWalks draws and judges every law at every size, on all cores.
func MeasureWalks(ctx context.Context, laws []Walk, seeds []uint64, sizes []int) ([]Walking, error) {
	var todo []Walking
	for _, l := range laws {
		for _, n := range sizes {
			for _, s := range seeds {
				todo = append(todo, Walking{Walk: l, N: n, Seed: s})
			}
		}
	}
	err := par.Do(ctx, runtime.GOMAXPROCS(0), len(todo), func(i int) error {
		if err := todo[i].measure(ctx); err != nil {
			return fmt.Errorf("%s, %d sequences, seed %d: %w", todo[i].Walk.Name, todo[i].N, todo[i].Seed, err)
		}
		return nil
	})
	return todo, err
}

// Sequences prints the tables of sequences.
func Sequences(ctx context.Context, w io.Writer, full bool) error {
	seeds, sizes := 2, []int{60, 400}
	if full {
		seeds, sizes = 10, []int{60, 400}
	}
	return SequencesOf(ctx, w, lab.Seeds(ctx, From, seeds), sizes)
}

// SequencesOf prints the tables of these seeds.
func SequencesOf(ctx context.Context, w io.Writer, seeds []uint64, sizes []int) error {
	all, err := MeasureWalks(ctx, Walks(), seeds, sizes)
	if err != nil {
		return err
	}
	for _, n := range sizes {
		lab.Heading(w, "%d sequences of 10 to 30 steps: states claimed", n)
		t := lab.NewTable("law", "states", "claimed", "ARI", "range holds", "sure", "told as")
		for at := 0; at < len(all); {
			end := at
			for end < len(all) && all[end].Walk.Name == all[at].Walk.Name && all[end].N == all[at].N {
				end++
			}
			if c := all[at:end]; c[0].N == n {
				t.Add(c[0].Walk.Name, c[0].Walk.States, claims(c), walkMean(c), walkCount(c, Walking.inside), walkCount(c, Walking.sure), c[0].Verdict.Continuum)
			}
			at = end
		}
		t.Write(w)
	}
	walkGoals(w, all, sizes)
	return nil
}

func (c Walking) inside() bool {
	return c.Verdict.Range[0] <= c.Walk.States && c.Walk.States <= c.Verdict.Range[1]
}
func (c Walking) sure() bool  { return c.Verdict.Sure }
func (c Walking) right() bool { return c.Verdict.Groups == c.Walk.States }

func claims(c []Walking) string {
	text := ""
	for i, x := range c {
		if i > 0 {
			text += " "
		}
		text += fmt.Sprint(x.Verdict.Groups)
	}
	return text
}

func walkMean(c []Walking) string {
	if c[0].Walk.States == 1 {
		return "–"
	}
	s := lab.Series{}
	for _, x := range c {
		s = append(s, x.ARI)
	}
	return fmt.Sprintf("%.2f", s.Mean())
}

func walkCount(c []Walking, of func(Walking) bool) string {
	n := 0
	for _, x := range c {
		if of(x) {
			n++
		}
	}
	return fmt.Sprintf("%d of %d", n, len(c))
}

// walkGoals prints the figures that the product wants to reach.
func walkGoals(w io.Writer, all []Walking, sizes []int) {
	lab.Heading(w, "All laws of sequences together")
	t := lab.NewTable("laws", "sequences", "right", "too many", "range holds", "sure", "sure and right", "third sample alike", "seconds")
	for _, kind := range []struct {
		name string
		in   func(Walk) bool
	}{
		{"no states", func(l Walk) bool { return l.States == 1 }},
		{"states, clear", func(l Walk) bool { return l.States > 1 && !l.Hard }},
		{"states that overlap, or many", func(l Walk) bool { return l.Hard }},
	} {
		for _, n := range sizes {
			var c []Walking
			s := lab.Series{}
			for _, x := range all {
				if kind.in(x.Walk) && x.N == n {
					c, s = append(c, x), append(s, x.Seconds)
				}
			}
			t.Add(kind.name, n, walkCount(c, Walking.right), walkCount(c, func(x Walking) bool { return x.Verdict.Groups > x.Walk.States }),
				walkCount(c, Walking.inside), walkCount(c, Walking.sure), walkCount(c, func(x Walking) bool { return x.sure() && x.right() }),
				walkCount(c, func(x Walking) bool { return x.sure() && x.Alike }), fmt.Sprintf("%.2f", s.Mean()))
		}
	}
	t.Write(w)
}
