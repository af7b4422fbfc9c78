package verdict

import (
	"context"
	"slices"
	"testing"

	"github.com/moiety-go/moiety/internal/stream"
)

// A fit that was begun before it is asked for has the bits of one that was not. It counts only
// below the bar that it was begun with, and where all that it begins from is the same.
func TestGuesses(t *testing.T) {
	r, lay := stream.New(5, "test"), presenceLayout(12)
	s := newSample(randomRows(r, lay, 300), lay.cols)
	two, over := candidate{2, none, noRepeats}, candidate{2, amount, noRepeats}
	low := &bar{test: s, score: make([]float64, s.rows()), times: 1}
	begun := func() *path {
		p := newPath(lay, s, 2, 1, "test", nil)
		for _, c := range []candidate{{groups: 1}, {1, amount, noRepeats}, two} {
			p.at(c)
		}
		p.bar = low
		return p
	}
	want := begun().at(over)
	for _, c := range []struct {
		name   string
		change func(*path)
		counts bool
	}{
		{"nothing", func(*path) {}, true},
		{"a fit of another number over no continuum", func(p *path) { p.fits[candidate{3, oneTrend, noRepeats}] = want }, true},
		{"features that repeat others", func(p *path) { p.fits[candidate{2, none, inOne}] = want }, true},
		{"as many groups", func(p *path) { p.fits[two] = p.fits[two].twin() }, false},
		{"groups more", func(p *path) { p.fits[candidate{3, amount, noRepeats}] = want }, false},
		{"the bar", func(p *path) { p.bar = &bar{test: s, score: slices.Clone(low.score), times: 1} }, false},
		{"no bar", func(p *path) { p.bar = nil }, false},
	} {
		p, beat := begun(), &pulse{ctx: context.Background()}
		p.expect(over, low, beat)
		c.change(p)
		got, ok := p.guessed(over)
		beat.aside.Wait()
		if ok != c.counts {
			t.Errorf("changed: %s: the fit counts: %v, want %v", c.name, ok, c.counts)
		}
		if ok && (!slices.Equal(got.b, want.b) || !slices.Equal(got.a, want.a) || got.loglik != want.loglik) {
			t.Errorf("changed: %s: other bits than a fit that was asked for", c.name)
		}
	}
}
