package fit

import (
	"context"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/refine"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/warn"
)

// asShown returns the groups that columns of several kinds show by themselves where just so
// many were asked for, and nil otherwise. The verdict finds them by gaps; a mixture of so many
// components, independent inside, is likelier where it cuts what goes together inside groups.
func (s Settings) asShown(ctx context.Context, data Training) (*Outcome, family.Family, error) {
	free := s
	free.K, free.Over = 0, false
	v, err := judge(ctx, data, free)
	if err != nil || v == nil || v.Groups != s.K || v.Found == nil {
		return nil, nil, err
	}
	h, err := newHierarchy(ctx, data, free, v)
	if err != nil {
		return nil, nil, err
	}
	p, err := h.claimed(ctx)
	if err != nil {
		return nil, nil, err
	}
	s.Spec = h.s.Spec
	words := append(formWords(v.Form, v.Groups, data.Vocab), farWords(v.Far, data.Vocab)...)
	m, err := finish(h.fam, h.data, s, &start{warnings: words}, &refine.Result{Params: p})
	if err != nil {
		return nil, nil, err
	}
	out, err := place(ctx, h.fam, m, h.data)
	return out, h.fam, err
}

// mayShow reports columns of several kinds in a way that leaves it to the program how groups
// are found. The model is chosen.
func (s Settings) mayShow(data Training) bool {
	return data.Kind == record.Mixed && s.Spec.Own == nil && s.Spec.Model == Auto(data, true).Model && s.K > 1 && s.method() == "auto" &&
		s.Refine != None && s.Prior >= 0
}

// notOpenly says what a fit of so many groups does not ask by open sums.
func notOpenly() warn.Warning {
	const records = "records" // which a report calls by their own word
	return warn.New(warn.Caution, "not-openly", "Hide the sums (leave --open out): then it is asked, too.",
		"The groups are those of the likeliest mixture. Whether so many others show by themselves, or beside differences of degree, is asked by sums over few %s, which open sums would show.", records)
}
