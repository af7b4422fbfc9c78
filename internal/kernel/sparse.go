package kernel

// Gather sets dst (n×l) to X·B. Row i of X has the entries ptr[i] to ptr[i+1];
// a nil value slice means ones; b is d×l.
func Gather(dst []float64, ptr []int, index []uint32, value []float32, b []float64, l int) {
	if active == plain || !gatherFast(dst, ptr, index, value, b, l) {
		gatherPlain(dst, ptr, index, value, b, l)
	}
}

// Scatter adds Xᵀ·Z to dst (d×l); z is n×l.
func Scatter(dst []float64, ptr []int, index []uint32, value []float32, z []float64, l int) {
	if active == plain || !scatterFast(dst, ptr, index, value, z, l) {
		scatterPlain(dst, ptr, index, value, z, l)
	}
}

func gatherPlain(dst []float64, ptr []int, index []uint32, value []float32, b []float64, l int) {
	for i := range len(ptr) - 1 {
		z := dst[i*l : (i+1)*l]
		clear(z)
		lo, hi := ptr[i], ptr[i+1]
		if value == nil {
			for _, h := range index[lo:hi] {
				row := b[int(h)*l:][:len(z)]
				for a, v := range row {
					z[a] += v
				}
			}
			continue
		}
		vals := value[lo:hi]
		for e, h := range index[lo:hi] {
			x := float64(vals[e])
			row := b[int(h)*l:][:len(z)]
			for a, v := range row {
				z[a] += x * v
			}
		}
	}
}

func scatterPlain(dst []float64, ptr []int, index []uint32, value []float32, z []float64, l int) {
	for i := range len(ptr) - 1 {
		zi := z[i*l : (i+1)*l]
		lo, hi := ptr[i], ptr[i+1]
		if value == nil {
			for _, h := range index[lo:hi] {
				row := dst[int(h)*l:][:len(zi)]
				for a, v := range zi {
					row[a] += v
				}
			}
			continue
		}
		vals := value[lo:hi]
		for e, h := range index[lo:hi] {
			x := float64(vals[e])
			row := dst[int(h)*l:][:len(zi)]
			for a, v := range zi {
				row[a] += x * v
			}
		}
	}
}
