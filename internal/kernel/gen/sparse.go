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
func (g *gen) each(name string, body func(id string, nv int, valued bool)) {
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
	g.arg("nv", "AX")
	for nv := 1; nv <= blockVectors; nv++ {
		g.p("CMPQ AX, $%d", nv)
		g.p("JEQ v%d", nv)
	}
	g.end()
	for nv := 1; nv <= blockVectors; nv++ {
		g.p("v%d:", nv)
		g.p("TESTQ BX, BX")
		g.p("JNE valued%d", nv)
		body(fmt.Sprintf("b%d", nv), nv, false)
		g.p("valued%d:", nv)
		body(fmt.Sprintf("w%d", nv), nv, true)
	}
}

// entries sets R10 to the first index of the row, R11 to the number of entries
// and, where there are values, AX to the first of them.
func (g *gen) entries(valued bool) {
	g.p("MOVQ (SI), R10")
	g.p("MOVQ 8(SI), R11")
	g.p("SUBQ R10, R11")
	if valued {
		g.p("LEAQ (BX)(R10*4), AX")
	}
	g.p("LEAQ (DX)(R10*4), R10")
}

func (g *gen) nextRow(id string) {
	g.p("ADDQ R9, DI")
	g.p("ADDQ $8, SI")
	g.p("DECQ R13")
	g.p("JNE %srow", id)
	g.end()
}

// gatherRows keeps a row of sums in registers. Few vectors leave the adders
// idle for want of independent sums, so entries are dealt to several sets,
// which are added at the end of the row: an order that follows from the length
// of the row alone.
func (g *gen) gatherRows(id string, nv int, valued bool) {
	sets := map[int]int{1: 4, 2: 2, 3: 2}[nv]
	if sets == 0 {
		sets = 1
	}
	entry := func(s int) {
		g.p("MOVL %d(R10), R12", 4*s)
		g.p("IMULQ R9, R12")
		if valued {
			g.single(fmt.Sprintf("%d(AX)", 4*s), 13)
		}
		for v := range nv {
			g.gatherOne(fmt.Sprintf("%d(R8)(R12*1)", v*g.bytes), g.reg(s*nv+v), valued, v == nv-1)
		}
	}
	step := func(n int) {
		g.p("ADDQ $%d, R10", 4*n)
		if valued {
			g.p("ADDQ $%d, AX", 4*n)
		}
		g.p("SUBQ $%d, R11", n)
	}
	g.p("%srow:", id)
	g.entries(valued)
	for i := range sets * nv {
		g.zero(i)
	}
	if sets > 1 {
		g.p("%smany:", id)
		g.p("CMPQ R11, $%d", sets)
		g.p("JLT %sone", id)
		for s := range sets {
			entry(s)
		}
		step(sets)
		g.p("JMP %smany", id)
	}
	g.p("%sone:", id)
	g.p("TESTQ R11, R11")
	g.p("JEQ %sdone", id)
	entry(0)
	step(1)
	g.p("JMP %sone", id)
	g.p("%sdone:", id)
	for s := 1; s < sets; s++ {
		for v := range nv {
			g.p("VADDPD %s, %s, %[2]s", g.reg(s*nv+v), g.reg(v))
		}
	}
	for v := range nv {
		g.store(g.reg(v), fmt.Sprintf("%d(DI)", v*g.bytes), v == nv-1)
	}
	g.nextRow(id)
}

// gatherOne adds a vector of the table, times register 13 where there are
// values, to acc.
func (g *gen) gatherOne(mem, acc string, valued, tail bool) {
	if tail && !g.wide() {
		g.load(mem, "Y14", true)
		mem = "Y14"
	}
	mask := ""
	if tail && g.wide() {
		mask = "K1, "
	}
	if valued {
		g.p("VFMADD231PD %s, %s, %s%s", mem, g.reg(13), mask, acc)
		return
	}
	g.p("VADDPD %s, %s, %s%[2]s", mem, acc, mask)
}

// scatterRows keeps a row of z in registers and adds it to the rows of the
// table, entry after entry.
func (g *gen) scatterRows(id string, nv int, valued bool) {
	g.p("%srow:", id)
	g.entries(valued)
	for v := range nv {
		g.load(fmt.Sprintf("%d(DI)", v*g.bytes), g.reg(v), v == nv-1)
	}
	g.p("%sone:", id)
	g.p("TESTQ R11, R11")
	g.p("JEQ %sdone", id)
	g.p("MOVL (R10), R12")
	g.p("IMULQ R9, R12")
	if valued {
		g.single("(AX)", 13)
		g.p("ADDQ $4, AX")
	}
	for v := range nv {
		mem, t, tail := fmt.Sprintf("%d(R8)(R12*1)", v*g.bytes), g.reg(blockVectors+v%4), v == nv-1
		g.load(mem, t, tail)
		if valued {
			g.p("VFMADD231PD %s, %s, %s", g.reg(v), g.reg(13), t)
		} else {
			g.p("VADDPD %s, %s, %[2]s", g.reg(v), t)
		}
		g.store(t, mem, tail)
	}
	g.p("ADDQ $4, R10")
	g.p("DECQ R11")
	g.p("JMP %sone", id)
	g.p("%sdone:", id)
	g.nextRow(id)
}
