package fit

import (
	"context"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/assign"
	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/progress"
	"github.com/moiety-go/moiety/mixture"
)

// A verdict looks at a few thousand records and is a chain: on many cores most of them wait for
// it. Where a number of groups was asked for, the flat fit of so many to all records will be
// wanted unless the verdict claims as many itself (see asAsked), and it hangs on nothing that
// the verdict says: it is made meanwhile.

const (
	spareCores = 8       // from which on a verdict leaves most of them idle
	muchToFit  = 100_000 // records from which on a flat fit takes long beside a verdict
)

// foreseen is a flat fit that is made before it is known to be wanted; nil is none.
type foreseen struct {
	stop   context.CancelFunc
	group  par.Group
	groups mixture.Params
	placed []int32
	err    error
}

// foresee begins the flat fit of as many groups as leaves were asked for, where there are
// cores and records for it. The records must stay as they are until end.
func foresee(ctx context.Context, data Training, s Settings) (*foreseen, error) {
	can, want := data.Run.Can(), s.Tree
	if par.Workers(s.Workers) < spareCores || can.Rows == nil || can.Places > 1 || data.Run.Len() < can.Size(muchToFit) ||
		want.Leaves < 2 || want.Levels > 0 || s.Refine == None {
		return nil, nil
	}
	s, err := s.resolved(ctx, data, true)
	if _, ok := s.discrete(data); err != nil || !ok {
		return nil, err
	}
	fam, err := s.Spec.Family(data.Vocab)
	if err != nil {
		return nil, err
	}
	f := &foreseen{}
	ctx, f.stop = context.WithCancel(progress.With(ctx, nil))
	f.group.Go(func() { f.groups, f.placed, f.err = placedFlat(ctx, fam, data, s) })
	return f, nil
}

// end waits until nothing is made any more; what is not there by then is not wanted.
func (f *foreseen) end() {
	if f != nil {
		f.stop()
		f.group.Wait()
	}
}

// fit is what was foreseen, or else is made now.
func (f *foreseen) fit(ctx context.Context, fam family.Family, data Training, s Settings) (mixture.Params, []int32, error) {
	if f == nil {
		return placedFlat(ctx, fam, data, s)
	}
	f.group.Wait()
	return f.groups, f.placed, f.err
}

// placedFlat is the flat fit of as many groups as leaves were asked for, and the group of every
// record where there are so many.
func placedFlat(ctx context.Context, fam family.Family, data Training, s Settings) (mixture.Params, []int32, error) {
	p, err := several(ctx, fam, data, s, nil, s.Tree.Leaves)
	if err != nil || p.K() != s.Tree.Leaves {
		return p, nil, err
	}
	a, err := assign.All(ctx, fam, p, data.Run)
	if err != nil {
		return p, nil, err
	}
	return p, a.Group, nil
}
