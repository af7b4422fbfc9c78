package dataset

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"sync"

	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/pass"
)

// coded are the bytes of a block with their checksums. They are valid until it is set
// again, and as long as the records are.
type coded struct {
	rows     [][]byte
	names    []byte
	crc      [2]uint32 // of rows and of names
	sum      [sha256.Size]byte
	lengths  []byte // part of rows
	records  int
	rowCount int
}

func (b *coded) set(d *Dataset) {
	b.rows, b.lengths = pieces(b.lengths, d.Rows, d.Steps)
	b.names = appendNames(b.names[:0], d, 0, d.Len())
	b.records, b.rowCount = d.Len(), d.Rows.N()
	h := sha256.New()
	b.crc = [2]uint32{0, checksum(b.names)}
	for _, p := range b.rows {
		h.Write(p)
		b.crc[0] = crc32.Update(b.crc[0], castagnoli, p)
	}
	h.Write(b.names)
	h.Sum(b.sum[:0])
}

// coder makes the bytes of blocks, in memory that is used again.
type coder struct{ free sync.Pool }

// each hands the bytes of all blocks of records to f, one after the other. They are made side by
// side; workers <= 0 means on all cores.
func (c *coder) each(d *Dataset, workers int, f func(*coded) error) error {
	from := 0
	next := func() (*Dataset, error) {
		if from == d.Len() {
			return nil, io.EOF
		}
		lo := from
		from = min(lo+pass.BlockRecords, d.Len())
		return d.slice(lo, from), nil
	}
	code := func(d *Dataset) (*coded, error) {
		b, ok := c.free.Get().(*coded)
		if !ok {
			b = new(coded)
		}
		b.set(d)
		return b, nil
	}
	return par.InOrder(context.Background(), workers, next, code, func(b *coded) error {
		defer c.free.Put(b)
		return f(b)
	})
}

func checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// summer makes the fingerprint of blocks.
type summer struct {
	h             Header
	chained       bool // as files of version 1 have it: of the bytes of all blocks, not of their hashes
	hash          hash.Hash
	records, seen int // records and rows so far
	total         []byte
}

func newSummer(h Header) *summer { return &summer{h: h, hash: sha256.New()} }

// fits reports whether records belong to the header.
func (s *summer) fits(d *Dataset) error {
	g := d.Describe()
	switch {
	case g.Layout != s.h.Layout && d.Rows.NNZ() > 0:
		return fmt.Errorf("dataset: %s rows in a file of %s rows", g.Layout, s.h.Layout)
	case g.IDs != s.h.IDs || g.Sequences != s.h.Sequences || len(g.Side) != len(s.h.Side):
		return errors.New("dataset: records with other parts than the file's")
	case d.Rows.Dim != s.h.Vocab.Len():
		return fmt.Errorf("dataset: rows of %d features in a file of %d", d.Rows.Dim, s.h.Vocab.Len())
	}
	return nil
}

// add adds a block.
func (s *summer) add(b *coded) {
	if s.chained {
		for _, p := range b.rows {
			s.hash.Write(p)
		}
		s.hash.Write(b.names)
	} else {
		s.hash.Write(b.sum[:])
	}
	s.records += b.records
	s.seen += b.rowCount
}

// finish closes the fingerprint and returns the meta part.
func (s *summer) finish() []byte {
	meta := s.h.appendMeta(nil, s.records, s.seen)
	s.hash.Write(meta)
	s.total = s.hash.Sum(nil)
	return meta
}

func (s *summer) fingerprint() string { return hex.EncodeToString(s.total) }

// Fingerprint identifies the content: rows, vocabulary, ids and side columns.
// It equals that of the file the data set is written to.
func (d *Dataset) Fingerprint() string {
	s := newSummer(d.Describe())
	_ = new(coder).each(d, 0, func(b *coded) error { // nothing fails
		s.add(b)
		return nil
	})
	s.finish()
	return s.fingerprint()
}

// Verify reads everything and compares the fingerprint.
func (f *File) Verify() error {
	s := newSummer(f.Header)
	s.chained = f.version == 1
	var b coded
	for i := range f.entries {
		d, err := f.Block(i)
		if err != nil {
			return err
		}
		b.set(d)
		s.add(&b)
	}
	s.finish()
	if s.fingerprint() != f.fingerprint {
		return damaged("its fingerprint is %s, not %s", s.fingerprint(), f.fingerprint)
	}
	return nil
}
