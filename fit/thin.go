package fit

import (
	"context"
	"errors"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/refine"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/stream"
)

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

// thin returns part of the records, enough to find a start of k groups that EM
// on all of them will refine; nil where that is not worth it. Presences only:
// their moments and steps of EM cost nearly as much as all else. A start from
// moments alone keeps all records.
func thin(ctx context.Context, fam family.Family, run pass.Runner, s Settings) (pass.Runner, error) {
	if l, ok := run.(*pass.Local); ok && !l.Rows().IsBinary() || s.Refine == None || costly(fam) {
		return nil, nil
	}
	if _, ok := fam.(family.Quick); !ok {
		return nil, nil
	}
	step := run.Len() / max(startRecords, groupRecords*s.K)
	if step < 2 {
		return nil, nil
	}
	rows, err := drawn(ctx, run, step, func(b pass.Block) error {
		if !b.Rows.IsBinary() || b.Steps != nil {
			return errValued
		}
		return nil
	})
	if errors.Is(err, errValued) {
		return nil, nil
	}
	return pass.NewLocal(rows, s.Workers), err
}

// drawn copies one record of every run of step. Which ones depends on their
// number alone, so that in memory and streamed give the same start. suits may
// refuse a block.
func drawn(ctx context.Context, run pass.Runner, step int, suits func(pass.Block) error) (sparse.Rows, error) {
	parts := make([]sparse.Rows, (run.Len()+pass.BlockRecords-1)/pass.BlockRecords)
	err := run.Visit(ctx, func(b pass.Block) error {
		b.Rows.PickInto(&parts[b.First/pass.BlockRecords], places(b, step))
		return suits(b)
	})
	return sparse.Join(run.Dim(), parts), err
}

// places returns the rows of a block that stand for a run of step records.
func places(b pass.Block, step int) []int32 {
	var list []int32
	for i := b.First / step; ; i++ {
		at := i*step + stream.OneOf(i, step) - b.First
		if at >= b.Rows.N() {
			return list
		}
		if at >= 0 {
			list = append(list, int32(at))
		}
	}
}

// search finds a start: on part of the records where there are many, and then
// refined on these, or on all.
func search(ctx context.Context, fam family.Family, run pass.Runner, s Settings) (*start, error) {
	best := s.Refine == None || costly(fam)
	some, err := thin(ctx, fam, run, s)
	if err != nil {
		return nil, err
	}
	if some == nil {
		return fromMoments(ctx, fam, run, s, best)
	}
	st, err := fromMoments(ctx, fam, some, s, best)
	if err != nil {
		return nil, err
	}
	if st.best, err = choose(ctx, fam, some, st.candidates, s); err != nil {
		return nil, err
	}
	st.best, err = refine.More(ctx, fam, some, st.best, refine.Options{Pseudo: s.Pseudo, Tol: startTol})
	return st, err
}
