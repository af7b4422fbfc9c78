package run

import (
	"context"
	"fmt"
	"strings"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/codes"
	"github.com/moiety-go/moiety/internal/encode"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/record"
)

// prepareWithin takes the records of one group of an earlier run ([T] Rem.
// 4.4.1): from its stored rows, so that the data need not be read again.
func prepareWithin(ctx context.Context, o Order, rows string) (*fit.Prepared, error) {
	if len(o.Args) > 0 {
		return nil, fit.Unsuited("‹within› takes its records from the run: leave the data files out")
	}
	if o.Fit.Privacy.Epsilon > 0 {
		return nil, fit.Unsuited("‹epsilon›: the group of an earlier run was found without noise: fit all records, or leave ‹within› out")
	}
	at := strings.LastIndex(o.Within, ":")
	if at < 0 {
		return nil, fit.Unsuited("‹within› %s: write RUN:GROUP, such as hf:1.2", o.Within)
	}
	parent, err := Open(o.Within[:at])
	if err != nil {
		return nil, err
	}
	if o.MinCell == 0 {
		o.MinCell = parent.Manifest.MinCell
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
	p, err := parent.earlier(src.file).Prepare(ctx, o.Order, src, s, &record.Problems{})
	if err != nil {
		return nil, fmt.Errorf("group %s: %w", o.Within[at+1:], err)
	}
	p.MinCell = o.MinCell
	p.Inputs = []fit.Input{{Name: o.Within, Bytes: -1}}
	return p, nil
}

// earlier is what is known of the stored records.
func (r *Run) earlier(f *dataset.File) fit.Earlier {
	return fit.Earlier{Plan: r.Manifest.Plan, Health: r.Manifest.Health, System: f.Vocab.System, Guesses: r.Manifest.Reading.Guesses()}
}

// encodeAgain returns the settings by which features that are encoded already
// stay what they are.
func (r *Run) encodeAgain(s encode.Settings) (encode.Settings, error) {
	plan := r.Manifest.Plan
	if len(plan.Levels) > 1 {
		return s, fit.Unsuited("‹within›: the run joins several levels of roll-up; make it with one of them to look inside its groups")
	}
	if s.Rollup != "" || s.Stopwords != "" || len(s.StopList) > 0 || s.Stem || s.Ngrams > 1 {
		return s, fit.Unsuited("‹within›: the features are those of the run: leave ‹rollup›, ‹stopwords›, ‹stem› and ‹ngrams› out")
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
	record.Source
	file *dataset.File
}

// Close closes the stored rows.
func (g *Group) Close() error { return g.file.Close() }

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
		return nil, fit.Unsuited("sequences pass through states: there are no records of one state to look into")
	}
	groups, err := r.groups(ctx, f)
	if err != nil {
		f.Close()
		return nil, err
	}
	keep := func(i int) bool { return inside[groups[i]] }
	return &Group{encode.Records(f, r.Manifest.Encoding.Format, keep), f}, nil
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

// GroupIDs are the ids of the groups, or of the nodes of a tree.
func (r *Run) GroupIDs() []string {
	var ids []string
	if t := r.Outcome.Tree; t != nil {
		for i := range t.Nodes {
			ids = append(ids, t.Nodes[i].ID)
		}
		return ids
	}
	for j := range r.Outcome.K() {
		ids = append(ids, r.GroupID(j))
	}
	return ids
}

// noGroup says which groups there are.
func (r *Run) noGroup(id string) error {
	const most = 40
	ids, more := r.GroupIDs(), ""
	if len(ids) > most {
		ids, more = ids[:most], ", …"
	}
	return fit.Unsuited("run %s: there is no group %q; its groups are %s%s", r.Path, id, strings.Join(ids, ", "), more)
}
