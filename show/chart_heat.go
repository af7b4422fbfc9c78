package show

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/sparse"
)

// Records are the rows behind a report, for charts of records.
type Records struct {
	// Rows hands over the rows in order, some at a time; RowsOf makes it.
	Rows        func(visit func(sparse.Rows) error) error
	Group       []int32   // of every row: its group proper, from 0
	Probability []float32 // of every row: how sure that is; nil where it is not known
	// Shares are the shares of every row in every group, n×k, for the
	// chart of assignments; nil means all of a row in its group.
	Shares [][]float64
	// Steps are where sequences begin among the rows, and behind the last one
	// their number; nil where records are no sequences. StepsOf makes it.
	Steps []int
}

// RowsOf returns the rows of records that may be on disk.
func RowsOf(ctx context.Context, r dataset.Data) func(visit func(sparse.Rows) error) error {
	return func(visit func(sparse.Rows) error) error {
		return r.Each(ctx, func(_ int, d *dataset.Dataset) error { return visit(d.Rows) })
	}
}

// ErrNoPicture says that there is nothing to draw: of these records no such
// chart can be made, or none that keeps small numbers to itself.
var ErrNoPicture = errors.New("nothing to draw")

// check reports whether the records are those of a report.
func (rec Records) check(r *report.Report) error {
	n, k := len(rec.Group), len(r.Leaves)
	switch {
	case n == 0:
		return fmt.Errorf("show: no records: %w", ErrNoPicture)
	case rec.Probability != nil && len(rec.Probability) != n || rec.Shares != nil && len(rec.Shares) != n:
		return fmt.Errorf("show: %d probabilities and shares of %d rows for %d rows", len(rec.Probability), len(rec.Shares), n)
	}
	for i, g := range rec.Group {
		if g < 0 || int(g) >= k || rec.Shares != nil && len(rec.Shares[i]) != k {
			return fmt.Errorf("show: row %d lies in group %d of %d, or has not a share in each", i+1, g+1, k)
		}
	}
	return nil
}

// holds reports whether rows of so many features may be those of a report: all
// of them are in it, or rare ones are not named.
func holds(r *report.Report, dim int) bool {
	columns := len(r.Table.Of)
	for c := range columns {
		if r.Table.Feature(c) >= dim {
			return false
		}
	}
	return r.Table.Features != nil || dim == columns
}

// Sizes and bounds of the heat map.
const (
	heatFeatures = 40   // columns
	heatRecords  = 2000 // above so many, rows are averaged
	heatBins     = 160  // rows of an averaged map, about
	heatHeight   = 480
	heatColumn   = 14
	heatLeast    = 350 // the width of a map of few columns: that of its legend, and of a phone
	heatNames    = 150 // the most that names of columns may take
	// heatCells is the size of an averaged row in small cells: with fewer, most
	// of its shares would be of too few records to be shown.
	heatCells = 5
	// heatShades is the number of shades of averaged rows of people: the counts
	// behind them are not to be read.
	heatShades = 10
)

// HeatMap draws records × the 40 most common features, ordered by group, with a
// background band a group ([P] Fig. 1b); within a group the surest records come
// first. More than 2,000 records are averaged in bins, and so are any where
// small counts are withheld: then a bin has at least the limit of records, and
// no shade tells of fewer than it.
func HeatMap(r *report.Report, rec Records) (*Scene, error) {
	if err := rec.check(r); err != nil {
		return nil, err
	}
	h := &heat{r: r, rec: rec, columns: commonFeatures(r)}
	switch {
	case r.Ring == report.Shared:
		return nil, fmt.Errorf("show: pictures of single records are not shared: %w", ErrNoPicture)
	case len(h.columns) < 2:
		return nil, fmt.Errorf("show: a heat map needs two features that records have or lack: %w", ErrNoPicture)
	case r.Limit > 0 && r.Shape == report.States:
		// Many steps may be of few people; rows do not tell whose they are.
		return nil, fmt.Errorf("show: steps of people are not drawn one by one: %w", ErrNoPicture)
	}
	h.cut(h.order())
	if err := h.count(); err != nil {
		return nil, err
	}
	if len(h.bins) == 0 {
		return nil, fmt.Errorf("show: no group is large enough for a heat map: %w", ErrNoPicture)
	}
	return h.scene(), nil
}

// commonFeatures returns the features most records have, of those that may be
// reported.
func commonFeatures(r *report.Report) []int {
	var out []int
	for f, of := range r.Table.Of {
		if of != report.Value && !r.Table.Overall[f].Masked() {
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
	r       *report.Report
	rec     Records
	columns []int
	bins    []heatBin
	binOf   []int32  // of every row: its bin, or -1
	missing []string // groups that are not drawn
	binned  bool
}

// heatBin is one row of the map: one record, or many.
type heatBin struct {
	group int
	n     int   // records
	have  []int // of every column: the records that have it
}

// order returns the rows of every group, surest first.
func (h *heat) order() [][]int32 {
	sizes := make([]int, len(h.r.Leaves))
	for _, g := range h.rec.Group {
		sizes[g]++
	}
	out := make([][]int32, len(sizes))
	for g, n := range sizes {
		out[g] = make([]int32, 0, n)
	}
	for i, g := range h.rec.Group {
		out[g] = append(out[g], int32(i))
	}
	if h.rec.Probability == nil {
		return out
	}
	for _, rows := range out {
		slices.SortStableFunc(rows, func(a, b int32) int { return cmp.Compare(h.rec.Probability[b], h.rec.Probability[a]) })
	}
	return out
}

// cut divides the groups into rows of the map.
func (h *heat) cut(groups [][]int32) {
	n := len(h.rec.Group)
	h.binOf = make([]int32, n)
	for i := range h.binOf {
		h.binOf[i] = -1
	}
	h.binned = n > heatRecords || h.r.Limit > 0
	size := 1
	if h.binned {
		size = max((n+heatBins-1)/heatBins, heatCells*h.r.Limit)
	}
	for g, rows := range groups {
		if h.r.Limit > 0 && (h.r.Leaf(g).N.Masked() || len(rows) < h.r.Limit) {
			if len(rows) > 0 {
				h.missing = append(h.missing, h.r.Leaf(g).ID)
			}
			continue
		}
		parts := max(len(rows)/size, 1)
		for p := range parts {
			if from, to := p*len(rows)/parts, (p+1)*len(rows)/parts; to > from {
				for _, i := range rows[from:to] {
					h.binOf[i] = int32(len(h.bins))
				}
				h.bins = append(h.bins, heatBin{group: g, n: to - from, have: make([]int, len(h.columns))})
			}
		}
	}
}

// count counts the records of every bin that have the features of the columns.
func (h *heat) count() error {
	n, column := len(h.rec.Group), make(map[int]int, len(h.columns)) // of features by their place in the vocabulary
	for c, f := range h.columns {
		column[h.r.Table.Feature(f)] = c
	}
	row := 0
	err := h.rec.Rows(func(rows sparse.Rows) error {
		if !holds(h.r, rows.Dim) || row+rows.N() > n {
			return errOtherRecords
		}
		for i := range rows.N() {
			b := h.binOf[row]
			if row++; b < 0 {
				continue
			}
			eachPresent(rows, i, func(f int) {
				if c, drawn := column[f]; drawn {
					h.bins[b].have[c]++
				}
			})
		}
		return nil
	})
	if err == nil && row < n {
		err = errOtherRecords
	}
	return err
}

// errOtherRecords says that the rows are not those of the report.
var errOtherRecords = errors.New("show: the rows have other numbers of records or features than the report: give the records of the report")

// eachPresent visits the features of a row that are neither zero nor missing.
func eachPresent(rows sparse.Rows, i int, visit func(f int)) {
	if rows.IsDense() {
		for f, v := range rows.DenseRow(i) {
			if v != 0 && !math.IsNaN(v) {
				visit(f)
			}
		}
		return
	}
	index, value := rows.Row(i)
	for e, f := range index {
		if value == nil || value[e] != 0 && value[e] == value[e] {
			visit(int(f))
		}
	}
}

// share returns the share of a bin's records that have the feature of a column;
// false where it may not be reported. Counts below the limit, of records with it or
// without, look like none and like all.
func (h *heat) share(b heatBin, c int) (float64, bool) {
	if h.r.Limit > 0 && h.r.Table.Shares[h.r.Leaves[b.group]][h.columns[c]].Masked() {
		return 0, false
	}
	n, have := b.n, b.have[c]
	switch {
	case have < h.r.Limit:
		return 0, true
	case n-have < h.r.Limit:
		return 1, true
	}
	if h.r.Limit > 0 {
		return math.Round(heatShades*float64(have)/float64(n)) / heatShades, true
	}
	return float64(have) / float64(n), true
}
