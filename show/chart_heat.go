package show

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/moiety-go/moiety/explain"
	"github.com/moiety-go/moiety/sparse"
)

// Records are the rows behind a report, for charts of records.
type Records struct {
	Rows        sparse.Rows
	Group       []int32   // of every row: its group proper, from 0
	Probability []float32 // of every row: how sure that is; nil where it is not known
	// Shares are the shares of every row in every group, n×k, for the
	// chart of assignments; nil means all of a row in its group.
	Shares [][]float64
}

// ErrNoPicture says that there is nothing to draw: of these records no such
// chart can be made, or none that keeps small numbers to itself.
var ErrNoPicture = errors.New("nothing to draw")

// Sizes and bounds of the heat map.
const (
	heatFeatures = 40   // columns
	heatRecords  = 2000 // above so many, rows are averaged
	heatBins     = 160  // rows of an averaged map, about
	heatHeight   = 480
	heatColumn   = 14
	heatNames    = 150 // the most that names of columns may take
	// heatCells is the size of an averaged row in small cells: with fewer, most
	// of its shares would be of too few records to be shown.
	heatCells = 5
)

// HeatMap draws records × the 40 most common features, ordered by group, with a
// background band a group ([P] Fig. 1b); within a group the surest records come
// first. More than 2,000 records are averaged in bins, and so are any where
// small counts are withheld: then a bin has at least the limit of records, and
// no shade tells of fewer than it.
func HeatMap(r *explain.Report, rec Records) (*Scene, error) {
	h := &heat{r: r, rec: rec, columns: commonFeatures(r)}
	if len(h.columns) < 2 {
		return nil, fmt.Errorf("show: a heat map needs two features that records have or lack: %w", ErrNoPicture)
	}
	h.order()
	h.cut()
	if len(h.bins) == 0 {
		return nil, fmt.Errorf("show: no group is large enough for a heat map: %w", ErrNoPicture)
	}
	return h.scene(), nil
}

// commonFeatures returns the features most records have, of those that may be
// told.
func commonFeatures(r *explain.Report) []int {
	var out []int
	for f, of := range r.Table.Of {
		if of != explain.Value && !r.Table.Overall[f].Masked() {
			out = append(out, f)
		}
	}
	slices.SortStableFunc(out, func(a, b int) int {
		return cmp.Compare(r.Table.Overall[b].Or(0), r.Table.Overall[a].Or(0))
	})
	return out[:min(len(out), heatFeatures)]
}

// heat is a heat map in the making.
type heat struct {
	r       *explain.Report
	rec     Records
	columns []int
	rows    [][]int // of every group: its rows, surest first
	bins    []heatBin
	missing []string // groups that are not drawn
	binned  bool
}

// heatBin is one row of the map: one record, or many.
type heatBin struct {
	group int
	rows  []int
}

// order sorts the rows by group and certainty.
func (h *heat) order() {
	h.rows = make([][]int, len(h.r.Leaves))
	for i, g := range h.rec.Group {
		h.rows[g] = append(h.rows[g], i)
	}
	if h.rec.Probability == nil {
		return
	}
	for _, rows := range h.rows {
		slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(h.rec.Probability[b], h.rec.Probability[a]) })
	}
}

// cut divides the groups into rows of the map.
func (h *heat) cut() {
	n := len(h.rec.Group)
	h.binned = n > heatRecords || h.r.Limit > 0
	size := 1
	if h.binned {
		size = max((n+heatBins-1)/heatBins, heatCells*h.r.Limit)
	}
	for g, rows := range h.rows {
		if h.r.Limit > 0 && (h.r.Leaf(g).N.Masked() || len(rows) < h.r.Limit) {
			if len(rows) > 0 {
				h.missing = append(h.missing, h.r.Leaf(g).ID)
			}
			continue
		}
		parts := max(len(rows)/size, 1)
		for p := range parts {
			if from, to := p*len(rows)/parts, (p+1)*len(rows)/parts; to > from {
				h.bins = append(h.bins, heatBin{g, rows[from:to]})
			}
		}
	}
}

// share returns the share of a bin's records that have a feature; false where
// it may not be told. Counts below the limit, of records with it or without,
// look like none and like all.
func (h *heat) share(b heatBin, f int) (float64, bool) {
	if h.r.Limit > 0 && h.r.Table.Shares[h.r.Leaves[b.group]][f].Masked() {
		return 0, false
	}
	n, have := len(b.rows), 0
	for _, i := range b.rows {
		if v := h.rec.Rows.At(i, f); v != 0 && !math.IsNaN(v) {
			have++
		}
	}
	switch {
	case have < h.r.Limit:
		return 0, true
	case n-have < h.r.Limit:
		return 1, true
	}
	return float64(have) / float64(n), true
}
