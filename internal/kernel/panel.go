package kernel

const (
	// fewRows is the number of rows up to which each is added by itself.
	fewRows = 7
	// panel is the number of rows whose scaled copies are held at once: those
	// of one tile stay in the first-level cache.
	panel = 128
	// longRow is the length from which a triangle is too long for one call.
	longRow = 1024
)

// cubeFast adds, for every a, the rows z·(v z_a) times the rows z from column a
// on: a packed triangle.
func cubeFast(dst, z, v []float64, l int) bool {
	if !hasGemm() || l < 1 || len(dst) < l*(l+1)*(l+2)/6 || v != nil && len(v) < len(z)/l {
		return false
	}
	n := len(z) / l
	if n <= fewRows {
		for i := range n {
			cubeRow(dst, z[i*l:(i+1)*l], weight(v, i))
		}
		return true
	}
	p := newPanel(l)
	for lo := 0; lo < n; lo += panel {
		p.set(z, v, l, lo, min(lo+panel, n))
		at := 0
		for a := range l {
			m := l - a
			p.triangle(dst[at:], a, true)
			at += m * (m + 1) / 2
		}
	}
	return true
}

func outerFast(dst, z, v []float64, l int) bool {
	if !hasGemm() || l < 3 || len(dst) < l*(l+1)/2 || v != nil && len(v) < len(z)/l {
		return false
	}
	n := len(z) / l
	if n <= fewRows {
		for i := range n {
			packedRow(dst, z[i*l:(i+1)*l], weight(v, i))
		}
		return true
	}
	p := newPanel(l)
	for lo := 0; lo < n; lo += panel {
		p.set(z, v, l, lo, min(lo+panel, n))
		p.triangle(dst, 0, false)
	}
	return true
}

func cubeRow(dst, z []float64, v float64) {
	at := 0
	for a, za := range z {
		m := len(z) - a
		packedRow(dst[at:], z[a:], v*za)
		at += m * (m + 1) / 2
	}
}

// packedRow adds f·z⊗z to a packed triangle.
func packedRow(dst, z []float64, f float64) {
	if len(z) > longRow {
		packedLong(dst, z, f)
		return
	}
	callPackedRow(&dst[0], &z[0], len(z), f)
}

// packedLong is packedRow in a call for each of its rows.
func packedLong(dst, z []float64, f float64) {
	for b, zb := range z {
		axpyFast(dst, f*zb, z[b:])
		dst = dst[len(z)-b:]
	}
}

// rowsPanel is a run of rows and room for their scaled copies, whose rows are
// filled up with zeros to whole vectors, and for some rows of a square of which
// the triangle is a part.
type rowsPanel struct {
	z      []float64 // n×l
	v      *float64  // nil for ones
	l, n   int
	scaled []float64
	stride int
	square []float64 // squareRows×l
}

// squareRows is the number of rows of a triangle that are summed up as parts of a
// square: a tile of the product of matrices. What it has too much is little.
const squareRows = 8

func newPanel(l int) *rowsPanel {
	stride := (l + 3) &^ 3
	return &rowsPanel{stride: stride, scaled: make([]float64, panel*stride), square: make([]float64, squareRows*l)}
}

func (p *rowsPanel) set(z, v []float64, l, lo, hi int) {
	p.z, p.l, p.n, p.v = z[lo*l:hi*l], l, hi-lo, nil
	if v != nil {
		p.v = &v[lo]
	}
}

// triangle adds Σ w z⊗z over the columns from a on to a packed triangle, where
// w is the weight of the row, times its entry in column a where times says so.
func (p *rowsPanel) triangle(dst []float64, a int, times bool) {
	m, lanes := p.l-a, min(active.lanes(), avx2.lanes())
	nv := (m + lanes - 1) / lanes
	var col *float64
	if times {
		col = &p.z[a]
	}
	callScale(&p.scaled[0], 8*p.stride, &p.z[a], 8*p.l, p.n, col, p.v, nv, m-(nv-1)*lanes)
	for b := 0; b < m; b += squareRows {
		rows, cols := min(squareRows, m-b), m-b
		square := p.square[:rows*cols]
		for r, at := 0, 0; r < rows; r++ { // sums go on where they were: in one call or two
			clear(square[r*cols:][:r])
			at += copy(square[r*cols+r:][:cols-r], dst[at:])
		}
		gemmFast(Matrix{square, rows, cols, cols}, Matrix{p.scaled[b:], p.n, rows, p.stride}, Matrix{p.z[a+b:], p.n, cols, p.l}, true)
		for r := range rows {
			dst = dst[copy(dst, square[r*cols+r:][:cols-r]):]
		}
	}
}
