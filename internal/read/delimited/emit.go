package delimited

import (
	"context"

	"github.com/moiety-go/moiety/internal/pages"
	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/record"
)

// emit hands the records over.
func (g *groups) emit(ctx context.Context, yield func(*record.Batch) error) error {
	e := &emitter{groups: g, ctx: ctx, yield: yield, out: assembler{source: g.source}}
	if g.sorted && !g.again && g.files.len() == 0 && !g.source.plan.steps {
		return e.handOver()
	}
	each := g.each
	g.gather()
	if g.files.len() > 0 {
		if err := g.spill(); err != nil {
			return err
		}
		each, e.copies = g.files.each, true
	}
	if err := each(e.take); err != nil {
		return err
	}
	return e.finish()
}

// handOver hands the blocks over as they are. One core makes batches of thousands of them
// while the others cut the ids.
func (e *emitter) handOver() error {
	g := e.groups
	if len(g.loose.parts) == 0 {
		g.loose = idPartsOf(g.ids.spans, g.side)
	}
	var ids par.Group
	e.ids, e.side = g.loose.give(g.source.options.Workers, len(g.source.plan.side), &ids)
	g.loose = idParts{} // the texts stay with the ids
	batches, err := e.batches()
	ids.Wait()
	if err != nil {
		return err
	}
	for i, b := range batches {
		batches[i] = nil
		if err := e.yield(b); err != nil {
			return err
		}
	}
	return nil
}

// batches makes a batch of every block: their records come one after the other, and only
// the last one of a block may go on in the next, so it is a batch of its own.
func (e *emitter) batches() (list []*record.Batch, err error) {
	g := e.groups
	list = make([]*record.Batch, 0, 2*len(g.blocks))
	add := func(b *record.Batch, n int) {
		e.name(b, n)
		list = append(list, b)
	}
	last := func() {
		if e.open {
			e.open = false
			add(&record.Batch{Ptr: []int{0, len(e.now.feature)}, Feature: e.now.feature, Value: e.now.value, Kept: true}, 1)
		}
	}
	for k, b := range g.blocks {
		g.blocks[k] = nil
		n := b.runs() - 1
		if n < 0 {
			continue
		}
		if e.open && b.record(0) == e.now.rec { // it is all there is in the block
			e.now.goOn(b.run(0))
			if err := e.now.plausible(); err != nil {
				return nil, err
			}
			continue
		}
		last()
		if n > 0 {
			add(b.batch(n), n)
		}
		e.now, e.open = b.run(n), true
	}
	last()
	return list, nil
}

// batch has the first n runs of a block, a record each, in the memory of the block.
func (b *block) batch(n int) *record.Batch {
	end := b.ptr[n]
	return &record.Batch{Ptr: b.ptr[: n+1 : n+1], Feature: b.feature[:end], Value: slice(b.value, 0, end), Kept: true}
}

// emitter joins the runs of a record and fills batches.
type emitter struct {
	groups *groups
	ctx    context.Context
	yield  func(*record.Batch) error
	out    assembler
	now    entries // the record at hand
	own    entries // memory for records of several runs
	owned  bool    // now is in own
	copies bool    // runs do not stay valid
	open   bool
	done   int // records that have their names
	// ids and side are those of all records where they are made at once; batches
	// then have parts of them, one behind the other.
	ids  []string
	side [][]string
}

func (e *emitter) take(run entries) error {
	if e.open && run.rec != e.now.rec {
		if err := e.close(); err != nil {
			return err
		}
	}
	switch {
	case !e.open && !e.copies:
		e.now, e.open, e.owned = run, true, false
	case !e.open:
		e.open = true
		e.keep(run)
	default:
		if !e.owned {
			e.keep(e.now)
		}
		e.now.join(run)
		e.own = e.now
	}
	return e.now.plausible()
}

// keep copies the first run of a record.
func (e *emitter) keep(run entries) {
	e.now = entries{rec: run.rec, feature: e.own.feature[:0], key: e.own.key[:0]}
	e.now.join(run)
	e.own, e.owned = e.now, true
}

// plausible refuses a record that has too many rows for one.
func (n *entries) plausible() error {
	if len(n.feature) > mostEntries {
		return errEndless(int64(len(n.feature)), 1)
	}
	return nil
}

// join appends a further run.
func (n *entries) join(run entries) {
	if run.value != nil || n.value != nil {
		n.value = appendValues(n.value, len(n.feature), run.value, len(run.feature))
	}
	n.feature = append(n.feature, run.feature...)
	n.key = append(n.key, run.key...)
}

// goOn is join for a run without keys that may lie behind the others.
func (n *entries) goOn(run entries) {
	if run.value != nil || n.value != nil {
		n.value = appendValues(n.value, len(n.feature), run.value, len(run.feature))
	}
	n.feature = pages.Join(n.feature, run.feature)
}

// close puts the record at hand into the batch.
func (e *emitter) close() error {
	e.out.add(e.now.feature, e.now.value, e.now.key)
	e.open = false
	if e.out.full() {
		return e.flush()
	}
	return nil
}

func (e *emitter) flush() error {
	n := e.out.records()
	if n == 0 {
		return nil
	}
	b := e.out.take()
	e.name(b, n)
	return e.yield(b)
}

// name gives a batch of n records their ids and sides.
func (e *emitter) name(b *record.Batch, n int) {
	g, to := e.groups, e.done+n
	width := len(g.source.plan.side)
	if e.ids == nil {
		b.IDs, b.Side = g.ids.strings(e.done, to), append(sideColumns(&g.side, width, e.done, to), b.Side...)
	} else {
		b.IDs = e.ids[e.done:to]
		for _, column := range e.side {
			b.Side = append(b.Side, column[e.done:to])
		}
	}
	e.done += n
}

func (e *emitter) finish() error {
	if e.open {
		if err := e.close(); err != nil {
			return err
		}
	}
	return e.flush()
}
