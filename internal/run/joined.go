package run

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/assign"
	"github.com/moiety-go/moiety/internal/encode"
	"github.com/moiety-go/moiety/internal/exchange"
	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/vocab"
	"github.com/moiety-go/moiety/warn"
)

// study is what all sites of a joined run agree on before the first round.
type study struct {
	Encode  encode.Settings `json:"encode"`
	Fit     fit.Settings    `json:"fit"`
	Views   []string        `json:"views,omitempty"`
	Health  bool            `json:"health,omitempty"`
	MinCell int             `json:"min_cell,omitempty"`
}

// StudyOf returns the part of an order that is the same at all sites.
func StudyOf(o Order) (json.RawMessage, error) {
	if err := o.JoinsTree(false); err != nil {
		return nil, err
	}
	if o.Encode.MinCodes > 0 {
		return nil, fit.Unsuited("‹min-codes› is not for sites that join: leave it out")
	}
	if err := o.Uncounted(); err != nil {
		return nil, err
	}
	return json.Marshal(study{o.Encode, o.Fit, o.Views, o.Health, o.MinCell})
}

// Together does the fit of a study at one of its sites, as far as x has or gets
// totals; f holds the sites. What was made has the records of this site.
func (o Order) Together(ctx context.Context, f *exchange.File, x pass.Exchange) (*Made, error) {
	o, _, err := o.with(f, x)
	if err != nil {
		return nil, err
	}
	t := o.Timer()
	p, err := Prepare(ctx, o, "")
	if source.IsEmpty(err) {
		p, err = nobody(ctx, o)
	}
	if err != nil {
		return nil, err
	}
	t.Mark("reading and encoding")
	m, err := fitted(ctx, p, o, "", t)
	if err != nil {
		return nil, err
	}
	m.Tables = nil // of all sites: this one has its records
	return m, nil
}

// with returns the order of a site, or of nobody, that adds up by x.
func (o Order) with(f *exchange.File, x pass.Exchange) (Order, offered, error) {
	all, err := offersOf(f)
	if err != nil {
		return o, all, err
	}
	text, err := json.Marshal(all)
	if err != nil {
		return o, all, err
	}
	o.Join = &fit.Join{Exchange: x, Study: string(f.Study) + string(text)}
	if o.Join.Open = f.Open; f.Open {
		o.Join.Omit = o.SmallestCell(all.Health)
	}
	if o.Fit.Privacy.Epsilon > 0 {
		o.Join.Omit = 0 // noise hides cells of few people as it does others
		o.Encode.Agree = func(context.Context, *encode.Tally) (*encode.Tally, error) { return encode.Uncounted(all.Offer), nil }
		return o, all, nil
	}
	o.Encode.Agree = func(ctx context.Context, here *encode.Tally) (*encode.Tally, error) {
		sum := sha256.Sum256([]byte(o.Join.Study))
		r := pass.Round{Name: fmt.Sprintf("counts of %d names", len(all.Names)), Study: hex.EncodeToString(sum[:])}
		total, known, err := x.Known(r)
		if err == nil && !known {
			if here == nil {
				here = &encode.Tally{}
			}
			total, err = x.Add(ctx, r, here.Numbers(all.Offer, o.Join.Omit))
		}
		if err != nil {
			return nil, err
		}
		return encode.Tallied(all.Offer, total)
	}
	return o, all, nil
}

// fitted fits an order to prepared data, and adds up what reports need of all sites
// where records lie at several.
func fitted(ctx context.Context, p *fit.Prepared, o Order, dir string, t *fit.Timer) (*Made, error) {
	f, err := p.Fit(ctx, o.Order, dir, t)
	if err != nil {
		return nil, err
	}
	m := &Made{Made: f, order: o}
	if f.Joined == nil {
		return m, nil
	}
	if err := m.tabulate(ctx); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return m, nil
}

// tabulate makes what reports need: of private groups out of the model alone, of others by
// the counts of all sites.
func (m *Made) tabulate(ctx context.Context) (err error) {
	if m.order.Fit.Privacy.Epsilon > 0 {
		m.Tables, err = m.imagined(ctx)
		return err
	}
	if m.Tables, err = m.tables(ctx); err != nil {
		return err
	}
	return m.measureLoss(ctx)
}

// tables adds up the counts of groups over all sites, for reports.
func (m *Made) tables(ctx context.Context) (explain.Tables, error) {
	own, err := explain.Tabulate(ctx, m.Outcome, m.Set)
	if err != nil {
		return nil, err
	}
	return m.Joined.Total(ctx, own)
}

// imaginedRecords is the number of records that are drawn for a report of groups
// that are private: the numbers of a report have three digits.
const imaginedRecords = 50000

// imagined makes tables for reports where no count of records may leave its site: of
// records drawn from the model, as many as there are said to be with noise. Whatever
// is made of the model alone is as private as the model.
func (m *Made) imagined(ctx context.Context) (explain.Tables, error) {
	mod := m.Outcome.Model
	fam, err := mod.Family()
	if err != nil {
		return nil, err
	}
	drawn, err := fam.Sample(mod.Params, stream.New(mod.Provenance.Seed, "run/imagined"), imaginedRecords, family.Shape{})
	if err != nil {
		return nil, err
	}
	set := &dataset.Dataset{Kind: m.Set.Describe().Kind, Rows: drawn.Rows, Vocab: mod.Vocab}
	a, err := assign.All(ctx, fam, mod.Params, set.Runner(0))
	if err != nil {
		return nil, err
	}
	t, err := explain.Tabulate(ctx, &fit.Outcome{Model: mod, Group: a.Group, Probability: a.Probability}, set)
	for i := range t {
		t[i] = math.Round(t[i] * float64(max(mod.Provenance.Records, 0)) / imaginedRecords)
	}
	return t, err
}

// measureLoss tells what cells cost that were left out of open sums, measured with
// whole sums that are hidden.
func (m *Made) measureLoss(ctx context.Context) error {
	out, j := m.Outcome, m.order.Join
	x, hides := j.Exchange.(interface{ Hide() })
	if !hides || j.Omit == 0 {
		return nil
	}
	m.Joined.Omit(0)
	x.Hide()
	loss, err := fit.Loss(ctx, out, m.Joined, m.order.Fit)
	if err != nil {
		return err
	}
	w := warn.New(warn.Note, "open-sums", "Hidden sums (without --open) lose nothing.",
		"The sites sent open sums and left cells of fewer than %d records out: the groups describe the records worse by %.4f nats a record than with the whole sums.", j.Omit, loss)
	from := &out.Model.Provenance
	if out.Tree != nil {
		from = &out.Tree.Provenance
	}
	from.Warnings = append(from.Warnings, w)
	return nil
}

// Like returns the order with the settings of a study.
func (o Order) Like(study json.RawMessage) (Order, error) {
	o.Unset = true
	return o.like(&exchange.File{Study: study}, "the study")
}

// Check reports that the sites of a study do not go together, and which.
func Check(f *exchange.File) error {
	_, err := offersOf(f)
	return err
}

// prepareTotals makes data without records of the totals of several sites, and
// the order that was given to the sites.
func prepareTotals(ctx context.Context, o Order) (*fit.Prepared, Order, error) {
	if len(o.Totals) > 1 {
		return nil, o, fit.Unsuited("%d files of totals: give one, or add up those of sites first with \"moiety merge\"", len(o.Totals))
	}
	path := o.Totals[0]
	f, err := exchange.Load(path)
	if err != nil {
		return nil, o, err
	}
	h, err := exchange.NewHand(f, nil)
	if err != nil {
		return nil, o, fmt.Errorf("%s: %w", path, err)
	}
	if o, err = o.like(f, path); err != nil {
		return nil, o, err
	}
	o, all, err := o.with(f, h)
	if err != nil {
		return nil, o, err
	}
	p, err := nobody(ctx, o)
	if err != nil {
		return nil, o, err
	}
	p.Health = all.Health || o.Health
	if h := p.Set.Describe(); p.Health || !h.Sequences && h.Vocab.System != vocab.Text && h.Vocab.System != vocab.Genotypes {
		p.Reading.Unit = "row" // whether records are patients or claims is known at the sites
	}
	for _, s := range f.Sites {
		p.Inputs = append(p.Inputs, fit.Input{Name: s.Name, Bytes: -1})
	}
	return p, o, nil
}

// nobody makes data without records, with the vocabulary of all sites.
func nobody(ctx context.Context, o Order) (*fit.Prepared, error) {
	t, err := o.Encode.Agree(ctx, nil)
	if err != nil {
		return nil, err
	}
	r, err := encode.Nothing(t, o.Encode)
	if err != nil {
		return nil, err
	}
	if o.Fit.Privacy.Epsilon > 0 { // nobody has counted
		r.Summary.Read, r.Summary.Kept, r.Summary.Used, r.Summary.Top = 0, 0, 0, nil
	}
	return &fit.Prepared{Result: r, Plan: r.Summary.Plan, Health: o.Health}, nil
}

// like takes the settings of the sites. Flags that say otherwise are refused.
func (o Order) like(f *exchange.File, path string) (Order, error) {
	var s study
	if err := json.Unmarshal(f.Study, &s); err != nil {
		return o, fmt.Errorf("%s: %w", path, err)
	}
	if about, err := StudyOf(o); !o.Unset && (err != nil || !bytes.Equal(about, f.Study)) {
		return o, fit.Unsuited("%s was made with other settings: give the flags that the sites gave, or none", path)
	}
	workers, encoding := o.Fit.Workers, o.Encode
	o.Encode, o.Fit, o.Views, o.Health, o.MinCell = s.Encode, s.Fit, s.Views, s.Health, s.MinCell
	o.Fit.Workers, o.Encode.Workers, o.Encode.MaxMemory, o.Encode.TempDir = workers, encoding.Workers, encoding.MaxMemory, encoding.TempDir
	return o, nil
}

// ErrCarry ends a fit of totals that need another round first.
var ErrCarry = exchange.ErrCarry

// Ready reports whether totals are all that a fit needs, by an ErrCarry where
// another round is.
func Ready(ctx context.Context, o Order) error {
	p, o, err := prepareTotals(ctx, o)
	if err != nil {
		return err
	}
	defer p.Close()
	_, err = fitted(ctx, p, o, "", fit.NewTimer(nil))
	return err
}
