//go:build ignore

package main

import "fmt"

// blockVectors is how many vectors of a row one call keeps in registers.
const blockVectors = 8

// sparse writes the products of compressed rows with a table. Rows of more
// than eight vectors are done by several calls on blocks of columns.
func (g *gen) sparse() {
	g.fn("gather", "sets n rows of dst to sums of rows of b; nv vectors of each row, rem lanes in the last, stride bytes from row to row.",
		"dst *float64", "ptr *int", "n int", "index *uint32", "value *float32", "b *float64", "stride int", "nv int", "rem int")
	g.each("gather", g.gatherRows)
	g.fn("scatter", "adds n rows of z to rows of dst; nv vectors of each row, rem lanes in the last, stride bytes from row to row.",
		"dst *float64", "ptr *int", "n int", "index *uint32", "value *float32", "z *float64", "stride int", "nv int", "rem int")
	g.each("scatter", g.scatterRows)
}

// each writes body for every number of vectors, with and without values.
// SI offsets, R13 rows left, DX indices, BX values, DI moving rows, R8 table,
// R9 stride.
//
// Rows of one, two or four numbers have versions of their own: they are common
// (trees split in two), and need no mask.
func (g *gen) each(name string, body func(id string, w width, valued bool)) {
	moving, table := "dst", "b"
	if name == "scatter" {
		moving, table = "z", "dst"
	}
	g.arg("rem", "R10")
	g.setMask("R10", "R11")
	g.arg(moving, "DI")
	g.arg(table, "R8")
	g.arg("ptr", "SI")
	g.arg("n", "R13")
	g.arg("index", "DX")
	g.arg("value", "BX")
	g.arg("stride", "R9")
	g.arg("rem", "R10")
	g.arg("nv", "AX")
	g.p("CMPQ AX, $1")
	g.p("JNE several")
	for _, n := range []int{1, 2, 4} {
		g.p("CMPQ R10, $%d", n)
		g.p("JEQ n%d", n)
	}
	g.p("several:")
	for nv := 1; nv <= blockVectors; nv++ {
		g.p("CMPQ AX, $%d", nv)
		g.p("JEQ v%d", nv)
	}
	g.end()
	for _, n := range []int{1, 2, 4} {
		g.p("n%d:", n)
		g.both(fmt.Sprintf("n%d", n), map[int]width{1: {1, "X", "SD"}, 2: {1, "X", "PD"}, 4: {1, "Y", "PD"}}[n], body)
	}
	for nv := 1; nv <= blockVectors; nv++ {
		g.p("v%d:", nv)
		g.both(fmt.Sprintf("v%d", nv), width{nv, g.reg(0)[:1], ""}, body)
	}
}

// both writes body without and with values.
func (g *gen) both(id string, w width, body func(id string, w width, valued bool)) {
	g.p("TESTQ BX, BX")
	g.p("JNE %svalued", id)
	body(id+"b", w, false)
	g.p("%svalued:", id)
	body(id+"w", w, true)
}

// width is the shape of a row: nv whole vectors, the last through the mask, or,
// where op is given, one register of a class without a mask.
type width struct {
	nv    int
	class string
	op    string
}

func (w width) reg(i int) string { return fmt.Sprintf("%s%d", w.class, i) }
func (w width) tail(v int) bool  { return w.op == "" && v == w.nv-1 }

// name is the mnemonic of an operation on the row's numbers.
func (w width) name(op string) string {
	if w.op == "" {
		return op + "PD"
	}
	return op + w.op
}

// move is the mnemonic of a move without a mask.
func (w width) move() string {
	if w.op == "SD" {
		return "VMOVSD"
	}
	return "VMOVUPD"
}

func (g *gen) storeRow(w width, reg, v int, mem string) {
	if w.tail(v) {
		g.store(w.reg(reg), mem, true)
		return
	}
	g.p("%s %s, %s", w.move(), w.reg(reg), mem)
}

// entries sets R10 to the first entry of the row and R11 to the end of them.
func (g *gen) entries() {
	g.p("MOVQ (SI), R10")
	g.p("MOVQ 8(SI), R11")
}

// row sets R12 to the offset of the table's row of entry R10+s and, where there
// are values, fills register 13 with its value.
func (g *gen) row(s int, valued bool) {
	g.p("MOVL %d(DX)(R10*4), R12", 4*s)
	g.p("IMULQ R9, R12")
	if valued {
		g.single(fmt.Sprintf("%d(BX)(R10*4)", 4*s), 13)
	}
}

func (g *gen) nextRow(id string) {
	g.p("ADDQ R9, DI")
	g.p("ADDQ $8, SI")
	g.p("DECQ R13")
	g.p("JNE %srow", id)
	g.end()
}

// manyEntries is the length of a row from which its entries are dealt to
// several sums.
const manyEntries = 32

// gatherRows keeps a row of sums in registers. In a long row few vectors leave
// the adders idle for want of independent sums, so its entries are dealt to
// several sets, which are added at the end of the row: an order that follows
// from the length of the row alone. Short rows overlap by themselves.
func (g *gen) gatherRows(id string, w width, valued bool) {
	nv := w.nv
	sets := map[int]int{1: 4, 2: 2, 3: 2}[nv]
	entry := func(s, set int) {
		g.row(s, valued)
		for v := range nv {
			g.gatherOne(w, fmt.Sprintf("%d(R8)(R12*1)", v*g.bytes), w.reg(set*nv+v), valued, w.tail(v))
		}
	}
	g.p("%srow:", id)
	g.entries()
	for v := range nv {
		g.zero(v)
	}
	if sets > 0 {
		g.p("LEAQ -%d(R11), AX", manyEntries)
		g.p("CMPQ R10, AX")
		g.p("JLE %slong", id)
	}
	g.p("%sshort:", id)
	g.p("CMPQ R10, R11")
	g.p("JGE %sdone", id)
	g.p("%sone:", id)
	entry(0, 0)
	g.p("INCQ R10")
	g.p("CMPQ R10, R11")
	g.p("JLT %sone", id)
	g.p("%sdone:", id)
	for v := range nv {
		g.storeRow(w, v, v, fmt.Sprintf("%d(DI)", v*g.bytes))
	}
	g.nextRow(id)
	if sets == 0 {
		return
	}
	g.p("%slong:", id)
	for i := nv; i < sets*nv; i++ {
		g.zero(i)
	}
	g.p("LEAQ -%d(R11), AX", sets)
	g.p("%smany:", id)
	for s := range sets {
		entry(s, s)
	}
	g.p("ADDQ $%d, R10", sets)
	g.p("CMPQ R10, AX")
	g.p("JLE %smany", id)
	for s := 1; s < sets; s++ {
		for v := range nv {
			g.p("%s %s, %s, %[3]s", w.name("VADD"), w.reg(s*nv+v), w.reg(v))
		}
	}
	g.p("JMP %sshort", id)
}

// gatherOne adds a vector of the table, times register 13 where there are
// values, to acc.
func (g *gen) gatherOne(w width, mem, acc string, valued, tail bool) {
	if tail && !g.wide() {
		g.load(mem, "Y14", true)
		mem = "Y14"
	}
	mask := ""
	if tail && g.wide() {
		mask = "K1, "
	}
	if valued {
		g.p("%s %s, %s, %s%s", w.name("VFMADD231"), mem, w.reg(13), mask, acc)
		return
	}
	g.p("%s %s, %s, %s%[3]s", w.name("VADD"), mem, acc, mask)
}

// scatterRows keeps a row of z in registers and adds it to the rows of the
// table, entry after entry. A last vector that is not full goes in pieces: a
// masked store would hold up the loads of the next row of the table.
func (g *gen) scatterRows(id string, w width, valued bool) {
	if w.op == "" {
		g.arg("rem", "CX")
		g.p("CMPQ CX, $%d", g.lanes())
		g.p("JNE %sp", id)
		g.scatterLoop(id+"f", w, w.nv, false, valued)
		g.p("%sp:", id)
		g.scatterLoop(id+"q", w, w.nv-1, true, valued)
		return
	}
	g.scatterLoop(id, w, 1, false, valued)
}

// regPiece is the first of the registers of the pieces of four, two and one.
const regPiece = blockVectors

func (g *gen) scatterLoop(id string, w width, full int, pieces, valued bool) {
	add := func(w width, z int, mem string) {
		const t = 11
		g.p("%s %s, %s", w.move(), mem, w.reg(t))
		if valued {
			g.p("%s %s, %s, %s", w.name("VFMADD231"), w.reg(z), w.reg(13), w.reg(t))
		} else {
			g.p("%s %s, %s, %[3]s", w.name("VADD"), w.reg(z), w.reg(t))
		}
		g.p("%s %s, %s", w.move(), w.reg(t), mem)
	}
	g.p("%srow:", id)
	g.entries()
	for v := range full {
		g.p("%s %d(DI), %s", w.move(), v*g.bytes, w.reg(v))
	}
	if pieces {
		g.p("LEAQ %d(DI), R15", full*g.bytes)
		g.pieces(id+"z", "R15", func(w width, reg int) { g.p("%s (R15), %s", w.move(), w.reg(reg)) })
	}
	g.p("CMPQ R10, R11")
	g.p("JGE %sdone", id)
	g.p("%sone:", id)
	g.row(0, valued)
	for v := range full {
		add(w, v, fmt.Sprintf("%d(R8)(R12*1)", v*g.bytes))
	}
	if pieces {
		g.p("LEAQ %d(R8)(R12*1), R15", full*g.bytes)
		g.pieces(id+"t", "R15", func(w width, reg int) { add(w, reg, "(R15)") })
	}
	g.p("INCQ R10")
	g.p("CMPQ R10, R11")
	g.p("JLT %sone", id)
	g.p("%sdone:", id)
	g.nextRow(id)
}

// pieces runs body for the pieces of a last vector of CX lanes, moving ptr.
func (g *gen) pieces(id, ptr string, body func(w width, reg int)) {
	for i, w := range []width{{1, "Y", "PD"}, {1, "X", "PD"}, {1, "X", "SD"}} {
		n := 4 >> i
		if n >= g.lanes() {
			continue
		}
		g.p("TESTQ $%d, CX", n)
		g.p("JEQ %sno%d", id, n)
		body(w, regPiece+i)
		if n > 1 {
			g.p("ADDQ $%d, %s", 8*n, ptr)
		}
		g.p("%sno%d:", id, n)
	}
}
