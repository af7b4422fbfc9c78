//go:build (amd64 || arm64) && !purego

package kernel

// sound proves that a pair i < j lies inside the matrices, and these in their
// slice: NewPlanes made them so, but the fields are open.
func (p *Planes) sound(i, j int) bool {
	n := p.N
	return 0 <= i && i < j && j < n && p.Stride > 0 && p.Stride%planeLanes == 0 &&
		len(p.row) == n*n && len(p.A) == n*(n+1)/2*p.Stride && p.row[n*n-1] == len(p.A)-p.Stride
}

func planeSumsFast(p *Planes, i, j int) (ff, hh, fh float64, ok bool) {
	if !p.sound(i, j) {
		return 0, 0, 0, false
	}
	var sums [24]float64
	x, y, z := &p.A[p.row[i*p.N+i]], &p.A[p.row[j*p.N+j]], &p.A[p.row[i*p.N+j]]
	active.angleSums(&sums[0], x, y, z, p.Stride)
	for l := range 8 {
		ff += sums[l]
		hh += sums[8+l]
		fh += sums[16+l]
	}
	return ff, hh, fh, true
}

func planesFast(p *Planes, i, j int, c, s float64) bool {
	if !p.sound(i, j) {
		return false
	}
	n := p.N
	for _, run := range [3][2]int{{0, i}, {i + 1, j}, {j + 1, n}} {
		if lo, hi := run[0], run[1]; lo < hi {
			active.rotateRows(&p.A[0], &p.row[i*n+lo], &p.row[j*n+lo], hi-lo, p.Stride, c, s)
		}
	}
	active.turnPair(&p.A[p.row[i*n+i]], &p.A[p.row[j*n+j]], &p.A[p.row[i*n+j]], p.Stride, c*c, s*s, c*s)
	return true
}
