package lda

import (
	"fmt"
	"sync/atomic"

	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/pass"
)

// group is the number of documents that take their rounds together.
const group = 4

// each infers the documents of a block, some at a time. Whoever inferred a document
// hands it to measure, which may touch nothing else but what is the document's;
// gather, unless it is nil, then sees all documents in their order. sure demands
// that all topics have settled.
//
// Corpora have few blocks, and documents take long: workers that have no block take
// stretches of the others'. Only gather adds anything up, so that sums have the same
// bits whoever inferred the documents.
func (e *engine) each(b pass.Block, sure bool, measure, gather func(i int, doc *document)) error {
	if err := e.fits(b); err != nil {
		return err
	}
	docs := e.documents()
	defer e.groups.Put(docs)
	l := line{e: e, b: b, sure: sure, measure: measure, gather: gather}
	l.ready = make([]chan *stretch, (b.Rows.N()+stretchDocuments-1)/stretchDocuments)
	for at := range l.ready {
		l.ready[at] = make(chan *stretch, 1)
	}
	defer l.helpers.Wait()
	defer l.begun.Store(int64(len(l.ready))) // after an error no more is begun
	for at := range l.ready {
		if err := l.treat(at, docs); err != nil {
			return err
		}
		l.help()
	}
	return nil
}

// documents returns work space for a group.
func (e *engine) documents() *[group]*document {
	docs, ok := e.groups.Get().(*[group]*document)
	if !ok {
		docs = new([group]*document)
	}
	return e.served(docs)
}

// served makes work spaces those of the engine, or other ones where the shape is another.
func (e *engine) served(docs *[group]*document) *[group]*document {
	for i, doc := range docs {
		if doc == nil || !doc.serve(e) {
			docs[i] = e.newDocument()
		}
	}
	return docs
}

// stretchDocuments is the number of documents that a worker takes at a time.
const stretchDocuments = 16 * group

// stretch is documents that were inferred before it was their turn.
type stretch struct {
	docs [stretchDocuments / group]*[group]*document
	err  error
}

// line is a block whose documents are inferred by several workers.
type line struct {
	e               *engine
	b               pass.Block
	sure            bool
	measure, gather func(i int, doc *document)

	helpers par.Group
	begun   atomic.Int64    // stretches that somebody has, or had: the first ones
	ready   []chan *stretch // of every stretch, where it was inferred ahead
}

// treat sees to it that a stretch, of all before which that is true, is inferred and gathered.
// While another worker has it, it takes those that nobody has.
func (l *line) treat(at int, docs *[group]*document) error {
	for {
		if l.begun.CompareAndSwap(int64(at), int64(at)+1) {
			return l.infer(at, func(int) *[group]*document { return docs }, l.gather)
		}
		if len(l.ready[at]) > 0 || !l.ahead() {
			return l.taken(at)
		}
	}
}

// help has workers that nobody needs take stretches, while there are both.
func (l *line) help() {
	for more := 1; l.left() > more && par.Spare(); more++ {
		l.helpers.Go(func() {
			defer par.Return()
			for l.ahead() {
			}
		})
	}
}

func (l *line) left() int { return len(l.ready) - int(l.begun.Load()) }

// ahead infers the first stretch that nobody has, if there is one.
func (l *line) ahead() bool {
	at := int(l.begun.Add(1)) - 1
	if at >= len(l.ready) {
		return false
	}
	defer close(l.ready[at]) // a panic: nobody waits for it
	s, ok := l.e.stretches.Get().(*stretch)
	if !ok {
		s = new(stretch)
	}
	before := s.docs[len(s.docs)-1] // of an earlier stretch
	s.err = l.infer(at, func(i int) *[group]*document {
		if l.gather == nil {
			i = 0 // nobody will look at them again
		}
		if s.docs[i] == nil {
			s.docs[i] = new([group]*document)
		}
		l.e.served(s.docs[i])
		if before != nil && before != s.docs[i] { // of panels, which are large, only those of one group stay
			for d, doc := range s.docs[i] {
				doc.all.Panel, before[d].all.Panel = before[d].all.Panel, nil
				doc.some.Panel, before[d].some.Panel = before[d].some.Panel, nil
			}
		}
		before = s.docs[i]
		return before
	}, nil)
	l.ready[at] <- s
	return true
}

// taken gathers the documents of a stretch that was inferred ahead.
func (l *line) taken(at int) error {
	s := <-l.ready[at]
	if s == nil {
		l.helpers.Wait() // panics
	}
	if s.err != nil {
		return s.err
	}
	if l.gather != nil {
		from := at * stretchDocuments
		for i := from; i < min(from+stretchDocuments, l.b.Rows.N()); i++ {
			l.gather(i, s.docs[(i-from)/group][(i-from)%group])
		}
	}
	l.e.stretches.Put(s)
	return nil
}

// infer infers a stretch, group by group in the given work spaces, and hands the
// documents to gather where it is their turn.
func (l *line) infer(at int, space func(i int) *[group]*document, gather func(i int, doc *document)) error {
	from := at * stretchDocuments
	to := min(from+stretchDocuments, l.b.Rows.N())
	for i := from; i < to; i += group {
		if err := l.b.Err(); err != nil {
			return err
		}
		some := space((i - from) / group)[:min(group, to-i)]
		for d, doc := range some {
			if err := l.e.load(doc, l.b.Rows, i+d); err != nil {
				return fmt.Errorf("lda: record %d: %w", l.b.First+i+d+1, err)
			}
		}
		l.e.iterate(some, l.sure)
		for d, doc := range some {
			l.measure(i+d, doc)
			if gather != nil {
				gather(i+d, doc)
			}
		}
	}
	return nil
}
