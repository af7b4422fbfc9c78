package verdict

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

const (
	mostWords   = 2000    // features of counts that are looked at
	mostEntries = 1 << 20 // entries of records that are looked at
	mostLoci    = 5000    // of copies over several places, where their sums travel
)

// drawnBag are the records of a sample and the feature of every column.
type drawnBag struct {
	bag
	record []int // number of every record
	column []int // of every feature: its column, or −1
	equal  bool  // equal records were counted once
	kin    bool  // near kin of others were left out
	linked int   // loci that say what others say

	sets *unasked // of features that were not asked for everywhere; nil: none

	mean    []float64 // count of every feature, those without a column too
	scatter float64   // δ: counts were divided by 1+δμ
	base    []float64 // shares of the features that μ is taken from
}

// drawBag takes at most so many records, spread evenly over all, and the features
// that say most of them. trials is the largest count of copies, 0 for counts.
// Over several places it is those that their numbers among all say.
func drawBag(ctx context.Context, run pass.Runner, trials int, places *strand) (*drawnBag, error) {
	wanted := wantedOf(run, mostRecords)
	if places == nil {
		var err error
		if wanted, err = pass.Steady(ctx, run, mostRecords); err != nil {
			return nil, err
		}
	}
	seen, sum := make([]float64, run.Dim()), make([]float64, run.Dim())
	var one sync.Mutex // sums of whole numbers are the same in any order
	err := eachDrawn(ctx, run, wanted, func(_ int, row sparse.Rows) error {
		one.Lock()
		defer one.Unlock()
		return eachEntry(row, func(j int, v float64) {
			if v == v {
				seen[j]++
				sum[j] += v
			}
		})
	})
	if err != nil {
		return nil, err
	}
	places.add(seen, sum)
	n, before := places.ranked(len(wanted))
	d := &drawnBag{bag: bag{trials: trials, places: places}, column: make([]int, run.Dim()), mean: sum}
	keep := informative(seen, sum, n, trials, places != nil)
	for j := range sum {
		sum[j] /= float64(max(n, 1))
	}
	for j := range d.column {
		d.column[j] = -1
	}
	entries := 0.0
	for c, j := range keep {
		d.column[j] = c
		entries += seen[j]
	}
	d.cols = len(keep)
	every := int(entries/mostEntries) + 1
	index, value := make([][]uint32, len(wanted)), make([][]float32, len(wanted))
	err = eachDrawn(ctx, run, wanted, func(at int, row sparse.Rows) (err error) {
		if (before+at)%every == 0 {
			index[at], value[at], err = d.coded(row)
		}
		return err
	})
	for at := range wanted {
		if (before+at)%every == 0 && (trials > 0 || len(index[at]) > 0) {
			d.add(index[at], value[at])
			d.record = append(d.record, wanted[at])
		}
	}
	d.distinct()
	if places != nil {
		said := []float64{float64(boolInt(d.equal)), 0}
		for _, j := range d.index {
			said[1] += float64(boolInt(int(j) >= d.cols))
		}
		places.add(said)
		d.equal, d.whole = said[0] > 0, said[1] == 0
	}
	return d, errors.Join(err, places.failed())
}

// informative returns the features that some records differ in, those that say most; fewer of
// them where they travel.
func informative(seen, sum []float64, n, trials int, travel bool) []int {
	var keep []int
	weight := make([]float64, len(seen))
	for j, s := range seen {
		weight[j] = sum[j]
		varies := s >= min(rarest, float64(n))
		if trials > 0 {
			m := sum[j] / float64(n*trials)
			weight[j] = m * (1 - m)
			varies = varies && m < 1-min(rarest, float64(n))/(2*float64(n*trials))
		}
		if varies {
			keep = append(keep, j)
		}
	}
	most := mostWords
	if trials > 0 {
		most = max(most, mostEntries/max(n, 1)) // loci say little each
		if travel {
			most = min(most, mostLoci)
		}
	}
	if len(keep) > most {
		slices.SortStableFunc(keep, func(a, b int) int { return cmp.Compare(weight[b], weight[a]) })
		keep = keep[:most]
		slices.Sort(keep)
	}
	return keep
}

// eachDrawn hands every record to look at to f, several at once and in any order.
func eachDrawn(ctx context.Context, run pass.Runner, wanted []int, f func(at int, row sparse.Rows) error) error {
	order := byNumber(wanted)
	_, err := run.Own(ctx, func(b pass.Block) error {
		at, _ := slices.BinarySearchFunc(order, b.First, func(i, first int) int { return cmp.Compare(wanted[i], first) })
		for ; at < len(order) && wanted[order[at]] < b.First+b.Rows.N(); at++ {
			i := wanted[order[at]] - b.First
			if err := f(order[at], b.Rows.Slice(i, i+1)); err != nil {
				return err
			}
		}
		return nil
	})
	return err
}

// eachEntry hands the entries of a row that are not zero to f.
func eachEntry(row sparse.Rows, f func(j int, v float64)) error {
	one := func(j int, v float64) error {
		if v < 0 || v != math.Trunc(v) && v == v {
			return fmt.Errorf("verdict: a count of feature %d is %v, want whole numbers from 0", j+1, v)
		}
		if v != 0 {
			f(j, v)
		}
		return nil
	}
	if row.IsDense() {
		for j, v := range row.DenseRow(0) {
			if err := one(j, v); err != nil {
				return err
			}
		}
		return nil
	}
	index, value := row.Row(0)
	for e, j := range index {
		v := 1.0
		if value != nil {
			v = float64(value[e])
		}
		if err := one(int(j), v); err != nil {
			return err
		}
	}
	return nil
}

// coded returns the columns of a record.
func (d *drawnBag) coded(row sparse.Rows) (index []uint32, value []float32, err error) {
	var missing []uint32
	err = eachEntry(row, func(j int, v float64) {
		c := d.column[j]
		switch {
		case c < 0:
		case v != v && d.trials > 0:
			missing = append(missing, uint32(d.cols+c))
		case v == v:
			index, value = append(index, uint32(c)), append(value, float32(v))
		}
	})
	for _, j := range missing {
		index, value = append(index, j), append(value, 1)
	}
	if d.sets != nil {
		index, value = d.sets.filled(index, value)
	}
	return index, d.calmed(index, value), err
}

// distinct counts equal records once where there are more than chance can make:
// long ones are hardly ever equal.
func (d *drawnBag) distinct() {
	const long, share = 20, .05
	first := map[string]int{}
	var keep []int
	again, all := 0, 0
	for i := range d.n() {
		k := d.key(i)
		_, old := first[k]
		if !old {
			first[k] = i
			keep = append(keep, i)
		}
		if entries := d.ptr[i+1] - d.ptr[i]; d.size[i] >= long && entries > 1 {
			all++
			if old {
				again++
			}
		}
	}
	if float64(again) <= share*float64(all) || again == 0 {
		return
	}
	d.equal = true
	d.only(keep)
}

// only keeps some of the records.
func (d *drawnBag) only(keep []int) {
	d.bag = *d.pick(keep)
	record := make([]int, len(keep))
	for at, i := range keep {
		record[at] = d.record[i]
	}
	d.record = record
}

// key is a record as a word for a map.
func (b *bag) key(i int) string {
	var w strings.Builder
	index, value := b.row(i)
	for e, j := range index {
		for _, v := range []uint32{j, math.Float32bits(value[e])} {
			w.Write([]byte{byte(v), byte(v >> 8), byte(v >> 16), byte(v >> 24)})
		}
	}
	return w.String()
}
