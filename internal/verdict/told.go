package verdict

import (
	"context"

	"github.com/moiety-go/moiety/internal/progress"
	"github.com/moiety-go/moiety/pass"
)

// Told returns k groups of presences or answers whose records also differ in amount, where
// these describe records kept aside clearly better than k groups alone do: the explanation
// that the verdict compares at k groups, from the same starts. It is nil where groups alone
// do as well, or too few records are here to tell.
func Told(ctx context.Context, run pass.Runner, questions [][2]int, k int, s Settings) (*Found, error) {
	progress.Report(ctx, progress.Event{Step: judging})
	d, err := draw(ctx, run, questions)
	if err != nil {
		return nil, err
	}
	if len(d.lay.items) == 0 || d.n < leastRecords {
		return nil, nil
	}
	j, err := d.judge(ctx, s, &pulse{ctx: ctx})
	if err != nil {
		return nil, err
	}
	flat, graded := candidate{k, none, noRepeats}, candidate{k, amount, noRepeats}
	for _, c := range []candidate{flat, graded} {
		if err := j.climb(ctx, candidate{kind: c.kind}, k, k); err != nil {
			return nil, err
		}
		if j.scores[c] == nil {
			return nil, nil
		}
	}
	if !j.against(graded, flat).clear() {
		return nil, nil
	}
	return j.found(d, graded, [2][]int{}), d.places.failed()
}
