package verdict

import (
	"context"
	"fmt"
	"math"

	"github.com/moiety-go/moiety/internal/par"
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
// there are too few records to compare.
func Mix(ctx context.Context, run pass.Runner, k int, words bool, find TopicFit, s Settings) (*Mixing, error) {
	progress.Report(ctx, progress.Event{Step: "judging whether records mix topics"})
	d, err := drawBag(ctx, run, 0, nil)
	if err != nil {
		return nil, err
	}
	if k < 2 || d.cols <= k || d.n() < leastRecords || d.n() < leastMixed*k {
		return nil, nil
	}
	if few := max(firstRecords, firstEach*k); words && d.n() >= 2*few {
		m, err := mixOf(ctx, d.evenly(few), k, words, find, s)
		if err != nil || m != nil && m.Mixed && m.Gain.Nats >= firstErrors*m.Gain.Error {
			return m, err
		}
	}
	return mixOf(ctx, &d.bag, k, words, find, s)
}

// A first look at few documents saves the look at all where it leaves no doubt that
// they mix topics. It never shows that they do not, nor anything of other counts:
// there the gain changes with the number of records. Of documents of one topic each,
// few are predicted better by mixtures at times, by up to eight errors at 80 a topic.
const (
	firstRecords = 600 // documents
	firstEach    = 80  // at least, for every topic
	firstErrors  = 12
)

// evenly returns n records, spread evenly over all.
func (b *bag) evenly(n int) *bag {
	list := make([]int, n)
	for i := range list {
		list[i] = i * b.n() / n
	}
	return b.pick(list)
}

// mixOf compares both explanations of the given records.
func mixOf(ctx context.Context, b *bag, k int, words bool, find TopicFit, s Settings) (*Mixing, error) {
	folds := 2
	if words && b.n() < fewDocuments {
		folds = fewFolds
	}
	t := newTopicJudge(b, folds, find, s, (*strand)(nil).chances("verdict/completion", s.Seed, 0, nil))
	t.alone()
	ok, err := t.try(ctx, k)
	if err != nil || !ok {
		return nil, err
	}
	if err := t.own(ctx, k); err != nil {
		return nil, err
	}
	t.best, t.gain = k, t.places.beyond(t.plain[k], t.whole)
	out := &Mixing{Mixed: t.clearly() || words && t.mixed(), Gain: t.gain, Records: t.n()}
	out.Gain.Nats, out.Gain.Error = math.Round(out.Gain.Nats), math.Round(out.Gain.Error)
	return out, nil
}

// leastMixed is the number of records a topic from which halves can be compared.
const leastMixed = 4

// own gives each record one topic, found from the records themselves: where
// patterns do not mix, those that would are a poor start.
func (t *topicJudge) own(ctx context.Context, k int) error {
	fits := make([]*explanation, len(t.train))
	err := par.Do(ctx, par.Workers(t.s.Workers), len(fits), func(p int) error {
		m, _ := t.train[p].fits(t.base[p], t.s.Seed, fmt.Sprintf("mix%d", p)).fit(k)
		fits[p] = &explanation{k: k, words: m.prob, prior: m.weight}
		return nil
	})
	if err != nil {
		return err
	}
	t.singly(t.score(fits))
	return nil
}
