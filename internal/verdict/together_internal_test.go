package verdict

import (
	"slices"
	"testing"

	"github.com/moiety-go/moiety/internal/stream"
)

// Fits that are made side by side have the bits of those made one after the other, and count only
// once they are asked for.
func TestFitTogether(t *testing.T) {
	d := coded(clearGroups(stream.New(5, "test"), 1200, 16, 4), 16, nil, nil)
	list := alones(noRepeats, none, amount, oneTrend, bentTrend)
	one, many := d.newJudge(2, d.divide(1, 1), 1, 1, nil), d.newJudge(2, d.divide(1, 8), 1, 8, nil)
	for _, j := range []*judge{one, many} {
		if err := j.fitTogether(t.Context(), list...); err != nil {
			t.Fatal(err)
		}
	}
	for i, f := range many.folds {
		if len(one.folds[i].path.made) > 0 {
			t.Errorf("fold %d: one worker has fitted before it was asked", i)
		}
		for _, c := range list {
			if !f.path.asked(c) || f.path.fits[c] != nil {
				t.Errorf("fold %d: %v is not there, or counts before it is asked for", i, c)
			}
			want, got := one.folds[i].path.at(c), f.path.at(c)
			if !slices.Equal(got.b, want.b) || !slices.Equal(got.a, want.a) || got.loglik != want.loglik {
				t.Errorf("fold %d: %v has other bits than one after the other", i, c)
			}
		}
	}
	for _, c := range list {
		for _, j := range []*judge{one, many} {
			if ok, err := j.try(t.Context(), c); err != nil || !ok {
				t.Fatal(err)
			}
		}
		if !slices.Equal(one.scores[c], many.scores[c]) {
			t.Errorf("%v is scored otherwise", c)
		}
	}
}
