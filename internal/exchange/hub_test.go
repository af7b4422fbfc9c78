package exchange_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/moiety-go/moiety/internal/exchange"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// tally counts records; it fails at those of a site where it is told to.
type tally struct{ fail error }

func (tally) Len() int { return 1 }

func (t tally) Add(state []float64, b pass.Block) error {
	state[0] += float64(b.N())
	return t.fail
}

// each runs f at three sites and returns their errors.
func each(t *testing.T, study func(site int) string, f func(ctx context.Context, site int, r pass.Runner) error) []error {
	t.Helper()
	hub, errs := exchange.NewHub("Aachen", "Bergen", "Cork"), make([]error, 3)
	var wg sync.WaitGroup
	for i := range errs {
		wg.Go(func() {
			x := hub.Site(i)
			rows := sparse.FromDense(make([][]float64, 5*i), 4, true)
			r, err := pass.Join(t.Context(), pass.NewLocal(rows, 1), x, study(i))
			if err == nil {
				err = f(t.Context(), i, r)
			}
			x.Leave(err)
			errs[i] = err
		})
	}
	wg.Wait()
	return errs
}

func same(int) string { return "study" }

func TestRoom(t *testing.T) {
	for _, err := range each(t, same, func(ctx context.Context, site int, r pass.Runner) error {
		can := r.Can()
		if want := []int{0, 0, 5}[site]; r.Len() != 15 || can.First != want || can.Own != 5*site || can.Places != 3 {
			return fmt.Errorf("%d records, %+v", r.Len(), can)
		}
		for range 3 {
			got, err := pass.RunOne(ctx, r, tally{})
			if err != nil || got[0] != 15 {
				return fmt.Errorf("%v records, %w", got, err)
			}
		}
		x, err := r.Total(ctx, []float64{math.Pow(10, float64(3*site)), -.1})
		if err == nil && (x[0] != 1001001 || numtest.Off(x[1]+.3, 0, 1e-15)) {
			err = fmt.Errorf("total %v", x)
		}
		return err
	}) {
		if err != nil {
			t.Error(err)
		}
	}
}

// TestOutOfStep: a site with other settings, other sums, other numbers in them
// or one round too many ends all sites, and each is told which site it was.
func TestOutOfStep(t *testing.T) {
	run := func(sum func(site int) pass.Sum) func(context.Context, int, pass.Runner) error {
		return func(ctx context.Context, site int, r pass.Runner) error {
			if sum(site) == nil {
				return nil
			}
			_, err := pass.RunOne(ctx, r, sum(site))
			return err
		}
	}
	is := func(v float64) func(int) pass.Sum {
		return func(site int) pass.Sum {
			if site == 1 {
				return pass.Given(tally{}, []float64{1, v})
			}
			return pass.Given(tally{}, []float64{1, 2})
		}
	}
	for name, c := range map[string]struct {
		study func(int) string
		sum   func(site int) pass.Sum
		want  string
	}{
		"settings": {func(site int) string { return fmt.Sprint(site == 1) }, is(2), "settings"},
		"sums": {same, func(site int) pass.Sum {
			if site == 1 {
				return other{}
			}
			return tally{}
		}, "exchange_test.other of 1"},
		"numbers": {same, is(2.001), "other numbers"},
		"done": {same, func(site int) pass.Sum {
			if site == 1 {
				return nil
			}
			return tally{}
		}, "no more"},
		"in step":         {same, is(2), ""},
		"another machine": {same, is(math.Nextafter(2, 3)), ""},
	} {
		t.Run(name, func(t *testing.T) {
			for site, err := range each(t, c.study, run(c.sum)) {
				if c.want == "" || name == "done" && site == 1 {
					if err != nil {
						t.Error(err)
					}
					continue
				}
				if err == nil || !strings.Contains(err.Error(), "Bergen") || !strings.Contains(err.Error(), c.want) {
					t.Errorf("site %d: %v", site, err)
				}
			}
		})
	}
}

type other struct{ tally }

// TestErrorEndsAll: what fails at one site ends all with its name.
func TestErrorEndsAll(t *testing.T) {
	bad := errors.New("a value of 7 where 0 or 1 is wanted")
	for site, err := range each(t, same, func(ctx context.Context, site int, r pass.Runner) error {
		sum := tally{}
		if site == 2 {
			sum.fail = bad
		}
		_, err := pass.RunOne(ctx, r, sum)
		return err
	}) {
		if !errors.Is(err, bad) || site != 2 && !strings.Contains(err.Error(), "Cork") {
			t.Errorf("site %d: %v", site, err)
		}
	}
}
