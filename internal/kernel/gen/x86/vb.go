package x86

import (
	"fmt"
	"math"

	"github.com/moiety-go/moiety/internal/kernel/gen/text"
)

// vb writes the fixed point of a row's Dirichlet parameters, in float32; what
// comes before and after it is in vbrows.go.
func (g *gen) vb() {
	g.vbRounds()
	g.vbFill()
	g.vbLogs()
	g.vbSpread()
	g.vbWords()
	g.vbKeep()
	g.vbGamma()
}

// vbWide is what of it gains by AVX-512.
func (g *gen) vbWide() { g.vbRounds() }

// Places in the table of float32 constants, each 32 bytes.
const (
	vbTwo = iota
	vbThree
	vbYShift // 3½
	vbMost   // exp(-x) of anything above counts as that of it
	vbMinusLog2E
	vbLn2Hi
	vbLn2Lo
	vbTiny
	vbAbs
	vbLeast  // of the plain step that γ keeps
	vbSeries // three coefficients
	vbExp    = vbSeries + 3
	vbDegree = text.SingleDegree
	vbRoot   = vbExp + vbDegree + 1 // bits of √½
	vbOne    = vbRoot + 1
	vbHalf   = vbRoot + 2
	vbLn2    = vbRoot + 3
	vbLn1p   = vbRoot + 4 // coefficients of ln1p
)

// ln1p are the coefficients of P with log(1+f) = f − f²/2 + f³·P(f), from 1+f = √½
// to √2, relative error 3.5e-8: a fit of least squares at 400 nodes of Chebyshev.
var ln1p = []float64{
	0.33333972096443176, -0.250009685754776, 0.19960597157478333, -0.165879487991333,
	0.14950978755950928, -0.14197470247745514, 0.08506953716278076,
}

func (g *gen) vbTable() {
	all := append(text.Singles(2, 3, 3.5, 50, -math.Log2E, 0.693359375, -2.12194440e-4, 1e-30), 0x7fffffff)
	all = append(all, text.Singles(0.3)...)
	all = append(all, text.Singles(text.PsiSeries...)...)
	all = append(all, text.Singles(text.Factorials(vbDegree)...)...)
	all = append(all, text.Singles(math.Sqrt(0.5), 1, 0.5, math.Ln2)...)
	all = append(all, text.Singles(ln1p...)...)
	g.Table("vbTable", 32, 8, all...)
}

// vc writes an operation whose first operand is constant i.
func (g *gen) vc(op string, i int, format string, a ...any) {
	if g.wide() {
		op += ".BCST"
	}
	g.p("%s ·vbTable+%d(SB), %s", op, 32*i, fmt.Sprintf(format, a...))
}

// vset fills a register with constant i.
func (g *gen) vset(i int, reg string) { g.p("VBROADCASTSS ·vbTable+%d(SB), %s", 32*i, reg) }

// Places in a Mix; a slice takes 24 bytes.
const (
	mixN      = 0
	mixM      = 8
	mixPanel  = 16
	mixX      = mixPanel + 24
	mixAlpha  = mixX + 24
	mixGamma  = mixAlpha + 24
	mixE      = mixGamma + 24
	mixSum    = mixE + 24
	mixP      = mixSum + 24
	mixF      = mixP + 24
	mixMost   = mixF + 24
	mixTol    = mixMost + 8
	mixChange = mixTol + 4
	mixRounds = mixTol + 8
	mixOver   = mixRounds + 8
	mixMoving = mixOver + 8
)

// vbRounds writes the fixed point: rounds of e = exp ψ(γ), p = Σ e·μ, f = x/p,
// γ = α + e·Σ f·μ. A round is one long chain of operations, so several rows take
// it together, part by part: what one waits for, another has. R15 is the place in
// the list of rows, BX the row, R8 the bytes of a row of the panel, R11 three
// times that.
func (g *gen) vbRounds() {
	g.vbTable()
	g.fn("mixRounds", "takes rounds of the fixed points of n rows, those that are moving, until none is.", "rows **Mix", "n int")
	g.p("round:")
	g.mixEach("e", func() {
		g.p("MOVQ %d(BX), SI", mixGamma)
		g.p("MOVQ %d(BX), DI", mixE)
		g.p("MOVQ %d(BX), CX", mixM)
		g.p("exps:")
		g.p("VMOVUPS (SI), %s", g.reg(0))
		g.expPsi()
		g.p("VMOVUPS %s, (DI)", g.reg(0))
		g.p("ADDQ $%d, SI", g.bytes)
		g.p("ADDQ $%d, DI", g.bytes)
		g.p("SUBQ $%d, CX", g.bytes/4)
		g.p("JGT exps")
	})
	g.mixEach("s", func() {
		g.p("MOVQ %d(BX), R8", mixN)
		g.p("SHLQ $2, R8")
		g.p("LEAQ (R8)(R8*2), R11")
		g.p("MOVQ %d(BX), CX", mixM)
		g.p("MOVQ %d(BX), R9", mixE)
		g.p("MOVQ %d(BX), R10", mixPanel)
		g.p("MOVQ %d(BX), SI", mixX)
		g.p("MOVQ %d(BX), DI", mixP)
		g.p("MOVQ %d(BX), DX", mixF)
		most := map[bool]int{true: 12, false: 8}[g.wide()]
		for m := 4; m <= most; m += 4 {
			g.p("CMPQ CX, $%d", m)
			g.p("JEQ few%d", m)
		}
		g.mixMany()
		g.p("JMP summed")
		for m := 4; m <= most; m += 4 {
			g.p("few%d:", m)
			g.mixFew(m)
			if m < most {
				g.p("JMP summed")
			}
		}
		g.p("summed:")
	})
	g.p("XORQ R8, R8") // rows that go on moving
	g.mixEach("u", g.mixUpdate)
	g.p("TESTQ R8, R8")
	g.p("JNE round")
	g.end()
}

// mixEach runs body for every row that is moving, in BX.
func (g *gen) mixEach(id string, body func()) {
	g.arg("rows", "R15")
	g.p("%srow:", id)
	g.p("MOVQ (R15), BX")
	g.p("CMPQ %d(BX), $0", mixMoving)
	g.p("JEQ %snext", id)
	body()
	g.p("%snext:", id)
	g.p("ADDQ $8, R15")
	g.arg("n", "AX")
	g.p("SHLQ $3, AX")
	g.p("ADDQ rows+0(FP), AX")
	g.p("CMPQ R15, AX")
	g.p("JLT %srow", id)
}

// expPsi replaces register 0, x > 0, by exp(ψ(x)), relative error about 3e-7:
// ψ(x) = ψ(x+4) − (2x+3)(2u+2)/(u(u+2)) with u = x(x+3), and exp(ψ(y+½)) by its
// series in 1/y. It spoils 1 to 7.
func (g *gen) expPsi() {
	x, u, v, w, t, n, even, odd := g.reg(0), g.reg(1), g.reg(2), g.reg(3), g.reg(4), g.reg(5), g.reg(6), g.reg(7)
	g.vc("VADDPS", vbThree, "%s, %s", x, t)
	g.p("VMULPS %s, %s, %s", x, t, u)
	g.vc("VADDPS", vbTwo, "%s, %s", u, v)
	g.p("VADDPS %s, %[1]s, %s", x, w)
	g.vc("VADDPS", vbThree, "%s, %[1]s", w)
	g.quotient(w, v, w, t, n) // (2x+3)/(u+2)
	g.vset(vbTwo, even)
	g.quotient(even, u, v, t, n) // 2/u
	g.vc("VADDPS", vbTwo, "%s, %[1]s", v)
	g.p("VMULPS %s, %s, %[2]s", v, w)
	g.vc("VMINPS", vbMost, "%s, %[1]s", w)
	// exp(−w) in w's stead
	g.vc("VMULPS", vbMinusLog2E, "%s, %s", w, n)
	if g.wide() {
		g.p("VRNDSCALEPS $8, %s, %[1]s", n)
	} else {
		g.p("VROUNDPS $8, %s, %[1]s", n)
	}
	g.vc("VFNMSUB231PS", vbLn2Hi, "%s, %s", n, w)
	g.vc("VFNMADD231PS", vbLn2Lo, "%s, %s", n, w)
	g.p("VMULPS %s, %[1]s, %s", w, t)
	g.vset(vbExp+vbDegree, even)
	g.vset(vbExp+vbDegree-1, odd)
	for i := vbDegree - 2; i >= 0; i -= 2 {
		g.vc("VFMADD213PS", vbExp+i, "%s, %s", t, even)
		if i > 0 {
			g.vc("VFMADD213PS", vbExp+i-1, "%s, %s", t, odd)
		}
	}
	g.p("VFMADD231PS %s, %s, %s", odd, w, even)
	if g.wide() {
		g.p("VSCALEFPS %s, %s, %[2]s", n, even)
	} else {
		g.p("VCVTPS2DQ %s, %[1]s", n)
		g.p("VPSLLD $23, %s, %[1]s", n)
		g.p("VPADDD %s, %s, %[2]s", n, even)
	}
	// the series
	g.vc("VADDPS", vbYShift, "%s, %s", x, u)
	g.vset(vbTwo, v)
	g.p("VADDPS %s, %[1]s, %s", u, w)
	g.quotient(v, w, w, t, n) // 1/y
	g.p("VMULPS %s, %[1]s, %s", w, t)
	g.vset(vbSeries+2, v)
	g.vc("VFMADD213PS", vbSeries+1, "%s, %s", t, v)
	g.vc("VFMADD213PS", vbSeries, "%s, %s", t, v)
	g.p("VFMADD231PS %s, %s, %s", v, w, u)
	g.p("VMULPS %s, %s, %s", u, even, x)
}

// quotient sets dst to a/b, which may be a or b. AVX-512 divides by a first
// guess, which the instruction set defines to the bit, and one Newton step: a
// quarter of the time of a division.
func (g *gen) quotient(a, b, dst, r, t string) {
	if !g.wide() {
		g.p("VDIVPS %s, %s, %s", b, a, dst)
		return
	}
	g.p("VRCP14PS %s, %s", b, r)
	g.vset(vbTwo, t)
	g.p("VFNMADD231PS %s, %s, %s", r, b, t)
	g.p("VMULPS %s, %s, %[2]s", t, r)
	g.p("VMULPS %s, %s, %s", r, a, dst)
}

// rowOf is the address of row j of the panel, whose rows 0, 4 and 8 begin at
// R10, R12 and R13.
func rowOf(j int) string {
	return fmt.Sprintf([]string{"(%s)", "(%s)(R8*1)", "(%s)(R8*2)", "(%s)(R11*1)"}[j%4], []string{"R10", "R12", "R13"}[j/4])
}

// mixRows sets R12 and R13 for m rows, and next moves on by a vector.
func (g *gen) mixRows(m int) {
	if m > 4 {
		g.p("LEAQ (R10)(R8*4), R12")
	}
	if m > 8 {
		g.p("LEAQ (R12)(R8*4), R13")
	}
	g.p("XORQ AX, AX")
}

func (g *gen) mixNext(m int, loop string) {
	for _, r := range []string{"R10", "R12", "R13"}[:m/4] {
		g.p("ADDQ $%d, %s", g.bytes, r)
	}
	g.p("ADDQ $%d, AX", g.bytes)
	g.p("CMPQ AX, R8")
	g.p("JLT %s", loop)
}

// mixFew is one round of m components whose sums stay in registers.
func (g *gen) mixFew(m int) {
	e := 12 // AVX-512 keeps e in registers from here
	p, q, f, t := g.reg(24), g.reg(25), g.reg(26), g.reg(27)
	if !g.wide() {
		p, q, f, t = "Y8", "Y9", "Y10", "Y11"
	}
	g.mixRows(m)
	for j := range m {
		g.zero(j)
		if g.wide() {
			g.p("VBROADCASTSS %d(R9), Z%d", 4*j, e+j)
		}
	}
	loop := fmt.Sprintf("few%dloop", m)
	g.p("%s:", loop)
	for j := range m {
		sum, ej := []string{p, q}[j%2], g.reg(e+j)
		if !g.wide() {
			ej = []string{t, f}[j%2]
			g.p("VBROADCASTSS %d(R9), %s", 4*j, ej)
		}
		if j < 2 {
			g.p("VMULPS %s, %s, %s", rowOf(j), ej, sum)
		} else {
			g.p("VFMADD231PS %s, %s, %s", rowOf(j), ej, sum)
		}
	}
	g.p("VADDPS %s, %s, %[2]s", q, p)
	g.vc("VADDPS", vbTiny, "%s, %[1]s", p)
	g.p("VMOVUPS %s, (DI)(AX*1)", p)
	g.p("VMOVUPS (SI)(AX*1), %s", f)
	g.quotient(f, p, f, q, t)
	g.p("VMOVUPS %s, (DX)(AX*1)", f)
	for j := range m {
		g.p("VFMADD231PS %s, %s, %s", rowOf(j), f, g.reg(j))
	}
	g.mixNext(m, loop)
	g.p("MOVQ %d(BX), DI", mixSum)
	g.mixFold(m, p, q)
}

// mixFold writes the sums of the lanes of registers 0 to m−1 to DI, in pieces of
// 32 bytes, the last filled up with zeros: the update reads them back at once,
// and a load that takes from two stores would have to wait for both.
func (g *gen) mixFold(m int, t, u string) {
	for j := 0; j < m; j += 4 {
		a, b, c, d := g.reg(j), g.reg(j+1), g.reg(j+2), g.reg(j+3)
		pair := func(op, x, y string) {
			g.p("VUNPCKL%s %s, %s, %s", op, y, x, t)
			g.p("VUNPCKH%s %s, %s, %s", op, y, x, u)
			g.p("VADDPS %s, %s, %s", u, t, x)
		}
		pair("PS", a, b)
		pair("PS", c, d)
		pair("PD", a, c)
		if g.wide() {
			g.p("VEXTRACTF64X4 $1, %s, Y%d", a, j+1)
			g.p("VADDPS Y%d, Y%d, Y%[2]d", j+1, j)
		}
	}
	for j := 0; j < m; j += 8 {
		if j+4 < m {
			g.p("VPERM2F128 $0x20, Y%d, Y%d, Y%d", j+4, j, j+1)
			g.p("VPERM2F128 $0x31, Y%d, Y%d, Y%d", j+4, j, j+2)
			g.p("VADDPS Y%d, Y%d, Y%[2]d", j+2, j+1)
			g.p("VMOVUPS Y%d, %d(DI)", j+1, 4*j)
			continue
		}
		g.p("VEXTRACTF128 $1, Y%d, X%d", j, j+1)
		g.p("VADDPS X%d, X%d, X%[2]d", j+1, j)
		g.p("VMOVUPS Y%d, %d(DI)", j, 4*j)
	}
}

// mixMany is one round of any number of components, in blocks of eight and a
// last one of four: first all of p, then f, then all sums.
func (g *gen) mixMany() {
	g.vset(vbTiny, g.reg(0))
	g.p("XORQ AX, AX")
	g.p("clear:")
	g.p("VMOVUPS %s, (DI)(AX*1)", g.reg(0))
	g.p("ADDQ $%d, AX", g.bytes)
	g.p("CMPQ AX, R8")
	g.p("JLT clear")
	g.mixBlocks("p", func(m int, loop string) {
		for j := range m {
			g.p("VBROADCASTSS %d(R9), %s", 4*j, g.reg(8+j))
		}
		g.p("%s:", loop)
		g.p("VMOVUPS (DI)(AX*1), %s", g.reg(0))
		g.p("VMULPS %s, %s, %s", rowOf(0), g.reg(8), g.reg(1))
		for j := 1; j < m; j++ {
			g.p("VFMADD231PS %s, %s, %s", rowOf(j), g.reg(8+j), g.reg((j+1)%2))
		}
		g.p("VADDPS %s, %s, %[2]s", g.reg(1), g.reg(0))
		g.p("VMOVUPS %s, (DI)(AX*1)", g.reg(0))
		g.mixNext(m, loop)
		g.p("ADDQ $%d, R9", 4*m)
	})
	g.p("XORQ AX, AX")
	g.p("quotients:")
	g.p("VMOVUPS (DI)(AX*1), %s", g.reg(0))
	g.p("VMOVUPS (SI)(AX*1), %s", g.reg(1))
	g.quotient(g.reg(1), g.reg(0), g.reg(1), g.reg(2), g.reg(3))
	g.p("VMOVUPS %s, (DX)(AX*1)", g.reg(1))
	g.p("ADDQ $%d, AX", g.bytes)
	g.p("CMPQ AX, R8")
	g.p("JLT quotients")
	g.p("MOVQ %d(BX), CX", mixM)
	g.p("MOVQ %d(BX), R10", mixPanel)
	g.p("MOVQ %d(BX), DI", mixSum)
	g.mixBlocks("s", func(m int, loop string) {
		for j := range m {
			g.zero(j)
		}
		g.p("%s:", loop)
		g.p("VMOVUPS (DX)(AX*1), %s", g.reg(8))
		for j := range m {
			g.p("VFMADD231PS %s, %s, %s", rowOf(j), g.reg(8), g.reg(j))
		}
		g.mixNext(m, loop)
		g.mixFold(m, g.reg(8), g.reg(9))
		g.p("ADDQ $%d, DI", 4*m)
	})
}

// mixBlocks runs body over the CX rows from R10 on, eight and then four at a
// time.
func (g *gen) mixBlocks(id string, body func(m int, loop string)) {
	g.p("%seight:", id)
	g.p("CMPQ CX, $8")
	g.p("JLT %sfour", id)
	g.mixRows(8)
	body(8, id+"loop8")
	g.p("SUBQ R8, R10")
	g.p("LEAQ (R10)(R8*8), R10")
	g.p("SUBQ $8, CX")
	g.p("JMP %seight", id)
	g.p("%sfour:", id)
	g.p("TESTQ CX, CX")
	g.p("JEQ %send", id)
	g.mixRows(4)
	body(4, id+"loop4")
	g.p("%send:", id)
}

// mixUpdate ends a round: γ, how far the fixed point moves it, and whether the
// row goes on.
func (g *gen) mixUpdate() {
	g.p("MOVQ %d(BX), SI", mixGamma)
	g.p("MOVQ %d(BX), DI", mixE)
	g.p("MOVQ %d(BX), DX", mixAlpha)
	g.p("MOVQ %d(BX), R9", mixSum)
	g.p("MOVQ %d(BX), CX", mixM)
	g.zero(3)
	g.p("VBROADCASTSS %d(BX), %s", mixOver, g.reg(4))
	g.vset(vbLeast, g.reg(5))
	g.p("XORQ AX, AX")
	g.p("gammas:")
	g.p("VMOVUPS (DX)(AX*1), %s", g.reg(0))
	g.p("VMOVUPS (R9)(AX*1), Y1")
	if g.wide() {
		g.p("VINSERTF64X4 $1, 32(R9)(AX*1), Z1, Z1")
	}
	g.p("VFMADD231PS (DI)(AX*1), %s, %s", g.reg(1), g.reg(0))
	g.p("VSUBPS (SI)(AX*1), %s, %s", g.reg(0), g.reg(2))
	g.p("VMULPS %s, %s, %s", g.reg(0), g.reg(5), g.reg(6)) // and on, by mixOver
	g.p("VFMADD231PS %s, %s, %s", g.reg(2), g.reg(4), g.reg(0))
	g.p("VMAXPS %s, %s, %[2]s", g.reg(6), g.reg(0))
	g.vc("VANDPS", vbAbs, "%s, %[1]s", g.reg(2))
	g.p("VADDPS %s, %s, %[2]s", g.reg(2), g.reg(3))
	g.p("VMOVUPS %s, (SI)(AX*1)", g.reg(0))
	g.p("ADDQ $%d, AX", g.bytes)
	g.p("SUBQ $%d, CX", g.bytes/4)
	g.p("JGT gammas")
	if g.wide() {
		g.p("VEXTRACTF64X4 $1, Z3, Y2")
		g.p("VADDPS Y2, Y3, Y3")
	}
	g.p("VEXTRACTF128 $1, Y3, X2")
	g.p("VADDPS X2, X3, X3")
	g.p("VPERMILPS $0x4e, X3, X2")
	g.p("VADDPS X2, X3, X3")
	g.p("VPERMILPS $0xb1, X3, X2")
	g.p("VADDPS X2, X3, X3")
	g.p("VMOVSS X3, %d(BX)", mixChange)
	g.p("MOVQ %d(BX), CX", mixRounds)
	g.p("INCQ CX")
	g.p("MOVQ CX, %d(BX)", mixRounds)
	g.p("INCQ R8")
	g.p("VUCOMISS %d(BX), X3", mixTol)
	g.p("JLS still")
	g.p("CMPQ CX, %d(BX)", mixMost)
	g.p("JLT unext")
	g.p("still:")
	g.p("MOVQ $0, %d(BX)", mixMoving)
	g.p("DECQ R8")
}
