package x86

import "fmt"

// joint writes plane rotations of many matrices at once.
func (g *gen) joint() {
	g.rotateRows()
	g.angleSums()
	g.turnPair()
}

// rotateRows writes a rotation of two rows of vectors that stand anywhere.
func (g *gen) rotateRows() {
	g.fn("rotateRows", "turns the rows x and y of a, n pairs of m numbers each, into (c·x + s·y, c·y − s·x); the rows begin so many numbers from a. m is a multiple of 8.",
		"a *float64", "x *int", "y *int", "n int", "m int", "c float64", "s float64")
	g.args("a DI", "x SI", "y DX", "n R13", "m R8")
	g.p("SHLQ $3, R8")
	g.p("VBROADCASTSD c+40(FP), %s", g.reg(0))
	g.p("VBROADCASTSD s+48(FP), %s", g.reg(1))
	g.p("row:")
	g.p("MOVQ (SI), R9")
	g.p("LEAQ (DI)(R9*8), R9")
	g.p("MOVQ (DX), R10")
	g.p("LEAQ (DI)(R10*8), R10")
	g.p("XORQ AX, AX")
	g.p("loop:")
	for u := range 64 / g.bytes {
		at := u * g.bytes
		x, y, v, w := g.reg(2+4*u), g.reg(3+4*u), g.reg(4+4*u), g.reg(5+4*u)
		g.p("VMOVUPD %d(R9)(AX*1), %s", at, x)
		g.p("VMOVUPD %d(R10)(AX*1), %s", at, y)
		g.p("VMULPD %s, %s, %s", y, g.reg(1), v)
		g.p("VMULPD %s, %s, %s", x, g.reg(1), w)
		g.p("VFMADD231PD %s, %s, %s", x, g.reg(0), v)
		g.p("VFMSUB231PD %s, %s, %s", y, g.reg(0), w)
		g.p("VMOVUPD %s, %d(R9)(AX*1)", v, at)
		g.p("VMOVUPD %s, %d(R10)(AX*1)", w, at)
	}
	g.p("ADDQ $64, AX")
	g.p("CMPQ AX, R8")
	g.p("JLT loop")
	g.p("ADDQ $8, SI")
	g.p("ADDQ $8, DX")
	g.p("DECQ R13")
	g.p("JNE row")
	g.end()
}

// angleSums writes the sums that decide the angle of a pair.
func (g *gen) angleSums() {
	g.fn("angleSums", "sets the 64 bytes each of sums to lanes that add up to Σf², Σh² and Σfh for f = x − y and h = 2z of m numbers, a multiple of 8.",
		"sums *float64", "x *float64", "y *float64", "z *float64", "m int")
	g.args("sums DI", "x SI", "y DX", "z BX", "m R8")
	g.p("SHLQ $3, R8")
	vectors := 64 / g.bytes
	for i := range 3 * vectors {
		g.zero(i)
	}
	g.p("XORQ AX, AX")
	g.p("loop:")
	for u := range vectors {
		f, h := g.reg(8), g.reg(9)
		at := u * g.bytes
		g.p("VMOVUPD %d(SI)(AX*1), %s", at, f)
		g.p("VSUBPD %d(DX)(AX*1), %s, %[2]s", at, f)
		g.p("VMOVUPD %d(BX)(AX*1), %s", at, h)
		g.p("VADDPD %s, %s, %[1]s", h, h)
		g.p("VFMADD231PD %s, %[1]s, %s", f, g.reg(u))
		g.p("VFMADD231PD %s, %[1]s, %s", h, g.reg(vectors+u))
		g.p("VFMADD231PD %s, %s, %s", f, h, g.reg(2*vectors+u))
	}
	g.p("ADDQ $64, AX")
	g.p("CMPQ AX, R8")
	g.p("JLT loop")
	for i := range 3 * vectors {
		g.p("VMOVUPD %s, %d(DI)", g.reg(i), i*g.bytes)
	}
	g.end()
}

// turnPair writes the rotation of the four entries where both rows meet.
func (g *gen) turnPair() {
	g.fn("turnPair", "turns m numbers of x, y and z, the entries (p,p), (q,q) and (p,q), by an angle of cosine c and sine s: c2 and s2 are squares, cs the product. m is a multiple of 8.",
		"x *float64", "y *float64", "z *float64", "m int", "c2 float64", "s2 float64", "cs float64")
	g.args("x SI", "y DX", "z BX", "m R8")
	g.p("SHLQ $3, R8")
	for i, name := range []string{"c2", "s2", "cs"} {
		g.p("VBROADCASTSD %s+%d(FP), %s", name, g.At(name), g.reg(i))
	}
	g.p("VADDPD %s, %[1]s, %s", g.reg(2), g.reg(3))        // 2cs
	g.p("VSUBPD %s, %s, %s", g.reg(1), g.reg(0), g.reg(4)) // c² − s²
	g.p("XORQ AX, AX")
	g.p("loop:")
	for u := range 64 / g.bytes {
		at := u * g.bytes
		mem := func(r string) string { return fmt.Sprintf("%d(%s)(AX*1)", at, r) }
		x, y, z, v, w, d := g.reg(5), g.reg(6), g.reg(7), g.reg(8), g.reg(9), g.reg(10)
		g.p("VMOVUPD %s, %s", mem("SI"), x)
		g.p("VMOVUPD %s, %s", mem("DX"), y)
		g.p("VMOVUPD %s, %s", mem("BX"), z)
		g.p("VMULPD %s, %s, %s", z, g.reg(3), v)
		g.p("VFMADD231PD %s, %s, %s", x, g.reg(0), v)
		g.p("VFMADD231PD %s, %s, %s", y, g.reg(1), v)
		g.p("VMOVUPD %s, %s", v, mem("SI"))
		g.p("VMULPD %s, %s, %s", x, g.reg(1), w)
		g.p("VFMADD231PD %s, %s, %s", y, g.reg(0), w)
		g.p("VFNMADD231PD %s, %s, %s", z, g.reg(3), w)
		g.p("VMOVUPD %s, %s", w, mem("DX"))
		g.p("VSUBPD %s, %s, %s", x, y, d)
		g.p("VMULPD %s, %s, %[1]s", d, g.reg(2))
		g.p("VFMADD231PD %s, %s, %s", z, g.reg(4), d)
		g.p("VMOVUPD %s, %s", d, mem("BX"))
	}
	g.p("ADDQ $64, AX")
	g.p("CMPQ AX, R8")
	g.p("JLT loop")
	g.end()
}
