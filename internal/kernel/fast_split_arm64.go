//go:build !purego

package kernel

// widestTable is the number of features of a table whose row goes through in
// one call.
const widestTable = 1 << 18

// packedMulFast takes four rows at a time: the triangle at their diagonal and
// what does not fill vectors is left to Go.
func packedMulFast(y []float64, a []int32, x []float64) bool {
	d := len(x)
	if d < 1 || d > widestTable || len(y) < d || len(a) < d*(d+1)/2 {
		return false
	}
	h := 0
	for ; h+8 <= d; h += 4 {
		var rows [4][]int32 // from column h+4 on
		for i := range rows {
			rows[i] = packedCorner(y, a, x, h, i)
		}
		cols := d - h - 4
		whole := cols &^ 3
		var sums [4]float64
		fourRows128(&y[h+4], &x[h+4], whole, &rows[0][0], &rows[1][0], &rows[2][0], &rows[3][0], &x[h], &sums[0])
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
	return true
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
