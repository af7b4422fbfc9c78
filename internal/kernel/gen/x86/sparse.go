package x86

import "fmt"

// gatherBlocks and scatterBlocks are the numbers of vectors of a row that one call
// keeps in registers; other rows are done by several calls on blocks of columns.
var gatherBlocks, scatterBlocks = []int{1, 2, 3, 4, 5, 8}, []int{0, 1, 2, 3, 4, 5, 8}

// sparse writes the products of compressed rows with a table.
func (g *gen) sparse() {
	g.fn("gather", "sets n rows of dst to sums of rows of b: nv vectors of each row (1 to 5 or 8), rem lanes in the last, stride bytes from row to row.",
		"dst *float64", "ptr *int", "n int", "index *uint32", "value *float32", "b *float64", "stride int", "nv int", "rem int")
	g.arg("rem", "R10")
	g.setMask("R10", "R11")
	g.each("dst", "b", gatherBlocks, g.gatherRows)
	g.fn("scatter", "adds n rows of z to rows of dst: nv full vectors of each row (0 to 5 or 8) and, behind two at the most, rem numbers, stride bytes from row to row.",
		"dst *float64", "ptr *int", "n int", "index *uint32", "value *float32", "z *float64", "stride int", "nv int", "rem int")
	g.arg("rem", "CX")
	g.each("z", "dst", scatterBlocks, g.scatterRows)
}

// each writes body for every number of vectors, with and without values.
// SI offsets, R13 rows left, DX indices, BX values, DI moving rows, R8 table,
// R9 stride.
func (g *gen) each(moving, table string, blocks []int, body func(id string, nv int, valued bool)) {
	for _, a := range [][2]string{{moving, "DI"}, {table, "R8"}, {"ptr", "SI"}, {"n", "R13"}, {"index", "DX"}, {"value", "BX"}, {"stride", "R9"}, {"nv", "AX"}} {
		g.arg(a[0], a[1])
	}
	for _, nv := range blocks {
		g.p("CMPQ AX, $%d", nv)
		g.p("JEQ v%d", nv)
	}
	g.end()
	for _, nv := range blocks {
		g.p("v%d:", nv)
		g.p("TESTQ BX, BX")
		g.p("JNE v%dvalued", nv)
		body(fmt.Sprintf("v%db", nv), nv, false)
		g.p("v%dvalued:", nv)
		body(fmt.Sprintf("v%dw", nv), nv, true)
	}
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

// manyEntries is the length of a row from which its entries are divided to
// several sums.
const manyEntries = 32

// gatherRows keeps a row of sums in registers. In a long row few vectors leave
// the adders idle for want of independent sums, so its entries are divided to
// several sets, which are added at the end of the row: an order that follows
// from the length of the row alone. Short rows overlap by themselves.
func (g *gen) gatherRows(id string, nv int, valued bool) {
	sets := map[int]int{1: 4, 2: 2, 3: 2}[nv]
	entry := func(s, set int) {
		g.row(s, valued)
		for v := range nv {
			g.gatherOne(fmt.Sprintf("%d(R8)(R12*1)", v*g.bytes), g.reg(set*nv+v), valued, v == nv-1)
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
		g.store(g.reg(v), fmt.Sprintf("%d(DI)", v*g.bytes), v == nv-1)
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
			g.p("VADDPD %s, %s, %[2]s", g.reg(s*nv+v), g.reg(v))
		}
	}
	g.p("JMP %sshort", id)
}

// gatherOne adds a vector of the table, times register 13 where there are
// values, to acc.
func (g *gen) gatherOne(mem, acc string, valued, tail bool) {
	if tail {
		g.load(mem, g.reg(14), true)
		mem = g.reg(14)
	}
	if valued {
		g.p("VFMADD231PD %s, %s, %s", mem, g.reg(13), acc)
		return
	}
	g.p("VADDPD %s, %s, %[2]s", mem, acc)
}

// scatterRows keeps a row of z in registers and adds it to the rows of the
// table, entry after entry. What fills no vector goes in pieces: a masked store
// would hold up the loads of the next row of the table. Rows of whole vectors, and
// of one or two numbers, which are common (trees split in two), ask for no pieces.
func (g *gen) scatterRows(id string, nv int, valued bool) {
	vectors := make([]piece, nv)
	for v := range vectors {
		vectors[v] = piece{g.reg(0)[:1], "PD", v, v * g.bytes}
	}
	pair, one := piece{"X", "PD", 8, nv * g.bytes}, piece{"X", "SD", 9, nv * g.bytes}
	behind := one
	behind.at += 16
	kinds := map[string][]piece{"0": vectors, "1": append(vectors[:nv:nv], one), "2": append(vectors[:nv:nv], pair), "3": append(vectors[:nv:nv], pair, behind)}
	for _, rem := range []string{"0", "1", "2", "3"} {
		if nv == 0 && rem == "0" || nv > 2 && rem != "0" {
			continue // never asked for
		}
		g.p("CMPQ CX, $%s", rem)
		g.p("JNE %snot%s", id, rem)
		g.scatterLoop(id+"r"+rem, kinds[rem], valued)
		g.p("%snot%s:", id, rem)
	}
	g.end()
}

func (g *gen) scatterLoop(id string, pieces []piece, valued bool) {
	const t = 11
	g.p("%srow:", id)
	g.entries()
	for _, p := range pieces {
		g.p("%s %d(DI), %s", p.mov(), p.at, p.reg(p.u))
	}
	g.p("CMPQ R10, R11")
	g.p("JGE %sdone", id)
	g.p("%sone:", id)
	g.row(0, valued)
	for _, p := range pieces {
		mem := fmt.Sprintf("%d(R8)(R12*1)", p.at)
		if valued {
			g.p("%s %s, %s", p.mov(), mem, p.reg(t))
			g.p("VFMADD231%s %s, %s, %s", p.op, p.reg(p.u), p.reg(13), p.reg(t))
		} else {
			g.p("VADD%s %s, %s, %s", p.op, mem, p.reg(p.u), p.reg(t))
		}
		g.p("%s %s, %s", p.mov(), p.reg(t), mem)
	}
	g.p("INCQ R10")
	g.p("CMPQ R10, R11")
	g.p("JLT %sone", id)
	g.p("%sdone:", id)
	g.nextRow(id)
}
