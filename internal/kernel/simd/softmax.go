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

// span goes through the numbers from at to end, two at a time and the last one alone;
// beside are addresses that go along.
func (c *code) span(at, end int, two, one func(), beside ...int) {
	on := func(by int) {
		for _, v := range append([]int{at}, beside...) {
			c.bump(v, by)
		}
	}
	c.while(func() { c.get(end); c.get(at); c.op(opSub); c.int(16); c.op(opGeU) }, func() { two(); on(16) })
	c.below(at, end)()
	c.when(func() { one(); on(8) })
}

// larger sets top to v where that is larger.
func (c *code) larger(top int, v func()) {
	scratch := c.local(f64)
	v()
	c.tee(scratch)
	c.get(top)
	c.get(top)
	c.get(scratch)
	c.op(opF64Lt)
	c.op(opSelect)
	c.set(top)
}

// lessLargest adds the bias to every row and takes its largest score from it, which
// it notes. Where that is −∞ the row becomes zeros.
func (c *code) lessLargest(bytes, end int) {
	x, row, bias, top, note, first := c.local(i32), c.local(i32), c.local(i32), c.local(f64), c.local(i32), c.local(i32)
	tops := c.local(v128)
	c.get(softX)
	c.set(x)
	c.get(softTop)
	c.set(note)
	c.while(c.below(x, end), func() {
		c.float(math.Inf(-1))
		c.set(top)
		c.floats(math.Inf(-1))
		c.set(tops)
		c.get(x)
		c.tee(first)
		c.get(bytes)
		c.op(opAdd)
		c.set(row)
		c.get(softBias)
		c.tee(bias)
		c.either(func() {
			sum := c.local(v128)
			c.span(x, row, func() {
				c.get(tops)
				c.get(x)
				c.get(x)
				c.vmem(vLoad, 0)
				c.get(bias)
				c.vmem(vLoad, 0)
				c.vec(vAddF64)
				c.tee(sum)
				c.vmem(vStore, 0)
				c.get(sum)
				c.vec(vPmaxF64)
				c.set(tops)
			}, func() {
				c.get(x)
				c.get(x)
				c.mem(opLoadF64, 0)
				c.get(bias)
				c.mem(opLoadF64, 0)
				c.op(opF64Add)
				c.mem(opStoreF64, 0)
				c.larger(top, func() { c.get(x); c.mem(opLoadF64, 0) })
			}, bias)
		}, func() {
			c.span(x, row, func() {
				c.get(tops)
				c.get(x)
				c.vmem(vLoad, 0)
				c.vec(vPmaxF64)
				c.set(tops)
			}, func() { c.larger(top, func() { c.get(x); c.mem(opLoadF64, 0) }) })
		})
		for lane := range byte(2) {
			c.larger(top, func() { c.get(tops); c.vec(vExtractF64, lane) })
		}
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
			c.get(top)
			c.vec(vSplatF64)
			c.set(tops)
			c.span(first, row, func() {
				c.get(first)
				c.get(first)
				c.vmem(vLoad, 0)
				c.get(tops)
				c.vec(vSubF64)
				c.vmem(vStore, 0)
			}, func() {
				c.get(first)
				c.get(first)
				c.mem(opLoadF64, 0)
				c.get(top)
				c.op(opF64Sub)
				c.mem(opStoreF64, 0)
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
	// expDegree: on |r| ≤ ln 2/2 the first term left out of Chebyshev's series is 3e-18;
	// Taylor's would need two terms more.
	expDegree = 11
	// rounder is 1.5·2⁵²: the low bits of a number to which it is added are the number,
	// rounded.
	rounder = 6755399441055744
)

// exponentials replaces all numbers, which are below 660 or NaN, by their
// exponentials: 2ⁿ·eʳ with |r| ≤ ln 2/2, eʳ by a polynomial, 2ⁿ by its bits.
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
		power := expPowers()
		series := func(from int, of func(h regs) int) {
			for i := from; i >= 0; i -= 2 {
				all(func(_ int, h regs) {
					if i == from {
						c.floats(power[i])
					} else {
						c.get(of(h))
						c.get(h.square)
						c.vec(vMulF64)
						c.floats(power[i])
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

// expPowers returns the coefficients of eʳ on |r| ≤ h = ln 2/2 in powers of r: those of
// e^(hx) = I₀(h) + 2 Σ Iₙ(h) Tₙ(x), cut off, with Iₙ Bessel's functions and Tₙ Chebyshev's
// polynomials.
func expPowers() []float64 {
	const h = math.Ln2 / 2
	bessel := func(n int) float64 {
		term := 1.0
		for i := 1; i <= n; i++ {
			term *= h / 2 / float64(i)
		}
		sum := 0.0
		for m := 1; m < 12; m++ {
			sum += term
			term *= h / 2 * h / 2 / float64(m*(m+n))
		}
		return sum
	}
	out := make([]float64, expDegree+1)
	before, now := make([]float64, expDegree+1), make([]float64, expDegree+1) // Tₙ₋₁, Tₙ in powers of x
	before[1], now[0] = 1, 1                                                  // T₋₁ = T₁
	for n := range expDegree + 1 {
		weight := 2 * bessel(n)
		if n == 0 {
			weight /= 2
		}
		for i, v := range now {
			out[i] += weight * v
		}
		next := make([]float64, expDegree+1)
		for i := range next {
			next[i] = -before[i]
			if i > 0 {
				next[i] += 2 * now[i-1]
			}
		}
		before, now = now, next
	}
	scale := 1.0
	for i := range out {
		out[i] /= scale
		scale *= h
	}
	return out
}

// shares divides every row by its sum, adds it to the counts, and notes the sum.
func (c *code) shares(bytes, end int) {
	x, row, count, note, at := c.local(i32), c.local(i32), c.local(i32), c.local(i32), c.local(i32)
	sum, v, sums, w := c.local(f64), c.local(f64), c.local(v128), c.local(v128)
	c.get(softX)
	c.set(x)
	c.get(softLog)
	c.set(note)
	times := func() { // shares of two, and of the last one
		c.get(x)
		c.get(x)
		c.vmem(vLoad, 0)
		c.get(sums)
		c.vec(vMulF64)
		c.tee(w)
		c.vmem(vStore, 0)
	}
	time := func() {
		c.get(x)
		c.get(x)
		c.mem(opLoadF64, 0)
		c.get(sum)
		c.op(opF64Mul)
		c.tee(v)
		c.mem(opStoreF64, 0)
	}
	c.while(c.below(x, end), func() {
		c.float(0)
		c.set(sum)
		c.floats(0)
		c.set(sums)
		c.get(x)
		c.tee(at)
		c.get(bytes)
		c.op(opAdd)
		c.set(row)
		c.span(at, row,
			func() { c.get(sums); c.get(at); c.vmem(vLoad, 0); c.vec(vAddF64); c.set(sums) },
			func() { c.get(at); c.mem(opLoadF64, 0); c.set(sum) })
		for lane := range byte(2) {
			c.get(sum)
			c.get(sums)
			c.vec(vExtractF64, lane)
			c.op(opF64Add)
			c.set(sum)
		}
		c.get(note)
		c.when(func() { c.get(note); c.get(sum); c.mem(opStoreF64, 0); c.bump(note, 8) })
		c.float(1)
		c.get(sum)
		c.op(opF64Div)
		c.tee(sum)
		c.vec(vSplatF64)
		c.set(sums)
		c.get(softCount)
		c.tee(count)
		c.either(func() {
			c.span(x, row, func() {
				times()
				c.get(count)
				c.get(count)
				c.vmem(vLoad, 0)
				c.get(w)
				c.vec(vAddF64)
				c.vmem(vStore, 0)
			}, func() {
				time()
				c.get(count)
				c.get(count)
				c.mem(opLoadF64, 0)
				c.get(v)
				c.op(opF64Add)
				c.mem(opStoreF64, 0)
			}, count)
		}, func() { c.span(x, row, times, time) })
	})
}

// logarithms replaces sums, which are at least 1 or NaN, by their logarithms plus
// the largest scores.
func (c *code) logarithms() {
	at, end, top := c.local(i32), c.local(i32), c.local(i32)
	r, sum := c.logRegs(), c.local(v128)
	c.get(softLog)
	c.set(at)
	shift3(c, softRows, end)
	c.step(end, softLog)
	c.get(softTop)
	c.set(top)
	plus := func(tops func()) {
		c.logarithm(sum, r)
		c.get(sum)
		tops()
		c.vec(vAddF64)
		c.set(sum)
	}
	c.span(at, end, func() {
		c.get(at)
		c.vmem(vLoad, 0)
		c.set(sum)
		plus(func() { c.get(top); c.vmem(vLoad, 0) })
		c.get(at)
		c.get(sum)
		c.vmem(vStore, 0)
	}, func() {
		c.get(at)
		c.vmem(vLoadZero64, 0)
		c.set(sum)
		plus(func() { c.get(top); c.vmem(vLoadZero64, 0) })
		c.get(at)
		c.get(sum)
		c.vmem(vStoreLane64, 0, 0)
	}, top)
}
