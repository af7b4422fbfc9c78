package tree

import (
	"context"
	"math"
	"slices"
	"sync"

	"github.com/moiety-go/moiety/internal/refine"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// records are those of a node, as the growth sees them. There are two
// implementations: scanned, by passes over any runner, and counted, for binary rows
// in memory, which counts where the other scans. TestTwins grows trees over both.
type records interface {
	Len() int // how many there are, wherever they lie
	base() *scanned

	// start returns a legal model of one component, the shape of all others.
	start(ctx context.Context) (mixture.Params, error)
	// alone returns the model of one component and its log-likelihood.
	alone(ctx context.Context) (mixture.Params, float64, error)
	// columns returns the means and variances of the features.
	columns(ctx context.Context) (columnStats, error)
	// moments returns the family's, for two components.
	moments(ctx context.Context) (moment.Source, error)
	// view returns the moments that a direction is found from.
	view(ctx context.Context) (view, error)
	// assign returns the side of every own record under a pair, place that under a
	// rule; ties are left open.
	assign(ctx context.Context, pair mixture.Params) (sides, error)
	place(ctx context.Context, rule *Rule) (sides, error)
	// every returns one of every step records.
	every(step int) records
	// divide returns the records of either side.
	divide(ctx context.Context, labels sides) ([2]records, error)
	// share hands the sides what was counted of all, where that spares them a scan.
	share(ctx context.Context, sides [2]records) error

	rest()    // gives back what is made again when it is needed
	release() // gives back all memory
}

// scanned are records of any runner. They are a list of own numbers; where the rows
// are in memory, those of a node are copied while they are in use if they are few,
// and block by block in every pass if they are many; elsewhere each pass goes over
// all records and leaves out the others.
type scanned struct {
	g     *builder
	list  []int32      // own numbers, rising; nil for all
	n     int          // records, wherever they are
	first int          // number of the first own one among them
	mu    sync.Mutex   // of what follows
	run   pass.Runner  // over them, or nil
	copy  *sparse.Rows // nil where they were not copied
}

const (
	// copiedEntries is the number of entries up to which a node is copied: 8 MB of
	// binary rows.
	copiedEntries = 1 << 21
	// severalCores is the number of records from which one node is worth several
	// cores: of smaller ones several are looked at at the same time.
	severalCores = 16 * 1024
)

func (s *scanned) Len() int { return s.n }

func (s *scanned) base() *scanned { return s }

// own returns the number of records that are here.
func (s *scanned) own() int {
	if s.list == nil {
		return s.g.run.Can().Own
	}
	return len(s.list)
}

// at returns the own number of record i.
func (s *scanned) at(i int) int32 {
	if s.list == nil {
		return int32(i)
	}
	return s.list[i]
}

// runner returns a runner over the records.
func (s *scanned) runner(ctx context.Context) (_ pass.Runner, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	rows := s.g.rows
	switch {
	case s.run != nil:
	case s.list == nil:
		s.run = s.g.run
	case rows == nil:
		s.run, err = pass.Filter(ctx, s.g.run, func(own int) bool {
			_, ok := slices.BinarySearch(s.list, int32(own))
			return ok
		})
	case len(s.list)*rows.NNZ() > copiedEntries*rows.N():
		s.run = pass.Subset(*rows, s.list, s.workers())
	default:
		s.copy = s.g.copies.take()
		if err = rows.PickOn(ctx, s.workers(), s.copy, s.list); err == nil {
			s.run = pass.NewLocal(*s.copy, s.workers())
		}
	}
	return s.run, err
}

// workers returns how many cores look at the records.
func (s *scanned) workers() int {
	if s.n < severalCores {
		return 1
	}
	return s.g.s.Workers
}

func (s *scanned) start(ctx context.Context) (mixture.Params, error) {
	run, err := s.runner(ctx)
	if err != nil {
		return mixture.Params{}, err
	}
	return s.g.single(ctx, run)
}

// alone takes one step of EM, which for one component is the whole of it.
func (s *scanned) alone(ctx context.Context) (mixture.Params, float64, error) {
	run, err := s.runner(ctx)
	if err != nil {
		return mixture.Params{}, 0, err
	}
	r, err := refine.Steps(ctx, s.g.s.Family, run, s.g.one, 1, refine.Options{Pseudo: s.g.s.Pseudo})
	if err != nil {
		return mixture.Params{}, 0, err
	}
	return r.Params, r.LogLikelihood, nil
}

func (s *scanned) columns(ctx context.Context) (columnStats, error) {
	run, err := s.runner(ctx)
	if err != nil {
		return columnStats{}, err
	}
	state, err := pass.RunOne(ctx, run, columnSum{run.Dim()})
	if err != nil {
		return columnStats{}, err
	}
	out, n := columnStats{state[:run.Dim()], state[run.Dim():]}, math.Max(float64(s.n), 1)
	for h := range out.mean {
		out.mean[h] /= n
		out.variance[h] = math.Max(out.variance[h]/n-out.mean[h]*out.mean[h], 0)
	}
	return out, nil
}

func (s *scanned) moments(ctx context.Context) (moment.Source, error) {
	run, err := s.runner(ctx)
	if err != nil {
		return nil, err
	}
	return s.g.s.Family.Source(ctx, run, 2)
}

func (s *scanned) view(ctx context.Context) (view, error) {
	run, err := s.runner(ctx)
	return scans{run}, err
}

func (s *scanned) assign(ctx context.Context, pair mixture.Params) (sides, error) {
	run, err := s.runner(ctx)
	if err != nil {
		return nil, err
	}
	return s.g.placed(ctx, run, func(b pass.Block, out sides) error { return s.g.byPosterior(pair, b, out) })
}

func (s *scanned) place(ctx context.Context, rule *Rule) (sides, error) {
	run, err := s.runner(ctx)
	if err != nil {
		return nil, err
	}
	return s.g.placed(ctx, run, rule.block)
}

func (s *scanned) every(step int) records {
	if step == 1 {
		return s
	}
	places := s.drawn(step)
	if s.list != nil {
		for i, at := range places {
			places[i] = s.list[at]
		}
	}
	return &scanned{g: s.g, list: places, n: s.n / step, first: s.first / step}
}

// drawn returns the places, among the own records, of those that every takes: by
// their number among all of the node, so that they are the same wherever they lie.
func (s *scanned) drawn(step int) []int32 {
	list := make([]int32, 0, s.own()/step+1)
	for i := s.first / step; i < s.n/step; i++ {
		at := pass.Drawn(i, step) - s.first
		if at >= s.own() {
			break
		}
		if at >= 0 {
			list = append(list, int32(at))
		}
	}
	return list
}

func (s *scanned) divide(ctx context.Context, labels sides) ([2]records, error) {
	before := make([]int, blocksOf(len(labels))+1) // of the second side, block by block
	each := func(f func(i, lo int, labels sides)) error {
		return inBlocks(ctx, s.workers(), len(labels), func(i, lo, n int) error {
			f(i, lo, labels[lo:lo+n])
			return nil
		})
	}
	if err := each(func(i, _ int, labels sides) { before[i+1] = labels.count(1) }); err != nil {
		return [2]records{}, err
	}
	for i := range before[1:] {
		before[i+1] += before[i]
	}
	second := before[len(before)-1]
	lists := [2][]int32{s.g.lists.take(len(labels) - second), s.g.lists.take(second)}
	if err := each(func(i, lo int, labels sides) {
		both := s.g.places.take(2 * (countedBlock + 1))
		defer s.g.places.give(both)
		first, other, at := both[:countedBlock+1], both[countedBlock+1:], [2]int{}
		for j, l := range labels { // without a jump: sides come in any order
			r := s.at(lo + j)
			first[at[0]], other[at[1]] = r, r
			at[1] += int(l)
			at[0] = j + 1 - at[1]
		}
		copy(lists[0][lo-before[i]:], first[:at[0]])
		copy(lists[1][before[i]:], other[:at[1]])
	}); err != nil {
		return [2]records{}, err
	}
	var out [2]records
	for j := range out {
		n, before, err := s.g.counted(ctx, len(lists[j]))
		if err != nil {
			return out, err
		}
		out[j] = &scanned{g: s.g, list: lists[j], n: n, first: before}
	}
	return out, nil
}

func (s *scanned) share(context.Context, [2]records) error { return nil }

func (s *scanned) rest() {
	s.g.copies.give(s.copy)
	s.run, s.copy = nil, nil
}

func (s *scanned) release() {
	s.rest()
	s.g.lists.give(s.list)
	s.list = nil
}

// columnSum adds up the values of every feature that are there, then their squares.
type columnSum struct{ d int }

func (s columnSum) Len() int { return 2 * s.d }

func (s columnSum) Add(state []float64, b pass.Block) error {
	sum, squares := state[:s.d], state[s.d:]
	for i := range b.Rows.N() {
		if b.Rows.IsDense() {
			for h, v := range b.Rows.DenseRow(i) {
				if !math.IsNaN(v) {
					sum[h] += v
					squares[h] += v * v
				}
			}
			continue
		}
		index, value := b.Rows.Row(i)
		for e, h := range index {
			v := 1.0
			if value != nil {
				v = float64(value[e])
			}
			if !math.IsNaN(v) {
				sum[h] += v
				squares[h] += v * v
			}
		}
	}
	return nil
}
