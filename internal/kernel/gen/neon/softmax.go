package neon

import (
	"fmt"
	"math"

	"github.com/moiety-go/moiety/internal/kernel/gen/text"
)

// Places in the table of constants; each stands twice, once a lane.
const (
	atLow = iota // exp of anything lower is zero
	atLog2E
	atLn2Hi
	atLn2Lo
	atExp // 1/i! for i = 0 to expDegree

	at1023     = atExp + expDegree + 1
	atRootBits = at1023 + 1 // bits of √½
	atOne      = at1023 + 2
	atTwo      = at1023 + 3
	atHalf     = at1023 + 4
	atLog      = at1023 + 5 // seven coefficients

	expDegree = text.ExpDegree
)

func constants() []uint64 {
	out := text.Doubles(text.ExpLow, math.Log2E, text.Ln2Hi, text.Ln2Lo)
	out = append(out, text.Doubles(text.Factorials(expDegree)...)...)
	out = append(append(out, 1023), text.Doubles(math.Sqrt(0.5), 1, 2, 0.5)...)
	return append(out, text.Doubles(text.LogSeries...)...)
}

// constantsAt sets R14 to the table of constants.
func (g *gen) constantsAt() {
	g.Table("consts", 64, 2, constants()...)
	g.p("MOVD $·consts(SB), R14")
}

// softmax writes the softmax of rows in four rounds over a panel that stays in
// the first-level cache: scores less the largest of their row, exponentials of
// the panel as one long vector, shares, counts. x R0, n R1, k R2, bias R3, count
// R4, sum R5, top R6; R7 bytes of a row, R8 the bits of -Inf, R14 the table of
// constants.
func (g *gen) softmax() {
	g.fn("softmax", "turns n rows of k scores, to which bias is added, into shares; adds the shares to count, and sets sum and top to the rows' sums of exponentials and largest scores. bias and count may be nil; share is 1/k.",
		"x *float64", "n int", "k int", "bias *float64", "count *float64", "sum *float64", "top *float64", "share float64")
	g.p("LSL $3, R2, R7")
	g.p("MOVD $0xfff0000000000000, R8")
	g.constantsAt()
	g.p("MOVD R6, R13")
	g.p("MOVD R0, R9")
	g.p("MOVD R1, R12")
	g.p("VDUP R8, V31.D2")
	g.p("CBZ R3, nobias")
	g.center("b", true)
	g.p("B exp")
	g.p("nobias:")
	g.center("n", false)
	g.p("exp:")
	g.p("MOVD R0, R9")
	g.p("MUL R1, R2, R11")
	g.exps()
	g.shares()
	g.p("CBZ R4, end")
	g.counts()
	g.p("end:")
	g.p("RET")
	g.logSum()
	g.fn("exps", "replaces the n numbers of x, none above 660, by their exponentials.", "x *float64", "n int")
	g.constantsAt()
	g.p("MOVD R0, R9")
	g.p("MOVD R1, R11")
	g.exps()
	g.p("RET")
}

// center adds the bias to the rows and takes away their largest, kept at R13. A
// NaN is passed over, as by the comparison of plain Go. Rows without a number
// above -Inf are left alone. R9 row, R12 rows left.
func (g *gen) center(id string, bias bool) {
	const acc, x, b, larger = 16, 20, 24, 28
	g.p("%srow:", id)
	for i := range 4 {
		g.copy(acc+i, 31)
	}
	g.p("MOVD R9, R10")
	g.p("MOVD R3, R15")
	g.p("MOVD R2, R11")
	g.over(id+"t", "R11", 4, func(s step) {
		read := func(ptr string, v int) {
			if s.half { // in both lanes, so that the other one does not count
				g.p("VLD1R (%s), [V%d.D2]", ptr, v)
			} else {
				g.load(ptr, 0, v, s.nv, false)
			}
		}
		read("R10", x)
		if bias {
			read("R15", b)
			for i := range s.nv {
				g.w("FADD", x+i, x+i, b+i)
			}
			g.store("R10", 0, x, s.nv, s.half)
			g.forward(s, "R15")
		}
		for i := range s.nv {
			v := larger + i%3
			g.w("FCMGT", v, x+i, acc+i)
			g.p("VBIT V%d.B16, V%d.B16, V%d.B16", v, x+i, acc+i)
		}
		g.forward(s, "R10")
	})
	g.w("FMAX", acc, acc, acc+1)
	g.w("FMAX", acc+2, acc+2, acc+3)
	g.w("FMAX", acc, acc, acc+2)
	g.w("FMAXP", acc, acc)
	g.p("FMOVD.P F%d, 8(R13)", acc)
	g.p("FMOVD F%d, R11", acc)
	g.p("CMP R8, R11")
	g.p("BNE %sbelow", id)
	g.p("ADD R7, R9")
	g.p("B %snext", id)
	g.p("%sbelow:", id)
	g.p("VDUP V%d.D[0], V%[1]d.D2", acc)
	g.p("MOVD R2, R11")
	g.over(id+"l", "R11", 4, func(s step) {
		g.load("R9", 0, x, s.nv, s.half)
		for i := range s.nv {
			g.w("FSUB", x+i, x+i, acc)
		}
		g.store("R9", 0, x, s.nv, s.half)
		g.forward(s, "R9")
	})
	g.p("%snext:", id)
	g.p("SUB $1, R12")
	g.p("CBNZ R12, %srow", id)
}

// exps replaces the R11 numbers at R9, not above 0 or NaN, by their
// exponentials: 2ⁿ·eʳ with |r| ≤ ln 2/2 and eʳ by its series in two interleaved
// halves. FMLA adds to its addend, so every coefficient is read anew: two of
// them in one instruction.
func (g *gen) exps() {
	const low, log2e, ln2hi, ln2lo = 28, 29, 30, 31
	g.load("R14", 16*atLow, low, 4, false)
	g.over("e", "R11", 4, func(s step) {
		x, n, r2, even, odd := regs(0), regs(4), regs(8), regs(12), regs(16)
		te, to := regs(20), regs(24)
		all := func(f func(i int)) {
			for i := range s.nv {
				f(i)
			}
		}
		g.load("R9", 0, x[0], s.nv, s.half)
		all(func(i int) { g.w("FMAX", x[i], x[i], low) }) // NaN stays
		all(func(i int) { g.w("FMUL", n[i], x[i], log2e) })
		all(func(i int) { g.w("FRINTN", n[i], n[i]) })
		all(func(i int) { g.fmls(x[i], n[i], ln2hi) })
		all(func(i int) { g.fmls(x[i], n[i], ln2lo) })
		all(func(i int) { g.w("FMUL", r2[i], x[i], x[i]) })
		pair := func(at, a, b int) { g.p("FLDPQ %d(R14), (F%d, F%d)", 16*at, a, b) }
		all(func(i int) { pair(atExp+expDegree-1, even[i], odd[i]) })
		for c := expDegree - 3; c >= 0; c -= 2 {
			all(func(i int) {
				pair(atExp+c, te[i], to[i])
				g.fmla(te[i], even[i], r2[i])
				g.fmla(to[i], odd[i], r2[i])
			})
			even, te, odd, to = te, even, to, odd
		}
		all(func(i int) { g.fmla(even[i], odd[i], x[i]) })
		// 2ⁿ in two factors, since n reaches below the exponents of normal numbers:
		// half of n is added to the exponent, the other half multiplied.
		all(func(i int) {
			g.w("FCVTNS", n[i], n[i])
			g.w("SSHR1", r2[i], n[i])
			g.p("VSUB V%d.D2, V%d.D2, V%[2]d.D2", r2[i], n[i])
			g.p("FMOVQ %d(R14), F%d", 16*at1023, te[i])
			g.p("VADD V%d.D2, V%d.D2, V%[2]d.D2", te[i], r2[i])
			g.p("VSHL $52, V%d.D2, V%[1]d.D2", n[i])
			g.p("VSHL $52, V%d.D2, V%[1]d.D2", r2[i])
			g.p("VADD V%d.D2, V%d.D2, V%[2]d.D2", n[i], even[i])
			g.w("FMUL", x[i], even[i], r2[i])
		})
		g.store("R9", 0, x[0], s.nv, s.half)
		g.forward(s, "R9")
	})
}

// regs are four registers from first on.
func regs(first int) [4]int { return [4]int{first, first + 1, first + 2, first + 3} }

// shares divides the rows by their sums; rows whose largest score was -Inf
// become equal shares, and their sum counts as one. R9 row, R12 rows left, R13
// largest scores, R5 sums; the lower lane of register 30 is 1, of 31 the share.
func (g *gen) shares() {
	const acc, x, over, one, flat = 16, 20, 0, 30, 31
	g.p("MOVD R0, R9")
	g.p("MOVD R1, R12")
	g.p("MOVD R6, R13")
	g.p("FMOVD share+%d(FP), F%d", g.At("share"), flat)
	g.p("FMOVD $1.0, F%d", one)
	g.p("share:")
	g.p("MOVD.P 8(R13), R11")
	g.p("CMP R8, R11")
	g.p("BEQ flat")
	for i := range 4 {
		g.zero(acc + i)
	}
	g.p("MOVD R9, R10")
	g.p("MOVD R2, R11")
	g.over("a", "R11", 4, func(s step) {
		g.load("R10", 0, x, s.nv, s.half)
		for i := range s.nv {
			g.w("FADD", acc+i, acc+i, x+i)
		}
		g.forward(s, "R10")
	})
	g.w("FADD", acc, acc, acc+1)
	g.w("FADD", acc+2, acc+2, acc+3)
	g.w("FADD", acc, acc, acc+2)
	g.w("FADDP", acc, acc)
	g.p("FMOVD.P F%d, 8(R5)", acc)
	g.p("FDIVD F%d, F%d, F%d", acc, one, over)
	g.p("MOVD R2, R11")
	g.over("s", "R11", 4, func(s step) {
		g.load("R9", 0, x, s.nv, s.half)
		for i := range s.nv {
			g.w("FMUL0", x+i, x+i, over)
		}
		g.store("R9", 0, x, s.nv, s.half)
		g.forward(s, "R9")
	})
	g.p("next:")
	g.p("SUB $1, R12")
	g.p("CBNZ R12, share")
	g.p("B shared")
	g.p("flat:")
	g.p("FMOVD.P F%d, 8(R5)", one)
	g.p("MOVD R2, R11")
	g.p("even:")
	g.p("FMOVD.P F%d, 8(R9)", flat)
	g.p("SUB $1, R11")
	g.p("CBNZ R11, even")
	g.p("B next")
	g.p("shared:")
}

// counts adds the columns to the counts at R4, row after row.
func (g *gen) counts() {
	const acc, x = 16, 20
	g.p("MOVD R2, R11")
	g.over("c", "R11", 4, func(s step) {
		id := fmt.Sprintf("c%d", s.bytes())
		g.load("R4", 0, acc, s.nv, s.half)
		g.p("MOVD R0, R9")
		g.p("MOVD R1, R12")
		g.p("%srows:", id)
		g.load("R9", 0, x, s.nv, s.half)
		for i := range s.nv {
			g.w("FADD", acc+i, acc+i, x+i)
		}
		g.p("ADD R7, R9")
		g.p("SUB $1, R12")
		g.p("CBNZ R12, %srows", id)
		g.store("R4", 0, acc, s.nv, s.half)
		g.forward(s, "R4", "R0")
	})
}

// logSum writes log(x) + top for x ≥ 1 or NaN.
func (g *gen) logSum() {
	g.fn("logSum", "replaces the n numbers of x, at least 1 or NaN, by their logarithms plus those of top.", "x *float64", "top *float64", "n int")
	g.logConstants()
	g.over("l", "R2", 1, func(st step) {
		const x, log, t = 0, 1, 2
		g.load("R0", 0, x, 1, st.half)
		g.log(func(int) {})
		g.w("FSUB", t, x, x) // 0, or NaN
		g.w("FADD", log, log, t)
		g.load("R1", 0, t, 1, st.half)
		g.w("FADD", log, log, t)
		g.store("R0", 0, log, 1, st.half)
		g.forward(st, "R0", "R1")
	})
	g.p("RET")
}

// Registers of the constants of log.
const (
	logRoot = 16 + iota
	logOne
	logTwo
	logHalf
	logSeries // seven of them
	logLn2Hi  = logSeries + 7
	logLn2Lo  = logLn2Hi + 1
)

func (g *gen) logConstants() {
	g.constantsAt()
	g.load("R14", 16*atRootBits, logRoot, 11, false)
	g.load("R14", 16*atLn2Hi, logLn2Hi, 2, false)
}

// log sets register 1 to the logarithm of register 0, which is not below 1, and
// spoils 2 to 9; exponent may change the exponent on the way.
func (g *gen) log(exponent func(k int)) {
	const x, k, f, s, t, z, w, u, h, p = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
	g.p("VSUB V%d.D2, V%d.D2, V%d.D2", logRoot, x, k)
	g.p("VUSHR $52, V%d.D2, V%[1]d.D2", k) // x = 2ᵏ·(1+f) with 1+f from √½ to √2
	g.p("VSHL $52, V%d.D2, V%d.D2", k, t)
	g.p("VSUB V%d.D2, V%d.D2, V%d.D2", t, x, f)
	g.w("SCVTF", k, k)
	exponent(k)
	g.w("FSUB", f, f, logOne)
	g.w("FADD", t, f, logTwo)
	g.w("FDIV", s, f, t)
	g.w("FMUL", z, s, s)
	g.w("FMUL", w, z, z)
	g.horner(t, u, w, logSeries+5, logSeries+3, logSeries+1)
	g.w("FMUL", t, t, w)
	g.horner(p, u, w, logSeries+6, logSeries+4, logSeries+2, logSeries)
	g.fmla(t, z, p) // R
	g.w("FMUL", h, f, f)
	g.w("FMUL", h, h, logHalf) // f²/2
	g.w("FADD", t, t, h)
	g.w("FMUL", t, t, s)
	g.fmla(t, k, logLn2Lo)
	g.w("FSUB", h, h, t)
	g.w("FSUB", h, h, f)
	g.w("FMUL", k, k, logLn2Hi)
	g.w("FSUB", k, k, h)
}

// horner leaves the polynomial in w of the given coefficients, the highest
// first, in d, and spoils u.
func (g *gen) horner(d, u, w int, coefficients ...int) {
	if len(coefficients)%2 == 0 {
		d, u = u, d
	}
	g.copy(d, coefficients[0])
	for _, c := range coefficients[1:] {
		g.copy(u, c)
		g.fmla(u, d, w)
		d, u = u, d
	}
}
