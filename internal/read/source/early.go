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
	n, room := int(min(int64(workers+workers/2), in.size/int64(size))), size+lineRoom+headRoom
	// One list, and few who fill it: who looks at the file asks for memory as well, and
	// waits where many ask.
	all, readers := pages.Make[byte](n*room), max(1, workers/4)
	for range n {
		e.read = append(e.read, make(chan []byte, 1))
	}
	read := e.read
	for first := range readers {
		go func() {
			for i := first; i < n; i += readers {
				read[i] <- fill(all[i*room:(i+1)*room:(i+1)*room], in.path, max(0, int64(i)*int64(size)-1))
			}
		}()
	}
}

// fill reads the bytes of a file from a place on, and returns those there are, none where
// they cannot be read: who reads them later says why.
func fill(buf []byte, path string, from int64) []byte {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	n, err := f.ReadAt(buf, from)
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
