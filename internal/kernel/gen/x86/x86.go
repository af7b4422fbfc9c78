// Package x86 writes the assembly kernels for amd64. All are there for AVX2 with
// FMA; those that gain by it (go run -C bench . kernels) for AVX-512 too.
//
// Both sets come from the same text: isa hides the width of a vector and how
// the last, partly filled vector of a row is read and written (mask registers
// in AVX-512, VMASKMOVPD in AVX2).
package x86

import (
	"fmt"
	"strings"

	"github.com/moiety-go/moiety/internal/kernel/gen/text"
)

// Write writes all kernels.
func Write() *text.Processor {
	narrow, wide := isa{text.Tier{Name: "avx2", Suffix: "256"}, 32}, isa{text.Tier{Name: "avx512", Suffix: "512"}, 64}
	p := text.New("amd64", narrow.Tier, wide.Tier)
	for _, group := range []struct {
		name   string
		narrow func(*gen)
		wide   func(*gen) // what of it gains by AVX-512
	}{
		{"base", (*gen).base, (*gen).baseWide},
		{"pass32", (*gen).pass32, (*gen).pass32Wide},
		{"cube32", (*gen).cube32, (*gen).cube32},
		{"joint", (*gen).joint, nil},
		{"split", (*gen).split, (*gen).splitWide},
		{"vb", (*gen).vb, (*gen).vbWide},
		{"scan", (*gen).scan, (*gen).scanWide},
		{"em", (*gen).em, (*gen).em},
	} {
		f := p.Group(group.name)
		group.narrow(&gen{narrow, f})
		if group.wide != nil {
			group.wide(&gen{wide, f})
		}
		f.Close()
	}
	return p
}

// isa is an instruction set with vectors of so many bytes.
type isa struct {
	text.Tier
	bytes int
}

func (v isa) wide() bool { return v.bytes == 64 }
func (v isa) lanes() int { return v.bytes / 8 }

// reg is vector register i.
func (v isa) reg(i int) string {
	if v.wide() {
		return fmt.Sprintf("Z%d", i)
	}
	return fmt.Sprintf("Y%d", i)
}

// gen writes the text of one instruction set.
type gen struct {
	isa
	*text.File
}

func (g *gen) p(format string, a ...any) { g.P(format, a...) }

// fn begins a function. Arguments are "name type", eight bytes each.
func (g *gen) fn(name, comment string, args ...string) { g.Begin(g.Tier, name, comment, args...) }

func (g *gen) end() {
	g.p("VZEROUPPER")
	g.p("RET")
}

// arg loads an argument.
func (g *gen) arg(name, reg string) {
	op := "MOVQ"
	if strings.HasPrefix(reg, "X") {
		op = "VMOVSD"
	}
	g.p("%s %s+%d(FP), %s", op, name, g.At(name), reg)
}

// args loads arguments, each "name register".
func (g *gen) args(list ...string) {
	for _, a := range list {
		name, reg, _ := strings.Cut(a, " ")
		g.arg(name, reg)
	}
}

// masks are lanes of ones, then zeros; then ones again.
func (g *gen) masks() {
	const ones = 1<<64 - 1
	g.Table("masks", 64, 4, ones, 0, ones)
}

// setMask makes the mask of a last vector of rem lanes (1 to all); it spoils
// rem and tmp.
func (g *gen) setMask(rem, tmp string) {
	if g.wide() {
		g.p("MOVQ %s, CX", rem)
		g.p("MOVL $1, %s", tmp)
		g.p("SHLL CX, %s", tmp)
		g.p("DECL %s", tmp)
		g.p("KMOVW %s, K1", tmp)
		return
	}
	g.p("NEGQ %s", rem)
	g.masks()
	g.p("LEAQ ·masks+32(SB), %s", tmp)
	g.p("VMOVUPD (%s)(%s*8), Y15", tmp, rem)
}

// load reads a vector; tail says that it is a last one, whose lanes beyond the
// mask become zero and are not touched in memory.
func (g *gen) load(mem, reg string, tail bool) {
	switch {
	case !tail:
		g.p("VMOVUPD %s, %s", mem, reg)
	case g.wide():
		g.p("VMOVUPD.Z %s, K1, %s", mem, reg)
	default:
		g.p("VMASKMOVPD %s, Y15, %s", mem, reg)
	}
}

func (g *gen) store(reg, mem string, tail bool) {
	switch {
	case !tail:
		g.p("VMOVUPD %s, %s", reg, mem)
	case g.wide():
		g.p("VMOVUPD %s, K1, %s", reg, mem)
	default:
		g.p("VMASKMOVPD %s, Y15, %s", reg, mem)
	}
}

// zero clears a register.
func (g *gen) zero(i int) {
	if g.wide() {
		g.p("VPXORQ Z%d, Z%[1]d, Z%[1]d", i)
		return
	}
	g.p("VXORPD Y%d, Y%[1]d, Y%[1]d", i)
}

// single fills a register with the float32 at mem.
func (g *gen) single(mem string, i int) {
	if g.wide() {
		g.p("VCVTPS2PD.BCST %s, Z%d", mem, i)
		return
	}
	g.p("VBROADCASTSS %s, X%d", mem, i)
	g.p("VCVTPS2PD X%d, Y%d", i, i)
}
