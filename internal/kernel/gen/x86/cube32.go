package x86

import "fmt"

// cube32 writes sums of products of three columns in single precision. Lanes
// are records, so that no lane is wasted on entries that symmetry makes equal:
// every register sums up one entry, and the lanes are added up at the end.
func (g *gen) cube32() {
	g.columns()
	g.corner()
	g.beside()
}

// side is the most columns on each side of a tile: as many registers as their
// product hold sums, one side stands in registers beside them.
func (g *gen) side() int {
	if g.wide() {
		return 4
	}
	return 3
}

// lanes32 is the number of lanes in single precision.
func (g *gen) lanes32() int { return g.bytes / 4 }

// columns writes the transpose of a panel, four columns of as many rows as there
// are lanes at a time. Register j holds rows j, 4+j, ... in its quarters, so that
// the transposes of the quarters stand in the order of rows.
func (g *gen) columns() {
	g.fn("columns", "sets 4m columns of dst, ldd bytes apart, to those of n rows of z, ldz bytes apart; n is a multiple of 16.",
		"dst *float32", "ldd int", "m int", "z *float32", "ldz int", "n int")
	g.args("dst DI", "ldd R9", "z SI", "ldz R8", "n CX")
	g.p("LEAQ (R9)(R9*2), R10")
	g.p("LEAQ (R8)(R8*2), R11")
	g.p("rows:")
	g.arg("m", "BX")
	g.p("MOVQ SI, R12")
	g.p("MOVQ DI, R13")
	g.p("four:")
	g.p("MOVQ R12, AX")
	rows := [...]string{"(AX)", "(AX)(R8*1)", "(AX)(R8*2)", "(AX)(R11*1)"}
	for q := range g.bytes / 16 {
		if q > 0 {
			g.p("LEAQ (AX)(R8*4), AX")
		}
		for j, row := range rows {
			switch {
			case q == 0:
				g.p("VMOVUPS %s, X%d", row, j)
			case g.wide():
				g.p("VINSERTF32X4 $%d, %s, Z%d, Z%[3]d", q, row, j)
			default:
				g.p("VINSERTF128 $%d, %s, Y%d, Y%[3]d", q, row, j)
			}
		}
	}
	for i, op := range []string{"VUNPCKLPS", "VUNPCKHPS"} {
		g.p("%s %s, %s, %s", op, g.reg(1), g.reg(0), g.reg(4+i))
		g.p("%s %s, %s, %s", op, g.reg(3), g.reg(2), g.reg(6+i))
	}
	for c := range 4 {
		g.p("%s %s, %s, %s", [...]string{"VUNPCKLPD", "VUNPCKHPD"}[c%2], g.reg(6+c/2), g.reg(4+c/2), g.reg(8+c))
		g.p("VMOVUPS %s, %s", g.reg(8+c), g.column("R13", c))
	}
	g.p("ADDQ $16, R12")
	g.p("LEAQ (R13)(R9*4), R13")
	g.p("DECQ BX")
	g.p("JNE four")
	for range g.bytes / 16 {
		g.p("LEAQ (SI)(R8*4), SI")
	}
	g.p("ADDQ $%d, DI", g.bytes)
	g.p("SUBQ $%d, CX", g.lanes32())
	g.p("JNE rows")
	g.end()
}

// Both tiles: CX vectors of rows left, R9 bytes between columns, DI sums.

// corner writes the tile on the diagonal.
func (g *gen) corner() {
	g.fn("corner", "sets the t columns of y to w·x times those of z, ld bytes apart, and the sums of out, a packed triangle, to those of y times the columns of z from the same one on, over n vectors.",
		"n int", "w *float32", "x *float32", "z *float32", "y *float32", "ld int", "t int", "out *float32")
	g.args("n CX", "w AX", "x BX", "z SI", "y DX", "ld R9", "t R8", "out DI")
	g.p("LEAQ (R9)(R9*2), R10")
	g.eachSide("R8", "c", func(id string, t int) {
		zs, ys := t*(t+1)/2, t*(t+1)/2+t // registers of z, and of one column of y
		for i := range zs {
			g.zero(i)
		}
		g.p("%sloop:", id)
		g.p("VMOVUPS (AX), %s", g.reg(ys))
		g.p("VMULPS (BX), %s, %[1]s", g.reg(ys))
		for j := range t {
			g.p("VMOVUPS %s, %s", g.column("SI", j), g.reg(zs+j))
		}
		at := 0
		for j := range t {
			y := ys + 1 + j%2
			g.p("VMULPS %s, %s, %s", g.reg(zs+j), g.reg(ys), g.reg(y))
			g.p("VMOVUPS %s, %s", g.reg(y), g.column("DX", j))
			for i := j; i < t; i++ {
				g.p("VFMADD231PS %s, %s, %s", g.reg(zs+i), g.reg(y), g.reg(at))
				at++
			}
		}
		for _, r := range []string{"AX", "BX", "SI", "DX"} {
			g.p("ADDQ $%d, %s", g.bytes, r)
		}
		g.p("DECQ CX")
		g.p("JNE %sloop", id)
		g.sumUp(zs)
		g.end()
	})
}

// beside writes one beside the diagonal.
func (g *gen) beside() {
	g.fn("tile", "sets the sums of out, t rows of s, to those of the t columns of y times the s columns of z, ld bytes apart, over n vectors.",
		"n int", "y *float32", "z *float32", "ld int", "t int", "s int", "out *float32")
	g.args("n CX", "y DX", "z SI", "ld R9", "t R8", "s R11", "out DI")
	g.p("LEAQ (R9)(R9*2), R10")
	g.eachSide("R8", "t", func(id string, t int) {
		g.eachSide("R11", id+"s", func(id string, s int) {
			if s < g.side()-1 {
				return // blocks of columns are one narrower at the most, but where one begins
			}
			for i := range t * s {
				g.zero(i)
			}
			g.p("%sloop:", id)
			for j := range t {
				g.p("VMOVUPS %s, %s", g.column("DX", j), g.reg(t*s+j))
			}
			for i := range s {
				z := t*s + t + i%2
				g.p("VMOVUPS %s, %s", g.column("SI", i), g.reg(z))
				for j := range t {
					g.p("VFMADD231PS %s, %s, %s", g.reg(z), g.reg(t*s+j), g.reg(j*s+i))
				}
			}
			g.p("ADDQ $%d, DX", g.bytes)
			g.p("ADDQ $%d, SI", g.bytes)
			g.p("DECQ CX")
			g.p("JNE %sloop", id)
			g.sumUp(t * s)
			g.end()
		})
	})
}

// eachSide writes a body for every number of columns that the register may hold,
// the largest first.
func (g *gen) eachSide(reg, id string, body func(id string, n int)) {
	for n := g.side(); n > 0; n-- {
		g.p("CMPQ %s, $%d", reg, n)
		g.p("JNE %snot%d", id, n)
		body(fmt.Sprintf("%s%d", id, n), n)
		g.p("%snot%d:", id, n)
	}
	g.end()
}

// column is the place of column j: R9 holds the bytes between two columns, R10
// those between three.
func (g *gen) column(base string, j int) string {
	return "(" + base + ")" + [...]string{"", "(R9*1)", "(R9*2)", "(R10*1)", "(R9*4)"}[j]
}

// halves is a way to bring the halves of two registers together; so many of them
// one after the other add up all lanes.
type halves struct{ low, high string }

func (g *gen) folds() []halves {
	out := []halves{{"VUNPCKLPS", "VUNPCKHPS"}, {"VUNPCKLPD", "VUNPCKHPD"}}
	if g.wide() {
		quarters := halves{"VSHUFF32X4 $0x88,", "VSHUFF32X4 $0xdd,"}
		return append(out, quarters, quarters)
	}
	return append(out, halves{"VPERM2F128 $0x20,", "VPERM2F128 $0x31,"})
}

// sumUp adds up the lanes of the first n registers and writes the sums to DI.
func (g *gen) sumUp(n int) {
	lanes, t := g.lanes32(), 14 // and 15: they hold no sums
	if g.wide() {
		t = 30
	}
	for lo := 0; lo < n; lo += lanes {
		var regs []int
		for i := lo; i < min(lo+lanes, n); i++ {
			regs = append(regs, i)
		}
		for _, f := range g.folds() {
			var sums []int
			for k := 0; k < len(regs); k += 2 {
				x, y := regs[k], regs[min(k+1, len(regs)-1)]
				g.p("%s %s, %s, %s", f.low, g.reg(y), g.reg(x), g.reg(t))
				g.p("%s %s, %s, %s", f.high, g.reg(y), g.reg(x), g.reg(t+1))
				g.p("VADDPS %s, %s, %s", g.reg(t), g.reg(t+1), g.reg(x))
				sums = append(sums, x)
			}
			regs = sums
		}
		g.p("VMOVUPS %s, %d(DI)", g.reg(regs[0]), 4*lo)
	}
}
