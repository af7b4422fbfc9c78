package fit

import (
	"context"
	"errors"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
)

// counted sets the number of trials of a model that has such: the largest count.
func (s Settings) counted(ctx context.Context, data Training) (Settings, error) {
	switch {
	case s.Spec.Trials < 0:
		return s, errors.New("fit: a number of trials is estimated for a number of groups: give ‹groups›, or the number of ‹trials›")
	case data.Kind != record.Counts || s.Spec.Trials > 0:
		return s, nil
	}
	fam, err := s.Spec.Family(data.Vocab)
	if err != nil || fam.Info().In(family.Trials) == "" {
		return s, err
	}
	seen, err := pass.RunOne(ctx, data.Run, countsSeen{})
	for v := range seen {
		if seen[v] > 0 {
			s.Spec.Trials = v
		}
	}
	return s, err
}

// countsSeen counts the entries of every value; the last one stands for all that
// are larger, which no model of trials takes.
type countsSeen struct{}

func (countsSeen) Len() int { return 256 }

func (c countsSeen) Add(state []float64, b pass.Block) error {
	note := func(v float64) {
		if v >= 0 {
			state[int(min(v, float64(c.Len()-1)))]++
		}
	}
	for _, v := range b.Rows.Dense {
		note(v)
	}
	if b.Rows.IsDense() {
		return nil
	}
	for i := range b.Rows.N() {
		index, value := b.Rows.Row(i)
		for e := range index {
			if value == nil {
				note(1)
			} else {
				note(float64(value[e]))
			}
		}
	}
	return nil
}

// counts reports that the records are counts under a model of such, and returns
// the largest count of a feature, or 0 where there is none. The model is chosen.
func (s Settings) counts(data Training) (trials int, ok bool) {
	if data.Kind != record.Counts {
		return 0, false
	}
	fam, err := s.Spec.Family(data.Vocab)
	if err != nil {
		return 0, false
	}
	info := fam.Info()
	if info.In(family.Trials) != "" {
		return s.Spec.Trials, s.Spec.Trials > 0
	}
	return 0, !info.Soft && (info.Is(family.WordShare) || info.Is(family.Average))
}
