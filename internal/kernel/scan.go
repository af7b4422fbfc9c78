package kernel

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
)

// Clean returns the length of the start of text that holds ASCII only, and of
// the bytes below 32 none but 9 to 13 (tab, line ends): of all whole runs of 64
// bytes before the first that holds another byte.
func Clean(text []byte) int {
	if active == avx2 || active == avx512 {
		return cleanFast(text)
	}
	n := 0
	for ; n+64 <= len(text); n += 64 {
		odd := uint64(0)
		for at := n; at < n+64; at += 8 {
			odd |= oddBytes(binary.LittleEndian.Uint64(text[at:]))
		}
		if odd != 0 {
			break
		}
	}
	return n
}

// oddBytes has bits set where one of eight bytes is no plain text. For ASCII c
// the sum c+(127-m) sets the high bit for c > m, and (127+n)-c keeps it for c < n.
func oddBytes(w uint64) uint64 {
	const highs = low << 7
	c := w & rest
	return (w | (low*(127+9) - c) | ((low*(127+32) - c) & (c + low*(127-13)))) & highs
}

// Places appends to dst the places in text that hold one of the four bytes of
// set (repeat one to look for fewer), rising.
func Places(dst []uint32, text []byte, set [4]byte) []uint32 {
	const piece = 4096
	for base := 0; base < len(text); base += piece {
		part := text[base:min(base+piece, len(text))]
		done := 0
		if active == avx512 {
			dst, done = placesFast(dst, part, set, base)
		}
		dst = placesPlain(dst, part[done:], set, base+done)
	}
	return dst
}

// placesPlain walks over the marks of at most 4096 bytes.
func placesPlain(dst []uint32, text []byte, set [4]byte, base int) []uint32 {
	var marks [64]uint64
	words := marks[:Marks(marks[:(len(text)+63)/64], text, set)]
	most := 0
	for _, w := range words {
		most += bits.OnesCount64(w)
	}
	at := len(dst)
	dst = slices.Grow(dst, most)[:at+most]
	for _, w := range words {
		for ; w != 0; w &= w - 1 {
			dst[at] = uint32(base + bits.TrailingZeros64(w))
			at++
		}
		base += 64
	}
	return dst
}

// NoNumber is what Numbers gives for a field that is no number.
const NoNumber = math.MaxUint32

// Numbers sets dst[i] to the whole number that stands in text before ends[i] and
// behind the byte at the end before it, or behind start for the first: one to
// eight digits and nothing else, NoNumber for any other field. Ends rise.
func Numbers(dst []uint32, text []byte, start int, ends []uint32) {
	dst = dst[:len(ends)]
	done := 0
	for done < len(ends) && (done == 0 || ends[done] < 8) {
		dst[done] = number(text, start, int(ends[done]))
		start = int(ends[done]) + 1
		done++
	}
	if active == avx512 && done < len(ends) {
		done += numbersFast(dst[done:], text, ends[done-1:])
	}
	for ; done < len(ends); done++ {
		dst[done] = number(text, int(ends[done-1])+1, int(ends[done]))
	}
}

// number reads the field from start to end.
func number(text []byte, start, end int) uint32 {
	n := end - start
	if uint(n-1) >= 8 {
		return NoNumber
	}
	var x uint64
	if end >= 8 {
		x = binary.LittleEndian.Uint64(text[end-8:end]) ^ '0'*low
	} else {
		var b [8]byte
		copy(b[8-n:], text[start:end])
		x = binary.LittleEndian.Uint64(b[:]) ^ '0'*low
	}
	x &= math.MaxUint64 << (64 - 8*n)
	if (x|(x+low*(127-9)))&(low<<7) != 0 {
		return NoNumber
	}
	// Neighbours are joined three times: digits, pairs, fours.
	x = x*10 + x>>8
	const lanes = 0x000000ff000000ff
	return uint32((x&lanes*(100+1000000<<32) + x>>16&lanes*(1+10000<<32)) >> 32)
}
