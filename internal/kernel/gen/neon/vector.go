package neon

// vectors writes the kernels on plain vectors.
func (g *gen) vectors() {
	g.axpy()
	g.packedRow()
	g.rotate()
	g.maxIndex()
	g.zeros()
	g.marks()
}

func (g *gen) axpy() {
	g.fn("axpy", "adds f·x to the n numbers of dst.", "dst *float64", "x *float64", "n int", "f float64")
	g.over("a", "R2", 4, func(s step) { g.axpyStep(s, "R0", "R1") })
	g.p("RET")
}

// axpyStep adds the lower lane of register 0 times x to dst.
func (g *gen) axpyStep(s step, dst, x string) {
	g.load(dst, 0, 1, s.nv, s.half)
	g.load(x, 0, 16, s.nv, s.half)
	for v := range s.nv {
		g.w("FMLA0", 1+v, 16+v, 0)
	}
	g.store(dst, 0, 1, s.nv, s.half)
	g.forward(s, dst, x)
}

// packedRow writes the share of one record in a packed triangle.
func (g *gen) packedRow() {
	g.fn("packedRow", "adds f·z⊗z of m numbers to the packed triangle dst.", "dst *float64", "z *float64", "m int", "f float64")
	g.p("FMOVD F0, F31")
	g.p("row:")
	g.p("FMOVD (R1), F0")
	g.p("FMULD F31, F0, F0")
	g.p("MOVD R1, R3")
	g.p("MOVD R2, R4")
	g.over("p", "R4", 4, func(s step) { g.axpyStep(s, "R0", "R3") })
	g.p("ADD $8, R1")
	g.p("SUB $1, R2")
	g.p("CBNZ R2, row")
	g.p("RET")
}

func (g *gen) rotate() {
	g.fn("rotate", "turns the n pairs (x,y) into (c·x + s·y, c·y − s·x).", "x *float64", "y *float64", "n int", "c float64", "s float64")
	g.over("r", "R2", 4, func(s step) { g.rotateStep(s, "R0", "R1") })
	g.p("RET")
}

// maxIndex writes the test of bounds that the products need before they read
// a table without further checks.
func (g *gen) maxIndex() {
	g.fn("maxIndex", "raises the 64 bytes of lanes at top to the largest of the n indices, n a multiple of 16.",
		"top *uint32", "index *uint32", "n int")
	g.load("R0", 0, 0, 4, false)
	g.p("loop:")
	g.p("CBZ R2, done")
	g.load("R1", 0, 4, 4, false)
	for v := range 4 {
		g.p("VUMAX V%d.S4, V%d.S4, V%[2]d.S4", 4+v, v)
	}
	g.p("ADD $64, R1")
	g.p("SUB $16, R2")
	g.p("B loop")
	g.p("done:")
	g.store("R0", 0, 0, 4, false)
	g.p("RET")
}

// zeros writes the test for finite numbers.
func (g *gen) zeros() {
	g.fn("zeros", "sets the 64 bytes of lanes at sum to sums of 0·x over the n numbers of x: NaN where one is not finite.",
		"sum *float64", "x *float64", "n int")
	for v := range 5 {
		g.zero(v)
	}
	g.over("z", "R2", 4, func(s step) {
		g.load("R1", 0, 16, s.nv, s.half)
		for v := range s.nv {
			g.fmla(v, 16+v, 4)
		}
		g.forward(s, "R1")
	})
	g.store("R0", 0, 0, 4, false)
	g.p("RET")
}

// marks writes the scanner of bytes. Each byte that is found keeps the bit of
// its place among eight; adding neighbours three times brings eight bytes of
// them together.
func (g *gen) marks() {
	g.fn("marks", "sets n words of 64 bits, one for each byte of text: whether it is one of the four bytes of set.",
		"dst *uint64", "text *byte", "n int", "set *byte")
	for i := range 4 {
		g.p("VLD1R.P 1(R3), [V%d.B16]", i)
	}
	g.p("MOVD $0x8040201008040201, R4")
	g.p("VDUP R4, V4.D2")
	g.p("loop:")
	const text = 16
	g.load("R1", 0, text, 4, false)
	for v := text; v < text+4; v++ {
		const hit = 24
		for i := range 4 {
			g.p("VCMEQ V%d.B16, V%d.B16, V%d.B16", i, v, hit+i)
		}
		g.p("VORR V%d.B16, V%d.B16, V%[2]d.B16", hit+1, hit)
		g.p("VORR V%d.B16, V%d.B16, V%[2]d.B16", hit+3, hit+2)
		g.p("VORR V%d.B16, V%d.B16, V%[2]d.B16", hit+2, hit)
		g.p("VAND V4.B16, V%d.B16, V%d.B16", hit, v)
	}
	for _, pair := range [][2]int{{text, text + 1}, {text + 2, text + 3}, {text, text + 2}, {text, text}} {
		g.p("VADDP V%d.B16, V%d.B16, V%[2]d.B16", pair[1], pair[0])
	}
	g.p("FMOVD F%d, (R0)", text)
	g.p("ADD $8, R0")
	g.p("ADD $64, R1")
	g.p("SUB $1, R2")
	g.p("CBNZ R2, loop")
	g.p("RET")
}

// scan writes the search for bytes that are no plain text: allowed are 32 to 127
// and 9 to 13.
func (g *gen) scan() {
	g.fn("clean", "sets out to the number of runs of 64 bytes, of n, before the first that is not plain text.",
		"out *int", "text *byte", "n int")
	const first, above, text, low, high, fits = 0, 2, 16, 20, 24, 28
	for i, c := range []int{32, 9, 127 - 32, 13 - 9} { // first, first, above, above
		g.p("MOVD $%d, R3", c)
		g.p("VDUP R3, V%d.B16", i)
	}
	g.p("MOVD ZR, R4")
	g.p("loop:")
	g.load("R1", 0, text, 4, false)
	for v := range 4 {
		for i, t := range []int{low + v, high + v} {
			g.p("VSUB V%d.B16, V%d.B16, V%d.B16", first+i, text+v, t)
			g.p("VUMIN V%d.B16, V%d.B16, V%d.B16", above+i, t, fits)
			g.p("VCMEQ V%d.B16, V%d.B16, V%[2]d.B16", fits, t)
		}
		g.p("VORR V%d.B16, V%d.B16, V%[2]d.B16", high+v, low+v)
	}
	for _, pair := range [][2]int{{low, low + 1}, {low + 2, low + 3}, {low, low + 2}} {
		g.p("VAND V%d.B16, V%d.B16, V%[2]d.B16", pair[1], pair[0])
	}
	g.p("VMOV V%d.D[0], R5", low)
	g.p("VMOV V%d.D[1], R6", low)
	g.p("AND R5, R6, R5")
	g.p("CMN $1, R5")
	g.p("BNE done")
	g.p("ADD $1, R4")
	g.p("ADD $64, R1")
	g.p("CMP R2, R4")
	g.p("BNE loop")
	g.p("done:")
	g.p("MOVD R4, (R0)")
	g.p("RET")
}
