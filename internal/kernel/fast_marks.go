//go:build (amd64 || arm64) && !purego

package kernel

// marksFast sets the words of all whole runs of 64 bytes and returns their
// number.
func marksFast(dst []uint64, text []byte, set [4]byte) int {
	const piece = 1 << 16 // words: four megabytes
	words := len(text) / 64
	for lo := 0; lo < words; lo += piece {
		n := min(piece, words-lo)
		active.marks(&dst[lo], &text[64*lo], n, &set[0])
	}
	return words
}
