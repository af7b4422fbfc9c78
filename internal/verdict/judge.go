package verdict

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/moiety-go/moiety/internal/par"
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
	n       float64
	pulse   *pulse
	limit   int // most groups that so few records may be asked for

	scores map[candidate][]float64 // of the records of all folds, one fold after another
	sums   map[candidate]float64   // their sums, made when they are asked for
	count  []float64
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

// newJudge deals the records to folds.
func newJudge(lay *layout, rows [][]uint32, alpha float64, seed uint64, workers int) *judge {
	j := &judge{
		lay: lay, alpha: alpha, workers: workers, n: float64(len(rows)),
		limit: max(2, len(rows)/20), scores: map[candidate][]float64{}, sums: map[candidate]float64{},
	}
	f := foldsFor(len(rows))
	parts := dealt(len(rows), f, seed, "verdict/folds")
	for part := range f {
		var train, test [][]uint32
		for other, list := range parts {
			for _, i := range list {
				if other == part {
					test = append(test, rows[i])
				} else {
					train = append(train, rows[i])
				}
			}
		}
		p := newPath(lay, newSample(train, lay.cols), alpha, seed, fmt.Sprintf("fold%d", part))
		p.workers = par.Workers(workers) / f
		j.folds = append(j.folds, &fold{path: p, test: newSample(test, lay.cols)})
	}
	for _, x := range j.folds {
		j.count = append(j.count, x.test.count...)
	}
	return j
}

// try fits and scores a candidate; it reports whether there is one.
func (j *judge) try(ctx context.Context, c candidate) (bool, error) {
	if v, ok := j.scores[c]; ok {
		return v != nil, nil
	}
	parts := make([][]float64, len(j.folds))
	err := par.Do(ctx, par.Workers(j.workers), len(j.folds), func(i int) error {
		f := j.folds[i]
		m := f.path.at(c)
		if m == nil {
			return nil
		}
		test := f.test
		if c.repeated != noRepeats {
			test = f.path.forest[c.repeated].with(test, j.lay.cols)
		}
		parts[i] = m.score(test, &f.st)
		return nil
	})
	if err != nil {
		return false, err
	}
	var all []float64
	for _, p := range parts {
		if p == nil {
			all = nil
			break
		}
		all = append(all, p...)
	}
	j.scores[c] = all
	return all != nil, nil
}

// total returns the log density of all records kept aside.
func (j *judge) total(c candidate) float64 {
	if sum, ok := j.sums[c]; ok {
		return sum
	}
	v := j.scores[c]
	if v == nil {
		return math.Inf(-1)
	}
	sum := 0.0
	for i, x := range v {
		sum += j.count[i] * x
	}
	j.sums[c] = sum
	return sum
}

// forget drops the score of a candidate that was fitted again.
func (j *judge) forget(c candidate) {
	delete(j.scores, c)
	delete(j.sums, c)
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
	return j.difference(j.scores[a], j.scores[b])
}

func (j *judge) difference(x, y []float64) Evidence {
	sum := 0.0
	for i, n := range j.count {
		sum += n * (x[i] - y[i])
	}
	mean, square := sum/j.n, 0.0
	for i, n := range j.count {
		d := x[i] - y[i] - mean
		square += n * d * d
	}
	return Evidence{sum, math.Sqrt(square)}
}

// best returns the best candidate of those that pass, and whether there is one.
func (j *judge) best(pass func(candidate) bool) (candidate, bool) {
	var out candidate
	found, top := false, math.Inf(-1)
	for _, c := range j.tried() {
		if v := j.total(c); pass(c) && (!found || v > top) {
			out, found, top = c, true, v
		}
	}
	return out, found
}

// tried returns the candidates with a score, in order.
func (j *judge) tried() []candidate {
	var out []candidate
	for c, v := range j.scores {
		if v != nil {
			out = append(out, c)
		}
	}
	slices.SortFunc(out, compare)
	return out
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
