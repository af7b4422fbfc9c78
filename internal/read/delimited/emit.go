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

// handOver hands the blocks over as they are: their records come one after the
// other, and only the last one of a block may go on in the next, so it is held
// back.
func (e *emitter) handOver() error {
	g := e.groups
	if len(g.loose.parts) == 0 {
		g.loose = idPartsOf(g.ids.spans, g.side)
	}
	e.ids, e.side = g.loose.give(g.source.options.Workers, len(g.source.plan.side))
	g.loose = idParts{} // the texts stay with the ids
	for k, out := range e.batches() {
		b := g.blocks[k]
		g.blocks[k] = nil
		last := len(b.end) - 1
		if last < 0 {
			continue
		}
		from := 0
		if e.open && b.record(0) == e.now.rec {
			e.now.goOn(b.run(0))
			if err := e.now.plausible(); err != nil {
				return err
			}
			from = 1
		}
		if from > last {
			continue
		}
		if err := e.sendNow(); err != nil {
			return err
		}
		if n := last - from; n > 0 {
			if err := e.pass(out, n); err != nil {
				return err
			}
		}
		e.now, e.open = b.run(last), true
	}
	return e.sendNow()
}

// batches makes batches of the blocks, on all cores, without their last runs, and
// without a first one that goes on from the block before.
func (e *emitter) batches() []*record.Batch {
	g := e.groups
	var from []int
	before := -1
	for _, b := range g.blocks {
		n := len(b.end)
		if from = append(from, 0); n == 0 {
			continue
		}
		if int(b.record(0)) == before {
			from[len(from)-1] = 1
		}
		before = int(b.record(n - 1))
	}
	out := make([]*record.Batch, len(g.blocks))
	// It ends with its context, which pass looks at, and nothing fails.
	_ = par.Do(e.ctx, g.source.options.Workers, len(out), func(k int) error {
		if b := g.blocks[k]; len(b.end)-1 > from[k] {
			out[k] = b.batch(from[k], len(b.end)-1)
		}
		return nil
	})
	return out
}

// batch has runs from to to-1 of a block, a record each.
func (b *block) batch(from, to int) *record.Batch {
	lo, hi := 0, int(b.end[to-1])
	if from > 0 {
		lo = int(b.end[from-1])
	}
	out := &record.Batch{Ptr: pages.Make[int](to - from + 1), Feature: b.feature[lo:hi], Value: slice(b.value, lo, hi), Kept: true}
	for i, end := range b.end[from:to] {
		out.Ptr[i+1] = int(end) - lo
	}
	return out
}

// sendNow hands the record at hand over.
func (e *emitter) sendNow() error {
	if !e.open {
		return nil
	}
	e.open = false
	return e.pass(&record.Batch{Ptr: []int{0, len(e.now.feature)}, Feature: e.now.feature, Value: e.now.value, Kept: true}, 1)
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
	done   int // records handed over
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
	return e.pass(e.out.take(), n)
}

// pass gives a batch of n records their ids and sides and hands it over.
func (e *emitter) pass(b *record.Batch, n int) error {
	if err := e.ctx.Err(); err != nil {
		return err
	}
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
	return e.yield(b)
}

func (e *emitter) finish() error {
	if e.open {
		if err := e.close(); err != nil {
			return err
		}
	}
	return e.flush()
}
