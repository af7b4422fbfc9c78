package verdict_test

import (
	"context"
	"errors"
	"math"
	"sync/atomic"
	"testing"

	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/internal/verdict"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/pass/passtest"
	"github.com/moiety-go/moiety/sparse"
)

// Measurements at three uneven sites, one of them empty, are told what one machine says
// that judges by sums: groups, and one population.
func TestMeasuredSitesSayTheSame(t *testing.T) {
	for _, c := range []struct {
		name   string
		n, k   int
		unit   float64 // that values are rounded to
		strewn int     // one of so many records lies somewhere else
		wrong  int     // one of so many cells is ten times too much
		groups int
	}{
		{"groups", 700, 3, 0, 0, 0, 3},
		{"one population", 500, 1, 0, 0, 0, 1},
		{"one population, rounded", 500, 1, 5, 0, 0, 1},
		{"groups among scattered records", 700, 2, 0, 25, 0, 2},
		{"groups with wrong cells", 700, 2, 0, 0, 91, 2},
	} {
		if testing.Short() && (c.groups == 1 || c.strewn > 0 || c.wrong > 0) {
			continue
		}
		rows, _ := stretched(7, c.n, c.k, 4)
		if c.strewn > 0 {
			strew(rows, c.strewn)
		}
		if c.wrong > 0 {
			misplaced(rows, c.wrong)
		}
		if c.unit > 0 {
			for i, v := range rows.Dense {
				rows.Dense[i] = c.unit * math.Round(v/c.unit)
			}
		}
		want, err := verdict.Measured(t.Context(), pass.Double(pass.NewLocal(rows, 1)), verdict.Settings{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if want.Groups != c.groups {
			t.Errorf("%s: %s", c.name, words(want))
		}
		var rounds, numbers atomic.Int64
		err = passtest.SplitAt(rows, nil, []int{c.n * 6 / 10, c.n * 6 / 10, c.n}, 1).Each(t.Context(), func(ctx context.Context, place int, r pass.Runner) error {
			got, err := verdict.Measured(ctx, counting{r, &rounds, &numbers}, verdict.Settings{Seed: 1})
			if err == nil && words(got) != words(want) {
				t.Errorf("%s: site %d says %s; one machine %s", c.name, place, words(got), words(want))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if a := rounds.Load() / 3; a > 500 {
			t.Errorf("%s: %d rounds", c.name, a)
		}
		t.Logf("%s: %s; %d rounds, %d numbers a site", c.name, words(want), rounds.Load()/3, numbers.Load()/3)
	}
}

// Over sites, wide tables are seen along leading directions too, and a value that stands
// for something else makes no group; many blanks are not judged, and every site says so.
func TestMeasuredSitesLimits(t *testing.T) {
	wide := sparse.Rows{Dim: 40}
	r := stream.New(3, "test/wide")
	for i := range 300 {
		for h := range wide.Dim {
			wide.Dense = append(wide.Dense, 4*float64(i%2*(h%3-1))+r.NormFloat64())
		}
	}
	atoms, _ := stretched(3, 300, 1, 4)
	blanks, _ := stretched(3, 300, 1, 4)
	for i := range 300 {
		if i%3 == 0 {
			atoms.Dense[4*i] = 0
			blanks.Dense[4*i] = math.NaN()
		}
	}
	few, _ := stretched(3, 6, 2, 9)
	for _, c := range []struct {
		name   string
		rows   sparse.Rows
		groups int // 0: no verdict
		err    error
	}{{"wide", wide, 2, nil}, {"a value that stands for something else", atoms, 1, nil}, {"blanks", blanks, 0, verdict.ErrBlanks}, {"few", few, 1, nil}} {
		if testing.Short() && c.err == nil && c.rows.N() > 10 {
			continue // long ways to a verdict
		}
		n := c.rows.N()
		err := passtest.SplitAt(c.rows, nil, []int{n / 2, n / 2, n}, 1).Each(t.Context(), func(ctx context.Context, place int, run pass.Runner) error {
			v, err := verdict.Measured(ctx, run, verdict.Settings{Seed: 1})
			if !errors.Is(err, c.err) {
				t.Errorf("%s, site %d: %v", c.name, place, err)
			}
			if err == nil && (v == nil) != (c.groups == 0) || v != nil && (v.Groups != c.groups || v.Form == nil) {
				t.Errorf("%s, site %d: %+v", c.name, place, v)
			}
			return nil
		})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// A line that breaks ends the verdict of measurements with that error.
func TestMeasuredBrokenLine(t *testing.T) {
	rows, _ := stretched(7, 300, 2, 4)
	for _, after := range []int64{0, 3, 40, 150} {
		run := &broken{Runner: pass.Double(pass.NewLocal(rows, 1))}
		run.left.Store(after)
		if _, err := verdict.Measured(t.Context(), run, verdict.Settings{Seed: 1}); !errors.Is(err, errBroken) {
			t.Errorf("after %d rounds: %v", after, err)
		}
	}
}
