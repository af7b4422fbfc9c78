// Package triplets turns the entries of a sparse matrix (record, feature,
// value) into batches of records.
//
// It takes blocks of entries in file order and gives batches in the order of
// the record numbers, with a record for every number, also for those without
// entries. Files whose entries come sorted by record stream through; others
// are collected and grouped, up to a limit.
//
// Step in the flow: inside read, below the readers of matrices. It must not
// know file formats.
package triplets

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/moiety-go/moiety/record"
)

// Run is a stretch of entries of one record: from Start to the Start of the
// next run.
type Run struct {
	Record uint32 // from 0
	Start  int
}

// Block is a part of the file. Its slices pass to the Grouper with Add.
type Block struct {
	Runs    []Run
	Feature []uint32
	Value   []float64 // nil: ones, and repeated entries count once; or Small
	// Small stands in place of Value where all are whole numbers from 1 to 255.
	Small []uint8
	// Ascending says that features rise strictly inside each run.
	Ascending bool
}

// Defaults of Options.
const (
	// DefaultWindow is the number of entries (about 12 bytes each) that are held
	// back in the hope of finding out whether the file is sorted by record.
	DefaultWindow = 1 << 22
	// DefaultLimit is the number of entries that are grouped in memory.
	DefaultLimit = 1 << 27
	// freeGaps records without entries are always believed; beyond, at most
	// gapsPerEntry of them for each entry seen. A damaged or hostile number
	// would otherwise make billions of records out of nothing.
	freeGaps     = 1 << 20
	gapsPerEntry = 16
	// maxEmpty is the number of records without entries in one batch.
	maxEmpty = 1 << 16
)

// Options of a Grouper; the zero value works.
type Options struct {
	Name    string // of the file, for errors
	Window  int    // 0: DefaultWindow
	Limit   int    // 0: DefaultLimit
	Workers int    // that sort the entries of records; 0: all cores
}

// Grouper makes batches of blocks.
type Grouper struct {
	o        Options
	emit     func(first int, b *record.Batch) error
	held     []*Block
	entries  int  // all entries seen
	last     int  // highest record of the entries held or passed on, -1 at first
	unsorted bool // entries must be collected
	passing  bool // entries are passed on as they come
	next     int  // the next record to emit
	carry    Block
	repeated int
}

// NewGrouper returns a Grouper that hands batches to emit with the number
// (from 0) of their first record.
func NewGrouper(o Options, emit func(first int, b *record.Batch) error) *Grouper {
	if o.Window <= 0 {
		o.Window = DefaultWindow
	}
	if o.Limit <= 0 {
		o.Limit = DefaultLimit
	}
	return &Grouper{o: o, emit: emit, last: -1}
}

// Repeated returns how many entries named a (record, feature) pair again.
func (g *Grouper) Repeated() int { return g.repeated }

// Grouped reports whether the entries had to be collected and sorted.
func (g *Grouper) Grouped() bool { return g.unsorted }

// Records returns the number of records emitted.
func (g *Grouper) Records() int { return g.next }

// Believable reports whether a record number may follow, given what was seen.
func (g *Grouper) Believable(number, entries int) bool {
	return number-g.last <= freeGaps+gapsPerEntry*(g.entries+entries)
}

// Add takes the next block of the file.
func (g *Grouper) Add(b *Block) error {
	for _, r := range b.Runs {
		if int(r.Record) < g.last {
			g.unsorted = true
		}
		g.last = max(g.last, int(r.Record))
	}
	g.entries += len(b.Feature)
	switch {
	case g.unsorted && g.passing:
		return g.disorder("which shows only after %d entries", g.entries-len(b.Feature))
	case g.unsorted && g.entries > g.o.Limit:
		return g.disorder("and there are more than %d entries, too many to sort in memory", g.o.Limit)
	case g.passing:
		return g.pass(b)
	}
	g.held = append(g.held, b)
	if !g.unsorted && g.entries > g.o.Window {
		return g.release()
	}
	return nil
}

func (g *Grouper) disorder(format string, args ...any) error {
	return &record.ParseError{File: g.o.Name, Msg: "the entries are not sorted by record, " +
		fmt.Sprintf(format, args...) + "; sort the file by record first"}
}

// release passes on everything held: the file is taken to be sorted.
func (g *Grouper) release() error {
	g.passing = true
	held := g.held
	g.held = nil
	for i, b := range held {
		held[i] = nil
		if err := g.pass(b); err != nil {
			return err
		}
	}
	return nil
}

// Close emits what is left, and records without entries up to the given
// number of records. It reports false, and adds none, when that number is not
// believable.
func (g *Grouper) Close(records int) (bool, error) {
	var err error
	if g.unsorted {
		err = g.pass(g.sorted())
	} else {
		err = g.release()
	}
	if err == nil {
		err = g.flush()
	}
	if err != nil || !g.Believable(records-1, 0) {
		return err != nil, err
	}
	return true, g.gap(records)
}

// sorted joins the held blocks, ordered by record; entries of one record keep
// their file order.
func (g *Grouper) sorted() *Block {
	all := Block{Ascending: true}
	type piece struct {
		block    *Block
		from, to int
		record   uint32
	}
	var pieces []piece
	valued := false
	for _, b := range g.held {
		b.widen()
		valued = valued || b.Value != nil
		for i, r := range b.Runs {
			pieces = append(pieces, piece{b, r.Start, b.End(i), r.Record})
		}
	}
	slices.SortStableFunc(pieces, func(x, y piece) int { return cmp.Compare(x.record, y.record) })
	all.Feature = make([]uint32, 0, g.entries)
	if valued {
		all.Value = make([]float64, 0, g.entries)
	}
	for i, p := range pieces {
		if i == 0 || p.record != pieces[i-1].record {
			all.Runs = append(all.Runs, Run{p.record, len(all.Feature)})
		}
		all.Feature = append(all.Feature, p.block.Feature[p.from:p.to]...)
		if valued {
			all.Value = append(all.Value, p.block.Value[p.from:p.to]...)
		}
	}
	all.Ascending = false
	g.held = nil
	return &all
}

// End returns where run i of the block ends.
func (b *Block) End(i int) int {
	if i+1 < len(b.Runs) {
		return b.Runs[i+1].Start
	}
	return len(b.Feature)
}

// widen turns small values into plain ones.
func (b *Block) widen() {
	if b.Small == nil {
		return
	}
	b.Value = make([]float64, len(b.Small))
	for e, v := range b.Small {
		b.Value[e] = float64(v)
	}
	b.Small = nil
}

// cut keeps the first n entries.
func (b *Block) cut(n int) {
	b.Feature = b.Feature[:n]
	if b.Value != nil {
		b.Value = b.Value[:n]
	}
	if b.Small != nil {
		b.Small = b.Small[:n]
	}
}

// Remove takes run i and its entries out of the block.
func (b *Block) Remove(i int) {
	b.widen()
	w, end := b.Runs[i].Start, b.End(i)
	b.Runs = slices.Delete(b.Runs, i, i+1)
	b.close(i, w, end)
}
