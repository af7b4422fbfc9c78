package lda

import (
	"context"
	"fmt"
	"io"

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
// Corpora have few blocks, and documents take long: several workers may be at one.
// Only gather adds anything up, so that sums have the same bits whoever inferred the
// documents.
func (e *engine) each(b pass.Block, sure bool, measure, gather func(i int, doc *document)) error {
	if err := e.fits(b); err != nil {
		return err
	}
	l := line{e, b, sure, measure, gather}
	if b.Workers() == 1 {
		return l.alone()
	}
	return l.shared()
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

// line is a block whose documents are inferred.
type line struct {
	e               *engine
	b               pass.Block
	sure            bool
	measure, gather func(i int, doc *document)
}

// alone infers and gathers one group after the other.
func (l *line) alone() error {
	docs := l.e.documents()
	defer l.e.groups.Put(docs)
	return l.infer(0, l.b.Rows.N(), func(int) *[group]*document { return docs }, l.gather)
}

// stretchDocuments is the number of documents that a worker takes at a time.
const stretchDocuments = 16 * group

// stretch is documents that wait for their turn to be gathered.
type stretch struct {
	from, to int
	docs     [stretchDocuments / group]*[group]*document
}

// shared has several workers infer stretches, which are gathered in their order.
func (l *line) shared() error {
	from, n := 0, l.b.Rows.N()
	next := func() (int, error) {
		if from >= n {
			return 0, io.EOF
		}
		from += stretchDocuments
		return from - stretchDocuments, nil
	}
	infer := func(from int) (*stretch, error) { return l.inferred(from, min(from+stretchDocuments, n)) }
	return par.InOrder(context.Background(), l.b.Workers(), next, infer, func(s *stretch) error {
		l.gathered(s)
		return nil
	})
}

// inferred infers a stretch of documents, which are kept where somebody gathers them.
func (l *line) inferred(from, to int) (*stretch, error) {
	s, ok := l.e.stretches.Get().(*stretch)
	if !ok {
		s = new(stretch)
	}
	s.from, s.to = from, to
	before := s.docs[len(s.docs)-1] // of an earlier stretch
	return s, l.infer(from, to, func(i int) *[group]*document {
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
}

// gathered hands the documents of a stretch to gather.
func (l *line) gathered(s *stretch) {
	if l.gather != nil {
		for i := s.from; i < s.to; i++ {
			l.gather(i, s.docs[(i-s.from)/group][(i-s.from)%group])
		}
	}
	l.e.stretches.Put(s)
}

// infer infers some documents, group by group in the given work spaces, and hands them to
// gather where that is not nil.
func (l *line) infer(from, to int, space func(i int) *[group]*document, gather func(i int, doc *document)) error {
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
