package kernel

// DenseMul sets dst (n×l) to X·B for dense rows x (n×d) and b (d×l).
func DenseMul(dst, x []float64, d int, b []float64, l int) {
	clear(dst)
	for i := 0; (i+1)*d <= len(x); i++ {
		z := dst[i*l : (i+1)*l]
		for h, v := range x[i*d : (i+1)*d] {
			if v == 0 {
				continue
			}
			row := b[h*l:][:len(z)]
			for a, w := range row {
				z[a] += v * w
			}
		}
	}
}

// DenseTransMul adds Xᵀ·Z to dst (d×l) for dense rows x (n×d) and z (n×l).
func DenseTransMul(dst, x []float64, d int, z []float64, l int) {
	for i := 0; (i+1)*d <= len(x); i++ {
		zi := z[i*l : (i+1)*l]
		for h, v := range x[i*d : (i+1)*d] {
			if v == 0 {
				continue
			}
			row := dst[h*l:][:len(zi)]
			for a, w := range zi {
				row[a] += v * w
			}
		}
	}
}

// Cube adds Σ_i v_i z_i⊗z_i⊗z_i to the packed symmetric cube dst: the entries
// a ≤ b ≤ c in lexicographic order, l(l+1)(l+2)/6 numbers. A nil v means ones.
func Cube(dst, z, v []float64, l int) {
	for i := 0; (i+1)*l <= len(z); i++ {
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

// Outer adds Σ_i v_i z_i⊗z_i to the packed symmetric matrix dst: the entries
// a ≤ b in lexicographic order, l(l+1)/2 numbers. A nil v means ones.
func Outer(dst, z, v []float64, l int) {
	for i := 0; (i+1)*l <= len(z); i++ {
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
