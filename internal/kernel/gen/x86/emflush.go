package x86

import "fmt"

// flush adds single to double sums.
func (g *gen) flush() {
	g.fn("flush", "adds k numbers of each row of src, width numbers apart, to dst and sets them to zero; the width is a multiple of 4.",
		"dst *float64", "src *float32", "rows int", "k int", "width int")
	g.args("dst DI", "src SI", "rows CX", "k R8", "width R9")
	g.p("SHLQ $2, R9")
	g.p("VXORPS X1, X1, X1")
	g.p("row:")
	g.p("MOVQ SI, BX")
	g.p("MOVQ R8, AX")
	if g.wide() {
		g.flushPieces(8, "Z", "Y")
	}
	g.flushPieces(4, "Y", "X")
	g.p("TESTQ AX, AX")
	g.p("JEQ next")
	g.p("TESTQ $2, AX")
	g.p("JEQ odd")
	g.p("VCVTPS2PD (BX), X0")
	g.p("VADDPD (DI), X0, X0")
	g.p("VMOVUPD X0, (DI)")
	g.p("ADDQ $16, DI")
	g.p("odd:")
	g.p("TESTQ $1, AX")
	g.p("JEQ last")
	g.p("ANDQ $2, AX")
	g.p("VMOVSS (BX)(AX*4), X0")
	g.p("VCVTSS2SD X0, X0, X0")
	g.p("VADDSD (DI), X0, X0")
	g.p("VMOVSD X0, (DI)")
	g.p("ADDQ $8, DI")
	g.p("last:")
	g.p("VMOVUPS X1, (BX)")
	g.p("next:")
	g.p("ADDQ R9, SI")
	g.p("DECQ CX")
	g.p("JNE row")
	g.end()
}

// pieces flushes n numbers of a row at a time, AX of which are left.
func (g *gen) flushPieces(n int, double, single string) {
	g.p("CMPQ AX, $%d", n)
	g.p("JLT below%d", n)
	g.loop(fmt.Sprint("pieces", n))
	g.p("VCVTPS2PD (BX), %s0", double)
	g.p("VADDPD (DI), %s0, %[1]s0", double)
	g.p("VMOVUPD %s0, (DI)", double)
	g.p("VMOVUPS %s1, (BX)", single)
	g.p("ADDQ $%d, BX", 4*n)
	g.p("ADDQ $%d, DI", 8*n)
	g.p("SUBQ $%d, AX", n)
	g.p("CMPQ AX, $%d", n)
	g.p("JGE pieces%d", n)
	g.p("below%d:", n)
}
