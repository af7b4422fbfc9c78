package kernel

// Planes holds m symmetric n×n matrices for plane rotations: for every pair
// p ≤ q, in lexicographic order, entry (p,q) of all of them side by side,
// filled up with zeros to Stride numbers.
type Planes struct {
	N, M, Stride int
	A            []float64
	row          []int // n×n: where the entries (p,i) begin in A
}

// planeLanes is the number of matrices that rows come in multiples of.
const planeLanes = 8

// NewPlanes returns m matrices of zeros.
func NewPlanes(n, m int) *Planes {
	p := &Planes{N: n, M: m, Stride: (m + planeLanes - 1) / planeLanes * planeLanes, row: make([]int, n*n)}
	p.A = make([]float64, n*(n+1)/2*p.Stride)
	at := 0
	for i := range n {
		for j := i; j < n; j++ {
			p.row[i*n+j], p.row[j*n+i] = at, at
			at += p.Stride
		}
	}
	return p
}

// At returns entry (i,j) of all matrices; they may be set.
func (p *Planes) At(i, j int) []float64 { return p.A[p.row[i*p.N+j]:][:p.M] }

// Sums returns Σf², Σh² and Σfh over the matrices, for f the entry (i,i) less
// (j,j) and h twice (i,j).
func (p *Planes) Sums(i, j int) (ff, hh, fh float64) {
	if active != plain {
		if ff, hh, fh, ok := planeSumsFast(p, i, j); ok {
			return ff, hh, fh
		}
	}
	x, y, z := p.At(i, i), p.At(j, j), p.At(i, j)
	for r := range x {
		f, h := x[r]-y[r], 2*z[r]
		ff += f * f
		hh += h * h
		fh += f * h
	}
	return ff, hh, fh
}

// Rotate applies A ← GᵀAG with G = [[c,−s],[s,c]] on (i,j), i < j, to all
// matrices.
func (p *Planes) Rotate(i, j int, c, s float64) {
	if active != plain && planesFast(p, i, j, c, s) {
		return
	}
	for h := range p.N {
		if h != i && h != j {
			rotatePlain(p.At(h, i), p.At(h, j), c, s)
		}
	}
	x, y, z := p.At(i, i), p.At(j, j), p.At(i, j)
	cc, ss, cs := c*c, s*s, c*s
	for r, xr := range x {
		yr, zr := y[r], z[r]
		x[r] = cc*xr + ss*yr + 2*cs*zr
		y[r] = ss*xr + cc*yr - 2*cs*zr
		z[r] = cs*(yr-xr) + (cc-ss)*zr
	}
}

// sound proves that a pair i < j lies inside the matrices, and these in their
// slice: NewPlanes made them so, but the fields are open.
func (p *Planes) sound(i, j int) bool {
	n := p.N
	return 0 <= i && i < j && j < n && p.Stride > 0 && p.Stride%planeLanes == 0 &&
		len(p.row) == n*n && len(p.A) == n*(n+1)/2*p.Stride && p.row[n*n-1] == len(p.A)-p.Stride
}

func planeSumsFast(p *Planes, i, j int) (ff, hh, fh float64, ok bool) {
	if !hasAngleSums() || !p.sound(i, j) {
		return 0, 0, 0, false
	}
	var sums [24]float64
	x, y, z := &p.A[p.row[i*p.N+i]], &p.A[p.row[j*p.N+j]], &p.A[p.row[i*p.N+j]]
	callAngleSums(&sums[0], x, y, z, p.Stride)
	for l := range 8 {
		ff += sums[l]
		hh += sums[8+l]
		fh += sums[16+l]
	}
	return ff, hh, fh, true
}

func planesFast(p *Planes, i, j int, c, s float64) bool {
	if !hasRotateRows() || !p.sound(i, j) {
		return false
	}
	n := p.N
	for _, run := range [3][2]int{{0, i}, {i + 1, j}, {j + 1, n}} {
		if lo, hi := run[0], run[1]; lo < hi {
			callRotateRows(&p.A[0], &p.row[i*n+lo], &p.row[j*n+lo], hi-lo, p.Stride, c, s)
		}
	}
	callTurnPair(&p.A[p.row[i*n+i]], &p.A[p.row[j*n+j]], &p.A[p.row[i*n+j]], p.Stride, c*c, s*s, c*s)
	return true
}
