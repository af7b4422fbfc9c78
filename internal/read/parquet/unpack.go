package parquet

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"os"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
	"github.com/pierrec/lz4/v4"

	"github.com/moiety-go/moiety/internal/read/source"
)

// unpack replaces the columns that are packed by LZ4. The decoder's LZ4 loses
// the unpacked page and hands out old memory where a page hardly shrinks, and
// never ends on damaged ones, so their pages are unpacked here: behind the file
// come the same pages unpacked, and a footer that says so.
func (f *file) unpack(ctx context.Context) error {
	meta := f.pq.Metadata()
	more, err := source.Temporary(func(t *os.File) (int64, error) {
		u := &unpacker{file: f, w: bufio.NewWriterSize(t, 1<<20), at: f.raw.Size}
		for g := range meta.RowGroups {
			for i := range meta.RowGroups[g].Columns {
				if err := ctx.Err(); err != nil {
					return 0, err
				}
				m := &meta.RowGroups[g].Columns[i].MetaData
				if m.Codec != format.Lz4 && m.Codec != format.Lz4Raw {
					continue
				}
				if err := f.safely(func() error { return u.chunk(m) }); err != nil {
					return 0, err
				}
			}
		}
		if err := u.footer(meta); err != nil {
			return 0, err
		}
		return u.at - f.raw.Size, u.w.Flush()
	})
	if err != nil {
		return err
	}
	f.raw = &source.Seekable{ReaderAt: joined{f.raw, more}, Size: f.raw.Size + more.Size}
	return nil
}

// unpacker writes what comes behind the file.
type unpacker struct {
	file *file
	w    *bufio.Writer
	at   int64 // where the next byte will be
}

func (u *unpacker) write(b []byte) error {
	u.at += int64(len(b))
	_, err := u.w.Write(b)
	return err
}

// chunk writes the pages of a column unpacked and changes what the footer says
// of them.
func (u *unpacker) chunk(m *format.ColumnMetaData) error {
	from, data, dictionary := u.at, int64(0), int64(0)
	hadoop := m.Codec == format.Lz4
	var protocol thrift.CompactProtocol
	err := u.file.walkPages(m, func(r *bufio.Reader, h *format.PageHeader) error {
		page := make([]byte, h.CompressedPageSize)
		if _, err := io.ReadFull(r, page); err != nil {
			return fmt.Errorf("a page is cut off: %w", err)
		}
		page, err := unpackPage(h, page, hadoop)
		if err != nil {
			return err
		}
		switch {
		case h.Type == format.DictionaryPage:
			dictionary = u.at
		case data == 0:
			data = u.at
		}
		h.CompressedPageSize, h.UncompressedPageSize, h.CRC = int32(len(page)), int32(len(page)), 0
		head, err := thrift.Marshal(&protocol, h)
		if err != nil {
			return err
		}
		if err := u.write(head); err != nil {
			return err
		}
		return u.write(page)
	})
	m.Codec, m.DataPageOffset, m.DictionaryPageOffset = format.Uncompressed, data, dictionary
	m.TotalCompressedSize, m.TotalUncompressedSize = u.at-from, u.at-from
	return err
}

// unpackPage returns a page as it was before it was packed.
func unpackPage(h *format.PageHeader, page []byte, hadoop bool) ([]byte, error) {
	levels := 0
	if v2 := &h.DataPageHeaderV2; v2.Valid {
		if v2.V.IsCompressed.Valid && !v2.V.IsCompressed.V {
			return page, nil
		}
		r, d := int(v2.V.RepetitionLevelsByteLength), int(v2.V.DefinitionLevelsByteLength)
		if levels = r + d; r < 0 || d < 0 || levels > len(page) || levels > int(h.UncompressedPageSize) {
			return nil, fmt.Errorf("a page of %d bytes claims %d bytes of levels", len(page), levels)
		}
		v2.V.IsCompressed.V, v2.V.IsCompressed.Valid = false, true
	}
	out := make([]byte, h.UncompressedPageSize)
	copy(out, page[:levels])
	return out, unpackBlock(out[levels:], page[levels:], hadoop)
}

// unpackBlock fills dst. Hadoop cuts a page into pieces with their sizes in
// front; other writers of the same name do not.
func unpackBlock(dst, src []byte, hadoop bool) error {
	if hadoop && unpackPieces(dst, src) {
		return nil
	}
	if len(dst) == 0 {
		return nil
	}
	n, err := lz4.UncompressBlock(src, dst)
	if err != nil || n != len(dst) {
		return fmt.Errorf("a page packed by LZ4 gives %d bytes, and %d are promised", max(n, 0), len(dst))
	}
	return nil
}

// unpackPieces reports whether the page was pieces with sizes.
func unpackPieces(dst, src []byte) bool {
	const sizes = 8
	for len(src) >= sizes {
		out, in := binary.BigEndian.Uint32(src), binary.BigEndian.Uint32(src[4:])
		src = src[sizes:]
		if uint64(in) > uint64(len(src)) || uint64(out) > uint64(len(dst)) {
			return false
		}
		if n, err := lz4.UncompressBlock(src[:in], dst[:out]); err != nil || n != int(out) {
			return false
		}
		src, dst = src[in:], dst[out:]
	}
	return len(src) == 0 && len(dst) == 0
}

// footer writes the changed footer.
func (u *unpacker) footer(meta *format.FileMetaData) error {
	var protocol thrift.CompactProtocol
	b, err := thrift.Marshal(&protocol, meta)
	if err != nil {
		return err
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(len(b)))
	return u.write(append(b, magic...))
}

// joined reads two inputs as one, the second behind the first.
type joined struct{ a, b *source.Seekable }

func (j joined) ReadAt(p []byte, at int64) (int, error) {
	if at >= j.a.Size {
		return j.b.ReadAt(p, at-j.a.Size)
	}
	first := p[:min(int64(len(p)), j.a.Size-at)]
	n, err := j.a.ReadAt(first, at)
	if err == io.EOF && n == len(first) {
		err = nil
	}
	if err != nil || n == len(p) {
		return n, err
	}
	m, err := j.b.ReadAt(p[n:], 0)
	return n + m, err
}
