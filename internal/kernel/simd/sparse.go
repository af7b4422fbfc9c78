package simd

// Arguments of the products: out, offsets of rows, rows, indices, values or 0, in, and
// the bytes of a row (of the exported functions: its columns).
const (
	argOut = iota
	argPtr
	argRows
	argIndex
	argValue
	argIn
	argStride
)

// rows goes through the rows: e walks over the addresses of a row's indices up to
// end, v over those of its values.
func (c *code) rows(valued bool, each func(entries func(do func(p int)))) {
	e, end, v, p := c.local(i32), c.local(i32), c.local(i32), c.local(i32)
	begin := func(of, from int) {
		c.get(of)
		c.get(argPtr)
		c.mem(opLoad32, from)
		c.int(2)
		c.op(opShl)
		c.op(opAdd)
	}
	c.while(func() { c.get(argRows) }, func() {
		begin(argIndex, 0)
		c.set(e)
		begin(argIndex, 8)
		c.set(end)
		begin(argValue, 0)
		c.set(v)
		each(func(do func(p int)) {
			c.while(c.below(e, end), func() {
				do(p)
				c.bump(e, 4)
				if valued {
					c.bump(v, 4)
				}
			})
		})
		c.bump(argPtr, 8)
		c.bump(argRows, -1)
	})
}

// at sets p to the address of the row of a table that the present entry names. The
// walks of rows are the locals after the arguments, in the order in which it made them.
func (c *code) at(p, table int) {
	c.get(argStride + 1)
	c.mem(opLoad32, 0)
	c.get(argStride)
	c.op(opMul)
	c.get(table)
	c.op(opAdd)
	c.set(p)
}

// value puts the present value on the stack.
func (c *code) value() { c.get(argStride + 3); c.mem(opLoadF32, 0); c.op(opPromote) }

// wide says whether a tile is held in vectors, and in how many registers.
func wide(columns int) (kind byte, n int) {
	if columns == 1 {
		return f64, 1
	}
	return v128, columns / 2
}

func (c *code) load(kind byte, i int) {
	if kind == f64 {
		c.mem(opLoadF64, 8*i)
		return
	}
	c.vmem(vLoad, 16*i)
}

func (c *code) store(kind byte, i int) {
	if kind == f64 {
		c.mem(opStoreF64, 8*i)
		return
	}
	c.vmem(vStore, 16*i)
}

func (c *code) plus(kind byte) {
	if kind == f64 {
		c.op(opF64Add)
		return
	}
	c.vec(vAddF64)
}

func (c *code) times(kind byte) {
	if kind == f64 {
		c.op(opF64Mul)
		return
	}
	c.vec(vMulF64)
}

func (c *code) zero(kind byte) {
	if kind == f64 {
		c.float(0)
		return
	}
	c.floats(0)
}

// factor sets x to the present value, in every lane.
func (c *code) factor(kind byte, x int) {
	c.value()
	if kind == v128 {
		c.vec(vSplatF64)
	}
	c.set(x)
}

// gatherTile sets rows of out to sums of rows of in: kernel.Gather for a few columns.
func (c *code) gatherTile(columns int, valued bool) {
	kind, n := wide(columns)
	c.rows(valued, func(entries func(do func(p int))) {
		sum, x := make([]int, n), 0
		for i := range sum {
			sum[i] = c.local(kind)
			c.zero(kind)
			c.set(sum[i])
		}
		if valued {
			x = c.local(kind)
		}
		entries(func(p int) {
			c.at(p, argIn)
			if valued {
				c.factor(kind, x)
			}
			for i, s := range sum {
				c.get(s)
				c.get(p)
				c.load(kind, i)
				if valued {
					c.get(x)
					c.times(kind)
				}
				c.plus(kind)
				c.set(s)
			}
		})
		for i, s := range sum {
			c.get(argOut)
			c.get(s)
			c.store(kind, i)
		}
		c.step(argOut, argStride)
	})
}

// scatterTile adds rows of in to rows of out: kernel.Scatter for a few columns.
func (c *code) scatterTile(columns int, valued bool) {
	kind, n := wide(columns)
	c.rows(valued, func(entries func(do func(p int))) {
		z, x := make([]int, n), 0
		for i := range z {
			z[i] = c.local(kind)
			c.get(argIn)
			c.load(kind, i)
			c.set(z[i])
		}
		if valued {
			x = c.local(kind)
		}
		entries(func(p int) {
			c.at(p, argOut)
			if valued {
				c.factor(kind, x)
			}
			for i, v := range z {
				c.get(p)
				c.get(p)
				c.load(kind, i)
				c.get(v)
				if valued {
					c.get(x)
					c.times(kind)
				}
				c.plus(kind)
				c.store(kind, i)
			}
		})
		c.step(argIn, argStride)
	})
}

// spread cuts the columns of a product into tiles.
func spread(f8, f4, f2, f1 int) *code {
	c := function(7)
	rest := c.local(i32)
	c.get(argStride)
	c.set(rest)
	c.get(argStride)
	c.int(3)
	c.op(opShl)
	c.set(argStride)
	tile := func(columns, f int) {
		do := func(f int) {
			for a := range argStride + 1 {
				c.get(a)
			}
			c.call(f)
		}
		c.get(argValue)
		c.either(func() { do(f + 1) }, func() { do(f) })
		c.bump(argOut, 8*columns)
		c.bump(argIn, 8*columns)
		c.bump(rest, -columns)
	}
	enough := func(columns int) func() { return func() { c.get(rest); c.int(columns); c.op(opGeS) } }
	c.while(enough(8), func() { tile(8, f8) })
	for _, t := range [][2]int{{4, f4}, {2, f2}, {1, f1}} {
		enough(t[0])()
		c.when(func() { tile(t[0], t[1]) })
	}
	return c
}

// inside proves that offsets rise inside a number of entries, and that all indices
// are below rows.
func inside() *code {
	c := function(5, i32)
	const ptr, n, index, most, limit = 0, 1, 2, 3, 4
	last, now := c.local(i64), c.local(i64)
	first, end := c.local(i32), c.local(i32)
	top, high := c.local(v128), c.local(i32)
	no := func() { c.int(0); c.back() }
	c.get(ptr)
	c.mem(opLoad32, 0)
	c.set(first)
	c.while(func() { c.get(n) }, func() {
		c.get(ptr)
		c.mem(opLoad64, 0)
		c.tee(now)
		c.get(last)
		c.op(opI64LtS)
		c.when(no)
		c.get(now)
		c.set(last)
		c.bump(ptr, 8)
		c.bump(n, -1)
	})
	c.get(last)
	c.get(most)
	c.op(0xad) // to 64 bits
	c.op(opI64GtS)
	c.when(no)
	address := func(of func(), to int) {
		of()
		c.int(2)
		c.op(opShl)
		c.get(index)
		c.op(opAdd)
		c.set(to)
	}
	address(func() { c.get(last); c.op(0xa7) }, end) // to 32 bits
	address(func() { c.get(first) }, first)
	c.while(func() { c.get(end); c.get(first); c.op(opSub); c.int(16); c.op(opGeU) }, func() {
		c.get(top)
		c.get(first)
		c.vec(vLoad)
		c.body = append(c.body, 2, 0)
		c.vec(vMaxU32)
		c.set(top)
		c.bump(first, 16)
	})
	for lane := range byte(4) {
		c.get(top)
		c.vec(vExtractI32, lane)
		c.set(high)
		c.get(high)
		c.get(limit)
		c.op(opGeU)
		c.when(no)
	}
	c.while(c.below(first, end), func() {
		c.get(first)
		c.mem(opLoad32, 0)
		c.get(limit)
		c.op(opGeU)
		c.when(no)
		c.bump(first, 4)
	})
	c.int(1)
	return c
}
