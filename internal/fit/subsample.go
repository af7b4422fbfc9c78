package fit

import (
	"context"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/refine"
	"github.com/moiety-go/moiety/pass"
)

const (
	// startRecords is the least number of records that a start is found on
	// where there are many more, groupRecords the least for each group.
	startRecords = 1 << 16
	groupRecords = 1 << 12
	// startTol is the relative gain of the objective at which EM on these
	// records has served its purpose.
	startTol = 1e-5
)

// subsample returns part of the records, enough to find a start of k groups that EM
// on all of them will refine; nil where that is not worth it. Binary rows only:
// their moments and steps of EM cost nearly as much as all else, and a family
// must see all values to refuse the wrong ones. A start from moments alone keeps
// all records.
func subsample(ctx context.Context, fam family.Family, run pass.Runner, s Settings) (pass.Runner, error) {
	if em := fam.Info().EM; !run.Can().Binary || s.Refine == None || em.Costly || !em.Quick {
		return nil, nil
	}
	step := run.Len() / max(run.Can().Size(startRecords), run.Can().Size(groupRecords)*s.K)
	if step < 2 {
		return nil, nil
	}
	return pass.Sample(ctx, run, step)
}

// search finds a start: on part of the records where there are many, and then
// refined on these, or on all.
func search(ctx context.Context, fam family.Family, run pass.Runner, s Settings) (*start, error) {
	best := s.Refine == None || fam.Info().EM.Costly
	some, err := subsample(ctx, fam, run, s)
	if err != nil {
		return nil, err
	}
	from := run
	if some != nil {
		from = some
	}
	st, err := fromMoments(ctx, fam, from, s, best)
	if err != nil {
		return nil, err
	}
	if s.vague(fam, from, st) {
		if err := s.shortRuns(ctx, fam, from, st); err != nil {
			return nil, err
		}
	}
	if some == nil {
		return st, nil
	}
	if st.best, err = choose(ctx, fam, some, st.candidates, s); err != nil {
		return nil, err
	}
	st.best, err = refine.More(ctx, fam, some, st.best, refine.Options{Pseudo: float64(s.Prior), Tol: startTol})
	return st, err
}
