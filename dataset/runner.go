package dataset

import (
	"io"

	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/pass"
)

// Runner returns a runner that reads the file anew in every pass; workers <= 0
// means all cores. Its sums have the bits of Dataset.Runner's.
func (f *File) Runner(workers int) pass.Runner {
	open := func() (pass.Blocks, error) { return f.ahead(par.Workers(workers)), nil }
	shape := pass.Shape{Dim: f.Dim(), Records: f.records, Rows: f.RowCount(), Binary: f.Layout == Binary}
	return pass.NewStream(shape, open, workers)
}

// ahead starts to read blocks: at most depth of them wait to be taken.
func (f *File) ahead(depth int) *readAhead {
	r := &readAhead{f: f, slots: make([]chan reading, 0, depth)}
	for range depth {
		r.start()
	}
	return r
}

// readAhead decodes the next blocks while the workers add up earlier ones.
// Blocks are taken in order, by one goroutine at a time.
type readAhead struct {
	f     *File
	next  int            // block to start
	slots []chan reading // blocks under way, in order
}

type reading struct {
	block  pass.Block
	err    error
	caught *par.Panic
}

func (r *readAhead) start() {
	if r.next >= len(r.f.entries) {
		return
	}
	i, done := r.next, make(chan reading, 1)
	r.next++
	r.slots = append(r.slots, done)
	go func() {
		var got reading
		got.caught = par.Catch(func() {
			old, _ := r.f.blockBuffers.Get().(*blockBuffer)
			if old == nil {
				old = new(blockBuffer)
			}
			got.block, got.err = r.f.block(i, r.f.entries[i].before, *old)
		})
		done <- got
	}()
}

// Done implements pass.Returner: the memory of the block is read into again. Fresh
// memory would cost more than the reading.
func (r *readAhead) Done(b pass.Block) {
	r.f.blockBuffers.Put(&blockBuffer{rows: b.Rows, steps: b.Steps})
}

// Next implements pass.Blocks.
func (r *readAhead) Next() (pass.Block, error) {
	if len(r.slots) == 0 {
		return pass.Block{}, io.EOF
	}
	got := <-r.slots[0]
	r.slots = r.slots[1:]
	if got.caught != nil {
		panic(got.caught)
	}
	if got.err == nil {
		r.start()
	}
	return got.block, got.err
}

// Close implements pass.Blocks: it waits for what is under way.
func (r *readAhead) Close() error {
	for _, s := range r.slots {
		<-s
	}
	r.slots = nil
	return nil
}
