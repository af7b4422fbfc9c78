//go:build ignore

package main

import (
	"fmt"
	"math"
)

// group em: one step of EM over rows, in single precision.
const group = "em"

func (g *gen) kernels() {
	g.emConstants()
	for _, width := range []int{4, 8, 16, 32, 48, 64} {
		g.mix(width)
	}
	g.settle()
}

// Places in the table of single-precision constants.
const (
	emOne   = iota
	emLow   // 2 to anything lower counts as 0: its products stay normal numbers
	emAbs   // all bits but the sign
	emExps  // bits of the exponent of one
	emFract // bits of the fraction
	emRow48 // bytes of a row of 48 numbers
	emTail  // lanes of ones, and then
	emTail0 // of zeros: where to begin makes the mask of a last vector
	emTiny  // sums of powers from here
	emHuge  // to here need no largest score
	emPoly  // 2ʳ = 1 + Σ cᵢ rⁱ on [0,1), relative error 8e-8
)

var emPolynomial = []float64{
	0.6931513118392265, 0.24016444989797758, 0.055799913739682454, 0.009017029677090343, 0.0018671303017135832,
}

func (g *gen) emConstants() {
	bits := []uint32{math.Float32bits(1), math.Float32bits(-100), 0x7fffffff, 127, 0x007fffff, 4 * 48, 0xffffffff, 0, math.Float32bits(0x1p-60), math.Float32bits(0x1p100)}
	for _, c := range emPolynomial {
		bits = append(bits, math.Float32bits(float32(c)))
	}
	for i, b := range bits {
		for lane := range g.bytes / 4 {
			g.p("DATA em%s<>+%d(SB)/4, $%#x", g.name, g.bytes*i+4*lane, b)
		}
	}
	g.p("GLOBL em%s<>(SB), RODATA|NOPTR, $%d", g.name, g.bytes*len(bits))
}

// ec is the address of a single-precision constant, in all lanes.
func (g *gen) ec(i int) string { return fmt.Sprintf("em%s<>+%d(SB)", g.name, g.bytes*i) }

// Fields of mixCall.
const (
	callOrder = 8 * iota
	callRows
	callPtr
	callIndex
	callValue
	callSlope
	callSum
	callPanel
	callLog
	callStep
	callLast
)

// rowsAhead is the number of rows by which entries are fetched before they are
// needed.
const rowsAhead = 64

// What stands around the panel, in bytes from it.
const (
	panelCount   = -768
	panelUnit    = -512
	panelBias    = -256
	panelLengths = 4 * (1024 + 64)
	panelEntries = panelLengths + 4*64
	entryValue   = 4 * (4096 + 64) // from an entry to its value
	// Shares stand half a page off the scores: the processor takes a write for
	// one to any address that is whole pages away.
	panelShares = panelEntries + 2*entryValue + 1024
)

// Registers of the softmax of a panel: the row in 0 to 7, then these. Scores
// and sums use 8 and 9 for the second half of a row, and the last two.
const (
	emAcc = 8 + iota // largest score, sum of powers
	emT1
	emT2
	emExponents
	emMantissas
	emLargest
	emT3
	emValue

	emLeast = 24 // of the sums of powers
	emMost  = 25
	emLast  = 26 // largest index allowed
	emSeen  = 27 // largest index met
)

// mixKernel is the text of one kernel: rows of width numbers.
type mixKernel struct {
	*gen
	width int
	rows  int    // of a panel
	part  int    // bytes of a register of gather and scatter
	kind  string // of such a register
	parts int
}

func (m mixKernel) r(i int) string { return fmt.Sprintf("%s%d", m.kind, i) }

// mix writes the kernel for rows of so many numbers. A panel of rows goes
// through three short rounds: scores are gathered, turned into shares, and the
// shares scattered. In one round the long chain of a row would fill the
// machine's window and hide the next row from it.
func (g *gen) mix(width int) {
	m := mixKernel{gen: g, width: width, rows: 1024 / max(16, width), part: min(g.bytes, 4*width)}
	m.kind, m.parts = map[int]string{16: "X", 32: "Y", 64: "Z"}[m.part], 4*width/m.part
	g.fn(fmt.Sprintf("mix%din", width), fmt.Sprintf("does a step of EM for rows of %d numbers, in panels of %d rows.", width, m.rows), "c *mixCall")
	g.arg("c", "AX")
	for _, f := range []struct {
		at  int
		reg string
	}{
		{callOrder, "DI"},
		{callPtr, "R8"},
		{callIndex, "R9"},
		{callSlope, "R10"},
		{callSum, "R11"},
		{callValue, "R12"},
		{callRows, "R13"},
		{callPanel, "R14"},
	} {
		g.p("MOVQ %d(AX), %s", f.at, f.reg)
	}
	if g.wide() {
		for i := range emPolynomial {
			g.p("VMOVUPS %s, Z%d", g.ec(emPoly+i), 16+i)
		}
		g.p("VMOVUPS %s, Z22", g.ec(emOne))
		g.p("VMOVUPS %s, Z23", g.ec(emLow))
		g.p("VPBROADCASTD %d(AX), Z%d", callLast, emLast)
		g.p("VPXORD Z%d, Z%[1]d, Z%[1]d", emSeen)
	}
	g.zero(emLargest)
	g.p("panel:")
	g.arg("c", "AX")
	g.p("MOVQ %d(AX), R15", callStep)
	g.p("CMPQ R13, R15")
	g.p("CMOVQLT R13, R15")
	g.p("TESTQ R12, R12")
	g.p("JNE valuedscores")
	m.pack("p", false)
	m.gather("g", false)
	g.p("JMP shares")
	g.p("valuedscores:")
	m.pack("pv", true)
	m.gather("gv", true)
	g.p("shares:")
	if g.wide() {
		m.shares("quick", true)
		g.p("JEQ summed")
	}
	m.shares("share", false)
	g.p("summed:")
	m.logs()
	g.p("TESTQ R12, R12")
	g.p("JNE valuedsums")
	m.scatter("s", false)
	g.p("JMP next")
	g.p("valuedsums:")
	m.scatter("sv", true)
	g.p("next:")
	g.p("LEAQ (DI)(R15*2), DI")
	g.arg("c", "AX")
	g.p("SUBQ R15, R13")
	g.p("MOVQ R13, %d(AX)", callRows)
	g.p("JNE panel")
	g.p("MOVQ %d(AX), CX", callLog)
	g.p("VMOVUPS %s, (CX)", g.reg(emLargest))
	if g.wide() {
		g.p("VMOVUPS Z%d, %d(CX)", emSeen, g.bytes)
	}
	g.end()
}

// loop begins a loop where the processor fetches a new piece of code: a short
// loop that straddles two pieces takes half as long again.
func (m mixKernel) loop(label string) {
	m.p("PCALIGN $32")
	m.p("%s:", label)
}

// pack writes the entries of the rows of a panel one behind the other: indices
// as offsets in bytes, and values. Rows come from anywhere in the block; here
// nothing waits for them.
func (m mixKernel) pack(id string, valued bool) {
	lanes := m.bytes / 4
	m.p("LEAQ %d(R14), SI", panelEntries)
	m.p("XORQ BX, BX")
	if !m.wide() {
		m.p("LEAQ em%s<>+%d(SB), R13", m.name, m.bytes*(emTail+1))
	}
	m.loop(id + "row")
	m.ahead(valued)
	m.p("MOVWLZX (DI)(BX*2), AX")
	m.p("MOVQ (R8)(AX*8), CX")
	m.p("MOVQ 8(R8)(AX*8), DX")
	m.p("SUBQ CX, DX")
	m.p("MOVL DX, %d(R14)(BX*4)", panelLengths)
	m.p("CMPQ DX, $%d", lanes)
	m.p("JGT %sfull", id)
	m.p("%slast:", id)
	if m.wide() {
		m.p("MOVL $-1, AX")
		m.p("BZHIL DX, AX, AX")
		m.p("KMOVW AX, K1")
		m.p("VMOVDQU32.Z (R9)(CX*4), K1, Z0")
	} else {
		m.p("MOVQ DX, AX")
		m.p("NEGQ AX")
		m.p("VMOVDQU (R13)(AX*4), Y2")
		m.p("VPMASKMOVD (R9)(CX*4), Y2, Y0")
	}
	m.offsets()
	if valued && m.wide() {
		m.p("VMOVUPS.Z (R12)(CX*4), K1, Z1")
	} else if valued {
		m.p("VPMASKMOVD (R12)(CX*4), Y2, Y1")
	}
	if valued {
		m.p("VMOVUPS %s, %d(SI)", m.reg(1), entryValue)
	}
	m.p("LEAQ (SI)(DX*4), SI")
	m.p("INCQ BX")
	m.p("CMPQ BX, R15")
	m.p("JNE %srow", id)
	m.p("JMP %sdone", id)
	m.p("%sfull:", id)
	m.p("VMOVUPS (R9)(CX*4), %s", m.reg(0))
	m.offsets()
	if valued {
		m.p("VMOVUPS (R12)(CX*4), %s", m.reg(1))
		m.p("VMOVUPS %s, %d(SI)", m.reg(1), entryValue)
	}
	m.p("ADDQ $%d, SI", m.bytes)
	m.p("ADDQ $%d, CX", lanes)
	m.p("SUBQ $%d, DX", lanes)
	m.p("CMPQ DX, $%d", lanes)
	m.p("JGT %sfull", id)
	m.p("JMP %slast", id)
	m.p("%sdone:", id)
	if !m.wide() {
		m.arg("c", "AX")
		m.p("MOVQ %d(AX), R13", callRows)
	}
}

// ahead fetches the entries of a row that comes later: where they begin and
// where they end, which is all of most rows.
func (m mixKernel) ahead(valued bool) {
	m.p("MOVWLZX %d(DI)(BX*2), AX", 2*rowsAhead)
	m.p("MOVQ (R8)(AX*8), CX")
	m.p("MOVQ 8(R8)(AX*8), DX")
	for _, at := range []string{"(%s)(CX*4)", "-4(%s)(DX*4)"} {
		m.p("PREFETCHT0 "+at, "R9")
		if valued {
			m.p("PREFETCHT0 "+at, "R12")
		}
	}
}

// offsets turns the indices in register 0 into offsets in bytes and writes them.
// The wide kernels hold indices to the table here, and note the largest: the
// entries are then read only once.
func (m mixKernel) offsets() {
	if m.wide() {
		m.p("VPMAXUD Z0, Z%d, Z%[1]d", emSeen)
		m.p("VPMINUD Z0, Z%d, Z0", emLast)
	}
	if m.width == 48 {
		m.p("VPMULLD %s, %s, %[2]s", m.ec(emRow48), m.reg(0))
	} else {
		m.p("VPSLLD $%d, %s, %[2]s", int(math.Log2(float64(4*m.width))), m.reg(0))
	}
	m.p("VMOVUPS %s, (SI)", m.reg(0))
}

// pairs runs body over the entries of a row, two in a turn.
func (m mixKernel) pairs(id string, body func(at int)) {
	m.p("MOVL %d(R14)(BX*4), DX", panelLengths)
	m.p("SHRQ $1, DX")
	m.p("JCC %seven", id)
	body(0)
	m.p("ADDQ $4, CX")
	m.p("%seven:", id)
	m.p("TESTQ DX, DX")
	m.p("JEQ %send", id)
	m.loop(id + "pair")
	body(0)
	body(1)
	m.p("ADDQ $8, CX")
	m.p("DECQ DX")
	m.p("JNE %spair", id)
	m.p("%send:", id)
}

// gather writes the scores of the rows of a panel, and behind them, where a
// vector holds several rows, rows whose sum of powers is one.
func (m mixKernel) gather(id string, valued bool) {
	split := m.parts <= 2 // sums of every second entry, where a row is one chain
	second := func(at, i int) string {
		if split && at == 1 {
			return m.r(8 + i)
		}
		return m.r(i)
	}
	m.p("MOVQ R14, SI")
	m.p("LEAQ %d(R14), CX", panelEntries)
	m.p("XORQ BX, BX")
	m.loop(id + "row")
	for i := range m.parts {
		m.p("VMOVUPS %d(R14), %s", panelBias+i*m.part, m.r(i))
		if split {
			m.p("VXORPS X%d, X%[1]d, X%[1]d", 8+i)
		}
	}
	m.pairs(id, func(at int) {
		m.p("MOVL %d(CX), AX", 4*at)
		if valued {
			m.p("VBROADCASTSS %d(CX), %s", entryValue+4*at, m.r(emValue))
		}
		for i := range m.parts {
			if valued {
				m.p("VFMADD231PS %d(R10)(AX*1), %s, %s", i*m.part, m.r(emValue), second(at, i))
			} else {
				m.p("VADDPS %d(R10)(AX*1), %s, %[2]s", i*m.part, second(at, i))
			}
		}
	})
	for i := range m.parts {
		if split {
			m.p("VADDPS %s, %s, %[2]s", m.r(8+i), m.r(i))
		}
		m.p("VMOVUPS %s, %d(SI)", m.r(i), i*m.part)
	}
	m.p("ADDQ $%d, SI", 4*m.width)
	m.p("INCQ BX")
	m.p("CMPQ BX, R15")
	m.p("JNE %srow", id)
	if m.quad() {
		m.p("VMOVUPS %d(R14), %s", panelUnit, m.r(0))
		for i := range m.bytes/m.width - 1 { // all but one of the rows of a quad
			m.p("VMOVUPS %s, %d(SI)", m.r(0), 4*m.width*i)
		}
	}
}

// scatter adds the shares of the rows of a panel to the sums, and leaves their
// sums at log.
func (m mixKernel) scatter(id string, valued bool) {
	m.p("MOVQ R14, SI")
	m.p("LEAQ %d(R14), CX", panelEntries)
	m.p("XORQ BX, BX")
	held := m.parts <= 4 // counts are held in registers
	for i := range m.parts {
		if held {
			m.p("VXORPS X%d, X%[1]d, X%[1]d", 8+i)
		} else {
			m.p("VXORPS X0, X0, X0")
			m.p("VMOVUPS %s, %d(R14)", m.r(0), panelCount+i*m.part)
		}
	}
	m.loop(id + "row")
	for i := range m.parts {
		m.p("VMOVUPS %d(SI), %s", panelShares+i*m.part, m.r(i))
		if held {
			m.p("VADDPS %s, %s, %[2]s", m.r(i), m.r(8+i))
		} else {
			m.p("VADDPS %d(R14), %s, %s", panelCount+i*m.part, m.r(i), m.r(emT3))
			m.p("VMOVUPS %s, %d(R14)", m.r(emT3), panelCount+i*m.part)
		}
	}
	m.pairs(id, func(at int) {
		m.p("MOVL %d(CX), AX", 4*at)
		if valued {
			m.p("VBROADCASTSS %d(CX), %s", entryValue+4*at, m.r(emValue))
		}
		for i := range m.parts {
			if valued {
				m.p("VMOVUPS %d(R11)(AX*1), %s", i*m.part, m.r(emT3))
				m.p("VFMADD231PS %s, %s, %s", m.r(emValue), m.r(i), m.r(emT3))
			} else {
				m.p("VADDPS %d(R11)(AX*1), %s, %s", i*m.part, m.r(i), m.r(emT3))
			}
			m.p("VMOVUPS %s, %d(R11)(AX*1)", m.r(emT3), i*m.part)
		}
	})
	m.p("ADDQ $%d, SI", 4*m.width)
	m.p("INCQ BX")
	m.p("CMPQ BX, R15")
	m.p("JNE %srow", id)
	m.arg("c", "AX")
	m.p("MOVQ %d(AX), CX", callLog)
	for i := range m.parts {
		if held {
			m.p("VMOVUPS %s, %d(CX)", m.r(8+i), i*m.part)
		} else {
			m.p("VMOVUPS %d(R14), %s", panelCount+i*m.part, m.r(0))
			m.p("VMOVUPS %s, %d(CX)", m.r(0), i*m.part)
		}
	}
	m.p("ADDQ $%d, CX", 4*m.width)
	m.p("MOVQ CX, %d(AX)", callLog)
}

// quad reports whether shares takes four vectors in a turn, of one row or more
// each: sums across lanes then cost a third.
func (m mixKernel) quad() bool { return 4*m.width <= m.bytes }

// shares turns the scores of a panel, logarithms to base 2, into shares. The
// whole number nearest to the largest score is taken from all scores of a row,
// so that what is lost of the sum of powers is an exponent, kept exactly.
//
// Mostly scores are small, and the largest need not be known. So the powers are
// first taken without it, and the flags tell in the end whether all sums are of
// a size that shows that none of them mattered: from 2⁻⁶⁰, where powers left out
// are below 1e-12 of it, to 2¹⁰⁰.
func (m mixKernel) shares(id string, quick bool) {
	nv := 4 * m.width / m.bytes
	if m.quad() {
		nv = 4
	}
	m.zero(emExponents)
	m.p("VMOVUPS %s, %s", m.ec(emOne), m.reg(emMantissas))
	if quick {
		m.p("VMOVAPS Z22, Z%d", emLeast)
		m.p("VMOVAPS Z22, Z%d", emMost)
	}
	m.p("MOVQ R15, CX")
	m.p("IMULQ $%d, CX", 4*m.width)
	m.p("ADDQ R14, CX")
	m.p("MOVQ R14, SI")
	m.loop(id)
	for i := range nv {
		m.p("VMOVUPS %d(SI), %s", i*m.bytes, m.reg(i))
	}
	if !quick {
		m.lower(nv)
	}
	for i := range nv {
		m.power(i)
	}
	m.across("VADDPS", nv)
	if quick {
		m.p("VMINPS %s, Z%d, Z%[2]d", m.reg(emAcc), emLeast)
		m.p("VMAXPS %s, Z%d, Z%[2]d", m.reg(emAcc), emMost)
	}
	m.overSum()
	for i := range nv {
		m.p("VMULPS %s, %s, %[2]s", m.each(i, emT1, emT2), m.reg(i))
		m.p("VMOVUPS %s, %d(SI)", m.reg(i), panelShares+i*m.bytes)
	}
	m.p("ADDQ $%d, SI", nv*m.bytes)
	m.p("CMPQ SI, CX")
	m.p("JLT %s", id)
	if quick {
		m.p("VCMPPS.BCST $0x19, %s, Z%d, K1", m.ec(emTiny), emLeast) // not at least
		m.p("VCMPPS.BCST $0x16, %s, Z%d, K2", m.ec(emHuge), emMost)  // not at most
		m.p("VCMPPS $3, Z%d, Z%[1]d, K3", emMantissas)               // NaN
		m.p("KORW K1, K2, K1")
		m.p("KORTESTW K1, K3")
	}
}

// lower takes the whole number nearest to the largest score of a row from all of
// them, and notes it.
func (m mixKernel) lower(nv int) {
	acc, t1, largest := m.reg(emAcc), m.reg(emT1), m.reg(emLargest)
	m.across("VMAXPS", nv)
	if m.wide() {
		m.p("VRNDSCALEPS $8, %s, %[1]s", acc)
		m.p("VRANGEPS $0xb, %s, %s, %[2]s", acc, largest)
	} else {
		m.p("VROUNDPS $8, %s, %[1]s", acc)
		m.p("VANDPS %s, %s, %s", m.ec(emAbs), acc, t1)
		m.p("VMAXPS %s, %s, %[2]s", t1, largest)
	}
	m.p("VADDPS %s, %s, %[2]s", acc, m.reg(emExponents))
	for i := range nv {
		m.p("VSUBPS %s, %s, %[2]s", m.each(i, emAcc, emT1), m.reg(i))
	}
}

// overSum notes exponents and mantissas of the sums in emAcc, and sets emT1 to
// one over them.
func (m mixKernel) overSum() {
	acc, t1, t2 := m.reg(emAcc), m.reg(emT1), m.reg(emT2)
	e, f := m.reg(emExponents), m.reg(emMantissas)
	if m.wide() {
		m.p("VGETEXPPS %s, %s", acc, t1)
		m.p("VGETMANTPS $0, %s, %s", acc, t2)
		m.p("VADDPS %s, %s, %[2]s", t1, e)
		m.p("VMULPS %s, %s, %[2]s", t2, f)
		m.p("VRCP14PS %s, %s", acc, t1) // then one step of Newton's
		m.p("VFNMADD213PS Z22, %s, %s", t1, acc)
		m.p("VFMADD231PS %s, %s, %[2]s", acc, t1)
		return
	}
	m.p("VPSRLD $23, %s, %s", acc, t1)
	m.p("VPSUBD %s, %s, %[2]s", m.ec(emExps), t1)
	m.p("VCVTDQ2PS %s, %[1]s", t1)
	m.p("VADDPS %s, %s, %[2]s", t1, e)
	m.p("VSUBPS %s, %[1]s, %s", acc, t1) // NaN stays
	m.p("VADDPS %s, %s, %[2]s", t1, e)
	m.p("VPAND %s, %s, %s", m.ec(emFract), acc, t2)
	m.p("VPOR %s, %s, %[2]s", m.ec(emOne), t2)
	m.p("VMULPS %s, %s, %[2]s", t2, f)
	m.p("VMOVUPS %s, %s", m.ec(emOne), t1)
	m.p("VDIVPS %s, %s, %[2]s", acc, t1)
}

// logs leaves the exponents and mantissas of a panel at log.
func (m mixKernel) logs() {
	m.arg("c", "AX")
	m.p("MOVQ %d(AX), CX", callLog)
	m.p("VMOVUPS %s, (CX)", m.reg(emExponents))
	m.p("VMOVUPS %s, %d(CX)", m.reg(emMantissas), m.bytes)
	m.p("ADDQ $%d, CX", 2*m.bytes)
	m.p("MOVQ CX, %d(AX)", callLog)
}

// each returns a register that holds, in all lanes of each row of vector i, the
// number of the row in register from: itself, or in a quad register tmp.
func (m mixKernel) each(i, from, tmp int) string {
	if !m.quad() {
		return m.reg(from)
	}
	m.p("VPERMILPS $%#x, %s, %s", 0x55*i, m.reg(from), m.reg(tmp))
	return m.reg(tmp)
}

// across combines the numbers of each row and leaves the result in emAcc: in
// all lanes, or in a quad that of vector i in every fourth lane from i.
func (m mixKernel) across(op string, nv int) {
	if m.quad() {
		m.acrossQuad(op)
		m.acrossLanes(op)
		return
	}
	acc, t := m.reg(emAcc), m.reg(emT1)
	from := m.reg(0)
	for i := 1; i < nv; i++ {
		m.p("%s %s, %s, %s", op, m.reg(i), from, acc)
		from = acc
	}
	for _, imm := range []int{0xb1, 0x4e} {
		m.p("VPERMILPS $%#x, %s, %s", imm, from, t)
		m.p("%s %s, %s, %s", op, t, from, acc)
		from = acc
	}
	m.acrossLanes(op)
}

// acrossQuad combines fours of lanes of registers 0 to 3, that of register i
// into every fourth lane from i.
func (m mixKernel) acrossQuad(op string) {
	for i := 0; i < 4; i += 2 {
		a, b, lo, hi := m.reg(i), m.reg(i+1), m.reg(4+i), m.reg(5+i)
		m.p("VUNPCKLPS %s, %s, %s", b, a, lo) // a0 b0 a1 b1
		m.p("VUNPCKHPS %s, %s, %s", b, a, hi) // a2 b2 a3 b3
		m.p("%s %s, %s, %[3]s", op, hi, lo)
	}
	m.p("VUNPCKLPD %s, %s, %s", m.reg(6), m.reg(4), m.reg(5))
	m.p("VUNPCKHPD %s, %s, %s", m.reg(6), m.reg(4), m.reg(7))
	m.p("%s %s, %s, %s", op, m.reg(7), m.reg(5), m.reg(emAcc))
}

// acrossLanes combines the 16-byte lanes of a row in emAcc.
func (m mixKernel) acrossLanes(op string) {
	acc, t := m.reg(emAcc), m.reg(emT1)
	lanes := min(4*m.width, m.bytes) / 16
	switch {
	case !m.wide() && lanes > 1:
		m.p("VPERM2F128 $1, %s, %[1]s, %s", acc, t)
		m.p("%s %s, %s, %[3]s", op, t, acc)
	case m.wide() && lanes > 1:
		for _, imm := range []int{0xb1, 0x4e}[:lanes/2] {
			m.p("VSHUFF32X4 $%#x, %s, %[2]s, %s", imm, acc, t)
			m.p("%s %s, %s, %[3]s", op, t, acc)
		}
	}
}

// power replaces register i, at most about one or NaN, by 2 to it.
func (m mixKernel) power(i int) {
	x, r, p, n := m.reg(i), m.reg(emT1), m.reg(emT2), m.reg(emT3)
	last := len(emPolynomial) - 1
	if m.wide() {
		m.p("VCMPPS $0x15, Z23, %s, K1", x) // not lower, or NaN
		m.p("VREDUCEPS $9, %s, %s", x, r)   // less the whole number below
		m.p("VMOVAPS Z%d, %s", 16+last, p)
		for j := last - 1; j >= 0; j-- {
			m.p("VFMADD213PS Z%d, %s, %s", 16+j, r, p)
		}
		m.p("VFMADD213PS Z22, %s, %s", r, p)
		m.p("VSCALEFPS.Z %s, %s, K1, %[1]s", x, p)
		return
	}
	m.p("VROUNDPS $9, %s, %s", x, n)
	m.p("VSUBPS %s, %s, %s", n, x, r)
	m.p("VMOVUPS %s, %s", m.ec(emPoly+last), p)
	for j := last - 1; j >= 0; j-- {
		m.p("VFMADD213PS %s, %s, %s", m.ec(emPoly+j), r, p)
	}
	m.p("VFMADD213PS %s, %s, %s", m.ec(emOne), r, p)
	m.p("VCVTTPS2DQ %s, %[1]s", n)
	m.p("VPSLLD $23, %s, %[1]s", n)
	m.p("VPADDD %s, %s, %[2]s", n, p)
	m.p("VCMPPS $0x15, %s, %s, %s", m.ec(emLow), x, n)
	m.p("VANDPS %s, %s, %s", n, p, x)
}

// settle adds single to double sums.
func (g *gen) settle() {
	g.fn("settle", "adds the n numbers of src to dst and sets them to zero, n a multiple of 4.", "dst *float64", "src *float32", "n int")
	g.arg("dst", "DI")
	g.arg("src", "SI")
	g.arg("n", "CX")
	g.p("VXORPS X1, X1, X1")
	if g.wide() {
		g.settleWide()
	}
	g.p("loop:")
	g.p("VCVTPS2PD (SI), Y0")
	g.p("VADDPD (DI), Y0, Y0")
	g.p("VMOVUPD Y0, (DI)")
	g.p("VMOVUPS X1, (SI)")
	g.p("ADDQ $16, SI")
	g.p("ADDQ $32, DI")
	g.p("SUBQ $4, CX")
	g.p("JNE loop")
	if g.wide() {
		g.p("done:")
	}
	g.end()
}

// settleWide takes 16 numbers at a time, as long as there are so many.
func (g *gen) settleWide() {
	g.p("wide:")
	g.p("CMPQ CX, $16")
	g.p("JLT rest")
	g.p("VCVTPS2PD (SI), Z0")
	g.p("VCVTPS2PD 32(SI), Z2")
	g.p("VADDPD (DI), Z0, Z0")
	g.p("VADDPD 64(DI), Z2, Z2")
	g.p("VMOVUPD Z0, (DI)")
	g.p("VMOVUPD Z2, 64(DI)")
	g.p("VMOVUPS Z1, (SI)")
	g.p("ADDQ $64, SI")
	g.p("ADDQ $128, DI")
	g.p("SUBQ $16, CX")
	g.p("JMP wide")
	g.p("rest:")
	g.p("TESTQ CX, CX")
	g.p("JEQ done")
}
