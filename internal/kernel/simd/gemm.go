package simd

// Arguments of products of matrices: where the numbers are, how many rows and columns the
// product has and how many numbers are added to each, and how many bytes stand between
// rows of the product, rows and columns of the first factor, and rows of the second.
const (
	gemmOut = iota
	gemmA
	gemmB
	gemmRows
	gemmCols
	gemmDepth
	gemmOutRow
	gemmARow
	gemmACol
	gemmBRow
	gemmArgs
)

// gemmTile adds A·B to a few columns of the product, row by row: sums keep their order.
func gemmTile(columns int) *code {
	c := function(gemmArgs)
	kind, n := wide(columns)
	a, b, left, x := c.local(i32), c.local(i32), c.local(i32), c.local(kind)
	sum := make([]int, n)
	for i := range sum {
		sum[i] = c.local(kind)
	}
	c.while(func() { c.get(gemmRows) }, func() {
		for i, s := range sum {
			c.get(gemmOut)
			c.load(kind, i)
			c.set(s)
		}
		for _, v := range [][2]int{{gemmA, a}, {gemmB, b}, {gemmDepth, left}} {
			c.get(v[0])
			c.set(v[1])
		}
		c.while(func() { c.get(left) }, func() {
			c.get(a)
			c.mem(opLoadF64, 0)
			if kind == v128 {
				c.vec(vSplatF64)
			}
			c.set(x)
			for i, s := range sum {
				c.get(s)
				c.get(b)
				c.load(kind, i)
				c.get(x)
				c.times(kind)
				c.plus(kind)
				c.set(s)
			}
			c.step(a, gemmACol)
			c.step(b, gemmBRow)
			c.bump(left, -1)
		})
		for i, s := range sum {
			c.get(gemmOut)
			c.get(s)
			c.store(kind, i)
		}
		c.step(gemmOut, gemmOutRow)
		c.step(gemmA, gemmARow)
		c.bump(gemmRows, -1)
	})
	return c
}

// gemm cuts the columns of the product into tiles.
func gemm(f8, f4, f2, f1 int) *code {
	c := function(gemmArgs)
	tile := func(columns, f int) {
		for a := range gemmArgs {
			c.get(a)
		}
		c.call(f)
		c.bump(gemmOut, 8*columns)
		c.bump(gemmB, 8*columns)
		c.bump(gemmCols, -columns)
	}
	enough := func(columns int) func() { return func() { c.get(gemmCols); c.int(columns); c.op(opGeS) } }
	c.while(enough(8), func() { tile(8, f8) })
	for _, t := range [][2]int{{4, f4}, {2, f2}, {1, f1}} {
		enough(t[0])()
		c.when(func() { tile(t[0], t[1]) })
	}
	return c
}
