package kernel

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"golang.org/x/sys/cpu"
)

// Clean returns the length of the start of text that holds ASCII only, and of
// the bytes below 32 none but 9 to 13 (tab, line ends): of all whole runs of 64
// bytes before the first that holds another byte.
func Clean(text []byte) int {
	if hasClean() {
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

// Places appends to dst the places in text that hold one of the two bytes of set,
// rising.
func Places(dst []uint32, text []byte, set [2]byte) []uint32 {
	const piece = 4096
	for base := 0; base < len(text); base += piece {
		part := text[base:min(base+piece, len(text))]
		done := 0
		if hasPlaces() && pressBytes {
			dst, done = placesFast(dst, part, set, base)
		}
		dst = placesPlain(dst, part[done:], set, base+done)
	}
	return dst
}

// placesPlain walks over the marks of at most 4096 bytes.
func placesPlain(dst []uint32, text []byte, set [2]byte, base int) []uint32 {
	var marks [64]uint64
	words := marks[:Marks(marks[:(len(text)+63)/64], text, [4]byte{set[0], set[1], set[0], set[1]})]
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

// Largest returns the largest of a number of indices, 0 where there are none.
func Largest(index []uint32) uint32 {
	if hasMaxIndex() {
		return largest(index)
	}
	var a, b, c, d uint32 // each waits for the one before it
	for ; len(index) >= 4; index = index[4:] {
		a, b, c, d = max(a, index[0]), max(b, index[1]), max(c, index[2]), max(d, index[3])
	}
	for _, h := range index {
		a = max(a, h)
	}
	return max(a, b, c, d)
}

// pressBytes says that the machine can press bytes together by a mask, which not
// every one with AVX-512 can.
var pressBytes = cpu.X86.HasAVX512VBMI && cpu.X86.HasAVX512VBMI2

// scanPiece is the number of runs of 64 bytes that a call looks at: a megabyte.
const scanPiece = 1 << 14

func cleanFast(text []byte) int {
	runs := len(text) / 64
	for lo := 0; lo < runs; lo += scanPiece {
		n, clean := min(scanPiece, runs-lo), 0
		callClean(&clean, &text[64*lo], n)
		if clean < n {
			return 64 * (lo + clean)
		}
	}
	return 64 * runs
}

// placesFast treats the whole runs of a text of at most 4096 bytes and returns
// how many bytes these are. Stores reach 32 entries beyond the last.
func placesFast(dst []uint32, text []byte, set [2]byte, base int) ([]uint32, int) {
	runs := len(text) / 64
	if runs == 0 {
		return dst, 0
	}
	n, at := 0, len(dst)
	dst = slices.Grow(dst, 64*runs+32)
	buffer := dst[at : at+64*runs+32]
	callPlaces(&buffer[0], &text[0], runs, &set[0], base, &n)
	return dst[:at+n], 64 * runs
}
