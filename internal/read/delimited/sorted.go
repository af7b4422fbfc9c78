package delimited

import (
	"bytes"
	"context"
	"sync"

	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// ordered is what a look at one piece tells about the order of its ids.
type ordered struct {
	first, last []byte
	text        bool // ascending as text
	numeric     bool // ascending as numbers: shorter first
}

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
	err := source.InOrder(ctx, s.options.Workers, ps.next,
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
	o := anyOrder
	for r.next() {
		if r.n <= ch.plan.id {
			continue
		}
		id := r.field(ch.plan.id)
		if o.first != nil && bytes.Equal(o.last, id) { // as most are
			continue
		}
		o.then(id)
		if o.first == nil {
			o.first = bytes.Clone(id)
		}
		o.last = append(o.last[:0], id...)
	}
	return o
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

// readSorted hands records over when their last row has been read.
func (s *Source) readSorted(ctx context.Context, yield func(*record.Batch) error) error {
	w := &window{source: s, width: len(s.plan.side), yield: yield, out: assembler{source: s}}
	err := s.run(ctx, func(p *part, done func()) error {
		defer done()
		if err := s.renumber(p); err != nil {
			return err
		}
		for i := range p.runs() {
			if err := w.take(p, i); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return w.finish()
}

// window holds the records of one batch; the last one is still open.
type window struct {
	source *Source
	width  int
	yield  func(*record.Batch) error
	out    assembler
	ids    spans
	side   spans
	now    entries
	open   bool
}

func (w *window) take(p *part, i int) error {
	id := p.ids.at(i)
	if w.open && !bytes.Equal(w.ids.at(w.ids.len()-1), id) {
		if err := w.close(); err != nil {
			return err
		}
	}
	if !w.open {
		w.ids.add(id)
		for c := range w.width {
			w.side.add(p.side.at(i*w.width + c))
		}
		w.now = entries{feature: w.now.feature[:0], key: w.now.key[:0]}
		w.open = true
	}
	lo, hi := p.from(i), p.ends[i]
	e := entries{feature: p.feature[lo:hi], value: slice(p.value, lo, hi)}
	if w.source.plan.steps {
		e.key = p.key[lo:hi]
	}
	w.now.join(e)
	return w.now.plausible()
}

func (w *window) close() error {
	w.out.add(w.now.feature, w.now.value, w.now.key)
	w.open = false
	if w.out.full() {
		return w.flush()
	}
	return nil
}

func (w *window) flush() error {
	n := w.out.records()
	if n == 0 {
		return nil
	}
	b := w.out.take()
	b.IDs = w.ids.strings(0, n)
	b.Side = append(sideColumns(&w.side, w.width, 0, n), b.Side...)
	w.ids.reset()
	w.side.reset()
	return w.yield(b)
}

func (w *window) finish() error {
	if w.open {
		if err := w.close(); err != nil {
			return err
		}
	}
	return w.flush()
}
