package neon

// joint writes plane rotations of many matrices at once. Their numbers come in
// multiples of eight: four vectors.
func (g *gen) joint() {
	g.rotateRows()
	g.angleSums()
	g.turnPair()
}

// eights runs body over the numbers that reg, which it spoils, counts.
func (g *gen) eights(id, reg string, body func(s step)) {
	g.p("%s:", id)
	body(step{4, false})
	g.p("SUB $8, %s", reg)
	g.p("CBNZ %s, %s", reg, id)
}

// rotateStep turns the numbers at x and y by the lower lanes of registers 0, c,
// and 1, s.
func (g *gen) rotateStep(s step, xPtr, yPtr string) {
	const x, y, v, w = 2, 6, 16, 20
	g.load(xPtr, 0, x, s.nv, s.half)
	g.load(yPtr, 0, y, s.nv, s.half)
	for i := range s.nv {
		g.w("FMUL0", v+i, y+i, 1)
		g.w("FMUL0", w+i, y+i, 0)
		g.w("FMLA0", v+i, x+i, 0)
		g.w("FMLS0", w+i, x+i, 1)
	}
	g.store(xPtr, 0, v, s.nv, s.half)
	g.store(yPtr, 0, w, s.nv, s.half)
	g.forward(s, xPtr, yPtr)
}

// rotateRows writes a rotation of two rows of vectors that stand anywhere.
func (g *gen) rotateRows() {
	g.fn("rotateRows", "turns the rows x and y of a, n pairs of m numbers each, into (c·x + s·y, c·y − s·x); the rows begin so many numbers from a. m is a multiple of 8.",
		"a *float64", "x *int", "y *int", "n int", "m int", "c float64", "s float64")
	g.p("row:")
	g.p("MOVD.P 8(R1), R5")
	g.p("MOVD.P 8(R2), R6")
	g.p("ADD R5<<3, R0, R5")
	g.p("ADD R6<<3, R0, R6")
	g.p("MOVD R4, R7")
	g.eights("loop", "R7", func(s step) { g.rotateStep(s, "R5", "R6") })
	g.p("SUB $1, R3")
	g.p("CBNZ R3, row")
	g.p("RET")
}

// angleSums writes the sums that decide the angle of a pair.
func (g *gen) angleSums() {
	g.fn("angleSums", "sets the 64 bytes each of sums to lanes that add up to Σf², Σh² and Σfh for f = x − y and h = 2z of m numbers, a multiple of 8.",
		"sums *float64", "x *float64", "y *float64", "z *float64", "m int")
	const ff, hh, fh, x, y, z = 0, 4, 8, 16, 20, 24
	for v := range 12 {
		g.zero(v)
	}
	g.eights("loop", "R4", func(s step) {
		g.load("R1", 0, x, s.nv, s.half)
		g.load("R2", 0, y, s.nv, s.half)
		g.load("R3", 0, z, s.nv, s.half)
		for i := range s.nv {
			g.w("FSUB", x+i, x+i, y+i)
			g.w("FADD", z+i, z+i, z+i)
			g.fmla(ff+i, x+i, x+i)
			g.fmla(hh+i, z+i, z+i)
			g.fmla(fh+i, x+i, z+i)
		}
		g.forward(s, "R1", "R2", "R3")
	})
	g.store("R0", 0, 0, 12, false)
	g.p("RET")
}

// turnPair writes the rotation of the four entries where both rows meet.
func (g *gen) turnPair() {
	g.fn("turnPair", "turns m numbers of x, y and z, the entries (p,p), (q,q) and (p,q), by an angle of cosine c and sine s: c2 and s2 are squares, cs the product. m is a multiple of 8.",
		"x *float64", "y *float64", "z *float64", "m int", "c2 float64", "s2 float64", "cs float64")
	const c2, s2, cs, twice, less = 0, 1, 2, 3, 4
	g.p("FADDD F%d, F%[1]d, F%d", cs, twice)
	g.p("FSUBD F%d, F%d, F%d", s2, c2, less)
	g.eights("loop", "R3", func(s step) {
		const x, y, z, v, w, d = 16, 20, 24, 8, 12, 28
		g.load("R0", 0, x, s.nv, s.half)
		g.load("R1", 0, y, s.nv, s.half)
		g.load("R2", 0, z, s.nv, s.half)
		for i := range s.nv {
			g.w("FMUL0", v+i, z+i, twice)
			g.w("FMLA0", v+i, x+i, c2)
			g.w("FMLA0", v+i, y+i, s2)
			g.w("FMUL0", w+i, x+i, s2)
			g.w("FMLA0", w+i, y+i, c2)
			g.w("FMLS0", w+i, z+i, twice)
			g.w("FSUB", d+i, y+i, x+i)
			g.w("FMUL0", d+i, d+i, cs)
			g.w("FMLA0", d+i, z+i, less)
		}
		g.store("R0", 0, v, s.nv, s.half)
		g.store("R1", 0, w, s.nv, s.half)
		g.store("R2", 0, d, s.nv, s.half)
		g.forward(s, "R0", "R1", "R2")
	})
	g.p("RET")
}
