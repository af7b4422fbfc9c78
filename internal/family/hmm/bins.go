package hmm

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/moiety-go/moiety/pass"
)

// The means of k states in d columns are told apart by their moments where k is at most d+1.
// For more states a step is also seen by the bins that its values fall into: the shares of
// the bins in a state are linear in its law as the means are, and laws that differ have
// independent shares once bins are many enough (De Castro, Gassiat and Lacour 2016).

const (
	binsOfState = 2   // bins of a column, for every state that is looked for
	cells       = 256 // of a column, that bins are made of
	reach       = 4   // standard deviations from the mean that cells lie in; the last ones hold the rest
)

// bins cut each column of a frame that varies into parts of about as many rows.
type bins struct {
	f     *frame
	dev   []float64 // d: standard deviations in the frame, 0 for a constant column
	of    [][]int   // d×cells: the bin of every cell, counted through all columns
	n     int       // bins of all columns
	apart int       // states that the shares of bins tell apart at most
}

// newBins cuts the columns of a frame into so many bins each, fewer where many rows have one
// value.
func newBins(ctx context.Context, run pass.Runner, f *frame, dev []float64, each int) (*bins, error) {
	s := &bins{f: f, dev: dev, of: make([][]int, len(dev)), apart: 1}
	counts, err := pass.RunOne(ctx, run, cellSum{s})
	if err != nil {
		return nil, err
	}
	for h, v := range dev {
		if v > 0 {
			s.cut(h, counts[h*cells:][:cells], each)
		}
	}
	return s, nil
}

// cut makes the bins of a column: one ends with the cell that brings it to its share of the
// rows that are left.
func (s *bins) cut(h int, count []float64, each int) {
	s.of[h] = make([]int, cells)
	share, now, last := floats.Sum(count)/float64(each), 0.0, s.n
	for i, n := range count {
		if now >= share && n > 0 {
			s.n++
			now = 0
		}
		s.of[h][i] = s.n
		now += n
	}
	s.n++
	s.apart += s.n - last - 1
}

// cell returns the cell of a value of a column that varies.
func (s *bins) cell(h int, t float64) int {
	return int(math.Min(math.Max((t/s.dev[h]+reach)/(2*reach)*cells, 0), cells-1))
}

// see writes c into the bins of a row that was observed.
func (s *bins) see(row, t []float64, c float64) {
	for h, of := range s.of {
		if of != nil {
			row[of[s.cell(h, t[h])]] = c
		}
	}
}

// cellSum counts the observed rows in the cells of the columns.
type cellSum struct{ *bins }

func (s cellSum) Len() int { return len(s.dev) * cells }

func (s cellSum) Add(state []float64, b pass.Block) error {
	t := make([]float64, len(s.dev))
	for i := range b.Rows.N() {
		seen, err := s.f.row(t, b.Rows, i)
		if err != nil {
			return stepError(b, i, err)
		}
		for h, v := range s.dev {
			if seen && v > 0 {
				state[h*cells+s.cell(h, t[h])]++
			}
		}
	}
	return nil
}
