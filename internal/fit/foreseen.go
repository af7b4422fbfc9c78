package fit

import (
	"context"
	"sync/atomic"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/assign"
	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/progress"
	"github.com/moiety-go/moiety/internal/verdict"
	"github.com/moiety-go/moiety/mixture"
)

// A verdict looks at a few thousand records and is a chain: on many cores most of them wait for
// it. Two things that will be wanted of all records hang on little that it says, and are made
// meanwhile. Where a number of groups was asked for, that is the flat fit of so many, unless the
// verdict claims as many itself (see asAsked). And the groups that it will probably claim are
// known before everything else was tried: they are fitted to all records, and joined.

const (
	spareCores = 8       // from which on a verdict leaves most of them idle
	muchToFit  = 100_000 // records from which on a flat fit takes long beside a verdict

	// Of eight workers, those that are left to a verdict: it has work for five of sixteen cores
	// in the mean, and for all of them at times.
	toVerdict = 3
)

// foreseen is what is made before it is known to be wanted; nil is nothing.
type foreseen struct {
	ctx    context.Context // gives way to the verdict until hurry
	stop   context.CancelFunc
	hurry  func()
	judged atomic.Bool // the verdict is there

	flat   *flatFit // nil where no number of groups was asked for
	likely *started // nil until a verdict tells of groups that it will probably claim
}

// flatFit is a flat fit of as many groups as were asked for, with the group of every record.
type flatFit struct {
	group  par.Group
	groups mixture.Params
	placed *assign.Assignment
	err    error
}

// started is the beginning of a hierarchy.
type started struct {
	group  par.Group
	of     *hierarchy
	groups mixture.Params
	tree   *claimTree // nil where the verdict was there before groups were joined: it knows more
	err    error
}

// make fits the groups and joins them.
func (b *started) make(f *foreseen) {
	if b.groups, b.err = b.of.claimed(f.ctx); b.err == nil && !f.judged.Load() {
		b.tree, b.err = b.of.joined(f.ctx, b.groups, false)
	}
}

// foresee begins what can be made before the verdict, where there are cores and records for it.
// The records must stay as they are until end.
func foresee(ctx context.Context, data Training, s Settings) (*foreseen, error) {
	can, want := data.Run.Can(), s.Tree
	if par.Workers(s.Workers) < spareCores || can.Rows == nil || can.Places > 1 || data.Run.Len() < can.Size(muchToFit) || s.Refine == None {
		return nil, nil
	}
	s, err := s.resolved(ctx, data, true)
	if _, ok := s.discrete(data); err != nil || !ok {
		return nil, err
	}
	f := &foreseen{}
	f.ctx, f.stop = context.WithCancel(progress.With(ctx, nil))
	f.ctx, f.hurry = par.GivingWay(f.ctx, toVerdict)
	if want.Leaves < 2 || want.Levels > 0 {
		return f, nil
	}
	fam, err := s.Spec.Family(data.Vocab)
	if err != nil {
		return nil, err
	}
	f.flat = &flatFit{}
	f.flat.group.Go(func() { f.flat.groups, f.flat.placed, f.flat.err = placedFlat(f.ctx, fam, data, s) })
	return f, nil
}

// listener hears of groups that a verdict will probably claim, and begins their hierarchy.
func (f *foreseen) listener(data Training, s Settings) func(*verdict.Found) {
	if f == nil {
		return nil
	}
	return func(found *verdict.Found) {
		h, err := newHierarchy(f.ctx, data, s, &verdict.Verdict{Groups: found.K(), Found: found, Seen: found.Records})
		if err != nil {
			return // who makes it when the verdict is there says why
		}
		b := &started{of: h}
		b.group.Go(func() { b.make(f) })
		f.likely = b
	}
}

// hurried takes all cores for what is still made: the verdict is there.
func (f *foreseen) hurried() {
	if f != nil {
		f.judged.Store(true)
		f.hurry()
	}
}

// end waits until nothing is made any more; what is not there by then is not wanted.
func (f *foreseen) end() {
	if f == nil {
		return
	}
	f.stop()
	if f.flat != nil {
		f.flat.group.Wait()
	}
	if f.likely != nil {
		f.likely.group.Wait()
	}
}

// fit is the flat fit that was foreseen, or else is made now.
func (f *foreseen) fit(ctx context.Context, fam family.Family, data Training, s Settings) (mixture.Params, *assign.Assignment, error) {
	if f == nil || f.flat == nil {
		return placedFlat(ctx, fam, data, s)
	}
	f.flat.group.Wait()
	return f.flat.groups, f.flat.placed, f.flat.err
}

// begun is the beginning of the hierarchy of a claim, which was foreseen or else is made now.
func (h *hierarchy) begun(ctx context.Context) (*claimTree, error) {
	if h.ahead == nil || h.ahead.likely == nil || !h.ahead.likely.of.v.Found.Like(h.v.Found) {
		return h.begin(ctx)
	}
	b := h.ahead.likely
	b.group.Wait()
	h.some, h.numbers = b.of.some, b.of.numbers
	if b.err != nil || b.tree != nil {
		return b.tree, b.err
	}
	return h.joined(ctx, b.groups, true)
}

// placedFlat is the flat fit of as many groups as leaves were asked for, and the group of every
// record where there are so many.
func placedFlat(ctx context.Context, fam family.Family, data Training, s Settings) (mixture.Params, *assign.Assignment, error) {
	p, err := several(ctx, fam, data, s, nil, s.Tree.Leaves)
	if err != nil || p.K() != s.Tree.Leaves {
		return p, nil, err
	}
	a, err := assign.All(ctx, fam, p, data.Run)
	return p, a, err
}
