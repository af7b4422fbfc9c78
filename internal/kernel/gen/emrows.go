//go:build ignore

package main

import "math"

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
