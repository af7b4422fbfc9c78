package source

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/moiety-go/moiety/internal/progress"
	"github.com/moiety-go/moiety/internal/xz"
)

// Magic bytes of the archives that are opened on the way; those that are named in
// an error instead are in refused.go.
var (
	magicGzip  = []byte{0x1f, 0x8b}
	magicZstd  = []byte{0x28, 0xb5, 0x2f, 0xfd}
	magicBzip2 = []byte("BZh")
)

const (
	rawBuffer     = 256 << 10
	memoryBuffer  = 4 << 10 // of bytes that lie in memory: they are copied where they are wanted
	reportEvery   = 4 << 20
	maxZstdWindow = 128 << 20
)

// Open gives the decompressed bytes. It fails with ErrEmpty when there are
// none.
func (in Input) Open(ctx context.Context) (io.ReadCloser, error) {
	raw, err := in.raw()
	if err != nil {
		return nil, err
	}
	meter := &meter{ctx: ctx, in: in, r: raw}
	room := rawBuffer
	switch {
	case in.memory != nil:
		room = memoryBuffer
	case in.size >= 0:
		room = int(min(in.size, rawBuffer))
	}
	buffered := bufio.NewReaderSize(meter, room)
	r, stop, err := in.unpack(buffered)
	if err != nil {
		raw.Close()
		return nil, err
	}
	o := &opened{in: in, meter: meter, raw: raw, r: r, stop: stop, packed: stop != nil}
	return o.notEmpty()
}

// unpack chooses the decompressor by the first bytes.
func (in Input) unpack(b *bufio.Reader) (io.Reader, func(), error) {
	start, err := b.Peek(bzip2Start)
	if err != nil && err != io.EOF && len(start) == 0 {
		return nil, nil, in.describe(err)
	}
	switch {
	case in.plain || in.made != nil:
		return b, nil, nil
	case bytes.HasPrefix(start, magicGzip):
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, nil, in.describe(err)
		}
		return z, func() { z.Close() }, nil
	case bytes.HasPrefix(start, magicZstd), isSkippable(start):
		z, err := zstd.NewReader(b, zstd.WithDecoderMaxWindow(maxZstdWindow), zstd.WithDecoderLowmem(true))
		if err != nil {
			return nil, nil, in.describe(err)
		}
		return z, z.Close, nil
	case bytes.HasPrefix(start, []byte(xz.Magic)):
		z, err := xz.NewReader(b)
		if err != nil {
			return nil, nil, in.describe(err)
		}
		return z, func() {}, nil
	case isBzip2(start):
		return bzip2.NewReader(b), func() {}, nil
	default:
		return b, nil, nil
	}
}

// bzip2Start is what tells bzip2 from a text that begins with its letters: the
// size of its blocks and the mark of the first block, or of the end.
const bzip2Start = 10

func isBzip2(b []byte) bool {
	return len(b) == bzip2Start && bytes.HasPrefix(b, magicBzip2) && b[3] >= '1' && b[3] <= '9' &&
		(string(b[4:]) == "1AY&SY" || string(b[4:]) == "\x17rE8P\x90")
}

// isPacked reports whether bytes are the start of an archive that is opened on
// the way.
func isPacked(start []byte) bool {
	return bytes.HasPrefix(start, magicGzip) || bytes.HasPrefix(start, magicZstd) || isSkippable(start) ||
		bytes.HasPrefix(start, []byte(xz.Magic)) || isBzip2(start[:min(len(start), bzip2Start)])
}

// isSkippable reports a frame that zstd steps over; some of its programs begin
// with one.
func isSkippable(b []byte) bool {
	return len(b) >= 4 && b[0]&0xf0 == 0x50 && b[1] == 0x2a && b[2] == 0x4d && b[3] == 0x18
}

// describe names the input in an error of the machine or of an archive.
func (in Input) describe(err error) error {
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded),
		errors.Is(err, ErrTooLarge), errors.Is(err, ErrBinary), errors.Is(err, ErrEmpty), errors.Is(err, ErrDamaged):
		return err
	case errors.Is(err, io.ErrUnexpectedEOF), isArchive(err):
		return fmt.Errorf("%s: %w: %w; fetch or write it again", in.Name, ErrDamaged, Damage(err))
	default:
		return fmt.Errorf("cannot read %s: %w", in.Name, err)
	}
}

func isArchive(err error) bool {
	for _, e := range []error{
		gzip.ErrHeader, gzip.ErrChecksum, zstd.ErrMagicMismatch, zstd.ErrCRCMismatch,
		zstd.ErrWindowSizeExceeded, zstd.ErrReservedBlockType, zstd.ErrBlockTooSmall,
		zstd.ErrUnexpectedBlockSize, zstd.ErrDecoderSizeExceeded, zstd.ErrCompressedSizeTooBig,
		xz.ErrDamaged, xz.ErrFilter, xz.ErrLarge,
	} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// meter counts stored bytes, reports progress and honours the context.
type meter struct {
	ctx      context.Context
	in       Input
	r        io.Reader
	n        int64
	reported int64
}

func (m *meter) Read(p []byte) (int, error) {
	if err := m.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := m.r.Read(p)
	m.count(m.n+int64(n), err == io.EOF)
	return n, err
}

// count notes how many bytes there were so far, and whether these are all.
func (m *meter) count(n int64, end bool) {
	m.n = n
	if !m.in.quiet && (m.n-m.reported >= reportEvery || end && m.n > m.reported) {
		m.reported = m.n
		progress.Report(m.ctx, progress.Event{
			Step: "reading", Done: m.in.before + m.n, Total: m.in.total, Unit: "bytes",
		})
	}
}

// opened is the decompressed stream with its limits.
type opened struct {
	in     Input
	meter  *meter
	raw    io.Closer
	r      io.Reader
	stop   func()
	packed bool
	out    int64
	first  []byte // read in advance by notEmpty
}

func (o *opened) Read(p []byte) (int, error) {
	if len(o.first) > 0 {
		n := copy(p, o.first)
		o.first = o.first[n:]
		return n, nil
	}
	n, err := o.r.Read(p)
	o.out += int64(n)
	if o.packed {
		if bomb := o.checkRatio(); bomb != nil {
			return 0, bomb
		}
		// A flate or zstd error has no common type: all that is not the end,
		// the context or the file system is damage.
		if err != nil && err != io.EOF && o.meter.ctx.Err() == nil && !errors.Is(err, ErrDamaged) {
			return n, fmt.Errorf("%s: %w: %w; fetch or write it again", o.in.Name, ErrDamaged, Damage(err))
		}
	}
	if err != nil && err != io.EOF {
		err = o.in.describe(err)
	}
	return n, err
}

func (o *opened) checkRatio() error {
	l := o.in.Limits
	if o.out <= l.free() || o.out/max(o.meter.n, 1) <= l.ratio() {
		return nil
	}
	return fmt.Errorf("%s: %w: %d stored bytes expand to more than %d; if it is not a hostile archive, unpack it first",
		o.in.Name, ErrTooLarge, o.meter.n, o.out)
}

func (o *opened) Close() error {
	if o.stop != nil {
		o.stop()
	}
	return o.raw.Close()
}

// notEmpty reads the first bytes in advance, so that an empty input is an
// error of Open.
func (o *opened) notEmpty() (io.ReadCloser, error) {
	first := make([]byte, 512)
	n, err := io.ReadFull(o, first)
	switch {
	case n == 0 && (err == io.EOF || err == nil):
		o.Close()
		return nil, fmt.Errorf("%s: %w", o.in.Name, ErrEmpty)
	case err != nil && err != io.EOF && err != io.ErrUnexpectedEOF && n == 0:
		o.Close()
		return nil, err
	}
	o.first = first[:n]
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		o.r = io.MultiReader(failing{err})
	}
	return o, nil
}

// failing gives an error that came together with the first bytes.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
