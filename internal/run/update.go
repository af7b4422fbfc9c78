package run

import (
	"context"
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/encode"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/vocab"
	"github.com/moiety-go/moiety/warn"
)

// Update says how a run goes on: with new records, or without some.
type Update struct {
	Order Order // of the new data: Args, Read, the machine, the place; the settings are the run's
	// Withdraw are the ids of records to take out; everything is made again
	// without them.
	Withdraw []string
	// Taken are data with records to take out of a run that keeps sums alone.
	Taken []string
	// Forget is the factor by which the records of every batch count less than
	// those of the next one; 0 and 1 forget nothing.
	Forget float64
}

// Update makes the run anew from its stored records and what the update adds or
// takes out. It is what one fit of all these records gives.
func (r *Run) Update(ctx context.Context, u Update) (*Made, error) {
	s, err := r.Sums()
	if err != nil {
		return nil, err
	}
	if err := r.updatable(u, s != nil); err != nil {
		return nil, err
	}
	if s != nil {
		return r.updateSums(ctx, u, s)
	}
	dir, forget, err := fit.Scratch(ctx, u.Order.Encode.TempDir, "moiety-update-")
	if err != nil {
		return nil, err
	}
	defer forget()
	o, err := r.updateOrder(u)
	if err != nil {
		return nil, err
	}
	w := o.Timer()
	p, batches, err := r.updated(ctx, u, o)
	if err != nil {
		return nil, err
	}
	p.Batches = batches
	w.Mark("reading and encoding")
	return fitted(ctx, p, o, dir, w)
}

// updatable refuses what cannot go on.
func (r *Run) updatable(u Update, sums bool) error {
	m := r.Manifest
	switch {
	case !sums && len(u.Taken) > 0:
		return fit.Unsuited("%s keeps its records: name those to take out by their ids, with ‹withdraw›", r.Path)
	case m.Tables != nil && !sums:
		return fit.Unsuited("%s is a run of totals of several sites and holds no records: begin a new study", r.Path)
	case len(r.Edits.List()) > 0:
		return fit.Unsuited("%s was edited by hand (%s), and an update learns the groups anew: %s: take the edits back first with ‹undo›, or fit anew", r.Path, editCount(len(r.Edits.List())), r.lostByUpdate())
	case m.Settings.Encode.MinCodes > 0:
		return fit.Unsuited("%s was made with ‹min-codes›: fit anew", r.Path)
	case u.Forget < 0 || u.Forget > 1:
		return fit.Unsuited("‹forget› %v: write a factor above 0 and up to 1, such as .99", u.Forget)
	case len(u.Withdraw) == 0 && len(u.Order.Args) == 0 && len(u.Taken) == 0:
		return fit.Unsuited("nothing to do: name new data, or records to take out with ‹withdraw›")
	}
	return nil
}

// lostByUpdate says what of the edits by hand groups that are learned anew would undo.
func (r *Run) lostByUpdate() string {
	if slices.ContainsFunc(r.Edits.List(), func(x Edit) bool { return x.Kind == MoveOne || x.Kind == MoveGroup }) {
		return "records would leave the groups they were moved to"
	}
	return "names and notes could end at other groups"
}

// updateOrder returns the order of the whole fit.
func (r *Run) updateOrder(u Update) (Order, error) {
	o, err := u.Order, error(nil)
	m := r.Manifest
	workers, machine := o.Fit.Workers, o.Encode
	if o.Fit, err = r.FitSettings(); err != nil {
		return o, err
	}
	o.Fit.Workers = workers
	o.Encode = encode.Settings{Encoding: m.Settings.Encode.Encoding, MaxMemory: machine.MaxMemory, TempDir: machine.TempDir, Workers: machine.Workers}
	o.MinCell, o.Health = m.MinCell, m.Health
	if m.MinCell == 0 {
		o.MinCell = -1
	}
	f := u.forget(r)
	if f < 1 && o.IsTree() {
		return o, fit.Unsuited("‹forget› is for flat models (‹groups›): the verdict of a tree looks at records one by one")
	}
	return o, nil
}

// forget returns the factor of a batch.
func (u Update) forget(r *Run) float64 {
	switch b := r.Manifest.Batches; {
	case u.Forget > 0:
		return u.Forget
	case b != nil && b.Forget > 0:
		return b.Forget
	}
	return 1
}

// updated joins the stored records with new ones and encodes all of them.
func (r *Run) updated(ctx context.Context, u Update, o Order) (*fit.Prepared, *fit.Batches, error) {
	f, err := r.Rows()
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	keep, batches, err := r.kept(ctx, f, u.Withdraw)
	if err != nil {
		return nil, nil, err
	}
	format := r.Manifest.Encoding.Format
	twice := false
	parts := []record.Source{encode.Records(f, format, keep)}
	inputs := r.Manifest.Inputs
	problems := &record.Problems{Strict: o.Read.Strict}
	if len(u.Order.Args) > 0 {
		n, err := r.newRecords(ctx, o, problems, f)
		if err != nil {
			return nil, nil, err
		}
		defer n.Close()
		known, err := r.known(ctx, f, n.Set)
		if err != nil {
			return nil, nil, err
		}
		twice = known
		parts = append(parts, encode.Records(n.Set, format, nil))
		batches.Records = append(batches.Records, n.Len())
		inputs = slices.Concat(inputs, n.Inputs)
	}
	all, err := encode.Chain(parts...)
	if err != nil {
		return nil, nil, err
	}
	p, err := r.encodeAll(ctx, all, o, problems, f)
	if err != nil {
		return nil, nil, err
	}
	p.Inputs = inputs
	if twice {
		p.Summary.Warnings = append(p.Summary.Warnings, warn.New(warn.Caution, "known-ids",
			"If they tell more of the same people, fit anew with all data; records that were mended are taken out first, with --withdraw.",
			"Some of the new records have ids that are in the run already: they are records of their own here."))
	}
	if batches.Forget = u.forget(r); batches.Forget == 1 {
		batches.Forget = 0
	}
	return p, batches, nil
}

// known reports whether an id of new records is in the run: by their hashes, for those of
// the run may be more than there is memory for. One in 10⁷ times it says so of a million
// new records and a million others where none is.
func (r *Run) known(ctx context.Context, f *dataset.File, added dataset.Data) (bool, error) {
	list := make([]uint64, 0, added.Len())
	err := added.Each(ctx, func(_ int, d *dataset.Dataset) error {
		for _, id := range d.IDs {
			list = append(list, hashed(id))
		}
		return nil
	})
	if err != nil {
		return false, err
	}
	slices.Sort(list)
	found := false
	err = f.Each(ctx, func(_ int, d *dataset.Dataset) error {
		for _, id := range d.IDs {
			if !found {
				_, found = slices.BinarySearch(list, hashed(id))
			}
		}
		return nil
	})
	return found, err
}

// hashed is the same for every run of the program.
func hashed(id string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(id))
	return h.Sum64()
}

// encodeAll encodes records whose features are made already.
func (r *Run) encodeAll(ctx context.Context, all record.Source, o Order, problems *record.Problems, f *dataset.File) (*fit.Prepared, error) {
	again := o.Encode
	again.Rollup, again.Stopwords, again.StopList, again.Stem, again.Ngrams, again.Where = "", "", nil, false, 0, ""
	s, err := r.encodeAgain(again)
	if err != nil {
		return nil, err
	}
	p, err := r.earlier(f).Prepare(ctx, o.Order, all, s, problems)
	if err != nil {
		return nil, err
	}
	p.Summary.Settings = o.Encode
	return p, nil
}

// kept names the stored records that stay, and counts those of every batch.
func (r *Run) kept(ctx context.Context, f *dataset.File, withdrawn []string) (func(int) bool, *fit.Batches, error) {
	batches := &fit.Batches{Records: []int{f.Len()}}
	if b := r.Manifest.Batches; b != nil {
		batches.Records = slices.Clone(b.Records)
	}
	if len(withdrawn) == 0 {
		return nil, batches, nil
	}
	want := map[string]bool{}
	for _, id := range withdrawn {
		want[id] = false
	}
	out := make([]bool, f.Len())
	err := f.Each(ctx, func(first int, d *dataset.Dataset) error {
		for i := range d.Len() {
			id := d.ID(i)
			if _, ok := want[id]; ok {
				want[id], out[first+i] = true, true
			}
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	for _, id := range withdrawn {
		if !want[id] {
			return nil, nil, fit.Unsuited("there is no record %q in %s: nothing was changed", id, r.Path)
		}
	}
	from := 0
	for b, n := range batches.Records {
		for i := from; i < from+n; i++ {
			if out[i] {
				batches.Records[b]--
			}
		}
		from += n
	}
	return func(i int) bool { return !out[i] }, batches, nil
}

// newRecords reads new data as those of the run were and keeps all their features;
// of texts, whose words were chosen, those that the run knows.
func (r *Run) newRecords(ctx context.Context, o Order, problems *record.Problems, f *dataset.File) (*fit.Prepared, error) {
	inputs, list, err := o.List()
	if err != nil {
		return nil, err
	}
	src, err := r.openLike(ctx, o.Order, inputs, problems)
	if err != nil {
		return nil, err
	}
	if f.Vocab.System == vocab.Text {
		a, err := r.applied(ctx, src, o.Encode.Workers, o.Encode.TempDir)
		if err != nil {
			return nil, err
		}
		return &fit.Prepared{Result: &encode.Result{Set: a.File}, Inputs: list}, nil
	}
	s := o.Encode
	s.MinDF, s.MaxDF, s.Vocab = dataset.Amount{}, dataset.Amount{}, dataset.Amount{}
	if s.System == "" || s.System == "auto" {
		s.System = string(r.Manifest.Plan.System)
	}
	e, err := encode.Encode(ctx, goingOn{src}, s, problems)
	if err != nil {
		return nil, err
	}
	p := fit.NewPrepared(e, problems)
	p.Inputs = list
	return p, nil
}

// goingOn is a source whose records go on behind those of a run: without ids of their own they
// have the numbers that follow, and not those of the rows of another file.
type goingOn struct{ record.Source }

func (g goingOn) Read(ctx context.Context, yield func(*record.Batch) error) error {
	return g.Source.Read(ctx, func(b *record.Batch) error {
		if g.Schema().Numbered {
			b.IDs = nil
		}
		return yield(b)
	})
}

// forgetWarning says that older records count less.
func forgetWarning(b *fit.Batches) []warn.Warning {
	if b == nil || b.Forget == 0 {
		return nil
	}
	return []warn.Warning{warn.New(warn.Note, "forgets", "",
		"The records came in %d batches, and those of each count %v times as much as those of the next: the groups are those of late. Counts are of all records.", len(b.Records), fmt.Sprint(b.Forget))}
}
