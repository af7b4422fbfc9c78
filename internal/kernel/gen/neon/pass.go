package neon

// fusedVectors is how many vectors of four float32 one call keeps in registers;
// as many again hold them with another weight.
const fusedVectors = 4

// pass32 writes the kernels of one look at rows in single precision.
func (g *gen) pass32() {
	g.fused()
	g.widen()
	g.rowTotals()
	g.firstOrders()
}

// fused writes the kernel for four vectors, with and without values.
// R0 rows left, R1 offsets, R4 table, R5 stride, R7 rows of z, R9 weights, R10
// and R11 sums; R12 offset of the next entry, R14 entries of the row, R19 next
// index, R20 next value.
func (g *gen) fused() {
	g.fn("fused", "sums up rows of b for each of n rows into nv vectors, always 4, keeps them in z unless nil, and adds them, times the row's two weights, to the rows of second and mixed, unless nil. Rows of b, second and mixed are stride bytes apart, those of z ldz.",
		"n int", "ptr *int", "index *uint32", "value *float32", "b *float32", "stride int", "nv int",
		"z *float32", "ldz int", "weights *float32", "second *float32", "mixed *float32")
	g.p("MOVD (R1), R12")
	g.p("ADD R12<<2, R2, R19")
	g.p("ADD R12<<2, R3, R20")
	g.p("CBNZ R3, valued")
	g.fusedRows("b", fusedVectors, false)
	g.p("valued:")
	g.fusedRows("w", fusedVectors, true)
}

func (g *gen) fusedRows(id string, nv int, valued bool) {
	g.p("%srow:", id)
	g.p("MOVD 8(R1), R13")
	g.p("SUB R12, R13, R14")
	g.p("MOVD R13, R12")
	g.p("MOVD R19, R21")
	g.p("MOVD R20, R22")
	g.p("MOVD R14, R15")
	g.fusedSums(id, nv, valued)
	g.p("CBZ R7, %skept", id)
	g.store("R7", 0, 0, nv, false)
	g.p("ADD R8, R7")
	g.p("%skept:", id)
	g.p("CBZ R10, %snext", id)
	g.p("CBZ R14, %snext", id)
	g.back(id, nv, valued)
	g.p("%snext:", id)
	g.p("ADD $8, R9")
	g.p("ADD $8, R1")
	g.p("SUB $1, R0")
	g.p("CBNZ R0, %srow", id)
	g.p("RET")
}

// entry sets at to the row's offset in the tables and, where there are values,
// the lowest lane of register val to its value.
func (g *gen) entry(index, value, at string, val int, valued bool) {
	g.p("MOVWU.P 4(%s), %s", index, at)
	if valued {
		g.p("FMOVS.P 4(%s), F%d", value, val)
	}
	g.p("MUL R5, %s, %[1]s", at)
}

// fusedSums adds up the R15 rows of the table. Entries are divided to several sets
// of sums, which need not wait for each other: an order that follows from the
// length of the row alone.
func (g *gen) fusedSums(id string, nv int, valued bool) {
	const sets = 4
	for i := range sets * nv {
		g.zero(i)
	}
	add := func(s int) {
		val := regValue + s
		g.entry("R19", "R20", "R23", val, valued)
		g.p("ADD R4, R23")
		g.parts(s*(nv/4), nv, false, func(v, n, t int, _ bool) {
			g.load("R23", 16*v, t, n, false)
			for i := range n {
				if sum := s*nv + v + i; valued {
					g.w("FMLA0S4", sum, t+i, val)
				} else {
					g.w("FADDS4", sum, sum, t+i)
				}
			}
		})
	}
	g.p("%smany:", id)
	g.p("CMP $%d, R15", sets)
	g.p("BLT %sfew", id)
	for s := range sets {
		add(s)
	}
	g.p("SUB $%d, R15", sets)
	g.p("B %smany", id)
	g.p("%sfew:", id)
	g.p("CBZ R15, %sall", id)
	add(0)
	g.p("SUB $1, R15")
	g.p("B %sfew", id)
	g.p("%sall:", id)
	for step := 1; step < sets; step *= 2 {
		for s := 0; s < sets; s += 2 * step {
			for v := range nv {
				g.w("FADDS4", s*nv+v, s*nv+v, (s+step)*nv+v)
			}
		}
	}
}

// back adds the weighted sums to the rows of the tables of the row's R14
// entries, from index R21 and value R22 on.
func (g *gen) back(id string, nv int, valued bool) {
	const weights = 31
	g.p("FMOVD (R9), F%d", weights)
	g.p("CBZ R11, %sone", id)
	for v := range nv {
		g.w("FMUL1S4", fusedVectors+v, v, weights)
		g.w("FMUL0S4", v, v, weights)
	}
	g.backLoop(id+"two", nv, valued, "R10", "R11")
	g.p("B %snext", id)
	g.p("%sone:", id)
	for v := range nv {
		g.w("FMUL0S4", v, v, weights)
	}
	g.backLoop(id+"single", nv, valued, "R10")
}

func (g *gen) backLoop(id string, nv int, valued bool, tables ...string) {
	g.p("%sloop:", id)
	g.entry("R21", "R22", "R23", regValue, valued)
	for i, table := range tables {
		g.p("ADD R23, %s, R24", table)
		g.parts(i*(nv/4), nv, false, func(v, n, t int, _ bool) {
			g.load("R24", 16*v, t, n, false)
			for j := range n {
				if sum := i*fusedVectors + v + j; valued {
					g.w("FMLA0S4", t+j, sum, regValue)
				} else {
					g.w("FADDS4", t+j, t+j, sum)
				}
			}
			g.store("R24", 16*v, t, n, false)
		})
	}
	g.p("SUB $1, R14")
	g.p("CBNZ R14, %sloop", id)
}

func (g *gen) widen() {
	g.fn("widen", "adds the n numbers of x, a multiple of 16, to dst, and sets them to zero.", "dst *float64", "x *float32", "n int")
	g.zero(0)
	g.p("loop:")
	for half := range 2 {
		const x, sum, wide = 1, 16, 24
		g.load("R1", 32*half, x, 2, false)
		g.load("R0", 64*half, sum, 4, false)
		for v := range 2 {
			g.w("FCVTL", wide+2*v, x+v)
			g.w("FCVTL2", wide+2*v+1, x+v)
		}
		for v := range 4 {
			g.w("FADD", sum+v, sum+v, wide+v)
		}
		g.store("R0", 64*half, sum, 4, false)
		g.p("FSTPQ (F0, F0), %d(R1)", 32*half)
	}
	g.p("ADD $128, R0")
	g.p("ADD $64, R1")
	g.p("SUB $16, R2")
	g.p("CBNZ R2, loop")
	g.p("RET")
}

// rowTotals writes the sums of whole numbers, and the test that they are whole.
// R0 rows left, R1 offsets, R2 next value, R3 sums, R5 offset of the next entry.
// The largest of all numbers, less one, is kept as numbers without a sign, so
// that 0 and those below it are the largest.
func (g *gen) rowTotals() {
	g.fn("rowTotals", "sets the n numbers of dst to the sums of the rows' values, and odd to not 0 where a value is no whole number from 1 to 65535.",
		"n int", "ptr *int", "value *float32", "dst *float64", "odd *int")
	const sum, largest, equal, x, whole, back, first, most, one = 0, 1, 2, 3, 4, 5, 29, 30, 31
	g.p("MOVD $1, R6")
	g.p("VDUP R6, V%d.S4", one)
	g.p("MOVD $65534, R6")
	g.p("VDUP R6, V%d.S4", most)
	g.zero(largest)
	g.p("VCMEQ V%d.B16, V%[1]d.B16, V%d.B16", one, equal)
	g.zero(first)
	g.p("VMOV V%d.S[0], V%d.S[0]", equal, first)
	body := func(single bool) {
		g.w("FCVTZSS4", whole, x)
		g.w("SCVTFS4", back, whole)
		g.w("FCMEQS4", back, back, x)
		g.p("VAND V%d.B16, V%d.B16, V%[2]d.B16", back, equal)
		g.p("VSUB V%d.S4, V%d.S4, V%d.S4", one, whole, back)
		g.p("VUMAX V%d.S4, V%d.S4, V%[2]d.S4", back, largest)
		if single {
			g.p("VAND V%d.B16, V%d.B16, V%[2]d.B16", first, whole)
		}
		g.p("VADD V%d.S4, V%d.S4, V%[2]d.S4", whole, sum)
	}
	g.p("MOVD (R1), R5")
	g.p("ADD R5<<2, R2")
	g.p("row:")
	g.p("MOVD 8(R1), R6")
	g.p("SUB R5, R6, R7")
	g.p("MOVD R6, R5")
	g.zero(sum)
	g.p("fours:")
	g.p("CMP $4, R7")
	g.p("BLT ones")
	g.p("FMOVQ.P 16(R2), F%d", x)
	body(false)
	g.p("SUB $4, R7")
	g.p("B fours")
	g.p("ones:")
	g.p("CBZ R7, next")
	g.p("VLD1R.P 4(R2), [V%d.S4]", x)
	body(true)
	g.p("SUB $1, R7")
	g.p("B ones")
	g.p("next:")
	g.p("VADDV V%d.S4, V%[1]d", sum)
	g.p("VMOV V%d.S[0], R6", sum)
	g.p("SCVTFD R6, F%d", sum)
	g.p("FMOVD.P F%d, 8(R3)", sum)
	g.p("ADD $8, R1")
	g.p("SUB $1, R0")
	g.p("CBNZ R0, row")
	g.p("VUMAX V%d.S4, V%d.S4, V%[2]d.S4", most, largest)
	g.p("VCMEQ V%d.S4, V%d.S4, V%[2]d.S4", most, largest)
	g.p("VAND V%d.B16, V%d.B16, V%[2]d.B16", largest, equal)
	g.p("VMOV V%d.D[0], R6", equal)
	g.p("VMOV V%d.D[1], R7", equal)
	g.p("AND R7, R6")
	g.p("MVN R6, R6")
	g.p("MOVD R6, (R4)")
	g.p("RET")
}

// firstOrders writes the sums of first order. R0 rows left, R1 offsets, R2 next
// index, R3 next value, R4 weights, R5 sums, R6 offset of the next entry.
func (g *gen) firstOrders() {
	g.fn("firstOrders", "adds x times the row's four weights, and one to the fourth, to the four numbers of dst of every entry of n rows.",
		"n int", "ptr *int", "index *uint32", "value *float32", "weights *float64", "dst *float64")
	const weights, sum, x, count = 0, 2, 4, 5
	g.zero(count)
	g.p("FMOVD $1.0, F%d", x)
	g.p("VMOV V%d.D[0], V%d.D[1]", x, count) // (0, 1)
	g.p("MOVD (R1), R6")
	g.p("ADD R6<<2, R2")
	g.p("ADD R6<<2, R3, R9")
	g.p("row:")
	g.p("MOVD 8(R1), R7")
	g.p("SUB R6, R7, R8")
	g.p("ADD R8, R6")
	g.load("R4", 0, weights, 2, false)
	g.p("entries:")
	g.p("CBZ R8, next")
	g.p("MOVWU.P 4(R2), R10")
	g.p("CBZ R3, one")
	g.p("FMOVS.P 4(R9), F%d", x)
	g.p("FCVTSD F%d, F%[1]d", x)
	g.p("one:") // 1 stays where there are no values
	g.p("ADD R10<<5, R5, R10")
	g.load("R10", 0, sum, 2, false)
	g.w("FMLA0", sum, weights, x)
	g.w("FMLA0", sum+1, weights+1, x)
	g.w("FADD", sum+1, sum+1, count)
	g.store("R10", 0, sum, 2, false)
	g.p("SUB $1, R8")
	g.p("B entries")
	g.p("next:")
	g.p("ADD $32, R4")
	g.p("ADD $8, R1")
	g.p("SUB $1, R0")
	g.p("CBNZ R0, row")
	g.p("RET")
}
