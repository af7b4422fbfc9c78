//go:build (amd64 || arm64) && !purego

package kernel

func largestFast(index []uint32) (uint32, bool) {
	if active == plain {
		return 0, false
	}
	return largest(index), true
}
