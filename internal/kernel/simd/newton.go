package simd

import "math"

// ends is span for vectors that are loaded and stored whole, or, the last one, in a lane.
func (c *code) ends(at, end int, do func(load func(from int), store func(to int, v func())), beside ...int) {
	two := func() {
		do(func(from int) { c.get(from); c.vmem(vLoad, 0) }, func(to int, v func()) { c.get(to); v(); c.vmem(vStore, 0) })
	}
	one := func() {
		do(func(from int) { c.get(from); c.vmem(vLoadZero64, 0) }, func(to int, v func()) { c.get(to); v(); c.vmem(vStoreLane64, 0, 0) })
	}
	c.span(at, end, two, one, beside...)
}

// curves is kernel.Curves.
func curves() *code {
	c := function(8)
	const grad, curve, sum, p, rows, k, overall, prior = 0, 1, 2, 3, 4, 5, 6, 7
	bytes, end, total, records, halves := c.local(i32), c.local(i32), c.local(i32), c.local(i32), c.local(i32)
	share, q, there := c.local(v128), c.local(v128), c.local(v128)
	shift3(c, k, bytes)
	c.while(func() { c.get(rows) }, func() {
		c.get(overall)
		c.mem(opLoadF64, 0)
		c.vec(vSplatF64)
		c.set(share)
		from := prior
		for _, v := range []int{total, records, halves} {
			c.get(from)
			if from != prior {
				c.get(bytes)
				c.op(opAdd)
			}
			c.set(v)
			from = v
		}
		c.get(grad)
		c.get(bytes)
		c.op(opAdd)
		c.set(end)
		c.ends(grad, end, func(load func(int), store func(int, func())) {
			load(total)
			load(p)
			c.tee(q)
			c.vec(vMulF64)
			c.set(there)
			store(grad, func() {
				load(sum)
				load(records)
				c.get(share)
				c.vec(vMulF64)
				c.vec(vAddF64)
				load(halves)
				c.vec(vAddF64)
				c.get(there)
				c.vec(vSubF64)
			})
			store(curve, func() {
				c.get(there)
				c.floats(1)
				c.get(q)
				c.vec(vSubF64)
				c.vec(vMulF64)
			})
		}, curve, sum, p, total, records, halves)
		c.bump(overall, 8)
		c.bump(rows, -1)
	})
	return c
}

// shifts is kernel.Shifts.
func shifts() *code {
	c := function(7)
	const out, b, features, groups, shift, q, steep = 0, 1, 2, 3, 4, 5, 6
	bytes, stride, left, at, end, from, own := c.local(i32), c.local(i32), c.local(i32), c.local(i32), c.local(i32), c.local(i32), c.local(i32)
	high, low, odds := c.local(v128), c.local(v128), c.local(v128)
	shift3(c, q, bytes)
	shift3(c, features, stride)
	c.get(steep)
	c.op(opConvert)
	c.vec(vSplatF64)
	c.tee(high)
	c.floats(math.Copysign(1, -1))
	c.vec(vMulF64)
	c.set(low)
	c.while(func() { c.get(features) }, func() {
		c.get(groups)
		c.set(left)
		c.get(b)
		c.set(own)
		c.get(shift)
		c.get(bytes)
		c.op(opAdd)
		c.set(end)
		c.while(func() { c.get(left) }, func() {
			c.get(own)
			c.mem(opLoadF64, 0)
			c.vec(vSplatF64)
			c.set(odds)
			c.get(shift)
			c.set(from)
			c.get(out)
			c.set(at)
			c.ends(from, end, func(load func(int), store func(int, func())) {
				store(at, func() {
					load(from)
					c.get(odds)
					c.vec(vAddF64)
					c.get(low)
					c.vec(vPmaxF64)
					c.get(high)
					c.vec(vPminF64)
				})
			}, at)
			c.step(out, bytes)
			c.step(own, stride)
			c.bump(left, -1)
		})
		c.step(shift, bytes)
		c.bump(b, 8)
		c.bump(features, -1)
	})
	return c
}
