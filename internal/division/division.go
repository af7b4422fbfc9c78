// Package division finds useful divisions of a sample of records: those that unlike
// methods agree on, that halves of the records find again, and that have a gap between
// their groups. It claims no kinds; that is the verdict's.
//
// A pool holds the fits of every method at every number of groups. Everything in it is a
// function of the sample and the seed.
package division

import (
	"context"
	"fmt"
	"math"

	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/stream"
)

// Most is the number of records in a sample, at most.
const Most = 2000

// Smallest is the number of records that a group must have.
const Smallest = 5

// splits is how often the records are cut into two halves.
const splits = 2

// Settings of a pool.
type Settings struct {
	Seed    uint64
	Workers int // cores; 0 means all. No bit of the answer depends on it
	Others  []Method
}

// Method is another way to divide than those of the pool. Fit learns k groups from some of the
// records of the sample and returns the group of every record, or nil where it finds no so many.
type Method struct {
	Name string
	Fit  func(ctx context.Context, rows []int, k int) ([]int, error)
}

// Division is one way to divide the sample.
type Division struct {
	Groups int
	Method string
	View   string // the scale of the columns
	Logs   []int  // the features of measurements that are seen by their logarithms
	Label  []int  // the group of every record

	Repeat    float64 // agreement of two halves' fits on all records
	Agreement float64 // with the other methods at the same number of groups
	Gap       float64 // between the groups: 1 less the depth of the valleys' floors
	Gain      float64 // nats over the best single population, of records kept aside; NaN without a density
	Error     float64 // of the gain
	Size      int     // records of the smallest group
}

// Score is the geometric mean of what speaks for a division.
func (d *Division) Score() float64 {
	return math.Cbrt(max(d.Repeat, 0) * max(d.Agreement, 0) * max(d.Gap, 0))
}

// placing is what a fit says of all records of the sample: their groups and log densities;
// density is nil for methods without one.
type placing struct {
	label   []int
	density []float64
}

// Pool returns the divisions of a sample into so many groups each, by all methods.
func Pool(ctx context.Context, s *Sample, ks []int, o Settings) ([]*Division, error) {
	if s.n <= 2*Smallest {
		return nil, nil
	}
	parts := halves(s.n, o.Seed)
	jobs := s.jobs(ks, parts, o)
	err := par.Do(ctx, o.Workers, len(jobs), func(i int) error { return jobs[i].do(ctx) })
	if err != nil {
		return nil, err
	}
	return s.judged(ctx, jobs, parts, o)
}

// halves returns all rows, and then the two halves of every split.
func halves(n int, seed uint64) [][]int {
	out := [][]int{make([]int, n)}
	for i := range n {
		out[0][i] = i
	}
	for s := range splits {
		order := stream.New(seed, fmt.Sprintf("division/split%d", s)).Perm(n)
		out = append(out, order[:n/2], order[n/2:])
	}
	return out
}

// job is a fit of one group of methods to one part of the records.
type job struct {
	part, k int
	names   []string
	view    *view
	fit     func(ctx context.Context) ([]placing, error)
	out     []placing // one for every name, nil where the method found none
}

func (j *job) do(ctx context.Context) (err error) {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	j.out, err = j.fit(ctx)
	return err
}

// jobs lists the fits of a pool; every one is done by itself.
func (s *Sample) jobs(ks []int, parts [][]int, o Settings) (out []*job) {
	for part, rows := range parts {
		for at, v := range s.views {
			trees := newTrees(v.table.Rows(rows))
			for _, k := range ks {
				if k > len(rows)/2 {
					continue
				}
				r := func() uint64 { return stream.New(o.Seed, fmt.Sprintf("division/%d/%d/%d", part, at, k)).Uint64() }
				out = append(out,
					&job{part: part, k: k, names: v.methods(), view: v, fit: func(context.Context) ([]placing, error) { return v.fits(rows, k, r()), nil }},
					&job{part: part, k: k, names: []string{"ward"}, view: v, fit: func(context.Context) ([]placing, error) {
						return []placing{v.around(rows, trees.cut(k), k)}, nil
					}})
			}
		}
		out = append(out, s.otherJobs(part, rows, ks, o)...)
	}
	return out
}

// otherJobs lists the fits of methods that others bring, which may be dear: to all records and
// the halves of the first split.
func (s *Sample) otherJobs(part int, rows, ks []int, o Settings) (out []*job) {
	if part > 2 {
		return nil
	}
	for _, m := range o.Others {
		for _, k := range ks {
			out = append(out, &job{part: part, k: k, names: []string{m.Name}, view: s.views[0], fit: func(ctx context.Context) ([]placing, error) {
				label, err := m.Fit(ctx, rows, k)
				return []placing{{label: label}}, err
			}})
		}
	}
	return out
}

// singles fits single populations of every view to the first half of every split, and to the
// second: the log density of every record by the half without it, in the mean over splits.
func (s *Sample) singles(parts [][]int) [][]float64 {
	var out [][]float64
	for _, v := range s.views {
		for _, single := range v.singles() {
			sum := make([]float64, s.n)
			for part := 1; part < len(parts); part++ {
				density := single(parts[part])
				for _, i := range parts[other(part)] {
					sum[i] += density[i] / splits
				}
			}
			out = append(out, sum)
		}
	}
	return out
}

// other is the part with the other half of the same split.
func other(part int) int { return (part - 1 ^ 1) + 1 }
