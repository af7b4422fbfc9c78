package fit

import (
	"context"
	"errors"
	"slices"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/assign"
	"github.com/moiety-go/moiety/internal/progress"
	"github.com/moiety-go/moiety/internal/refine"
	"github.com/moiety-go/moiety/internal/verdict"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// parts are the groups of a claim while they are cut further, because more were
// asked for: every record of a sample has one, and the last parts were cut from
// others.
type parts struct {
	fam   family.Family
	data  Training
	s     Settings
	form  *verdict.Form
	rows  sparse.Rows
	label []int32 // part of every row
	level []int   // of every part, in the tree
	cut   []int   // of every part beyond the claim: the part that it was cut from
	next  []*halved
	least float64 // rows that a part is to have
}

// mostLevels bounds the number of groups that levels stand for.
const mostLevels = 10

// halved is a part as two, by the flat fit of two groups to its records.
type halved struct {
	pair mixture.Params
	side []int32 // of every record of the part, in order
	gain float64 // of log-likelihood over one group
	less int     // records of the smaller side
}

// smallPart is the part of an even share of the records below which a group that was asked
// for is a handful of odd records and no answer.
const smallPart = 10

// leastPart is the number of records that a part is to have, of so many in so many groups.
func leastPart(records, groups int) float64 {
	return max(verdict.LeastOf(records, groups), float64(records)/float64(smallPart*groups))
}

// before says that this cut is made before another: one with a handful of records on a side
// comes after all others, whatever it gains.
func (h *halved) before(o *halved, least float64) bool {
	if small, other := float64(h.less) < least, float64(o.less) < least; small != other {
		return other
	}
	return h.gain > o.gain
}

// extend cuts groups until there are so many, the one that gains most by it
// first, or until every one lies so many levels below the root; level is where
// they lie. A part that cannot be cut stays whole. No side is ever empty.
func (p *parts) extend(ctx context.Context, leaves, levels int) error {
	p.least = leastPart(len(p.label), max(leaves, 1<<min(levels, mostLevels)))
	for {
		best := -1
		for i := range p.level {
			if levels > 0 && p.level[i] >= levels {
				continue
			}
			h, err := p.at(ctx, i)
			if err != nil {
				return err
			}
			if h != nil && (best < 0 || h.before(p.next[best], p.least)) {
				best = i
			}
		}
		if best < 0 || levels == 0 && len(p.level) >= leaves {
			return nil
		}
		p.divide(best)
	}
}

// at returns part i as two, nil where it cannot be cut.
func (p *parts) at(ctx context.Context, i int) (*halved, error) {
	for len(p.next) <= i {
		p.next = append(p.next, nil)
	}
	if p.next[i] != nil {
		if p.next[i].side == nil {
			return nil, nil
		}
		return p.next[i], nil
	}
	var list []int32
	for r, l := range p.label {
		if l == int32(i) {
			list = append(list, int32(r))
		}
	}
	h, err := halve(ctx, p.fam, p.data.of(pass.Subset(p.rows, list, p.s.Workers)), p.s, p.form)
	if err != nil {
		return nil, err
	}
	if h == nil {
		p.next[i] = &halved{}
		return nil, nil
	}
	p.next[i] = h
	return h, nil
}

// leastHalved is the number of records below which a part is not cut.
const leastHalved = 10

// halve fits two groups to records; it returns nil where they carry no two.
func halve(ctx context.Context, fam family.Family, data Training, s Settings, form *verdict.Form) (*halved, error) {
	if data.Run.Len() < leastHalved {
		return nil, nil
	}
	ctx = progress.With(ctx, nil) // one of many small fits
	pair, err := several(ctx, fam, data, s, form, 2)
	if errors.Is(err, ErrTooLittle) || errors.Is(err, verdict.ErrBlanks) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	a, err := assign.All(ctx, fam, pair, data.Run)
	if err != nil {
		return nil, err
	}
	var size [2]int
	for _, g := range a.Group {
		size[g]++
	}
	if size[0] == 0 || size[1] == 0 {
		return nil, nil
	}
	one, err := alone(ctx, fam, data, s, form)
	if err != nil {
		return nil, err
	}
	both, err := likelihood(ctx, fam, data.Run, pair)
	if err != nil {
		return nil, err
	}
	whole, err := likelihood(ctx, fam, data.Run, one)
	return &halved{pair: pair, side: a.Group, gain: both - whole, less: min(size[0], size[1])}, err
}

// several is the flat fit of k groups.
func several(ctx context.Context, fam family.Family, data Training, s Settings, form *verdict.Form, k int) (mixture.Params, error) {
	if form != nil {
		found, _, err := verdict.Clouds(ctx, data.Run, k, verdict.Settings{Seed: s.Seed, Workers: s.Workers, Shape: form.Shape})
		if err != nil {
			return mixture.Params{}, tooLittle(err)
		}
		labels, err := placedIn(ctx, data, found)
		if err != nil {
			return mixture.Params{}, err
		}
		return cloudsOf(ctx, fam, data, s, labels, k, form, found.Plain)
	}
	s.K = k
	st, err := begun(ctx, fam, data.Run, s)
	if err != nil {
		return mixture.Params{}, err
	}
	done, err := refined(ctx, fam, data.Run, st, s)
	if err != nil {
		return mixture.Params{}, err
	}
	return done.Params, nil
}

// alone returns records as one group.
func alone(ctx context.Context, fam family.Family, data Training, s Settings, form *verdict.Form) (mixture.Params, error) {
	return partitioned(ctx, fam, data, s, form, 1, make([]int32, data.Run.Can().OwnRows))
}

// partitioned returns the groups of a partition, without a step of EM.
func partitioned(ctx context.Context, fam family.Family, data Training, s Settings, form *verdict.Form, k int, label []int32) (mixture.Params, error) {
	if form != nil {
		return cloudsOf(ctx, fam, data, s, label, k, form, false)
	}
	shape := s.even(data, k, fam.Info().Is(family.WordShare))
	if f, ok := fam.(family.Levelled); ok {
		shape = f.Even(k)
	}
	step, err := fam.(family.Grouped).HardStep(shape, label)
	if err != nil {
		return shape, err
	}
	stats, err := pass.RunOne(ctx, data.Run, step)
	if err != nil {
		return shape, err
	}
	p, _, err := fam.MStep(stats, shape, s.Prior.Records())
	return p, err
}

// of returns the data of other records.
func (d Training) of(run pass.Runner) Training {
	d.Run = run
	return d
}

func likelihood(ctx context.Context, fam family.Family, run pass.Runner, p mixture.Params) (float64, error) {
	step, err := fam.EStep(p, true)
	if err != nil {
		return 0, err
	}
	state, err := pass.RunOne(ctx, run, step)
	if err != nil {
		return 0, err
	}
	return state[0], nil
}

// divide cuts part i as planned.
func (p *parts) divide(i int) {
	at, added := 0, int32(len(p.level))
	side := p.next[i].side
	for r, l := range p.label {
		if l == int32(i) {
			if side[at] == 1 {
				p.label[r] = added
			}
			at++
		}
	}
	p.level[i]++
	p.level = append(p.level, p.level[i])
	p.cut = append(p.cut, i)
	p.next[i] = nil
}

// mixture returns the groups of the parts, refined by EM on all records where
// that leaves them what they are. Where EM would leave a part without records, or
// only a handful where it had more, they are not refined; a part that has none even
// then is joined again.
func (p *parts) mixture(ctx context.Context, refineThem bool) (mixture.Params, error) {
	for {
		q, err := partitioned(ctx, p.fam, p.data.of(pass.NewLocal(p.rows, p.s.Workers)), p.s, p.form, len(p.level), p.label)
		if err != nil {
			return q, err
		}
		fewest, err := p.smallest(ctx, q)
		if err != nil {
			return q, err
		}
		if refineThem {
			r, err := p.refined(ctx, q)
			if err != nil {
				return q, err
			}
			after, err := p.smallest(ctx, r.Params)
			if err != nil {
				return q, err
			}
			if bound := leastPart(p.data.Run.Len(), len(p.level)); after > 0 && (float64(after) >= bound || float64(fewest) < bound) {
				return r.Params, nil
			}
		}
		if fewest > 0 || len(p.cut) == 0 {
			return q, nil
		}
		p.rejoin()
	}
}

// refined is EM from the parts. Clouds that were cut from one another settle slowly: where
// records are many times those of the sample they do so there, and all records then move them
// little.
func (p *parts) refined(ctx context.Context, q mixture.Params) (*refine.Result, error) {
	o := refine.Options{Pseudo: float64(p.s.Prior)}
	if p.form != nil && p.data.Run.Can().Places == 1 && p.data.Run.Len() >= manyMore*p.rows.N() {
		some, err := refine.EM(ctx, p.fam, pass.NewLocal(p.rows, p.s.Workers), q, o)
		if err != nil {
			return nil, err
		}
		q = some.Params
	}
	return refine.EM(ctx, p.fam, p.data.Run, q, o)
}

// smallest returns the number of records of the part with the fewest.
func (p *parts) smallest(ctx context.Context, q mixture.Params) (int, error) {
	a, err := assign.All(ctx, p.fam, q, p.data.Run)
	if err != nil {
		return 0, err
	}
	size := make([]int, q.K())
	for _, g := range a.Group {
		size[g]++
	}
	return slices.Min(size), nil
}

// rejoin undoes the last cut.
func (p *parts) rejoin() {
	last := len(p.level) - 1
	to := p.cut[len(p.cut)-1]
	for r, l := range p.label {
		if int(l) == last {
			p.label[r] = int32(to)
		}
	}
	p.level, p.cut = p.level[:last], p.cut[:len(p.cut)-1]
}
