package kernel

import (
	"encoding/binary"
)

// Marks sets bit j of dst[i] where text[64·i+j] is one of the four bytes of set
// (repeat one to look for fewer): the places where a reader has to do
// something. dst has a word for every 64 bytes begun; it returns how many it
// set. The words are then walked with bits.TrailingZeros64.
func Marks(dst []uint64, text []byte, set [4]byte) int {
	words := (len(text) + 63) / 64
	dst = dst[:words]
	done := 0
	if active != plain {
		done = marksFast(dst, text, set)
	}
	for i := done; i < words; i++ {
		dst[i] = marksPlain(text[64*i:min(64*i+64, len(text))], set)
	}
	return words
}

const (
	low  = 0x0101010101010101 // the lowest bit of each byte
	rest = 0x7f7f7f7f7f7f7f7f // all but the highest
)

// marksPlain is the word of at most 64 bytes, eight bytes at a time.
func marksPlain(text []byte, set [4]byte) uint64 {
	a, b, c, d := low*uint64(set[0]), low*uint64(set[1]), low*uint64(set[2]), low*uint64(set[3])
	mask := uint64(0)
	at := 0
	for ; at+8 <= len(text); at += 8 {
		w := binary.LittleEndian.Uint64(text[at:])
		hit := ^(differ(w^a)&differ(w^b)&differ(w^c)&differ(w^d) | rest)
		// The highest bits of the bytes, brought together in the highest byte.
		mask |= (hit >> 7) * 0x0102040810204080 >> 56 << at
	}
	for ; at < len(text); at++ {
		if c := text[at]; c == set[0] || c == set[1] || c == set[2] || c == set[3] {
			mask |= 1 << at
		}
	}
	return mask
}

// differ sets the highest bit of every byte of x that is not zero, exactly.
func differ(x uint64) uint64 { return x&rest + rest | x }

// marksFast sets the words of all whole runs of 64 bytes and returns their
// number.
func marksFast(dst []uint64, text []byte, set [4]byte) int {
	if !hasMarks() {
		return 0
	}
	const piece = 1 << 16 // words: four megabytes
	words := len(text) / 64
	for lo := 0; lo < words; lo += piece {
		n := min(piece, words-lo)
		callMarks(&dst[lo], &text[64*lo], n, &set[0])
	}
	return words
}
