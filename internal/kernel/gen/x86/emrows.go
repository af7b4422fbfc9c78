package x86

import "fmt"

// distribute writes the entries of rows one behind the other where the list of their
// length goes on: indices as offsets in bytes, and values. Indices are held to
// the table; seen tells the largest. There are two lists of each length, to which
// rows go in turn: a row need not wait for the one before.
func (g *gen) distribute() {
	g.fn("distribute", "puts the entries of n rows into the lists of their lengths.",
		"ptr *int", "n int", "index *uint32", "value *float32", "next *int32", "entries *uint32", "values *float32", "last int", "scale int", "seen *uint32")
	lanes := g.bytes / 4
	for _, a := range []struct{ name, reg string }{
		{"ptr", "DI"}, {"n", "R13"}, {"index", "SI"}, {"value", "R8"}, {"next", "R10"}, {"entries", "R11"}, {"values", "R12"},
	} {
		g.arg(a.name, a.reg)
	}
	g.p("VPBROADCASTD last+%d(FP), %s", g.At("last"), g.reg(4))
	g.p("VPBROADCASTD scale+%d(FP), %s", g.At("scale"), g.reg(5))
	g.p("VPXOR X3, X3, X3")
	if !g.wide() {
		g.p("LEAQ %s, BX", g.ec(emTail0))
	}
	g.p("MOVQ $4, R14")
	g.loop("row")
	g.p("MOVQ (DI), CX")
	g.p("MOVQ 8(DI), DX")
	g.p("ADDQ $8, DI")
	g.p("SUBQ CX, DX")
	g.p("PREFETCHT0 2048(SI)(CX*4)") // rows to come
	g.p("MOVL $%d, AX", lengthLists-1)
	g.p("CMPQ DX, AX")
	g.p("CMOVQLT DX, AX")
	g.p("MOVL (R10)(AX*8), R9")
	g.p("PREFETCHT0 128(R11)(R9*4)") // where the list goes on
	g.p("LEAL (R9)(DX*1), R15")
	g.p("MOVL R15, (R10)(AX*8)")
	g.p("ADDQ R14, R10") // to the other list of each length
	g.p("NEGQ R14")
	g.p("CMPQ DX, $%d", lanes)
	g.p("JGT full")
	g.p("last:")
	if g.wide() {
		g.p("MOVL $-1, AX")
		g.p("BZHIL DX, AX, AX")
		g.p("KMOVW AX, K1")
		g.p("VMOVDQU32.Z (SI)(CX*4), K1, Z0")
	} else {
		g.p("NEGQ DX")
		g.p("VMOVDQU (BX)(DX*4), Y2")
		g.p("VPMASKMOVD (SI)(CX*4), Y2, Y0")
	}
	g.offsets()
	if g.wide() {
		g.p("VMOVDQU32 Z0, K1, (R11)(R9*4)")
	} else {
		g.p("VPMASKMOVD Y0, Y2, (R11)(R9*4)")
	}
	g.p("TESTQ R8, R8")
	g.p("JEQ next")
	if g.wide() {
		g.p("VMOVDQU32.Z (R8)(CX*4), K1, Z0")
		g.p("VMOVDQU32 Z0, K1, (R12)(R9*4)")
	} else {
		g.p("VPMASKMOVD (R8)(CX*4), Y2, Y0")
		g.p("VPMASKMOVD Y0, Y2, (R12)(R9*4)")
	}
	g.p("next:")
	g.p("DECQ R13")
	g.p("JNE row")
	g.arg("seen", "AX")
	g.p("VMOVUPS %s, (AX)", g.reg(3))
	g.end()
	g.p("full:")
	g.p("VMOVUPS (SI)(CX*4), %s", g.reg(0))
	g.offsets()
	g.p("VMOVUPS %s, (R11)(R9*4)", g.reg(0))
	g.p("TESTQ R8, R8")
	g.p("JEQ more")
	g.p("VMOVUPS (R8)(CX*4), %s", g.reg(0))
	g.p("VMOVUPS %s, (R12)(R9*4)", g.reg(0))
	g.p("more:")
	g.p("ADDQ $%d, CX", lanes)
	g.p("ADDQ $%d, R9", lanes)
	g.p("SUBQ $%d, DX", lanes)
	g.p("CMPQ DX, $%d", lanes)
	g.p("JGT full")
	g.p("JMP last")
}

// lengthLists is the number of lists; the last is that of all longer rows.
const lengthLists = 1024

// offsets turns the indices in register 0 into offsets.
func (g *gen) offsets() {
	min, max := "VPMINUD", "VPMAXUD"
	g.p("%s %s, %s, %[3]s", max, g.reg(0), g.reg(3))
	g.p("%s %s, %s, %[3]s", min, g.reg(4), g.reg(0))
	g.p("VPMULLD %s, %s, %[2]s", g.reg(5), g.reg(0))
}

// at is the address, from base, of the present entry of row i of a turn.
func (m mixKernel) at(base string, i int) string {
	return "(" + base + ")" + []string{"", "(R8*1)", "(R8*2)", "(R9*1)"}[i]
}

// entries runs body over the entries of the rows of a turn side by side, and
// goes on to the next turn.
func (m mixKernel) entries(id string, valued bool, body func(i int, offset string)) {
	offsets := []string{"AX", "BX", "DX", "R13"}
	m.p("MOVQ R15, SI")
	m.p("TESTQ SI, SI")
	m.p("JEQ %send", id)
	m.loop(id)
	for i := range m.turn {
		m.p("MOVL %s, %s", m.at("CX", i), offsets[i])
	}
	for i := range m.turn {
		body(i, offsets[i])
	}
	m.p("ADDQ $4, CX")
	if valued {
		m.p("ADDQ $4, DI")
	}
	m.p("DECQ SI")
	m.p("JNE %s", id)
	m.p("%send:", id)
	if step := map[int]string{2: "R8", 4: "R9"}[m.turn]; step != "" {
		m.p("ADDQ %s, CX", step)
		if valued {
			m.p("ADDQ %s, DI", step)
		}
	}
}

// gather leaves the scores of the rows of a group in registers from 0.
func (m mixKernel) gather() { m.entriesOf("gather", callGather, m.gatherRows) }

func (m mixKernel) gatherRows(id string, valued bool) {
	first := 0
	if m.part < m.bytes {
		first = emRest
	}
	value := m.r(emT3)
	for t := range m.rows / m.turn {
		for i := range m.turn * m.parts {
			m.p("VMOVUPS %d(R14), %s", tallyBias+i%m.parts*m.part, m.r(first+i))
		}
		m.entries(fmt.Sprint(id, t), valued, func(i int, offset string) {
			if valued {
				m.p("VBROADCASTSS %s, %s", m.at("DI", i), value)
			}
			for j := range m.parts {
				acc := m.r(first + i*m.parts + j)
				if valued {
					m.p("VFMADD231PS %d(R10)(%s*1), %s, %s", j*m.part, offset, value, acc)
				} else {
					m.p("VADDPS %d(R10)(%s*1), %s, %[3]s", j*m.part, offset, acc)
				}
			}
		})
		m.join(t)
	}
}

// join puts the rows of turn t, each a part of a vector, into vectors.
func (m mixKernel) join(t int) {
	each := m.bytes / m.part // rows of a vector
	if each == 1 {
		return
	}
	for v := range m.turn / each {
		to, from := t*m.turn/each+v, emRest+v*each
		switch {
		case !m.wide():
			m.p("VINSERTF128 $1, X%d, Y%d, Y%d", from+1, from, to)
		case each == 2:
			m.p("VINSERTF64X4 $1, Y%d, Z%d, Z%d", from+1, from, to)
		default:
			m.p("VINSERTF32X4 $1, X%d, Z%d, Z%d", from+1, from, to)
			m.p("VINSERTF32X4 $2, X%d, Z%d, Z%[2]d", from+2, to)
			m.p("VINSERTF32X4 $3, X%d, Z%d, Z%[2]d", from+3, to)
		}
	}
}

// row returns the register with part j of the shares of row i of turn t. Where
// it is a part of a vector, it is taken out once for all entries.
func (m mixKernel) row(t, i, j int) string {
	each := m.bytes / m.part
	at := t*m.turn + i
	if at%each == 0 {
		return m.r(m.share + at/each*m.parts + j)
	}
	return m.r(emRest + i)
}

// take takes the rows of turn t out of vectors.
func (m mixKernel) take(t int) {
	each := m.bytes / m.part
	for i := range m.turn {
		at := t*m.turn + i
		from := m.share + at/each
		switch {
		case at%each == 0:
		case !m.wide():
			m.p("VEXTRACTF128 $1, Y%d, X%d", from, emRest+i)
		case each == 2:
			m.p("VEXTRACTF64X4 $1, Z%d, Y%d", from, emRest+i)
		default:
			m.p("VEXTRACTF32X4 $%d, Z%d, X%d", at%each, from, emRest+i)
		}
	}
}

// scatter adds the shares of the rows of a group to the sums.
func (m mixKernel) scatter() { m.entriesOf("scatter", callScatter, m.scatterRows) }

func (m mixKernel) scatterRows(id string, valued bool) {
	value, sum := m.r(emT3), m.r(emT2)
	for t := range m.rows / m.turn {
		m.take(t)
		m.entries(fmt.Sprint(id, t), valued, func(i int, offset string) {
			if valued {
				m.p("VBROADCASTSS %s, %s", m.at("DI", i), value)
			}
			for j := range m.parts {
				at := fmt.Sprintf("%d(R11)(%s*1)", j*m.part, offset)
				if valued {
					m.p("VMOVUPS %s, %s", at, sum)
					m.p("VFMADD231PS %s, %s, %s", value, m.row(t, i, j), sum)
				} else {
					m.p("VADDPS %s, %s, %s", at, m.row(t, i, j), sum)
				}
				m.p("VMOVUPS %s, %s", sum, at)
			}
		})
	}
}
