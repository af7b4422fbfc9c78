package run

import (
	"context"
	"fmt"
	"strings"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/encode"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/vocab"
	"github.com/moiety-go/moiety/vocab/codes"
)

// prepareWithin takes the records of one group of an earlier run ([T] Rem.
// 4.4.1): from its stored rows, so that the data need not be read again.
func prepareWithin(ctx context.Context, o Order, rows string) (*Prepared, error) {
	if len(o.Args) > 0 {
		return nil, unsuited("--within takes its records from the run: leave the data files out")
	}
	at := strings.LastIndex(o.Within, ":")
	if at < 0 {
		return nil, unsuited("--within %s: write RUN:GROUP, such as hf:1.2", o.Within)
	}
	parent, err := Open(o.Within[:at])
	if err != nil {
		return nil, err
	}
	src, err := parent.Source(ctx, o.Within[at+1:])
	if err != nil {
		return nil, err
	}
	defer src.Close()
	s, err := parent.encodeAgain(o.Encode)
	if err != nil {
		return nil, err
	}
	s.Output = rows
	problems := &record.Problems{}
	r, err := encode.Encode(ctx, src, s, problems)
	if err != nil {
		return nil, fmt.Errorf("group %s: %w", o.Within[at+1:], err)
	}
	if r.Data != nil && r.Data.Vocab.System != src.file.Vocab.System {
		v := *r.Data.Vocab
		v.System = src.file.Vocab.System
		r.Data.Vocab = &v
	}
	p := newPrepared(r, problems)
	p.Plan, p.Health = parent.Manifest.Plan, parent.Manifest.Health
	p.Inputs = []Input{{Name: o.Within, Bytes: -1}}
	return p, nil
}

// encodeAgain returns the settings by which features that are encoded already
// stay what they are.
func (r *Run) encodeAgain(s encode.Settings) (encode.Settings, error) {
	plan := r.Manifest.Plan
	if len(plan.Levels) > 1 {
		return s, unsuited("--within: the run joins several levels of roll-up; make it with one of them to look inside its groups")
	}
	if s.Rollup != "" || s.Stopwords != "" || len(s.StopList) > 0 || s.Stem || s.Ngrams > 1 {
		return s, unsuited("--within: the features are those of the run: leave --rollup, --stopwords, --stem and --ngrams out")
	}
	s.System, s.Counts = string(codes.None), !plan.Presence
	if len(plan.Levels) == 1 && (plan.Levels[0] == codes.Three || plan.Levels[0] == codes.Full) {
		s.System, s.Rollup = string(plan.System), string(plan.Levels[0])
		if plan.Mixed {
			s.System = ""
		}
	}
	return s, nil
}

// Group is the stored records of one group, as a source of records.
type Group struct {
	file   *dataset.File
	keep   func(row int) bool
	schema *record.Schema
}

// Source returns the stored records of a group, or of any node of the tree,
// after the edits.
func (r *Run) Source(ctx context.Context, id string) (*Group, error) {
	inside, err := r.inside(id)
	if err != nil {
		return nil, err
	}
	f, err := r.Rows()
	if err != nil {
		return nil, err
	}
	if f.Sequences {
		f.Close()
		return nil, unsuited("sequences pass through states: there are no records of one state to look into")
	}
	groups, err := r.groups(ctx, f)
	if err != nil {
		f.Close()
		return nil, err
	}
	return &Group{file: f, keep: func(i int) bool { return inside[groups[i]] }, schema: schemaOf(f, r.Manifest.Encoding.Format)}, nil
}

// inside tells the groups that lie under a node, or are the group itself.
func (r *Run) inside(id string) ([]bool, error) {
	out := make([]bool, r.Outcome.K())
	if t := r.Outcome.Tree; t != nil {
		node, ok := t.Find(id)
		if !ok {
			return nil, r.noGroup(id)
		}
		under := t.Under([]int{node})
		for j, l := range r.Outcome.Leaves {
			out[j] = under[l] == 0
		}
		return out, nil
	}
	j, ok := r.Find(id)
	if !ok {
		return nil, r.noGroup(id)
	}
	out[j] = true
	return out, nil
}

// noGroup says which groups there are.
func (r *Run) noGroup(id string) error {
	const most = 40
	var ids []string
	if t := r.Outcome.Tree; t != nil {
		for i := range t.Nodes {
			ids = append(ids, t.Nodes[i].ID)
		}
	} else {
		for j := range r.Outcome.K() {
			ids = append(ids, r.GroupID(j))
		}
	}
	more := ""
	if len(ids) > most {
		ids, more = ids[:most], ", …"
	}
	return unsuited("run %s: there is no group %q; its groups are %s%s", r.Path, id, strings.Join(ids, ", "), more)
}

// schemaOf describes stored rows as a reader would.
func schemaOf(f *dataset.File, format string) *record.Schema {
	s := &record.Schema{Format: format, Kind: f.Kind, Dict: record.NewDict(), Side: f.Side, Titles: map[string]string{}}
	for h, name := range f.Vocab.Names {
		s.Dict.Add(name)
		if f.Vocab.Titles != nil && f.Vocab.Titles[h] != "" {
			s.Titles[name] = f.Vocab.Titles[h]
		}
	}
	s.Sparse = f.Kind == record.Real && f.Layout == dataset.Valued
	if f.Kind == record.Categorical || f.Kind == record.Mixed {
		for _, c := range f.Vocab.Columns {
			s.Columns = append(s.Columns, recordColumn(c))
		}
	}
	if f.Kind == record.Real {
		for h, name := range f.Vocab.Names {
			s.Columns = append(s.Columns, record.Column{Name: name, Kind: record.Real, Feature: uint32(h)})
		}
	}
	return s
}

func recordColumn(c vocab.Column) record.Column {
	out := record.Column{Name: c.Name, Feature: uint32(c.From), Kind: map[vocab.Kind]record.Kind{
		vocab.Presence: record.Presence, vocab.Counts: record.Counts,
		vocab.Real: record.Real, vocab.Categorical: record.Categorical,
	}[c.Kind]}
	if c.Kind == vocab.Categorical {
		for h := c.From; h < c.To; h++ {
			out.Levels = append(out.Levels, uint32(h))
		}
	}
	return out
}

// Schema implements record.Source.
func (g *Group) Schema() *record.Schema { return g.schema }

// Close closes the stored rows.
func (g *Group) Close() error { return g.file.Close() }

// Read implements record.Source.
func (g *Group) Read(ctx context.Context, yield func(*record.Batch) error) error {
	first := 0
	real := make([]bool, g.file.Dim())
	for _, c := range g.schema.Columns {
		if c.Kind == record.Real {
			real[c.Feature] = true
		}
	}
	for i := range g.file.Blocks() {
		if err := ctx.Err(); err != nil {
			return err
		}
		d, err := g.file.Block(i)
		if err != nil {
			return err
		}
		b := batchOf(d, first, real, g.keep)
		first += d.Len()
		if b.N() == 0 {
			continue
		}
		if err := yield(b); err != nil {
			return err
		}
	}
	return nil
}

// batchOf turns the kept rows of a block back into records; first is the number
// of the block's first record.
func batchOf(d *dataset.Dataset, first int, real []bool, keep func(int) bool) *record.Batch {
	b := &record.Batch{Ptr: []int{0}, Side: make([][]string, len(d.Side))}
	for i := range d.Len() {
		if !keep(first + i) {
			continue
		}
		id := fmt.Sprint(first + i + 1)
		if d.IDs != nil {
			id = d.IDs[i]
		}
		b.IDs = append(b.IDs, id)
		for s := range d.Side {
			b.Side[s] = append(b.Side[s], d.Side[s].Values[i])
		}
		addRow(b, d, i, real)
		b.Ptr = append(b.Ptr, len(b.Feature))
	}
	return b
}

func addRow(b *record.Batch, d *dataset.Dataset, i int, real []bool) {
	add := func(h uint32, v float64) {
		b.Feature, b.Value = append(b.Feature, h), append(b.Value, v)
	}
	if d.Rows.IsDense() {
		for h, v := range d.Rows.DenseRow(i) {
			if v != 0 || real[h] {
				add(uint32(h), v)
			}
		}
		return
	}
	index, value := d.Rows.Row(i)
	for e, h := range index {
		v := 1.0
		if value != nil {
			v = float64(value[e])
		}
		add(h, v)
	}
}
