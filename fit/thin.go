package fit

import (
	"context"
	"errors"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/refine"
)

// thinned is a Runner over every step-th block of another one's records. Which
// records it holds depends on their number alone, so that in memory and
// streamed give the same start.
type thinned struct {
	pass.Runner
	step, n int
}

// errValued says that rows hold values: these are looked at in full, since a
// family must see all of them to refuse the wrong ones.
var errValued = errors.New("fit: rows with values are not thinned")

const (
	// startRecords is the least number of records that a start is found on
	// where there are many more, groupRecords the least for each group.
	startRecords = 1 << 16
	groupRecords = 1 << 12
	// startTol is the relative gain of the objective at which EM on these
	// records has served its purpose.
	startTol = 1e-5
)

// thin returns a runner over part of the records, enough to find a start of k
// groups that EM on all of them will refine; nil where that is not worth it.
// Presences only: their moments and steps of EM cost nearly as much as all
// else. A start from moments alone keeps all records.
func thin(fam family.Family, run pass.Runner, s Settings) pass.Runner {
	if l, ok := run.(*pass.Local); ok && !l.Rows().IsBinary() || s.Refine == None || costly(fam) {
		return nil
	}
	if _, ok := fam.(family.Quick); !ok {
		return nil
	}
	blocks := (run.Len() + pass.BlockRecords - 1) / pass.BlockRecords
	step := blocks * pass.BlockRecords / max(startRecords, groupRecords*s.K)
	if step < 2 {
		return nil
	}
	kept := (blocks + step - 1) / step
	n := kept * pass.BlockRecords
	if (blocks-1)%step == 0 { // the last block is one of them
		n += run.Len() - blocks*pass.BlockRecords
	}
	return &thinned{run, step, n}
}

// Len returns the number of records.
func (t *thinned) Len() int { return t.n }

// Run implements pass.Runner.
func (t *thinned) Run(ctx context.Context, sums ...pass.Sum) ([][]float64, error) {
	some := make([]pass.Sum, len(sums))
	for i, s := range sums {
		some[i] = thinnedSum{s, t}
	}
	return t.Runner.Run(ctx, some...)
}

// Visit implements pass.Runner.
func (t *thinned) Visit(ctx context.Context, use func(pass.Block) error) error {
	return t.Runner.Visit(ctx, func(b pass.Block) error {
		if kept, err := t.keeps(b); !kept || err != nil {
			return err
		}
		return use(b)
	})
}

func (t *thinned) keeps(b pass.Block) (bool, error) {
	if !b.Rows.IsBinary() || b.Steps != nil {
		return false, errValued
	}
	return b.First/pass.BlockRecords%t.step == 0, nil
}

type thinnedSum struct {
	pass.Sum
	t *thinned
}

func (s thinnedSum) Add(state []float64, b pass.Block) error {
	if kept, err := s.t.keeps(b); !kept || err != nil {
		return err
	}
	return s.Sum.Add(state, b)
}

// search finds a start: on part of the records where there are many, and then
// refined on these, or on all.
func search(ctx context.Context, fam family.Family, run pass.Runner, s Settings) (*start, error) {
	best := s.Refine == None || costly(fam)
	some := thin(fam, run, s)
	if some == nil {
		return fromMoments(ctx, fam, run, s, best)
	}
	st, err := fromMoments(ctx, fam, some, s, best)
	if errors.Is(err, errValued) {
		return fromMoments(ctx, fam, run, s, best)
	}
	if err != nil {
		return nil, err
	}
	if st.best, err = choose(ctx, fam, some, st.candidates, s); err != nil {
		return nil, err
	}
	st.best, err = refine.More(ctx, fam, some, st.best, refine.Options{Pseudo: s.Pseudo, Tol: startTol})
	return st, err
}
