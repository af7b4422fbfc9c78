package delimited

import (
	"bytes"
	"context"
	"slices"

	"github.com/moiety-go/moiety/internal/pages"
	"github.com/moiety-go/moiety/record"
)

// readGrouped brings the rows of one id together. It first keeps everything
// in memory, in four to twenty bytes a row. When that does not fit and the ids
// turn out to be sorted, it starts again and hands records over as they come;
// otherwise it uses temporary files.
func (s *Source) readGrouped(ctx context.Context, yield func(*record.Batch) error) error {
	err := s.collect(ctx, yield, s.again())
	if err != errRestart {
		return err
	}
	sorted, err := s.sorted(ctx)
	if err != nil {
		return err
	}
	if sorted {
		return s.readSorted(ctx, yield)
	}
	return s.collect(ctx, yield, false)
}

// again reports whether all inputs can be read a second time.
func (s *Source) again() bool {
	for _, in := range s.inputs {
		if !in.Again() {
			return false
		}
	}
	return true
}

// collect groups in memory and, unless it may give up with errRestart, in
// temporary files, which are removed in any case.
func (s *Source) collect(ctx context.Context, yield func(*record.Batch) error, mayGiveUp bool) error {
	g := &groups{source: s, ids: newNames(s.seed), sorted: true, order: anyOrder, numbering: newBehind(s.options.Workers)}
	defer g.files.remove()
	defer g.numbering.wait()
	err := s.run(ctx, g.numbering, func(p *part, done func()) error {
		final, err := s.number(p)
		if err != nil {
			return err
		}
		g.add(p, final, done)
		if err := g.plausible(); err != nil {
			return err
		}
		full, err := g.full()
		switch {
		case mayGiveUp && (full || err != nil):
			return errRestart
		case err != nil:
			return err
		case full:
			g.numbering.wait()
			return g.spill()
		}
		return nil
	})
	if err != nil {
		return err
	}
	g.numbering.wait()
	return g.emit(ctx, yield)
}

// groups holds the records that are being put together.
type groups struct {
	source *Source
	// loose are the ids and sides of records while every part follows the one before:
	// as the parts gave them. From the first part on that does not, they stand in ids
	// and side.
	loose  idParts
	ids    *names // numbers of records, in order of first appearance
	side   spans  // records × side columns: the first row of a record counts
	blocks []*block
	runs   int
	bytes  int64 // memory of the blocks
	total  int64 // entries so far, those in files too
	sorted bool  // no record was continued after another one began
	again  bool  // a block has a record in two runs, one after the other
	last   uint32
	order  ordered // of the ids so far
	table  bool    // ids are looked up; not needed while they ascend
	files  segments
	// numbering gives features their final numbers while the next parts are merged.
	numbering *behind
}

// block holds the runs of one part, but a first one that goes on from the part before:
// that is a block of its own, so that all others can be handed over as they are.
type block struct {
	first   uint32   // record of the first run
	rec     []uint32 // record of each run; nil: one after the other from the first
	ptr     []int    // where each run begins, and the end of the last
	feature []uint32
	value   []float64 // nil: ones
	key     []float64
}

// add appends the runs of a part, whose own features have the final numbers. The part
// is done with when they have.
func (g *groups) add(p *part, final []uint32, done func()) {
	runs, last := p.runs(), g.last
	b, head := &block{ptr: p.takeRuns(), feature: p.takeFeatures(), value: p.value}, (*block)(nil)
	if g.follows(p) { // all ids are new, but perhaps the first
		b.first = g.addAll(p)
	} else if runs > 0 {
		g.gather()
		b.rec = pages.Make[uint32](runs)
		if g.addEach(p, b.rec); len(g.blocks) == 0 && g.files.len() == 0 {
			g.reserve()
		}
	}
	if len(g.blocks) > 0 && runs > 0 && b.record(0) == last {
		head = &block{first: last}
		g.blocks = append(g.blocks, head)
	}
	g.blocks = append(g.blocks, b)
	g.runs += runs
	g.total += int64(len(b.feature))
	g.bytes += 8*int64(runs) + 4*int64(len(b.feature)) + 8*int64(len(b.value)) + 8*int64(len(p.key))
	g.numbering.do(func() {
		b.key = slices.Clone(p.key)
		g.source.renumbered(b.feature, final)
		if head != nil {
			b.cutFirst(head)
		}
		done()
	})
}

// cutFirst moves the first run of a block to another one.
func (b *block) cutFirst(to *block) {
	n, end := b.ptr[1], b.ptr[len(b.ptr)-1]
	to.ptr, to.feature, to.value, to.key = []int{0, n}, b.feature[:n], slice(b.value, 0, n), slice(b.key, 0, n)
	b.feature, b.value, b.key = b.feature[n:], slice(b.value, n, end), slice(b.key, n, end)
	b.ptr = b.ptr[1:]
	for i := range b.ptr {
		b.ptr[i] -= n
	}
	if b.first++; b.rec != nil {
		b.rec = b.rec[1:]
	}
}

// addEach adds the ids of a part one by one, and sets the record of every run.
func (g *groups) addEach(p *part, rec []uint32) {
	if len(p.hashes) == 0 {
		p.hash()
	}
	width := len(g.source.plan.side)
	for i := range rec {
		r, fresh := g.number(p.ids.at(i), p.hashes[i])
		if fresh {
			for c := range width {
				g.side.add(p.side.at(i*width + c))
			}
		}
		rec[i] = r
		g.again = g.again || i > 0 && r == rec[i-1]
		g.sorted = g.sorted && r >= g.last
		g.last = r
	}
}

// follows reports that the ids of a part ascend behind those before, and notes it.
func (g *groups) follows(p *part) bool {
	if g.table || p.ids.len() == 0 {
		return false
	}
	o := g.order
	if g.records() > 0 {
		o.last = g.lastID()
		o.then(p.ids.at(0))
	}
	if o.text, o.numeric = o.text && p.order.text, o.numeric && p.order.numeric; !o.text && !o.numeric {
		return false
	}
	g.order = o
	return true
}

// addAll adds the ids of a part that follows, and returns the record of its first run.
func (g *groups) addAll(p *part) uint32 {
	n, old := g.records(), 0
	if n > 0 && bytes.Equal(g.lastID(), p.ids.at(0)) {
		old = 1
	}
	if g.ids.len() == 0 {
		g.loose.add(p, old)
	} else {
		g.ids.addFrom(&p.ids, old)
		g.side.addFrom(&p.side, old*len(g.source.plan.side))
	}
	g.last = uint32(g.records() - 1)
	return uint32(n - old)
}

// records is the number of records so far.
func (g *groups) records() int { return g.loose.n + g.ids.len() }

// lastID is the id of the last record.
func (g *groups) lastID() []byte {
	if n := g.ids.len(); n > 0 {
		return g.ids.at(n - 1)
	}
	last := &g.loose.parts[len(g.loose.parts)-1].ids
	return last.at(last.len() - 1)
}

// gather brings ids and sides of the parts into one list each.
func (g *groups) gather() {
	for i := range g.loose.parts {
		p := &g.loose.parts[i]
		g.ids.addFrom(&p.ids, p.from)
		g.side.addFrom(&p.side, p.from*len(g.source.plan.side))
		if i == 0 {
			g.reserve()
		}
		*p = idPart{}
	}
	g.loose = idParts{}
}

// reserve makes room for ids and sides after the first part, by the size of the
// inputs: what grows step by step is copied several times.
func (g *groups) reserve() {
	times := g.times()
	if need := times * float64(g.ids.used()+g.side.used()); need > float64(g.source.options.MaxMemory)/8 {
		return
	}
	g.ids.reserve(times)
	g.side.reserve(times)
}

// times is about how many parts like the first one there are.
func (g *groups) times() float64 {
	total := int64(0)
	for _, in := range g.source.inputs {
		total += max(in.Size(), 0)
	}
	return 1 + 1.05*float64(total)/float64(g.source.options.ChunkSize)
}

// number returns the record of an id and whether it is new. While ids ascend
// every other id than the last one is new; a table is made when one does not.
func (g *groups) number(id []byte, h uint64) (rec uint32, fresh bool) {
	if g.table {
		return g.ids.add(id, h)
	}
	n := g.ids.len()
	if n == 0 {
		return g.ids.push(id), true
	}
	g.order.last = g.ids.at(n - 1)
	if bytes.Equal(g.order.last, id) {
		return uint32(n - 1), false
	}
	if g.order.then(id); g.order.text || g.order.numeric {
		return g.ids.push(id), true
	}
	g.table = true
	g.source.lookedUp.Store(true)
	g.ids.index()
	return g.ids.add(id, h)
}

// appendValues appends n values to those of base entries; nil means ones.
func appendValues(dst []float64, base int, value []float64, n int) []float64 {
	for len(dst) < base {
		dst = append(dst, 1)
	}
	if value != nil {
		return append(dst, value...)
	}
	for range n {
		dst = append(dst, 1)
	}
	return dst
}

// Bounds of what a record can be. One that has more rows is no record: the
// wrong column was taken for the ids, or a line was repeated without end.
const (
	mostEntries = 20_000_000 // of one record
	mostMean    = 1_000_000  // of records in the mean, where there are mostEntries
)

// plausible refuses rows that all belong to few records, before they fill the
// memory.
func (g *groups) plausible() error {
	if n := int64(g.records()); g.total > mostEntries && g.total > mostMean*n {
		return errEndless(g.total, n)
	}
	return nil
}

// full reports whether the entries must go to a file. Ids and sides stay in
// memory; it is an error when they alone fill it.
func (g *groups) full() (bool, error) {
	limit := g.source.options.MaxMemory
	fixed := g.loose.memory + g.ids.memory() + g.side.memory()
	if fixed > limit {
		return true, errTooMany("ids", g.records(), limit)
	}
	return g.bytes > max(limit-fixed, limit/8), nil
}

// place of a run: block and number in it.
type place struct{ block, run uint32 }

// byRecord returns the runs sorted by record, runs of one record in input order.
func (g *groups) byRecord() []place {
	next := make([]uint32, g.records()+1)
	for _, b := range g.blocks {
		for i := range b.runs() {
			next[b.record(i)+1]++
		}
	}
	for i := 1; i < len(next); i++ {
		next[i] += next[i-1]
	}
	order := make([]place, g.runs)
	for k, b := range g.blocks {
		for i := range b.runs() {
			r := b.record(i)
			order[next[r]] = place{uint32(k), uint32(i)}
			next[r]++
		}
	}
	return order
}

// each calls f for every run in the order of the records.
func (g *groups) each(f func(entries) error) error {
	if !g.sorted {
		for _, p := range g.byRecord() {
			if err := f(g.blocks[p.block].run(int(p.run))); err != nil {
				return err
			}
		}
		return nil
	}
	for k := range g.blocks {
		for i := range g.blocks[k].runs() {
			if err := f(g.blocks[k].run(i)); err != nil {
				return err
			}
		}
	}
	return nil
}

// runs returns the number of runs.
func (b *block) runs() int { return len(b.ptr) - 1 }

// record returns the record of run i.
func (b *block) record(i int) uint32 {
	if b.rec == nil {
		return b.first + uint32(i)
	}
	return b.rec[i]
}

// run returns the entries of run i.
func (b *block) run(i int) entries {
	lo, hi := b.ptr[i], b.ptr[i+1]
	return entries{rec: b.record(i), feature: b.feature[lo:hi], value: slice(b.value, lo, hi), key: slice(b.key, lo, hi)}
}

// entries are those of one run of one record.
type entries struct {
	rec     uint32
	feature []uint32
	value   []float64
	key     []float64
}
