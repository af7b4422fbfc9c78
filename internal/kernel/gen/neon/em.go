package neon

import (
	"fmt"

	"github.com/moiety-go/moiety/internal/kernel/gen/text"
)

// Places in the table of float32 constants of powers, each in four lanes.
const (
	emLow  = iota // 2 to anything lower counts as 0: its products stay normal numbers
	emOne         // and then the others: 2ʳ = 1 + Σ cᵢ rⁱ on [0,1), relative error 8e-8
	emPoly = emOne + 1
)

// em writes a step of EM over rows in single precision: scores are gathered,
// turned into shares, and the shares scattered.
func (g *gen) em() {
	g.scores()
	g.shares32()
	g.backwards()
}

// emWidths are the numbers of vectors of a row that go through together; rows of
// more than four are done in blocks of four.
var emWidths = []int{1, 2, 4}

// widths writes body for every width, with and without values. R0 rows left, R1
// offsets, R2 next index, R3 next value, R4 table, R5 panel, R6 vectors; R7
// bytes of a row, R10 offset of the next entry.
func (g *gen) widths(body func(id string, nv int, valued bool)) {
	g.p("MOVD (R1), R10")
	g.p("ADD R10<<2, R2")
	for _, nv := range emWidths {
		g.p("CMP $%d, R6", nv)
		g.p("BEQ v%d", nv)
	}
	g.p("RET")
	for _, nv := range emWidths {
		g.p("v%d:", nv)
		g.p("CBNZ R3, v%dvalued", nv)
		body(fmt.Sprintf("b%d", nv), nv, false)
		g.p("v%dvalued:", nv)
		g.p("ADD R10<<2, R3")
		body(fmt.Sprintf("w%d", nv), nv, true)
	}
}

// emEntry sets R9 to the table's row of the next entry and, where there are
// values, the lowest lane of register val to its value.
func (g *gen) emEntry(val int, valued bool) {
	g.p("MOVWU.P 4(R2), R9")
	if valued {
		g.p("FMOVS.P 4(R3), F%d", val)
	}
	g.p("MADD R7, R4, R9, R9")
}

// emRows runs body for n rows: R8 entries of the row.
func (g *gen) emRows(id string, body func()) {
	g.p("%srow:", id)
	g.p("MOVD 8(R1), R11")
	g.p("SUB R10, R11, R8")
	g.p("MOVD R11, R10")
	body()
	g.p("ADD R7, R5")
	g.p("ADD $8, R1")
	g.p("SUB $1, R0")
	g.p("CBNZ R0, %srow", id)
	g.p("RET")
}

// scores writes the sums of rows of a table, from a row of bias on.
func (g *gen) scores() {
	g.fn("scores", "sets n rows of the panel to bias plus sums of rows of the table; nv vectors of each, 1, 2 or 4, stride bytes apart.",
		"n int", "ptr *int", "index *uint32", "value *float32", "table *float32", "panel *float32", "nv int", "stride int", "bias *float32")
	g.p("MOVD R8, R12")
	g.widths(func(id string, nv int, valued bool) {
		g.emRows(id, func() {
			g.load("R12", 0, 0, nv, false)
			g.p("CBZ R8, %sdone", id)
			g.p("%sone:", id)
			g.emEntry(regValue, valued)
			g.parts(0, nv, false, func(v, n, t int, _ bool) {
				g.load("R9", 16*v, t, n, false)
				for i := range n {
					if valued {
						g.w("FMLA0S4", v+i, t+i, regValue)
					} else {
						g.w("FADDS4", v+i, v+i, t+i)
					}
				}
			})
			g.p("SUB $1, R8")
			g.p("CBNZ R8, %sone", id)
			g.p("%sdone:", id)
			g.store("R5", 0, 0, nv, false)
		})
	})
}

// backwards writes the sums of rows of the panel into rows of a table.
func (g *gen) backwards() {
	g.fn("backwards", "adds n rows of the panel to rows of the table; nv vectors of each, 1, 2 or 4, stride bytes apart.",
		"n int", "ptr *int", "index *uint32", "value *float32", "table *float32", "panel *float32", "nv int", "stride int")
	g.widths(func(id string, nv int, valued bool) {
		g.emRows(id, func() {
			g.load("R5", 0, 0, nv, false)
			g.p("CBZ R8, %sdone", id)
			g.p("%sone:", id)
			g.emEntry(regValue, valued)
			g.parts(0, nv, false, func(v, n, t int, _ bool) {
				g.load("R9", 16*v, t, n, false)
				for i := range n {
					if valued {
						g.w("FMLA0S4", t+i, v+i, regValue)
					} else {
						g.w("FADDS4", t+i, t+i, v+i)
					}
				}
				g.store("R9", 16*v, t, n, false)
			})
			g.p("SUB $1, R8")
			g.p("CBNZ R8, %sone", id)
			g.p("%sdone:", id)
		})
	})
}

// fours runs body over as many vectors as reg, which it spoils, says: four at a
// time, and one.
func (g *gen) fours(id, reg string, body func(nv int)) {
	for i, nv := range []int{4, 1} {
		next := []string{id + "by1", id + "done"}[i]
		g.p("%sby%d:", id, nv)
		g.p("CMP $%d, %s", nv, reg)
		g.p("BLT %s", next)
		body(nv)
		g.p("SUB $%d, %s", nv, reg)
		g.p("B %sby%d", id, nv)
	}
	g.p("%sdone:", id)
}

// shares32 writes the rounds between: scores less the whole number next to the
// largest of their row, powers of two of the panel as one long vector, shares,
// counts. panel R0, n R1, nv R2, wholes R3, sums R4, count R5; R6 bytes of a row,
// R14 constants.
func (g *gen) shares32() {
	g.fn("shares", "turns n rows of scores, nv vectors each, into shares: powers of 2 by their sum. It sets wholes to the whole numbers that were taken from the scores of each row, sums to the sums of powers, and count (nv vectors) to the sums of shares.",
		"panel *float32", "n int", "nv int", "wholes *float32", "sums *float32", "count *float32")
	const acc, x = 16, 20
	g.p("LSL $4, R2, R6")
	bits := append(text.Singles(-100, 1), text.Singles(text.PowerSeries...)...)
	g.Table("emTable", 32, 4, bits...)
	g.p("MOVD $·emTable(SB), R14")
	g.p("MOVD R0, R7")
	g.p("MOVD R1, R8")
	g.p("top:")
	g.p("FMOVQ (R7), F%d", acc)
	for i := 1; i < 4; i++ {
		g.copy(acc+i, acc)
	}
	g.p("MOVD R7, R9")
	g.p("MOVD R2, R10")
	g.fours("t", "R10", func(nv int) {
		g.load("R9", 0, x, nv, false)
		for i := range nv {
			g.w("FMAXNMS4", acc+i, acc+i, x+i)
		}
		g.forward(step{nv, false}, "R9")
	})
	g.w("FMAXNMS4", acc, acc, acc+1)
	g.w("FMAXNMS4", acc+2, acc+2, acc+3)
	g.w("FMAXNMS4", acc, acc, acc+2)
	g.w("FMAXNMV", acc, acc)
	g.w("FRINTNS4", acc, acc)
	g.p("FMOVS.P F%d, 4(R3)", acc)
	g.p("VDUP V%d.S[0], V%[1]d.S4", acc)
	g.p("MOVD R2, R10")
	g.fours("l", "R10", func(nv int) {
		g.load("R7", 0, x, nv, false)
		for i := range nv {
			g.w("FSUBS4", x+i, x+i, acc)
		}
		g.store("R7", 0, x, nv, false)
		g.forward(step{nv, false}, "R7")
	})
	g.p("SUB $1, R8")
	g.p("CBNZ R8, top")

	g.p("MOVD R0, R7")
	g.p("MUL R1, R2, R10")
	g.powers()
	g.divided()
	g.columns()
	g.p("RET")
}

// powers replaces R10 vectors from R7 on, not above ½ or NaN, by powers of 2.
func (g *gen) powers() {
	const low, none = 30, 31
	g.p("FMOVQ %d(R14), F%d", 16*emLow, low)
	g.zero(none)
	g.fours("p", "R10", func(nv int) {
		v, n, p, t := regs(0), regs(4), regs(8), regs(12)
		all := func(f func(i int)) {
			for i := range nv {
				f(i)
			}
		}
		g.load("R7", 0, v[0], nv, false)
		all(func(i int) { g.w("FRINTMS4", n[i], v[i]) })
		all(func(i int) { g.w("FCMGTS4", 16+i, low, v[i]) }) // too low
		all(func(i int) { g.w("FSUBS4", v[i], v[i], n[i]) }) // r
		all(func(i int) { g.p("FMOVQ %d(R14), F%d", 16*(emPoly+len(text.PowerSeries)-1), p[i]) })
		for c := len(text.PowerSeries) - 2; c >= -1; c-- {
			all(func(i int) {
				g.p("FMOVQ %d(R14), F%d", 16*(emPoly+c), t[i])
				g.fmla4(t[i], p[i], v[i])
			})
			p, t = t, p
		}
		all(func(i int) { g.w("FCVTNSS4", n[i], n[i]) })
		all(func(i int) { g.p("VSHL $23, V%d.S4, V%[1]d.S4", n[i]) })
		all(func(i int) { g.p("VADD V%d.S4, V%d.S4, V%[2]d.S4", n[i], p[i]) })
		all(func(i int) { g.p("VBIT V%d.B16, V%d.B16, V%d.B16", 16+i, none, p[i]) })
		g.store("R7", 0, p[0], nv, false)
		g.forward(step{nv, false}, "R7")
	})
}

// divided divides the rows by their sums.
func (g *gen) divided() {
	const acc, x, one = 16, 20, 31
	g.p("FMOVQ %d(R14), F%d", 16*emOne, one)
	g.p("MOVD R0, R7")
	g.p("MOVD R1, R8")
	g.p("share:")
	for i := range 4 {
		g.zero(acc + i)
	}
	g.p("MOVD R7, R9")
	g.p("MOVD R2, R10")
	g.fours("a", "R10", func(nv int) {
		g.load("R9", 0, x, nv, false)
		for i := range nv {
			g.w("FADDS4", acc+i, acc+i, x+i)
		}
		g.forward(step{nv, false}, "R9")
	})
	g.w("FADDS4", acc, acc, acc+1)
	g.w("FADDS4", acc+2, acc+2, acc+3)
	g.w("FADDS4", acc, acc, acc+2)
	g.w("FADDPS4", acc, acc, acc)
	g.w("FADDPS4", acc, acc, acc) // in all lanes
	g.p("FMOVS.P F%d, 4(R4)", acc)
	g.w("FDIVS4", acc, one, acc)
	g.p("MOVD R2, R10")
	g.fours("s", "R10", func(nv int) {
		g.load("R7", 0, x, nv, false)
		for i := range nv {
			g.w("FMULS4", x+i, x+i, acc)
		}
		g.store("R7", 0, x, nv, false)
		g.forward(step{nv, false}, "R7")
	})
	g.p("SUB $1, R8")
	g.p("CBNZ R8, share")
}

// columns sets count to the sums of the columns, row after row.
func (g *gen) columns() {
	const acc, x = 16, 20
	g.fours("c", "R2", func(nv int) {
		id := fmt.Sprintf("columns%d", nv)
		for i := range nv {
			g.zero(acc + i)
		}
		g.p("MOVD R0, R7")
		g.p("MOVD R1, R8")
		g.p("%s:", id)
		g.load("R7", 0, x, nv, false)
		for i := range nv {
			g.w("FADDS4", acc+i, acc+i, x+i)
		}
		g.p("ADD R6, R7")
		g.p("SUB $1, R8")
		g.p("CBNZ R8, %s", id)
		g.store("R5", 0, acc, nv, false)
		g.forward(step{nv, false}, "R5", "R0")
	})
}
