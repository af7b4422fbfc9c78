package x86

import "fmt"

// chain is the length of a row whose pairs are counted without a loop.
const chain = 16

// split writes counts of pairs of features, their products with a vector, and
// sums of numbers that features have over listed rows, which splits of records
// in two are found by.
func (g *gen) split() {
	g.pairs("pairs", "int32", func() { g.p("ADDL $1, (BX)(AX*4)") })
	g.pairs("realPairs", "float64", func() {
		g.p("VADDSD (BX)(AX*8), X0, X1")
		g.p("VMOVSD X1, (BX)(AX*8)")
	})
	g.packedMul()
}

// splitWide is what of it gains by AVX-512, or needs its gathers and scatters:
// those of AVX2 are no quicker than a loop.
func (g *gen) splitWide() {
	g.rowSums()
	g.rowCounts()
	g.packedMul2()
}

// pairs writes the count of all pairs of entries of n rows, each with itself
// too. The pairs of an entry with those behind it stand in a row of the table,
// whose place comes from starts. Rows enter a chain of pieces, one for each
// number of entries left, by their length: a loop for each entry would cost
// more in its ends than in its work.
//
// SI entry, R9 offsets, R8 list of rows, R15 the next of them, R10 rows left,
// R11 starts, DI table, R12 entries, R13 entries left in the row. count adds one
// to entry AX of the row BX.
func (g *gen) pairs(name, kind string, count func()) {
	g.fn(name, "adds the pairs of n rows from the first one on, or of those of the list where there is one, to the packed table; starts holds the byte at which each row of the table would begin if it had all columns.",
		"table *"+kind, "ptr *int", "index *uint32", "list *int32", "first int", "n int", "starts *int")
	g.args("table DI", "ptr R9", "list R8", "first R15", "n R10", "index R12", "starts R11")
	g.p("MOVQ $1, AX")
	g.p("VCVTSI2SDQ AX, X0, X0")
	g.p("row:")
	g.listed("R8", "R15", "R10", "R12")
	g.p("MOVQ (R9)(AX*8), BX")
	g.p("MOVQ 8(R9)(AX*8), R13")
	g.p("LEAQ (R12)(BX*4), SI")
	g.p("SUBQ BX, R13")
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

// listed sets AX to the next row, the one that the list has at this place, or
// the place itself where there is no list. R9 holds offsets. Rows of a list
// that come ahead are called for: they lie anywhere. It spoils BX and CX.
func (g *gen) listed(list, at, left, index string) {
	g.p("MOVQ %s, AX", at)
	g.p("TESTQ %s, %[1]s", list)
	g.p("JEQ known")
	g.p("MOVL $%d, BX", ahead)
	g.p("CMPQ %s, BX", left)
	g.p("CMOVQLE %s, BX", left)
	g.p("LEAQ -4(%s)(%s*4), CX", list, at)
	g.p("MOVL (CX)(BX*4), BX") // the last row of the list at the furthest
	g.p("MOVL 4(CX), AX")
	g.p("MOVQ (R9)(BX*8), BX")
	g.p("PREFETCHT0 (%s)(BX*4)", index)
	g.p("known:")
	g.p("INCQ %s", at)
}

// ahead is how many rows ahead they are called for.
const ahead = 12

// rowSums writes the sums, over the entries of each row, of what a table, or each of two,
// holds for their features: in registers 0 and 7.
func (g *gen) rowSums() {
	g.fn("rowSums", "sets z to the sums of the numbers in w of every entry of n rows from the first one on, or of those of the list where there is one; where beside is not 0, the same for the numbers so many bytes behind w, apart bytes behind z.",
		"z *float64", "w *float64", "ptr *int", "index *uint32", "list *int32", "first int", "n int", "beside int", "apart int")
	g.args("z DI", "w R8")
	g.zero(7)
	gather := func(table string, to int, masks ...string) {
		g.zero(3)
		g.zero(4)
		g.p("VGATHERDPD (%s)(Y1*8), %s, Z3", table, masks[0])
		g.p("VGATHERDPD (%s)(Y2*8), %s, Z4", table, masks[1])
		g.p("VADDPD Z3, Z4, Z3")
		g.p("VADDPD Z3, Z%d, Z%[1]d", to)
	}
	g.sixteens(func() {
		g.p("KSHIFTRW $8, K1, K2")
		g.p("VEXTRACTI64X4 $1, Z1, Y2")
		g.p("MOVQ beside+56(FP), AX")
		g.p("TESTQ AX, AX")
		g.p("JEQ first")
		g.p("ADDQ R8, AX")
		g.p("KMOVW K1, K3")
		g.p("KMOVW K2, K4")
		gather("AX", 7, "K3", "K4")
		g.p("first:")
		gather("R8", 0, "K1", "K2")
	}, func() {
		fold := func(x int) {
			g.p("VEXTRACTF64X4 $1, Z%d, Y1", x)
			g.p("VADDPD Y1, Y%d, Y%[1]d", x)
			g.p("VEXTRACTF128 $1, Y%d, X1", x)
			g.p("VADDPD X1, X%d, X%[1]d", x)
			g.p("VUNPCKHPD X%d, X%[1]d, X1", x)
			g.p("VADDPD X1, X%d, X%[1]d", x)
		}
		fold(0)
		g.p("VMOVSD X0, (DI)")
		g.p("MOVQ apart+64(FP), AX")
		g.p("TESTQ AX, AX")
		g.p("JEQ done")
		fold(7)
		g.p("VMOVSD X7, (DI)(AX*1)")
		g.zero(7)
		g.p("done:")
		g.p("ADDQ $8, DI")
	})
}

// rowCounts writes the number of rows that have each feature. A row has it
// once, so that no two of sixteen entries are the same.
func (g *gen) rowCounts() {
	g.fn("rowCounts", "adds one to the count of every entry of n rows from the first one on, or of those of the list where there is one.",
		"count *int32", "ptr *int", "index *uint32", "list *int32", "first int", "n int")
	g.arg("count", "R8")
	g.p("MOVL $1, AX")
	g.p("VPBROADCASTD AX, Z5")
	g.sixteens(func() {
		g.p("KMOVW K1, K2")
		g.zero(3)
		g.p("VPGATHERDD (R8)(Z1*4), K1, Z3")
		g.p("VPADDD Z5, Z3, Z3")
		g.p("VPSCATTERDD Z3, K2, (R8)(Z1*4)")
	}, func() {})
}

// sixteens goes through rows, sixteen entries at once or as many as there are:
// a loop over so few would cost more in its end than in its work. some finds
// entries in register 1, of those that mask K1 has; done ends a row, whose
// sums begin at zero in register 0.
//
// R9 offsets, DX entries, SI list of rows, R10 the next of them, R11 rows left,
// BX entry, R12 entries left, R13 all ones, R15 16.
func (g *gen) sixteens(some, done func()) {
	g.args("ptr R9", "index DX", "list SI", "first R10", "n R11")
	g.p("MOVL $-1, R13")
	g.p("MOVL $16, R15")
	g.p("row:")
	g.listed("SI", "R10", "R11", "DX")
	g.p("MOVQ (R9)(AX*8), BX")
	g.p("MOVQ 8(R9)(AX*8), R12")
	g.p("SUBQ BX, R12")
	g.p("LEAQ (DX)(BX*4), BX")
	g.zero(0)
	g.p("more:")
	g.p("MOVQ R12, CX")
	g.p("CMPQ R12, R15")
	g.p("CMOVQGT R15, CX")
	g.p("BZHIL CX, R13, CX")
	g.p("KMOVW CX, K1")
	g.p("VMOVDQU32.Z (BX), K1, Z1")
	some()
	g.p("ADDQ $64, BX")
	g.p("SUBQ R15, R12")
	g.p("JG more")
	done()
	g.p("DECQ R11")
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
	g.args("y DI", "a R8", "x SI", "d DX")
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
	g.diagonal(1)
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

// diagonal adds the triangle at the diagonal of n rows.
func (g *gen) diagonal(n int) {
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
	g.diagonal(together)
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

// packedMul2 writes the products of two vectors at once, in single precision:
// the table, which no near cache holds, is read once for both. What is read and
// written of the vectors reaches past their end, to sixteen numbers more.
//
// DI and R13 y, SI and R15 x, all from the first of the rows on; DX columns from
// there on; R8 to R11 the rows of A, less the columns left of their diagonals.
// Registers 0 to 7 hold the sums of the rows, 8 to 15 the x of the rows, 16 and
// 17 that of the columns, 18 and 19 y of the columns, 20 to 23 numbers of A.
func (g *gen) packedMul2() {
	g.fn("packedMul2", "adds A·x to the d numbers of y, for two of each, A symmetric, its upper triangle packed by rows; x and y are followed by 16 zeros.",
		"y0 *float32", "y1 *float32", "a *int32", "x0 *float32", "x1 *float32", "d int")
	g.args("y0 DI", "y1 R13", "a R8", "x0 SI", "x1 R15", "d DX")
	g.p("four:")
	g.p("LEAQ -4(R8)(DX*4), R9") // as in packedMul
	g.p("LEAQ -8(R9)(DX*4), R10")
	g.p("LEAQ -12(R10)(DX*4), R11")
	for i := range together {
		for v, x := range []string{"SI", "R15"} {
			g.zero(2*i + v)
			g.p("VBROADCASTSS %d(%s), Z%d", 4*i, x, 8+2*i+v)
		}
	}
	g.p("XORQ CX, CX")
	g.lanesLeft()
	g.columns2(func(i int) { // from the diagonal on, which counts once
		g.lanesFrom(i)
		g.p("VCVTDQ2PS.Z (%s)(CX*4), K1, Z%d", packedRow(i), 20+i)
	}, func(i int) {
		g.lanesFrom(i + 1)
		g.p("VMOVAPS.Z Z%d, K1, Z%[1]d", 20+i)
	})
	g.p("MOVQ $16, CX")
	g.p("LEAQ -16(DX), BX")
	g.p("vectors:")
	g.p("CMPQ CX, BX")
	g.p("JGT rest")
	g.columns2(func(i int) { g.p("VCVTDQ2PS (%s)(CX*4), Z%d", packedRow(i), 20+i) }, nil)
	g.p("ADDQ $16, CX")
	g.p("JMP vectors")
	g.p("rest:")
	g.p("CMPQ CX, DX")
	g.p("JGE sums")
	g.lanesLeft()
	g.p("KMOVW AX, K1")
	g.columns2(func(i int) { g.p("VCVTDQ2PS.Z (%s)(CX*4), K1, Z%d", packedRow(i), 20+i) }, nil)
	g.p("sums:")
	for i := range together {
		for v, y := range []string{"DI", "R13"} {
			r := 2*i + v
			g.p("VEXTRACTF64X4 $1, Z%d, Y8", r)
			g.p("VADDPS Y%d, Y8, Y8", r)
			g.p("VEXTRACTF128 $1, Y8, X9")
			g.p("VADDPS X8, X9, X8")
			g.p("VPERMILPD $1, X8, X9")
			g.p("VADDPS X8, X9, X8")
			g.p("VMOVSHDUP X8, X9")
			g.p("VADDSS X8, X9, X8")
			g.p("VADDSS %d(%s), X8, X8", 4*i, y)
			g.p("VMOVSS X8, %d(%s)", 4*i, y)
		}
	}
	g.p("LEAQ (R11)(DX*4), R8") // the row after the fourth, from its diagonal on
	for _, r := range []string{"DI", "R13", "SI", "R15"} {
		g.p("ADDQ $%d, %s", 4*together, r)
	}
	g.p("SUBQ $%d, DX", together)
	g.p("JG four")
	g.end()
}

// packedRow is the register of a row of A.
func packedRow(i int) string { return []string{"R8", "R9", "R10", "R11"}[i] }

// lanesLeft sets AX to a bit for each of the columns from CX on, 16 at the most.
func (g *gen) lanesLeft() {
	g.p("MOVQ DX, BX")
	g.p("SUBQ CX, BX")
	g.p("MOVL $16, AX")
	g.p("CMPQ BX, AX")
	g.p("CMOVQGT AX, BX")
	g.p("MOVL $0xffff, AX")
	g.p("BZHIL BX, AX, AX")
}

// lanesFrom sets K1 to those of them from lane i on.
func (g *gen) lanesFrom(i int) {
	g.p("MOVL AX, BX")
	g.p("ANDL $%#x, BX", 0xffff<<i&0xffff)
	g.p("KMOVW BX, K1")
}

// columns2 adds sixteen columns of four rows. load reads row i; less, where
// there is one, drops what counts for the row alone.
func (g *gen) columns2(load, less func(i int)) {
	for v, x := range []string{"SI", "R15"} {
		g.p("VMOVUPS (%s)(CX*4), Z%d", x, 16+v)
	}
	for v, y := range []string{"DI", "R13"} {
		g.p("VMOVUPS (%s)(CX*4), Z%d", y, 18+v)
	}
	for i := range together {
		load(i)
		for v := range 2 {
			g.p("VFMADD231PS Z%d, Z%d, Z%d", 16+v, 20+i, 2*i+v)
		}
		if less != nil {
			less(i)
		}
	}
	for i := range together {
		for v := range 2 {
			g.p("VFMADD231PS Z%d, Z%d, Z%d", 8+2*i+v, 20+i, 18+v)
		}
	}
	for v, y := range []string{"DI", "R13"} {
		g.p("VMOVUPS Z%d, (%s)(CX*4)", 18+v, y)
	}
}
