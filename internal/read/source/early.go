package source

import (
	"io"
	"os"
	"sync"

	"github.com/moiety-go/moiety/internal/pages"
	"github.com/moiety-go/moiety/internal/par"
)

// early is the start of a plain file, read on idle cores while one finds out what the
// file holds: the bytes are the same whatever that is. Copies of an input share it.
type early struct {
	mu   sync.Mutex
	step int64
	read []chan []byte // one a stretch: that of ahead, with room for a header before it
}

// headRoom is the longest header that may stand above the first stretch.
const headRoom = 1 << 10

// Begin has the first stretches of a large plain file read, as many as workers will have
// in their hands. Chunks of the same size are cut from them, by whoever opens the input
// next.
func (in Input) Begin(size, workers int) {
	workers = par.Workers(workers)
	if in.early == nil || in.size <= fewStretches*int64(size) || workers == 1 {
		return
	}
	if start, err := in.peekRaw(bzip2Start); err != nil || isPacked(start) {
		return
	}
	e := in.early
	e.mu.Lock()
	defer e.mu.Unlock()
	e.step, e.read = int64(size), nil
	for i := range min(int64(workers+workers/2), in.size/e.step) {
		done := make(chan []byte, 1)
		e.read = append(e.read, done)
		go func() { done <- fetchAt(in.path, max(0, i*e.step-1), size+lineRoom+headRoom) }()
	}
}

// fetchAt returns the bytes of a file from a place on, nil where they cannot be read: who
// reads them later says why.
func fetchAt(path string, from int64, n int) []byte {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	buf := pages.Make[byte](n)
	n, err = f.ReadAt(buf, from)
	if err != nil && err != io.EOF {
		return nil
	}
	return buf[:n]
}

// take hands over what was begun for stretches of a size, nothing where there is none.
func (e *early) take(step int64) []chan []byte {
	if e == nil {
		return nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	read := e.read
	if e.read = nil; e.step != step {
		return nil
	}
	return read
}
