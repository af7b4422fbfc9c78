package verdict_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/verdict"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/pass/passtest"
	"github.com/moiety-go/moiety/sparse"
)

// counting counts the exchanges of a place, and their numbers.
type counting struct {
	pass.Runner
	rounds, numbers *atomic.Int64
}

func (c counting) Total(ctx context.Context, x []float64) ([]float64, error) {
	c.rounds.Add(1)
	c.numbers.Add(int64(len(x)))
	return c.Runner.Total(ctx, x)
}

// copied returns records some of whose features repeat others.
func copied(rows sparse.Rows, features int) sparse.Rows {
	b := sparse.NewBuilder(rows.Dim+features, true)
	for i := range rows.N() {
		index, _ := rows.Row(i)
		row := slices.Clone(index)
		for _, f := range index {
			if int(f) < features && i%5 > 0 {
				row = append(row, uint32(rows.Dim)+f)
			}
		}
		if err := b.Add(row, nil); err != nil {
			panic(err)
		}
	}
	return b.Rows()
}

// words is all that a verdict says of records, and of the groups where they lie.
func words(v *verdict.Verdict) string {
	fewer := verdict.Evidence{}
	if v.Fewer != nil {
		fewer = *v.Fewer
	}
	return fmt.Sprintf("%d groups of %v, sure %v, %+v, %+v over one less, %v features, again %v, %s, repeats %v; %s %v",
		v.Groups, v.Range, v.Sure, v.Evidence, fewer, v.Features, v.Repeat, v.Continuum, v.Repeats, v.Reason, v.Against)
}

// Three uneven sites, one of them empty, say what one machine says that judges by
// sums; and what they give each other is less than 400 rounds.
func TestSitesSayTheSame(t *testing.T) {
	for name, rows := range map[string]sparse.Rows{
		"an amount":                             presences(1, numtest.Scale(150, 300, 300), 9, 1, 0, 1.2),
		"groups, and features that repeat some": copied(presences(2, 820, 12, 2, 2, 0), 3),
	} {
		if testing.Short() && rows.N() > 500 {
			continue
		}
		want, err := verdict.Discrete(t.Context(), pass.Double(pass.NewLocal(rows, 1)), nil, verdict.Settings{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		var rounds, numbers atomic.Int64
		n := rows.N()
		err = passtest.SplitAt(rows, nil, []int{n * 6 / 10, n * 6 / 10, n}, 1).Each(t.Context(), func(ctx context.Context, place int, r pass.Runner) error {
			got, err := verdict.Discrete(ctx, counting{r, &rounds, &numbers}, nil, verdict.Settings{Seed: 1})
			if err == nil && words(got) != words(want) {
				t.Errorf("%s: site %d says %s; one machine %s", name, place, words(got), words(want))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if a := rounds.Load() / 3; a > 400 {
			t.Errorf("%s: %d rounds", name, a)
		}
		t.Logf("%s: %s; %d rounds, %d numbers a site", name, words(want), rounds.Load()/3, numbers.Load()/3)
	}
}

// broken fails after so many rounds.
type broken struct {
	pass.Runner
	left atomic.Int64
}

var errBroken = errors.New("the line is broken")

func (b *broken) Total(_ context.Context, x []float64) ([]float64, error) {
	if b.left.Add(-1) < 0 {
		return nil, errBroken
	}
	return x, nil
}

// A line that breaks ends the verdict with that error, wherever it is.
func TestBrokenLine(t *testing.T) {
	rows := presences(2, 300, 10, 2, 2, 0)
	for _, after := range []int64{0, 3, 40, 150} {
		run := &broken{Runner: pass.Double(pass.NewLocal(rows, 1))}
		run.left.Store(after)
		if _, err := verdict.Discrete(t.Context(), run, nil, verdict.Settings{Seed: 1}); !errors.Is(err, errBroken) {
			t.Errorf("after %d rounds: %v", after, err)
		}
	}
}
