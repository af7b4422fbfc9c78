//go:build ignore

package main

import "fmt"

// vectors writes the kernels on plain vectors.
func (g *gen) vectors() {
	g.axpy()
	g.packedRow()
	g.rotate()
	g.maxIndex()
	g.zeros()
}

// over runs body over the n (in CX, spoiled) entries at byte offset AX: four
// vectors at a time, one, and a last one in part. It spoils BX and R15.
func (g *gen) over(id string, unroll int, body func(u int, mem string, tail bool)) {
	at := func(u int, ptr string) string { return fmt.Sprintf("%d(%s)(AX*1)", u*g.bytes, ptr) }
	step := func(vectors int, id, next string) {
		g.p("%s:", id)
		g.p("CMPQ CX, $%d", vectors*g.lanes())
		g.p("JLT %s", next)
		for u := range vectors {
			body(u, at(u, "%s"), false)
		}
		g.p("ADDQ $%d, AX", vectors*g.bytes)
		g.p("SUBQ $%d, CX", vectors*g.lanes())
		g.p("JMP %s", id)
	}
	g.p("XORQ AX, AX")
	if unroll > 1 {
		step(unroll, id+"many", id+"one")
	}
	step(1, id+"one", id+"tail")
	g.p("%stail:", id)
	g.p("TESTQ CX, CX")
	g.p("JEQ %send", id)
	if g.wide() {
		g.p("MOVL $1, BX")
		g.p("SHLL CX, BX")
		g.p("DECL BX")
		g.p("KMOVW BX, K1")
	} else {
		g.p("NEGQ CX")
		g.p("LEAQ masks%s<>+32(SB), BX", g.name)
		g.p("VMOVUPD (BX)(CX*8), Y15")
	}
	body(0, at(0, "%s"), true)
	g.p("%send:", id)
}

func (g *gen) axpy() {
	g.fn("axpy", "adds f·x to the n numbers of dst.", "dst *float64", "x *float64", "n int", "f float64")
	g.arg("dst", "DI")
	g.arg("x", "SI")
	g.arg("n", "CX")
	g.p("VBROADCASTSD f+24(FP), %s", g.reg(0))
	g.over("a", 4, g.axpyOne)
	g.end()
}

func (g *gen) axpyOne(u int, mem string, tail bool) {
	d, x := g.reg(1+2*u), g.reg(2+2*u)
	g.load(fmt.Sprintf(mem, "DI"), d, tail)
	g.load(fmt.Sprintf(mem, "SI"), x, tail)
	g.p("VFMADD231PD %s, %s, %s", x, g.reg(0), d)
	g.store(d, fmt.Sprintf(mem, "DI"), tail)
}

// packedRow writes the share of one record in a packed triangle.
func (g *gen) packedRow() {
	g.fn("packedRow", "adds f·z⊗z of m numbers to the packed triangle dst.", "dst *float64", "z *float64", "m int", "f float64")
	g.arg("dst", "DI")
	g.arg("z", "SI")
	g.arg("m", "DX")
	g.arg("f", "X10")
	g.p("row:")
	g.p("VMULSD (SI), X10, X0")
	g.p("VBROADCASTSD X0, %s", g.reg(0))
	g.p("MOVQ DX, CX")
	g.over("p", 1, g.axpyOne)
	g.p("LEAQ (DI)(DX*8), DI")
	g.p("ADDQ $8, SI")
	g.p("DECQ DX")
	g.p("JNE row")
	g.end()
}

func (g *gen) rotate() {
	g.fn("rotate", "turns the n pairs (x,y) into (c·x + s·y, c·y − s·x).", "x *float64", "y *float64", "n int", "c float64", "s float64")
	g.arg("x", "DI")
	g.arg("y", "SI")
	g.arg("n", "CX")
	g.p("VBROADCASTSD c+24(FP), %s", g.reg(0))
	g.p("VBROADCASTSD s+32(FP), %s", g.reg(1))
	g.over("r", 2, func(u int, mem string, tail bool) {
		x, y, p, q := g.reg(2+4*u), g.reg(3+4*u), g.reg(4+4*u), g.reg(5+4*u)
		g.load(fmt.Sprintf(mem, "DI"), x, tail)
		g.load(fmt.Sprintf(mem, "SI"), y, tail)
		g.p("VMULPD %s, %s, %s", y, g.reg(1), p)
		g.p("VMULPD %s, %s, %s", x, g.reg(1), q)
		g.p("VFMADD231PD %s, %s, %s", x, g.reg(0), p)
		g.p("VFMSUB231PD %s, %s, %s", y, g.reg(0), q)
		g.store(p, fmt.Sprintf(mem, "DI"), tail)
		g.store(q, fmt.Sprintf(mem, "SI"), tail)
	})
	g.end()
}

// maxIndex writes the test of bounds that the products need before they read
// a table without further checks.
func (g *gen) maxIndex() {
	g.fn("maxIndex", "raises the 64 bytes of lanes at top to the largest of the n indices, n a multiple of 16.",
		"top *uint32", "index *uint32", "n int")
	g.arg("top", "DI")
	g.arg("index", "SI")
	g.arg("n", "CX")
	vectors := 64 / g.bytes
	for v := range vectors {
		g.p("VMOVUPD %d(DI), %s", v*g.bytes, g.reg(v))
	}
	g.p("loop:")
	g.p("TESTQ CX, CX")
	g.p("JEQ done")
	for v := range vectors {
		g.p("VPMAXUD %d(SI), %s, %[2]s", v*g.bytes, g.reg(v))
	}
	g.p("ADDQ $64, SI")
	g.p("SUBQ $16, CX")
	g.p("JMP loop")
	g.p("done:")
	for v := range vectors {
		g.p("VMOVUPD %s, %d(DI)", g.reg(v), v*g.bytes)
	}
	g.end()
}

// zeros writes the test for finite numbers.
func (g *gen) zeros() {
	g.fn("zeros", "sets the 64 bytes of lanes at sum to sums of 0·x over the n numbers of x: NaN where one is not finite.",
		"sum *float64", "x *float64", "n int")
	g.arg("sum", "DI")
	g.arg("x", "SI")
	g.arg("n", "CX")
	for i := range 5 {
		g.zero(i)
	}
	g.zero(8)
	g.over("z", 4, func(u int, mem string, tail bool) {
		g.load(fmt.Sprintf(mem, "SI"), g.reg(9), tail)
		g.p("VFMADD231PD %s, %s, %s", g.reg(9), g.reg(8), g.reg(u))
	})
	for _, u := range []int{1, 2, 3} {
		g.p("VADDPD %s, %s, %[2]s", g.reg(u), g.reg(0))
	}
	for at := 0; at < 64; at += g.bytes {
		g.p("VMOVUPD %s, %d(DI)", g.reg(0), at)
	}
	g.end()
}
