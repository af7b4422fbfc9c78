package x86

import (
	"fmt"
	"math"

	"github.com/moiety-go/moiety/internal/kernel/gen/text"
)

// Places in the table of constants.
const (
	atOne = iota
	atNegInf
	atLow // exp of anything lower is taken for zero
	atLog2E
	atLn2Hi
	atLn2Lo
	atExp // 1/i! for i = 0 to expDegree

	at1023     = atExp + expDegree + 1
	atRootBits = at1023 + 1 // bits of √½
	at2to52    = at1023 + 2
	atTwo      = at1023 + 3
	atHalf     = at1023 + 4
	atLog      = at1023 + 5  // seven coefficients
	atFrom     = at1023 + 12 // 2¹⁰²⁴ less √½, as bits
	at1024     = at1023 + 13 // 2¹⁰²⁴ as bits: 1024 in the place of the exponent
	atPast     = at1023 + 14 // 2⁵² + 1024

	expDegree = text.ExpDegree
)

// expLow bounds exponentials at 1e-304. Near the smallest numbers, whose digits fade, an operation
// takes a hundred times as long, and so do those on what it gave; a panel of clouds on a line
// is full of such shares.
const expLow = -700

func constants() []uint64 {
	root := math.Float64bits(math.Sqrt(0.5))
	out := text.Doubles(1, math.Inf(-1), expLow, math.Log2E, text.Ln2Hi, text.Ln2Lo)
	out = append(out, text.Doubles(text.Factorials(expDegree)...)...)
	out = append(out, 1023, root)
	out = append(out, text.Doubles(1<<52, 2, 0.5)...)
	out = append(out, text.Doubles(text.LogSeries...)...)
	const shift = 1024 << 52
	return append(out, shift-root, shift, math.Float64bits(1<<52+1024))
}

// c is the address of a constant, in all lanes.
func (g *gen) c(i int) string {
	g.Table("consts", 64, 4, constants()...)
	return fmt.Sprintf("·consts+%d(SB)", 32*i)
}

// k writes an operation whose first operand is a constant. AVX-512 takes it from
// one place for all lanes, which costs no more, and never straddles the border
// of a cache line.
func (g *gen) k(op string, i int, format string, a ...any) {
	if g.wide() {
		op += ".BCST"
	}
	g.p("%s %s, %s", op, g.c(i), fmt.Sprintf(format, a...))
}

// Registers of softmax: the exponential in 4 to 8, a sum or maximum in 9, a
// number in all lanes in 10; which exponentials are zero in 11, with AVX-512 in K2.
const (
	regExp  = 4
	regSum  = 9
	regAll  = 10
	regZero = 11
)

// softmax writes the softmax of rows in four rounds over a panel that stays in
// the first-level cache: scores less the largest of their row, exponentials of
// the panel as one long vector, shares, counts. In one round the long chain of
// operations of a row would fill the machine's window, and hide the next row
// from it. DI row, R8 bytes of a row, R9 full vectors before the last, CX lanes
// of that, R13 rows left, R11 and R12 sums and largest scores, R15 the bits of -Inf.
func (g *gen) softmax() {
	g.fn("softmax", "turns n rows of k scores, to which bias is added, into shares; adds the shares to count, and sets sum and top to the rows' sums of exponentials and largest scores. bias and count may be nil; share is 1/k.",
		"x *float64", "n int", "k int", "bias *float64", "count *float64", "sum *float64", "top *float64", "share float64")
	g.arg("k", "R9")
	g.p("LEAQ -1(R9), R10")
	g.p("ANDQ $%d, R10", g.lanes()-1)
	g.p("INCQ R10")
	g.p("MOVQ R10, R8")
	g.setMask("R8", "BX")
	g.p("MOVQ R10, CX")
	g.p("MOVQ R9, R8")
	g.p("SHLQ $3, R8")
	g.p("DECQ R9")
	g.p("SHRQ $%d, R9", map[bool]int{true: 3, false: 2}[g.wide()])
	g.arg("bias", "SI")
	g.p("MOVQ $0xfff0000000000000, R15")
	g.below()
	g.exps()
	g.shares()
	g.counts()
	g.end()
}

// rowsOf runs body for every row of the panel.
func (g *gen) rowsOf(id string, body func()) {
	g.args("x DI", "n R13", "sum R11", "top R12")
	g.p("%srow:", id)
	body()
	g.p("%snext:", id)
	g.p("ADDQ R8, DI")
	g.p("ADDQ $8, R11")
	g.p("ADDQ $8, R12")
	g.p("DECQ R13")
	g.p("JNE %srow", id)
}

// vectorsOf runs body over the vectors of the row at offset AX, the last one
// through the mask.
func (g *gen) vectorsOf(id string, body func(tail bool)) {
	g.p("XORQ AX, AX")
	g.p("MOVQ R9, BX")
	g.p("TESTQ BX, BX")
	g.p("JEQ %slast", id)
	g.p("%sfull:", id)
	body(false)
	g.p("ADDQ $%d, AX", g.bytes)
	g.p("DECQ BX")
	g.p("JNE %sfull", id)
	g.p("%slast:", id)
	body(true)
}

// keep writes register v to the vector at AX of the row; the last one goes in
// pieces and spoils v: a masked store would hold up the loads of the row behind.
func (g *gen) keep(id string, v int, tail bool) {
	if !tail {
		g.store(g.reg(v), "(DI)(AX*1)", false)
		return
	}
	g.p("LEAQ (DI)(AX*1), BX")
	g.exact(id, v)
}

// below adds the bias to the rows and takes away their largest. Rows without a
// number above -Inf are left alone.
func (g *gen) below() {
	x, b := g.reg(0), g.reg(1)
	g.p("TESTQ R9, R9")
	g.p("JEQ bshort")
	g.rowsOf("b", func() {
		g.p("VBROADCASTSD %s, %s", g.c(atNegInf), g.reg(regSum))
		g.p("TESTQ SI, SI")
		g.p("JEQ nobias")
		g.vectorsOf("bias", func(tail bool) {
			g.load("(DI)(AX*1)", x, tail)
			g.load("(SI)(AX*1)", b, tail)
			g.p("VADDPD %s, %s, %[2]s", b, x)
			g.larger(0, tail)
			g.keep("bias", 0, tail)
		})
		g.p("JMP top")
		g.p("nobias:")
		g.vectorsOf("bare", func(tail bool) {
			g.load("(DI)(AX*1)", x, tail)
			g.larger(0, tail)
		})
		g.p("top:")
		g.fold("VMAXPD", regSum, regExp)
		g.p("VMOVSD X%d, (R12)", regSum)
		g.p("VMOVQ X%d, AX", regSum)
		g.p("CMPQ AX, R15")
		g.p("JEQ bnext")
		g.p("VBROADCASTSD X%d, %s", regSum, g.reg(regAll))
		g.vectorsOf("less", func(tail bool) {
			g.load("(DI)(AX*1)", x, tail)
			g.p("VSUBPD %s, %s, %[2]s", g.reg(regAll), x)
			g.keep("less", 0, tail)
		})
	})
	g.p("JMP bdone")
	g.p("bshort:") // rows of one vector stay in a register
	g.zero(1)
	g.p("TESTQ SI, SI")
	g.p("JEQ short")
	g.load("(SI)", b, true)
	g.p("short:")
	g.p("XORQ AX, AX")
	g.rowsOf("v", func() {
		g.p("VBROADCASTSD %s, %s", g.c(atNegInf), g.reg(regSum))
		g.load("(DI)", x, true)
		g.p("VADDPD %s, %s, %[2]s", b, x)
		g.larger(0, true)
		g.fold("VMAXPD", regSum, regExp)
		g.p("VMOVSD X%d, (R12)", regSum)
		g.p("CMPQ (R12), R15")
		g.p("JEQ vnext")
		g.p("VBROADCASTSD X%d, %s", regSum, g.reg(regAll))
		g.p("VSUBPD %s, %s, %[2]s", g.reg(regAll), x)
		g.keep("vrow", 0, true)
	})
	g.p("bdone:")
}

// exps replaces the numbers of the panel by their exponentials; BX of them are
// left from DI on.
func (g *gen) exps() {
	g.args("x DI", "n BX")
	g.p("IMULQ k+%d(FP), BX", g.At("k"))
	g.expsOf(true)
}

// expsOf replaces BX numbers from DI on by their exponentials, and keeps the mask of CX
// lanes where it is asked to.
func (g *gen) expsOf(keep bool) {
	g.p("SUBQ $%d, BX", g.lanes())
	g.p("JLT exprest")
	g.loop("expfull")
	g.load("(DI)", g.reg(0), false)
	g.exp(0)
	g.store(g.reg(0), "(DI)", false)
	g.p("ADDQ $%d, DI", g.bytes)
	g.p("SUBQ $%d, BX", g.lanes())
	g.p("JGE expfull")
	g.p("exprest:")
	g.p("ADDQ $%d, BX", g.lanes())
	g.p("JEQ expdone")
	if keep {
		g.p("MOVQ CX, R14")
	}
	g.setMask("BX", "AX")
	g.load("(DI)", g.reg(0), true)
	g.exp(0)
	g.store(g.reg(0), "(DI)", true)
	if keep {
		g.p("MOVQ R14, BX")
		g.setMask("BX", "AX") // that of the rows
	}
	g.p("expdone:")
}

// shares divides the rows by their sums; rows whose largest score was -Inf
// become equal shares, and their sum counts as one.
func (g *gen) shares() {
	x := g.reg(0)
	g.rowsOf("s", func() {
		g.p("CMPQ (R12), R15")
		g.p("JEQ flat")
		g.zero(regSum)
		g.vectorsOf("sum", func(tail bool) {
			g.load("(DI)(AX*1)", x, tail) // zeros behind the last lane, and the last vector stays
			g.p("VADDPD %s, %s, %[2]s", x, g.reg(regSum))
		})
		g.fold("VADDPD", regSum, regExp)
		g.p("VMOVSD X%d, (R11)", regSum)
		g.p("VMOVSD %s, X%d", g.c(atOne), regAll)
		g.p("VDIVSD X%d, X%d, X%[2]d", regSum, regAll)
		g.p("VBROADCASTSD X%d, %s", regAll, g.reg(regAll))
		g.vectorsOf("over", func(tail bool) {
			g.load("(DI)(AX*1)", x, tail)
			g.p("VMULPD %s, %s, %[2]s", g.reg(regAll), x)
			g.keep("over", 0, tail)
		})
		g.p("JMP snext")
		g.p("flat:")
		g.p("MOVQ %s, AX", g.c(atOne))
		g.p("MOVQ AX, (R11)")
		g.p("MOVQ share+%d(FP), DX", g.At("share"))
		g.p("XORQ AX, AX")
		g.p("even:")
		g.p("MOVQ DX, (DI)(AX*1)")
		g.p("ADDQ $8, AX")
		g.p("CMPQ AX, R8")
		g.p("JLT even")
	})
}

// counts adds the columns to the counts, row after row, a vector of columns at a
// time: DI the first row, SI the one at hand.
func (g *gen) counts() {
	g.arg("count", "DX")
	g.p("TESTQ DX, DX")
	g.p("JEQ end")
	g.arg("x", "DI")
	g.vectorsOf("count", func(tail bool) {
		loop := fmt.Sprintf("column%v", tail)
		g.load("(DX)(AX*1)", g.reg(0), tail)
		g.arg("n", "R13")
		g.p("LEAQ (DI)(AX*1), SI")
		g.p("%s:", loop)
		g.load("(SI)", g.reg(1), tail)
		g.p("VADDPD %s, %s, %[2]s", g.reg(1), g.reg(0))
		g.p("ADDQ R8, SI")
		g.p("DECQ R13")
		g.p("JNE %s", loop)
		g.store(g.reg(0), "(DX)(AX*1)", tail)
	})
	g.p("end:")
}

// exact writes the lanes of the last vector, register v (spoiled), to BX in
// pieces.
func (g *gen) exact(id string, v int) {
	g.p("CMPQ CX, $%d", g.lanes())
	g.p("JEQ %sall", id)
	if g.wide() {
		g.p("TESTQ $4, CX")
		g.p("JEQ %snot4", id)
		g.p("VMOVUPD Y%d, (BX)", v)
		g.p("VEXTRACTF64X4 $1, Z%d, Y%[1]d", v)
		g.p("ADDQ $32, BX")
		g.p("%snot4:", id)
	}
	g.p("TESTQ $2, CX")
	g.p("JEQ %snot2", id)
	g.p("VMOVUPD X%d, (BX)", v)
	g.p("VEXTRACTF128 $1, Y%d, X%[1]d", v)
	g.p("ADDQ $16, BX")
	g.p("%snot2:", id)
	g.p("TESTQ $1, CX")
	g.p("JEQ %swritten", id)
	g.p("VMOVSD X%d, (BX)", v)
	g.p("JMP %swritten", id)
	g.p("%sall:", id)
	g.p("VMOVUPD %s, (BX)", g.reg(v))
	g.p("%swritten:", id)
}

// larger raises the lanes of the sum to those of register v. A NaN is passed
// over, as by the comparison of plain Go.
func (g *gen) larger(v int, tail bool) {
	acc, x := g.reg(regSum), g.reg(v)
	switch {
	case !tail:
		g.p("VMAXPD %s, %s, %[1]s", acc, x)
	case g.wide():
		g.p("VMAXPD %s, %s, K1, %[1]s", acc, x)
	default:
		g.p("VBROADCASTSD %s, Y%d", g.c(atNegInf), regExp)
		g.p("VBLENDVPD Y15, %s, Y%d, Y%[2]d", x, regExp)
		g.p("VMAXPD %s, Y%d, %[1]s", acc, regExp)
	}
}

// fold combines the lanes of register i, in a fixed order, into its lowest.
func (g *gen) fold(op string, i, tmp int) {
	if g.wide() {
		g.p("VEXTRACTF64X4 $1, Z%d, Y%d", i, tmp)
		g.p("%s Y%d, Y%d, Y%[3]d", op, tmp, i)
	}
	g.p("VEXTRACTF128 $1, Y%d, X%d", i, tmp)
	g.p("%s X%d, X%d, X%[3]d", op, tmp, i)
	g.p("VPERMILPD $1, X%d, X%d", i, tmp)
	g.p("%s X%d, X%d, X%[3]d", op, tmp, i)
}

// exp replaces register v, not above 0 or NaN, by its exponential: 2ⁿ·eʳ with
// |r| ≤ ln 2/2 and eʳ by its series in two interleaved halves.
func (g *gen) exp(v int) {
	x, n, r2, even, odd := g.reg(v), g.reg(regExp), g.reg(regExp+1), g.reg(regExp+2), g.reg(regExp+3)
	g.p("VBROADCASTSD %s, %s", g.c(atLow), n)
	if g.wide() {
		g.p("VCMPPD $0x15, %s, %s, K2", n, x) // not below, or NaN
	} else {
		g.p("VCMPPD $0x15, %s, %s, %s", n, x, g.reg(regZero))
	}
	g.p("VMAXPD %s, %s, %[1]s", x, n) // NaN stays
	g.k("VMULPD", atLog2E, "%s, %s", x, n)
	if g.wide() {
		g.p("VRNDSCALEPD $8, %s, %[1]s", n)
	} else {
		g.p("VROUNDPD $8, %s, %[1]s", n)
	}
	g.k("VFNMADD231PD", atLn2Hi, "%s, %s", n, x)
	g.k("VFNMADD231PD", atLn2Lo, "%s, %s", n, x)
	g.p("VMULPD %s, %[1]s, %s", x, r2)
	g.p("VBROADCASTSD %s, %s", g.c(atExp+expDegree-1), even)
	g.p("VBROADCASTSD %s, %s", g.c(atExp+expDegree), odd)
	for i := expDegree - 3; i >= 0; i -= 2 {
		g.k("VFMADD213PD", atExp+i, "%s, %s", r2, even)
		g.k("VFMADD213PD", atExp+i+1, "%s, %s", r2, odd)
	}
	g.p("VFMADD231PD %s, %s, %s", odd, x, even)
	if g.wide() {
		g.p("VSCALEFPD.Z %s, %s, K2, %s", n, even, x)
		return
	}
	power := regExp + 3
	g.p("VCVTPD2DQY %s, X%d", n, power)
	g.p("VPMOVSXDQ X%d, Y%[1]d", power)
	g.k("VPADDQ", at1023, "Y%d, Y%[1]d", power)
	g.p("VPSLLQ $52, Y%d, Y%[1]d", power)
	g.p("VMULPD Y%d, %s, %[2]s", power, even)
	g.p("VANDPD %s, %s, %s", g.reg(regZero), even, x)
}

// logSplit takes register 0 = 2ᵏ·(1+f) apart: k + 2⁵² into register 1, 1+f into
// 2; it spoils 4.
func (g *gen) logSplit() {
	x, k, f, t := g.reg(0), g.reg(1), g.reg(2), g.reg(4)
	or := map[bool]string{true: "VPORQ", false: "VPOR"}[g.wide()]
	g.p("VBROADCASTSD %s, %s", g.c(atRootBits), t)
	g.p("VPSUBQ %s, %s, %s", t, x, k)
	g.p("VPSRLQ $52, %s, %[1]s", k) // x = 2ᵏ·(1+f) with 1+f from √½ to √2
	g.p("VPSLLQ $52, %s, %s", k, t)
	g.p("VPSUBQ %s, %s, %s", t, x, f)
	g.k(or, at2to52, "%s, %[1]s", k)
}

// logSeries takes 1+f in register 2 and leaves f there, s·(f²/2+R) in 4 and f²/2 in
// 8, so that log(1+f) = f − (f²/2 − s·(f²/2+R)); it spoils 3 and 5 to 7.
func (g *gen) logSeries() {
	f, s, t, z, w, p, h := g.reg(2), g.reg(3), g.reg(4), g.reg(5), g.reg(6), g.reg(7), g.reg(8)
	g.k("VSUBPD", atOne, "%s, %[1]s", f)
	g.k("VADDPD", atTwo, "%s, %s", f, t)
	g.p("VDIVPD %s, %s, %s", t, f, s)
	g.p("VMULPD %s, %[1]s, %s", s, z)
	g.p("VMULPD %s, %[1]s, %s", z, w)
	g.p("VBROADCASTSD %s, %s", g.c(atLog+5), t)
	g.k("VFMADD213PD", atLog+3, "%s, %s", w, t)
	g.k("VFMADD213PD", atLog+1, "%s, %s", w, t)
	g.p("VMULPD %s, %s, %[2]s", w, t)
	g.p("VBROADCASTSD %s, %s", g.c(atLog+6), p)
	for _, i := range []int{4, 2, 0} {
		g.k("VFMADD213PD", atLog+i, "%s, %s", w, p)
	}
	g.p("VFMADD231PD %s, %s, %s", z, p, t) // R
	g.p("VMULPD %s, %[1]s, %s", f, h)
	g.k("VMULPD", atHalf, "%s, %[1]s", h) // f²/2
	g.p("VADDPD %s, %s, %[2]s", h, t)
	g.p("VMULPD %s, %s, %[2]s", s, t)
}

// exponentials writes the exponentials of a list.
func (g *gen) exponentials() {
	g.fn("exps", "replaces the n numbers of x, none above 660, by their exponentials.", "x *float64", "n int")
	g.args("x DI", "n BX")
	g.expsOf(false)
	g.end()
}

// logarithms writes the logarithms of a list. Other than in logSplit, 1024 is added to the
// exponent while it is taken out, so that it is not below zero.
func (g *gen) logarithms() {
	g.fn("logs", "replaces the n numbers of x, positive and normal, by their logarithms.", "x *float64", "n int")
	g.args("x DI", "n CX")
	or := map[bool]string{true: "VPORQ", false: "VPOR"}[g.wide()]
	g.overList(func(tail bool) {
		x, k, f, t := g.reg(0), g.reg(1), g.reg(2), g.reg(4)
		g.load("(DI)", x, tail)
		g.k("VPADDQ", atFrom, "%s, %s", x, k)
		g.p("VPSRLQ $52, %s, %[1]s", k)
		g.p("VPSLLQ $52, %s, %s", k, t)
		g.p("VPSUBQ %s, %s, %s", t, x, f)
		g.k("VPADDQ", at1024, "%s, %[1]s", f)
		g.k(or, at2to52, "%s, %[1]s", k)
		g.k("VSUBPD", atPast, "%s, %[1]s", k)
		g.logJoin()
		g.store(k, "(DI)", tail)
	}, "DI")
}

// logJoin makes the logarithm, in register 1, of k there and 1+f in register 2.
func (g *gen) logJoin() {
	k, f, t, h := g.reg(1), g.reg(2), g.reg(4), g.reg(8)
	g.logSeries()
	g.k("VFMADD231PD", atLn2Lo, "%s, %s", k, t)
	g.p("VSUBPD %s, %s, %[2]s", t, h)
	g.p("VSUBPD %s, %s, %[2]s", f, h)
	g.k("VFMSUB132PD", atLn2Hi, "%s, %s", h, k) // k·ln2 − h
}

// overList runs body over the vectors of CX numbers, the last one through the mask; lists are
// the registers that point to them.
func (g *gen) overList(body func(tail bool), lists ...string) {
	g.p("loop:")
	g.p("CMPQ CX, $%d", g.lanes())
	g.p("JLT tail")
	body(false)
	for _, l := range lists {
		g.p("ADDQ $%d, %s", g.bytes, l)
	}
	g.p("SUBQ $%d, CX", g.lanes())
	g.p("JMP loop")
	g.p("tail:")
	g.p("TESTQ CX, CX")
	g.p("JEQ done")
	g.setMask("CX", "AX")
	body(true)
	g.p("done:")
	g.end()
}

// logSum writes log(x) + top for x ≥ 1 or NaN.
func (g *gen) logSum() {
	g.fn("logSum", "replaces the n numbers of x, at least 1 or NaN, by their logarithms plus those of top.", "x *float64", "top *float64", "n int")
	g.args("x DI", "top SI", "n CX")
	g.overList(func(tail bool) {
		x, k, t := g.reg(0), g.reg(1), g.reg(4)
		g.load("(DI)", x, tail)
		g.logSplit()
		g.k("VSUBPD", at2to52, "%s, %[1]s", k)
		g.logJoin()
		g.p("VSUBPD %s, %[1]s, %s", x, t) // 0, or NaN
		g.p("VADDPD %s, %s, %[2]s", t, k)
		g.load("(SI)", t, tail)
		g.p("VADDPD %s, %s, %[2]s", t, k)
		g.store(k, "(DI)", tail)
	}, "DI", "SI")
}
