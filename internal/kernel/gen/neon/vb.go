package neon

import (
	"fmt"
	"math"

	"github.com/moiety-go/moiety/internal/kernel/gen/text"
)

// Places in the table of float32 constants, each in four lanes.
const (
	vbTwo = iota
	vbThree
	vbYShift // 3½
	vbMost   // exp(-x) of anything above counts as that of it
	vbMinusLog2E
	vbLn2Hi
	vbLn2Lo
	vbTiny
	vbSeries // three coefficients
	vbExp    = vbSeries + 3
	vbDegree = text.SingleDegree
)

// vb writes the kernels of the fixed point of a row's Dirichlet parameters, in
// float32.
func (g *gen) vb() {
	g.mixRound()
	g.mixPanel()
	g.mixLogs()
}

func (g *gen) vbTable() {
	all := text.Singles(2, 3, 3.5, 50, -math.Log2E, 0.693359375, -2.12194440e-4, 1e-30)
	all = append(all, text.Singles(text.PsiSeries...)...)
	all = append(all, text.Singles(text.Factorials(vbDegree)...)...)
	g.Table("vbTable", 32, 4, all...)
	g.p("MOVD $·vbTable(SB), R14")
}

// vset fills register v with constant i.
func (g *gen) vset(i, v int) { g.p("FMOVQ %d(R14), F%d", 16*i, v) }

// fmla4 adds n·m to d in lanes of float32, fmls4 takes it away.
func (g *gen) fmla4(d, n, m int) { g.p("VFMLA V%d.S4, V%d.S4, V%d.S4", m, n, d) }
func (g *gen) fmls4(d, n, m int) { g.p("VFMLS V%d.S4, V%d.S4, V%d.S4", m, n, d) }

// mixRound writes a round of e = exp ψ(γ), p = Σ e·μ, f = x/p, γ = α + e·Σ f·μ.
// panel R0, x R1, alpha R2, gamma R3, e R4, sum R5, p R6, f R7, n R8, m R9,
// change R10; R11 bytes of a row of the panel, R14 constants.
func (g *gen) mixRound() {
	g.fn("mixRound", "takes a round of the fixed point of a Mix of n entries, a multiple of 16, and m components, a multiple of 4, and sets change to how far γ moved.",
		"panel *float32", "x *float32", "alpha *float32", "gamma *float32", "e *float32", "sum *float32", "p *float32", "f *float32",
		"n int", "m int", "change *float32")
	g.p("LSL $2, R8, R11")
	g.vbTable()
	g.p("MOVD R3, R12")
	g.p("MOVD R4, R13")
	g.p("MOVD R9, R15")
	g.p("exps:")
	g.p("FMOVQ.P 16(R12), F0")
	g.expPsi()
	g.p("FMOVQ.P F0, 16(R13)")
	g.p("SUB $4, R15")
	g.p("CBNZ R15, exps")
	g.mixQuotients()
	g.mixSums()
	g.p("RET")
}

// expPsi replaces register 0, x > 0, by exp(ψ(x)), relative error about 3e-7:
// ψ(x) = ψ(x+4) − (2x+3)(2u+2)/(u(u+2)) with u = x(x+3), and exp(ψ(y+½)) by its
// series in 1/y. It spoils 1 to 9.
func (g *gen) expPsi() {
	const x, u, v, w, t, n, even, odd, two, three = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
	g.p("FLDPQ %d(R14), (F%d, F%d)", 16*vbTwo, two, three)
	g.w("FADDS4", t, x, three)
	g.w("FMULS4", u, x, t)
	g.w("FADDS4", v, u, two)
	g.w("FADDS4", w, x, x)
	g.w("FADDS4", w, w, three)
	g.w("FDIVS4", w, w, v) // (2x+3)/(u+2)
	g.w("FDIVS4", v, two, u)
	g.w("FADDS4", v, v, two)
	g.w("FMULS4", w, w, v)
	g.vset(vbMost, t)
	g.w("FMINS4", w, w, t)
	// exp(−w) = 2ⁿ·eᵛ
	g.vset(vbMinusLog2E, t)
	g.w("FMULS4", n, w, t)
	g.w("FRINTNS4", n, n)
	g.zero(v)
	g.w("FSUBS4", v, v, w)
	g.p("FLDPQ %d(R14), (F%d, F%d)", 16*vbLn2Hi, t, u)
	g.fmls4(v, n, t)
	g.fmls4(v, n, u)
	g.w("FMULS4", t, v, v)
	g.vset(vbExp+vbDegree, even)
	g.vset(vbExp+vbDegree-1, odd)
	for i := vbDegree - 2; i >= 0; i -= 2 {
		g.vset(vbExp+i, u)
		g.fmla4(u, even, t)
		g.copy(even, u)
		if i > 0 {
			g.vset(vbExp+i-1, u)
			g.fmla4(u, odd, t)
			g.copy(odd, u)
		}
	}
	g.fmla4(even, odd, v)
	g.w("FCVTNSS4", n, n)
	g.p("VSHL $23, V%d.S4, V%[1]d.S4", n)
	g.p("VADD V%d.S4, V%d.S4, V%[2]d.S4", n, even)
	// the series
	g.vset(vbYShift, u)
	g.w("FADDS4", u, x, u) // y
	g.w("FADDS4", w, u, u)
	g.w("FDIVS4", w, two, w) // 1/y
	g.w("FMULS4", t, w, w)
	g.vset(vbSeries+2, odd)
	for _, i := range []int{vbSeries + 1, vbSeries} {
		g.vset(i, v)
		g.fmla4(v, odd, t)
		g.copy(odd, v)
	}
	g.fmla4(u, odd, w)
	g.w("FMULS4", x, u, even)
}

// mixQuotients sets p and f, sixteen entries at a time: four vectors, and of
// each four sums, one for every fourth component. R12 entries left, R13, R15,
// R19, R20 where they stand in panel, p, f and x.
func (g *gen) mixQuotients() {
	const sums, rows, e, tiny = 0, 16, 28, 29
	g.vset(vbTiny, tiny)
	g.p("MOVD R0, R13")
	g.p("MOVD R6, R15")
	g.p("MOVD R7, R19")
	g.p("MOVD R1, R20")
	g.p("MOVD R8, R12")
	g.p("quotients:")
	for v := range 16 {
		g.zero(sums + v)
	}
	g.p("MOVD R13, R21")
	g.p("MOVD R4, R22")
	g.p("MOVD R9, R23")
	g.p("components:")
	g.p("FMOVQ.P 16(R22), F%d", e)
	for j := range 4 {
		t := rows + 4*(j%3)
		g.load("R21", 0, t, 4, false)
		g.p("ADD R11, R21")
		for v := range 4 {
			g.w(fmt.Sprintf("FMLA%dS4", j), sums+4*j+v, t+v, e)
		}
	}
	g.p("SUB $4, R23")
	g.p("CBNZ R23, components")
	g.fourSums(sums, 4)
	for v := range 4 {
		g.w("FADDS4", sums+v, sums+v, tiny)
	}
	g.store("R15", 0, sums, 4, false)
	g.load("R20", 0, rows, 4, false)
	for v := range 4 {
		g.w("FDIVS4", rows+v, rows+v, sums+v)
	}
	g.store("R19", 0, rows, 4, false)
	g.forward(step{4, false}, "R13", "R15", "R19", "R20")
	g.p("SUB $16, R12")
	g.p("CBNZ R12, quotients")
}

// fourSums adds up four registers, by apart, for each of the first four from
// first on; or, by being 1, each run of four into its first.
func (g *gen) fourSums(first, by int) {
	next := map[int]int{4: 1, 1: 4}[by]
	for v := range 4 {
		a := first + v*next
		g.w("FADDS4", a, a, a+by)
		g.w("FADDS4", a+2*by, a+2*by, a+3*by)
		g.w("FADDS4", a, a, a+2*by)
	}
}

// mixSums sets the sums and γ, four components at a time, and how far γ moved.
// R12, R13, R15, R19 rows of the panel, R20 entries left, R21 f.
func (g *gen) mixSums() {
	const sums, f, rows, change = 0, 16, 20, 31
	row := []string{"R12", "R13", "R15", "R19"}
	g.zero(change)
	g.p("MOVD R0, R12")
	g.p("sums:")
	for r := 1; r < 4; r++ {
		g.p("ADD R11, %s, %s", row[r-1], row[r])
	}
	for v := range 16 {
		g.zero(sums + v)
	}
	g.p("MOVD R8, R20")
	g.p("MOVD R7, R21")
	g.p("entries:")
	g.load("R21", 0, f, 4, false)
	for r := range 4 {
		t := rows + 4*(r%2)
		g.load(row[r], 0, t, 4, false)
		for v := range 4 {
			g.fmla4(sums+4*r+v, t+v, f+v)
		}
	}
	g.forward(step{4, false}, "R21", "R12", "R13", "R15", "R19")
	g.p("SUB $16, R20")
	g.p("CBNZ R20, entries")
	g.p("MOVD R19, R12") // the next rows
	g.fourSums(sums, 1)
	g.w("FADDPS4", 0, 0, 4)
	g.w("FADDPS4", 8, 8, 12)
	g.w("FADDPS4", 0, 0, 8) // one of the four in each lane
	const sum, alpha, e, gamma = 0, 1, 2, 3
	g.p("FMOVQ.P F%d, 16(R5)", sum)
	g.p("FMOVQ.P 16(R2), F%d", alpha)
	g.p("FMOVQ.P 16(R4), F%d", e)
	g.p("FMOVQ (R3), F%d", gamma)
	g.fmla4(alpha, e, sum)
	g.p("FMOVQ.P F%d, 16(R3)", alpha)
	g.w("FABDS4", gamma, gamma, alpha)
	g.w("FADDS4", change, change, gamma)
	g.p("SUB $4, R9")
	g.p("CBNZ R9, sums")
	g.w("FADDPS4", change, change, change)
	g.w("FADDPS4", change, change, change)
	g.p("FMOVS F%d, (R10)", change)
}

// mixPanel writes the copy of a row's part of a table, turned: blocks of four
// rows of the table and four columns. dst R0, table R1, index R2, n R3, columns R4; R5
// bytes of a row of dst, R6 of the table.
func (g *gen) mixPanel() {
	g.fn("mixPanel", "sets row t of the k×n panel dst to column t of the rows of table that index names, of k4 bytes each; n is a multiple of 8, k4 of 16.",
		"dst *float32", "table *float32", "index *uint32", "n int", "k4 int")
	g.p("LSL $2, R3, R5")
	g.p("MOVD R4, R6")
	g.p("LSR $2, R4, R4")
	row := []string{"R7", "R8", "R9", "R10"}
	g.p("rows:")
	for _, r := range row {
		g.p("MOVWU.P 4(R2), %s", r)
		g.p("MADD R6, R1, %s, %[1]s", r)
	}
	g.p("MOVD R0, R11")
	g.p("MOVD R4, R12")
	g.p("columns:")
	for i, r := range row {
		g.p("FMOVQ.P 16(%s), F%d", r, i)
	}
	for i := range 2 {
		g.p("VTRN1 V%d.S4, V%d.S4, V%d.S4", 2*i+1, 2*i, 4+2*i)
		g.p("VTRN2 V%d.S4, V%d.S4, V%d.S4", 2*i+1, 2*i, 5+2*i)
	}
	for i := range 2 {
		g.p("VTRN1 V%d.D2, V%d.D2, V%d.D2", 6+i, 4+i, 16+i)
		g.p("VTRN2 V%d.D2, V%d.D2, V%d.D2", 6+i, 4+i, 18+i)
	}
	for i := range 4 {
		g.p("FMOVQ F%d, (R11)", 16+i)
		g.p("ADD R5, R11")
	}
	g.p("SUB $4, R12")
	g.p("CBNZ R12, columns")
	g.p("ADD $16, R0")
	g.p("SUB $4, R3")
	g.p("CBNZ R3, rows")
	g.p("RET")
}

// mixLogs writes the sum of x·log p; p times 2¹⁰⁰ is not below one, which log
// asks for.
func (g *gen) mixLogs() {
	g.fn("mixLogs", "sets sum to that of x·log p over the n numbers, p at least 1e-30; n is a multiple of 4.",
		"sum *float64", "x *float32", "p *float32", "n int")
	const scale, hundred, acc = 29, 30, 10
	g.logConstants()
	for i, c := range []float64{math.Ldexp(1, 100), 100} {
		g.p("MOVD $%#x, R4", math.Float64bits(c))
		g.p("VDUP R4, V%d.D2", scale+i)
	}
	g.zero(acc)
	g.zero(acc + 1)
	g.p("loop:")
	g.p("FMOVQ.P 16(R1), F12")
	g.p("FMOVQ.P 16(R2), F13")
	for half, widen := range []string{"FCVTL", "FCVTL2"} {
		g.w(widen, 0, 13)
		g.w("FMUL", 0, 0, scale)
		g.log(func(k int) { g.w("FSUB", k, k, hundred) })
		g.w(widen, 2, 12)
		g.fmla(acc+half, 1, 2)
	}
	g.p("SUB $4, R3")
	g.p("CBNZ R3, loop")
	g.w("FADD", acc, acc, acc+1)
	g.w("FADDP", acc, acc)
	g.p("FMOVD F%d, (R0)", acc)
	g.p("RET")
}
