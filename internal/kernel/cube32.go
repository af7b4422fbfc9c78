package kernel

import "fmt"

// Cube32 adds Σ_i w_i z_i⊗z_i⊗z_i to the packed symmetric cube dst, as Cube
// does, for the first l of the ld numbers of each row of z. Sums of some hundred
// rows are in single precision, those of all in double. It works in room, or in
// one of its own where that has not Room32 numbers.
func Cube32(dst []float64, z, w []float32, l, ld int, room []float32) {
	n := len(w)
	if l < 1 || ld < l || len(z) < n*ld || len(dst) < l*(l+1)*(l+2)/6 {
		panic(fmt.Sprintf("kernel: a cube of %d columns from %d rows of %d", l, n, ld))
	}
	if active != plain && cube32Fast(dst, z, w, l, ld, room) {
		return
	}
	wide, v := make([]float64, n*l), make([]float64, n)
	for i := range n {
		v[i] = float64(w[i])
		for a, x := range z[i*ld:][:l] {
			wide[i*l+a] = float64(x)
		}
	}
	Cube(dst, wide, v, l)
}

const (
	// CubeRows32 is the number of rows that Cube32 turns into columns and sums up
	// in single precision at once, each lane a few dozen to a hundred of them:
	// it is quickest on multiples.
	CubeRows32 = 512
	// cubeStride32 is the number of numbers from one column to the next: columns
	// that begin a multiple of 4096 bytes apart would meet in a few places of the
	// cache.
	cubeStride32 = CubeRows32 + Lanes32
	// cubeSide32 is the most columns on each side of a tile of sums.
	cubeSide32 = 5
)

// Room32 is the number of numbers that Cube32 works in: columns, those of a
// tile, weights, and the last rows of a panel.
func Room32(ld int) int { return (ld+cubeSide32+1)*cubeStride32 + Lanes32*ld }
