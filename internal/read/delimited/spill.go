package delimited

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/moiety-go/moiety/internal/unfinished"
)

// segments are temporary files, each with runs sorted by record; runs of one
// record are older in an earlier file.
type segments struct {
	files []*unfinished.Scratch
}

func (s *segments) len() int { return len(s.files) }

// remove closes and deletes the files.
func (s *segments) remove() {
	for _, f := range s.files {
		f.Close()
	}
	s.files = nil
}

// spill writes the entries in memory to a new file and forgets them.
func (g *groups) spill() error {
	if g.runs == 0 {
		return nil
	}
	f, err := unfinished.NewScratch(g.source.options.TempDir, "moiety-group-*")
	if err != nil {
		return fmt.Errorf("cannot make a temporary file for grouping: %w", err)
	}
	g.files.files = append(g.files.files, f)
	w := bufio.NewWriterSize(f, 1<<18)
	var b []byte
	err = g.each(func(e entries) error {
		b = e.encode(b[:0])
		_, err := w.Write(b)
		return err
	})
	if err == nil {
		err = w.Flush()
	}
	if err != nil {
		return fmt.Errorf("cannot write a temporary file for grouping: %w", err)
	}
	g.blocks, g.runs, g.bytes, g.sorted, g.last = nil, 0, 0, true, 0
	return nil
}

// Parts that a stored run has besides its features.
const (
	hasValue = 1 << iota
	hasKey
)

// encode appends the run: record, parts, number of entries, entries.
func (e entries) encode(b []byte) []byte {
	parts := uint64(0)
	if e.value != nil {
		parts |= hasValue
	}
	if e.key != nil {
		parts |= hasKey
	}
	b = binary.AppendUvarint(b, uint64(e.rec))
	b = binary.AppendUvarint(b, parts)
	b = binary.AppendUvarint(b, uint64(len(e.feature)))
	for _, f := range e.feature {
		b = binary.LittleEndian.AppendUint32(b, f)
	}
	for _, v := range e.value {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	for _, k := range e.key {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(k))
	}
	return b
}

// segment reads one file back.
type segment struct {
	r    *bufio.Reader
	buf  []byte
	now  entries
	done bool
}

// next reads the next run, or sets done.
func (s *segment) next() error {
	rec, err := binary.ReadUvarint(s.r)
	if err == io.EOF {
		s.done = true
		return nil
	}
	if err != nil {
		return err
	}
	parts, err := binary.ReadUvarint(s.r)
	if err != nil {
		return err
	}
	n, err := binary.ReadUvarint(s.r)
	if err != nil {
		return err
	}
	s.now = entries{rec: uint32(rec), feature: s.now.feature[:0]}
	if err := s.read(4 * int(n)); err != nil {
		return err
	}
	for i := range int(n) {
		s.now.feature = append(s.now.feature, binary.LittleEndian.Uint32(s.buf[4*i:]))
	}
	if parts&hasValue != 0 {
		s.now.value, err = s.floats(int(n))
	}
	if parts&hasKey != 0 && err == nil {
		s.now.key, err = s.floats(int(n))
	}
	return err
}

func (s *segment) read(n int) error {
	if cap(s.buf) < n {
		s.buf = make([]byte, n)
	}
	s.buf = s.buf[:n]
	_, err := io.ReadFull(s.r, s.buf)
	return err
}

func (s *segment) floats(n int) ([]float64, error) {
	if err := s.read(8 * n); err != nil {
		return nil, err
	}
	out := make([]float64, n)
	for i := range out {
		out[i] = math.Float64frombits(binary.LittleEndian.Uint64(s.buf[8*i:]))
	}
	return out, nil
}

// each merges the files: f gets the runs in the order of the records.
func (s *segments) each(f func(entries) error) error {
	open := make([]*segment, len(s.files))
	for i, file := range s.files {
		if _, err := file.Seek(0, io.SeekStart); err != nil {
			return fmt.Errorf("cannot read a temporary file back: %w", err)
		}
		open[i] = &segment{r: bufio.NewReaderSize(file, 1<<17)}
		if err := open[i].next(); err != nil {
			return fmt.Errorf("cannot read a temporary file back: %w", err)
		}
	}
	for {
		var least *segment
		for _, o := range open {
			if !o.done && (least == nil || o.now.rec < least.now.rec) {
				least = o
			}
		}
		if least == nil {
			return nil
		}
		if err := f(least.now); err != nil {
			return err
		}
		if err := least.next(); err != nil {
			return fmt.Errorf("cannot read a temporary file back: %w", err)
		}
	}
}
