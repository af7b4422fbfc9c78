package kernel

// PackedMul sets y to A·x for a symmetric matrix of whole numbers, whose upper
// triangle is packed by rows as in Pairs.
func PackedMul(y []float64, a []int32, x []float64) {
	clear(y)
	if active == plain || !packedMulFast(y, a, x) {
		packedMulPlain(y, a, x)
	}
}

// PackedMul2 sets the columns of y to A·x for the two columns of x, one after
// the other, in half the time of two products: to the accuracy of single
// precision where the processor has kernels for it, in a buffer of PackedBuffer(d)
// numbers, or in its own.
func PackedMul2(y [2][]float64, a []int32, x [2][]float64, buffer []float32) {
	if packedMul2Fast(y, a, x, buffer) {
		return
	}
	for v := range y {
		PackedMul(y[v], a, x[v])
	}
}

// PackedBuffer is the number of numbers that PackedMul2 works in.
func PackedBuffer(d int) int { return 4 * (d + past) }

// past is how far past the end of a vector PackedMul2 may reach.
const past = 16

func packedMulPlain(y []float64, a []int32, x []float64) {
	d := len(x)
	for h, f := range x {
		row := a[PairRow(h, d)+h:][:d-h]
		s := y[h] + float64(row[0])*f
		xs, ys := x[h+1:], y[h+1:]
		row = row[1:][:len(xs)]
		ys = ys[:len(xs)]
		for m, c := range row {
			v := float64(c)
			s += v * xs[m]
			ys[m] += v * f
		}
		y[h] = s
	}
}

// widestTable is the number of features of a table that one call goes through:
// about a millisecond.
const widestTable = 4096

func packedMulFast(y []float64, a []int32, x []float64) bool {
	d := len(x)
	if d < 1 || d > widestTable || len(y) < d || len(a) < d*(d+1)/2 {
		return false
	}
	switch {
	case hasPackedMul():
		callPackedMul(&y[0], &a[0], &x[0], d)
	case hasFourRows():
		packedMulByFour(y, a, x)
	default:
		return false
	}
	return true
}

// packedMul2Fast works on copies in single precision, which the kernel may read
// and write past the end.
func packedMul2Fast(y [2][]float64, a []int32, x [2][]float64, buffer []float32) bool {
	d := len(x[0])
	if !hasPackedMul2() || d < 1 || d > widestTable || len(x[1]) != d || len(y[0]) != d || len(y[1]) != d || len(a) < d*(d+1)/2 {
		return false
	}
	if len(buffer) < PackedBuffer(d) {
		buffer = make([]float32, PackedBuffer(d))
	}
	clear(buffer)
	var in, out [2][]float32
	for v := range x {
		in[v], out[v] = buffer[2*v*(d+past):][:d], buffer[(2*v+1)*(d+past):][:d]
		for h, f := range x[v] {
			in[v][h] = float32(f)
		}
	}
	callPackedMul2(&out[0][0], &out[1][0], &a[0], &in[0][0], &in[1][0], d)
	for v := range y {
		for h, f := range out[v] {
			y[v][h] = float64(f)
		}
	}
	return true
}

// packedMulByFour takes four rows at a time: the triangle at their diagonal and
// what does not fill vectors is left to Go.
func packedMulByFour(y []float64, a []int32, x []float64) {
	d, h := len(x), 0
	for ; h+8 <= d; h += 4 {
		var rows [4][]int32 // from column h+4 on
		for i := range rows {
			rows[i] = packedCorner(y, a, x, h, i)
		}
		cols := d - h - 4
		whole := cols &^ 3
		var sums [4]float64
		callFourRows(&y[h+4], &x[h+4], whole, &rows[0][0], &rows[1][0], &rows[2][0], &rows[3][0], &x[h], &sums[0])
		for i, row := range rows {
			s, f := sums[i], x[h+i]
			for m := whole; m < cols; m++ {
				v := float64(row[m])
				s += v * x[h+4+m]
				y[h+4+m] += v * f
			}
			y[h+i] += s
		}
	}
	packedMulPlain(y[h:d], a[PairRow(h, d)+h:], x[h:])
}

// packedCorner adds what row h+i has in the columns up to h+3, and returns the
// rest of it.
func packedCorner(y []float64, a []int32, x []float64, h, i int) []int32 {
	d := len(x)
	row := a[PairRow(h+i, d)+h+i:][:d-h-i]
	y[h+i] += float64(row[0]) * x[h+i]
	for m := i + 1; m < 4; m++ {
		v := float64(row[m-i])
		y[h+i] += v * x[h+m]
		y[h+m] += v * x[h+i]
	}
	return row[4-i:]
}
