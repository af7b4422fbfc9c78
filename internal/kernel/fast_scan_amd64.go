//go:build !purego

package kernel

import "slices"

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
// how many bytes these are. Stores reach sixteen entries beyond the last.
func placesFast(dst []uint32, text []byte, set [4]byte, base int) ([]uint32, int) {
	runs := len(text) / 64
	if runs == 0 {
		return dst, 0
	}
	n, at := 0, len(dst)
	dst = slices.Grow(dst, 64*runs+16)
	room := dst[at : at+64*runs+16]
	places512(&room[0], &text[0], runs, &set[0], base, &n)
	return dst[:at+n], 64 * runs
}

// numbersFast reads the fields that end at ends[1:], as many as eights allow, and
// returns their number. Gathers take the eight bytes before an end.
func numbersFast(dst []uint32, text []byte, ends []uint32) int {
	n := (len(ends) - 1) &^ 7
	if n == 0 || len(text) >= 1<<31 || int(largest(ends[1:n+1])) > len(text) {
		return 0
	}
	const piece = 1 << 16
	for lo := 0; lo < n; lo += piece {
		numbers512(&dst[lo], &text[0], &ends[lo+1], min(piece, n-lo))
	}
	return n
}
