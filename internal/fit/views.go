package fit

import (
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/vocab"
)

// views fills in the views of a multi-view model: each pattern takes a run of
// neighbouring features, all together take all features.
func (o *Order) views(ctx context.Context, data Training) error {
	if info, _ := o.Fit.Spec.Info(); !info.Views {
		return nil
	}
	tops, err := topsOf(ctx, data)
	if err != nil {
		return err
	}
	v := data.Vocab
	o.Fit.Spec.Views = nil
	at := 0
	for _, pattern := range o.Views {
		from := at
		for at < v.Len() && matches(pattern, v, at) {
			at++
		}
		if at == from {
			return Unsuited("view %q: feature %q, which is next, does not match it: order the views as the columns are", pattern, v.Names[min(at, v.Len()-1)])
		}
		spec, err := viewSpec(data, tops, from, at)
		if err != nil {
			return fmt.Errorf("view %q: %w", pattern, err)
		}
		info, _ := spec.Info()
		o.Fit.Spec.Views = append(o.Fit.Spec.Views, model.View{
			Name: pattern, From: from, To: at, Spec: spec,
			EmptyMissing: info.Is(family.WordShare), // no word tells nothing of a document: it is not there
		})
	}
	if at < v.Len() {
		return Unsuited("feature %q is in no view: add a view for it, or leave it out with ‹exclude›", v.Names[at])
	}
	return nil
}

// matches reports whether a feature belongs to a view: by its name, or by that
// of its column, whole or as a pattern with * and ?.
func matches(pattern string, v *vocab.Vocab, h int) bool {
	names := []string{v.Names[h]}
	for _, c := range v.Columns {
		if c.From <= h && h < c.To {
			names = append(names, c.Name)
		}
	}
	for _, name := range names {
		for _, p := range strings.Split(pattern, ",") {
			if ok, err := path.Match(p, name); err == nil && ok {
				return true
			}
		}
	}
	return false
}

// viewSpec chooses the model of a view by the kind of its columns, and of counts by
// how far they go: a table of alleles and codes is one of counts as a whole.
func viewSpec(data Training, tops *tops, from, to int) (model.Spec, error) {
	r := model.Records{Kind: data.Kind}
	kinds := map[vocab.Kind]bool{}
	for _, c := range data.Vocab.Columns {
		if c.From < to && c.To > from {
			kinds[c.Kind] = true
		}
	}
	if len(kinds) > 1 {
		return model.Spec{}, Unsuited("its columns are of different kinds: make a view of each kind")
	}
	for k := range kinds { // the only one
		r.Kind = map[vocab.Kind]record.Kind{
			vocab.Presence: record.Presence, vocab.Counts: record.Counts,
			vocab.Real: record.Real, vocab.Categorical: record.Categorical,
		}[k]
	}
	if r.Kind == record.Counts && data.Vocab.System != vocab.Text {
		r.Kind, r.System = tops.of(from, to)
	}
	return model.Spec{}.For(r, true), nil
}

// tops says of every feature of counts how many records have it more than once, and
// more than twice.
type tops struct{ twice, more []float64 }

// topsOf sums them up.
func topsOf(ctx context.Context, data Training) (*tops, error) {
	d := data.Run.Dim()
	state, err := pass.RunOne(ctx, data.Run, topSum(d))
	if err != nil {
		return nil, err
	}
	return &tops{state[:d], state[d:]}, nil
}

// of tells counts of a view: presences where none is above 1, alleles where none is
// above 2 and most features come to 2 somewhere.
func (t *tops) of(from, to int) (record.Kind, string) {
	twos := 0
	for h := from; h < to; h++ {
		switch {
		case t.more[h] > 0:
			return record.Counts, ""
		case t.twice[h] > 0:
			twos++
		}
	}
	switch {
	case twos == 0:
		return record.Presence, ""
	case 2*twos >= to-from:
		return record.Counts, vocab.Genotypes
	}
	return record.Counts, ""
}

// topSum is the sum of topsOf, for so many features.
type topSum int

func (d topSum) Len() int { return 2 * int(d) }

func (d topSum) Add(state []float64, b pass.Block) error {
	note := func(h int, x float64) {
		if x > 1 {
			state[h]++
		}
		if x > 2 {
			state[int(d)+h]++
		}
	}
	for i := range b.Rows.N() {
		b.Rows.Each(i, note)
	}
	return nil
}
