//go:build !purego

package kernel

import "slices"

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
			arrangeOnes512(&a.Index[0], &a.End[done], &a.Ptr[done], rows, &a.Feature[0], &a.Number[0], &a.Cells[0], &a.Cells[half], 64*runs, len(a.Index), &at)
		} else if a.Real != nil && a.Value != nil {
			arrange512(&a.Index[0], &a.Real[0], &a.End[done], &a.Ptr[done], rows, &a.Feature[0], &a.Value[0], &a.Number[0], &a.Cells[0], &a.Cells[half], 64*runs, len(a.Index), &at)
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
