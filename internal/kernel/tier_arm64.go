//go:build !purego

package kernel

// available is the best tier of this machine: every arm64 that Go runs on has
// NEON.
func available() tier { return neon }

// blockVectors is how many vectors of a row the products keep in registers.
const blockVectors = 16

// fusedVectors is how many vectors of a row one call of fused works on.
const fusedVectors = 8

// tileVectors is the width of the widest tile in vectors.
const tileVectors = 6

// lanes is the number of float64 in a vector.
func (tier) lanes() int { return 2 }

// widthOf returns the tier whose vectors suit the rows of a table of any number
// of columns.
func (t tier) widthOf(int) tier { return t }

// tile returns how many of n columns the next tile takes, in how many vectors,
// and the lanes of the last. Tiles are of about the same width: narrow ones
// have too few sums to keep the multipliers busy.
func (t tier) tile(n int) (width, nv, rem int) {
	full := tileVectors * t.lanes()
	tiles := (n + full - 1) / full
	width = min(n, (n+2*tiles-1)/(2*tiles)*2)
	nv, rem = t.vectors(width)
	return width, nv, rem
}

// tileRows returns how many of n rows the next tile of a triangle takes: four,
// or two and one where it ends.
func (tier) tileRows(n int) int {
	switch {
	case n >= 4:
		return 4
	case n >= 2:
		return 2
	}
	return 1
}
