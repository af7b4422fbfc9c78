package x86

import "github.com/moiety-go/moiety/internal/kernel/gen/text"

// quad reports whether the rows of a group are summed across lanes together:
// four vectors, of one row or more each.
func (m mixKernel) quad() bool { return 4*m.width <= m.bytes }

// sets are the vectors of a group whose rows are turned into shares together.
func (m mixKernel) sets() [][]int {
	each := m.vecs
	if !m.quad() {
		each = m.parts
	}
	var out [][]int
	for lo := 0; lo < m.vecs; lo += each {
		var s []int
		for i := range each {
			s = append(s, lo+i)
		}
		out = append(out, s)
	}
	return out
}

// Scores, logarithms to base 2, become shares. The whole number nearest to the
// largest score is taken from all scores of a row, so that what is lost of the sum
// of powers is an exponent, kept exactly.
//
// Mostly scores are small, and the largest need not be known. So powers are taken
// without it, unless a sum shows that it mattered: below 2⁻⁶⁰, where powers left
// out may be more than 1e-12 of it, or above 2¹⁰⁰.

// quick reports whether there are registers enough for that.
func (m mixKernel) quick() bool { return m.vecs <= 4 }

// check makes a detour where the largest score mattered.
func (m mixKernel) check(i int) {
	acc, t1, t2 := m.reg(m.acc(i)), m.reg(emT1), m.reg(emT2)
	if m.wide() {
		m.p("VCMPPS.BCST $0x19, %s, %s, K1", m.ec(emTiny), acc) // not at least
		m.p("VCMPPS.BCST $0x16, %s, %s, K2", m.ec(emHuge), acc) // not at most
		m.p("KORTESTW K1, K2")
	} else {
		m.p("VCMPPS $0x19, %s, %s, %s", m.ec(emTiny), acc, t1)
		m.p("VCMPPS $0x16, %s, %s, %s", m.ec(emHuge), acc, t2)
		m.p("VORPS %s, %s, %[1]s", t1, t2)
		m.p("VMOVMSKPS %s, AX", t1)
		m.p("TESTL AX, AX")
	}
	m.p("JNE lower%d", i)
	m.p("lowered%d:", i)
}

// detours take powers again, from scores less the largest. The wide kernels have
// kept the scores in the tally, for the next are where they were.
func (m mixKernel) detours() {
	if !m.quick() {
		return
	}
	m.p("JMP done")
	for i, set := range m.sets() {
		m.p("lower%d:", i)
		x := m.score
		if m.wide() {
			x = m.share
			for _, v := range set {
				m.p("VMOVUPS %d(R14), %s", tallyScores+v*m.bytes, m.reg(x+v))
			}
		}
		m.lower(x, set)
		m.powers(x, i, set)
		m.p("JMP lowered%d", i)
	}
	m.p("done:")
}

// lower takes the whole number nearest to the largest score of a row from all of
// them, and notes it.
func (m mixKernel) lower(x int, set []int) {
	acc, t1, t2 := m.reg(emAcc), m.reg(emT1), m.reg(emT2)
	m.across("VMAXPS", x, emAcc, set)
	m.p("VMOVUPS %d(R14), %s", tallyLargest, t2)
	if m.wide() {
		m.p("VRNDSCALEPS $8, %s, %[1]s", acc)
		m.p("VRANGEPS $0xb, %s, %s, %[2]s", acc, t2)
	} else {
		m.p("VROUNDPS $8, %s, %[1]s", acc)
		m.p("VANDPS %s, %s, %s", m.ec(emAbs), acc, t1)
		m.p("VMAXPS %s, %s, %[2]s", t1, t2)
	}
	m.p("VMOVUPS %s, %d(R14)", t2, tallyLargest)
	m.p("VADDPS %d(R14), %s, %s", tallyExponents, acc, t2)
	m.p("VMOVUPS %s, %d(R14)", t2, tallyExponents)
	for i, v := range set {
		m.p("VSUBPS %s, %s, %[2]s", m.each(i, emAcc, emT1), m.reg(x+v))
	}
}

// over multiplies powers by one over their sums, whose exponents and
// mantissas it notes, and adds the shares to the counts.
func (m mixKernel) over(i int, set []int) {
	acc, t1, t2 := m.reg(m.acc(i)), m.reg(emT1), m.reg(emT2)
	m.p("VMULPS %d(R14), %s, %s", tallyMantissas, acc, t2)
	if m.wide() {
		m.p("VGETEXPPS %s, %s", t2, t1)
		m.p("VGETMANTPS $0, %s, %[1]s", t2)
		m.p("VADDPS %d(R14), %s, %[2]s", tallyExponents, t1)
		m.p("VMOVUPS %s, %d(R14)", t1, tallyExponents)
		m.p("VMOVUPS %s, %d(R14)", t2, tallyMantissas)
		m.p("VRCP14PS %s, %s", acc, t1) // then one step of Newton's
		m.p("VFNMADD213PS Z%d, %s, %s", emUnit, t1, acc)
		m.p("VFMADD231PS %s, %s, %[2]s", acc, t1)
	} else {
		m.p("VPSRLD $23, %s, %s", t2, t1)
		m.p("VPSUBD %s, %s, %[2]s", m.ec(emExps), t1)
		m.p("VCVTDQ2PS %s, %[1]s", t1)
		m.p("VADDPS %d(R14), %s, %[2]s", tallyExponents, t1)
		m.p("VMOVUPS %s, %d(R14)", t1, tallyExponents)
		m.p("VSUBPS %s, %[1]s, %s", t2, t1) // NaN stays
		m.p("VADDPS %d(R14), %s, %[2]s", tallyExponents, t1)
		m.p("VMOVUPS %s, %d(R14)", t1, tallyExponents)
		m.p("VPAND %s, %s, %[2]s", m.ec(emFract), t2)
		m.p("VPOR %s, %s, %[2]s", m.ec(emOne), t2)
		m.p("VMOVUPS %s, %d(R14)", t2, tallyMantissas)
		m.p("VMOVUPS %s, %s", m.ec(emOne), t1)
		m.p("VDIVPS %s, %s, %[2]s", acc, t1)
	}
	for i, v := range set {
		m.p("VMULPS %s, %s, %s", m.each(i, emT1, emT2), m.reg(m.power+v), m.reg(m.share+v))
	}
	m.count(set)
}

func (m mixKernel) count(set []int) {
	t1, t2 := m.reg(emT1), m.reg(emT2)
	if !m.quad() {
		for i, v := range set {
			m.p("VADDPS %d(R14), %s, %s", tallyCount+i*m.bytes, m.reg(m.share+v), t2)
			m.p("VMOVUPS %s, %d(R14)", t2, tallyCount+i*m.bytes)
		}
		return
	}
	m.p("VADDPS %s, %s, %s", m.reg(m.share), m.reg(m.share+1), t1)
	m.p("VADDPS %s, %s, %s", m.reg(m.share+2), m.reg(m.share+3), t2)
	m.p("VADDPS %s, %s, %[1]s", t1, t2)
	m.p("VADDPS %d(R14), %s, %[2]s", tallyCount, t1)
	m.p("VMOVUPS %s, %d(R14)", t1, tallyCount)
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

// across combines the numbers of each row of a set, in registers from x on, and
// leaves the result in acc: in all lanes, or in a quad that of vector i in every
// fourth lane from i.
func (m mixKernel) across(op string, x, acc int, set []int) {
	if m.quad() {
		m.acrossQuad(op, x, acc)
		m.acrossLanes(op, acc)
		return
	}
	to, t := m.reg(acc), m.reg(emT1)
	from := m.reg(x + set[0])
	for _, v := range set[1:] {
		m.p("%s %s, %s, %s", op, m.reg(x+v), from, to)
		from = to
	}
	for _, imm := range []int{0xb1, 0x4e} {
		m.p("VPERMILPS $%#x, %s, %s", imm, from, t)
		m.p("%s %s, %s, %s", op, t, from, to)
		from = to
	}
	m.acrossLanes(op, acc)
}

// acrossQuad combines fours of lanes of four registers, that of register i
// into every fourth lane from i.
func (m mixKernel) acrossQuad(op string, x, acc int) {
	for i := 0; i < 4; i += 2 {
		a, b, lo, hi := m.reg(x+i), m.reg(x+i+1), m.reg(emRest+i), m.reg(emRest+1+i)
		m.p("VUNPCKLPS %s, %s, %s", b, a, lo) // a0 b0 a1 b1
		m.p("VUNPCKHPS %s, %s, %s", b, a, hi) // a2 b2 a3 b3
		m.p("%s %s, %s, %[3]s", op, hi, lo)
	}
	m.p("VUNPCKLPD %s, %s, %s", m.reg(emRest+2), m.reg(emRest), m.reg(emRest+1))
	m.p("VUNPCKHPD %s, %s, %s", m.reg(emRest+2), m.reg(emRest), m.reg(emRest+3))
	m.p("%s %s, %s, %s", op, m.reg(emRest+3), m.reg(emRest+1), m.reg(acc))
}

// acrossLanes combines the 16-byte lanes of a row in a register.
func (m mixKernel) acrossLanes(op string, acc int) {
	to, t := m.reg(acc), m.reg(emT1)
	lanes := min(4*m.width, m.bytes) / 16
	switch {
	case !m.wide() && lanes > 1:
		m.p("VPERM2F128 $1, %s, %[1]s, %s", to, t)
		m.p("%s %s, %s, %[3]s", op, t, to)
	case m.wide() && lanes > 1:
		for _, imm := range []int{0xb1, 0x4e}[:lanes/2] {
			m.p("VSHUFF32X4 $%#x, %s, %[2]s, %s", imm, to, t)
			m.p("%s %s, %s, %[3]s", op, t, to)
		}
	}
}

// powers takes 2 to the scores of set i, in registers from x, at most about one
// or NaN, and sums them up for each row. Step by step for all registers: what is
// late for one is not for the next.
func (m mixKernel) powers(x, i int, set []int) {
	if !m.wide() {
		for _, v := range set {
			m.pow(v)
		}
		m.across("VADDPS", m.power, m.acc(i), set)
		return
	}
	each := func(f func(i int, x, r, p string)) {
		for i, v := range set {
			f(1+i, m.reg(x+v), m.reg(emRest+i), m.reg(m.power+v))
		}
	}
	last := emCoeff + len(text.PowerSeries) - 1
	each(func(_ int, x, r, p string) {
		m.p("VREDUCEPS $9, %s, %s", x, r) // less the whole number below
		m.p("VMOVAPS Z%d, %s", last, p)
	})
	for c := last - 1; c >= emCoeff; c-- {
		each(func(_ int, _, r, p string) { m.p("VFMADD213PS Z%d, %s, %s", c, r, p) })
	}
	each(func(i int, x, r, p string) {
		m.p("VFMADD213PS Z%d, %s, %s", emUnit, r, p)
		m.p("VCMPPS $0x15, Z%d, %s, K%d", emFloor, x, i) // not lower, or NaN
	})
	each(func(i int, x, _, p string) { m.p("VSCALEFPS.Z %s, %s, K%d, %[2]s", x, p, i) })
	m.across("VADDPS", m.power, m.acc(i), set)
}

// pow is powers for one register. What is too high for the bits of an exponent is
// held to what shows in the sum.
func (m mixKernel) pow(v int) {
	x, r, p, n := m.reg(m.score+v), m.reg(emT1), m.reg(emT2), m.reg(emT3)
	last := len(text.PowerSeries) - 1
	from := x
	if m.quick() {
		from = m.reg(m.power + v)
		m.p("VMOVUPS %s, %s", m.ec(emCeil), n)
		m.p("VMINPS %s, %s, %s", x, n, from) // NaN stays
	}
	m.p("VROUNDPS $9, %s, %s", from, n)
	m.p("VSUBPS %s, %s, %s", n, from, r)
	m.p("VMOVUPS %s, %s", m.ec(emPoly+last), p)
	for j := last - 1; j >= 0; j-- {
		m.p("VFMADD213PS %s, %s, %s", m.ec(emPoly+j), r, p)
	}
	m.p("VFMADD213PS %s, %s, %s", m.ec(emOne), r, p)
	m.p("VCVTTPS2DQ %s, %[1]s", n)
	m.p("VPSLLD $23, %s, %[1]s", n)
	m.p("VPADDD %s, %s, %[2]s", n, p)
	m.p("VCMPPS $0x15, %s, %s, %s", m.ec(emLow), from, n)
	m.p("VANDPS %s, %s, %s", n, p, m.reg(m.power+v))
}
