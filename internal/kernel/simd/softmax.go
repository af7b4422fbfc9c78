package simd

import "math"

// Arguments of softmax; bias, log and count may be 0, and top has room for the
// rows' largest scores.
const (
	softX = iota
	softRows
	softK
	softBias
	softLog
	softCount
	softTop
)

// softmax is kernel.Softmax, in four rounds over a panel that stays in a cache:
// scores less the largest of their row, exponentials of all of them, sums and
// shares, logarithms of the sums.
func softmax() *code {
	c := function(7)
	bytes, end := c.local(i32), c.local(i32)
	shift3(c, softK, bytes)
	c.get(softX)
	c.get(softRows)
	c.get(bytes)
	c.op(opMul)
	c.op(opAdd)
	c.set(end)
	c.lessLargest(bytes, end)
	c.exponentials(end)
	c.shares(bytes, end)
	c.get(softLog)
	c.when(func() { c.logarithms() })
	return c
}

// exps replaces numbers by their exponentials.
func exps() *code {
	c := function(2)
	const n = 1
	end := c.local(i32)
	shift3(c, n, end)
	c.step(end, softX)
	c.exponentials(end)
	return c
}

func shift3(c *code, from, to int) { c.get(from); c.int(3); c.op(opShl); c.set(to) }

// lessLargest adds the bias to every row and takes its largest score from it, which
// it notes. Where that is −∞ the row becomes zeros.
func (c *code) lessLargest(bytes, end int) {
	x, row, bias, top, note, v := c.local(i32), c.local(i32), c.local(i32), c.local(f64), c.local(i32), c.local(f64)
	c.get(softX)
	c.set(x)
	c.get(softTop)
	c.set(note)
	c.while(c.below(x, end), func() {
		c.float(math.Inf(-1))
		c.set(top)
		c.get(x)
		c.get(bytes)
		c.op(opAdd)
		c.set(row)
		c.get(softBias)
		c.set(bias)
		first := c.local(i32)
		c.get(x)
		c.set(first)
		c.while(c.below(x, row), func() {
			c.get(x)
			c.mem(opLoadF64, 0)
			c.set(v)
			c.get(bias)
			c.when(func() {
				c.get(v)
				c.get(bias)
				c.mem(opLoadF64, 0)
				c.op(opF64Add)
				c.set(v)
				c.get(x)
				c.get(v)
				c.mem(opStoreF64, 0)
				c.bump(bias, 8)
			})
			c.get(v)
			c.get(top)
			c.get(top)
			c.get(v)
			c.op(opF64Lt)
			c.op(opSelect)
			c.set(top)
			c.bump(x, 8)
		})
		c.get(note)
		c.get(top)
		c.mem(opStoreF64, 0)
		c.bump(note, 8)
		c.get(top)
		c.float(math.Inf(-1))
		c.op(opF64Eq)
		c.either(func() {
			c.while(c.below(first, row), func() { c.get(first); c.float(0); c.mem(opStoreF64, 0); c.bump(first, 8) })
		}, func() {
			c.while(c.below(first, row), func() {
				c.get(first)
				c.get(first)
				c.mem(opLoadF64, 0)
				c.get(top)
				c.op(opF64Sub)
				c.mem(opStoreF64, 0)
				c.bump(first, 8)
			})
		})
	})
}

// pairs goes through the numbers from at to end, four, two and at last one at a time: do works
// on the given registers.
func (c *code) pairs(at, end int, do func(v []int)) {
	v := []int{c.local(v128), c.local(v128)}
	left := func(n int) func() { return func() { c.get(end); c.get(at); c.op(opSub); c.int(8 * n); c.op(opGeU) } }
	some := func(n int) func() {
		return func() {
			for i, r := range v[:n] {
				c.get(at)
				c.vmem(vLoad, 16*i)
				c.set(r)
			}
			do(v[:n])
			for i, r := range v[:n] {
				c.get(at)
				c.get(r)
				c.vmem(vStore, 16*i)
			}
			c.bump(at, 16*n)
		}
	}
	c.while(left(4), some(2))
	left(2)()
	c.when(some(1))
	c.below(at, end)()
	c.when(func() {
		c.get(at)
		c.vmem(vLoadZero64, 0)
		c.set(v[0])
		do(v[:1])
		c.get(at)
		c.get(v[0])
		c.vmem(vStoreLane64, 0, 0)
		c.bump(at, 8)
	})
}

const (
	ln2High = 6.93147180369123816490e-01 // 32 bits of ln 2: products with small numbers are exact
	ln2Low  = 1.90821492927058770002e-10
	// lowest is where exponentials are zero, and lift brings 2ⁿ for all n above it
	// among the normal numbers.
	lowest = -746
	lift   = 64
	// expDegree: on |r| ≤ ln 2/2 the first term left out is 4e-18.
	expDegree = 13
	// rounder is 1.5·2⁵²: the low bits of a number to which it is added are the number,
	// rounded.
	rounder = 6755399441055744
)

// exponentials replaces all numbers, which are below 660 or NaN, by their
// exponentials: 2ⁿ·eʳ with |r| ≤ ln 2/2, eʳ by its series, 2ⁿ by its bits.
func (c *code) exponentials(end int) {
	at := c.local(i32)
	c.get(softX)
	c.set(at)
	type regs struct{ n, r, square, even, odd int }
	held := make([]regs, 2)
	for i := range held {
		held[i] = regs{c.local(v128), c.local(v128), c.local(v128), c.local(v128), c.local(v128)}
	}
	c.pairs(at, end, func(v []int) {
		// Each step is taken for all registers before the next: they do not wait for each other.
		all := func(do func(x int, h regs)) {
			for i, x := range v {
				do(x, held[i])
			}
		}
		less := func(h regs, part float64) { c.get(h.n); c.floats(part); c.vec(vMulF64); c.vec(vSubF64) }
		all(func(x int, h regs) {
			c.get(x)
			c.floats(lowest)
			c.vec(vPmaxF64)
			c.tee(h.r)
			c.floats(math.Log2E)
			c.vec(vMulF64)
			c.vec(vNearestF64)
			c.set(h.n)
		})
		all(func(_ int, h regs) {
			c.get(h.r)
			less(h, ln2High)
			less(h, ln2Low)
			c.tee(h.r)
			c.get(h.r)
			c.vec(vMulF64)
			c.set(h.square)
		})
		series := func(from int, of func(h regs) int) {
			for i := from; i >= 0; i -= 2 {
				all(func(_ int, h regs) {
					if i == from {
						c.floats(inverseFactorial(i))
					} else {
						c.get(of(h))
						c.get(h.square)
						c.vec(vMulF64)
						c.floats(inverseFactorial(i))
						c.vec(vAddF64)
					}
					c.set(of(h))
				})
			}
		}
		series(expDegree-1, func(h regs) int { return h.even })
		series(expDegree, func(h regs) int { return h.odd })
		all(func(x int, h regs) {
			c.get(h.even)
			c.get(h.odd)
			c.get(h.r)
			c.vec(vMulF64)
			c.vec(vAddF64)
			c.get(h.n)
			c.floats(rounder)
			c.vec(vAddF64)
			c.int(52)
			c.vec(vShl64)
			c.twice((1023 + lift) << 52)
			c.vec(vAdd64)
			c.vec(vMulF64)
			c.floats(1.0 / (1 << lift))
			c.vec(vMulF64)
			c.get(x)
			c.floats(lowest)
			c.vec(vLtF64)
			c.vec(vAndNot)
			c.set(x)
		})
	})
}

func inverseFactorial(n int) float64 {
	v := 1.0
	for i := 2; i <= n; i++ {
		v *= float64(i)
	}
	return 1 / v
}

// shares divides every row by its sum, adds it to the counts, and notes the sum.
func (c *code) shares(bytes, end int) {
	x, row, count, note, at := c.local(i32), c.local(i32), c.local(i32), c.local(i32), c.local(i32)
	sum, v := c.local(f64), c.local(f64)
	c.get(softX)
	c.set(x)
	c.get(softLog)
	c.set(note)
	c.while(c.below(x, end), func() {
		c.float(0)
		c.set(sum)
		c.get(x)
		c.tee(at)
		c.get(bytes)
		c.op(opAdd)
		c.set(row)
		c.while(c.below(at, row), func() {
			c.get(sum)
			c.get(at)
			c.mem(opLoadF64, 0)
			c.op(opF64Add)
			c.set(sum)
			c.bump(at, 8)
		})
		c.get(note)
		c.when(func() { c.get(note); c.get(sum); c.mem(opStoreF64, 0); c.bump(note, 8) })
		c.float(1)
		c.get(sum)
		c.op(opF64Div)
		c.set(sum)
		c.get(softCount)
		c.set(count)
		c.while(c.below(x, row), func() {
			c.get(x)
			c.get(x)
			c.mem(opLoadF64, 0)
			c.get(sum)
			c.op(opF64Mul)
			c.tee(v)
			c.mem(opStoreF64, 0)
			c.get(count)
			c.when(func() {
				c.get(count)
				c.get(count)
				c.mem(opLoadF64, 0)
				c.get(v)
				c.op(opF64Add)
				c.mem(opStoreF64, 0)
				c.bump(count, 8)
			})
			c.bump(x, 8)
		})
	})
}

// logTerms: with |s| ≤ 0.172 the first term of the series left out is 2e-19.
const logTerms = 11

// halfRoot is the bits of √½: mantissas are taken from there to √2.
const halfRoot = 0x3fe6a09e667f3bcd

// logarithms replaces sums, which are at least 1 or NaN, by their logarithms plus
// the largest scores: e·ln 2 + 2·artanh s, s = (m−1)/(m+1), for a sum m·2ᵉ.
func (c *code) logarithms() {
	at, end, top := c.local(i32), c.local(i32), c.local(i32)
	e, s, square, sum := c.local(v128), c.local(v128), c.local(v128), c.local(v128)
	c.get(softLog)
	c.set(at)
	shift3(c, softRows, end)
	c.step(end, softLog)
	c.get(softTop)
	c.set(top)
	one := func(x int, tops func()) {
		c.get(x)
		c.twice(halfRoot)
		c.vec(vSub64)
		c.int(52)
		c.vec(vShrS64)
		c.set(e)
		c.get(x)
		c.get(e)
		c.int(52)
		c.vec(vShl64)
		c.vec(vSub64)
		c.floats(1)
		c.vec(vSubF64)
		c.tee(s)
		c.get(s)
		c.floats(2)
		c.vec(vAddF64)
		c.vec(vDivF64)
		c.tee(s)
		c.get(s)
		c.vec(vMulF64)
		c.set(square)
		c.get(e) // as a number
		c.twice(0x4330000000000000)
		c.vec(vOr)
		c.floats(1 << 52)
		c.vec(vSubF64)
		c.set(e)
		c.floats(2.0 / (2*logTerms + 1))
		for i := logTerms - 1; i >= 0; i-- {
			c.get(square)
			c.vec(vMulF64)
			c.floats(2 / float64(2*i+1))
			c.vec(vAddF64)
		}
		c.get(s)
		c.vec(vMulF64)
		c.get(e)
		c.floats(ln2Low)
		c.vec(vMulF64)
		c.vec(vAddF64)
		c.get(e)
		c.floats(ln2High)
		c.vec(vMulF64)
		c.vec(vAddF64)
		tops()
		c.vec(vAddF64)
		c.get(x) // NaN stays NaN
		c.get(x)
		c.vec(vSubF64)
		c.vec(vAddF64)
		c.set(x)
	}
	c.while(func() { c.get(end); c.get(at); c.op(opSub); c.int(16); c.op(opGeU) }, func() {
		c.get(at)
		c.vmem(vLoad, 0)
		c.set(sum)
		one(sum, func() { c.get(top); c.vmem(vLoad, 0) })
		c.get(at)
		c.get(sum)
		c.vmem(vStore, 0)
		c.bump(at, 16)
		c.bump(top, 16)
	})
	c.below(at, end)()
	c.when(func() {
		c.get(at)
		c.vmem(vLoadZero64, 0)
		c.set(sum)
		one(sum, func() { c.get(top); c.vmem(vLoadZero64, 0) })
		c.get(at)
		c.get(sum)
		c.vmem(vStoreLane64, 0, 0)
	})
}
