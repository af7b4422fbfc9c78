package fit_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/assign"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/pass/passtest"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// twoCourses are over three states: one stays where it is, the other goes round.
var twoCourses = [2][3][3]float64{
	{{.9, .05, .05}, {.05, .9, .05}, {.05, .05, .9}},
	{{.3, .65, .05}, {.05, .3, .65}, {.65, .05, .3}},
}

// coursed draws n sequences of 30 steps; the first course has .6 of them. A state
// shows one of its two symbols, and any of the six in a step of ten.
func coursed(seed uint64, n, workers int, moves [2][3][3]float64) (fit.Training, []int) {
	r, b, steps := stream.New(seed, "coursed"), sparse.NewBuilder(6, true), []int{0}
	var course []int
	for range n {
		c, state := 0, r.IntN(3)
		if r.Float64() < .4 {
			c = 1
		}
		course = append(course, c)
		for range 30 {
			symbol := 2*state + r.IntN(2)
			if r.Float64() < .1 {
				symbol = r.IntN(6)
			}
			_ = b.Add([]uint32{uint32(symbol)}, nil)
			u, next := r.Float64(), 0
			for next < 2 && u > moves[c][state][next] {
				u -= moves[c][state][next]
				next++
			}
			state = next
		}
		steps = append(steps, b.N())
	}
	rows := b.Rows()
	return fit.Training{
		Run: pass.NewSequences(rows, steps, workers), Vocab: vocab.Numbered(6),
		Kind: record.Presence, Sequences: true, Fingerprint: "coursed",
	}, course
}

// courseOf returns the course of every sequence.
func courseOf(t *testing.T, o *fit.Outcome, data fit.Training) []int {
	t.Helper()
	fam, err := o.Model.Family()
	if err != nil {
		t.Fatal(err)
	}
	of, out := o.Model.Provenance.Courses, make([]int, data.Run.Len())
	_, err = data.Run.Own(context.Background(), func(b pass.Block) error {
		post := make([]float64, b.N()*of.K())
		if err := fam.(family.Coursed).CoursePosterior(o.Model.Params, of, b, post); err != nil {
			return err
		}
		for i := range b.N() {
			out[b.First+i] = assign.Best(post[i*of.K():][:of.K()])
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestCoursesAreRecovered(t *testing.T) {
	numtest.NotShort(t)
	for seed := range uint64(numtest.Scale(1, 3, 3)) {
		data, truth := coursed(seed+1, 600, 2, twoCourses)
		out, err := fit.Flat(context.Background(), data, fit.Settings{K: 3, Courses: 2, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		c, got := out.Model.Provenance.Courses, courseOf(t, out, data)
		if ari, err := agree.ARI(truth, got); err != nil || ari <= .9 {
			t.Errorf("seed %d: ARI %.3f", seed, ari)
		}
		if c.Gain <= 0 || numtest.Off(c.Share[0], .6, .06) || c.N[0]+c.N[1] != 600 {
			t.Errorf("seed %d: gain %.1f, shares %.2f, %d", seed, c.Gain, c.Share, c.N)
		}
		for state := range 3 {
			if stays := c.Moves[0][state*4]; numtest.Off(stays, .9, .04) {
				t.Errorf("seed %d: state %d stays with %.3f in course 1, want .9", seed, state+1, stays)
			}
			if stays := c.Moves[1][state*4]; numtest.Off(stays, .3, .04) {
				t.Errorf("seed %d: state %d stays with %.3f in course 2, want .3", seed, state+1, stays)
			}
		}
	}
}

func TestCoursesOnAnyCores(t *testing.T) {
	var first *fit.Outcome
	for _, workers := range numtest.Workers() {
		data, _ := coursed(9, numtest.Scale(120, 300, 300), workers, twoCourses)
		out, err := fit.Flat(context.Background(), data, fit.Settings{K: 3, Courses: 2, Seed: 1, Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = out
		} else if !reflect.DeepEqual(out.Model.Provenance.Courses, first.Model.Provenance.Courses) {
			t.Errorf("%d workers: %+v, one: %+v", workers, out.Model.Provenance.Courses, first.Model.Provenance.Courses)
		}
	}
}

// One course alone is not told apart into two without a warning.
func TestCoursesOfOneKind(t *testing.T) {
	data, _ := coursed(3, 400, 2, [2][3][3]float64{twoCourses[0], twoCourses[0]})
	out, err := fit.Flat(context.Background(), data, fit.Settings{K: 3, Courses: 2, Seed: 1})
	if err != nil {
		if !errors.Is(err, fit.ErrTooLittle) {
			t.Fatal(err)
		}
		return
	}
	warned := false
	for _, w := range out.Model.Provenance.Warnings {
		warned = warned || w.Code == "courses-doubtful"
	}
	if !warned || out.Model.Provenance.Courses.Gain > 0 {
		t.Errorf("gain %.1f, warnings %v", out.Model.Provenance.Courses.Gain, out.Model.Provenance.Warnings)
	}
}

func TestCoursesRefused(t *testing.T) {
	data, _ := coursed(1, 20, 1, twoCourses)
	flat := data
	flat.Sequences, flat.Run = false, pass.NewLocal(*data.Run.Can().Rows, 1)
	for _, c := range []struct {
		what string
		data fit.Training
		s    fit.Settings
		fit  func(context.Context, fit.Training, fit.Settings) (*fit.Outcome, error)
	}{
		{"no steps in time", flat, fit.Settings{K: 2, Courses: 2}, fit.Flat},
		{"no steps in time", flat, fit.Settings{Courses: 2}, fit.Tree},
		{"no tree", data, fit.Settings{Courses: 2, Tree: fit.TreeShape{Leaves: 3}}, fit.Tree},
		{"no tree", data, fit.Settings{Courses: 2, K: 3, Over: true}, fit.Flat},
		{"want at least 1", data, fit.Settings{Courses: -1, K: 3}, fit.Flat},
		{"ask for fewer", data, fit.Settings{Courses: 21, K: 3}, fit.Flat},
		{"one state", data, fit.Settings{Courses: 2, K: 1}, fit.Flat},
	} {
		if _, err := c.fit(context.Background(), c.data, c.s); err == nil || !strings.Contains(err.Error(), c.what) {
			t.Errorf("error %v, want one that says %q", err, c.what)
		}
	}
	parts := passtest.Split(*data.Run.Can().Rows, []int{0, 300, 600}, 2, 1)
	err := parts.Each(t.Context(), func(ctx context.Context, _ int, run pass.Runner) error {
		part := data
		part.Run = run
		_, err := fit.Flat(ctx, part, fit.Settings{K: 3, Courses: 2})
		return err
	})
	if err == nil || !strings.Contains(err.Error(), "all sequences are in one place") {
		t.Errorf("error %v of two places", err)
	}
}
