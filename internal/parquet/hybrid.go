package parquet

import "encoding/binary"

// errEnds is the error of pages with fewer values than they claim.
var errEnds = damaged("a page ends before its values do")

// hybrid reads small numbers of one width, in turns of two kinds: one number so
// many times, and groups of eight packed bit by bit.
// It gives as many as it is asked for, so a run of 2^31 takes no memory.
type hybrid struct {
	raw    []byte
	width  int
	equal  uint64 // left of a run of equal numbers
	value  uint32
	packed bitReader
	left   uint64 // numbers left in packed
}

// newHybrid returns a reader, nil for numbers that are too wide.
func newHybrid(raw []byte, width int) (*hybrid, error) {
	if width > 32 {
		return nil, damaged("numbers of %d bits where 32 are the most", width)
	}
	return &hybrid{raw: raw, width: width}, nil
}

// fill reads len(out) numbers.
func fill[T uint8 | uint32](h *hybrid, out []T) error {
	for len(out) > 0 {
		switch {
		case h.equal > 0:
			n := min(uint64(len(out)), h.equal)
			for i := range out[:n] {
				out[i] = T(h.value)
			}
			out, h.equal = out[n:], h.equal-n
		case h.left > 0:
			n := min(uint64(len(out)), h.left)
			for i := range out[:n] {
				out[i] = T(h.packed.next(h.width))
			}
			out, h.left = out[n:], h.left-n
		default:
			if err := h.turn(); err != nil {
				return err
			}
		}
	}
	return nil
}

// turn reads the head of the next run.
func (h *hybrid) turn() error {
	head, n := binary.Uvarint(h.raw)
	if n <= 0 {
		return errEnds
	}
	h.raw = h.raw[n:]
	if head&1 == 0 {
		return h.run(head >> 1)
	}
	groups, width, have := head>>1, uint64(h.width), uint64(len(h.raw))
	if width == 0 {
		h.left, h.packed = min(groups, 1<<32)*8, bitReader{}
		return nil
	}
	groups = min(groups, have)
	size := min(groups*width, have) // the last group may be cut short
	h.left = min(groups*8, size*8/width)
	h.packed, h.raw = bitReader{raw: h.raw[:size]}, h.raw[size:]
	if h.left == 0 && groups > 0 {
		return errEnds
	}
	return nil
}

// run reads a number that comes so many times.
func (h *hybrid) run(times uint64) error {
	size := (h.width + 7) / 8
	if size > len(h.raw) {
		return errEnds
	}
	h.value = 0
	for i, b := range h.raw[:size] {
		h.value |= uint32(b) << (8 * i)
	}
	h.raw, h.equal = h.raw[size:], times
	return nil
}

// bitReader reads numbers that are packed bit by bit, the lowest first. Behind
// its end are zeros.
type bitReader struct {
	raw []byte
	at  int // bits
}

// next returns a number of at most 64 bits.
func (r *bitReader) next(width int) uint64 {
	at, shift := r.at>>3, r.at&7
	r.at += width
	if at+9 <= len(r.raw) {
		v := binary.LittleEndian.Uint64(r.raw[at:]) >> shift
		if shift+width > 64 {
			v |= uint64(r.raw[at+8]) << (64 - shift)
		}
		return v & (1<<width - 1)
	}
	return r.late(at, shift, width)
}

// late is next where fewer than nine bytes are left.
func (r *bitReader) late(at, shift, width int) uint64 {
	var v uint64
	for i := 0; i < 9 && at+i < len(r.raw); i++ {
		if by := 8*i - shift; by < 0 {
			v |= uint64(r.raw[at+i]) >> -by
		} else {
			v |= uint64(r.raw[at+i]) << by
		}
	}
	return v & (1<<width - 1)
}
