package parquet

// Kinds of pages.
const (
	dataPage       = 0
	indexPage      = 1
	dictionaryPage = 2
	dataPageV2     = 3
)

// pageHeader is what stands in front of a page.
type pageHeader struct {
	kind             int64
	unpacked, stored int32
	crc              int32
	checked          bool // there is a checksum
	values           int32
	encoding         encoding
	defAs, repAs     encoding // of levels, in pages of the first version
	def, rep         int32    // bytes of levels, in pages of the second version
	asIs             bool     // values are not packed, in pages of the second version
}

// longestHeader bounds the bytes of a header, which may hold the least and the
// greatest value of its page.
const longestHeader = 16 << 20

// readHeader reads a header, and returns how many bytes it had.
func (r *Reader) readHeader() (h pageHeader, n int64, err error) {
	for size := int64(1 << 8); ; size *= 4 {
		b := resize(&r.header, int(min(size, r.end-r.at)))
		if err := readFull(r.file.from, b, r.at); err != nil {
			return h, 0, err
		}
		d := &decoder{b: b}
		h = d.header()
		switch {
		case d.err == nil:
			return h, int64(len(b) - len(d.b)), nil
		case d.err != errShort || size >= min(r.end-r.at, longestHeader):
			return h, 0, damaged("a page has no readable head")
		}
	}
}

func (d *decoder) header() (h pageHeader) {
	h.kind, h.values, h.encoding = -1, -1, -1
	d.structure(wireStruct, func(id int64, w wire) {
		switch id {
		case 1:
			h.kind = d.int(w)
		case 2:
			h.unpacked = d.int32(w)
		case 3:
			h.stored = d.int32(w)
		case 4:
			h.crc, h.checked = d.int32(w), true
		case 5, 7, 8:
			d.dataHeader(id, w, &h)
		default:
			d.skip(w)
		}
	})
	return h
}

// dataHeader reads the part of a header that is of its kind: data (5), of the
// second version (8), or a dictionary (7).
func (d *decoder) dataHeader(kind int64, w wire, h *pageHeader) {
	d.structure(w, func(id int64, w wire) {
		switch {
		case id == 1:
			h.values = d.int32(w)
		case id == 2 && kind != 8 || id == 4 && kind == 8:
			h.encoding = encoding(d.int32(w))
		case id == 3 && kind == 5:
			h.defAs = encoding(d.int32(w))
		case id == 4 && kind == 5:
			h.repAs = encoding(d.int32(w))
		case id == 5 && kind == 8:
			h.def = d.int32(w)
		case id == 6 && kind == 8:
			h.rep = d.int32(w)
		case id == 7 && kind == 8:
			h.asIs = !d.bool(w)
		default:
			d.skip(w)
		}
	})
}

// bytesPerValue makes the limit on the values of a page from that on its bytes: a
// run of equal values takes as good as none.
const bytesPerValue = 8

// checkHeader compares what a header claims with the bytes that are there.
func (r *Reader) checkHeader(h *pageHeader) error {
	most := r.file.limits.Page
	switch {
	case h.stored < 0 || int64(h.stored) > r.end-r.at || h.unpacked < 0:
		return damaged("a page of %d bytes lies outside the column", h.stored)
	case int64(h.stored) > most || int64(h.unpacked) > most:
		return tooLarge("a page of %d bytes, %d unpacked; at most %d", h.stored, h.unpacked, most)
	case int64(h.unpacked) > (int64(h.stored)+slack)*r.codec.growth()+slack:
		return damaged("a page of %d bytes claims %d unpacked", h.stored, h.unpacked)
	case h.kind == indexPage:
		return nil
	case h.kind != dataPage && h.kind != dataPageV2 && h.kind != dictionaryPage:
		return damaged("a page is of no known kind (%d)", h.kind)
	case h.values < 0:
		return damaged("a page does not say how many values it has")
	case h.kind != dictionaryPage && int64(h.values) > r.values:
		return damaged("a page claims %d values, and %d are left", h.values, r.values)
	case int64(h.values) > most/bytesPerValue:
		return tooLarge("a page claims %d values, at most %d", h.values, most/bytesPerValue)
	}
	return nil
}
