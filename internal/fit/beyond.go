package fit

import (
	"context"
	"errors"
	"fmt"

	"github.com/moiety-go/moiety/decompose"
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/assign"
	"github.com/moiety-go/moiety/internal/progress"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/warn"
)

// mostCut is the number of records that a start by cuts is found on.
const mostCut = 4000

// beyond finds a start of more groups than the moments of the records tell apart:
// the groups that they do tell apart, of which the widest is cut in two along the
// line on which its records differ most, until there are as many as were asked
// for. It returns the error of the moments where that is not the trouble, or the
// records are not all here.
func beyond(ctx context.Context, fam family.Family, data Training, s Settings, cause error) (*start, error) {
	ranked, ok := momentRank(cause)
	if !ok || data.Sequences || data.Run.Can().Own < data.Run.Len() {
		return nil, cause
	}
	if n := data.Run.Len(); n < s.K {
		return nil, tooLittle(&moment.ErrTooFew{Reason: fmt.Sprintf("%d records for %d groups: ask for fewer groups or give more records", n, s.K)})
	}
	progress.Report(ctx, progress.Event{Step: "cutting groups in two", Unit: "groups", Total: int64(s.K)})
	quiet := progress.With(ctx, nil)
	some, err := pass.Sample(quiet, data.Run, 1+(data.Run.Len()-1)/mostCut)
	if err != nil {
		return nil, err
	}
	labels, err := s.rankedGroups(quiet, fam, data, some, ranked)
	if err != nil {
		return nil, err
	}
	c := newCutter(some.Rows(), data.Kind == record.Counts && fam.Info().Is(family.WordShare), labels)
	k := c.cut(s.K)
	if k < min(s.K, 2) { // all records are the same
		return nil, cause
	}
	p, err := s.learned(quiet, fam, data.of(some), c.label, k)
	if err != nil && serious(err) == nil {
		err = cause
	}
	if err != nil {
		return nil, err
	}
	out := &start{cut: true, candidates: []mixture.Params{p}}
	if s.K > 1 {
		out.warnings = []warn.Warning{beyondWarning(s.K, ranked)}
	}
	if k < s.K {
		out.warnings = append(out.warnings, warn.New(warn.Caution, "fewer-groups", "Ask for fewer groups.",
			"%d groups were asked for; the records are of %d kinds only, which cannot be told apart further.", s.K, k))
	}
	return out, nil
}

// momentRank returns how many groups the moments tell apart, where that they are
// too few is what stopped them.
func momentRank(err error) (int, bool) {
	var rank *decompose.ErrRank
	var few *moment.ErrTooFew
	switch {
	case errors.As(err, &rank):
		return max(rank.Got, 1), true
	case errors.As(err, &few):
		return 1, true
	}
	return 0, false
}

func beyondWarning(k, ranked int) warn.Warning {
	return warn.New(warn.Caution, "beyond-moments", "Ask for fewer groups, or take those beyond as a way to describe the records.",
		"%d groups were asked for, and what features have in common tells only %d apart: the others come from cutting groups in two, and other records would be cut elsewhere.", k, ranked)
}

// rankedGroups are the groups that moments tell apart, of some of the records: all in
// one where there are no two.
func (s Settings) rankedGroups(ctx context.Context, fam family.Family, data Training, some *pass.Local, ranked int) ([]int32, error) {
	labels := make([]int32, some.Len())
	if ranked < 2 || ranked >= s.K {
		return labels, nil
	}
	s.K = ranked
	st, err := search(ctx, fam, data.Run, s)
	if err != nil {
		return labels, serious(err)
	}
	done, err := refined(ctx, fam, data.Run, st, s)
	if err != nil {
		return labels, serious(err)
	}
	a, err := assign.All(ctx, fam, done.Params, some)
	if err != nil {
		return labels, serious(err)
	}
	return a.Group, nil
}

// learned returns the groups of a partition of records. Topics that mix are those
// of documents of one each, and mixed by the sizes of these.
func (s Settings) learned(ctx context.Context, fam family.Family, data Training, labels []int32, k int) (mixture.Params, error) {
	split := s
	split.Spec.Model = s.Spec.Splits()
	hard := fam
	if split.Spec.Model != s.Spec.Model {
		var err error
		if hard, err = split.Spec.Family(data.Vocab); err != nil {
			return mixture.Params{}, err
		}
	}
	grouped, ok := hard.(family.Grouped)
	if !ok {
		return mixture.Params{}, ErrTooLittle
	}
	shape, err := s.shapeOf(ctx, hard, data, k)
	if err != nil {
		return mixture.Params{}, err
	}
	step, err := grouped.HardStep(shape, labels)
	if err != nil {
		return mixture.Params{}, err
	}
	stats, err := pass.RunOne(ctx, data.Run, step)
	if err != nil {
		return mixture.Params{}, err
	}
	p, _, err := hard.MStep(stats, shape, s.Prior.Records())
	if err != nil || !fam.Info().Soft {
		return p, err
	}
	return s.concentrated(fam, p), nil
}

// shapeOf returns k equal groups of the form that the family knows.
func (s Settings) shapeOf(ctx context.Context, fam family.Family, data Training, k int) (mixture.Params, error) {
	if f, ok := fam.(family.Levelled); ok {
		return f.Even(k), nil
	}
	s.K, s.Method = 1, ""
	st, err := fromMoments(ctx, fam, data.Run, s, true)
	if err = serious(err); err != nil {
		return mixture.Params{}, err
	}
	if st == nil { // documents of one or two words have no third moments
		return s.even(data, k, fam.Info().Is(family.WordShare)), nil
	}
	shape := fam.Reorder(st.candidates[0], make([]int, k))
	for j := range shape.Weights {
		shape.Weights[j] = 1 / float64(k)
	}
	return shape, nil
}
