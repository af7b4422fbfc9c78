package explain

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/inference"
	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/phrases"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/vocab"
)

// New explains the outcome of a fit on the records of r.
func New(ctx context.Context, o *fit.Outcome, r dataset.Data, s report.Settings) (*report.Report, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	if o.Model == nil {
		return nil, fmt.Errorf("explain: the fit has no groups")
	}
	fam, err := o.Model.Family()
	if err != nil {
		return nil, err
	}
	measured := func(v *vocab.Vocab) bool { return slices.Contains(sharesOf(fam.Info(), v.Len()), report.Value) }
	var d *survey
	if err := par.Do(ctx, s.Workers, 2, func(i int) (err error) { // each is too short for all cores
		if i == 0 {
			d, err = newSurvey(ctx, r, s.Workers, measured, s.Date, showsRecords(s))
			return err
		}
		return matching(o, r.RowCount(), r.Describe().Vocab.Len(), s.Workers)
	}); err != nil {
		return nil, err
	}
	if err := (Gate{Ring: s.Ring(), Limit: s.Limit()}).Cohort(d.records); err != nil {
		return nil, err
	}
	b := newBuilder(o, fam.Info(), d, s)
	if b.c, err = count(ctx, o, r, s.Workers, d, b.h, b.of); err != nil {
		return nil, err
	}
	return b.report(ctx, r)
}

// report makes the report of what was counted; r is nil where no record is here.
func (b *builder) report(ctx context.Context, r dataset.Data) (*report.Report, error) {
	s := b.s
	b.whole, b.tokens = b.wholes(), b.tokenTotals()
	b.entries = b.tokens[0]
	b.round()
	if s.Ring() == report.Shared {
		b.open = sharedOpenness(b.h, b.c, b.of, s.Limit(), b.rounded)
	} else {
		b.open = newOpenness(b.h, b.c, b.d, b.of, s.Limit(), b.symbols(), s.Workers)
	}
	b.shareParams()
	b.byTopic()
	if err := b.infer(ctx, r); err != nil {
		return nil, err
	}
	b.list()
	b.facts()
	b.groups()
	if r != nil {
		if err := b.examples(ctx, r); err != nil {
			return nil, err
		}
	}
	b.tables()
	b.parameters()
	b.courses()
	b.asked()
	if r != nil {
		if err := b.trends(ctx, r); err != nil {
			return nil, err
		}
		if err := b.sides(ctx, r); err != nil {
			return nil, err
		}
	}
	if err := b.distal(ctx, r); err != nil {
		return nil, err
	}
	b.findings()
	b.write()
	return b.r, ctx.Err()
}

// matching reports whether the outcome is one of these records.
func matching(o *fit.Outcome, rows, features, workers int) error {
	if o.Model == nil || len(o.Group) != rows || len(o.Probability) != len(o.Group) {
		return fmt.Errorf("explain: a fit of %d rows for data of %d rows: give the data that were fitted", len(o.Group), rows)
	}
	if o.Model.Params.Dim() != features {
		return fmt.Errorf("explain: a fit of %d features for data of %d: give the data that were fitted", o.Model.Params.Dim(), features)
	}
	k := o.K()
	const part = 1 << 16
	return par.Blocks(context.Background(), workers, rows, part, func(_, lo, hi int) error {
		for i, g := range o.Group[lo:hi] {
			if g < 0 || int(g) >= k {
				return fmt.Errorf("explain: row %d lies in group %d of %d", lo+i+1, g+1, k)
			}
		}
		return nil
	})
}

// builder holds what the steps of New share.
type builder struct {
	o        *fit.Outcome
	d        *survey
	s        report.Settings
	l        phrases.Language
	info     family.Info
	params   mixture.Params
	topic    [][]float64 // of topics: their words, as they are asked for again and again; nil elsewhere
	h        *hierarchy
	of       []report.Of
	question []int // of every feature: its column, or -1
	c        *cells
	whole    []bool    // of every node: it holds all records
	rounded  roundings // to be shared; the zero value leaves counts as they are
	entries  float64   // words of all records
	tokens   []float64 // of every node: its words
	open     *openness
	own      *inference.Estimates // of latent classes; nil elsewhere
	asks     []family.Question    // of latent classes
	askedBy  []int                // of every feature: its question
	listed   []int                // features that may be named, in the order of the vocabulary
	shorts   []string             // of every feature: its short title, once it was asked for
	calls    []string             // of every feature: what it is called, once it was asked for
	ranks    sync.Pool            // of *[]ranked, see rank
	place    []int                // of every feature: its place among them, or -1
	r        *report.Report
}

func newBuilder(o *fit.Outcome, info family.Info, d *survey, s report.Settings) *builder {
	b := &builder{o: o, d: d, s: s, l: phrases.Language(s.Language), info: info, params: o.Model.Params, h: newHierarchy(o)}
	b.of = sharesOf(info, d.vocab.Len())
	b.question = questionsOf(d.vocab)
	codes := d.vocab.System == "icd9" || d.vocab.System == "icd10"
	b.r = &report.Report{
		Version: report.Version, Ring: s.Ring(), Language: s.Language, Shape: report.Flat, Lambda: lambda(s), Limit: s.Limit(),
		Unit: unit(s, d.kind, b.texts(), codes, d.vocab.System == vocab.Genotypes),
	}
	if info.Views && s.Unit.Feature == "" { // of one view, or of the other
		b.r.Unit.Feature, b.r.Unit.Features = "feature", "features"
	}
	if info.Sequences {
		b.r.Unit = sequenceUnit(s, b.r.Unit, info.Symbols)
	}
	b.r.Soft = b.soft()
	if shares := o.Model.Provenance.Shares; b.soft() && shares != nil && o.Tree == nil {
		b.params.Weights = shares.Words // the prior's are of documents that nobody has seen
	}
	switch {
	case o.Tree != nil:
		b.r.Shape = report.Tree
	case info.Sequences:
		b.r.Shape = report.States
	}
	return b
}

// words reports whether a center has the share of each feature in all that is
// counted, as that of a word in a text.
func (b *builder) words() bool { return b.info.Is(family.WordShare) }

// texts reports whether these features are words of documents: genes of cells and
// goods of baskets are counted like them, and are none.
func (b *builder) texts() bool { return b.words() && b.d.vocab.System == vocab.Text }

// symbols reports whether a row has one feature at most.
func (b *builder) symbols() bool { return b.info.Symbols }

// soft reports whether a record has a share in every group.
func (b *builder) soft() bool { return b.info.Soft }

// wholes tells the nodes that hold all rows.
func (b *builder) wholes() []bool {
	out := make([]bool, b.h.len())
	for i, n := range b.c.n {
		out[i] = n == b.c.n[0]
	}
	return out
}

// tokenTotals returns the words of every node; to be shared, of those that are
// reported, so that none can be found as the rest.
func (b *builder) tokenTotals() []float64 {
	out := make([]float64, b.h.len())
	b.sideBySide(len(out), func(i int) {
		sum := 0.0
		for f, of := range b.of {
			if of == report.OfWords && (b.open == nil || b.open.cellOpen(i, f)) {
				sum += b.c.total(i, f)
			}
		}
		out[i] = sum
	})
	return out
}

// nodes returns the nodes that are groups of the report: all of a tree, all but
// the whole of a flat fit.
func (b *builder) nodes() []int {
	var out []int
	for i := range b.h.parent {
		if i > 0 || b.o.Tree != nil {
			out = append(out, i)
		}
	}
	return out
}

// list finds the features that may be named: all but those that fewer records
// than the limit have. The name of a rare disease is reported by nobody.
func (b *builder) list() {
	for f := range b.of {
		if b.open.limit == 0 || b.named(f) {
			b.listed = append(b.listed, f)
		}
	}
	if b.r.Ring == report.Shared {
		b.sortNames()
	}
	b.place = make([]int, len(b.of))
	for f := range b.place {
		b.place[f] = -1
	}
	for i, f := range b.listed {
		b.place[f] = i
	}
}

// sortNames puts features that are no columns of a table in the order of their
// names: that of the vocabulary is by how many records have them, to the last
// one. Columns of codes at several levels go by their names as well.
func (b *builder) sortNames() {
	v := b.d.vocab
	column := make([]string, v.Len())
	for i, c := range v.Columns {
		for f := c.From; f < c.To; f++ {
			if column[f] = c.Name; v.System == "" || v.System == "none" {
				column[f] = fmt.Sprintf("\x00%08d", i) // as in the file
			}
		}
	}
	slices.SortStableFunc(b.listed, func(x, y int) int {
		if c := cmp.Compare(column[x], column[y]); c != 0 || strings.HasPrefix(column[x], "\x00") {
			return c
		}
		return cmp.Compare(v.Names[x], v.Names[y])
	})
}

// named reports whether enough records have a feature, or a value of it.
func (b *builder) named(f int) bool {
	n, r := int(b.c.have[0][f]), b.rounded.rows
	if b.of[f] == report.Value {
		n = b.c.n[0] - b.c.missing(0, f)
	}
	if b.c.people != nil {
		n, r = b.c.people.with[f].n[0], b.rounded.people
	}
	return r.reaches(float64(n), partOfFeatures, b.open.limit)
}

// number returns the number of the group proper at a node, from 0, or -1.
func (b *builder) number(node int) int { return b.h.number[node] }

// groups fills in everything of a group but the words.
func (b *builder) groups() {
	nodes := b.nodes()
	b.call() // once, before many ask
	namer := newNamer(b)
	b.r.Groups = make([]report.Group, len(nodes))
	b.sideBySide(len(nodes), func(i int) {
		node, g := nodes[i], &b.r.Groups[i]
		g.ID, g.Number = b.h.ids[node], b.number(node)+1
		if b.o.Tree != nil {
			t := &b.o.Tree.Nodes[node]
			g.Level = t.Level
			if t.Parent >= 0 {
				g.Parent = b.h.ids[t.Parent]
			}
			for _, c := range t.Children {
				g.Children = append(g.Children, b.h.ids[c])
			}
		}
		b.size(g, node)
		g.Measures = b.measures(node)
		b.rank(node, func(all []ranked) {
			b.features(g, node, all)
			namer.gather(g, node, all)
		})
	})
	for i, node := range nodes {
		g := &b.r.Groups[i]
		b.certainty(g, node)
		b.split(g, node)
		b.moves(g)
		b.wait(g)
	}
	namer.names()
	for _, l := range b.h.leaf {
		b.r.Leaves = append(b.r.Leaves, slices.IndexFunc(b.r.Groups, func(g report.Group) bool { return g.ID == b.h.ids[l] }))
	}
	b.r.Overall = b.frequent(0)
	b.neighbours()
}

// sideBySide does things that have nothing to do with each other on all cores.
func (b *builder) sideBySide(n int, do func(i int)) {
	_ = par.Do(context.Background(), b.s.Workers, n, func(i int) error { // nothing fails
		do(i)
		return nil
	})
}

// size sets n and share; that of a topic which mixes is of all words.
func (b *builder) size(g *report.Group, node int) {
	g.Whole = b.whole[node] && (!b.soft() || len(b.h.leaf) == 1)
	if !b.open.sizeOpen(node) {
		return
	}
	g.N = report.CountOf(b.c.n[node])
	g.Share = report.NumberOf(float64(b.c.n[node]) / float64(max(b.c.n[0], 1)))
	if b.classes() && g.Number > 0 {
		e := b.own.Shares[g.Number-1]
		g.Counted, g.Share, g.Low, g.High = g.Share, report.NumberOf(e.Value), report.NumberOf(e.Low), report.NumberOf(e.High)
	}
	if b.soft() && g.Number > 0 {
		g.Share = report.NumberOf(b.params.Weights[g.Number-1])
		if shares := b.o.Model.Provenance.Shares; shares != nil && b.o.Tree == nil && b.s.Ring() != report.Shared {
			g.Document = report.NumberOf(shares.Documents[g.Number-1])
		}
	}
}

// certainty is reported of groups proper only: that of an inner node is not the
// certainty of its leaves.
func (b *builder) certainty(g *report.Group, node int) {
	n := float64(b.c.n[node])
	if g.Number == 0 || n == 0 || !b.open.sizeOpen(node) {
		return
	}
	g.Certainty = &report.Certainty{Mean: report.NumberOf(b.c.chance[node] / n)}
	if b.open.limit == 0 || b.open.sure[node] {
		g.Certainty.Sure = report.NumberOf(float64(b.c.sure[0][node]) / n)
		if b.open.doubtful {
			g.Certainty.Doubtful = report.NumberOf(float64(b.c.sure[2][node]) / n)
		}
	}
}

// kindWords tells the kind of the records for people.
func kindWords(k record.Kind, v *vocab.Vocab) string {
	switch {
	case v.System == "icd9":
		return "ICD-9 codes"
	case v.System == "icd10":
		return "ICD-10 codes"
	}
	return map[record.Kind]string{
		record.Presence: "presences", record.Counts: "counts", record.Real: "measurements",
		record.Categorical: "answers", record.Mixed: "columns of different kinds", record.Text: "texts",
	}[k]
}
