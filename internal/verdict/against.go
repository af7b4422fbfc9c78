package verdict

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/kernel"
	"github.com/moiety-go/moiety/internal/par"
)

// restsOn returns the number of features that the evidence of a over b rests
// on, as if all counted alike: every feature in turn is left out of both models,
// which for these models is exact without a new fit. It is 0 where that cannot
// be done.
func (j *judge) restsOn(a, b candidate) float64 {
	if a.repeated != noRepeats || b.repeated != noRepeats || b.kind == inSets {
		return 0
	}
	of, work := make([][]float64, len(j.folds)), make([]func(), len(j.folds))
	for i, f := range j.folds {
		of[i] = make([]float64, len(j.lay.items))
		work[i] = func() {
			f.lost(a, 1, of[i])
			f.lost(b, -1, of[i])
		}
	}
	par.Together(j.workers, work...)
	lost := of[0]
	for _, more := range of[1:] {
		for n, v := range more {
			lost[n] += v
		}
	}
	j.places.add(lost)
	sum, square := 0.0, 0.0
	for _, v := range lost {
		if v > 0 {
			sum += v
			square += v * v
		}
	}
	if square == 0 {
		return 0
	}
	return sum * sum / square
}

// lost adds what each item gives to the log density of the records kept aside:
// p(x without item) = p(x)·Σ r_m / p_m(x_item).
func (f *fold) lost(c candidate, sign float64, out []float64) {
	m := f.path.at(c)
	all := m.components()
	post := m.posterior(f.test, &f.st)
	if m.lay.presence {
		f.lostPresences(m, post, sign, out)
		return
	}
	inverse := make([]float64, all)
	for n, it := range m.lay.items {
		for answer := range it.answers {
			copy(inverse, m.p[(it.first+answer)*all:][:all])
			for i, p := range inverse {
				inverse[i] = 1 / max(p, leastAnswer)
			}
			for i, count := range f.test.count {
				if f.test.answered(i, it) == answer {
					out[n] -= sign * count * math.Log(dot(post[i*all:][:all], inverse))
				}
			}
		}
	}
}

const leastAnswer = 1e-12 // a probability counts as

// lostPresences is lost for features that are there or not: records have few, so that
// all are taken as absent first, and those that are there set right.
func (f *fold) lostPresences(m *model, post []float64, sign float64, out []float64) {
	all, cols, t := m.components(), m.lay.cols, f.test
	// absent has a row a component, there a row a feature.
	absent, there := make([]float64, cols*all), make([]float64, cols*all)
	for i, p := range m.p[:cols*all] {
		absent[i%all*cols+i/all], there[i] = 1/max(1-p, leastAnswer), 1/max(p, leastAnswer)
	}
	logs := make([]float64, t.rows()*cols)
	team(f.path.workers).parts((t.rows()+chunk-1)/chunk, 5*len(logs), func(from, to int) {
		for lo := from * chunk; lo < min(to*chunk, t.rows()); lo += chunk {
			hi := min(lo+chunk, t.rows())
			sums := logs[lo*cols : hi*cols]
			kernel.DenseMul(sums, post[lo*all:hi*all], all, absent, cols)
			for i := lo; i < hi; i++ {
				for _, j := range t.row(i) {
					if int(j) < cols {
						sums[(i-lo)*cols+int(j)] = dot(post[i*all:][:all], there[int(j)*all:][:all])
					}
				}
			}
			kernel.Logs(sums)
		}
	})
	const strip = 64 // columns, whose sums go over all records
	team(f.path.workers).parts((cols+strip-1)/strip, len(logs), func(from, to int) {
		lo, hi := from*strip, min(to*strip, cols)
		for i, count := range t.count {
			for j, v := range logs[i*cols+lo : i*cols+hi] {
				out[lo+j] -= sign * count * v
			}
		}
	})
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}

// answered returns the answer of record i to an item, −1 where there is none.
func (s *sample) answered(i int, it item) int {
	row := s.row(i)
	if at, _ := slices.BinarySearch(row, uint32(it.first)); at < len(row) && int(row[at]) < it.first+it.answers {
		return int(row[at]) - it.first
	}
	return -1
}

// fewCarry reports that the evidence of a over b is gone without the hundredth
// of the records that speak most for it.
func (j *judge) fewCarry(a, b candidate) bool {
	list := make([]spot, len(j.count))
	for i, n := range j.count {
		list[i] = spot{j.scores[a][i] - j.scores[b][i], n}
	}
	e := j.against(a, b)
	return e.Nats-j.places.most(list, j.table.Size(j.from, j.to)/100) < margin(e.Error)
}

// halves returns the group of every record here by the groups of the claim as found
// in each half of the records; nil for one group.
func (j *judge) halves(ctx context.Context, d *drawn, c candidate, seed uint64) ([2][]int, error) {
	var labels [2][]int
	if c.groups == 1 {
		return labels, nil
	}
	halves := []*path{j.folds[0].path, j.folds[1].path}
	if len(j.folds) > 2 {
		halves = j.halved(d, seed)
	}
	all := newSample(d.rows, j.lay.cols)
	place := func(i int) {
		p := halves[i]
		if c.kind.own() && p != j.folds[i].path {
			p.guide[c.groups] = j.folds[0].path.at(c).copied().labels(p.s, &p.st)
		}
		if m := p.reach(c); m != nil {
			labels[i] = p.byFrequencies(m).everybody(all, &p.st)
		}
	}
	if j.places == nil {
		err := par.Do(ctx, par.Workers(j.workers), 2, func(i int) error {
			place(i)
			return nil
		})
		return labels, err
	}
	j.places.each(len(halves), func(i int, own *strand) {
		halves[i].places = own
		place(i)
		halves[i].places = j.places
	})
	return labels, j.places.failed()
}

// byFrequencies returns the groups of a model as a report shows them and a fit
// places records by them: nothing but the frequencies of the records of each.
func (p *path) byFrequencies(m *model) *model {
	if m.kind == none && m.forest.children() == 0 {
		return m
	}
	k := m.groups
	if m.kind == twoHeaps {
		k = 2
	}
	size, sums := make([]float64, k), make([][]float64, k)
	for g := range sums {
		sums[g] = make([]float64, p.lay.cols)
	}
	s := p.s
	if m.forest.children() > 0 {
		s = m.forest.with(s, p.lay.cols)
	}
	for i, g := range m.labels(s, &p.st) {
		size[g] += s.count[i]
		for _, j := range p.s.row(i) {
			sums[g][j] += s.count[i]
		}
	}
	p.places.add(append(sums, size)...)
	out := newModel(p.lay, k, none, noNodes(), nil)
	for g := range k {
		copy(out.group(g), p.odds(sums[g], size[g]))
		out.pi[g] = (size[g] + 1/float64(k)) / (p.s.n + 1)
	}
	return out
}

// everybody returns the group of every record, equal ones included.
func (m *model) everybody(s *sample, st *stats) []int {
	if m.forest.children() > 0 {
		s = m.forest.with(s, m.lay.cols)
	}
	rows := m.labels(s, st)
	out := make([]int, len(s.of))
	for i, r := range s.of {
		out[i] = rows[r]
	}
	return out
}

// agreement is that of the groups of two halves; 1 for one group.
func agreement(halves [2][]int) (float64, error) {
	if halves[0] == nil || halves[1] == nil {
		return 1, nil
	}
	return agree.ARI(halves[0], halves[1])
}

// agreement is the same of k groups over all places.
func (a *strand) agreement(halves [2][]int, k int) (float64, error) {
	if a == nil || halves[0] == nil || halves[1] == nil {
		return agreement(halves)
	}
	return agree.Counted(a.crossed(halves[0], halves[1], k)).ARI(), a.failed()
}

// crossed counts the records of all places by two labels below k.
func (a *strand) crossed(x, y []int, k int) [][]int {
	flat := make([]float64, k*k)
	for i := range x {
		flat[x[i]*k+y[i]]++
	}
	a.add(flat)
	out := make([][]int, k)
	for i, n := range flat {
		out[i/k] = append(out[i/k], int(n))
	}
	return out
}

// halved prepares fits of two halves of the records.
func (j *judge) halved(d *drawn, seed uint64) []*path {
	var out []*path
	for f, rows := range d.partition(2, seed, "verdict/halves") {
		p := newPath(j.lay, j.places.sample(rows, j.lay.cols), j.alpha, seed, fmt.Sprintf("half%d", f), j.places)
		p.pulse, p.workers = j.pulse, par.Workers(j.workers)/2
		out = append(out, p)
	}
	return out
}

// reach fits a candidate with the warm starts that lead to it.
func (p *path) reach(c candidate) *model {
	if p.places != nil {
		return p.reachWide(c)
	}
	for k := 1; k <= c.groups; k++ {
		p.at(candidate{k, none, noRepeats})
	}
	if c.repeated != noRepeats {
		for k := 1; k < c.groups; k++ {
			p.at(candidate{k, c.kind, inOne})
		}
	}
	if c.repeated == inGroups && p.forest[inGroups] == nil {
		p.keepInside(candidate{c.groups, c.kind, inOne})
		for k := 1; k < c.groups; k++ {
			p.at(candidate{k, c.kind, inGroups})
		}
	}
	return p.at(c)
}
