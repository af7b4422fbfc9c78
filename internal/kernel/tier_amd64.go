//go:build !purego

package kernel

import "golang.org/x/sys/cpu"

// available is the best tier of this machine.
func available() tier {
	x := cpu.X86
	switch {
	case !x.HasAVX2 || !x.HasFMA:
		return plain
	case !x.HasAVX512F || !x.HasAVX512DQ || !x.HasAVX512BW || !x.HasAVX512VL:
		return avx2
	}
	return avx512
}

// lanes is the number of float64 in a vector of the tier.
func (t tier) lanes() int {
	if t == avx512 {
		return 8
	}
	return 4
}

// blockVectors is how many vectors of a row the products keep in registers.
const blockVectors = 8

// fusedVectors is how many vectors of a row one call of fused works on.
const fusedVectors = 4

// widthOf returns the tier whose vectors suit the rows of a table of l columns.
// Wide vectors that begin anywhere straddle the borders of cache lines, and
// cost more than narrow ones; so wide ones are kept for rows of whole vectors.
func (t tier) widthOf(l int) tier {
	if l%t.lanes() != 0 {
		return avx2
	}
	return t
}

// tile returns how many of n columns the next tile takes, in how many vectors,
// and the lanes of the last. In AVX2 a tile of three vectors has no register
// left for a mask, and must be full.
func (t tier) tile(n int) (width, nv, rem int) {
	full := 3 * t.lanes()
	width = min(n, full)
	if t != avx512 && width < full {
		width = min(width, 2*t.lanes())
	}
	nv, rem = t.vectors(width)
	return width, nv, rem
}

// tileRows returns how many of n rows the next tile of a triangle takes.
func (t tier) tileRows(n int) int { return min(n, t.lanes()) }
