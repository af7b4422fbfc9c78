package x86

import "fmt"

// pass32 writes one look at rows in single precision, products with a table
// and back without a panel between.
func (g *gen) pass32() {
	g.fused(2, 4) // rows are multiples of sixteen numbers
	g.rowTotals()
	g.firstOrders()
	g.widen()
}

// pass32Wide is what of it gains by AVX-512.
func (g *gen) pass32Wide() {
	g.fused(1, 2, 4)
	g.rowTotals()
}

// fusedVectors is how many vectors of a row one call keeps in registers: as
// many again hold them with another weight.
const fusedVectors = 4

// Registers: sums in 0 to 7, the value of an entry in 13, rows of tables in 8
// to 11.
const (
	regOther = fusedVectors
	regTable = 2 * fusedVectors
	regValue = 13
)

// fused writes the kernel for some numbers of vectors, with and without
// values. SI offsets, R13 rows left, DX indices, BX values, R8 table, R9
// stride, DI rows of z, AX weights, CX and R15 sums.
func (g *gen) fused(vectors ...int) {
	g.fn("fused", "sums up rows of b for each of n rows into nv vectors (1, 2 or 4), keeps them in z unless nil, and adds them, times the row's two weights, to the rows of second and mixed, unless nil. Rows of b, second and mixed are stride bytes apart, those of z ldz.",
		"n int", "ptr *int", "index *uint32", "value *float32", "b *float32", "stride int", "nv int",
		"z *float32", "ldz int", "weights *float32", "second *float32", "mixed *float32")
	g.args("n R13", "ptr SI", "index DX", "value BX", "b R8", "stride R9", "z DI", "weights AX", "second CX", "mixed R15", "nv R10")
	for _, nv := range vectors {
		g.p("CMPQ R10, $%d", nv)
		g.p("JEQ v%d", nv)
	}
	g.end()
	for _, nv := range vectors {
		g.p("v%d:", nv)
		g.p("TESTQ BX, BX")
		g.p("JNE v%dvalued", nv)
		g.fusedRows(fmt.Sprintf("v%db", nv), nv, false)
		g.p("v%dvalued:", nv)
		g.fusedRows(fmt.Sprintf("v%dw", nv), nv, true)
	}
}

// entry sets R12 to the offset of the table's row of entry R10+s and, where
// there are values, fills a register with its value.
func (g *gen) entry(s int, valued bool) {
	g.p("MOVL %d(DX)(R10*4), R12", 4*s)
	g.p("IMULQ R9, R12")
	if valued {
		g.p("VBROADCASTSS %d(BX)(R10*4), %s", 4*s, g.reg(regValue))
	}
}

func (g *gen) fusedRows(id string, nv int, valued bool) {
	g.p("%srow:", id)
	g.p("MOVQ (SI), R10")
	g.p("MOVQ 8(SI), R11")
	g.sums(id, nv, valued)
	g.p("TESTQ DI, DI")
	g.p("JEQ %skept", id)
	for v := range nv {
		g.p("VMOVUPS %s, %d(DI)", g.reg(v), v*g.bytes)
	}
	g.p("ADDQ ldz+%d(FP), DI", g.At("ldz"))
	g.p("%skept:", id)
	g.p("TESTQ CX, CX")
	g.p("JEQ %snext", id)
	g.back(id, nv, valued)
	g.p("%snext:", id)
	g.p("ADDQ $8, AX")
	g.p("ADDQ $8, SI")
	g.p("DECQ R13")
	g.p("JNE %srow", id)
	g.end()
}

// sums adds up the rows of the table. Entries are divided to several sets of
// sums, which need not wait for each other: an order that follows from the
// length of the row alone.
func (g *gen) sums(id string, nv int, valued bool) {
	sets := map[int]int{1: 4, 2: 4, 4: 2}[nv]
	for i := range sets * nv {
		g.zero(i)
	}
	add := func(s int) {
		g.entry(s, valued)
		for v := range nv {
			mem, acc := fmt.Sprintf("%d(R8)(R12*1)", v*g.bytes), g.reg(s*nv+v)
			if valued {
				g.p("VFMADD231PS %s, %s, %s", mem, g.reg(regValue), acc)
			} else {
				g.p("VADDPS %s, %s, %[2]s", mem, acc)
			}
		}
	}
	g.p("%smany:", id)
	g.p("LEAQ %d(R10), R12", sets)
	g.p("CMPQ R12, R11")
	g.p("JGT %sfew", id)
	for s := range sets {
		add(s)
	}
	g.p("ADDQ $%d, R10", sets)
	g.p("JMP %smany", id)
	g.p("%sfew:", id)
	g.p("CMPQ R10, R11")
	g.p("JGE %sall", id)
	add(0)
	g.p("INCQ R10")
	g.p("JMP %sfew", id)
	g.p("%sall:", id)
	for step := 1; step < sets; step *= 2 {
		for s := 0; s < sets; s += 2 * step {
			for v := range nv {
				g.p("VADDPS %s, %s, %[2]s", g.reg((s+step)*nv+v), g.reg(s*nv+v))
			}
		}
	}
}

// back adds the weighted sums to the rows of the tables of the row's entries.
func (g *gen) back(id string, nv int, valued bool) {
	g.p("MOVQ (SI), R10")
	g.p("TESTQ R15, R15")
	g.p("JEQ %sone", id)
	g.p("VBROADCASTSS 4(AX), %s", g.reg(regValue))
	for v := range nv {
		g.p("VMULPS %s, %s, %s", g.reg(v), g.reg(regValue), g.reg(regOther+v))
	}
	g.weigh(nv)
	g.backLoop(id+"two", id+"next", nv, valued, "CX", "R15")
	g.p("%sone:", id)
	g.weigh(nv)
	g.backLoop(id+"single", id+"next", nv, valued, "CX")
}

// weigh multiplies the sums with the first weight.
func (g *gen) weigh(nv int) {
	g.p("VBROADCASTSS (AX), %s", g.reg(regValue))
	for v := range nv {
		g.p("VMULPS %s, %s, %[1]s", g.reg(v), g.reg(regValue))
	}
}

func (g *gen) backLoop(id, next string, nv int, valued bool, tables ...string) {
	g.p("%sloop:", id)
	g.p("CMPQ R10, R11")
	g.p("JGE %s", next)
	g.entry(0, valued)
	for i, table := range tables {
		for v := range nv {
			mem, sum, t := fmt.Sprintf("%d(%s)(R12*1)", v*g.bytes, table), g.reg(i*regOther+v), g.reg(regTable+v)
			g.p("VMOVUPS %s, %s", mem, t)
			if valued {
				g.p("VFMADD231PS %s, %s, %s", sum, g.reg(regValue), t)
			} else {
				g.p("VADDPS %s, %s, %[2]s", sum, t)
			}
			g.p("VMOVUPS %s, %s", t, mem)
		}
	}
	g.p("INCQ R10")
	g.p("JMP %sloop", id)
}

// rowTotals writes the sums of whole numbers, and the test that they are whole.
func (g *gen) rowTotals() {
	g.fn("rowTotals", "sets the n numbers of dst to the sums of the rows' values, and odd to not 0 where a value is no whole number from 1 to 65535.",
		"n int", "ptr *int", "value *float32", "dst *float64", "odd *int")
	g.args("n R13", "ptr SI", "value BX", "dst DI")
	g.p("XORQ R8, R8")
	g.p("MOVL $1, R12")
	g.p("MOVL $65534, R15")
	if g.wide() {
		g.p("VPBROADCASTD R12, Z5")
		g.p("VPBROADCASTD R15, Z6")
	} else {
		for i, r := range []string{"R12", "R15"} {
			g.p("VMOVD %s, X%d", r, 5+i)
			g.p("VPBROADCASTD X%d, Y%[1]d", 5+i)
		}
	}
	g.p("row:")
	g.p("MOVQ (SI), R10")
	g.p("MOVQ 8(SI), R11")
	g.zero(0)
	g.p("full:")
	g.p("LEAQ %d(R10), R12", g.bytes/4)
	g.p("CMPQ R12, R11")
	g.p("JGT rest")
	g.whole(false)
	g.p("MOVQ R12, R10")
	g.p("JMP full")
	g.p("rest:")
	g.rest()
	g.p("done:")
	if g.wide() {
		g.p("VEXTRACTI64X4 $1, Z0, Y1")
		g.p("VPADDD Y1, Y0, Y0")
	}
	g.p("VEXTRACTI128 $1, Y0, X1")
	g.p("VPADDD X1, X0, X0")
	g.p("VPSHUFD $0xee, X0, X1")
	g.p("VPADDD X1, X0, X0")
	g.p("VPSHUFD $0x55, X0, X1")
	g.p("VPADDD X1, X0, X0")
	g.p("VCVTDQ2PD X0, X0")
	g.p("VMOVSD X0, (DI)")
	g.p("ADDQ $8, DI")
	g.p("ADDQ $8, SI")
	g.p("DECQ R13")
	g.p("JNE row")
	g.arg("odd", "DI")
	g.p("MOVQ R8, (DI)")
	g.end()
}

// whole adds a vector of values, through the mask K1 where masked says so, to
// register 0, and marks in R8 those that are no whole numbers of the range.
func (g *gen) whole(masked bool) {
	if !g.wide() {
		g.p("VMOVUPS (BX)(R10*4), Y1")
		g.p("VCVTTPS2DQ Y1, Y2")
		g.p("VCVTDQ2PS Y2, Y3")
		g.p("VCMPPS $4, Y1, Y3, Y3") // not equal, or no number
		g.p("VPSUBD Y5, Y2, Y4")
		g.p("VPMAXUD Y4, Y6, Y4")
		g.p("VPCMPEQD Y4, Y6, Y4") // all ones where it is in range
		g.p("VPANDN Y4, Y3, Y3")   // in range and equal
		g.p("VMOVMSKPS Y3, CX")
		g.p("XORL $0xff, CX")
		g.p("ORL CX, R8")
		g.p("VPADDD Y2, Y0, Y0")
		return
	}
	load, compare := "VMOVUPS (BX)(R10*4), Z1", ""
	if masked {
		load, compare = "VMOVUPS.Z (BX)(R10*4), K1, Z1", "K1, "
	}
	g.p("%s", load)
	g.p("VCVTTPS2DQ Z1, Z2")
	g.p("VCVTDQ2PS Z2, Z3")
	g.p("VCMPPS $4, Z1, Z3, %sK2", compare)
	g.p("VPSUBD Z5, Z2, Z4")
	g.p("VPCMPUD $6, Z6, Z4, %sK3", compare) // above
	g.p("KORW K2, K3, K2")
	g.p("KMOVW K2, CX")
	g.p("ORL CX, R8")
	g.p("VPADDD Z2, Z0, Z0")
}

// rest adds the last values of a row, fewer than a vector.
func (g *gen) rest() {
	g.p("MOVQ R11, CX")
	g.p("SUBQ R10, CX")
	g.p("JEQ done")
	if g.wide() {
		g.p("MOVL $1, R12")
		g.p("SHLL CX, R12")
		g.p("DECL R12")
		g.p("KMOVW R12, K1")
		g.whole(true)
		return
	}
	g.p("one:")
	g.p("VMOVSS (BX)(R10*4), X1")
	g.p("VCVTTSS2SI X1, CX")
	g.p("VCVTSI2SSL CX, X3, X3")
	g.p("VUCOMISS X1, X3")
	g.p("JNE bad")
	g.p("JPS bad")
	g.p("LEAL -1(CX), R12")
	g.p("CMPL R12, R15")
	g.p("JLS good")
	g.p("bad:")
	g.p("ORL $1, R8")
	g.p("good:")
	g.p("VMOVD CX, X2")
	g.p("VPADDD Y2, Y0, Y0")
	g.p("INCQ R10")
	g.p("CMPQ R10, R11")
	g.p("JLT one")
}

// firstOrders writes the sums of first order: four numbers for each feature,
// in both sets vectors of 32 bytes.
func (g *gen) firstOrders() {
	g.fn("firstOrders", "adds x·(w0,w1,w2,0) + (0,0,0,1) to the four numbers in dst of every entry of n rows; weights holds w0, w1, w2, 0 for each row.",
		"n int", "ptr *int", "index *uint32", "value *float32", "weights *float64", "dst *float64")
	g.args("n R13", "ptr SI", "index DX", "value BX", "weights AX", "dst CX")
	g.p("VXORPD Y1, Y1, Y1")
	g.p("VMOVSD %s, X2", g.c(atOne))
	g.p("VPERMPD $0x15, Y2, Y1") // (0,0,0,1)
	g.p("TESTQ BX, BX")
	g.p("JNE wrow")
	for _, id := range []string{"b", "w"} {
		g.p("%srow:", id)
		g.p("MOVQ (SI), R10")
		g.p("MOVQ 8(SI), R11")
		g.p("VMOVUPD (AX), Y0")
		g.p("ADDQ $32, AX")
		if id == "b" {
			g.p("VADDPD Y0, Y1, Y0")
		}
		g.p("%sloop:", id)
		g.p("CMPQ R10, R11")
		g.p("JGE %snext", id)
		g.p("MOVL (DX)(R10*4), R12")
		g.p("SHLQ $5, R12")
		if id == "b" {
			g.p("VADDPD (CX)(R12*1), Y0, Y4")
		} else {
			g.p("VBROADCASTSS (BX)(R10*4), X3")
			g.p("VCVTPS2PD X3, Y3")
			g.p("VADDPD (CX)(R12*1), Y1, Y4")
			g.p("VFMADD231PD Y0, Y3, Y4")
		}
		g.p("VMOVUPD Y4, (CX)(R12*1)")
		g.p("INCQ R10")
		g.p("JMP %sloop", id)
		g.p("%snext:", id)
		g.p("ADDQ $8, SI")
		g.p("DECQ R13")
		g.p("JNE %srow", id)
		g.end()
	}
}

// widen writes the end of sums in single precision.
func (g *gen) widen() {
	g.fn("widen", "adds the n numbers of x to dst and sets them to zero; n is a multiple of 16.", "dst *float64", "x *float32", "n int")
	g.args("dst DI", "x SI", "n CX")
	g.zero(2)
	g.p("loop:")
	for v := range 16 / g.lanes() {
		half := map[bool]string{true: "Y1", false: "X1"}[g.wide()]
		g.p("VMOVUPS %d(SI), %s", v*g.bytes/2, half)
		g.p("VCVTPS2PD %s, %s", half, g.reg(1))
		g.p("VADDPD %d(DI), %s, %[2]s", v*g.bytes, g.reg(1))
		g.p("VMOVUPD %s, %d(DI)", g.reg(1), v*g.bytes)
	}
	for v := range 64 / g.bytes {
		g.p("VMOVUPS %s, %d(SI)", g.reg(2), v*g.bytes)
	}
	g.p("ADDQ $128, DI")
	g.p("ADDQ $64, SI")
	g.p("SUBQ $16, CX")
	g.p("JNE loop")
	g.end()
}
