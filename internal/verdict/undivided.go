package verdict

import (
	"context"
	"fmt"
	"math"

	"github.com/moiety-go/moiety/internal/progress"
	"github.com/moiety-go/moiety/pass"
)

// Mixing says whether records of counts mix k patterns or have one each.
type Mixing struct {
	Mixed bool
	// Gain is how much better mixed patterns predict the counts kept aside.
	Gain    Evidence
	Records int // looked at
}

// Mix compares, for a number of topics that was asked for, records that mix them
// with records of one topic each, by what either predicts of the other half of the
// counts of new records. Topics that mix must predict clearly more. Counts that are
// not words scatter in ways that no topic explains (genes, events), and mixtures of
// topics describe part of that: there they must predict much more. It is nil where
// there are too few records to compare. All is done by sums: several places, and one with
// all records, say the same.
func Mix(ctx context.Context, run pass.Runner, k int, words bool, find TopicFit, s Settings) (*Mixing, error) {
	progress.Report(ctx, progress.Event{Step: "judging whether records mix topics"})
	places := newStrand(ctx, run)
	d, err := drawBag(ctx, run, 0, places)
	if err != nil {
		return nil, err
	}
	if n := d.all(); k < 2 || d.cols <= k || n < leastRecords || n < leastMixed*k {
		return nil, places.failed()
	}
	return d.mixes(ctx, run.Can().First, k, words, find, s)
}

// mixes compares both explanations of the records; first is the number of the first record
// here among all.
func (d *drawnBag) mixes(ctx context.Context, first, k int, words bool, find TopicFit, s Settings) (*Mixing, error) {
	folds, n := 2, d.all()
	if words && n < fewDocuments {
		folds = fewFolds
	}
	t := newTopicJudge(&d.bag, folds, find, s, d.places.chances("verdict/completion", s.Seed, first, d.record))
	t.alone()
	mixed, singly, ok := t, []*explanation(nil), false
	err := d.places.beside(ctx, s.Workers, 2, func(look int, own *strand) (err error) {
		if look == 0 {
			mixed = t.on(own)
			ok, err = mixed.try(ctx, k)
		} else {
			singly, err = t.on(own).own(ctx, k)
		}
		return err
	})
	if err != nil || !ok {
		return nil, err
	}
	t = mixed.on(d.places)
	t.singly(t.score(singly))
	t.best, t.gain = k, t.places.beyond(t.plain[k], t.whole)
	out := &Mixing{Mixed: t.clearly() || words && t.mixed(), Gain: t.gain, Records: n}
	out.Gain.Nats, out.Gain.Error = math.Round(out.Gain.Nats), math.Round(out.Gain.Error)
	return out, d.places.failed()
}

// leastMixed is the number of records a topic from which halves can be compared.
const leastMixed = 4

// own gives each record one topic, found from the records themselves: where
// patterns do not mix, those that would are a poor start.
func (t *topicJudge) own(ctx context.Context, k int) ([]*explanation, error) {
	fits := make([]*explanation, len(t.train))
	return fits, t.places.beside(ctx, t.s.Workers, len(fits), func(p int, own *strand) error {
		m, _ := t.train[p].on(own).fits(t.base[p], t.s.Seed, fmt.Sprintf("mix%d", p)).fit(k)
		fits[p] = &explanation{k: k, words: m.prob, prior: m.weight}
		return nil
	})
}

// on returns the judge for work on another strand.
func (t *topicJudge) on(own *strand) *topicJudge {
	out, c := *t, *t.completions
	c.bag = c.bag.on(own)
	out.completions = &c
	return &out
}
