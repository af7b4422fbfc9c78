package neon

import "fmt"

// blocks are the numbers of vectors of a row that one call keeps in registers, 0
// standing for a single number; other rows are done by several calls on blocks of
// columns.
var blocks = []int{8, 4, 2, 1, 0}

// Registers of the products: sums or the row of z in 0 to 15, rows of the table
// in 16 to 27, the values of entries in 28 to 31.
const (
	regTable    = 16
	tableGroups = 3 // of four
	regValue    = 28
	values      = 4
)

// sparse writes the products of compressed rows with a table.
func (g *gen) sparse() {
	g.fn("gather", "sets n rows of dst to sums of rows of b: nv vectors of each row (1, 2, 4 or 8), or with rem 1 a single number; stride bytes from row to row.",
		"dst *float64", "ptr *int", "n int", "index *uint32", "value *float32", "b *float64", "stride int", "nv int", "rem int")
	g.each(g.gatherRows)
	g.fn("scatter", "adds n rows of z to rows of dst, likewise.",
		"dst *float64", "ptr *int", "n int", "index *uint32", "value *float32", "z *float64", "stride int", "nv int", "rem int")
	g.p("MOVD R0, R9")
	g.p("MOVD R5, R0")
	g.p("MOVD R9, R5")
	g.each(g.scatterRows)
}

// each writes body for every number of vectors, without and with values. R0 moving rows, R1 offsets, R2 rows left, R3 next
// index, R4 next value, R5 table, R6 stride, R10 offset of the next entry. The
// entries of a row follow those of the row before.
func (g *gen) each(body func(id string, nv int, half, valued bool)) {
	g.p("MOVD (R1), R10")
	g.p("ADD R10<<2, R3, R3")
	g.p("CMP $1, R8")
	g.p("BNE whole")
	g.p("MOVD ZR, R7")
	g.p("whole:")
	for _, nv := range blocks {
		g.p("CMP $%d, R7", nv)
		g.p("BEQ v%d", nv)
	}
	g.p("RET")
	for _, nv := range blocks {
		g.p("v%d:", nv)
		g.p("CBZ R4, v%dbinary", nv)
		g.p("ADD R10<<2, R4, R4")
		body(fmt.Sprintf("w%d", nv), max(1, nv), nv == 0, true)
		g.p("v%dbinary:", nv)
		body(fmt.Sprintf("b%d", nv), max(1, nv), nv == 0, false)
	}
}

// entries sets R7 to the number of entries of the row.
func (g *gen) entries() {
	g.p("MOVD 8(R1), R11")
	g.p("SUB R10, R11, R7")
	g.p("MOVD R11, R10")
}

// row sets R9 to the table's row of the next entry and, where there are values,
// the lower lane of register val to its value.
func (g *gen) row(val int, valued bool) {
	g.p("MOVWU.P 4(R3), R9")
	if valued {
		g.p("FMOVS.P 4(R4), F%d", val)
		g.p("FCVTSD F%d, F%[1]d", val)
	}
	g.p("MADD R6, R5, R9, R9")
}

func (g *gen) nextRow(id string) {
	g.p("ADD R6, R0")
	g.p("ADD $8, R1")
	g.p("SUB $1, R2")
	g.p("CBNZ R2, %srow", id)
	g.p("RET")
}

// manyEntries is the length of a row from which its entries are divided to
// several sums.
const manyEntries = 32

// gatherRows keeps a row of sums in registers. In a long row few vectors leave
// the adders idle for want of independent sums, so its entries are divided to
// several sets, which are added at the end of the row: an order that follows
// from the length of the row alone. Short rows overlap by themselves.
func (g *gen) gatherRows(id string, nv int, half, valued bool) {
	sets := map[int]int{1: 4, 2: 4, 4: 2}[nv]
	g.p("%srow:", id)
	g.entries()
	for v := range nv {
		g.zero(v)
	}
	if sets > 0 {
		g.p("CMP $%d, R7", manyEntries)
		g.p("BGE %slong", id)
	}
	g.p("%sshort:", id)
	g.p("CBZ R7, %sdone", id)
	g.p("%sone:", id)
	g.gatherOne(0, 0, nv, half, valued)
	g.p("SUB $1, R7")
	g.p("CBNZ R7, %sone", id)
	g.p("%sdone:", id)
	g.store("R0", 0, 0, nv, half)
	g.nextRow(id)
	if sets == 0 {
		return
	}
	g.p("%slong:", id)
	for v := nv; v < sets*nv; v++ {
		g.zero(v)
	}
	g.p("%smany:", id)
	for s := range sets {
		g.gatherOne(s, s*nv, nv, half, valued)
	}
	g.p("SUB $%d, R7", sets)
	g.p("CMP $%d, R7", sets)
	g.p("BGE %smany", id)
	for s := 1; s < sets; s++ {
		for v := range nv {
			g.w("FADD", v, v, s*nv+v)
		}
	}
	g.p("B %sshort", id)
}

// gatherOne adds a row of the table, times its value, to the sums from acc on.
func (g *gen) gatherOne(s, acc, nv int, half, valued bool) {
	val := regValue + s%values
	g.row(val, valued)
	g.parts(s*((nv+3)/4), nv, half, func(v, n, t int, half bool) {
		g.load("R9", 16*v, t, n, half)
		for i := range n {
			if valued {
				g.w("FMLA0", acc+v+i, t+i, val)
			} else {
				g.w("FADD", acc+v+i, acc+v+i, t+i)
			}
		}
	})
}

// scatterRows keeps a row of z in registers and adds it to the rows of the
// table, entry after entry.
func (g *gen) scatterRows(id string, nv int, half, valued bool) {
	g.p("%srow:", id)
	g.entries()
	g.load("R0", 0, 0, nv, half)
	g.p("CBZ R7, %sdone", id)
	g.p("%sone:", id)
	g.row(regValue, valued)
	g.parts(0, nv, half, func(v, n, t int, half bool) {
		g.load("R9", 16*v, t, n, half)
		for i := range n {
			if valued {
				g.w("FMLA0", t+i, v+i, regValue)
			} else {
				g.w("FADD", t+i, t+i, v+i)
			}
		}
		g.store("R9", 16*v, t, n, half)
	})
	g.p("SUB $1, R7")
	g.p("CBNZ R7, %sone", id)
	g.p("%sdone:", id)
	g.nextRow(id)
}

// parts runs body for up to four of nv vectors at a time: n of them from the
// v-th on, in the registers from t on. The registers of a table's row go in
// turn, starting with a group.
func (g *gen) parts(group, nv int, half bool, body func(v, n, t int, half bool)) {
	for v := 0; v < nv; v += 4 {
		n := min(4, nv-v)
		body(v, n, regTable+4*(group%tableGroups), half && v+n == nv)
		group++
	}
}
