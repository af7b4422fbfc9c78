//go:build !purego

package kernel

import (
	"slices"

	"golang.org/x/sys/cpu"
)

// pressBytes says that the machine can press bytes together by a mask, which not
// every one with AVX-512 can.
var pressBytes = cpu.X86.HasAVX512VBMI && cpu.X86.HasAVX512VBMI2

// scanPiece is the number of runs of 64 bytes that a call looks at: a megabyte.
const scanPiece = 1 << 14

func cleanFast(text []byte) int {
	runs := len(text) / 64
	for lo := 0; lo < runs; lo += scanPiece {
		n, clean := min(scanPiece, runs-lo), 0
		if active == avx512 {
			clean512(&clean, &text[64*lo], n)
		} else {
			clean256(&clean, &text[64*lo], n)
		}
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
	room := dst[at : at+64*runs+32]
	places512(&room[0], &text[0], runs, &set[0], base, &n)
	return dst[:at+n], 64 * runs
}

// scanFast goes on from line from, as far as eights allow, and returns the line
// where it ends.
func (t *Triples) scanFast(text []byte, ends []uint32, from, to int) int {
	const piece = 1 << 12 // lines
	for from+8 <= to {
		n := min(to-from, piece) &^ 7
		before := ends[3*from]
		if before < 8 || int(before) >= len(text) || len(text) >= 1<<31 {
			return from
		}
		t.grow(n)
		last := [...]uint32{t.Last[0], t.Last[1], uint32(from), 0, 0}
		at, done := len(t.Start), 0
		triples512(&t.Feature[from], &t.Small[from], &text[0], len(text), &ends[3*from+1], n,
			&t.Start[:at+1][at], &t.Record[:at+1][at], &t.Records, &last[0], &done)
		t.Last = [2]uint32(last[:2])
		t.Falls = t.Falls || last[3] != 0
		t.Start, t.Record = t.Start[:at+int(last[4])], t.Record[:at+int(last[4])]
		from += done
		if done < n {
			break
		}
	}
	return from
}

// keysFast treats rows as far as eights allow and returns their number.
func keysFast(dst []uint64, text []byte, ends []uint32, width, field int) int {
	const piece = 1 << 12 // rows
	if len(text) < 8 || len(text) >= 1<<31 || width < 1 || field < 0 || field >= width || len(ends) <= len(dst)*width || width >= 1<<20 {
		return 0
	}
	lo := 0
	for lo+8 <= len(dst) {
		n, done := min(len(dst)-lo, piece)&^7, 0
		keys512(&dst[lo], &text[0], len(text), &ends[lo*width+field], width, n, &done)
		lo += done
		if done < n {
			break
		}
	}
	return lo
}
