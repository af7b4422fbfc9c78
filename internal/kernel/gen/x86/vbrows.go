package x86

// vbFill writes the copy of a row's part of a table, turned: eight rows of the
// table and four of its columns at a time, in half vectors, since these are
// turned at two places of the processor and whole ones at one.
func (g *gen) vbFill() {
	g.fn("mixPanel", "sets row t of the panel dst, of n columns, to column t of the rows of table that index names, of k4 bytes each; n is a multiple of 8, k4 of 16.",
		"dst *float32", "table *float32", "index *uint32", "n int", "k4 int")
	rows := []string{"AX", "BX", "CX", "DX", "R9", "R10", "R11", "R12"}
	g.args("index SI", "n R8")
	g.p("SHLQ $2, R8")
	g.p("LEAQ (R8)(R8*2), R13")
	g.p("block:")
	g.arg("table", "DI")
	for i, r := range rows {
		g.p("MOVL %d(SI), %s", 4*i, r)
		g.p("IMULQ k4+32(FP), %s", r)
		g.p("ADDQ DI, %s", r)
	}
	g.arg("dst", "DI") // and as far on as the index is
	g.p("ADDQ SI, DI")
	g.p("SUBQ index+16(FP), DI")
	g.p("XORQ R15, R15")
	g.p("columns:")
	for i := range 4 {
		g.p("VMOVUPS (%s)(R15*1), X%d", rows[i], i)
		g.p("VINSERTF128 $1, (%s)(R15*1), Y%d, Y%[2]d", rows[i+4], i)
	}
	for i := 0; i < 4; i += 2 {
		g.p("VUNPCKLPS Y%d, Y%d, Y%d", i+1, i, i+4)
		g.p("VUNPCKHPS Y%d, Y%d, Y%d", i+1, i, i+5)
	}
	for i := range 2 {
		g.p("VUNPCKLPD Y%d, Y%d, Y%d", i+6, i+4, 2*i)
		g.p("VUNPCKHPD Y%d, Y%d, Y%d", i+6, i+4, 2*i+1)
	}
	for i, at := range []string{"(DI)", "(DI)(R8*1)", "(DI)(R8*2)", "(DI)(R13*1)"} {
		g.p("VMOVUPS Y%d, %s", i, at)
	}
	g.p("LEAQ (DI)(R8*4), DI")
	g.p("ADDQ $16, R15")
	g.p("CMPQ R15, k4+32(FP)")
	g.p("JLT columns")
	g.p("ADDQ $32, SI")
	g.p("MOVQ SI, DI")
	g.p("SUBQ index+16(FP), DI")
	g.p("CMPQ DI, R8")
	g.p("JLT block")
	g.end()
}

// vbLogs writes the sum of x·log p: logarithms in float32, p = 2ᵏ·(1+f), their sum
// in float64.
func (g *gen) vbLogs() {
	g.fn("mixLogs", "sets sum to that of x·log p over the n numbers, p at least 1e-30; n is a multiple of 16.",
		"sum *float64", "x *float32", "p *float32", "n int")
	g.args("x SI", "p DI", "n CX")
	k, f, p, t, z := g.reg(1), g.reg(2), g.reg(3), g.reg(4), g.reg(5)
	g.zero(6)
	g.zero(7)
	g.p("loop:")
	g.p("VMOVUPS (DI), %s", f)
	g.vset(vbRoot, t)
	g.p("VPSUBD %s, %s, %s", t, f, k)
	g.p("VPSRAD $23, %s, %[1]s", k)
	g.p("VPSLLD $23, %s, %s", k, t)
	g.p("VPSUBD %s, %s, %[2]s", t, f)
	g.p("VCVTDQ2PS %s, %[1]s", k)
	g.vc("VSUBPS", vbOne, "%s, %[1]s", f)
	g.p("VMULPS %s, %[1]s, %s", f, z)
	g.vset(vbLn1p+len(ln1p)-1, p)
	for i := len(ln1p) - 2; i >= 0; i-- {
		g.vc("VFMADD213PS", vbLn1p+i, "%s, %s", f, p)
	}
	g.p("VMULPS %s, %s, %[2]s", f, p)
	g.vc("VSUBPS", vbHalf, "%s, %[1]s", p)
	g.p("VFMADD231PS %s, %s, %s", z, p, f)
	g.vc("VFMADD231PS", vbLn2, "%s, %s", k, f)
	g.p("VMULPS (SI), %s, %[1]s", f)
	half := map[bool]string{true: "Y", false: "X"}[g.wide()]
	g.p("VCVTPS2PD %s2, %s", half, z)
	g.p("%s $1, %s, %s2", map[bool]string{true: "VEXTRACTF64X4", false: "VEXTRACTF128"}[g.wide()], f, half)
	g.p("VCVTPS2PD %s2, %s", half, f)
	g.p("VADDPD %s, %s, %[2]s", z, g.reg(6))
	g.p("VADDPD %s, %s, %[2]s", f, g.reg(7))
	g.p("ADDQ $%d, SI", g.bytes)
	g.p("ADDQ $%d, DI", g.bytes)
	g.p("SUBQ $%d, CX", g.bytes/4)
	g.p("JGT loop")
	g.p("VADDPD %s, %s, %[2]s", g.reg(7), g.reg(6))
	g.fold("VADDPD", 6, 0)
	g.arg("sum", "AX")
	g.p("VMOVSD X6, (AX)")
	g.end()
}

// spreadVectors is how many vectors of a row of the table vbSpread keeps in
// registers.
const spreadVectors = 4

// vbSpread writes the addition of a row's shares to rows of a table.
func (g *gen) vbSpread() {
	g.fn("mixSpread", "adds f·e to the rows of table that the n numbers of index name, of k4 bytes each; e is nv vectors, 2 or 4.",
		"table *float32", "k4 int", "index *uint32", "f *float32", "n int", "e *float32", "nv int")
	g.args("e AX", "table DI", "k4 DX", "index SI", "f BX", "n CX")
	g.p("CMPQ nv+%d(FP), $2", g.At("nv"))
	g.p("JEQ v2")
	for _, nv := range []int{spreadVectors, 2} {
		g.p("v%d:", nv)
		for v := range nv {
			g.p("VMOVUPS %d(AX), %s", v*g.bytes, g.reg(v))
		}
		g.p("word%d:", nv)
		g.p("MOVL (SI), R8")
		g.p("IMULQ DX, R8")
		g.p("VBROADCASTSS (BX), %s", g.reg(spreadVectors))
		for v := range nv {
			sum := g.reg(spreadVectors + 1 + v)
			g.p("VMOVUPS %d(DI)(R8*1), %s", v*g.bytes, sum)
			g.p("VFMADD231PS %s, %s, %s", g.reg(spreadVectors), g.reg(v), sum)
			g.p("VMOVUPS %s, %d(DI)(R8*1)", sum, v*g.bytes)
		}
		g.p("ADDQ $4, SI")
		g.p("ADDQ $4, BX")
		g.p("DECQ CX")
		g.p("JNE word%d", nv)
		g.end()
	}
}

// vbWords writes the sums of a row's counts.
func (g *gen) vbWords() {
	g.fn("mixWords", "sets sums to Σx and Σx·scale, and above to the number of x above zero, of n numbers, a multiple of 16; the scale of x is that which index names.",
		"sums *float64", "above *int", "x *float32", "index *uint32", "scale *float64", "n int")
	g.args("x SI", "index DI", "scale R8", "n CX")
	g.p("XORQ R9, R9")
	for _, i := range []int{0, 1, 2, 3, 4} { // two sums each, zero
		g.zero(i)
	}
	g.p("loop:")
	if g.wide() {
		g.p("VMOVUPS (SI), Z5")
		g.p("VCMPPS $14, Z4, Z5, K1")
		g.p("KMOVW K1, AX")
	} else {
		g.p("VMOVUPS (SI), Y5")
		g.p("VCMPPS $14, Y4, Y5, Y5")
		g.p("VMOVMSKPS Y5, AX")
	}
	g.p("POPCNTL AX, AX")
	g.p("ADDQ AX, R9")
	for half := range 2 {
		at := half * g.bytes / 2
		x, s := g.reg(6+half), g.reg(8+half)
		g.p("VCVTPS2PD %d(SI), %s", at, x)
		if g.wide() {
			g.p("VMOVDQU %d(DI), Y10", at)
			g.p("KXNORW K2, K2, K2")
			g.p("VGATHERDPD (R8)(Y10*8), K2, %s", s)
		} else {
			g.p("VMOVDQU %d(DI), X10", at)
			g.p("VPCMPEQD Y11, Y11, Y11")
			g.p("VGATHERDPD Y11, (R8)(X10*8), %s", s)
		}
		g.p("VADDPD %s, %s, %[2]s", x, g.reg(half))
		g.p("VFMADD231PD %s, %s, %s", x, s, g.reg(2+half))
	}
	g.p("ADDQ $%d, SI", g.bytes)
	g.p("ADDQ $%d, DI", g.bytes)
	g.p("SUBQ $%d, CX", g.bytes/4)
	g.p("JGT loop")
	g.p("VADDPD %s, %s, %[2]s", g.reg(1), g.reg(0))
	g.p("VADDPD %s, %s, %[2]s", g.reg(3), g.reg(2))
	g.fold("VADDPD", 0, 4)
	g.fold("VADDPD", 2, 4)
	g.arg("sums", "AX")
	g.p("VMOVSD X0, (AX)")
	g.p("VMOVSD X2, 8(AX)")
	g.arg("above", "AX")
	g.p("MOVQ R9, (AX)")
	g.end()
}

// vbKeep writes the copy of some rows of a panel.
func (g *gen) vbKeep() {
	g.fn("mixKeep", "sets the m rows of dst, of n4 bytes each, to those of src that keep names; n4 is a multiple of 64.",
		"dst *float32", "src *float32", "n4 int", "keep *int32", "m int")
	g.args("dst DI", "src SI", "n4 DX", "keep BX", "m CX")
	g.p("row:")
	g.p("MOVL (BX), R8")
	g.p("IMULQ DX, R8")
	g.p("ADDQ SI, R8")
	g.p("XORQ AX, AX")
	g.p("loop:")
	for at := 0; at < 64; at += g.bytes {
		g.p("VMOVUPS %d(R8)(AX*1), %s", at, g.reg(at/g.bytes))
		g.p("VMOVUPS %s, %d(DI)(AX*1)", g.reg(at/g.bytes), at)
	}
	g.p("ADDQ $64, AX")
	g.p("CMPQ AX, DX")
	g.p("JLT loop")
	g.p("ADDQ DX, DI")
	g.p("ADDQ $4, BX")
	g.p("DECQ CX")
	g.p("JNE row")
	g.end()
}
