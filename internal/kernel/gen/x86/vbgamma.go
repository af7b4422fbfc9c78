package x86

import (
	"fmt"
	"math"
)

// Polynomials of vbGamma, highest power first: those of P and its derivative in
// u = x(x+9) and of the series of ψ and log Γ in 1/x², and single constants.
var (
	gammaP   = []float64{1, 60, 1308, 12176, 40320}
	gammaDP  = []float64{5, 240, 3924, 24352, 40320}
	gammaPsi = []float64{1.0 / 12, -691.0 / 32760, 1.0 / 132, -1.0 / 240, 1.0 / 252, -1.0 / 120, 1.0 / 12}
	gammaLog = []float64{1.0 / 156, -691.0 / 360360, 1.0 / 1188, -1.0 / 1680, 1.0 / 1260, -1.0 / 360, 1.0 / 12}
	gammaOne = []float64{9, 10, 1, 0.5, 0.91893853320467274178032973640562, 0x1p100, math.Ln2, 1<<52 + 100}
)

// Places of gammaOne.
const (
	gammaNine = iota
	gammaTen
	gammaUnit
	gammaHalf
	gammaHalfLog2Pi
	gammaShift // times which no number is below one
	gammaLn2
	gammaShifted // the exponent of it, and 2⁵²
)

// gammaAt is the place of constant i of a list in the table.
func gammaAt(list []float64, i int) int {
	for _, l := range [][]float64{gammaP, gammaDP, gammaPsi, gammaLog, gammaOne} {
		if &l[0] == &list[0] {
			return i
		}
		i += len(l)
	}
	panic("no such list")
}

func (g *gen) gammaTable() {
	var all []uint64
	for _, list := range [][]float64{gammaP, gammaDP, gammaPsi, gammaLog, gammaOne} {
		for _, v := range list {
			all = append(all, math.Float64bits(v))
		}
	}
	g.Table("gammaTable", 64, 4, all...)
}

// gc writes an operation whose first operand is constant i of a list.
func (g *gen) gc(op string, list []float64, i int, format string, a ...any) {
	g.p("%s ·gammaTable+%d(SB), %s", op, 32*gammaAt(list, i), fmt.Sprintf(format, a...))
}

// poly sets dst to the polynomial of a list in x.
func (g *gen) poly(list []float64, x, dst string) {
	g.gc("VMOVUPD", list, 0, "%s", dst)
	for i := 1; i < len(list); i++ {
		g.gc("VFMADD213PD", list, i, "%s, %s", x, dst)
	}
}

// vbLog replaces register 1 by the logarithm of register 0, from 1e-30 to 1e250;
// it spoils 0 to 8. Times 2¹⁰⁰ the number is not below one, which the logarithm of
// softmax asks for.
func (g *gen) vbLog() {
	x, k, f, t, h := g.reg(0), g.reg(1), g.reg(2), g.reg(4), g.reg(8)
	g.gc("VMULPD", gammaOne, gammaShift, "%s, %[1]s", x)
	g.logSplit()
	g.gc("VSUBPD", gammaOne, gammaShifted, "%s, %[1]s", k)
	g.logSeries()
	g.p("VSUBPD %s, %s, %[2]s", t, h)
	g.p("VSUBPD %s, %s, %[2]s", f, h)
	g.gc("VFMSUB132PD", gammaOne, gammaLn2, "%s, %s", h, k) // k·ln2 − h
}

// vbGamma writes log Γ and ψ: below ten they go up by ten as digamma of package
// lda does, with P(x) = x(x+1)…(x+9) and P′.
func (g *gen) vbGamma() {
	g.gammaTable()
	g.fn("mixGamma", "sets lg and psi to log Γ and ψ of the n numbers of x, from 1e-25 to 1e200; n is a multiple of 8.",
		"lg *float64", "psi *float64", "x *float64", "n int")
	g.args("lg DI", "psi DX", "x SI", "n CX")
	y, p, sub, r, f, log := g.reg(9), g.reg(10), g.reg(11), g.reg(12), g.reg(13), g.reg(14)
	g.p("loop:")
	x, u, d, t := g.reg(0), g.reg(1), g.reg(2), g.reg(3)
	g.p("VMOVUPD (SI), %s", x)
	g.gc("VADDPD", gammaOne, gammaNine, "%s, %s", x, t)
	g.p("VMULPD %s, %s, %s", x, t, u)
	g.poly(gammaP, u, p)
	g.p("VMULPD %s, %s, %[2]s", u, p)
	g.poly(gammaDP, u, d)
	g.p("VADDPD %s, %s, %[2]s", x, t) // 2x+9
	g.p("VMULPD %s, %s, %[2]s", t, d)
	g.p("VDIVPD %s, %s, %s", p, d, sub)
	g.gc("VADDPD", gammaOne, gammaTen, "%s, %s", x, y)
	// from ten on: y = x, P = 1, nothing to take away
	g.gc("VMOVUPD", gammaOne, gammaTen, "%s", t)
	g.gc("VMOVUPD", gammaOne, gammaUnit, "%s", u)
	if g.wide() {
		g.p("VCMPPD $13, %s, %s, K1", t, x)
		g.p("VMOVAPD %s, K1, %s", x, y)
		g.p("VMOVAPD %s, K1, %s", u, p)
		g.p("VPXORQ %s, %[1]s, K1, %[1]s", sub)
	} else {
		g.p("VCMPPD $13, %s, %s, %s", t, x, d)
		g.p("VBLENDVPD %s, %s, %s, %[3]s", d, x, y)
		g.p("VBLENDVPD %s, %s, %s, %[3]s", d, u, p)
		g.p("VANDNPD %s, %s, %[1]s", sub, d)
	}
	g.p("VDIVPD %s, %s, %s", y, u, r)
	g.p("VMULPD %s, %[1]s, %s", r, f)
	g.p("VMOVAPD %s, %s", y, g.reg(0))
	g.vbLog()
	g.p("VMOVAPD %s, %s", g.reg(1), log)
	g.p("VMOVAPD %s, %s", p, g.reg(0))
	g.vbLog()
	lp, s, b := g.reg(1), g.reg(2), g.reg(3)
	g.poly(gammaPsi, f, s) // ψ = log y − r/2 − f·s − sub
	g.p("VFMADD231PD %s, %s, %s", f, s, sub)
	g.gc("VFMADD231PD", gammaOne, gammaHalf, "%s, %s", r, sub)
	g.p("VSUBPD %s, %s, %s", sub, log, b)
	g.p("VMOVUPD %s, (DX)", b)
	g.poly(gammaLog, f, s) // log Γ = (y−½)·log y − y + ½log 2π + r·s − log P
	g.gc("VFMADD213PD", gammaOne, gammaHalfLog2Pi, "%s, %s", r, s)
	g.p("VSUBPD %s, %s, %[2]s", y, s)
	g.p("VSUBPD %s, %s, %[2]s", lp, s)
	g.gc("VSUBPD", gammaOne, gammaHalf, "%s, %s", y, b)
	g.p("VFMADD231PD %s, %s, %s", b, log, s)
	g.p("VMOVUPD %s, (DI)", s)
	for _, r := range []string{"SI", "DI", "DX"} {
		g.p("ADDQ $%d, %s", g.bytes, r)
	}
	g.p("SUBQ $%d, CX", g.lanes())
	g.p("JGT loop")
	g.end()
}
