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
