package x86

import (
	"fmt"

	"github.com/moiety-go/moiety/internal/kernel/gen/text"
)

// em writes one step of EM over rows, in single precision.
func (g *gen) em() {
	g.distribute()
	g.flush()
	for _, width := range []int{4, 8, 16, 32, 64} {
		g.mix(width)
	}
}

// Places in the table of single-precision constants.
const (
	emOne   = iota
	emLow   // 2 to anything lower counts as 0: its products stay normal numbers
	emAbs   // all bits but the sign
	emExps  // bits of the exponent of one
	emFract // bits of the fraction
	emTail  // lanes of ones, and then
	emTail0 // of zeros: where to begin makes the mask of a last vector
	emTiny  // sums of powers from here
	emHuge  // to here need no largest score
	emCeil  // no higher power is taken
	emPoly  // 2ʳ = 1 + Σ cᵢ rⁱ on [0,1), relative error 8e-8
)

// ec is the address of a single-precision constant, in all lanes of AVX2.
func (g *gen) ec(i int) string {
	bits := append(text.Singles(1, -100), 0x7fffffff, 127, 0x007fffff, 0xffffffff, 0)
	bits = append(bits, text.Singles(0x1p-60, 0x1p100, 120)...)
	bits = append(bits, text.Singles(text.PowerSeries...)...)
	g.Table("emTable", 32, 8, bits...)
	return fmt.Sprintf("·emTable+%d(SB)", 32*i)
}

// Fields of mixCall.
const (
	callRuns = 8 * iota
	callCount
	callEntries
	callValues
	callSlope
	callSum
	callTally
	callGather  // entries of the next group to gather
	callGatherV // and its values
	callScatter // of the next to scatter
	callScatterV
)

// What stands in a tally, in bytes.
const (
	tallyExponents = 64 * iota
	tallyMantissas
	tallyLargest
	tallyBias
	tallyCount  = tallyBias + 256
	tallyScores = tallyCount + 256
)

// Registers: scores from 0, in the wide kernels shares from 4, then these.
const (
	emRest  = 8  // four
	emAcc   = 12 // largest score
	emT1    = 13
	emT2    = 14
	emT3    = 15
	emCoeff = 16 // of the polynomial
	emUnit  = 22 // one
	emFloor = 23 // the lowest power
	emPower = 24 // four
	emSum   = 28 // of the powers, for each set
)

// mixKernel is the text of one kernel: rows of width numbers. Rows of the same
// length go through it in groups of as many as fill four vectors, or one by one.
type mixKernel struct {
	*gen
	width int
	rows  int    // of a group
	vecs  int    // vectors of a group
	part  int    // bytes of a register of gather and scatter
	kind  string // of such a register
	parts int    // such registers of a row
	turn  int    // rows gathered side by side
	// First registers of scores, of powers and of shares.
	score, power, share int
}

// acc is the register of the sums of the powers of set i, which lives in the
// wide kernels until the next turn.
func (m mixKernel) acc(i int) int {
	if m.wide() {
		return emSum + i
	}
	return emAcc
}

func (m mixKernel) r(i int) string { return fmt.Sprintf("%s%d", m.kind, i) }

func newMix(g *gen, width int) mixKernel {
	m := mixKernel{gen: g, width: width, part: min(g.bytes, 4*width), rows: max(1, g.bytes/width)}
	m.kind, m.parts = map[int]string{16: "X", 32: "Y", 64: "Z"}[m.part], 4*width/m.part
	m.vecs = 4 * m.rows * width / g.bytes
	m.turn = min(m.rows, max(1, 4/m.parts))
	switch {
	case g.wide():
		m.share, m.power = 4, emPower
	case m.quick():
		m.share, m.power = 4, 4
	}
	return m
}

// mix writes the kernel for rows of so many numbers.
func (g *gen) mix(width int) {
	m := newMix(g, width)
	g.fn(fmt.Sprintf("mix%din", width), fmt.Sprintf("does a step of EM for rows of %d numbers in groups of %d.", width, m.rows), "c *mixCall")
	g.arg("c", "AX")
	g.p("MOVQ %d(AX), R10", callSlope)
	g.p("MOVQ %d(AX), R11", callSum)
	g.p("MOVQ %d(AX), R14", callTally)
	if g.wide() {
		for i := range text.PowerSeries {
			g.p("VBROADCASTSS %s, Z%d", g.ec(emPoly+i), emCoeff+i)
		}
		g.p("VBROADCASTSS %s, Z%d", g.ec(emOne), emUnit)
		g.p("VBROADCASTSS %s, Z%d", g.ec(emLow), emFloor)
	}
	m.runs()
	g.end()
}

// runs goes through the runs of a call: R15 entries of a row, R8 and R9 bytes of
// one row and of three, R12 groups to go.
func (m mixKernel) runs() {
	m.p("run:")
	m.arg("c", "AX")
	m.p("MOVQ %d(AX), BX", callRuns)
	m.p("ADDQ $16, %d(AX)", callRuns)
	m.p("MOVL (BX), R13")
	m.p("MOVL 4(BX), R15")
	m.p("LEAQ (R15*4), R8")
	m.p("LEAQ (R8)(R8*2), R9")
	for i, from := range []int{callEntries, callValues} {
		m.p("MOVQ %d(AX), DX", from)
		if i == 1 {
			m.p("TESTQ DX, DX") // no values: none of a group either
			m.p("JEQ taken")
		}
		m.p("LEAQ (DX)(R13*4), DX")
		if i == 1 {
			m.p("taken:")
		}
		m.p("MOVQ DX, %d(AX)", callGather+8*i)
		m.p("MOVQ DX, %d(AX)", callScatter+8*i)
	}
	if m.wide() {
		m.groups()
	} else {
		m.p("MOVL 8(BX), R12")
		m.loop("group")
		m.gather()
		for i, set := range m.sets() {
			if !m.quick() {
				m.lower(m.score, set)
			}
			m.powers(m.score, i, set)
			if m.quick() {
				m.check(i)
			}
			m.over(i, set)
		}
		m.scatter()
		m.p("DECQ R12")
		m.p("JNE group")
		m.detours()
	}
	m.arg("c", "AX")
	m.p("DECQ %d(AX)", callCount)
	m.p("JNE run")
}

// groups does three things in each turn, for three groups one behind the other:
// powers become shares, scores become powers, and scores are gathered. None
// waits for the others, since the processor sees hardly further than one turn.
// R12 counts turns.
func (m mixKernel) groups() {
	m.p("XORQ R12, R12")
	m.loop("turn")
	m.p("CMPQ R12, $2")
	m.p("JLT powers")
	for i, set := range m.sets() {
		m.check(i)
		m.over(i, set)
	}
	m.p("powers:")
	m.arg("c", "AX")
	m.p("MOVQ %d(AX), BX", callRuns)
	m.p("MOVL -8(BX), DX")
	m.p("LEAQ -1(R12), SI")
	m.p("CMPQ SI, DX")
	m.p("JCC scores")
	for i, set := range m.sets() {
		m.powers(m.score, i, set)
		for _, v := range set {
			m.p("VMOVUPS %s, %d(R14)", m.reg(m.score+v), tallyScores+v*m.bytes)
		}
	}
	m.p("scores:")
	m.p("CMPQ R12, DX")
	m.p("JCC back")
	m.gather()
	m.p("back:")
	m.p("CMPQ R12, $2")
	m.p("JLT next")
	m.scatter()
	m.p("next:")
	m.p("INCQ R12")
	m.arg("c", "AX")
	m.p("MOVQ %d(AX), BX", callRuns)
	m.p("MOVL -8(BX), DX")
	m.p("ADDQ $2, DX")
	m.p("CMPQ R12, DX")
	m.p("JLT turn")
	m.detours()
}

// entriesOf runs body for the entries of a group, without values and with them,
// from where they were left, and notes where they go on.
func (m mixKernel) entriesOf(id string, at int, body func(id string, valued bool)) {
	m.arg("c", "AX")
	m.p("MOVQ %d(AX), CX", at)
	m.p("MOVQ %d(AX), DI", at+8)
	m.p("TESTQ DI, DI")
	m.p("JNE %svalued", id)
	body(id+"b", false)
	m.p("JMP %sdone", id)
	m.p("%svalued:", id)
	body(id+"w", true)
	m.p("%sdone:", id)
	m.arg("c", "AX")
	m.p("MOVQ CX, %d(AX)", at)
	m.p("MOVQ DI, %d(AX)", at+8)
}

// loop begins a loop where the processor fetches a new piece of code: a short
// loop that straddles two pieces takes half as long again.
func (g *gen) loop(label string) {
	g.p("PCALIGN $32")
	g.p("%s:", label)
}
