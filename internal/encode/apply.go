package encode

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/codes"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/vocab"
	"github.com/moiety-go/moiety/warn"
)

// Applied tells what Apply met.
type Applied struct {
	Records         int     `json:"records"`
	Entries         int     `json:"entries"`           // words or features read
	UnknownUses     int     `json:"unknown_uses"`      // of them, not in the vocabulary
	UnknownFeatures int     `json:"unknown_features"`  // distinct
	Unknown         []Count `json:"unknown,omitempty"` // most frequent first
	Empty           int     `json:"empty"`             // records without a known feature

	Warnings []warn.Warning `json:"warnings,omitempty"`
}

// Apply encodes new records with the vocabulary and the plan of an earlier
// Encode, as they stream in. It hands blocks of pass.BlockRecords records, in
// order, to yield, which may keep them; first is the number of a block's first
// record. Every record comes out, with its id and side columns; features that
// the vocabulary lacks are counted.
func Apply(ctx context.Context, src record.Source, plan Plan, v *vocab.Vocab, workers int,
	yield func(first int, d *dataset.Dataset) error,
) (*Applied, error) {
	a := &applier{plan: &plan, vocab: v, yield: yield, out: &Applied{}}
	if err := a.prepare(); err != nil {
		return nil, err
	}
	a.words = &words{dict: record.NewDict(), plan: a.plan, workers: workers}
	err := src.Read(ctx, func(b *record.Batch) error { return a.batch(ctx, src.Schema(), b) })
	if err == nil {
		err = a.flush()
	}
	if err != nil {
		return nil, err
	}
	a.report(src.Schema())
	if a.out.Entries > 0 && a.out.Empty == a.out.Records {
		return nil, a.nothingKnown()
	}
	return a.out, a.handOver()
}

// ErrUnknown says that nothing in new records is known to the model.
var ErrUnknown = errors.New("nothing in these records is known to the model")

func (a *applier) nothingKnown() error {
	remedy := "they must be of the same kind, language and code system as the records it was learned from"
	if a.plan.System == codes.None && !a.plan.Words {
		remedy = "the columns must have the same names as in the data it was learned from"
	}
	such := ""
	if len(a.out.Unknown) > 0 && a.vocab.Len() > 0 {
		such = fmt.Sprintf(" (it knows %q and %d more, not %q)", a.vocab.Names[0], a.vocab.Len()-1, a.out.Unknown[0].Name)
	}
	return fmt.Errorf("encode: %w%s: %s; nothing was placed", ErrUnknown, such, remedy)
}

type applier struct {
	plan  *Plan
	vocab *vocab.Vocab
	terms *terms
	words *words
	k     *collector
	yield func(int, *dataset.Dataset) error
	same  []int32 // a term is its feature
	out   *Applied
	first int
	held  []*dataset.Dataset // blocks in which nothing is known, as nothing may be
}

func (a *applier) prepare() error {
	t, err := newTerms(a.plan)
	if err != nil {
		return err
	}
	t.known = make(map[string]uint32, a.vocab.Len())
	a.same = make([]int32, a.vocab.Len())
	names := a.vocab.Names
	if a.plan.Answers {
		names = nil
		for _, c := range a.vocab.Columns {
			names = append(names, c.Name)
		}
	}
	for h, name := range names {
		t.known[name] = uint32(h)
		a.same[h] = int32(h)
	}
	a.terms = t
	return a.check()
}

// check refuses a plan that does not go with the vocabulary.
func (a *applier) check() error {
	features := a.vocab.Len()
	if a.plan.Answers {
		features = len(a.vocab.Columns)
		if 2*features != a.vocab.Len() {
			return errors.New("encode: the vocabulary of answers has features that are none")
		}
	}
	if len(a.terms.known) != features {
		return errors.New("encode: two features of the vocabulary have one name")
	}
	for _, c := range a.vocab.Columns {
		if c.From < 0 || c.To < c.From || c.To > a.vocab.Len() {
			return fmt.Errorf("encode: column %q of the vocabulary has features %d to %d of %d", c.Name, c.From, c.To, a.vocab.Len())
		}
	}
	return nil
}

// kinds returns the kind of every feature.
func (a *applier) kinds() []vocab.Kind {
	kinds := make([]vocab.Kind, a.vocab.Len())
	if a.plan.kindOf() == record.Real {
		for h := range kinds {
			kinds[h] = vocab.Real
		}
	}
	for _, c := range a.vocab.Columns {
		for h := c.From; h < c.To; h++ {
			kinds[h] = c.Kind
		}
	}
	return kinds
}

// collector is made at the first batch, when the source knows its side columns.
func (a *applier) collector(schema *record.Schema) *collector {
	layout := dataset.Binary
	for l := dataset.Binary; l <= dataset.Dense; l++ {
		if l.String() == a.plan.Layout {
			layout = l
		}
	}
	kind := a.plan.kindOf()
	switch {
	case a.plan.Answers:
		kind = record.Categorical
	case a.plan.isCodes() && a.plan.Presence:
		kind = record.Presence
	case a.plan.isCodes() || kind == record.Text:
		kind = record.Counts
	}
	k := &collector{r: newRower(layout, a.kinds(), a.plan.Presence, a.plan.Sparse), ids: []string{}}
	k.r.answers, k.r.calls.Calls = a.plan.Answers, a.plan.Calls
	k.like = dataset.Dataset{Kind: kind, Vocab: a.vocab}
	for _, name := range schema.Side {
		k.like.Side = append(k.like.Side, dataset.Side{Name: name})
		k.side = append(k.side, nil)
	}
	return k
}

func (a *applier) batch(ctx context.Context, schema *record.Schema, b *record.Batch) error {
	if b.Text != nil && !a.plan.Words {
		return fmt.Errorf("encode: %w: it was learned from %s records, and these are texts", ErrUnknown, a.plan.Kind)
	}
	if a.k == nil {
		a.k = a.collector(schema)
	}
	c, err := newChunk(b)
	if err != nil {
		return err
	}
	names := schema.Dict
	if b.Text != nil {
		if err := a.words.number(ctx, c, b.Text); err != nil {
			return err
		}
		names = a.words.dict
	}
	if names != nil {
		a.terms.grow(names.Names())
	}
	for len(c.side) < len(a.k.side) {
		c.side = append(c.side, make([]string, c.n()))
	}
	c.widen()
	a.out.Entries += len(c.feature)
	for i := range c.n() {
		if err := a.record(c, i); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (a *applier) record(c *chunk, i int) error {
	a.out.Records++
	id := ""
	if c.ids != nil {
		id = c.ids[i]
	}
	if id == "" {
		id = strconv.Itoa(a.out.Records)
	}
	a.k.before = a.out.Records - 1 - i // its chunks have no numbers
	if err := a.k.add(a.terms, a.same, c, i, id); err != nil {
		return err
	}
	a.out.Empty += count(a.k.r.found == 0)
	if a.k.n == pass.BlockRecords {
		return a.flush()
	}
	return nil
}

// flush ends a block. Blocks are held back until some record has a feature that
// the model knows: where none has, none is placed.
func (a *applier) flush() error {
	if a.k == nil || a.k.n == 0 {
		return nil
	}
	a.held = append(a.held, a.k.take())
	if a.out.Empty == a.out.Records {
		return nil
	}
	return a.handOver()
}

// handOver gives the blocks that are held to yield.
func (a *applier) handOver() error {
	held := a.held
	a.held = nil
	for _, d := range held {
		if err := a.yield(a.first, d); err != nil {
			return err
		}
		a.first += d.Len()
	}
	return nil
}

// report counts the unknown features.
func (a *applier) report(schema *record.Schema) {
	names := a.words.dict
	if names.Len() == 0 && schema.Dict != nil {
		names = schema.Dict
	}
	for raw, n := range a.terms.unknown {
		if n > 0 {
			a.out.Unknown = append(a.out.Unknown, Count{names.Name(uint32(raw)), n})
			a.out.UnknownUses += n
		}
	}
	a.out.UnknownFeatures = len(a.out.Unknown)
	a.out.Unknown = most(a.out.Unknown, topFeatures)
	const many = 0.5
	if share(a.out.UnknownUses, a.out.Entries) > many {
		remedy := "Check that these records are of the same kind, language and code system as those the model was learned from."
		if a.plan.System == codes.None && !a.plan.Words {
			remedy = "Check that the columns have the same names as in the data the model was learned from."
		}
		a.out.Warnings = append(a.out.Warnings, warn.New(warn.Serious, "mostly-unknown", remedy,
			"%s of what is in these records is unknown to the model.", percent(a.out.UnknownUses, a.out.Entries)).
			Counting("Most of what is in these records is unknown to the model. "+remedy, a.out.Entries, a.out.UnknownUses))
	}
}
