package simd

// logTerms: with |s| ≤ 0.172 the first term of the series left out is 2e-19.
const logTerms = 11

// halfRoot is the bits of √½: mantissas are taken from there to √2.
const halfRoot = 0x3fe6a09e667f3bcd

// logRegs are the registers of a logarithm.
type logRegs struct{ e, s, square int }

func (c *code) logRegs() logRegs { return logRegs{c.local(v128), c.local(v128), c.local(v128)} }

// logarithm replaces two positive normal numbers, or NaN, by their logarithms:
// e·ln 2 + 2·artanh s, s = (m−1)/(m+1), for a number m·2ᵉ.
func (c *code) logarithm(x int, r logRegs) {
	c.get(x)
	c.twice(halfRoot)
	c.vec(vSub64)
	c.int(52)
	c.vec(vShrS64)
	c.set(r.e)
	c.get(x)
	c.get(r.e)
	c.int(52)
	c.vec(vShl64)
	c.vec(vSub64)
	c.floats(1)
	c.vec(vSubF64)
	c.tee(r.s)
	c.get(r.s)
	c.floats(2)
	c.vec(vAddF64)
	c.vec(vDivF64)
	c.tee(r.s)
	c.get(r.s)
	c.vec(vMulF64)
	c.set(r.square)
	c.get(r.e) // as a number
	c.floats(rounder)
	c.vec(vAdd64)
	c.floats(rounder)
	c.vec(vSubF64)
	c.set(r.e)
	c.floats(2.0 / (2*logTerms + 1))
	for i := logTerms - 1; i >= 0; i-- {
		c.get(r.square)
		c.vec(vMulF64)
		c.floats(2 / float64(2*i+1))
		c.vec(vAddF64)
	}
	c.get(r.s)
	c.vec(vMulF64)
	c.get(r.e)
	c.floats(ln2Low)
	c.vec(vMulF64)
	c.vec(vAddF64)
	c.get(r.e)
	c.floats(ln2High)
	c.vec(vMulF64)
	c.vec(vAddF64)
	c.get(x) // NaN stays NaN
	c.get(x)
	c.vec(vSubF64)
	c.vec(vAddF64)
	c.set(x)
}

// logs replaces numbers by their logarithms.
func logs() *code {
	c := function(2)
	const n = 1
	end, r, x := c.local(i32), c.logRegs(), c.local(v128)
	shift3(c, n, end)
	c.step(end, softX)
	c.span(softX, end, func() {
		c.get(softX)
		c.vmem(vLoad, 0)
		c.set(x)
		c.logarithm(x, r)
		c.get(softX)
		c.get(x)
		c.vmem(vStore, 0)
	}, func() {
		c.get(softX)
		c.vmem(vLoadZero64, 0)
		c.set(x)
		c.logarithm(x, r)
		c.get(softX)
		c.get(x)
		c.vmem(vStoreLane64, 0, 0)
	})
	return c
}

// rates replaces odds by probabilities, row by row, and multiplies the numbers of
// a row of products by one and the odds.
func rates() *code {
	c := function(4)
	const x, rows, k, products = 0, 1, 2, 3
	bytes, row, product := c.local(i32), c.local(i32), c.local(i32)
	v, w := c.local(v128), c.local(f64)
	shift3(c, k, bytes)
	c.while(func() { c.get(rows) }, func() {
		c.get(x)
		c.get(bytes)
		c.op(opAdd)
		c.set(row)
		c.get(products)
		c.set(product)
		c.span(x, row, func() {
			c.get(x)
			c.get(x)
			c.vmem(vLoad, 0)
			c.tee(v)
			c.get(v)
			c.floats(1)
			c.vec(vAddF64)
			c.tee(v)
			c.vec(vDivF64)
			c.vmem(vStore, 0)
			c.get(product)
			c.get(product)
			c.vmem(vLoad, 0)
			c.get(v)
			c.vec(vMulF64)
			c.vmem(vStore, 0)
		}, func() {
			c.get(x)
			c.get(x)
			c.mem(opLoadF64, 0)
			c.tee(w)
			c.get(w)
			c.float(1)
			c.op(opF64Add)
			c.tee(w)
			c.op(opF64Div)
			c.mem(opStoreF64, 0)
			c.get(product)
			c.get(product)
			c.mem(opLoadF64, 0)
			c.get(w)
			c.op(opF64Mul)
			c.mem(opStoreF64, 0)
		}, product)
		c.bump(rows, -1)
	})
	return c
}
