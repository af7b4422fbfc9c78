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

// gemmTogether are the rows of the product that a tile makes at a time: their sums do not
// wait for each other, and what is loaded of the second factor serves all of them. More than
// eight sums do not stay in registers.
func gemmTogether(columns int) int {
	if columns == 8 {
		return 2
	}
	return 4
}

// gemmTile adds A·B to a few columns of the product, some rows at a time and then those that
// are left one by one: sums keep their order.
func gemmTile(columns int) *code {
	c := function(gemmArgs)
	kind, n := wide(columns)
	most := gemmTogether(columns)
	b, left, x, y := c.local(i32), c.local(i32), c.local(kind), c.local(kind)
	var a, out []int // where the rows of the first factor and of the product are
	sum := make([][]int, most)
	for r := range most {
		a, out = append(a, c.local(i32)), append(out, c.local(i32))
		for range n {
			sum[r] = append(sum[r], c.local(kind))
		}
	}
	some := func(rows int) func() {
		return func() {
			for r := range rows {
				c.get(gemmA)
				c.set(a[r])
				c.step(gemmA, gemmARow)
				c.get(gemmOut)
				c.set(out[r])
				c.step(gemmOut, gemmOutRow)
				for i, s := range sum[r] {
					c.get(out[r])
					c.load(kind, i)
					c.set(s)
				}
			}
			c.get(gemmB)
			c.set(b)
			c.get(gemmDepth)
			c.set(left)
			c.while(func() { c.get(left) }, func() {
				c.gemmStep(kind, a[:rows], b, x, y, sum)
				c.bump(left, -1)
			})
			for r := range rows {
				for i, s := range sum[r] {
					c.get(out[r])
					c.get(s)
					c.store(kind, i)
				}
			}
			c.bump(gemmRows, -rows)
		}
	}
	c.while(func() { c.get(gemmRows); c.int(most); c.op(opGeS) }, some(most))
	c.while(func() { c.get(gemmRows) }, some(1))
	return c
}

// gemmStep adds the product of one number of each row of the first factor, at a, and a row of
// the second, at b, to the sums, and goes on to the next; x and y are free.
func (c *code) gemmStep(kind byte, a []int, b, x, y int, sum [][]int) {
	n := len(sum[0])
	splat := func(r int) {
		c.get(a[r])
		c.mem(opLoadF64, 0)
		if kind == v128 {
			c.vec(vSplatF64)
		}
	}
	add := func(s, p, q int) {
		c.get(s)
		c.get(p)
		c.get(q)
		c.times(kind)
		c.plus(kind)
		c.set(s)
	}
	if len(a) > 1 && n <= 2 { // what is loaded of the second factor stays, the rows pass by
		held := []int{x, y}[:n]
		for i, v := range held {
			c.get(b)
			c.load(kind, i)
			c.set(v)
		}
		z := c.local(kind)
		for r := range a {
			splat(r)
			c.set(z)
			for i, v := range held {
				add(sum[r][i], v, z)
			}
		}
	} else {
		first := []int{x, y}[:len(a)]
		for r, v := range first {
			splat(r)
			c.set(v)
		}
		z := c.local(kind)
		for i := range n {
			c.get(b)
			c.load(kind, i)
			c.set(z)
			for r, v := range first {
				add(sum[r][i], z, v)
			}
		}
	}
	for _, v := range a {
		c.step(v, gemmACol)
	}
	c.step(b, gemmBRow)
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
