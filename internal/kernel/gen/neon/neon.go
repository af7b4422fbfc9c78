// Package neon writes the assembly kernels for arm64: NEON, vectors of two
// float64 or four float32.
//
// A last number that fills no vector is read and written by itself, so that
// there are no masks; the lane beside it is 0 in the register. words.go has the
// instructions that Go's assembler does not know.
package neon

import (
	"strings"

	"github.com/moiety-go/moiety/internal/kernel/gen/text"
)

var tier = text.Tier{Name: "neon", Suffix: "128"}

// Write writes all kernels.
func Write() *text.Processor {
	p := text.New("arm64", tier)
	for _, group := range []struct {
		name    string
		kernels func(*gen)
	}{
		{"base", (*gen).base},
		{"pass32", (*gen).pass32},
		{"joint", (*gen).joint},
		{"scan", (*gen).scan},
		{"vb", (*gen).vb},
		{"em", (*gen).em},
		{"split", (*gen).split},
	} {
		g := &gen{p.Group(group.name)}
		group.kernels(g)
		g.Close()
	}
	return p
}

// base writes products of rows and panels, rotations, softmax.
func (g *gen) base() {
	g.vectors()
	g.sparse()
	g.gemm()
	g.scale()
	g.softmax()
}

// gen writes the text of a file.
type gen struct{ *text.File }

func (g *gen) p(format string, a ...any) { g.P(format, a...) }

// fn begins a function and loads its arguments, "name type", eight bytes each,
// into R0, R1 and so on; a float64 into F0, F1 and so on.
func (g *gen) fn(name, comment string, args ...string) {
	g.Begin(tier, name, comment, args...)
	whole, real := 0, 0
	for i, a := range args {
		name, kind, _ := strings.Cut(a, " ")
		if kind == "float64" {
			g.p("FMOVD %s+%d(FP), F%d", name, 8*i, real)
			real++
		} else {
			g.p("MOVD %s+%d(FP), R%d", name, 8*i, whole)
			whole++
		}
	}
}

// load reads nv vectors, the last a single number where half says so, from at
// bytes behind ptr on into the registers from first on.
func (g *gen) load(ptr string, at, first, nv int, half bool) {
	g.move(nv, half, func(v int, op string, pair bool) {
		if pair {
			g.p("FLDPQ %d(%s), (F%d, F%d)", at+16*v, ptr, first+v, first+v+1)
		} else {
			g.p("%s %d(%s), F%d", op, at+16*v, ptr, first+v)
		}
	})
}

// store writes them.
func (g *gen) store(ptr string, at, first, nv int, half bool) {
	g.move(nv, half, func(v int, op string, pair bool) {
		if pair {
			g.p("FSTPQ (F%d, F%d), %d(%s)", first+v, first+v+1, at+16*v, ptr)
		} else {
			g.p("%s F%d, %d(%s)", op, first+v, at+16*v, ptr)
		}
	})
}

// move calls one for pairs of vectors, the odd one, and the half one.
func (g *gen) move(nv int, half bool, one func(v int, op string, pair bool)) {
	full := nv
	if half {
		full--
	}
	v := 0
	for ; v+2 <= full; v += 2 {
		one(v, "", true)
	}
	if v < full {
		one(v, "FMOVQ", false)
	}
	if half {
		one(full, "FMOVD", false)
	}
}

// zero clears register v.
func (g *gen) zero(v int) { g.p("VEOR V%d.B16, V%[1]d.B16, V%[1]d.B16", v) }

// copy sets d to n.
func (g *gen) copy(d, n int) { g.p("VMOV V%d.B16, V%d.B16", n, d) }

// fmla adds n·m to d, fmls takes it away.
func (g *gen) fmla(d, n, m int) { g.p("VFMLA V%d.D2, V%d.D2, V%d.D2", m, n, d) }
func (g *gen) fmls(d, n, m int) { g.p("VFMLS V%d.D2, V%d.D2, V%d.D2", m, n, d) }

// step is a run of numbers that body of over works on: nv vectors, the last a
// single number where half says so.
type step struct {
	nv   int
	half bool
}

// bytes is the length of the run.
func (s step) bytes() int {
	if s.half {
		return 16*s.nv - 8
	}
	return 16 * s.nv
}

// over runs body over as many numbers as reg, which it spoils, says: many
// vectors at a time, one, and a last single number. body moves its pointers by
// the bytes of the step.
func (g *gen) over(id, reg string, many int, body func(s step)) {
	for i, nv := range []int{many, 1} {
		next := id + "by2"
		if i == 1 {
			next = id + "by1"
		}
		here := map[int]string{0: id + "many", 1: id + "by2"}[i]
		g.p("%s:", here)
		g.p("CMP $%d, %s", 2*nv, reg)
		g.p("BLT %s", next)
		body(step{nv, false})
		g.p("SUB $%d, %s, %[2]s", 2*nv, reg)
		g.p("B %s", here)
	}
	g.p("%sby1:", id)
	g.p("CBZ %s, %sdone", reg, id)
	body(step{1, true})
	g.p("%sdone:", id)
}

// forward moves pointers by the bytes of a step.
func (g *gen) forward(s step, ptr ...string) {
	for _, p := range ptr {
		g.p("ADD $%d, %s, %[2]s", s.bytes(), p)
	}
}
