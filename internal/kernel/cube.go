package kernel

// Cube adds Σ_i v_i z_i⊗z_i⊗z_i to the packed symmetric cube dst: the entries
// a ≤ b ≤ c in lexicographic order, l(l+1)(l+2)/6 numbers. A nil v means ones.
func Cube(dst, z, v []float64, l int) {
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
