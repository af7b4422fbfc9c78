//go:build !purego

package kernel

// cube32Fast is for rows of whole vectors.
func cube32Fast(dst []float64, z, w []float32, l, ld int, room []float32) bool {
	if ld%Lanes32 != 0 {
		return false
	}
	if len(room) < Room32(ld) {
		room = make([]float32, Room32(ld))
	}
	p := cubePanel{l: l}
	p.columns, room = room[:ld*cubeStride32], room[ld*cubeStride32:]
	p.scaled, room = room[:cubeSide32*cubeStride32], room[cubeSide32*cubeStride32:]
	p.weights, room = room[:CubeRows32], room[CubeRows32:]
	p.blocks = blocksOf(l, active.side())
	for lo := 0; lo < len(w); lo += CubeRows32 {
		hi := min(lo+CubeRows32, len(w))
		p.load(z[lo*ld:hi*ld], w[lo:hi], ld, room[:Lanes32*ld])
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
func (p *cubePanel) load(z, w []float32, ld int, room []float32) {
	lanes, n := 2*active.lanes(), len(w)
	p.vectors = (n + lanes - 1) / lanes
	copy(p.weights, w)
	clear(p.weights[n : p.vectors*lanes])
	whole := n / lanes * lanes
	p.turn(0, z, whole, ld)
	if n > whole {
		room = room[:lanes*ld]
		clear(room[copy(room, z[whole*ld:]):])
		p.turn(whole, room, lanes, ld)
	}
}

// turn makes columns of n rows, whole vectors of them, from row lo on.
func (p *cubePanel) turn(lo int, z []float32, n, ld int) {
	switch {
	case n == 0:
	case active == avx512:
		columns512(&p.columns[lo], 4*cubeStride32, (p.l+3)/4, &z[0], 4*ld, n)
	default:
		columns256(&p.columns[lo], 4*cubeStride32, (p.l+3)/4, &z[0], 4*ld, n)
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
	if active == avx512 {
		corner512(p.vectors, &p.weights[0], x, z, y, 4*cubeStride32, t, &p.sums[0])
	} else {
		corner256(p.vectors, &p.weights[0], x, z, y, 4*cubeStride32, t, &p.sums[0])
	}
}

// tile sums up the t columns of the last corner times the s from c on.
func (p *cubePanel) tile(c, t, s int) {
	if active == avx512 {
		tile512(p.vectors, &p.scaled[0], &p.columns[c*cubeStride32], 4*cubeStride32, t, s, &p.sums[0])
	} else {
		tile256(p.vectors, &p.scaled[0], &p.columns[c*cubeStride32], 4*cubeStride32, t, s, &p.sums[0])
	}
}

func addSums(dst []float64, sums []float32) {
	dst = dst[:len(sums)]
	for i, v := range sums {
		dst[i] += float64(v)
	}
}
