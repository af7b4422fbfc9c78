package verdict_test

import (
	"context"
	"math"
	"sync/atomic"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/internal/verdict"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/pass/passtest"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// hospital draws records of k groups: four numbers, of which the second is nothing for some,
// eight flags, an answer of three and a count; some of the values are missing.
func hospital(seed uint64, n, k int, missing float64) (sparse.Rows, []vocab.Column) {
	const reals, flags = 4, 8
	r, rows := stream.New(seed, "test/hospital"), sparse.Rows{Dim: reals + flags + 4}
	for range n {
		g := r.IntN(k)
		shift := func(h int) float64 { return 7 * float64((g*(h+1))%k) / float64(max(k-1, 1)) }
		row := make([]float64, rows.Dim)
		for h := range reals {
			row[h] = shift(h) + r.NormFloat64()
		}
		if r.Float64() < .15 {
			row[1] = -3
		}
		for h := reals; h < reals+flags; h++ {
			if r.Float64() < .1+.11*shift(h) {
				row[h] = 1
			}
		}
		row[reals+flags+(r.IntN(2)+g)%3] = 1
		row[rows.Dim-1] = math.Round(5 + 2*shift(7) + 2*r.NormFloat64())
		for h := range reals + flags {
			if r.Float64() < missing {
				row[h] = math.NaN()
			}
		}
		rows.Dense = append(rows.Dense, row...)
	}
	var columns []vocab.Column
	for h := range reals + flags {
		kind := vocab.Real
		if h >= reals {
			kind = vocab.Presence
		}
		columns = append(columns, vocab.Column{Kind: kind, From: h, To: h + 1})
	}
	return rows, append(columns, vocab.Column{Kind: vocab.Categorical, From: reals + flags, To: rows.Dim - 1}, vocab.Column{Kind: vocab.Counts, From: rows.Dim - 1, To: rows.Dim})
}

// Mixed columns at three uneven sites, one of them empty, are told what one machine says
// that judges by sums, and as many groups as one that looks at records.
func TestMixedSitesSayTheSame(t *testing.T) {
	numtest.NotShort(t)
	for _, c := range []struct {
		name      string
		n, groups int
		missing   float64
	}{{"groups, values missing", 300, 3, .1}, {"groups", 300, 3, 0}, {"one population", 250, 1, 0}} {
		rows, columns := hospital(5, c.n, c.groups, c.missing)
		s := verdict.Settings{Seed: 1}
		plain, err := verdict.Mixed(t.Context(), pass.NewLocal(rows, 1), columns, s)
		if err != nil || plain.Groups != c.groups {
			t.Fatalf("%s: %v %v", c.name, plain, err)
		}
		want, err := verdict.Mixed(t.Context(), pass.Double(pass.NewLocal(rows, 1)), columns, s)
		if err != nil {
			t.Fatal(err)
		}
		if want.Groups != c.groups {
			t.Errorf("%s: %s", c.name, words(want))
		}
		var rounds, numbers atomic.Int64
		err = passtest.SplitAt(rows, nil, []int{c.n * 6 / 10, c.n * 6 / 10, c.n}, 1).Each(t.Context(), func(ctx context.Context, place int, r pass.Runner) error {
			got, err := verdict.Mixed(ctx, counting{r, &rounds, &numbers}, columns, s)
			if err == nil && words(got) != words(want) {
				t.Errorf("%s: site %d says %s; one machine %s", c.name, place, words(got), words(want))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if a := rounds.Load() / 3; a > 800 {
			t.Errorf("%s: %d rounds", c.name, a)
		}
		t.Logf("%s: %s; %d rounds, %d numbers a site", c.name, words(want), rounds.Load()/3, numbers.Load()/3)
	}
}
