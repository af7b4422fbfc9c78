//go:build !amd64 || purego

package kernel

// Group scan where there is no assembly for AVX-512.

const pressBytes = false

func placesFast(dst []uint32, _ []byte, _ [2]byte, _ int) ([]uint32, int) { return dst, 0 }

func (t *Triples) scanFast(_ []byte, _ []uint32, from, _ int) int { return from }

func keysFast(_ []uint64, _ []byte, _ []uint32, _, _ int) int { return 0 }
