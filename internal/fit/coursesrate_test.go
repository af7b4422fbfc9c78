package fit_test

import (
	"context"
	"math"
	"sync"
	"testing"

	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/numtest"
)

// TestCoursesAtTheRate: states and courses are learned together, so that the error
// of what a course does falls like 1/√n. States of one chain for all, which the
// courses were found over before, leave it at .06 however many sequences there are.
func TestCoursesAtTheRate(t *testing.T) {
	numtest.NotShort(t)
	seeds := numtest.Scale(2, 2, 24)
	few, many := 100, numtest.Scale(400, 600, 1600)
	a, b := courseError(t, few, seeds), courseError(t, many, seeds)
	t.Logf("%d seeds: %d sequences %.4f, %d sequences %.4f", seeds, few, a, many, b)
	if want := a * math.Sqrt(float64(few)/float64(many)); b > 1.5*want || b > .02 {
		t.Errorf("the error of %d sequences is %.4f, of %d %.4f, want about %.4f", few, a, many, b, want)
	}
}

// courseError is the root of the mean square of the errors of how long both courses
// stay in a state, of draws of n sequences.
func courseError(t *testing.T, n, seeds int) float64 {
	t.Helper()
	square := make([]float64, seeds)
	var all sync.WaitGroup
	for seed := range seeds {
		all.Go(func() {
			data, _ := coursed(uint64(1000+seed), n, 1, twoCourses)
			out, err := fit.Flat(context.Background(), data, fit.Settings{K: 3, Courses: 2, Seed: 1, Workers: 1})
			if err != nil {
				t.Error(err)
				return
			}
			for state := range 3 {
				for j, want := range []float64{.9, .3} {
					e := out.Model.Provenance.Courses.Moves[j][state*4] - want
					square[seed] += e * e / 6
				}
			}
		})
	}
	all.Wait()
	sum := 0.0
	for _, v := range square {
		sum += v / float64(seeds)
	}
	return math.Sqrt(sum)
}
