package source

import (
	"bytes"
	"io"
	"math"
	"os"
	"sync"

	"github.com/moiety-go/moiety/internal/pages"
	"github.com/moiety-go/moiety/internal/par"
)

// ahead has the chunks of a plain file fetched by those who work on them: each reads a
// stretch of it from anywhere, looks for the line ends at its borders, checks that it is
// UTF-8 as it stands and that no record goes on behind its last line, and counts its
// lines. One core that reads, checks and counts for all others is what a file of
// gigabytes waits for on many cores; and what a core read itself is in its cache.
//
// Chunks are promised in the order of the file, and what hangs on those before, as the
// number of the first line, is settled in that order. The first that is not as simple as
// that ends it: from its first byte on the text goes through the decoder, as if it had
// gone there all along.
type ahead struct {
	file   io.ReaderAt
	base   int64 // where the first stretch begins
	size   int64
	step   int64 // bytes of a stretch
	few    int64 // the first ones are shorter: all cores wait for fresh memory to be cleared
	whole  int64 // of that size; the last ones are short again, so that all cores end together
	at     int64 // number of the next stretch to be promised
	pool   buffers
	cutter *Cutter
	opened *opened
	meter  *meter
	lines  *lineEnds // these two are nil for bytes that nobody looks at
	text   *decoder

	mu   sync.Mutex
	due  []*promise     // what is not settled, in the order of the file
	work sync.WaitGroup // of them
	over bool           // a stretch was not simple
	from int64          // behind the last line before
	wide bool           // a character beyond ASCII was seen
}

// fetched is one stretch.
type fetched struct {
	buf   *[]byte
	data  []byte // whole lines of buf
	from  int64  // place of data in the file
	ends  int
	wide  bool
	plain bool
}

const (
	fewStretches = 4       // a smaller file is not worth it
	lineRoom     = 4 << 10 // for the rest of the last line of a stretch; so long a page is, too
)

// Ahead has chunks fetched on several cores where the text is that of a plain file
// and nothing was read of it yet. It must come after Split is set.
func (c *Cutter) Ahead(workers int) {
	lines, ok := c.r.(*lineEnds)
	if !ok || *lines != (lineEnds{ReadCloser: lines.ReadCloser}) {
		return
	}
	d, ok := lines.ReadCloser.(*decoder)
	if !ok || d.enc != asUTF8 || d.mark > 0 || d.offset > 0 || d.buf != nil || d.err != nil {
		return
	}
	c.fetch(d.r, 0, workers, &ahead{lines: lines, text: d})
}

// AheadOf is Ahead for bytes that no decoder looks at: what Input.Open gave, of which
// so many bytes are still in the buffer that the cutter reads.
func (c *Cutter) AheadOf(bytes io.Reader, buffered, workers int) {
	if o, ok := bytes.(*opened); ok {
		c.fetch(o, o.out-int64(len(o.first)+buffered), workers, &ahead{})
	}
}

// fetch begins to read ahead from a place on, if that is worth it.
func (c *Cutter) fetch(from io.Reader, base int64, workers int, a *ahead) {
	o, ok := from.(*opened)
	if !ok || o.packed || par.Workers(workers) == 1 {
		return
	}
	f, ok := o.raw.(*os.File)
	if !ok {
		return
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size()-base <= fewStretches*int64(c.size) {
		return
	}
	a.file, a.base, a.size, a.step = f, base, info.Size(), int64(c.size)
	a.few = 2 * int64(par.Workers(workers))
	a.whole = max(0, (a.size-a.base-a.few*a.short())/a.step-a.few/2)
	a.cutter, a.opened, a.meter, a.from = c, o, o.meter, base
	room := a.step // the longest stretch
	if a.whole == 0 {
		room = a.short()
	}
	a.reserve(int(min(int64(par.Workers(workers)), (a.size-a.base-1)/room+1)), int(room)+2*lineRoom)
	c.ahead = a
}

// reserve makes memory for n chunks at once, each from the begin of a page on. Workers
// that begin together and each ask the system for some wait for it one after the other,
// and so does who fills what is there.
func (a *ahead) reserve(n, size int) {
	a.pool.Make = func() *[]byte { return new([]byte) }
	size = (size + lineRoom - 1) / lineRoom * lineRoom
	all := pages.Make[byte](n * size)
	a.cutter.fresh = all
	for ; len(all) > 0; all = all[size:] {
		own := all[:size:size]
		a.pool.Give(&own)
	}
}

// next promises the next chunk, false where the text goes on through the decoder.
func (a *ahead) next() (Chunk, bool, error) {
	if err := a.meter.ctx.Err(); err != nil {
		return Chunk{}, true, err
	}
	if p := a.promise(); p != nil {
		return Chunk{promise: p}, true, nil
	}
	a.work.Wait() // who was promised a chunk is at work on it
	if a.over {
		a.giveUp(a.from)
		return Chunk{}, false, nil
	}
	return Chunk{}, true, io.EOF
}

// promise promises the next stretch, if there is one and all before were simple.
func (a *ahead) promise() *promise {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.over || a.place(a.at) >= a.size {
		return nil
	}
	p := &promise{of: a, stretch: a.at, settled: make(chan struct{})}
	a.at, a.due = a.at+1, append(a.due, p)
	a.work.Add(1)
	return p
}

// promise is a chunk that is not fetched yet.
type promise struct {
	of      *ahead
	stretch int64
	got     *fetched      // nil: not yet
	chunk   Chunk         // no Data: no line begins in the stretch, or the text goes through the decoder
	settled chan struct{} // closed when chunk is what it will be
}

// fetch settles what can be, whoever was promised it: were everybody woken to do that
// himself, one after the other, all cores would wait for it.
func (p *promise) fetch() {
	a, f := p.of, new(fetched)
	defer func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		for p.got = f; len(a.due) > 0 && a.due[0].got != nil; a.due = a.due[1:] {
			a.settle(a.due[0])
			close(a.due[0].settled)
			a.work.Done()
		}
	}()
	*f = a.fetch(p.stretch) // after a panic it is not plain: that ends all, and the others must not wait
}

// settle numbers the lines of a chunk whose turn it is, unless one before was not simple.
func (a *ahead) settle(p *promise) {
	f := p.got
	if a.over = a.over || !f.plain; a.over {
		return
	}
	a.from = max(a.from, f.from+int64(len(f.data))) // the last line of a stretch may end behind the next one
	a.wide = a.wide || f.wide
	a.meter.count(a.from, a.from == a.size)
	if len(f.data) == 0 {
		return
	}
	c := a.cutter
	p.chunk = Chunk{Data: f.data, Line: c.line, Ends: f.ends, pool: &a.pool, buf: f.buf}
	c.line += f.ends
}

// giveUp has the text read on from the begin of a line, one chunk after the other.
func (a *ahead) giveUp(from int64) {
	a.cutter.ahead = nil
	a.meter.r, a.meter.n = io.NewSectionReader(a.file, from, math.MaxInt64-from), from
	rest := &opened{in: a.opened.in, meter: a.meter, raw: a.opened, r: a.meter}
	if a.text == nil {
		a.cutter.r = rest
		return
	}
	a.lines.decided = from > a.base
	a.text.r, a.text.offset, a.text.wide = rest, from, a.wide
}

// place is where a stretch begins.
func (a *ahead) place(stretch int64) int64 {
	whole := max(0, min(stretch-a.few, a.whole))
	return a.base + whole*a.step + (stretch-whole)*a.short()
}

// short is the length of the first and last stretches.
func (a *ahead) short() int64 { return max(1, a.step/4) }

// fetch reads the lines that begin in a stretch.
func (a *ahead) fetch(stretch int64) fetched {
	from, first := a.place(stretch), stretch == 0
	to := min(a.place(stretch+1), a.size)
	f := fetched{from: from}
	if !first {
		from-- // whether a line begins with the stretch
	}
	own := a.pool.Take()
	if n := int(to-from) + lineRoom; cap(*own) < n {
		*own = pages.Make[byte](n)
	}
	buf := (*own)[:int(to-from)+lineRoom]
	n, ok := a.read(buf, from)
	if !ok {
		return f
	}
	lo := 0
	if !first {
		if lo = bytes.IndexByte(buf[:min(n, int(to-from))], '\n') + 1; lo == 0 || int64(lo) == to-from {
			// No line begins here: one that is longer than a stretch, or ends with it.
			f.from, f.plain, f.data = to, true, nil
			return f
		}
	}
	hi := n
	for at := int(to-from) - 1; from+int64(hi) < a.size || to < a.size; {
		if end := bytes.IndexByte(buf[at:n], '\n'); end >= 0 {
			hi = at + end + 1
			break
		}
		if at = n; from+int64(n) == a.size {
			hi = n
			break
		}
		if n-lo > a.cutter.maxLine {
			break
		}
		if buf, n, ok = a.more(buf, n, from); !ok {
			break
		}
	}
	if f.from = from + int64(lo); ok && hi-lo <= a.cutter.maxLine {
		*own = buf
		f.buf, f.data = own, buf[lo:hi:hi]
		a.check(&f, first)
	}
	return f
}

// check says whether the lines are as they would come one after the other.
func (a *ahead) check(f *fetched, first bool) {
	if a.text != nil {
		n, wide := cleanPrefix(f.data)
		if n < len(f.data) || wide && bytes.Contains(f.data, []byte("\ufeff")) {
			return
		}
		if l := (lineEnds{}); first {
			if l.decide(f.data, false); !l.decided || l.returns {
				return
			}
		}
		f.wide = wide
	}
	if last := f.from+int64(len(f.data)) == a.size; a.cutter.Split(f.data, last) == len(f.data) {
		f.plain, f.ends = true, bytes.Count(f.data, []byte{'\n'})
	}
}

// read fills buf from a place of the file, as far as the file goes.
func (a *ahead) read(buf []byte, from int64) (n int, ok bool) {
	want := int(min(int64(len(buf)), a.size-from))
	n, err := a.file.ReadAt(buf[:want], from)
	return n, n == want && (err == nil || err == io.EOF)
}

// more reads on in a buffer of twice the size.
func (a *ahead) more(buf []byte, n int, from int64) ([]byte, int, bool) {
	bigger := pages.Make[byte](2 * len(buf))
	copy(bigger, buf[:n])
	m, ok := a.read(bigger[n:], from+int64(n))
	return bigger, n + m, ok
}
