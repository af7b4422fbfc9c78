package verdict

import (
	"math"
	"math/bits"
)

// Near kin: parents, children, brothers and sisters. They share half of what they
// inherited, so that the kin of a record, kept aside, is foretold by it: components of
// a few families each describe new members of these families, and nobody else. The
// field leaves one of such records each (Manichaikul and others 2010, KING); so do
// equal records count once.

const (
	nearKin    = .177 // kinship halfway, in powers of two, between first and second degree
	kinErrors  = 5    // standard errors from none, for all pairs of a few thousand records
	wholeKin   = .25  // kinship of the first degree: where chance reaches so far nothing is reported
	kinShare   = .05  // of the records, below which kin change nothing
	kinScatter = .64  // standard deviation of the kinship of strangers, of one locus
)

// calls are the loci of a record: of which it has both alleles, and of which twice the
// one or twice the other.
type calls struct{ both, twice, never []uint64 }

// unrelated leaves out near kin of other records, where they are many. Records at several
// places are compared with those of their own.
func (d *drawnBag) unrelated() {
	limit := max(nearKin, kinErrors*kinScatter/math.Sqrt(float64(d.cols)))
	if d.trials != 2 || limit >= wholeKin {
		return
	}
	var keep []int
	var kept []calls
	for i := range d.n() {
		c := d.calls(i)
		if !c.kinOf(kept, limit) {
			keep, kept = append(keep, i), append(kept, c)
		}
	}
	all := []float64{float64(d.n()), float64(len(keep))}
	d.places.add(all)
	if all[0]-all[1] <= kinShare*all[0] || all[1] < leastRecords {
		return
	}
	d.kin = true
	d.only(keep)
}

func (d *drawnBag) calls(i int) calls {
	words := (d.cols + 63) / 64
	c := calls{make([]uint64, words), make([]uint64, words), make([]uint64, words)}
	for j := range d.cols {
		c.never[j/64] |= 1 << (j % 64)
	}
	index, value := d.row(i)
	for e, j := range index {
		at := int(j)
		if at >= d.cols { // missing
			at -= d.cols
		} else if value[e] == 1 {
			c.both[at/64] |= 1 << (at % 64)
		} else {
			c.twice[at/64] |= 1 << (at % 64)
		}
		c.never[at/64] &^= 1 << (at % 64)
	}
	return c
}

// kinOf reports that a record is near kin of one of the list: loci of which both have
// both alleles, less twice those of which they have no allele in common, over all loci of
// which either has both. For strangers of one population that is 0 whatever its
// frequencies, for those of two less.
func (c calls) kinOf(list []calls, limit float64) bool {
	own := setBits(c.both)
	for _, o := range list {
		shared, opposed := 0, 0
		for w, b := range c.both {
			shared += bits.OnesCount64(b & o.both[w])
			opposed += bits.OnesCount64(c.twice[w]&o.never[w] | c.never[w]&o.twice[w])
		}
		if float64(shared-2*opposed) > limit*float64(own+setBits(o.both)) {
			return true
		}
	}
	return false
}

func setBits(list []uint64) int {
	n := 0
	for _, w := range list {
		n += bits.OnesCount64(w)
	}
	return n
}
