//go:build ignore

package main

import (
	"fmt"
	"math"
)

// Places in the table of constants.
const (
	atOne = iota
	atNegInf
	atLow // exp of anything lower is zero
	atLog2E
	atLn2Hi
	atLn2Lo
	atExp // 1/i! for i = 0 to expDegree

	at1023     = atExp + expDegree + 1
	atRootBits = at1023 + 1 // bits of √½
	at2to52    = at1023 + 2
	atTwo      = at1023 + 3
	atHalf     = at1023 + 4
	atLog      = at1023 + 5 // seven coefficients

	// expDegree: on |r| ≤ ln 2/2 the first term left out is 4e-18.
	expDegree = 13
)

func constants() []uint64 {
	out := []uint64{
		math.Float64bits(1), math.Float64bits(math.Inf(-1)), math.Float64bits(-746),
		math.Float64bits(math.Log2E), math.Float64bits(6.93147180369123816490e-01), math.Float64bits(1.90821492927058770002e-10),
	}
	fact := 1.0
	for i := range expDegree + 1 {
		if i > 0 {
			fact *= float64(i)
		}
		out = append(out, math.Float64bits(1/fact))
	}
	out = append(out, 1023, math.Float64bits(math.Sqrt(0.5)), math.Float64bits(1<<52), math.Float64bits(2), math.Float64bits(0.5))
	// log((1+s)/(1−s)) = 2s + s·R(s²): the minimax coefficients of fdlibm.
	for _, c := range []float64{
		6.666666666666735130e-01, 3.999999999940941908e-01, 2.857142874366239149e-01, 2.222219843214978396e-01,
		1.818357216161805012e-01, 1.531383769920937332e-01, 1.479819860511658591e-01,
	} {
		out = append(out, math.Float64bits(c))
	}
	return out
}

// c is the address of a constant, in all lanes.
func (g *gen) c(i int) string { return fmt.Sprintf("consts%s<>+%d(SB)", g.name, g.bytes*i) }

// k writes an operation whose first operand is a constant. AVX-512 takes it from
// one place for all lanes, which costs no more, and never straddles the border
// of a cache line.
func (g *gen) k(op string, i int, format string, a ...any) {
	if g.wide() {
		op += ".BCST"
	}
	g.p("%s %s, %s", op, g.c(i), fmt.Sprintf(format, a...))
}

// softmaxVectors is how many vectors of a row stay in registers; longer rows
// go through memory.
const softmaxVectors = 4

// Registers of softmax: the row in 0 to 3, the exponential in 4 to 8, a sum or
// maximum in 9, a number in all lanes in 10, the counts in 11 to 14.
const (
	regExp   = 4
	regSum   = 9
	regAll   = 10
	regCount = 11
)

// softmax writes the softmax of rows, and the logarithm of their sums.
func (g *gen) softmax() {
	g.fn("softmax", "turns n rows of k scores, to which bias is added, into shares; adds the shares to count, and sets sum and top to the rows' sums of exponentials and largest scores. bias and count may be nil; share is 1/k.",
		"x *float64", "n int", "k int", "bias *float64", "count *float64", "sum *float64", "top *float64", "share float64")
	g.arg("k", "R9")
	g.p("LEAQ -1(R9), R10")
	g.p("ANDQ $%d, R10", g.lanes()-1)
	g.p("INCQ R10")
	g.p("MOVQ R10, R8")
	g.setMask("R8", "BX")
	g.p("MOVQ R10, CX") // lanes of the last vector
	g.p("MOVQ R9, R8")
	g.p("SHLQ $3, R8") // stride
	g.p("DECQ R9")
	g.p("SHRQ $%d, R9", map[bool]int{true: 3, false: 2}[g.wide()]) // full vectors before the last
	g.arg("x", "DI")
	g.arg("n", "R13")
	g.arg("bias", "SI")
	g.arg("count", "DX")
	g.arg("sum", "R11")
	g.arg("top", "R12")
	g.p("MOVQ $0xfff0000000000000, R15")
	for nv := 1; nv <= softmaxVectors; nv++ {
		g.p("CMPQ R9, $%d", nv-1)
		g.p("JEQ v%d", nv)
	}
	g.softmaxLong()
	for nv := 1; nv <= softmaxVectors; nv++ {
		g.p("v%d:", nv)
		g.softmaxShort(nv)
	}
	g.logSum()
}

func (g *gen) softmaxNext(row string) {
	g.p("ADDQ R8, DI")
	g.p("ADDQ $8, R11")
	g.p("ADDQ $8, R12")
	g.p("DECQ R13")
	g.p("JNE %s", row)
}

// softmaxShort works on rows of nv vectors in three rounds: largest scores,
// exponentials, shares. In one round the long chain of operations of a row
// would fill the machine's window, and hide the next row from it.
func (g *gen) softmaxShort(nv int) {
	id := fmt.Sprintf("s%d", nv)
	at := func(v int, ptr string) string { return fmt.Sprintf("%d(%s)", v*g.bytes, ptr) }
	scores := func(id string) {
		for v := range nv {
			g.load(at(v, "DI"), g.reg(v), v == nv-1)
		}
		g.p("TESTQ SI, SI")
		g.p("JEQ %snobias", id)
		for v := range nv {
			g.load(at(v, "SI"), g.reg(regExp), v == nv-1)
			g.p("VADDPD %s, %s, %[2]s", g.reg(regExp), g.reg(v))
		}
		g.p("%snobias:", id)
	}
	write := func(id string) {
		for v := range nv - 1 {
			g.store(g.reg(v), at(v, "DI"), false)
		}
		g.p("LEAQ %s, BX", at(nv-1, "DI"))
		g.exact(id, nv-1)
	}
	again := func() {
		g.arg("x", "DI")
		g.arg("n", "R13")
		g.arg("sum", "R11")
		g.arg("top", "R12")
	}

	g.p("%stop:", id)
	scores(id + "t")
	g.p("VBROADCASTSD %s, %s", g.c(atNegInf), g.reg(regSum))
	for v := range nv {
		g.larger(v, v == nv-1)
	}
	g.fold("VMAXPD", regSum, regExp)
	g.p("VMOVSD X%d, (R12)", regSum)
	g.softmaxNext(id + "top")

	again()
	g.p("%sexp:", id)
	scores(id + "e")
	g.p("VBROADCASTSD (R12), %s", g.reg(regAll))
	for v := range nv {
		g.p("VSUBPD %s, %s, %[2]s", g.reg(regAll), g.reg(v))
		g.exp(v)
	}
	write(id + "e")
	g.softmaxNext(id + "exp")

	again()
	for v := range nv {
		g.zero(regCount + v)
	}
	g.p("TESTQ DX, DX")
	g.p("JEQ %sshare", id)
	for v := range nv {
		g.load(at(v, "DX"), g.reg(regCount+v), v == nv-1)
	}
	g.p("%sshare:", id)
	g.p("CMPQ (R12), R15")
	g.p("JEQ %sflat", id)
	g.zero(regSum)
	for v := range nv {
		g.load(at(v, "DI"), g.reg(v), v == nv-1) // zeros behind the last lane
		g.p("VADDPD %s, %s, %[2]s", g.reg(v), g.reg(regSum))
	}
	g.oneOverSum()
	for v := range nv {
		g.p("VMULPD %s, %s, %[2]s", g.reg(regAll), g.reg(v))
	}
	g.p("%sout:", id)
	for v := range nv {
		g.p("VADDPD %s, %s, %[2]s", g.reg(v), g.reg(regCount+v))
	}
	write(id + "s")
	g.softmaxNext(id + "share")
	g.p("TESTQ DX, DX")
	g.p("JEQ %send", id)
	for v := range nv {
		g.store(g.reg(regCount+v), at(v, "DX"), v == nv-1)
	}
	g.p("%send:", id)
	g.end()
	g.p("%sflat:", id)
	g.flat()
	for v := range nv {
		g.p("VMOVUPD %s, %s", g.reg(regAll), g.reg(v))
	}
	g.p("JMP %sout", id)
}

// exact writes the lanes of the last vector, register v (spoiled), to BX in
// pieces: a masked store would hold up the loads of the rows behind it.
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

// softmaxLong takes rows through memory three times, but for their last
// vector (register 2) and its counts (register 3).
func (g *gen) softmaxLong() {
	const last, lastCount = 2, 3
	x := g.reg(0)
	lastAt := func() { // the address of the last vector of the row, and of the counts
		g.p("MOVQ R9, AX")
		g.p("SHLQ $%d, AX", map[bool]int{true: 6, false: 5}[g.wide()])
	}
	g.zero(lastCount)
	g.p("TESTQ DX, DX")
	g.p("JEQ row")
	lastAt()
	g.load("(DX)(AX*1)", g.reg(lastCount), true)

	g.p("row:")
	g.p("VBROADCASTSD %s, %s", g.c(atNegInf), g.reg(regSum))
	g.vectorsOf("top", func() {
		g.load("(DI)(AX*1)", x, false)
		g.p("TESTQ SI, SI")
		g.p("JEQ nobias")
		g.p("VADDPD (SI)(AX*1), %s, %[1]s", x)
		g.store(x, "(DI)(AX*1)", false)
		g.p("nobias:")
		g.larger(0, false)
	})
	g.load("(DI)(AX*1)", g.reg(last), true)
	g.p("TESTQ SI, SI")
	g.p("JEQ lastnobias")
	g.load("(SI)(AX*1)", g.reg(regExp), true)
	g.p("VADDPD %s, %s, %[2]s", g.reg(regExp), g.reg(last))
	g.p("lastnobias:")
	g.larger(last, true)
	g.topOf("flat")

	g.zero(regSum)
	g.vectorsOf("exp", func() {
		g.load("(DI)(AX*1)", x, false)
		g.p("VSUBPD %s, %s, %[2]s", g.reg(regAll), x)
		g.exp(0)
		g.store(x, "(DI)(AX*1)", false)
		g.addTo(0, false)
	})
	g.p("VSUBPD %s, %s, %[2]s", g.reg(regAll), g.reg(last))
	g.exp(last)
	g.addTo(last, true)
	g.oneOverSum()

	share := func(id string, get func()) {
		g.vectorsOf(id, func() {
			get()
			g.store(x, "(DI)(AX*1)", false)
			g.p("TESTQ DX, DX")
			g.p("JEQ %snocount", id)
			g.p("VADDPD (DX)(AX*1), %s, %[1]s", x)
			g.store(x, "(DX)(AX*1)", false)
			g.p("%snocount:", id)
		})
	}
	share("share", func() {
		g.load("(DI)(AX*1)", x, false)
		g.p("VMULPD %s, %s, %[2]s", g.reg(regAll), x)
	})
	g.p("VMULPD %s, %s, %[2]s", g.reg(regAll), g.reg(last))
	g.p("out:")
	g.p("VADDPD %s, %s, %[2]s", g.reg(last), g.reg(lastCount))
	g.p("LEAQ (DI)(AX*1), BX")
	g.exact("long", last)
	g.softmaxNext("row")
	g.p("TESTQ DX, DX")
	g.p("JEQ end")
	lastAt()
	g.store(g.reg(lastCount), "(DX)(AX*1)", true)
	g.p("end:")
	g.end()

	g.p("flat:")
	g.flat()
	share("flat", func() { g.p("VMOVUPD %s, %s", g.reg(regAll), x) })
	g.p("VMOVUPD %s, %s", g.reg(regAll), g.reg(last))
	g.p("JMP out")
}

// vectorsOf runs body over the full vectors of the row at offset AX, and leaves
// AX at the last one.
func (g *gen) vectorsOf(id string, body func()) {
	g.p("XORQ AX, AX")
	g.p("MOVQ R9, BX")
	g.p("%sfull:", id)
	g.p("TESTQ BX, BX")
	g.p("JEQ %send", id)
	body()
	g.p("ADDQ $%d, AX", g.bytes)
	g.p("DECQ BX")
	g.p("JMP %sfull", id)
	g.p("%send:", id)
}

// larger raises the lanes of the sum to those of register v, and spoils it
// beyond the mask. A NaN is passed over, as by the comparison of plain Go.
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

// topOf keeps the largest lane of the sum, in all lanes of regAll; it jumps
// where that is -Inf.
func (g *gen) topOf(flat string) {
	g.fold("VMAXPD", regSum, regExp)
	g.p("VMOVSD X%d, (R12)", regSum)
	g.p("VMOVQ X%d, AX", regSum)
	g.p("CMPQ AX, R15")
	g.p("JEQ %s", flat)
	g.p("VBROADCASTSD X%d, %s", regSum, g.reg(regAll))
}

// flat makes equal shares of a row, whose sum counts as one.
func (g *gen) flat() {
	g.p("MOVQ %s, AX", g.c(atOne))
	g.p("MOVQ AX, (R11)")
	g.p("VBROADCASTSD share+%d(FP), %s", g.args["share"], g.reg(regAll))
}

// addTo adds the lanes of register v to the sum.
func (g *gen) addTo(v int, tail bool) {
	x, sum := g.reg(v), g.reg(regSum)
	switch {
	case !tail:
		g.p("VADDPD %s, %s, %[2]s", x, sum)
	case g.wide():
		g.p("VADDPD %s, %s, K1, %[2]s", x, sum)
	default:
		g.p("VANDPD Y15, %s, %[1]s", x)
		g.p("VADDPD %s, %s, %[2]s", x, sum)
	}
}

// oneOverSum keeps the sum of the lanes, and puts one over it in all of regAll.
func (g *gen) oneOverSum() {
	g.fold("VADDPD", regSum, regExp)
	g.p("VMOVSD X%d, (R11)", regSum)
	g.p("VMOVSD %s, X%d", g.c(atOne), regAll)
	g.p("VDIVSD X%d, X%d, X%[2]d", regSum, regAll)
	g.p("VBROADCASTSD X%d, %s", regAll, g.reg(regAll))
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
		g.p("VSCALEFPD %s, %s, %s", n, even, x)
		return
	}
	// 2ⁿ in two factors, since n reaches below the exponents of normal numbers.
	p, q := regExp+3, regExp+4
	g.p("VCVTPD2DQY %s, X%d", n, p)
	g.p("VPSRAD $1, X%d, X%d", p, q)
	g.p("VPSUBD X%d, X%d, X%[2]d", q, p)
	for _, i := range []int{p, q} {
		g.p("VPMOVSXDQ X%d, Y%[1]d", i)
		g.k("VPADDQ", at1023, "Y%d, Y%[1]d", i)
		g.p("VPSLLQ $52, Y%d, Y%[1]d", i)
		g.p("VMULPD Y%d, %s, %[2]s", i, even)
	}
	g.p("VMOVUPD %s, %s", even, x)
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

// logSum writes log(x) + top for x ≥ 1 or NaN.
func (g *gen) logSum() {
	g.fn("logSum", "replaces the n numbers of x, at least 1 or NaN, by their logarithms plus those of top.", "x *float64", "top *float64", "n int")
	g.arg("x", "DI")
	g.arg("top", "SI")
	g.arg("n", "CX")
	body := func(mem string, tail bool) {
		x, k, f, t, h := g.reg(0), g.reg(1), g.reg(2), g.reg(4), g.reg(8)
		g.load(fmt.Sprintf(mem, "DI"), x, tail)
		g.logSplit()
		g.k("VSUBPD", at2to52, "%s, %[1]s", k)
		g.logSeries()
		g.k("VFMADD231PD", atLn2Lo, "%s, %s", k, t)
		g.p("VSUBPD %s, %s, %[2]s", t, h)
		g.p("VSUBPD %s, %s, %[2]s", f, h)
		g.k("VFMSUB132PD", atLn2Hi, "%s, %s", h, k) // k·ln2 − h
		g.p("VSUBPD %s, %[1]s, %s", x, t)           // 0, or NaN
		g.p("VADDPD %s, %s, %[2]s", t, k)
		g.load(fmt.Sprintf(mem, "SI"), t, tail)
		g.p("VADDPD %s, %s, %[2]s", t, k)
		g.store(k, fmt.Sprintf(mem, "DI"), tail)
	}
	g.p("loop:")
	g.p("CMPQ CX, $%d", g.lanes())
	g.p("JLT tail")
	body("(%s)", false)
	g.p("ADDQ $%d, DI", g.bytes)
	g.p("ADDQ $%d, SI", g.bytes)
	g.p("SUBQ $%d, CX", g.lanes())
	g.p("JMP loop")
	g.p("tail:")
	g.p("TESTQ CX, CX")
	g.p("JEQ done")
	g.setMask("CX", "AX")
	body("(%s)", true)
	g.p("done:")
	g.end()
}
