package verdict

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/verdict/scores"
)

// fold is one part of the records, kept aside, and the fits of all others.
type fold struct {
	path *path
	test *sample
	st   stats
}

// judge compares candidates on records kept aside.
type judge struct {
	lay     *layout
	folds   []*fold
	alpha   float64
	workers int
	pulse   *pulse
	limit   int         // most groups that so few records may be asked for
	places  *strand     // nil where all records are here
	pending []candidate // of one population, to be made beside groups
	rows    [][]uint32  // all records here

	scores map[candidate][]float64 // of the records here of all folds, one fold after another
	listed []candidate             // see tried; nil where scores have changed
	count  []float64
	table  *scores.Table[candidate] // what they come to, over all places
	from   int                      // folds that speak: from this one
	to     int                      // to before this one
}

// Folds: small files are cut into five parts, so that four fifths of the
// records speak; larger ones into halves.
const (
	fewRecords = 800
	manyFolds  = 5
)

func foldsFor(n int) int {
	if n < fewRecords {
		return manyFolds
	}
	return 2
}

// division is the records of every fold, and those of all others.
type division struct{ train, test []*sample }

// divide divides the records into folds.
func (d *drawn) divide(seed uint64, workers int) *division {
	parts := d.partition(foldsFor(d.n), seed, "verdict/folds")
	out := &division{make([]*sample, len(parts)), make([]*sample, len(parts))}
	_ = d.places.beside(context.Background(), workers, len(parts), func(part int, own *strand) error { // nothing fails
		var train [][]uint32
		for other, list := range parts {
			if other != part {
				train = append(train, list...)
			}
		}
		out.train[part] = own.sample(train, d.lay.cols)
		out.test[part] = own.sample(parts[part], d.lay.cols)
		return nil
	})
	return out
}

// newJudge has the folds of a division judged with a prior of some strength.
func (d *drawn) newJudge(alpha float64, cut *division, seed uint64, workers int, places *strand) *judge {
	f := len(cut.train)
	j := &judge{
		lay: d.lay, alpha: alpha, workers: workers, places: places,
		limit: max(2, d.n/20), rows: d.rows, scores: map[candidate][]float64{}, to: f,
	}
	size := make([]float64, f)
	j.folds = make([]*fold, f)
	places.each(f, func(part int, own *strand) {
		p := newPath(d.lay, cut.train[part], alpha, seed, fmt.Sprintf("fold%d", part), own)
		p.places, p.workers = places, int(j.share())
		j.folds[part] = &fold{path: p, test: cut.test[part]}
	})
	for part, x := range j.folds {
		j.count, size[part] = append(j.count, x.test.count...), x.test.n
	}
	j.table = newTable(j.folds, size, places)
	return j
}

// newTable returns the score table of records that lie in folds of so many records over all
// places.
func newTable(folds []*fold, size []float64, places *strand) *scores.Table[candidate] {
	of := scores.Records{Size: size, Add: places.add}
	for part, f := range folds {
		of.Count = append(of.Count, f.test.count...)
		of.Part = append(of.Part, slices.Repeat([]int{part}, f.test.rows())...)
	}
	return scores.New(of, compare)
}

// share is the number of cores that each fold has, where all are at work.
func (j *judge) share() team { return team(par.Workers(j.workers) / max(len(j.folds), 1)) }

// each does something for every fold, side by side.
func (j *judge) each(ctx context.Context, do func(i int)) error {
	if j.places == nil {
		return par.Do(ctx, par.Workers(j.workers), len(j.folds), func(i int) error {
			do(i)
			return nil
		})
	}
	j.places.each(len(j.folds), func(i int, own *strand) {
		j.folds[i].path.places = own
		do(i)
	})
	for _, f := range j.folds {
		f.path.places = j.places
	}
	return j.places.failed()
}

// try fits and scores a candidate; it reports whether there is one.
func (j *judge) try(ctx context.Context, c candidate) (bool, error) {
	if v, ok := j.scores[c]; ok {
		return v != nil, nil
	}
	if err := j.enter(ctx, c); err != nil {
		return false, err
	}
	for _, f := range j.folds {
		f.path.at(c)
	}
	v, _ := j.table.Scores(c)
	j.score(c, v)
	return j.scores[c] != nil, j.places.failed()
}

// score sets what a candidate says of every record; nil where it has no fit.
func (j *judge) score(c candidate, v []float64) { j.scores[c], j.listed = v, nil }

// enter fits and scores candidates that are not in the table yet.
func (j *judge) enter(ctx context.Context, list ...candidate) error {
	list = slices.DeleteFunc(slices.Clone(list), func(c candidate) bool {
		_, ok := j.table.Scores(c)
		return ok
	})
	parts := make([][][]float64, len(j.folds))
	err := j.each(ctx, func(i int) {
		f := j.folds[i]
		parts[i] = make([][]float64, len(list))
		for at, c := range list {
			m := f.path.of(c)
			if m == nil {
				continue
			}
			test := f.test
			if c.repeated != noRepeats {
				test = f.path.forest[c.repeated].with(test, j.lay.cols)
			}
			parts[i][at] = m.score(test, &f.st)
		}
	})
	if err != nil {
		return err
	}
	rows := make([][]float64, len(list))
	for at := range list {
		all := make([]float64, 0, len(j.count))
		for _, p := range parts {
			if p[at] == nil {
				all = nil
				break
			}
			all = append(all, p[at]...)
		}
		rows[at] = all
	}
	j.table.Enter(list, rows)
	return j.places.failed()
}

// total returns the log density of all records kept aside.
func (j *judge) total(c candidate) float64 { return j.table.Total(c, j.from, j.to) }

// untried takes back that a candidate was tried.
func (j *judge) untried(c candidate) {
	delete(j.scores, c)
	j.listed = nil
}

// forget drops the score of a candidate that was fitted again.
func (j *judge) forget(c candidate) {
	j.untried(c)
	j.table.Strike(c)
}

// Evidence is the difference of two explanations on records kept aside, in
// nats, with its standard error over records.
type Evidence struct {
	Nats  float64 `json:"nats"`
	Error float64 `json:"error"`
}

// clear reports that the difference is no chance.
func (e Evidence) clear() bool { return e.Nats > margin(e.Error) }

// The difference that counts: two standard errors, and at least five nats.
const (
	clearErrors = 2
	clearNats   = 5
)

func margin(se float64) float64 { return max(clearErrors*se, clearNats) }

// against returns how much better a is than b.
func (j *judge) against(a, b candidate) Evidence {
	nats, err := j.table.Against(a, b, j.from, j.to)
	return Evidence{nats, err}
}

// best returns the best candidate of those that pass, and whether there is one.
func (j *judge) best(pass func(candidate) bool) (candidate, bool) {
	var out candidate
	found, top := false, math.Inf(-1)
	for _, c := range j.tried() {
		if !pass(c) {
			continue
		}
		if v := j.total(c); !found || v > top {
			out, found, top = c, true, v
		}
	}
	return out, found
}

// tried returns the candidates with a score, in order; the list must not be changed.
func (j *judge) tried() []candidate {
	if j.listed == nil {
		for c, v := range j.scores {
			if v != nil {
				j.listed = append(j.listed, c)
			}
		}
		slices.SortFunc(j.listed, compare)
	}
	return j.listed
}

// compare orders candidates from the plainest on.
func compare(a, b candidate) int {
	switch {
	case a.groups != b.groups:
		return a.groups - b.groups
	case a.repeated != b.repeated:
		return int(a.repeated - b.repeated)
	}
	return int(a.kind) - int(b.kind)
}
