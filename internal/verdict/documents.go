package verdict

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/pass"
)

// Topics are those of documents that mix several.
type Topics struct {
	Words []float64 // words×k, the probabilities of a topic in a column
	Alpha []float64 // k Dirichlet parameters
}

// TopicFit finds k topics that documents mix; none where they cannot tell so many apart.
type TopicFit func(ctx context.Context, run pass.Runner, k int) (Topics, error)

// Documents judges documents: whether each is about one topic, so that they form
// groups, or mixes several; and how many.
//
// Groups are claimed as for counts. Documents mix topics where these predict the
// other half of the words of new documents clearly better than one topic for each
// document does, whatever bursts either may have. The number of topics is the
// smallest that predicts not clearly worse than the best, of topics that two
// halves of the documents both find.
func Documents(ctx context.Context, run pass.Runner, find TopicFit, s Settings) (*Verdict, error) {
	s.heard = newGauge(ctx, "judging how many topics there are")
	s.heard.stage(2, 40)
	d, err := drawBag(ctx, run, 0, strandOf(ctx, run))
	if err != nil {
		return nil, err
	}
	w, n := s.Words.filled(true), d.all()
	if d.cols < 2 || n < leastRecords {
		return d.little(w, n), d.places.failed()
	}
	folds := 2
	if n < fewDocuments {
		folds = fewFolds
	}
	t := newTopicJudge(&d.bag, folds, find, s, d.places.chances("verdict/completion", s.Seed, run.Can().First, d.record))
	if err := t.mixing(ctx); err != nil {
		return nil, err
	}
	s.heard.stage(40, 60)
	f, err := d.search(ctx, s, t.clearly())
	if err != nil {
		return nil, err
	}
	v := f.verdict(w)
	if t.clearly() || t.mixed() && v.Groups == 1 {
		s.heard.stage(60, 98)
		v, err = t.verdict(ctx, v, w)
		return v, errors.Join(err, d.places.failed())
	}
	if v.Groups == 1 && n < fewDocuments {
		v.Sure = false
		v.Against = append(v.Against, Doubt{TooFew, fmt.Sprintf("Too few %s to say whether they mix topics.", w.Records)})
	}
	return v, d.places.failed()
}

// fewDocuments is the number below which topics that documents mix, each a little,
// do not show in half of them: they are cut into more parts.
const (
	fewDocuments = 1000
	fewFolds     = 4
)

// topicJudge compares numbers of topics.
type topicJudge struct {
	*completions
	find   TopicFit
	s      Settings
	scores map[int][]float64      // of documents that mix so many topics: compared with each other
	plain  map[int][]float64      // the same with the words as they were found: compared with one topic each
	fits   map[int][]*explanation // of all but each of the parts
	halves [2]*bag                // of the documents, where these are few
	twice  map[int][]*explanation // of either half of the documents
	whole  []float64              // of the best explanation with one topic a document
	total  float64                // what that comes to
	gain   Evidence
	best   int
	shares []float64 // of the words in all documents
}

func newTopicJudge(b *bag, folds int, find TopicFit, s Settings, chance chances) *topicJudge {
	copied := *b
	c := newCompletions(&copied, folds, s.Seed, chance)
	c.team = team(par.Workers(s.Workers))
	t := &topicJudge{completions: c, find: find, s: s, scores: map[int][]float64{}, plain: map[int][]float64{}, fits: map[int][]*explanation{}, shares: b.overall()}
	t.twice = t.fits
	if t.few() {
		t.twice = map[int][]*explanation{}
		parts := b.places.partition(b.n(), 2, s.Seed, "verdict/halves")
		for p := range parts {
			slices.Sort(parts[p])
			t.halves[p] = b.pick(parts[p])
		}
	}
	return t
}

// few reports that documents are so few that half of them do not show their topics.
func (t *topicJudge) few() bool { return len(t.parts) > 2 }

// sum adds up scores over all places.
func (t *topicJudge) sum(scores []float64) float64 { return t.places.one(sum(scores)) }

// singly keeps the score of an explanation with one topic a document, where it is the best.
func (t *topicJudge) singly(scores []float64) {
	if total := t.sum(scores); t.whole == nil || total > t.total {
		t.whole, t.total = scores, total
	}
}

// alone scores one topic for all documents.
func (t *topicJudge) alone() {
	fits := make([]*explanation, len(t.parts))
	for p := range fits {
		fits[p] = &explanation{k: 1, words: t.base[p], prior: []float64{1}}
	}
	t.singly(t.score(fits))
}

// try scores documents that mix k topics; it reports whether they could be found.
func (t *topicJudge) try(ctx context.Context, k int) (bool, error) {
	if _, ok := t.fits[k]; ok {
		return t.scores[k] != nil, nil
	}
	fits, err := t.topics(ctx, t.train, k)
	if err != nil {
		return false, err
	}
	t.fits[k] = fits
	if fits == nil {
		return false, nil
	}
	t.plain[k] = t.score(fits)
	t.scores[k] = t.plain[k]
	if t.few() {
		t.scores[k] = t.pulled(fits)
	}
	return true, t.undivided(ctx, k, fits)
}

// topics finds k topics in each of several sets of documents; nil where some have
// too few to tell them apart.
func (t *topicJudge) topics(ctx context.Context, of []*bag, k int) ([]*explanation, error) {
	out := make([]*explanation, len(of))
	err := t.places.beside(ctx, t.s.Workers, len(of), func(p int, own *strand) error {
		found, err := t.find(ctx, own.runner(pass.NewLocal(of[p].rows(), 1)), k)
		if found.Words != nil {
			out[p] = &explanation{k: k, words: found.Words, prior: found.Alpha, mixes: true}
		}
		return err
	})
	if slices.Contains(out, nil) {
		out = nil
	}
	return out, err
}

// undivided gives each document one of the topics that were found: with the very
// words that mixed documents have, so that few documents prefer none for the way in
// which its words are smoothed, and with words learned anew from there.
func (t *topicJudge) undivided(ctx context.Context, k int, from []*explanation) error {
	fits, same := make([]*explanation, len(from)), make([]*explanation, len(from))
	err := t.places.beside(ctx, t.s.Workers, len(from), func(p int, own *strand) error {
		b := t.train[p].on(own)
		m := &bagMix{k: k, weight: make([]float64, k), prob: from[p].smooth(t.base[p]).words}
		for j := range m.weight {
			m.weight[j] = 1 / float64(k)
		}
		m.ready(b)
		share, _ := m.shares(b)
		same[p] = &explanation{k: k, words: from[p].words, prior: own.means(share, k)}
		m, _ = b.em(share, k, bagSteps, t.base[p])
		fits[p] = &explanation{k: k, words: m.prob, prior: m.weight}
		return nil
	})
	if err != nil {
		return err
	}
	for _, f := range [][]*explanation{fits, same} {
		t.singly(t.score(f))
	}
	return nil
}

// means returns the mean of each of k shares, none of them zero.
func (a *strand) means(share []float64, k int) []float64 {
	out, n := make([]float64, k), []float64{float64(len(share) / k)}
	for e, v := range share {
		out[e%k] += v
	}
	a.add(out, n)
	for j := range out {
		out[j] = (out[j] + 1/float64(k)) / (n[0] + 1)
	}
	return out
}

// mixing compares documents that mix topics with those of one each: numbers of
// topics are doubled while that predicts clearly more, and halves of the documents
// find half of the topics again.
func (t *topicJudge) mixing(ctx context.Context) error {
	t.alone()
	n := t.all()
	for k := 2; k <= mostGroups && k*10 <= n && k < t.cols; k *= 2 {
		ok, err := t.try(ctx, k)
		if err != nil || !ok {
			return err
		}
		first := t.best == 0
		if first || t.places.beyond(t.scores[k], t.scores[t.best]).clear() {
			t.best = k
			t.gain = t.places.beyond(t.plain[k], t.whole)
		}
		t.s.heard.share(1 - 1/float64(k)) // twice as many topics take twice as long
		if k <= 4 {
			continue
		}
		if count, _, err := t.again(ctx, k); err != nil || t.best < k || 2*count < k {
			return err
		}
	}
	return nil
}

// Constants of the claim that documents mix topics.
const (
	mixErrors = 3
	mixWord   = .02 // nats a word, where documents also fall into groups
	sameTopic = .6  // likeness of two topics that are one
	mostAgain = .75 // of the topics must be found by both halves
)

// mixed reports that topics that documents mix predict more.
func (t *topicJudge) mixed() bool {
	return t.best > 0 && t.gain.Nats >= mixErrors*t.gain.Error && t.gain.Nats >= clearNats
}

// clearly reports that they predict much more, whatever groups there may be.
func (t *topicJudge) clearly() bool { return t.mixed() && t.gain.Nats >= mixWord*t.toPredict }

// fewest returns the smallest number of topics that predicts not clearly worse
// than the best, by halving.
func (t *topicJudge) fewest(ctx context.Context) (int, error) {
	low, high := 1, t.best
	for _, k := range slices.Sorted(maps.Keys(t.scores)) {
		if k < high && k > low && t.places.beyond(t.scores[t.best], t.scores[k]).clear() {
			low = k
		}
	}
	for wide := high - low; high-low > 1; {
		t.s.heard.share(.5 * (1 - float64(high-low)/float64(wide)))
		k := (low + high) / 2
		ok, err := t.try(ctx, k)
		if err != nil {
			return 0, err
		}
		if ok && t.sum(t.scores[k]) > t.sum(t.scores[t.best]) {
			t.best = k
		}
		if ok && !t.places.beyond(t.scores[t.best], t.scores[k]).clear() {
			high = k
		} else {
			low = k
		}
	}
	return high, nil
}

// steadiest returns the largest number of topics up to most of which two halves of
// the documents find three quarters again; where there is none, that of which
// they find the most. Halves of few documents find too little of any: there it is most.
func (t *topicJudge) steadiest(ctx context.Context, most int) (k, count int, alike float64, err error) {
	steady := func(n, count int) bool { return float64(count) >= mostAgain*float64(n) }
	if t.few() {
		count, alike, err = t.again(ctx, most)
		return most, count, alike, err
	}
	low := 0
	for n := 2; n <= most; n++ {
		if t.scores[n] == nil {
			continue
		}
		c, a, err := t.again(ctx, n)
		if err != nil {
			return 0, 0, 0, err
		}
		if low == 0 && c >= count {
			k, count, alike = n, c, a
		}
		if steady(n, c) {
			low = n
		}
	}
	if low == 0 {
		return k, count, alike, nil
	}
	for high, wide := most, most-low; high-low > max(1, low/8); {
		t.s.heard.share(1 - .5*float64(high-low)/float64(wide))
		n := (low + high) / 2
		ok, err := t.try(ctx, n)
		if err != nil {
			return 0, 0, 0, err
		}
		c := 0
		if ok {
			if c, _, err = t.again(ctx, n); err != nil {
				return 0, 0, 0, err
			}
		}
		if steady(n, c) {
			low = n
		} else {
			high = n
		}
	}
	count, alike, err = t.again(ctx, low)
	return low, count, alike, err
}

// again returns how many of k topics two halves of the documents both find, and
// how alike they are in the mean.
func (t *topicJudge) again(ctx context.Context, k int) (count int, alike float64, err error) {
	if _, ok := t.twice[k]; !ok {
		if t.twice[k], err = t.topics(ctx, t.halves[:], k); err != nil {
			return 0, 0, err
		}
	}
	fits := t.twice[k]
	if fits == nil {
		return 0, 0, nil
	}
	cost := mat.NewDense(k, k, nil)
	for a := range k {
		for b := range k {
			cost.Set(a, b, -likeness(fits[0], fits[1], a, b, t.shares))
		}
	}
	to, err := agree.Assign(cost)
	if err != nil {
		return 0, 0, nil
	}
	for a, b := range to {
		v := -cost.At(a, b)
		alike += v / float64(k)
		if v >= sameTopic {
			count++
		}
	}
	return count, alike, nil
}

// mainAgain is the agreement of two halves of the documents about the main topic of
// every one (adjusted Rand index): where documents mix topics evenly it is low,
// though both halves find the same topics.
func (t *topicJudge) mainAgain(k int) (float64, error) {
	whole := *t.completions
	whole.seen = make([]float64, len(t.value))
	for e, v := range t.value {
		whole.seen[e] = float64(v)
	}
	var main [2][]int
	if t.twice[k] == nil {
		return 0, nil
	}
	for p, f := range t.twice[k] {
		f = f.smooth(t.shares)
		theta, next := make([]float64, f.k), make([]float64, f.k)
		main[p] = make([]int, 0, t.n())
		for i := range t.n() {
			f.mixture(&whole, i, theta, next)
			main[p] = append(main[p], slices.Index(theta, slices.Max(theta)))
		}
	}
	if t.places == nil {
		return agree.ARI(main[0], main[1])
	}
	return t.places.agreement(main, k)
}

// likeness is the correlation of how far two topics are from all words, in the
// chi-square distance.
func likeness(x, y *explanation, a, b int, base []float64) float64 {
	var xy, xx, yy float64
	for h, p := range base {
		u, v := x.words[h*x.k+a]-p, y.words[h*y.k+b]-p
		xy, xx, yy = xy+u*v/p, xx+u*u/p, yy+v*v/p
	}
	return xy / math.Sqrt(xx*yy+1e-300)
}

// verdict is the verdict on documents that mix topics.
func (t *topicJudge) verdict(ctx context.Context, groups *Verdict, w Words) (*Verdict, error) {
	most, err := t.fewest(ctx)
	if err != nil {
		return nil, err
	}
	k, count, alike, err := t.steadiest(ctx, most)
	if err != nil {
		return nil, err
	}
	v := &Verdict{
		Groups: k, Range: [2]int{min(max(count, 2), k), max(t.best, most)}, Mixed: true, Continuum: none.word(),
		Components: max(t.best, most), Repeat: alike, Records: t.all(), Evidence: t.gain,
	}
	if less := t.scores[k-1]; less != nil {
		e := t.places.beyond(t.scores[k], less)
		v.Fewer = &e
	}
	v.Reason = fmt.Sprintf("%s mix topics: %d of them predict the words of new %s better than one topic for each does.", capital(w.Records), k, w.Records)
	t.doubts(v, groups, count, w)
	if main, err := t.mainAgain(k); err != nil {
		return nil, err
	} else if main < steady {
		v.Against = append(v.Against, Doubt{NotRepeated, fmt.Sprintf("Many %s have two main topics or more: which one leads is not the same in two halves of them (agreement %.2f, where 1 is the same).", w.Records, main)})
	}
	v.Sure = v.Records >= sureRecords && len(v.Against) == 0
	v.round()
	return v, nil
}

func (t *topicJudge) doubts(v, groups *Verdict, count int, w Words) {
	add := func(code, text string, args ...any) {
		v.Against = append(v.Against, Doubt{code, fmt.Sprintf(text, args...)})
	}
	switch {
	case count < 2:
		add(TooFew, "Too few %s to say which topics: two halves of them do not find the same ones.", w.Records)
	case count < v.Groups:
		add(NotRepeated, "Two halves of the %s both find %d of the %d topics.", w.Records, count, v.Groups)
	}
	if v.Range[1] > v.Groups {
		add(MoreOrLess, "%d topics and more predict words still better, but two halves of the %s do not find them alike.", v.Range[1], w.Records)
	}
	if groups.Groups > 1 {
		add(ByDegree, "%s also fall into %d groups with a gap between them (--model single-topic).", capital(w.Records), groups.Groups)
	}
}
