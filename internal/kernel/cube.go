package kernel

// Cube adds Σ_i v_i z_i⊗z_i⊗z_i to the packed symmetric cube dst: the entries
// a ≤ b ≤ c in lexicographic order, l(l+1)(l+2)/6 numbers. A nil v means ones.
func Cube(dst, z, v []float64, l int) {
	if l == 2 {
		cube2(dst, z, v)
		return
	}
	if active == plain || !cubeFast(dst, z, v, l) {
		cubePlain(dst, z, v, l)
	}
}

// Outer adds Σ_i v_i z_i⊗z_i to the packed symmetric matrix dst: the entries
// a ≤ b in lexicographic order, l(l+1)/2 numbers. A nil v means ones.
func Outer(dst, z, v []float64, l int) {
	if active == plain || !outerFast(dst, z, v, l) {
		outerPlain(dst, z, v, l)
	}
}

// plainRows is the number of rows that the plain versions work on at once: they
// stay in a first- or second-level cache while all columns are done.
const plainRows = 128

// plainFew is the number of rows up to which each is added by itself.
const plainFew = 7

func cubePlain(dst, z, v []float64, l int) {
	if l < 1 || len(z) <= plainFew*l {
		cubeFew(dst, z, v, l)
	} else {
		cubePanels(dst, z, v, l)
	}
}

func outerPlain(dst, z, v []float64, l int) {
	if l < 1 || len(z) <= plainFew*l {
		outerFew(dst, z, v, l)
	} else {
		outerPanels(dst, z, v, l)
	}
}

// cubePanels adds, for every a ≤ b, the column v·z_a·z_b times the columns from
// b on.
func cubePanels(dst, z, v []float64, l int) {
	var va, vab [plainRows]float64
	for lo, n := 0, len(z)/l; lo < n; lo += plainRows {
		rows := z[lo*l : min(lo+plainRows, n)*l]
		w := weightsOf(v, lo, n)
		at := 0
		for a := range l {
			wa := scaleColumn(va[:], w, rows, l, a)
			for b := a; b < l; b++ {
				addColumns(dst[at:at+l-b], scaleColumn(vab[:], wa, rows, l, b), rows, l, b)
				at += l - b
			}
		}
	}
}

func outerPanels(dst, z, v []float64, l int) {
	var va [plainRows]float64
	for lo, n := 0, len(z)/l; lo < n; lo += plainRows {
		rows := z[lo*l : min(lo+plainRows, n)*l]
		w := weightsOf(v, lo, n)
		at := 0
		for a := range l {
			addColumns(dst[at:at+l-a], scaleColumn(va[:], w, rows, l, a), rows, l, a)
			at += l - a
		}
	}
}

// cubeFew adds row after row: the same sums in the same order.
func cubeFew(dst, z, v []float64, l int) {
	for i := 0; (i+1)*l <= len(z) && l > 0; i++ {
		at := 0
		zi := z[i*l : (i+1)*l]
		for a, za := range zi {
			at += packedPlain(dst[at:], zi[a:], weight(v, i)*za)
		}
	}
}

func outerFew(dst, z, v []float64, l int) {
	for i := 0; (i+1)*l <= len(z) && l > 0; i++ {
		packedPlain(dst, z[i*l:(i+1)*l], weight(v, i))
	}
}

// packedPlain adds f·z⊗z to a packed triangle and returns its length.
func packedPlain(dst, z []float64, f float64) int {
	at := 0
	for b, zb := range z {
		t, tail := f*zb, z[b:]
		out := dst[at:][:len(tail)]
		for c, zc := range tail {
			out[c] += t * zc
		}
		at += len(tail)
	}
	return at
}

// weight returns the weight of row i; a nil v means ones.
func weight(v []float64, i int) float64 {
	if v == nil {
		return 1
	}
	return v[i]
}

// weightsOf returns the weights of the rows from lo on, nil for ones.
func weightsOf(v []float64, lo, n int) []float64 {
	if v == nil {
		return nil
	}
	return v[lo:n]
}

// scaleColumn returns w times column a of the rows, in dst; a nil w means ones.
func scaleColumn(dst, w, rows []float64, l, a int) []float64 {
	dst = dst[:len(rows)/l]
	if w == nil {
		for i := range dst {
			dst[i] = rows[a]
			a += l
		}
		return dst
	}
	w = w[:len(dst)]
	for i := range dst {
		dst[i] = w[i] * rows[a]
		a += l
	}
	return dst
}

// addColumns adds Σ_i t_i times the columns from b on to dst, eight sums at a
// time in registers.
func addColumns(dst, t, rows []float64, l, b int) {
	for ; len(dst) >= 8; dst = dst[8:] {
		d := dst[:8:8]
		s0, s1, s2, s3, s4, s5, s6, s7 := d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7]
		at := b
		for _, f := range t {
			r := rows[at : at+8 : at+8]
			s0 += f * r[0]
			s1 += f * r[1]
			s2 += f * r[2]
			s3 += f * r[3]
			s4 += f * r[4]
			s5 += f * r[5]
			s6 += f * r[6]
			s7 += f * r[7]
			at += l
		}
		d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7] = s0, s1, s2, s3, s4, s5, s6, s7
		b += 8
	}
	for ; len(dst) >= 3; dst = dst[3:] {
		d := dst[:3:3]
		s0, s1, s2 := d[0], d[1], d[2]
		at := b
		for _, f := range t {
			r := rows[at : at+3 : at+3]
			s0 += f * r[0]
			s1 += f * r[1]
			s2 += f * r[2]
			at += l
		}
		d[0], d[1], d[2] = s0, s1, s2
		b += 3
	}
	for j := range dst {
		s, at := dst[j], b+j
		for _, f := range t {
			s += f * rows[at]
			at += l
		}
		dst[j] = s
	}
}

// cube2 is the case of two columns, the one of splits in two, in all tiers:
// four sums in registers, term by term those of cubePlain.
func cube2(dst, z, v []float64) {
	d := dst[:4]
	aaa, aab, abb, bbb := d[0], d[1], d[2], d[3]
	for i := 0; i+2 <= len(z); i += 2 {
		a, b := z[i], z[i+1]
		va, vb := a, b
		if v != nil {
			va, vb = v[i/2]*a, v[i/2]*b
		}
		aaa += va * a * a
		aab += va * a * b
		abb += va * b * b
		bbb += vb * b * b
	}
	d[0], d[1], d[2], d[3] = aaa, aab, abb, bbb
}
