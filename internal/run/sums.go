package run

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/assign"
	"github.com/moiety-go/moiety/internal/container"
	"github.com/moiety-go/moiety/internal/encode"
	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/kept"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/warn"
)

// sumsFile holds the sums of a run that keeps no records.
const sumsFile = "sums.moiety"

var sumsKind = container.Kind{Magic: "moiety kept sums\n", Version: 1}

// sumsHead is what of kept sums is no list of numbers.
type sumsHead struct {
	Shards []string `json:"shards"`
	N      float64  `json:"n"`
	Scaled bool     `json:"scaled,omitempty"`
}

func packSums(s *kept.Sums) ([]byte, error) {
	list := []container.Matrix{{Name: "basis", M: s.Basis}}
	for _, v := range sumsLists(s) {
		list = append(list, container.Matrix{Name: v.name, M: mat.NewDense(1, len(*v.list), slices.Clone(*v.list))})
	}
	return sumsKind.Pack(sumsHead{s.Shards, s.N, s.Scaled}, list)
}

type sumsList struct {
	name string
	list *[]float64
}

func sumsLists(s *kept.Sums) []sumsList {
	return []sumsList{{"codes", &s.Single}, {"pairs", &s.Double}, {"core", &s.Core}, {"steps", &s.Steps}}
}

// Sums reads the sums of a run that keeps no records; nil where it keeps them.
func (r *Run) Sums() (*kept.Sums, error) {
	if r.seals == nil || r.seals.Files[sumsFile] == "" {
		return nil, nil
	}
	data, err := os.ReadFile(filepath.Join(r.Path, sumsFile))
	if err == nil {
		err = r.seals.check(sumsFile, container.Seal(data))
	}
	if err != nil {
		return nil, damaged(r.Path, err)
	}
	var head sumsHead
	all, err := sumsKind.Unpack(data, &head)
	if err != nil {
		return nil, damaged(r.Path, err)
	}
	s := &kept.Sums{Shards: head.Shards, N: head.N, Scaled: head.Scaled, Basis: all["basis"]}
	for _, v := range sumsLists(s) {
		if all[v.name] == nil {
			return nil, damaged(r.Path, container.ErrDamaged)
		}
		*v.list = all[v.name].RawMatrix().Data
	}
	if s.Basis == nil {
		return nil, damaged(r.Path, container.ErrDamaged)
	}
	return s, nil
}

// keepSums takes the sums of the records and lets the records go: the run then has
// its groups and counts, and can go on, but holds nobody.
func (m *Made) keepSums(ctx context.Context) error {
	out, set := m.Outcome, m.Set
	fam, err := keeps(out, set.Describe())
	if err != nil {
		return err
	}
	if m.Sums, err = kept.Begin(ctx, fam, set.Runner(m.order.Fit.Workers), out.Model.Params, m.Fingerprint()); err != nil {
		return err
	}
	if m.Tables, err = explain.Tabulate(ctx, out, set); err != nil {
		return err
	}
	batches := &fit.Batches{Records: []int{set.Len()}}
	d := emptied(set.Describe())
	err = m.Prepared.Close()
	p := *m.Prepared
	p.Result = &encode.Result{Set: d, Summary: p.Summary}
	p.Batches = batches
	m.Prepared = &p
	m.letGo()
	return err
}

var errKeep = fit.Unsuited("sums are kept of presences (codes a record has or has not) in a number of groups, ‹groups›: leave ‹keep› out")

// keeps refuses groups of which no sums are kept.
func keeps(out *fit.Outcome, h dataset.Header) (family.Family, error) {
	if out.Tree != nil || out.Model == nil || h.Kind != record.Presence || h.Sequences || h.Layout != dataset.Binary {
		return nil, errKeep
	}
	fam, err := out.Model.Family()
	if err == nil && !fam.Info().Tree.Binary {
		err = errKeep
	}
	return fam, err
}

// letGo forgets what the outcome knows of single records.
func (m *Made) letGo() {
	m.Outcome.Group, m.Outcome.Probability = []int32{}, []float32{}
	from := &m.Outcome.Model.Provenance
	from.Data = ""
	from.Warnings = append(from.Warnings, warn.New(warn.Note, "sums-kept", "",
		"The run keeps sums of the records and none of them: it can be shown and go on, and its records cannot be listed or placed anew."))
}

// emptied is a data set of the same kind without records.
func emptied(h dataset.Header) *dataset.Dataset {
	return &dataset.Dataset{Kind: h.Kind, Vocab: h.Vocab, Rows: sparse.Rows{Dim: h.Vocab.Len(), Ptr: []int{0}}}
}

// updateSums goes on with sums: new records add theirs, or withdrawn ones take theirs
// away.
func (r *Run) updateSums(ctx context.Context, u Update, s *kept.Sums) (*Made, error) {
	switch {
	case len(u.Withdraw) > 0:
		return nil, fit.Unsuited("%s keeps sums and no ids: give the records to take out as data, with ‹withdraw-data›", r.Path)
	case len(u.Order.Args) > 0 && len(u.Taken) > 0:
		return nil, fit.Unsuited("new records and ‹withdraw-data› at once: do one after the other")
	}
	o, err := r.updateOrder(u)
	if err != nil {
		return nil, err
	}
	fam, err := r.Outcome.Model.Family()
	if err != nil {
		return nil, err
	}
	w := o.Timer()
	if len(u.Taken) > 0 {
		o.Args = u.Taken
	}
	a, err := r.Apply(ctx, o.Args, o.Read, &record.Problems{Strict: o.Read.Strict})
	if err != nil {
		return nil, err
	}
	defer a.Close()
	w.Mark("reading and encoding")
	g := &going{r: r, s: s, fam: fam, a: a, o: o}
	if len(u.Taken) > 0 {
		err = g.take(ctx)
	} else {
		err = g.add(ctx, u.forget(r))
	}
	if err != nil {
		return nil, err
	}
	w.Mark("fitting")
	return g.made(w), nil
}

// going is a run of sums that goes on.
type going struct {
	r       *Run
	s       *kept.Sums
	fam     family.Family
	a       *Applied // the records at hand
	o       Order
	learned *kept.Learned
	tables  explain.Tables
	batches *fit.Batches
	said    []warn.Warning
}

func (g *going) add(ctx context.Context, forget float64) error {
	p, run := g.r.Outcome.Model.Params, g.a.Runner(g.o.Fit.Workers)
	batch, err := g.s.Of(ctx, g.fam, run, p, g.a.Fingerprint())
	if err != nil {
		return err
	}
	if forget < 1 {
		g.s.Scale(forget)
	}
	if err := g.s.Merge(batch); err != nil {
		if errors.Is(err, kept.ErrTwice) {
			return fit.Unsuited("%s: the same file was added before, and its records would count twice", g.o.Args[0])
		}
		return err
	}
	if g.learned, err = g.s.Fit(ctx, g.fam, p, run, g.r.Manifest.Seed); err != nil {
		return err
	}
	l := g.learned
	if l.Loss > kept.MostLoss {
		return fmt.Errorf("%w: the new records turn what tells the groups apart out of the directions in which sums were kept "+
			"(%.2f of it lies outside, at most %.2f may): fit anew with all records", fit.ErrTooLittle, l.Loss, kept.MostLoss)
	}
	g.said = append(g.said, warn.New(warn.Note, "basis-loss", "",
		"The run goes on from kept sums: counts are exact; of what tells the groups apart %.3f lies outside of the directions in which sums were kept (beyond %.2f a fit of all records is asked for).", l.Loss, kept.MostLoss))
	g.batches = &fit.Batches{Records: append(g.before(), g.a.Len()), Forget: forget}
	if forget == 1 {
		g.batches.Forget = 0
	}
	if n := g.a.Met.UnknownFeatures; n > 0 {
		g.said = append(g.said, warn.New(warn.Caution, "unknown-names", "Fit anew with all records to have them.",
			"Some names of the new records are not in the run and were passed over."))
	}
	return g.count(ctx, 1)
}

func (g *going) take(ctx context.Context) error {
	p := g.r.Outcome.Model.Params
	gone, err := g.s.Of(ctx, g.fam, g.a.Runner(g.o.Fit.Workers), p, g.a.Fingerprint())
	if err != nil {
		return err
	}
	if !slices.Contains(g.s.Shards, gone.Shards[0]) {
		gone.Shards = nil // some records, and not a batch as it came
	}
	if err := g.s.Sub(gone); err != nil {
		if errors.Is(err, kept.ErrNever) {
			return fit.Unsuited("%s: these records cannot be among those of the run: fewer there have some of their codes, nothing was changed", g.o.Args[0])
		}
		return err
	}
	if g.learned, err = g.s.Fit(ctx, g.fam, p, nil, g.r.Manifest.Seed); err != nil {
		return err
	}
	g.batches = &fit.Batches{Records: g.before()}
	g.said = append(g.said, warn.New(warn.Note, "withdrawn", "To be rid of that too, fit anew without them.",
		"Records were taken out: how many records there are, with each code and each pair of codes, is what it would be without them. "+
			"What remains of them: the groups were learned while they were there, and what each group counts of them was taken away as the groups are now, not as they were when they came."))
	return g.count(ctx, -1)
}

func (g *going) before() []int {
	if b := g.r.Manifest.Batches; b != nil {
		return slices.Clone(b.Records)
	}
	return nil
}

// count adds the counts of the records at hand to the tables, or takes them away.
func (g *going) count(ctx context.Context, sign float64) error {
	m := *g.r.Outcome.Model
	a, err := assign.All(ctx, g.fam, m.Params, g.a.Runner(g.o.Fit.Workers))
	if err != nil {
		return err
	}
	t, err := explain.Tabulate(ctx, &fit.Outcome{Model: &m, Group: a.Group, Probability: a.Probability}, g.a)
	if err != nil {
		return err
	}
	g.tables = slices.Clone(g.r.Manifest.Tables)
	for i, v := range t {
		g.tables[i] = max(g.tables[i]+sign*v, 0)
	}
	return nil
}

// made returns the run as it is now.
func (g *going) made(w *fit.Timer) *Made {
	m := *g.r.Outcome.Model
	m.Params = g.learned.Params
	m.Provenance.Records = int(math.Round(g.tables[0]))
	m.Provenance.Warnings = append(withoutCodes(m.Provenance.Warnings, "basis-loss", "withdrawn", "unknown-names"), g.said...)
	p := &fit.Prepared{
		Result: &encode.Result{Set: emptied(g.a.Describe())}, Inputs: g.r.Manifest.Inputs, Plan: g.r.Manifest.Plan,
		Health: g.r.Manifest.Health, Batches: g.batches,
	}
	like := g.r.Manifest
	out := &fit.Outcome{Model: &m, Group: []int32{}, Probability: []float32{}}
	return &Made{
		Made: &fit.Made{Prepared: p, Outcome: out, Order: g.o.Order, Timer: w}, Tables: g.tables, Sums: g.s, order: g.o, like: &like,
	}
}

func withoutCodes(list []warn.Warning, codes ...string) []warn.Warning {
	return slices.DeleteFunc(slices.Clone(list), func(w warn.Warning) bool { return slices.Contains(codes, string(w.Code)) })
}

// goneOn is the manifest of a run that went on from its sums.
func (m *Made) goneOn() *Manifest {
	out := *m.like
	from := m.Outcome.Model.Provenance
	out.Program, out.Data, out.Tables, out.Batches = from.Program, m.Fingerprint(), m.Tables, m.Batches
	old := slices.DeleteFunc(slices.Clone(out.Warnings), func(w warn.Warning) bool {
		return slices.ContainsFunc([]string{"basis-loss", "withdrawn", "unknown-names", "forgets"}, func(c string) bool { return string(w.Code) == c })
	})
	var fresh []warn.Warning
	for _, w := range from.Warnings {
		if !slices.ContainsFunc(old, func(o warn.Warning) bool { return o.Code == w.Code }) {
			fresh = append(fresh, w)
		}
	}
	out.Warnings, out.Timings = heaviestFirst(old, fresh, forgetWarning(m.Batches)), newTimings(m.Timer)
	return &out
}
