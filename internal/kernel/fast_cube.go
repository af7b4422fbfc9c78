//go:build (amd64 || arm64) && !purego

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
	if l < 1 || len(dst) < l*(l+1)*(l+2)/6 || v != nil && len(v) < len(z)/l {
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
	if l < 3 || len(dst) < l*(l+1)/2 || v != nil && len(v) < len(z)/l {
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

// packedLong is packedRow in a call for each of its rows.
func packedLong(dst, z []float64, f float64) {
	for b, zb := range z {
		axpyFast(dst, f*zb, z[b:])
		dst = dst[len(z)-b:]
	}
}

// rowsPanel is a run of rows and room for their scaled copies, whose rows are
// filled up with zeros to whole vectors.
type rowsPanel struct {
	z      []float64 // n×l
	v      *float64  // nil for ones
	l, n   int
	scaled []float64
	stride int
}

func newPanel(l int) *rowsPanel {
	nv, _ := active.vectors(l)
	stride := nv * active.lanes()
	return &rowsPanel{stride: stride, scaled: make([]float64, panel*stride)}
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
	m := p.l - a
	nv, rem := active.vectors(m)
	var col *float64
	if times {
		col = &p.z[a]
	}
	active.scale(&p.scaled[0], 8*p.stride, &p.z[a], 8*p.l, p.n, col, p.v, nv, rem)
	base := 0
	for b, rows := 0, 0; b < m; b += rows {
		rows = active.tileRows(m - b)
		for c, width := b, 0; c < m; c += width {
			var diag int
			if c == b {
				diag = 1
			}
			width, nv, rem = active.tile(m - c)
			active.triangle(p.n, &p.scaled[b], 8*p.stride, &p.z[a+c], 8*p.l, &dst[base+c-b], 8*(m-b-1), nv, rem, diag)
		}
		for r := b; r < b+rows; r++ {
			base += m - r
		}
	}
}
