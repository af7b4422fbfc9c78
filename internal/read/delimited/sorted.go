package delimited

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/record"
)

// ordered is what a look at one piece tells about the order of its ids.
type ordered struct {
	first, last []byte
	text        bool // ascending as text
	numeric     bool // ascending as numbers: shorter first
}

// rises reports ids that ascend.
func (o ordered) rises() bool { return o.text || o.numeric }

// anyOrder is that of no ids.
var anyOrder = ordered{text: true, numeric: true}

// sorted looks through all inputs and reports whether the ids ascend, as text
// or as numbers; then no id can come again, and records may be handed over as
// soon as the next id begins.
func (s *Source) sorted(ctx context.Context) (bool, error) {
	ps := s.pieces(ctx)
	defer ps.close()
	all := anyOrder
	scans := sync.Pool{New: func() any { return new(rows) }}
	err := par.InOrder(ctx, s.options.Workers, ps.next,
		func(ch piece) (ordered, error) {
			defer ch.Release()
			r := scans.Get().(*rows)
			defer scans.Put(r)
			return orderOf(ch, r), nil
		},
		func(o ordered) error {
			if o.first != nil {
				all.then(o.first)
				all.last = o.last
			}
			all.text, all.numeric = all.text && o.text, all.numeric && o.numeric
			if !all.text && !all.numeric {
				return errRestart
			}
			return nil
		})
	if err == errRestart {
		return false, nil
	}
	return err == nil, err
}

func orderOf(ch piece, r *rows) ordered {
	r.reset(ch.Data, ch.Line, ch.plan.dialect)
	for range ch.head {
		r.next()
	}
	o, id := anyOrder, ch.plan.id
	for first := true; r.next(); first = false {
		if r.n > id {
			o.see(r.field(id))
		}
		if !first || !r.plain(ch.width, id) {
			continue
		}
		for ends := r.ends[r.at-1:]; len(ends) > ch.width; ends = ends[ch.width:] {
			f := r.data[ends[id]+1 : ends[id+1]]
			if padded(f) {
				f = bytes.Trim(f, " ")
			}
			o.see(f)
		}
		break
	}
	return o
}

// plain reports that all rows that follow have so many fields, and that a field that is
// not the last of a row stands there as it is, but for blanks around it.
func (r *rows) plain(width, field int) bool {
	return !r.quotes && !r.style.ours && field < width-1 && regularRows(r.data, r.ends[r.at:], width)
}

// see takes note of the id of the next row.
func (o *ordered) see(id []byte) {
	if o.first != nil && bytes.Equal(o.last, id) { // as most are
		return
	}
	o.then(id)
	if o.first == nil {
		o.first = bytes.Clone(id)
	}
	o.last = append(o.last[:0], id...)
}

// then takes note of the id that follows.
func (o *ordered) then(id []byte) {
	if o.last == nil {
		return
	}
	c := bytes.Compare(o.last, id)
	o.text = o.text && c <= 0
	o.numeric = o.numeric && (len(o.last) < len(id) || len(o.last) == len(id) && c <= 0)
}

// readSorted hands records over when their last row has been read: those of a part are
// a batch, but for the last one, which may go on in the next part.
func (s *Source) readSorted(ctx context.Context, yield func(*record.Batch) error) error {
	w := &window{source: s, yield: yield, making: newBehind(s.options.Workers)}
	defer w.making.wait()
	err := s.run(ctx, w.making, func(p *part, done func()) error {
		final, err := s.number(p)
		if err != nil {
			return err
		}
		return w.take(p, final, done)
	})
	if err != nil {
		return err
	}
	return w.finish()
}

// window makes batches of parts on other cores and hands them over in their order.
type window struct {
	source *Source
	yield  func(*record.Batch) error
	making *behind
	queue  []chan *record.Batch // under way
	open   *opened              // the last record so far
}

// opened is a record whose rows may go on.
type opened struct {
	id, side spans // of one record
	entries
}

// take makes a batch of the records that end in a part, whose own features have the
// final numbers. The part is done with when it is made.
func (w *window) take(p *part, final []uint32, done func()) error {
	first, last := 0, p.runs()-1
	for ; first <= last && w.open != nil && bytes.Equal(w.open.id.at(0), p.ids.at(first)); first++ {
		w.goOn(p, first, final)
	}
	if w.open != nil && w.open.plausible() != nil {
		return w.open.plausible()
	}
	if first > last {
		done()
		return nil
	}
	end := last
	for end > first && bytes.Equal(p.ids.at(end-1), p.ids.at(last)) {
		end--
	}
	before := w.open
	w.begin(p, end)
	for i := end; i <= last; i++ {
		w.goOn(p, i, final)
	}
	return w.later(func() *record.Batch {
		defer done()
		w.source.renumbered(p.feature, final)
		return w.source.joined(before, p, first, end)
	})
}

// begin opens the record of a run.
func (w *window) begin(p *part, run int) {
	w.open = new(opened)
	w.open.id.add(p.ids.at(run))
	for c := range len(w.source.plan.side) {
		w.open.side.add(p.side.at(run*len(w.source.plan.side) + c))
	}
}

// goOn adds a run to the open record.
func (w *window) goOn(p *part, run int, final []uint32) {
	e := p.run(run, w.source.plan.steps)
	n := len(w.open.feature)
	w.open.join(e)
	w.source.renumbered(w.open.feature[n:], final)
}

// run returns the entries of run i.
func (p *part) run(i int, keys bool) entries {
	lo, hi := p.ptr[i], p.ptr[i+1]
	e := entries{feature: p.feature[lo:hi], value: slice(p.value, lo, hi)}
	if keys {
		e.key = p.key[lo:hi]
	}
	return e
}

// joined makes a batch of the record that was open before a part, nil for none, and of
// runs from to to-1, whose numbers are final. Runs of one id that follow one another are
// one record.
func (s *Source) joined(before *opened, p *part, from, to int) *record.Batch {
	width := len(s.plan.side)
	out := &assembler{source: s, lastPtr: to - from + 2, lastFeature: len(p.feature)}
	ids, side := p.ids.sized(), p.side.sized()
	if before != nil {
		out.lastFeature += len(before.feature)
		out.add(before.feature, before.value, before.key)
		ids.addFrom(&before.id, 0)
		side.addFrom(&before.side, 0)
	}
	for i := from; i < to; {
		ids.add(p.ids.at(i))
		for c := range width {
			side.add(p.side.at(i*width + c))
		}
		e := p.run(i, s.plan.steps)
		if i++; i < to && bytes.Equal(p.ids.at(i-1), p.ids.at(i)) {
			e = entries{feature: slices.Clone(e.feature), value: slices.Clone(e.value), key: slices.Clone(e.key)}
		}
		for ; i < to && bytes.Equal(p.ids.at(i-1), p.ids.at(i)); i++ {
			e.join(p.run(i, s.plan.steps))
		}
		out.add(e.feature, e.value, e.key)
	}
	n := out.records()
	b := out.take()
	if b.IDs = ids.cut(ids.text(), 0, n); width > 0 {
		b.Side = append(columnsOf(side.cut(side.text(), 0, n*width), width), b.Side...)
	}
	return b
}

// later makes a batch beside the merge, and hands over those before it that are made
// where too many are under way.
func (w *window) later(batch func() *record.Batch) error {
	out := make(chan *record.Batch, 1)
	w.queue = append(w.queue, out)
	w.making.do(func() {
		defer close(out) // a panic: nobody waits for it
		out <- batch()
	})
	return w.handOver(w.making.workers / 2 * 2) // one worker has made it already
}

// handOver hands batches over until no more than so many are under way.
func (w *window) handOver(left int) error {
	for len(w.queue) > left {
		b, ok := w.first()
		if !ok {
			return errUnmade
		}
		w.queue = w.queue[1:]
		if b.N() == 0 {
			continue
		}
		if err := w.yield(b); err != nil {
			return err
		}
	}
	return nil
}

// errUnmade ends the line where another core panicked.
var errUnmade = errors.New("delimited: a batch was not made")

// first returns the batch whose turn it is, and helps to make those that others have not begun.
func (w *window) first() (b *record.Batch, ok bool) {
	for len(w.queue[0]) == 0 && w.making.help() {
	}
	b, ok = <-w.queue[0]
	return b, ok
}

func (w *window) finish() error {
	if w.open != nil {
		last := w.open
		if err := w.later(func() *record.Batch { return w.source.joined(last, new(part), 0, 0) }); err != nil {
			return err
		}
	}
	return w.handOver(0)
}
