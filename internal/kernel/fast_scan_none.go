//go:build !amd64 || purego

package kernel

// Group scan where there is no assembly for AVX-512.

func placesFast(dst []uint32, _ []byte, _ [4]byte, _ int) ([]uint32, int) { return dst, 0 }
func numbersFast(_ []uint32, _ []byte, _ []uint32) int                    { return 0 }
