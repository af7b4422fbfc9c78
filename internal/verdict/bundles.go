package verdict

import (
	"context"
	"math"
)

// Codes that are ordered together come in sets: a package of tests, the lines of a
// template. Several sets that have nothing to do with each other make a great many
// combinations, and groups are found among those; but what set a record has says nothing
// of the others, so that no group predicts more than one set. The rival is that law: the
// features fall into sets that go together, each set is there or not (two classes of its
// own), and sets are independent.

const (
	leastSets = 3    // two sets are two ways to group the records, each of which may be the one
	setSteps  = 30   // of EM
	setMargin = 1e-3 // nats a record: EM has settled
)

// bundles are the features that go together, and what is known of every set.
type bundles struct {
	of     [][]int     // features of every set
	at     []int       // set of every feature, −1 for those that are alone
	share  []float64   // of the records that have a set
	odds   [][]float64 // of every set: log-odds of a feature with it over that without it
	gap    []float64   // log density of an empty record with the set over that without it
	alone  []float64   // log-odds of every feature without its set
	absent float64     // log density of an empty record without any set
}

// packages tries sets of features in the place of groups.
func (j *judge) packages(ctx context.Context) error {
	if claim := j.decide(); !j.lay.presence || claim.groups == 1 {
		return nil
	}
	_, err := j.tryNear(ctx, candidate{1, inSets, noRepeats}, 1)
	return err
}

// fitSets finds sets and what they do; nil where there are too few.
func (p *path) fitSets() *model {
	if !p.lay.presence {
		return nil
	}
	seen, both := p.joint()
	x := &bundles{at: make([]int, p.lay.cols), alone: make([]float64, p.lay.cols)}
	x.find(p.s.n, seen, both)
	if len(x.of) < leastSets {
		return nil
	}
	for h, v := range p.pr.overall {
		x.alone[h] = logOdds(v)
	}
	_ = p.places.beside(context.Background(), max(p.workers, 1), len(x.of), func(i int, own *strand) error { // nothing fails
		p.fitSet(x, i, own)
		return nil
	})
	for h := range x.alone {
		x.absent -= math.Log1p(math.Exp(x.alone[h]))
	}
	m := newModel(p.lay, 1, inSets, noNodes(), nil)
	m.sets = x
	for r, v := range x.score(p.s) {
		m.loglik += p.s.count[r] * v
	}
	if p.places != nil {
		m.loglik = p.places.one(m.loglik)
	}
	return m
}

// find joins features whose correlation is clear.
func (x *bundles) find(n float64, seen, both []float64) {
	d := len(x.at)
	root := rootsOf(d)
	for a := range d {
		for b := a + 1; b < d; b++ {
			pa, pb := seen[a]/n, seen[b]/n
			r := (both[a*d+b]/n - pa*pb) / math.Sqrt(max(pa*(1-pa)*pb*(1-pb), 1e-12))
			if r > leastResidual && r*math.Sqrt(n) > clearResidual && root[a] != root[b] {
				root.join(root[a], root[b])
			}
		}
	}
	all := make([][]int, d)
	for h := range d {
		x.at[h] = -1
		all[root[h]] = append(all[root[h]], h)
	}
	for _, list := range all {
		if len(list) < 2 {
			continue
		}
		for _, h := range list {
			x.at[h] = len(x.of)
		}
		x.of = append(x.of, list)
	}
	x.share, x.gap, x.odds = make([]float64, len(x.of)), make([]float64, len(x.of)), make([][]float64, len(x.of))
}

// fitSet fits two classes to the features of a set, from the records that have more than
// half as many of them as any and from the others. Over several places it hears how likely
// the classes are together with the sums of the next, and ends a step later.
func (p *path) fitSet(x *bundles, set int, own *strand) {
	list, s := x.of[set], p.s
	place := make(map[uint32]int, len(list))
	for i, h := range list {
		place[uint32(h)] = i
	}
	has := make([][]int, s.rows())
	count, most := make([]float64, len(list)+1), 0 // records by how many they have
	for r := range has {
		for _, h := range s.row(r) {
			if i, ok := place[h]; ok {
				has[r] = append(has[r], i)
			}
		}
		count[len(has[r])]++
	}
	own.add(count)
	for i, n := range count {
		if n > 0 {
			most = i
		}
	}
	share := make([]float64, s.rows())
	for r, l := range has {
		share[r] = .1
		if 2*len(l) > most {
			share[r] = .9
		}
	}
	var chance [2][]float64
	weight, last, sum := [2]float64{}, math.Inf(-1), 0.0
	for step := range setSteps {
		before := []float64{sum} // of the classes before these, over all places
		weight, chance = p.classes(list, has, share, own, before)
		if own != nil && step > 0 {
			if before[0]-last < setMargin*s.n {
				break
			}
			last = before[0]
		}
		empty := [2]float64{math.Log(weight[0]), math.Log(weight[1])}
		odds := [2][]float64{make([]float64, len(list)), make([]float64, len(list))}
		for c := range chance {
			for i, v := range chance[c] {
				empty[c] += math.Log(1 - v)
				odds[c][i] = logOdds(v)
			}
		}
		sum = 0
		for r, l := range has {
			a, b := empty[0], empty[1]
			for _, i := range l {
				a += odds[0][i]
				b += odds[1][i]
			}
			top := max(a, b)
			both := top + math.Log(math.Exp(a-top)+math.Exp(b-top))
			share[r] = math.Exp(b - both)
			sum += s.count[r] * both
		}
		if own == nil {
			if sum-last < setMargin*s.n {
				break
			}
			last = sum
		}
	}
	x.share[set] = weight[1]
	x.odds[set] = make([]float64, len(list))
	for i, h := range list {
		x.alone[h] = logOdds(chance[0][i])
		x.odds[set][i] = logOdds(chance[1][i]) - x.alone[h]
		x.gap[set] += math.Log(1-chance[1][i]) - math.Log(1-chance[0][i])
	}
}

// classes are the weights of records without and with a set, and the chances of its
// features in either, with the prior of groups; over several places other numbers are added
// up beside.
func (p *path) classes(list []int, has [][]int, share []float64, own *strand, beside []float64) (weight [2]float64, chance [2][]float64) {
	chance = [2][]float64{make([]float64, len(list)), make([]float64, len(list))}
	for r, l := range has {
		n := p.s.count[r]
		w := [2]float64{n * (1 - share[r]), n * share[r]}
		for c := range w {
			weight[c] += w[c]
			for _, i := range l {
				chance[c][i] += w[c]
			}
		}
	}
	own.add(weight[:], chance[0], chance[1], beside)
	total := weight[0] + weight[1] + 2
	for c := range chance {
		for i, h := range list {
			chance[c][i] = (chance[c][i] + p.pr.alpha*p.pr.overall[h] + half/2) / (weight[c] + p.pr.alpha + half)
		}
		weight[c] = (weight[c] + 1) / total
	}
	return weight, chance
}

func logOdds(p float64) float64 { return math.Log(p / (1 - p)) }

// score returns the log density of every record.
func (x *bundles) score(s *sample) []float64 {
	out, more := make([]float64, s.rows()), make([]float64, len(x.of))
	place := make([]int, len(x.at))
	for _, list := range x.of {
		for i, h := range list {
			place[h] = i
		}
	}
	for r := range out {
		copy(more, x.gap)
		v := x.absent
		for _, h := range s.row(r) {
			v += x.alone[h]
			if set := x.at[h]; set >= 0 {
				more[set] += x.odds[set][place[h]]
			}
		}
		for set, m := range more {
			v += math.Log(1 - x.share[set] + x.share[set]*math.Exp(min(m, steep*steep/2)))
		}
		out[r] = v
	}
	return out
}
