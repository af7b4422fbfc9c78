//go:build ignore

package main

import "fmt"

// group split: counts of pairs of features, and their products with a vector,
// which splits of records in two are found by.
const group = "split"

// chain is the length of a row whose pairs are counted without a loop.
const chain = 16

func (g *gen) kernels() {
	g.pairs("pairs", "int32", func() { g.p("ADDL $1, (BX)(AX*4)") })
	g.pairs("realPairs", "float64", func() {
		g.p("VADDSD (BX)(AX*8), X0, X1")
		g.p("VMOVSD X1, (BX)(AX*8)")
	})
	g.packedMul()
}

// pairs writes the count of all pairs of entries of n rows, each with itself
// too. The pairs of an entry with those behind it stand in a row of the table,
// whose place comes from starts. Rows enter a chain of pieces, one for each
// number of entries left, by their length: a loop for each entry would cost
// more in its ends than in its work.
//
// SI entry, R9 offsets, R10 rows left, R11 starts, DI table, R12 entries,
// R13 entries left in the row. count adds one to entry AX of the row BX.
func (g *gen) pairs(name, kind string, count func()) {
	g.fn(name, "adds the pairs of n rows to the packed table; starts holds the byte at which each row of the table would begin if it had all columns.",
		"table *"+kind, "ptr *int", "n int", "index *uint32", "starts *int")
	g.arg("table", "DI")
	g.arg("ptr", "R9")
	g.arg("n", "R10")
	g.arg("index", "R12")
	g.arg("starts", "R11")
	g.p("MOVQ $1, AX")
	g.p("VCVTSI2SDQ AX, X0, X0")
	g.p("row:")
	g.p("MOVQ (R9), AX")
	g.p("MOVQ 8(R9), R13")
	g.p("LEAQ (R12)(AX*4), SI")
	g.p("SUBQ AX, R13")
	g.p("ADDQ $8, R9")
	g.p("CMPQ R13, $%d", chain)
	g.p("JGT long")
	g.enter(0, chain)
	g.p("long:")
	g.begin()
	g.p("XORQ DX, DX")
	g.p("inner:")
	g.p("MOVL (SI)(DX*4), AX")
	count()
	g.p("INCQ DX")
	g.p("CMPQ DX, R13")
	g.p("JLT inner")
	g.p("ADDQ $4, SI")
	g.p("DECQ R13")
	g.p("CMPQ R13, $%d", chain)
	g.p("JGT long")
	for left := chain; left >= 1; left-- {
		g.p("left%d:", left)
		g.begin()
		for q := range left {
			g.p("MOVL %d(SI), AX", 4*q)
			count()
		}
		if left > 1 {
			g.p("ADDQ $4, SI")
		}
	}
	g.p("left0:")
	g.p("DECQ R10")
	g.p("JNE row")
	g.end()
}

// begin sets BX to the row of the table of the entry at SI.
func (g *gen) begin() {
	g.p("MOVL (SI), AX")
	g.p("MOVQ (R11)(AX*8), BX")
	g.p("ADDQ DI, BX")
}

// enter jumps to the piece of R13 entries, lo to hi of them.
func (g *gen) enter(lo, hi int) {
	if lo == hi {
		g.p("JMP left%d", lo)
		return
	}
	mid := (lo + hi + 1) / 2
	g.p("CMPQ R13, $%d", mid)
	g.p("JGE from%dto%d", mid, hi)
	g.enter(lo, mid-1)
	g.p("from%dto%d:", mid, hi)
	g.enter(mid, hi)
}

// packedMul writes y += A·x for a symmetric A of whole numbers, packed by rows.
// Every number of A is read once: it stands for two. Four rows go together, so
// that x and y, which begin anywhere in a cache line, are read once for four.
//
// DI y, SI x, both from the first of the rows on; DX columns from there on;
// R8 to R11 the rows of A, less the columns left of their diagonals.
func (g *gen) packedMul() {
	g.fn("packedMul", "adds A·x to the d numbers of y, A symmetric, its upper triangle packed by rows.",
		"y *float64", "a *int32", "x *float64", "d int")
	g.arg("y", "DI")
	g.arg("a", "R8")
	g.arg("x", "SI")
	g.arg("d", "DX")
	g.p("four:")
	g.p("CMPQ DX, $%d", together)
	g.p("JLT one")
	// Row i+1 begins, at its diagonal, n−i numbers behind row i, so that less
	// the columns left of it it begins n−i−1 behind.
	g.p("LEAQ -4(R8)(DX*4), R9")
	g.p("LEAQ -8(R9)(DX*4), R10")
	g.p("LEAQ -12(R10)(DX*4), R11")
	g.fourRows()
	g.p("LEAQ (R11)(DX*4), R8") // the row after the fourth, from its diagonal on
	g.p("ADDQ $%d, DI", 8*together)
	g.p("ADDQ $%d, SI", 8*together)
	g.p("SUBQ $%d, DX", together)
	g.p("JMP four")
	g.p("one:") // the last rows, three at the most
	g.p("TESTQ DX, DX")
	g.p("JEQ end")
	g.corner(1)
	g.p("MOVQ $1, CX")
	g.p("restof:")
	g.p("CMPQ CX, DX")
	g.p("JGE next")
	g.pairOf("(R8)(CX*4)", "(SI)", "(DI)", "(SI)(CX*8)", "(DI)(CX*8)")
	g.p("INCQ CX")
	g.p("JMP restof")
	g.p("next:")
	g.p("LEAQ (R8)(DX*4), R8")
	g.p("ADDQ $8, DI")
	g.p("ADDQ $8, SI")
	g.p("DECQ DX")
	g.p("JMP one")
	g.p("end:")
	g.end()
}

// together is the number of rows that packedMul takes at once.
const together = 4

// corner adds the triangle at the diagonal of n rows.
func (g *gen) corner(n int) {
	rows := []string{"R8", "R9", "R10", "R11"}
	for i := range n {
		g.p("VCVTSI2SDL %d(%s), X0, X0", 4*i, rows[i])
		g.p("VMULSD %d(SI), X0, X0", 8*i)
		g.p("VADDSD %d(DI), X0, X0", 8*i)
		g.p("VMOVSD X0, %d(DI)", 8*i)
		for j := i + 1; j < n; j++ {
			g.pairOf(fmt.Sprintf("%d(%s)", 4*j, rows[i]), fmt.Sprintf("%d(SI)", 8*i), fmt.Sprintf("%d(DI)", 8*i), fmt.Sprintf("%d(SI)", 8*j), fmt.Sprintf("%d(DI)", 8*j))
		}
	}
}

// pairOf adds what one number a off the diagonal means for its row and its
// column.
func (g *gen) pairOf(a, xrow, yrow, xcol, ycol string) {
	g.p("VCVTSI2SDL %s, X0, X0", a)
	g.p("VMOVSD %s, X1", yrow)
	g.p("VFMADD231SD %s, X0, X1", xcol)
	g.p("VMOVSD X1, %s", yrow)
	g.p("VMOVSD %s, X1", ycol)
	g.p("VFMADD231SD %s, X0, X1", xrow)
	g.p("VMOVSD X1, %s", ycol)
}

// fourRows adds four rows: registers 0 to 3 hold the sums of the rows, 4 to 7
// the x of the rows, 8 that of the columns, 9 y of the columns.
func (g *gen) fourRows() {
	rows := []string{"R8", "R9", "R10", "R11"}
	g.corner(together)
	for i := range together {
		g.zero(i)
		g.p("VBROADCASTSD %d(SI), %s", 8*i, g.reg(4+i))
	}
	g.p("MOVQ $%d, CX", together)
	g.p("MOVQ DX, BX")
	g.p("SUBQ $%d, BX", g.lanes())
	g.p("vectors:")
	g.p("CMPQ CX, BX")
	g.p("JGT sums")
	g.p("VMOVUPD (SI)(CX*8), %s", g.reg(8))
	g.p("VMOVUPD (DI)(CX*8), %s", g.reg(9))
	for i, r := range rows {
		g.p("VCVTDQ2PD (%s)(CX*4), %s", r, g.reg(10+i))
		g.p("VFMADD231PD %s, %s, %s", g.reg(8), g.reg(10+i), g.reg(i))
	}
	for i := range rows {
		g.p("VFMADD231PD %s, %s, %s", g.reg(4+i), g.reg(10+i), g.reg(9))
	}
	g.p("VMOVUPD %s, (DI)(CX*8)", g.reg(9))
	g.p("ADDQ $%d, CX", g.lanes())
	g.p("JMP vectors")
	g.p("sums:")
	for i := range together {
		if g.wide() {
			g.p("VEXTRACTF64X4 $1, Z%d, Y10", i)
			g.p("VADDPD Y%d, Y10, Y%[1]d", i)
		}
		g.p("VEXTRACTF128 $1, Y%d, X10", i)
		g.p("VADDPD X%d, X10, X%[1]d", i)
		g.p("VUNPCKHPD X%d, X%[1]d, X10", i)
		g.p("VADDSD X%d, X10, X%[1]d", i)
	}
	g.p("rest:")
	g.p("CMPQ CX, DX")
	g.p("JGE done")
	g.p("VMOVSD (SI)(CX*8), X8")
	g.p("VMOVSD (DI)(CX*8), X9")
	for i, r := range rows {
		g.p("VCVTSI2SDL (%s)(CX*4), X10, X10", r)
		g.p("VFMADD231SD X8, X10, X%d", i)
		g.p("VFMADD231SD X%d, X10, X9", 4+i)
	}
	g.p("VMOVSD X9, (DI)(CX*8)")
	g.p("INCQ CX")
	g.p("JMP rest")
	g.p("done:")
	for i := range together {
		g.p("VADDSD %d(DI), X%d, X%[2]d", 8*i, i)
		g.p("VMOVSD X%d, %d(DI)", i, 8*i)
	}
}
