package kernel

import (
	"math/bits"
	"slices"
)

// Rearranger gives the entries of rows new numbers and puts each row in their
// order. A row is entered into a table with a byte or bit for every number, and
// read out of it from front to back, so that hardly a branch depends on the
// entries.
type Rearranger struct {
	// Row i has the entries Ptr[i] to Ptr[i+1] of Feature and Value. A nil Value
	// means ones; of entries with the same number the last one stands.
	Ptr     []int
	Feature []uint32
	Value   []uint8 // above 0
	// Number is the new number by feature. Cells is twice the table: whole runs of
	// 64 bytes, all zero before and after, of which the last run is not read: its
	// numbers are for features that are left out.
	Number []uint32
	Cells  []uint8
	// Index and Real get the rows, and End[i] the place behind row i. Real may be
	// nil. Index may be Feature where no row becomes shorter: a row is entered before
	// its place is written to.
	Index []uint32
	Real  []float32
	End   []int

	// Of plain Go: numbers of the row at hand as bits, and its values, which stay.
	marks []uint64
	held  []uint8
}

// CellsFor returns a table for numbers below dim, and the number for features that
// are left out.
func CellsFor(dim int) (cells []uint8, none uint32) {
	size := (dim + 63) &^ 63
	return make([]uint8, 2*(size+64)), uint32(size)
}

// Run writes all rows, one behind the other from place at on, and returns the
// place behind the last.
func (a *Rearranger) Run(at int) int {
	done := 0
	if hasArrange() {
		done, at = a.runFast(at)
	}
	for i := done; i < len(a.End); i++ {
		a.enter(a.Ptr[i], a.Ptr[i+1])
		limit := min(at+a.Ptr[i+1]-a.Ptr[i], len(a.Index))
		for w, word := range a.marks[:len(a.marks)-1] {
			if word != 0 {
				a.marks[w] = 0
				at = a.read(at, limit, w<<6, word)
			}
		}
		a.End[i] = at
	}
	return at
}

// enter takes entries lo to hi-1.
func (a *Rearranger) enter(lo, hi int) {
	if size := len(a.Cells) / 2; len(a.held) != size {
		a.marks, a.held = make([]uint64, size/64), make([]uint8, size)
	}
	row := a.Feature[lo:hi]
	if a.Value == nil {
		for _, f := range row {
			h := a.Number[f]
			a.marks[h>>6] |= 1 << (h & 63)
			a.held[h] = 1
		}
		return
	}
	value := a.Value[lo:hi]
	for e, f := range row {
		h := a.Number[f]
		a.marks[h>>6] |= 1 << (h & 63)
		a.held[h] = value[e]
	}
}

// read writes the numbers of a word of marks, the first of which is base. It
// writes four at a time up to the limit, however many there are, so that no branch
// depends on their number; behind the last it finds the number after those of the
// word.
func (a *Rearranger) read(at, limit, base int, word uint64) int {
	for more := bits.OnesCount64(word); more > 0; {
		if at+4 > limit {
			a.Index[at] = uint32(base + bits.TrailingZeros64(word))
			if a.Real != nil {
				a.Real[at] = float32(a.held[a.Index[at]])
			}
			word &= word - 1
			at, more = at+1, more-1
			continue
		}
		to := a.Index[at : at+4 : at+4]
		for k := range to {
			to[k] = uint32(base + bits.TrailingZeros64(word))
			word &= word - 1
		}
		if a.Real != nil {
			out := a.Real[at : at+4 : at+4]
			for k, h := range to {
				out[k] = float32(a.held[h])
			}
		}
		at, more = at+min(more, 4), more-4
	}
	return at
}

// arrangeEntries is about how many entries and runs of cells a call treats.
const arrangeEntries = 1 << 16

// runFast treats rows up to the first that does not fit, and returns their number
// and the place behind them.
func (a *Rearranger) runFast(at int) (done, to int) {
	n, half := len(a.End), len(a.Cells)/2
	runs := half/64 - 1
	if !pressBytes || n == 0 || len(a.Ptr) <= n || runs <= 0 || half%64 != 0 || at < 0 || at > len(a.Index) ||
		!slices.IsSorted(a.Ptr[:n+1]) || a.Ptr[0] < 0 || a.Ptr[n] > len(a.Feature) || len(a.Feature) == 0 || len(a.Number) == 0 ||
		a.Value != nil && a.Ptr[n] > len(a.Value) || a.Real != nil && len(a.Real) < len(a.Index) || len(a.Index) == 0 ||
		int(largest(a.Feature[a.Ptr[0]:a.Ptr[n]])) >= len(a.Number) || int(largest(a.Number)) >= half {
		return 0, at
	}
	for done < n {
		rows := a.portion(done, runs)
		last := at
		if a.Real == nil && a.Value == nil {
			callArrangeOnes(&a.Index[0], &a.End[done], &a.Ptr[done], rows, &a.Feature[0], &a.Number[0], &a.Cells[0], &a.Cells[half], 64*runs, len(a.Index), &at)
		} else if a.Real != nil && a.Value != nil {
			callArrange(&a.Index[0], &a.Real[0], &a.End[done], &a.Ptr[done], rows, &a.Feature[0], &a.Value[0], &a.Number[0], &a.Cells[0], &a.Cells[half], 64*runs, len(a.Index), &at)
		} else {
			return done, at
		}
		if at < 0 { // no room for a row
			return done, last
		}
		done += rows
	}
	return done, at
}

// portion returns how many rows from the given one on a call treats.
func (a *Rearranger) portion(from, runs int) int {
	n := len(a.End) - from
	for rows := range n {
		if a.Ptr[from+rows+1]-a.Ptr[from]+(rows+1)*runs > arrangeEntries {
			return rows + 1
		}
	}
	return n
}
