package x86

import "fmt"

// tileVectors is the width of a register tile in vectors.
const tileVectors = 3

// rows is the height of the tallest register tile: with three vectors, 24 of
// 32 registers hold sums, or 12 of 16.
func (v isa) rows() int { return v.lanes() }

// gemm writes C += A·B for one panel of at most three vectors of columns:
// tiles of C stay in registers while the products of all k are added, in
// order, so that the bits of C do not depend on how the work was cut.
func (g *gen) gemm() {
	g.fn("gemm", "adds A·B to nv vectors of columns of m rows of c, rem lanes in the last. Entry (r,p) of A stands rs·r + cs·p bytes from a; rows of b and c are ldb and ldc bytes apart.",
		"m int", "k int", "a *float64", "rs int", "cs int", "b *float64", "ldb int", "c *float64", "ldc int", "nv int", "rem int")
	g.arg("rem", "R10")
	g.setMask("R10", "R11")
	g.args("m R13", "a SI", "rs R8", "cs R9", "ldb R11", "c DI", "ldc R12", "nv AX")
	for nv := 1; nv <= tileVectors; nv++ {
		g.p("CMPQ AX, $%d", nv)
		g.p("JEQ v%d", nv)
	}
	g.end()
	for nv := 1; nv <= tileVectors; nv++ {
		g.p("v%d:", nv)
		for mr := g.rows(); mr >= 1; mr /= 2 {
			id := fmt.Sprintf("t%dx%d", mr, nv)
			next := fmt.Sprintf("t%dx%d", mr/2, nv)
			if mr == 1 {
				next = fmt.Sprintf("end%d", nv)
			}
			g.p("%s:", id)
			g.p("CMPQ R13, $%d", mr)
			g.p("JLT %s", next)
			g.tile(id, mr, nv)
			g.p("LEAQ (SI)(R8*%d), SI", mr)
			g.p("SUBQ $%d, R13", mr)
			g.p("JMP %s", id)
		}
		g.p("end%d:", nv)
		g.end()
	}
}

// masked says whether the last of nv vectors goes through the mask: AVX2 has
// no register left for one beside its largest tile.
func (g *gen) masked(nv int) bool { return g.wide() || nv < tileVectors }

// tileRegs are the places of the sums, the rows of B and the entry of A.
func (g *gen) tileRegs(nv int) (b, t int) {
	if g.wide() {
		return 24, 28
	}
	if g.masked(nv) {
		return 12, 14
	}
	return 12, 15
}

// tile works on mr rows and nv vectors; DI moves past the rows of C.
func (g *gen) tile(id string, mr, nv int) {
	bReg, tReg := g.tileRegs(nv)
	g.p("MOVQ DI, R15")
	g.tileRows("R15", mr, nv, g.load2)
	g.p("MOVQ SI, AX") // rows 0, 1, 2, 4
	if mr > 2 {
		g.p("LEAQ (SI)(R8*2), BX") // rows 3, 5
		g.p("ADDQ R8, BX")
	}
	if mr > 4 {
		g.p("LEAQ (BX)(R8*2), DX") // rows 6, 7
		g.p("ADDQ R8, DX")
	}
	g.args("b R10", "k CX")
	g.p("PCALIGN $32")
	g.p("%sloop:", id)
	for v := range nv {
		g.load(fmt.Sprintf("%d(R10)", v*g.bytes), g.reg(bReg+v), v == nv-1 && g.masked(nv))
	}
	at := []string{"(AX)", "(AX)(R8*1)", "(AX)(R8*2)", "(BX)", "(AX)(R8*4)", "(BX)(R8*2)", "(DX)", "(DX)(R8*1)"}
	for r := range mr {
		g.multiply(at[r], r, nv, bReg, tReg)
	}
	g.p("ADDQ R11, R10")
	g.p("ADDQ R9, AX")
	if mr > 2 {
		g.p("ADDQ R9, BX")
	}
	if mr > 4 {
		g.p("ADDQ R9, DX")
	}
	g.p("DECQ CX")
	g.p("JNE %sloop", id)
	g.tileRows("DI", mr, nv, g.store2)
}

// multiply adds the entry of A at mem times the row of B to row r of the tile.
func (g *gen) multiply(mem string, r, nv, bReg, tReg int) {
	t := g.reg(tReg)
	if g.wide() {
		if nv == 1 { // one instruction in place of two
			g.p("VFMADD231PD.BCST %s, %s, %s", mem, g.reg(bReg), g.reg(r))
			return
		}
		t = g.reg(tReg + r%4)
	}
	g.p("VBROADCASTSD %s, %s", mem, t)
	for v := range nv {
		g.p("VFMADD231PD %s, %s, %s", g.reg(bReg+v), t, g.reg(r*nv+v))
	}
}

func (g *gen) load2(mem string, reg string, tail bool)  { g.load(mem, reg, tail) }
func (g *gen) store2(mem string, reg string, tail bool) { g.store(reg, mem, tail) }

// tileRows moves the sums from or to the rows of C.
func (g *gen) tileRows(at string, mr, nv int, move func(mem, reg string, tail bool)) {
	for r := range mr {
		for v := range nv {
			move(fmt.Sprintf("%d(%s)", v*g.bytes, at), g.reg(r*nv+v), v == nv-1 && g.masked(nv))
		}
		g.p("ADDQ R12, %s", at)
	}
}

// scale writes w·z for panels of rows: w is the record's weight times, where
// col is not nil, its entry of that column.
func (g *gen) scale() {
	g.fn("scale", "sets n rows of dst to the rows of z times v (ones where nil) times col (ones where nil); nv vectors, rem lanes in the last, whose other lanes become 0 in dst. Rows of z and col are ldz bytes apart, those of dst ldd.",
		"dst *float64", "ldd int", "z *float64", "ldz int", "n int", "col *float64", "v *float64", "nv int", "rem int")
	g.arg("rem", "R10")
	g.setMask("R10", "R11")
	g.args("dst DI", "ldd R8", "z SI", "ldz R9", "n CX", "col BX", "v DX", "nv R13")
	g.p("DECQ R13")
	g.p("VBROADCASTSD %s, %s", g.c(atOne), g.reg(2))
	g.p("row:")
	g.p("VMOVUPD %s, %s", g.reg(2), g.reg(0))
	g.p("TESTQ DX, DX")
	g.p("JEQ noweight")
	g.p("VBROADCASTSD (DX), %s", g.reg(0))
	g.p("ADDQ $8, DX")
	g.p("noweight:")
	g.p("TESTQ BX, BX")
	g.p("JEQ nocol")
	g.p("VBROADCASTSD (BX), %s", g.reg(1))
	g.p("VMULPD %s, %s, %[2]s", g.reg(1), g.reg(0))
	g.p("ADDQ R9, BX")
	g.p("nocol:")
	g.p("XORQ R12, R12")
	g.p("MOVQ R13, R10")
	g.p("full:")
	g.p("TESTQ R10, R10")
	g.p("JEQ last")
	g.p("VMULPD (SI)(R12*1), %s, %s", g.reg(0), g.reg(1))
	g.p("VMOVUPD %s, (DI)(R12*1)", g.reg(1))
	g.p("ADDQ $%d, R12", g.bytes)
	g.p("DECQ R10")
	g.p("JMP full")
	g.p("last:")
	g.load("(SI)(R12*1)", g.reg(1), true)
	g.p("VMULPD %s, %s, %[2]s", g.reg(0), g.reg(1))
	g.p("VMOVUPD %s, (DI)(R12*1)", g.reg(1))
	g.p("ADDQ R8, DI")
	g.p("ADDQ R9, SI")
	g.p("DECQ CX")
	g.p("JNE row")
	g.end()
}
