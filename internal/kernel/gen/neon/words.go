package neon

import (
	"fmt"
	"log"
)

// word is an instruction on vectors, of two float64 unless said otherwise, that
// Go's assembler has no name for: the bits without the numbers of its registers. Three operands (d, n,
// m) unless pair says that there are two (d, n).
type word struct {
	name string
	bits uint32
	pair bool
	what string
}

// words are from the tables "Advanced SIMD" of the Arm Architecture Reference
// Manual; the tests of the kernels run each of them.
var words = []word{
	{"FADD", 0x4e60d400, false, "n + m"},
	{"FSUB", 0x4ee0d400, false, "n − m"},
	{"FMUL", 0x6e60dc00, false, "n · m"},
	{"FDIV", 0x6e60fc00, false, "n / m"},
	{"FMAX", 0x4e60f400, false, "the larger of n and m, or NaN"},
	{"FCMGT", 0x6ee0e400, false, "all ones where n > m, else zeros"},
	{"FMUL0", 0x4fc09000, false, "n times the lower lane of m"},
	{"FMLA0", 0x4fc01000, false, "d plus n times the lower lane of m"},
	{"FMLA1", 0x4fc01800, false, "d plus n times the upper lane of m"},
	{"FMLS0", 0x4fc05000, false, "d minus n times the lower lane of m"},
	{"FADDS4", 0x4e20d400, false, "n + m, four float32"},
	{"FSUBS4", 0x4ea0d400, false, "n − m, four float32"},
	{"FMULS4", 0x6e20dc00, false, "n · m, four float32"},
	{"FDIVS4", 0x6e20fc00, false, "n / m, four float32"},
	{"FMINS4", 0x4ea0f400, false, "the smaller of n and m, or NaN, four float32"},
	{"FMAXNMS4", 0x4e20c400, false, "the larger of n and m, NaN counting for less than all, four float32"},
	{"FCMGTS4", 0x6ea0e400, false, "all ones where n > m, else zeros, four float32"},
	{"FMAXNMV", 0x6e30c800, true, "the largest lane of n, NaN counting for less than all, in the lowest, four float32"},
	{"FRINTMS4", 0x4e219800, true, "n down to a whole number, four float32"},
	{"FCMEQS4", 0x4e20e400, false, "all ones where n = m, else zeros, four float32"},
	{"FCVTZSS4", 0x4ea1b800, true, "n towards zero as int32, four float32"},
	{"SCVTFS4", 0x4e21d800, true, "int32 n as float32, four"},
	{"FABDS4", 0x6ea0d400, false, "the modulus of n − m, four float32"},
	{"FADDPS4", 0x6e20d400, false, "the sums of pairs of lanes of n, then of m, four float32"},
	{"FRINTNS4", 0x4e218800, true, "n to the nearest whole number, even ones first, four float32"},
	{"FCVTNSS4", 0x4e21a800, true, "the same as int32"},
	{"FMUL0S4", 0x4f809000, false, "n times the lowest lane of m, four float32"},
	{"FMUL1S4", 0x4fa09000, false, "n times the second lane of m, four float32"},
	{"FMLA0S4", 0x4f801000, false, "d plus n times the lowest lane of m, four float32"},
	{"FMLA1S4", 0x4fa01000, false, "d plus n times the second lane of m, four float32"},
	{"FMLA2S4", 0x4f801800, false, "d plus n times the third lane of m, four float32"},
	{"FMLA3S4", 0x4fa01800, false, "d plus n times the fourth lane of m, four float32"},
	{"FCVTL", 0x0e617800, true, "the lower two float32 of n as float64"},
	{"FCVTL2", 0x4e617800, true, "the upper two float32 of n as float64"},
	{"FADDP", 0x7e70d800, true, "the sum of the lanes of n, in the lower lane"},
	{"FMAXP", 0x7e70f800, true, "the larger of the lanes of n, in the lower lane"},
	{"FRINTN", 0x4e618800, true, "n to the nearest whole number, even ones first"},
	{"FCVTNS", 0x4e61a800, true, "the same as int64"},
	{"SCVTF", 0x4e61d800, true, "int64 n as float64"},
	{"SXTL", 0x0f20a400, true, "the lower two int32 of n as int64"},
	{"SXTL2", 0x4f20a400, true, "the upper two int32 of n as int64"},
	{"SSHR1", 0x4f7f0400, true, "int64 n halved, downwards"},
}

// w writes the instruction of that name on registers d, n and, of three, m.
func (g *gen) w(name string, regs ...int) {
	for _, w := range words {
		if w.name != name {
			continue
		}
		bits := w.bits | uint32(regs[1])<<5 | uint32(regs[0])
		text := fmt.Sprintf("%s V%d, V%d", name, regs[0], regs[1])
		if !w.pair {
			bits |= uint32(regs[2]) << 16
			text += fmt.Sprintf(", V%d", regs[2])
		}
		g.p("WORD $%#08x // %s", bits, text)
		return
	}
	log.Fatalf("no word %s", name)
}
