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

// softmax writes the softmax of rows, and the logarithm of their sums.
func (g *gen) softmax() {
	g.fn("softmax", "turns n rows of k scores, to which bias is added, into shares; adds the shares to count, and sets sum and top to the rows' sums of exponentials and largest scores. bias and count may be nil; share is 1/k.",
		"x *float64", "n int", "k int", "bias *float64", "count *float64", "sum *float64", "top *float64", "share float64")
	g.arg("k", "R9")
	g.p("MOVQ R9, R10")
	g.p("MOVQ R9, R8")
	g.p("SHLQ $3, R8") // stride
	g.p("ANDQ $%d, R10", g.lanes()-1)
	g.p("SHRQ $%d, R9", map[bool]int{true: 3, false: 2}[g.wide()])
	g.p("MOVQ R10, AX")
	g.setMask("AX", "BX")
	g.arg("x", "DI")
	g.arg("n", "R13")
	g.arg("bias", "SI")
	g.arg("count", "DX")
	g.arg("sum", "R11")
	g.arg("top", "R12")
	g.p("MOVQ $0xfff0000000000000, R15")
	g.p("VMOVUPD %s, %s", g.c(atLow), g.reg(10))
	g.p("VMOVUPD %s, %s", g.c(atNegInf), g.reg(11))
	g.p("row:")
	g.largest()
	g.exponentials()
	g.shares()
	g.p("ADDQ R8, DI")
	g.p("ADDQ $8, R11")
	g.p("ADDQ $8, R12")
	g.p("DECQ R13")
	g.p("JNE row")
	g.end()
	g.logSum()
}

// vectorsOf runs body over the vectors of the row at offset AX.
func (g *gen) vectorsOf(id string, body func(id string, tail bool)) {
	g.p("XORQ AX, AX")
	g.p("MOVQ R9, BX")
	g.p("%sfull:", id)
	g.p("TESTQ BX, BX")
	g.p("JEQ %stail", id)
	body(id+"f", false)
	g.p("ADDQ $%d, AX", g.bytes)
	g.p("DECQ BX")
	g.p("JMP %sfull", id)
	g.p("%stail:", id)
	g.p("TESTQ R10, R10")
	g.p("JEQ %send", id)
	body(id+"t", true)
	g.p("%send:", id)
}

// largest adds the bias and leaves the largest score in all lanes of register
// 0. A NaN is passed over, as by the comparison of plain Go.
func (g *gen) largest() {
	acc, x := g.reg(0), g.reg(1)
	g.p("VMOVUPD %s, %s", g.reg(11), acc)
	g.vectorsOf("top", func(id string, tail bool) {
		g.load("(DI)(AX*1)", x, tail)
		g.p("TESTQ SI, SI")
		g.p("JEQ %snobias", id)
		g.load("(SI)(AX*1)", g.reg(2), tail)
		g.p("VADDPD %s, %s, %[2]s", g.reg(2), x)
		g.store(x, "(DI)(AX*1)", tail)
		g.p("%snobias:", id)
		switch {
		case !tail:
			g.p("VMAXPD %s, %s, %[1]s", acc, x)
		case g.wide():
			g.p("VMAXPD %s, %s, K1, %[1]s", acc, x)
		default:
			g.p("VBLENDVPD Y15, %s, Y11, %[1]s", x)
			g.p("VMAXPD %s, %s, %[1]s", acc, x)
		}
	})
	g.fold("VMAXPD", 0, 1)
	g.p("VMOVSD X0, (R12)")
	g.p("VMOVQ X0, AX")
	g.p("CMPQ AX, R15")
	g.p("JEQ flat")
	g.p("VBROADCASTSD X0, %s", acc)
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

// exponentials puts exp(x − top) in place of x and one over their sum in all
// lanes of register 2.
func (g *gen) exponentials() {
	x, sum := g.reg(1), g.reg(9)
	g.zero(9)
	g.vectorsOf("exp", func(_ string, tail bool) {
		g.load("(DI)(AX*1)", x, tail)
		g.p("VSUBPD %s, %s, %[2]s", g.reg(0), x)
		g.exp()
		g.store(x, "(DI)(AX*1)", tail)
		switch {
		case !tail:
			g.p("VADDPD %s, %s, %[2]s", x, sum)
		case g.wide():
			g.p("VADDPD %s, %s, K1, %[2]s", x, sum)
		default:
			g.p("VANDPD Y15, %s, %[1]s", x)
			g.p("VADDPD %s, %s, %[2]s", x, sum)
		}
	})
	g.fold("VADDPD", 9, 1)
	g.p("VMOVSD X9, (R11)")
	g.p("VMOVSD %s, X2", g.c(atOne))
	g.p("VDIVSD X9, X2, X2")
	g.p("VBROADCASTSD X2, %s", g.reg(2))
}

// exp replaces register 1, not above 0 or NaN, by its exponential: 2ⁿ·eʳ with
// |r| ≤ ln 2/2 and eʳ by its series in two interleaved halves.
func (g *gen) exp() {
	x, n, r2, even, odd := g.reg(1), g.reg(3), g.reg(4), g.reg(5), g.reg(6)
	g.p("VMAXPD %s, %s, %[1]s", x, g.reg(10)) // NaN stays
	g.p("VMULPD %s, %s, %s", g.c(atLog2E), x, n)
	if g.wide() {
		g.p("VRNDSCALEPD $8, %s, %[1]s", n)
	} else {
		g.p("VROUNDPD $8, %s, %[1]s", n)
	}
	g.p("VFNMADD231PD %s, %s, %s", g.c(atLn2Hi), n, x)
	g.p("VFNMADD231PD %s, %s, %s", g.c(atLn2Lo), n, x)
	g.p("VMULPD %s, %[1]s, %s", x, r2)
	g.p("VMOVUPD %s, %s", g.c(atExp+expDegree-1), even)
	g.p("VMOVUPD %s, %s", g.c(atExp+expDegree), odd)
	for i := expDegree - 3; i >= 0; i -= 2 {
		g.p("VFMADD213PD %s, %s, %s", g.c(atExp+i), r2, even)
		g.p("VFMADD213PD %s, %s, %s", g.c(atExp+i+1), r2, odd)
	}
	g.p("VFMADD231PD %s, %s, %s", odd, x, even)
	if g.wide() {
		g.p("VSCALEFPD %s, %s, %s", n, even, x)
		return
	}
	// 2ⁿ in two factors, since n reaches below the exponents of normal numbers.
	g.p("VCVTPD2DQY Y3, X6")
	g.p("VPSRAD $1, X6, X7")
	g.p("VPSUBD X7, X6, X6")
	for _, i := range []int{6, 7} {
		g.p("VPMOVSXDQ X%d, Y%[1]d", i)
		g.p("VPADDQ %s, Y%d, Y%[2]d", g.c(at1023), i)
		g.p("VPSLLQ $52, Y%d, Y%[1]d", i)
	}
	g.p("VMULPD Y6, Y5, Y5")
	g.p("VMULPD Y7, Y5, Y1")
}

// shares divides by the sum and adds to the counts; scores that are all -Inf
// become equal shares.
func (g *gen) shares() {
	x, n := g.reg(1), g.reg(3)
	count := func(id string, tail bool) {
		g.store(x, "(DI)(AX*1)", tail)
		g.p("TESTQ DX, DX")
		g.p("JEQ %snocount", id)
		g.load("(DX)(AX*1)", n, tail)
		g.p("VADDPD %s, %s, %[2]s", x, n)
		g.store(n, "(DX)(AX*1)", tail)
		g.p("%snocount:", id)
	}
	g.vectorsOf("share", func(id string, tail bool) {
		g.load("(DI)(AX*1)", x, tail)
		g.p("VMULPD %s, %s, %[2]s", g.reg(2), x)
		count(id, tail)
	})
	g.p("JMP next")
	g.p("flat:")
	g.p("MOVQ %s, AX", g.c(atOne))
	g.p("MOVQ AX, (R11)")
	g.p("VBROADCASTSD share+%d(FP), %s", g.args["share"], x)
	g.vectorsOf("flat", count)
	g.p("next:")
}

// logSum writes log(x) + top for x ≥ 1 or NaN.
func (g *gen) logSum() {
	g.fn("logSum", "replaces the n numbers of x, at least 1 or NaN, by their logarithms plus those of top.", "x *float64", "top *float64", "n int")
	g.arg("x", "DI")
	g.arg("top", "SI")
	g.arg("n", "CX")
	g.over("l", 1, func(_ int, mem string, tail bool) {
		x, k, f, s, t, z, w, p, h := g.reg(0), g.reg(1), g.reg(2), g.reg(3), g.reg(4), g.reg(5), g.reg(6), g.reg(7), g.reg(8)
		or := map[bool]string{true: "VPORQ", false: "VPOR"}[g.wide()]
		g.load(fmt.Sprintf(mem, "DI"), x, tail)
		g.p("VMOVUPD %s, %s", g.c(atRootBits), t)
		g.p("VPSUBQ %s, %s, %s", t, x, k)
		g.p("VPSRLQ $52, %s, %[1]s", k) // x = 2ᵏ·(1+f) with 1+f from √½ to √2
		g.p("VPSLLQ $52, %s, %s", k, t)
		g.p("VPSUBQ %s, %s, %s", t, x, f)
		g.p("%s %s, %s, %[3]s", or, g.c(at2to52), k)
		g.p("VSUBPD %s, %s, %[2]s", g.c(at2to52), k)
		g.p("VSUBPD %s, %s, %[2]s", g.c(atOne), f)
		g.p("VADDPD %s, %s, %s", g.c(atTwo), f, t)
		g.p("VDIVPD %s, %s, %s", t, f, s)
		g.p("VMULPD %s, %[1]s, %s", s, z)
		g.p("VMULPD %s, %[1]s, %s", z, w)
		g.p("VMOVUPD %s, %s", g.c(atLog+5), t)
		g.p("VFMADD213PD %s, %s, %s", g.c(atLog+3), w, t)
		g.p("VFMADD213PD %s, %s, %s", g.c(atLog+1), w, t)
		g.p("VMULPD %s, %s, %[2]s", w, t)
		g.p("VMOVUPD %s, %s", g.c(atLog+6), p)
		for _, i := range []int{4, 2, 0} {
			g.p("VFMADD213PD %s, %s, %s", g.c(atLog+i), w, p)
		}
		g.p("VFMADD231PD %s, %s, %s", z, p, t) // R
		g.p("VMULPD %s, %[1]s, %s", f, h)
		g.p("VMULPD %s, %s, %[2]s", g.c(atHalf), h) // f²/2
		g.p("VADDPD %s, %s, %[2]s", h, t)
		g.p("VMULPD %s, %s, %[2]s", s, t)
		g.p("VFMADD231PD %s, %s, %s", g.c(atLn2Lo), k, t)
		g.p("VSUBPD %s, %s, %[2]s", t, h)
		g.p("VSUBPD %s, %s, %[2]s", f, h)
		g.p("VFMSUB132PD %s, %s, %s", g.c(atLn2Hi), h, k) // k·ln2 − h
		g.p("VSUBPD %s, %[1]s, %s", x, t)                 // 0, or NaN
		g.p("VADDPD %s, %s, %[2]s", t, k)
		g.load(fmt.Sprintf(mem, "SI"), t, tail)
		g.p("VADDPD %s, %s, %[2]s", t, k)
		g.store(k, fmt.Sprintf(mem, "DI"), tail)
	})
	g.end()
}
