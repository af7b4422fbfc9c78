package record

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"hash/maphash"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/moiety-go/moiety/internal/cells"
)

// Dict numbers names in order of first appearance. It keeps the bytes of many
// names in one piece of memory, and finds them by a table of its own: numbering
// words is most of the work of reading texts. The hashes are random, against
// files made to collide; the numbers do not depend on them.
type Dict struct {
	names  []string
	seed   maphash.Seed
	slots  []slot
	buffer *strings.Builder // holds the bytes of the last names
}

// slot is a place in the table: the number of a name, from 1, and the upper half
// of its hash.
type slot struct{ tag, number uint32 }

// Sizes of the memory of names.
const (
	firstSlots  = 64
	firstBuffer = 1 << 10
	mostBuffer  = 1 << 16
)

// NewDict returns an empty dictionary.
func NewDict() *Dict {
	return &Dict{seed: maphash.MakeSeed(), slots: make([]slot, firstSlots), buffer: new(strings.Builder)}
}

// Names of features are shown, drawn and written many times over. A name beyond
// longestName is no name but a text in the wrong column: its beginning and a
// hash of all of it stand for it, the same in every reading.
const (
	longestName = 1000 // bytes
	keptOfName  = 900
)

func shortened(name string) string {
	h := fnv.New64a()
	io.WriteString(h, name)
	cut := keptOfName
	for cut > 0 && !utf8.RuneStart(name[cut]) {
		cut--
	}
	return fmt.Sprintf("%s… (%d letters, %016x)", name[:cut], utf8.RuneCountInString(name), h.Sum64())
}

// Add returns the number of name, adding a copy of it if it is new. A name that
// is too long for one is shortened; what a terminal would act on is written by its number.
func (d *Dict) Add(name string) uint32 {
	if len(name) > longestName {
		name = shortened(name)
	}
	at, tag, ok := d.search(maphash.String(d.seed, name), name)
	if ok {
		return d.slots[at].number - 1
	}
	if visible := cells.Visible(name); visible != name {
		return d.Add(visible)
	}
	d.keep(len(name)).WriteString(name)
	return d.append(at, tag, len(name))
}

// AddBytes is Add for a name in a buffer.
func (d *Dict) AddBytes(name []byte) uint32 {
	if len(name) > longestName {
		return d.Add(string(name))
	}
	h := maphash.Bytes(d.seed, name)
	tag, mask := uint32(h>>32), uint64(len(d.slots)-1)
	at := h & mask
	for ; ; at = (at + 1) & mask {
		s := d.slots[at]
		if s.number == 0 {
			break
		}
		if s.tag == tag && d.names[s.number-1] == string(name) {
			return s.number - 1
		}
	}
	if bytes.ContainsFunc(name, cells.Disturbs) {
		return d.Add(string(name))
	}
	d.keep(len(name)).Write(name)
	return d.append(at, tag, len(name))
}

// search returns the place of a name, or the free one where it belongs.
func (d *Dict) search(h uint64, name string) (at uint64, tag uint32, ok bool) {
	mask := uint64(len(d.slots) - 1)
	tag = uint32(h >> 32)
	for at = h & mask; ; at = (at + 1) & mask {
		s := d.slots[at]
		if s.number == 0 {
			return at, tag, false
		}
		if s.tag == tag && d.names[s.number-1] == name {
			return at, tag, true
		}
	}
}

// keep returns memory with room for n bytes. What it held before stays where it
// is.
func (d *Dict) keep(n int) *strings.Builder {
	if d.buffer.Cap()-d.buffer.Len() < n {
		size := max(min(2*d.buffer.Cap(), mostBuffer), firstBuffer, n)
		d.buffer = new(strings.Builder)
		d.buffer.Grow(size)
	}
	return d.buffer
}

// append enters the name whose n bytes were written last.
func (d *Dict) append(at uint64, tag uint32, n int) uint32 {
	all := d.buffer.String()
	d.names = append(d.names, all[len(all)-n:])
	d.slots[at] = slot{tag, uint32(len(d.names))}
	if 2*len(d.names) > len(d.slots) {
		d.grow()
	}
	return uint32(len(d.names)) - 1
}

// grow makes a larger table.
func (d *Dict) grow() {
	d.slots = make([]slot, 4*len(d.slots))
	mask := uint64(len(d.slots) - 1)
	for i, name := range d.names {
		h := maphash.String(d.seed, name)
		at := h & mask
		for d.slots[at].number != 0 {
			at = (at + 1) & mask
		}
		d.slots[at] = slot{uint32(h >> 32), uint32(i) + 1}
	}
}

// Find returns the number of name and whether it is known.
func (d *Dict) Find(name string) (uint32, bool) {
	if len(name) > longestName {
		name = shortened(name)
	}
	name = cells.Visible(name)
	at, _, ok := d.search(maphash.String(d.seed, name), name)
	if !ok {
		return 0, false
	}
	return d.slots[at].number - 1, true
}

// Name returns name number n.
func (d *Dict) Name(n uint32) string { return d.names[n] }

// Names returns all names in order; the slice must not be changed.
func (d *Dict) Names() []string { return d.names }

// Len returns the number of names.
func (d *Dict) Len() int { return len(d.names) }

// Reset forgets all names but keeps the table; names that were handed out stay
// valid.
func (d *Dict) Reset() {
	d.names = d.names[:0]
	clear(d.slots)
}
