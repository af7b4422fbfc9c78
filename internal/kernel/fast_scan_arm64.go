//go:build !purego

package kernel

// scanPiece is the number of runs of 64 bytes that a call looks at: a megabyte.
const scanPiece = 1 << 14

func cleanFast(text []byte) int {
	runs := len(text) / 64
	for lo := 0; lo < runs; lo += scanPiece {
		n, clean := min(scanPiece, runs-lo), 0
		clean128(&clean, &text[64*lo], n)
		if clean < n {
			return 64 * (lo + clean)
		}
	}
	return 64 * runs
}
