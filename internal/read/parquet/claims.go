package parquet

import (
	"bufio"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/moiety-go/moiety/internal/read/source"
)

// bytesPerValue makes the limit on the values of a page from that on its
// bytes: what a value takes once it is decoded.
const bytesPerValue = 8

// checkPages walks over the page headers of the given columns in row group g.
// The decoder allocates what a header claims before it reads a byte, so a
// damaged number of ten digits must be found before.
func (f *file) checkPages(g int, columns []*column) error {
	chunks := f.pq.Metadata().RowGroups[g].Columns
	for _, col := range columns {
		if col == nil {
			continue
		}
		if col.index >= len(chunks) {
			return f.damaged("row group %d lacks column %q", g, col.name)
		}
		err := f.safely(func() error {
			return f.walkPages(&chunks[col.index].MetaData, stepOver)
		})
		if err != nil {
			return fmt.Errorf("column %q: %w", col.name, err)
		}
	}
	return nil
}

// walkPages calls each for the pages of a column; it must take the bytes of the
// page off the reader.
func (f *file) walkPages(m *format.ColumnMetaData, each func(*bufio.Reader, *format.PageHeader) error) error {
	from := firstPage(m)
	if from < 0 || m.TotalCompressedSize < 0 || from > f.raw.Size-m.TotalCompressedSize {
		return fmt.Errorf("pages from byte %d, %d bytes long, lie outside the file of %d", from, m.TotalCompressedSize, f.raw.Size)
	}
	r := bufio.NewReader(io.NewSectionReader(f.raw, from, m.TotalCompressedSize))
	var protocol thrift.CompactProtocol
	decoder := thrift.NewDecoder(protocol.NewReader(r))
	for {
		if _, err := r.Peek(1); err == io.EOF {
			return nil
		}
		var h format.PageHeader
		if err := decoder.Decode(&h); err != nil {
			return fmt.Errorf("a page header is not readable: %w", err)
		}
		if err := checkPage(&h, f.limits); err != nil {
			return err
		}
		if err := each(r, &h); err != nil {
			return err
		}
	}
}

// firstPage is where the pages of a column begin.
func firstPage(m *format.ColumnMetaData) int64 {
	if d := m.DictionaryPageOffset; d > 0 && d < m.DataPageOffset {
		return d
	}
	return m.DataPageOffset
}

// stepOver passes by a page.
func stepOver(r *bufio.Reader, h *format.PageHeader) error {
	if _, err := r.Discard(int(h.CompressedPageSize)); err != nil {
		return fmt.Errorf("a page is cut off: %w", err)
	}
	return nil
}

func checkPage(h *format.PageHeader, l Limits) error {
	if c, u := int64(h.CompressedPageSize), int64(h.UncompressedPageSize); c < 0 || u < 0 || c > l.Page || u > l.Page {
		return fmt.Errorf("%w: a page claims %d bytes, %d unpacked; at most %d", source.ErrTooLarge, c, u, l.Page)
	}
	var n int64
	switch {
	case h.DataPageHeader.Valid:
		n = int64(h.DataPageHeader.V.NumValues)
	case h.DataPageHeaderV2.Valid:
		n = int64(h.DataPageHeaderV2.V.NumValues)
	case h.DictionaryPageHeader.Valid:
		n = int64(h.DictionaryPageHeader.V.NumValues)
	}
	if n < 0 || n > l.Page/bytesPerValue {
		return fmt.Errorf("%w: a page claims %d values; at most %d", source.ErrTooLarge, n, l.Page/bytesPerValue)
	}
	return nil
}
