package verdict

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/pass"
)

// Found are the groups of a claim, as they lie in all records that were looked
// at. It is safe for many goroutines.
type Found struct {
	// Plain says that nothing but the groups tells the records apart: a mixture
	// of the family itself. Otherwise they also differ by degree, or features
	// repeat others, and EM of the family alone would leave these groups.
	Plain bool
	// Records are the numbers of the records that were looked at, and Halves the
	// groups that each half of them gives to all, by the numbers of these groups.
	Records []int
	Halves  [2][]int

	groups    int
	fewHalves bool // halves of the records are too small to show the groups again
	smallest  int  // records of the smallest group, of those that were looked at
	by        placer
	tests     []tested
	places    *strand // nil where all records are here
}

// Form says in which scales measurements are described best.
type Form struct {
	// Shape is what the spreads of the groups have in common: "diagonal" (no
	// correlations), "tied" (all), "full" (nothing).
	Shape string
	// Logs are the features whose logarithms are nearer to normal.
	Logs []int
	// Middle and Scale are mean and standard deviation of every feature, of its
	// logarithm where that is taken; Scale is 0 where a feature is constant.
	Middle, Scale []float64
	// Cut says that one population describes the records as well as groups do, which
	// were cut where records differ most.
	Cut bool
}

// K returns the number of groups.
func (f *Found) K() int { return f.groups }

// Place sets the group of every record of a block.
func (f *Found) Place(b pass.Block, group []int32) { f.by.place(b, group) }

// placer sets the group of every record of a block.
type placer interface {
	place(b pass.Block, group []int32)
}

// discretePlacer places presences and answers by a model that is ready.
type discretePlacer struct {
	model  *model
	column []int
}

func (p discretePlacer) place(b pass.Block, group []int32) {
	n := b.Rows.N()
	s := &sample{
		ptr: make([]int, 1, n+1), index: make([]uint32, 0, b.Rows.NNZ()), count: make([]float64, n),
		n: float64(n), cols: p.model.lay.cols,
	}
	fill(s.count, 1)
	for i := range n {
		index, _ := b.Rows.Row(i)
		for _, j := range index {
			if c := p.column[j]; c >= 0 {
				s.index = append(s.index, uint32(c))
			}
		}
		s.ptr = append(s.ptr, len(s.index))
	}
	if p.model.forest.children() > 0 {
		s = p.model.forest.with(s, s.cols)
	}
	for i, g := range p.model.placed(s, &stats{}) {
		group[i] = int32(g)
	}
}

// settle fits a claim to all records, from what the folds found.
func (j *judge) settle(c candidate) (*model, *sample) {
	all := j.places.sample(j.rows, j.lay.cols)
	t := &trainer{lay: j.lay, s: all, pr: prior{j.alpha, j.lay.overall(all, j.places)}, places: j.places, workers: par.Workers(j.workers)}
	rows := func(m *model) *sample {
		if m.forest.children() == 0 {
			return all
		}
		return m.forest.with(all, j.lay.cols)
	}
	var starts []*model
	for _, f := range j.folds {
		if m := f.path.at(c); m != nil {
			starts = append(starts, m.copied())
		}
	}
	t.each(len(starts), func(i int, own *trainer) { own.em(starts[i], rows(starts[i]), shortSteps, 0) })
	m, steps := likeliest(starts), mostSteps
	if j.places != nil {
		steps = waveNext + waveFirst // a round each, of a fit that the folds have settled
	}
	return t.em(m, rows(m), steps, enough), all
}

// found are the groups of a claim.
func (j *judge) found(d *drawn, c candidate, halves [2][]int) *Found {
	m, all := j.settle(c)
	own := m.everybody(all, &stats{})
	by := m.copied()
	by.ready()
	f := &Found{Plain: c.plain(), Records: d.record, groups: c.groups, by: discretePlacer{by, d.columns()}, places: j.places}
	f.smallest = j.places.smallest(own, c.groups)
	j.places.each(len(halves), func(i int, places *strand) { f.Halves[i] = places.matched(halves[i], own, c.groups) })
	if c.kind != twoHeaps {
		f.tests = j.tests(c, all, own)
	}
	return f
}

// tests returns the models of the folds, their groups numbered by own, the
// groups of all records.
func (j *judge) tests(c candidate, all *sample, own []int) []tested {
	out := make([]tested, len(j.folds))
	j.places.each(len(out), func(i int, places *strand) {
		f := j.folds[i]
		m := f.path.at(c)
		test := f.test
		if c.repeated != noRepeats {
			test = m.forest.with(test, j.lay.cols)
		}
		out[i] = tested{m, test, places.numbers(m.everybody(all, &f.st), own, c.groups)}
		m.expected = nil // room of the way to it is not part of what was found
	})
	return out
}

// smallest is the size of the smallest of k groups.
func (a *strand) smallest(labels []int, k int) int {
	size := make([]float64, k)
	for _, g := range labels {
		size[g]++
	}
	a.add(size)
	return int(slices.Min(size))
}

// matched gives labels the numbers of the groups they have most in common with.
func (a *strand) matched(labels, own []int, k int) []int {
	if labels == nil {
		return nil
	}
	to := a.numbers(labels, own, k)
	out := make([]int, len(labels))
	for i, l := range labels {
		out[i] = to[l]
	}
	return out
}

// numbers returns, for every group of labels, the group of own that it has most
// in common with, each taken once.
func (a *strand) numbers(labels, own []int, k int) []int {
	cost := mat.NewDense(k, k, nil)
	for l, row := range a.crossed(labels, own, k) {
		for o, n := range row {
			cost.Set(l, o, -float64(n))
		}
	}
	to, err := agree.Assign(cost)
	if err != nil { // a square table of finite numbers has an assignment
		to = make([]int, k)
		for i := range to {
			to[i] = i
		}
	}
	return to
}
