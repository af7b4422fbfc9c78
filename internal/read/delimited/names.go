package delimited

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"math"
	"unsafe"

	"github.com/moiety-go/moiety/internal/pages"
)

// spans is a list of byte strings in one piece of memory.
type spans struct {
	bytes []byte
	ends  []int
	// wantBytes and wantEnds are the room that reset makes, where there is less.
	wantBytes, wantEnds int
}

func (s *spans) add(b []byte) {
	s.bytes = append(s.bytes, b...)
	s.ends = append(s.ends, len(s.bytes))
}

// addFrom appends the entries of another list from the given one on.
func (s *spans) addFrom(more *spans, from int) {
	start := more.start(from)
	shift := len(s.bytes) - start
	s.bytes = append(s.bytes, more.bytes[start:]...)
	for _, end := range more.ends[from:] {
		s.ends = append(s.ends, end+shift)
	}
}

// order tells how the entries rise, none of them equal to the one before.
func (s *spans) order() ordered {
	o := anyOrder
	for i := 1; i < s.len() && (o.text || o.numeric); i++ {
		a, b := s.at(i-1), s.at(i)
		c := bytes.Compare(a, b)
		o.text = o.text && c < 0
		o.numeric = o.numeric && (len(a) < len(b) || len(a) == len(b) && c < 0)
	}
	return o
}

func (s *spans) len() int { return len(s.ends) }

func (s *spans) start(i int) int {
	if i == 0 {
		return 0
	}
	return s.ends[i-1]
}

func (s *spans) at(i int) []byte { return s.bytes[s.start(i):s.ends[i]] }

// size is an empty list that reset makes as much room in.
func (s *spans) size() spans { return spans{wantBytes: s.wantBytes, wantEnds: s.wantEnds} }

func (s *spans) reset() { s.bytes, s.ends = room(s.bytes, s.wantBytes), room(s.ends, s.wantEnds) }

// used is the memory of what is in the list.
func (s *spans) used() int64 { return int64(len(s.bytes)) + 8*int64(len(s.ends)) }

// reserve makes room for so many times what is in the list.
func (s *spans) reserve(times float64) {
	s.bytes = grown(s.bytes, times)
	s.ends = grown(s.ends, times)
}

// sized returns an empty list with room for what is in this one, and one entry more.
func (s *spans) sized() *spans {
	const more = 64
	return &spans{bytes: make([]byte, 0, len(s.bytes)+more), ends: make([]int, 0, len(s.ends)+more)}
}

func (s *spans) memory() int64 { return int64(cap(s.bytes)) + 8*int64(cap(s.ends)) }

// grown returns a list with room for so many times what is in it.
func grown[T any](list []T, times float64) []T {
	return append(pages.Make[T](len(list) + int(times*float64(len(list))))[:0], list...)
}

// strings returns entries lo to hi; they share one allocation.
func (s *spans) strings(lo, hi int) []string {
	return s.cut(string(s.bytes[s.start(lo):s.start(hi)]), lo, hi)
}

// cut returns entries lo to hi as parts of their text.
func (s *spans) cut(all string, lo, hi int) []string {
	from := s.start(lo)
	out := make([]string, hi-lo)
	for i := range out {
		out[i] = all[s.start(lo+i)-from : s.ends[lo+i]-from]
	}
	return out
}

// text is all that is in the list, in its memory: it must not be changed afterwards.
func (s *spans) text() string { return unsafe.String(unsafe.SliceData(s.bytes), len(s.bytes)) }

// take hands over what is in the list, whose next entries stand behind it.
func (s *spans) take() spans {
	out := spans{bytes: taken(&s.bytes), ends: taken(&s.ends)}
	s.wantBytes, s.wantEnds = asMuch(out.bytes), asMuch(out.ends)
	return out
}

// names numbers byte strings in order of first appearance. It is record.Dict
// without one allocation a name. Names of up to eight bytes, as codes are, are
// found by one number. The seeds of the hashes are random, against files made
// to collide; the numbers of names do not depend on them.
type names struct {
	spans
	seed  maphash.Seed
	odd   uint64   // multiplier of short names
	short []slot   // table of names of up to eight bytes
	few   int      // how many of them there are
	slots []uint32 // table of longer names: number+1, 0 when free
	tag   []uint32 // upper half of the hash, by number
}

// slot is a place for a short name; its key is 0 when free, since text holds
// no NUL and the empty name counts as long.
type slot struct {
	key    uint64
	number uint32
}

const firstSlots = 1 << 10

func newNames(seed maphash.Seed) *names {
	return &names{
		seed: seed, odd: maphash.String(seed, "short names") | 1,
		short: make([]slot, firstSlots), slots: make([]uint32, firstSlots),
	}
}

func (n *names) hash(b []byte) uint64 { return maphash.Bytes(n.seed, b) }

// number returns the number of b and whether it is new.
func (n *names) number(b []byte) (number uint32, fresh bool) {
	if len(b) == 0 || len(b) > 8 {
		return n.add(b, n.hash(b))
	}
	key := pack(b)
	mask := uint64(len(n.short) - 1)
	for i := n.place(key); ; i = (i + 1) & mask {
		s := &n.short[i]
		if s.key == key {
			return s.number, false
		}
		if s.key == 0 {
			*s = slot{key, uint32(len(n.tag))}
			break
		}
	}
	n.spans.add(b)
	n.tag = append(n.tag, 0)
	if n.few++; 2*n.few > len(n.short) {
		n.growShort()
	}
	return uint32(len(n.tag)) - 1, true
}

// place is where the search for a short name begins: the upper bits of the
// product are the well mixed ones.
func (n *names) place(key uint64) uint64 {
	return (key * n.odd >> 32) & uint64(len(n.short)-1)
}

// pack returns up to eight bytes as one number.
func pack(b []byte) uint64 {
	if cap(b) >= 8 {
		return binary.LittleEndian.Uint64(b[:8]) & (math.MaxUint64 >> (64 - 8*len(b)))
	}
	var k uint64
	for i, c := range b {
		k |= uint64(c) << (8 * i)
	}
	return k
}

func (n *names) growShort() {
	old := n.short
	n.short = make([]slot, 2*len(old)) // small enough for the first cache, if there are few
	mask := uint64(len(n.short) - 1)
	for _, s := range old {
		if s.key == 0 {
			continue
		}
		i := n.place(s.key)
		for n.short[i].key != 0 {
			i = (i + 1) & mask
		}
		n.short[i] = s
	}
}

// add returns the number of b, whose hash is h, and whether it is new. A table
// is filled either by number or by add.
func (n *names) add(b []byte, h uint64) (number uint32, fresh bool) {
	mask := uint64(len(n.slots) - 1)
	tag := uint32(h >> 32)
	for i := h & mask; ; i = (i + 1) & mask {
		s := n.slots[i]
		if s == 0 {
			n.slots[i] = uint32(len(n.tag)) + 1
			break
		}
		if n.tag[s-1] == tag && bytes.Equal(n.at(int(s-1)), b) {
			return s - 1, false
		}
	}
	n.spans.add(b)
	n.tag = append(n.tag, tag)
	if 2*(len(n.tag)-n.few) > len(n.slots) {
		n.grow()
	}
	return uint32(len(n.tag)) - 1, true
}

// push appends b without looking whether it is known; index must be called before the
// next add.
func (n *names) push(b []byte) uint32 {
	n.spans.add(b)
	return uint32(n.len()) - 1
}

// index makes the table of names that were pushed.
func (n *names) index() {
	size := firstSlots
	for size < 4*n.len() {
		size *= 2
	}
	n.slots, n.tag = make([]uint32, size), make([]uint32, n.len())
	mask := uint64(size - 1)
	for k := range n.tag {
		h := n.hash(n.at(k))
		n.tag[k] = uint32(h >> 32)
		i := h & mask
		for n.slots[i] != 0 {
			i = (i + 1) & mask
		}
		n.slots[i] = uint32(k) + 1
	}
}

// grow makes a larger table of the names that are in the present one.
func (n *names) grow() {
	old := n.slots
	n.slots = make([]uint32, 4*len(old))
	mask := uint64(len(n.slots) - 1)
	for _, s := range old {
		if s == 0 {
			continue
		}
		i := n.hash(n.at(int(s-1))) & mask
		for n.slots[i] != 0 {
			i = (i + 1) & mask
		}
		n.slots[i] = s
	}
}

func (n *names) reset() {
	n.spans.reset()
	n.tag = n.tag[:0]
	n.few = 0
	clear(n.short)
	clear(n.slots)
}

func (n *names) memory() int64 {
	return n.spans.memory() + 4*int64(cap(n.slots)) + 4*int64(cap(n.tag)) + 16*int64(cap(n.short))
}
