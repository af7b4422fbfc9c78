package kernel

import (
	"fmt"
)

// Cube32 adds Σ_i w_i z_i⊗z_i⊗z_i to the packed symmetric cube dst, as Cube
// does, for the first l of the ld numbers of each row of z. Sums of some hundred
// rows are in single precision, those of all in double. It works in buffer, or in
// one of its own where that has not Buffer32 numbers.
func Cube32(dst []float64, z, w []float32, l, ld int, buffer []float32) {
	n := len(w)
	if l < 1 || ld < l || len(z) < n*ld || len(dst) < l*(l+1)*(l+2)/6 {
		panic(fmt.Sprintf("kernel: a cube of %d columns from %d rows of %d", l, n, ld))
	}
	if active != plain && cube32Fast(dst, z, w, l, ld, buffer) {
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
	cubeSide32 = 4
)

// Buffer32 is the number of numbers that Cube32 works in: columns, those of a
// tile, weights, and the last rows of a panel.
func Buffer32(ld int) int { return (ld+cubeSide32+1)*cubeStride32 + Lanes32*ld }

// cube32Fast is for rows of whole vectors.
func cube32Fast(dst []float64, z, w []float32, l, ld int, buffer []float32) bool {
	if !hasCorner() || ld%Lanes32 != 0 {
		return false
	}
	if len(buffer) < Buffer32(ld) {
		buffer = make([]float32, Buffer32(ld))
	}
	p := cubePanel{l: l}
	p.columns, buffer = buffer[:ld*cubeStride32], buffer[ld*cubeStride32:]
	p.scaled, buffer = buffer[:cubeSide32*cubeStride32], buffer[cubeSide32*cubeStride32:]
	p.weights, buffer = buffer[:CubeRows32], buffer[CubeRows32:]
	p.blocks = blocksOf(l, active.side())
	for lo := 0; lo < len(w); lo += CubeRows32 {
		hi := min(lo+CubeRows32, len(w))
		p.load(z[lo*ld:hi*ld], w[lo:hi], ld, buffer[:Lanes32*ld])
		p.add(dst)
	}
	return true
}

// side is the most columns on each side of a tile.
func (t tier) side() int {
	if t == avx512 {
		return cubeSide32
	}
	return 3
}

// blocksOf returns where parts of l columns begin, of at most so many and about
// as many each, and the end of the last.
func blocksOf(l, most int) []int {
	n := (l + most - 1) / most
	out := make([]int, n+1)
	for i := range out {
		out[i] = i * l / n
	}
	return out
}

// cubePanel is a panel of rows whose cube is added up.
type cubePanel struct {
	l, vectors int       // columns, and vectors of rows
	columns    []float32 // l×CubeRows32
	scaled     []float32 // side×CubeRows32: columns times another and the weights
	weights    []float32 // CubeRows32
	blocks     []int     // where parts of the columns begin
	sums       [2 * Lanes32]float32
}

// load takes rows of ld numbers over, the last of them by way of room.
func (p *cubePanel) load(z, w []float32, ld int, buffer []float32) {
	lanes, n := 2*active.lanes(), len(w)
	p.vectors = (n + lanes - 1) / lanes
	copy(p.weights, w)
	clear(p.weights[n : p.vectors*lanes])
	whole := n / lanes * lanes
	p.turn(0, z, whole, ld)
	if n > whole {
		buffer = buffer[:lanes*ld]
		clear(buffer[copy(buffer, z[whole*ld:]):])
		p.turn(whole, buffer, lanes, ld)
	}
}

// turn makes columns of n rows, whole vectors of them, from row lo on.
func (p *cubePanel) turn(lo int, z []float32, n, ld int) {
	if n > 0 {
		callColumns(&p.columns[lo], 4*cubeStride32, (p.l+3)/4, &z[0], 4*ld, n)
	}
}

// add adds the cube of the panel: for every column a the triangle of products of
// the columns from a on, in tiles.
func (p *cubePanel) add(dst []float64) {
	for a, i := 0, 0; a < p.l; a++ {
		if a >= p.blocks[i+1] {
			i++
		}
		m := p.l - a
		triangle := dst[:m*(m+1)/2]
		dst = dst[len(triangle):]
		lo := a
		for j := i; j+1 < len(p.blocks); j++ {
			p.addRows(triangle, a, lo, j)
			lo = p.blocks[j+1]
		}
	}
}

// addRows adds the rows of a triangle from column lo to the end of block j.
func (p *cubePanel) addRows(triangle []float64, a, lo, j int) {
	t := p.blocks[j+1] - lo
	p.corner(a, lo, t)
	sums, m := p.sums[:], p.l-a
	row := (lo-a)*m - (lo-a)*(lo-a-1)/2 // where that of column lo begins
	for r, at := 0, row; r < t; r++ {
		addSums(triangle[at:], sums[:t-r])
		sums, at = sums[t-r:], at+p.l-lo-r
	}
	for j++; j+1 < len(p.blocks); j++ {
		c, s := p.blocks[j], p.blocks[j+1]-p.blocks[j]
		p.tile(c, t, s)
		for r, at := 0, row+c-lo; r < t; r++ {
			addSums(triangle[at:], p.sums[r*s:][:s])
			at += p.l - lo - r - 1
		}
	}
}

// corner sums up the t columns from lo on, times column a and the weights, times
// themselves.
func (p *cubePanel) corner(a, lo, t int) {
	x, z, y := &p.columns[a*cubeStride32], &p.columns[lo*cubeStride32], &p.scaled[0]
	callCorner(p.vectors, &p.weights[0], x, z, y, 4*cubeStride32, t, &p.sums[0])
}

// tile sums up the t columns of the last corner times the s from c on.
func (p *cubePanel) tile(c, t, s int) {
	callTile(p.vectors, &p.scaled[0], &p.columns[c*cubeStride32], 4*cubeStride32, t, s, &p.sums[0])
}

func addSums(dst []float64, sums []float32) {
	dst = dst[:len(sums)]
	for i, v := range sums {
		dst[i] += float64(v)
	}
}
