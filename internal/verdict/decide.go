package verdict

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/moiety-go/moiety/internal/progress"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/pass"
)

// Settings steer a verdict. The zero value works.
type Settings struct {
	Seed    uint64
	Workers int // 0: all cores; it changes no bit of the verdict
	Words   Words
	// Shape is that of the covariances of measurements: "diagonal", "tied",
	// "full"; "" leaves it to the evidence.
	Shape string

	heard *gauge // says how far a verdict is
}

// Discrete judges presences or answers: rows hold the features that are there.
// For answers, questions are the runs of features [from, to) of each question,
// of which a record has one or, where it did not answer, none; nil means that
// every feature is there or not.
func Discrete(ctx context.Context, run pass.Runner, questions [][2]int, s Settings) (*Verdict, error) {
	progress.Report(ctx, progress.Event{Step: judging})
	d, err := draw(ctx, run, questions)
	if err != nil {
		return nil, err
	}
	return d.verdict(ctx, s)
}

// strengths are the numbers of records of the overall frequencies that each
// group may be given: two for dense features, twenty for sparse codes.
func strengths() []float64 { return []float64{2, 20} }

// pilot is the number of groups at which strengths are compared.
const pilot = 5

// verdict judges coded records.
func (d *drawn) verdict(ctx context.Context, s Settings) (*Verdict, error) {
	w := s.Words.filled(d.lay.presence)
	if len(d.lay.items) == 0 || d.n < leastRecords {
		return d.tooLittle(w), nil
	}
	beat := &pulse{ctx: ctx}
	j, err := d.judge(ctx, s, beat)
	if err != nil {
		return nil, err
	}
	equal := j.repeatedRecords()
	if equal {
		d.distinct()
		if d.n < leastRecords {
			return d.tooLittle(w), nil
		}
		if j, err = d.judge(ctx, s, beat); err != nil {
			return nil, err
		}
	}
	if err := j.search(ctx); err != nil {
		return nil, err
	}
	v, err := j.verdict(ctx, d, s.Seed, w)
	if equal && err == nil {
		v.equalOnes(w)
	}
	if err == nil {
		err = errors.Join(ctx.Err(), d.places.failed()) // a fit that was broken off says nothing
	}
	if err != nil {
		return nil, err
	}
	return v, nil
}

// equalOnes says that equal records were counted once.
func (v *Verdict) equalOnes(w Words) {
	v.Against = append(v.Against, Doubt{EqualOnes, fmt.Sprintf("Many %s are equal beyond chance; equal ones were counted once.", w.Records)})
}

// leastRecords is the number of records below which nothing can be said.
const leastRecords = 10

func (d *drawn) tooLittle(w Words) *Verdict {
	text := fmt.Sprintf("Too few %s to look for groups.", w.Records)
	if len(d.lay.items) == 0 {
		text = fmt.Sprintf("No groups: no two %s differ.", w.Records)
	}
	return &Verdict{Groups: 1, Range: [2]int{1, 1}, Reason: text, Continuum: none.word(), Components: 1, Repeat: 1, Records: d.n}
}

// judge divides the records and chooses the strength of the prior by the records
// kept aside, at a few groups.
func (d *drawn) judge(ctx context.Context, s Settings, beat *pulse) (*judge, error) {
	list, errs := make([]*judge, len(strengths())), make([]error, len(strengths()))
	few := min(pilot, max(2, d.n/40))
	cut := d.divide(s.Seed, s.Workers)
	_ = d.places.beside(context.WithoutCancel(ctx), s.Workers, len(list), func(i int, own *strand) error { // every judge says for itself
		j := d.newJudge(strengths()[i], cut, s.Seed, s.Workers, own)
		j.listen(beat)
		list[i], errs[i] = j, j.climb(ctx, candidate{}, few, pilot)
		return nil
	})
	var best *judge
	for i, j := range list {
		if errs[i] != nil {
			return nil, errs[i]
		}
		at := candidate{min(few, j.limit), none, noRepeats}
		if best == nil || j.total(at) > best.total(at) {
			best = j
		}
	}
	best.over(d.places)
	return best, nil
}

// over goes on on another strand.
func (j *judge) over(places *strand) {
	j.places = places
	for _, f := range j.folds {
		f.path.places = places
	}
}

// repeatedRecords reports that far more records are equal than the best
// description so far expects; over several places, records of the same place.
func (j *judge) repeatedRecords() bool {
	const fewest, times, more = 10, 4, 2
	c, _ := j.best(func(candidate) bool { return true })
	f := j.folds[0]
	sums := make([]float64, 2) // pairs that are found, and expected
	here := 0.0
	for _, n := range f.path.s.count {
		here += n
	}
	sums[0] = pairs(f.path.s, f.test)
	for i, n := range f.test.count {
		sums[1] += n * math.Exp(j.scores[c][i])
	}
	sums[1] *= here
	j.places.add(sums)
	return sums[0] >= fewest && sums[0] > times*(sums[1]+more)
}

// verdict puts the claim into words and numbers.
func (j *judge) verdict(ctx context.Context, d *drawn, seed uint64, w Words) (*Verdict, error) {
	top, _ := j.best(func(candidate) bool { return true })
	list := j.defensible(top)
	c := list[0]
	v := &Verdict{
		Seen: d.record, Groups: c.groups, Range: [2]int{c.groups, list[len(list)-1].groups}, Continuum: c.kind.word(),
		Components: top.groups, Records: d.n,
	}
	if top.groups == 1 && top.repeated != noRepeats {
		v.Range[1] = j.mostLeft(top)
	}
	if c.groups == 1 {
		v.Range[1] = max(v.Range[1], j.besideLines(top))
	}
	one, _ := j.best(func(c candidate) bool { return c.groups == 1 })
	few := false
	if c.groups > 1 {
		v.Evidence = j.against(c, one)
		v.Evidence.Nats -= j.left(one)
		if less, ok := j.best(func(o candidate) bool { return o.groups == c.groups-1 }); ok {
			e := j.against(c, less)
			v.Fewer = &e
		}
		v.Features = j.restsOn(c, one)
		few = j.fewCarry(c, one)
	} else if many, ok := j.best(func(c candidate) bool { return c.groups > 1 }); ok {
		v.Evidence = j.against(one, many)
	}
	halves, err := j.halves(ctx, d, c, seed)
	if err != nil {
		return nil, err
	}
	if v.Repeat, err = j.places.agreement(halves, c.groups); err != nil {
		return nil, err
	}
	lost := c.groups > 1 && v.Repeat < foundAgain
	if lost {
		c = j.plainest(one)
		v.Groups, v.Range[0], v.Continuum, v.Fewer, v.Features, few = 1, 1, c.kind.word(), nil, 0, false
	}
	if c.groups > 1 {
		v.Found = j.found(d, c, halves)
	}
	v.Plain = c.plain()
	v.Repeats = j.repeatsOf(c, d)
	v.Reason = v.reason(c, j.mostly(c), w, j.lay.presence)
	v.doubts(w, few, top.groups >= j.limit && top.groups > 1, lost)
	v.steadyDoubts(c, j.parts(), w)
	v.Sure = v.Records >= sureRecords && v.Range[0] == v.Range[1] && !v.doubted(FewRecords) && !v.unsteady()
	v.round()
	return v, nil
}

// mostly returns the plain trend where one population has a richer continuum
// that adds little to it: what one line explains is what a reader should hear.
func (j *judge) mostly(c candidate) continuum {
	const most = .9
	alone, line := candidate{1, none, noRepeats}, candidate{1, oneTrend, noRepeats}
	if c.groups == 1 && c.kind > oneTrend && c.kind != inSets && j.against(line, alone).Nats >= most*j.against(c, alone).Nats {
		return oneTrend
	}
	return c.kind
}

// round keeps the digits that mean something to a reader.
func (v *Verdict) round() {
	list := []*Evidence{&v.Evidence}
	if v.Fewer != nil {
		list = append(list, v.Fewer)
	}
	for i := range v.Splits {
		list = append(list, &v.Splits[i].Evidence)
		v.Splits[i].Depth = math.Round(v.Splits[i].Depth*100) / 100
	}
	for _, e := range list {
		e.Nats, e.Error = math.Round(e.Nats), math.Round(e.Error)
	}
	v.Features = math.Round(v.Features)
	v.Repeat = math.Round(v.Repeat*100) / 100
}

// repeatsOf returns the features that repeat others in all folds, where the
// claim has such.
func (j *judge) repeatsOf(c candidate, d *drawn) [][2]int {
	if c.repeated == noRepeats {
		return nil
	}
	const strong = 1 // log-odds
	count := map[[2]int]int{}
	for _, f := range j.folds {
		m := f.path.at(c)
		for i, child := range m.forest.child {
			if math.Abs(m.g[i]) >= strong {
				count[[2]int{d.feature[child], d.feature[m.forest.parent[i]]}]++
			}
		}
	}
	var out [][2]int
	for pair, n := range count {
		if n == len(j.folds) {
			out = append(out, pair)
		}
	}
	sortPairs(out)
	return out
}

// partition divides n records into parts of the same size, at random.
func partition(n, parts int, seed uint64, name string) [][]int {
	out := make([][]int, parts)
	for at, i := range stream.New(seed, name).Perm(n) {
		out[at%parts] = append(out[at%parts], i)
	}
	return out
}
