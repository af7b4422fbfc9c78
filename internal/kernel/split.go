package kernel

// Pairs adds the pairs of features of every row to a packed table over d
// features: entry (h,m), h ≤ m, stands at PairRow(h,d)+m. Indices rise within
// a row; a row's feature makes a pair with itself.
func Pairs(table []int32, ptr []int, index []uint32, d int) {
	if active == plain || !pairsFast(table, ptr, index, d) {
		pairsPlain(table, ptr, index, d)
	}
}

// RealPairs is Pairs for a table of float64.
func RealPairs(table []float64, ptr []int, index []uint32, d int) {
	if active == plain || !realPairsFast(table, ptr, index, d) {
		pairsPlain(table, ptr, index, d)
	}
}

// PairRow returns where row h of a packed table over d features begins, less
// h, so that entry (h,m) stands at PairRow+m.
func PairRow(h, d int) int { return h*d - h*(h+1)/2 }

func pairsPlain[T int32 | float64](table []T, ptr []int, index []uint32, d int) {
	for i := range len(ptr) - 1 {
		row := index[ptr[i]:ptr[i+1]]
		for e, h := range row {
			counts := table[PairRow(int(h), d):]
			for _, m := range row[e:] {
				counts[m]++
			}
		}
	}
}

// PackedMul sets y to A·x for a symmetric matrix of whole numbers, whose upper
// triangle is packed by rows as in Pairs.
func PackedMul(y []float64, a []int32, x []float64) {
	clear(y)
	if active == plain || !packedMulFast(y, a, x) {
		packedMulPlain(y, a, x)
	}
}

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
