package parquet

import (
	"bytes"
	"encoding/binary"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/s2"
	"github.com/pierrec/lz4/v4"
)

// codec is how pages are packed.
type codec int32

// Codecs, as they are numbered in files.
const (
	uncompressed codec = iota
	snappy
	gzipped
	lzo
	brotli
	lz4Pieces // LZ4 as Hadoop writes it, or some other way
	zstandard
	lz4Raw
)

// unread returns the name of a codec that is not read, "" of all others.
func (c codec) unread() string {
	switch c {
	case uncompressed, snappy, gzipped, lz4Pieces, zstandard, lz4Raw:
		return ""
	case lzo:
		return "LZO"
	case brotli:
		return "Brotli"
	}
	return "a program of later years"
}

// growth is the number of bytes that a stored one can stand for: a page that
// claims more is damaged, and its memory is never taken.
func (c codec) growth() int64 {
	switch c {
	case snappy:
		return 32 // a copy of 64 bytes has 3
	case gzipped:
		return 1032 // two bits for 258 bytes
	case lz4Pieces, lz4Raw:
		return 255
	case zstandard:
		return 1 << 15 // a block of 2^17 equal bytes has 4
	}
	return 1
}

// slack is what a page may have over its growth: heads and last bytes.
const slack = 64

// unpack fills page, whose size the file claims, from the stored bytes.
func (f *File) unpack(c codec, page, stored []byte) error {
	ok := false
	switch c {
	case uncompressed:
		ok = copy(page, stored) == len(stored)
	case snappy:
		ok = unsnappy(page, stored)
	case gzipped:
		ok = ungzip(page, stored)
	case zstandard:
		out, err := f.zstd.DecodeAll(stored, page[:0:len(page)])
		ok = err == nil && len(out) == len(page)
	case lz4Pieces:
		ok = unpackPieces(page, stored) || unpackBlock(page, stored)
	case lz4Raw:
		ok = unpackBlock(page, stored)
	}
	if !ok {
		return damaged("a page of %d bytes cannot be unpacked to %d", len(stored), len(page))
	}
	return nil
}

func unsnappy(page, stored []byte) bool {
	if n, err := s2.DecodedLen(stored); err != nil || n != len(page) {
		return false
	}
	_, err := s2.Decode(page, stored)
	return err == nil
}

func ungzip(page, stored []byte) bool {
	z, err := gzip.NewReader(bytes.NewReader(stored))
	if err != nil {
		return false
	}
	if _, err := io.ReadFull(z, page); err != nil {
		return false
	}
	n, err := io.ReadFull(z, make([]byte, 1)) // its checksum is behind the last byte
	return n == 0 && err == io.EOF
}

func unpackBlock(page, stored []byte) bool {
	n, err := lz4.UncompressBlock(stored, page)
	return err == nil && n == len(page)
}

// unpackPieces reports whether the page was pieces with their sizes in front, as
// Hadoop cuts them.
func unpackPieces(page, stored []byte) bool {
	const sizes = 8
	for len(stored) >= sizes {
		out, in := binary.BigEndian.Uint32(stored), binary.BigEndian.Uint32(stored[4:])
		stored = stored[sizes:]
		if uint64(in) > uint64(len(stored)) || uint64(out) > uint64(len(page)) {
			return false
		}
		if !unpackBlock(page[:out], stored[:in]) {
			return false
		}
		stored, page = stored[in:], page[out:]
	}
	return len(stored) == 0 && len(page) == 0
}
