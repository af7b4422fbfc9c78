package parquet

import "encoding/binary"

// delta reads whole numbers as differences: blocks of a smallest difference and
// miniblocks, each packed in a width of its own.
type delta struct {
	raw    []byte
	left   int // numbers that are still to come
	value  int64
	first  bool // the value is the next number
	block  int  // numbers of a block
	minis  int  // miniblocks of a block
	widths []byte
	least  int64
	packed bitReader
	width  int
	mini   int // numbers left of the miniblock
}

// newDelta reads the head of a page with at most n numbers.
func newDelta(raw []byte, n int) (*delta, error) {
	d := &delta{raw: raw, first: true}
	block, minis, left := d.uvarint(), d.uvarint(), d.uvarint()
	d.value = d.varint()
	switch {
	case d.raw == nil:
		return nil, errEnds
	case left > uint64(n):
		return nil, damaged("a page of %d values claims %d", n, left)
	case minis == 0 || minis > 1<<16 || block > 1<<31 || block%(minis*8) != 0 || block == 0:
		return nil, damaged("a page has blocks of %d numbers in %d pieces", block, minis)
	}
	d.left, d.block, d.minis = int(left), int(block), int(minis)
	return d, nil
}

// uvarint and varint read a number; raw is nil once it has ended.
func (d *delta) uvarint() uint64 {
	v, n := binary.Uvarint(d.raw)
	if n <= 0 {
		d.raw = nil
		return 0
	}
	d.raw = d.raw[n:]
	return v
}

func (d *delta) varint() int64 {
	v := d.uvarint()
	return int64(v>>1) ^ -int64(v&1)
}

// next returns the next number.
func (d *delta) next() (int64, error) {
	if d.left == 0 {
		return 0, errEnds
	}
	d.left--
	if d.first {
		d.first = false
		return d.value, nil
	}
	if d.mini == 0 {
		if err := d.nextMini(); err != nil {
			return 0, err
		}
	}
	d.mini--
	d.value += d.least + int64(d.packed.next(d.width))
	return d.value, nil
}

// nextMini goes to the next miniblock, and to the next block behind the last.
func (d *delta) nextMini() error {
	if len(d.widths) == 0 {
		if d.least = d.varint(); d.raw == nil || len(d.raw) < d.minis {
			return errEnds
		}
		d.widths, d.raw = d.raw[:d.minis], d.raw[d.minis:]
	}
	d.width, d.widths = int(d.widths[0]), d.widths[1:]
	d.mini = d.block / d.minis
	if d.width > 64 {
		return damaged("numbers of %d bits where 64 are the most", d.width)
	}
	size := d.mini / 8 * d.width
	if size > len(d.raw) {
		return errEnds
	}
	d.packed, d.raw = bitReader{raw: d.raw[:size]}, d.raw[size:]
	return nil
}

// behind reads all numbers and returns the bytes behind them.
func (d *delta) behind() ([]byte, error) {
	for d.left > 0 {
		if _, err := d.next(); err != nil {
			return nil, err
		}
	}
	return d.raw, nil
}

// length returns the next number, which must be between 0 and most.
func (d *delta) length(most int) (int, error) {
	v, err := d.next()
	if err == nil && (v < 0 || v > int64(most)) {
		err = damaged("a value of %d bytes where %d are left", v, most)
	}
	return int(v), err
}

type deltaInts struct {
	*delta
	narrow bool // 32 bits: differences may run over
}

func (d *deltaInts) next(to *Batch, n int) error {
	for range n {
		v, err := d.delta.next()
		if err != nil {
			return err
		}
		if d.narrow {
			v = int64(int32(v))
		}
		to.Ints = append(to.Ints, v)
	}
	return nil
}

// deltaLengths are all lengths, then all bytes.
type deltaLengths struct {
	lengths *delta
	raw     []byte
}

func newDeltaLengths(raw []byte, n int) (*deltaLengths, error) {
	ahead, err := newDelta(raw, n)
	if err != nil {
		return nil, err
	}
	behind, err := ahead.behind()
	if err != nil {
		return nil, err
	}
	lengths, err := newDelta(raw, n)
	return &deltaLengths{lengths, behind}, err
}

func (d *deltaLengths) take() ([]byte, error) {
	n, err := d.lengths.length(len(d.raw))
	if err != nil {
		return nil, err
	}
	v := d.raw[:n:n]
	d.raw = d.raw[n:]
	return v, nil
}

func (d *deltaLengths) next(to *Batch, n int) error {
	for range n {
		v, err := d.take()
		if err != nil {
			return err
		}
		to.Bytes = append(to.Bytes, v)
	}
	return nil
}

// deltaBytes begin as the value before them does: the lengths of what is the
// same, then the rest of each.
type deltaBytes struct {
	col    *Column
	same   *delta
	rest   *deltaLengths
	before []byte
}

func newDeltaBytes(c *Column, raw []byte, n int) (values, error) {
	ahead, err := newDelta(raw, n)
	if err != nil {
		return nil, err
	}
	behind, err := ahead.behind()
	if err != nil {
		return nil, err
	}
	same, err := newDelta(raw, n)
	if err != nil {
		return nil, err
	}
	rest, err := newDeltaLengths(behind, n)
	return &deltaBytes{col: c, same: same, rest: rest}, err
}

// longestBatch bounds what the values of one batch take together: each may
// repeat the whole of the one before it.
const longestBatch = 256 << 20

func (d *deltaBytes) next(to *Batch, n int) error {
	total := 0
	for range n {
		same, err := d.same.length(len(d.before))
		if err != nil {
			return err
		}
		rest, err := d.rest.take()
		if err != nil {
			return err
		}
		v := rest
		if same > 0 {
			v = append(append(make([]byte, 0, same+len(rest)), d.before[:same]...), rest...)
		}
		if total += len(v); total > longestBatch {
			return tooLarge("%d values of more than %d bytes", n, longestBatch)
		}
		if d.col.Type == FixedByteArray && len(v) != d.col.Size {
			return damaged("a value of %d bytes in a column of %d", len(v), d.col.Size)
		}
		to.Bytes, d.before = append(to.Bytes, v), v
	}
	return nil
}

// split holds the first bytes of all values, then their second ones, and so on.
type split struct {
	raw       []byte
	at, count int
	width     int
	col       *Column
}

func newSplit(c *Column, raw []byte) (values, error) {
	width := c.width()
	if len(raw)%width != 0 {
		return nil, damaged("%d bytes are no whole number of values", len(raw))
	}
	return &split{raw: raw, count: len(raw) / width, width: width, col: c}, nil
}

func (s *split) next(to *Batch, n int) error {
	if n > s.count-s.at {
		return errEnds
	}
	whole := make([]byte, n*s.width)
	for b := range s.width {
		for i, v := range s.raw[b*s.count+s.at:][:n] {
			whole[i*s.width+b] = v
		}
	}
	s.at += n
	return s.col.newPlain(whole).next(to, n)
}
