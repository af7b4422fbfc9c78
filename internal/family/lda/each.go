package lda

import (
	"fmt"
	"sync"

	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/pass"
)

// group is the number of documents that take their rounds together.
const group = 4

// each infers the documents of a block, some at a time, and hands them to f in
// their order. sure demands that all topics have settled.
//
// Corpora have few blocks, and documents take long: workers that have no block take
// stretches of the others', from the back. Only f sees documents in their order, so
// that sums have the same bits whoever inferred them.
func (e *engine) each(b pass.Block, sure bool, f func(i int, doc *document)) error {
	if err := e.fits(b); err != nil {
		return err
	}
	docs := e.documents()
	defer e.groups.Put(docs)
	l := line{e: e, b: b, sure: sure, end: (b.Rows.N() + stretchDocuments - 1) / stretchDocuments}
	defer l.helpers.Wait()
	defer l.stop()
	for at := 0; at*stretchDocuments < b.Rows.N(); at++ {
		var err error
		if l.first(at) {
			err = l.infer(at, func(int) *[group]*document { return docs }, f)
		} else {
			err = l.taken(at, f)
		}
		if err != nil {
			return err
		}
		l.help()
	}
	return nil
}

// documents returns work space for a group.
func (e *engine) documents() *[group]*document {
	if docs, ok := e.groups.Get().(*[group]*document); ok {
		return docs
	}
	docs := new([group]*document)
	for i := range docs {
		docs[i] = e.newDocument()
	}
	return docs
}

// stretchDocuments is the number of documents that a helper takes at a time.
const stretchDocuments = 16 * group

// stretch is documents that were inferred ahead.
type stretch struct {
	docs [stretchDocuments / group]*[group]*document
	err  error
}

// line is a block whose documents are inferred from both ends.
type line struct {
	e       *engine
	b       pass.Block
	sure    bool
	helpers par.Group

	mu    sync.Mutex
	begun int                   // stretches that who called has, or had
	end   int                   // from here on they are helpers'
	ready map[int]chan *stretch // those of helpers
}

// first takes a stretch from the front, unless a helper has it.
func (l *line) first(at int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if at >= l.end {
		return false
	}
	l.begun = at + 1
	return true
}

// last takes a stretch from the back for a helper; out is nil where none is left.
func (l *line) last() (at int, out chan *stretch) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.end <= l.begun {
		return 0, nil
	}
	if l.ready == nil {
		l.ready = make(map[int]chan *stretch)
	}
	l.end--
	out = make(chan *stretch, 1)
	l.ready[l.end] = out
	return l.end, out
}

// stop leaves nothing to helpers.
func (l *line) stop() {
	l.mu.Lock()
	l.end = min(l.end, l.begun)
	l.mu.Unlock()
}

// help has workers that nobody needs take stretches, while there are both.
func (l *line) help() {
	for l.left() > 1 && par.Spare() {
		l.helpers.Go(func() {
			defer par.Return()
			for {
				at, out := l.last()
				if out == nil {
					return
				}
				l.ahead(at, out)
			}
		})
	}
}

func (l *line) left() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.end - l.begun
}

// ahead infers a stretch for who called.
func (l *line) ahead(at int, out chan *stretch) {
	defer close(out) // a panic: nobody waits for it
	s, ok := l.e.stretches.Get().(*stretch)
	if !ok {
		s = new(stretch)
	}
	before := s.docs[len(s.docs)-1] // of an earlier stretch
	s.err = l.infer(at, func(i int) *[group]*document {
		if s.docs[i] == nil {
			s.docs[i] = l.e.documents()
		}
		if before != nil && before != s.docs[i] { // of panels, which are large, only those of one group stay
			for d, doc := range s.docs[i] {
				doc.all.Panel, before[d].all.Panel = before[d].all.Panel, nil
				doc.some.Panel, before[d].some.Panel = before[d].some.Panel, nil
			}
		}
		before = s.docs[i]
		return before
	}, func(int, *document) {})
	out <- s
}

// taken hands the documents of a stretch that a helper has to f.
func (l *line) taken(at int, f func(i int, doc *document)) error {
	l.mu.Lock()
	out := l.ready[at]
	delete(l.ready, at)
	l.mu.Unlock()
	s := <-out
	if s == nil {
		l.helpers.Wait() // panics
	}
	if s.err != nil {
		return s.err
	}
	from := at * stretchDocuments
	for i := from; i < min(from+stretchDocuments, l.b.Rows.N()); i++ {
		f(i, s.docs[(i-from)/group][(i-from)%group])
	}
	l.e.stretches.Put(s)
	return nil
}

// infer infers a stretch, group by group in the given work spaces, and hands the
// documents to f.
func (l *line) infer(at int, space func(i int) *[group]*document, f func(i int, doc *document)) error {
	from := at * stretchDocuments
	to := min(from+stretchDocuments, l.b.Rows.N())
	for i := from; i < to; i += group {
		some := space((i - from) / group)[:min(group, to-i)]
		for d, doc := range some {
			if err := l.e.load(doc, l.b.Rows, i+d); err != nil {
				return fmt.Errorf("lda: record %d: %w", l.b.First+i+d+1, err)
			}
		}
		l.e.iterate(some, l.sure)
		for d, doc := range some {
			f(i+d, doc)
		}
	}
	return nil
}
