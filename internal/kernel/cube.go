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

func cubePlain(dst, z, v []float64, l int) {
	for i := 0; (i+1)*l <= len(z) && l > 0; i++ {
		zi := z[i*l : (i+1)*l]
		vi := 1.0
		if v != nil {
			vi = v[i]
		}
		at := 0
		for a, za := range zi {
			za *= vi
			for b := a; b < l; b++ {
				t := za * zi[b]
				tail := zi[b:]
				out := dst[at:][:len(tail)]
				for c, zc := range tail {
					out[c] += t * zc
				}
				at += len(tail)
			}
		}
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

func outerPlain(dst, z, v []float64, l int) {
	for i := 0; (i+1)*l <= len(z) && l > 0; i++ {
		zi := z[i*l : (i+1)*l]
		vi := 1.0
		if v != nil {
			vi = v[i]
		}
		at := 0
		for a, za := range zi {
			t := vi * za
			tail := zi[a:]
			out := dst[at:][:len(tail)]
			for c, zc := range tail {
				out[c] += t * zc
			}
			at += len(tail)
		}
	}
}
