//go:build ignore

package main

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
