package x86

// scan writes what readers look for in text.
func (g *gen) scan() { g.clean() }

// scanWide writes what only AVX-512 can do well: places of separators, lines of
// whole numbers, short fields, and the order of rows.
func (g *gen) scanWide() {
	g.numbers("numbers", 8, 64)
	g.numbers("eight", 32, 8)
	g.places()
	g.triples()
	g.keys()
	g.arrange(false)
	g.arrange(true)
}

// numbers adds a table of so many numbers from 0 on, of 8 or 32 bits.
func (g *gen) numbers(name string, size, n int) {
	var all []uint64
	for i := range n {
		all = append(all, uint64(i))
	}
	g.Table(name, size, 1, all...)
}

// fill sets all lanes of a vector to a constant of 64 bits.
func (g *gen) fill(value string, i int) {
	g.p("MOVQ $%s, AX", value)
	if g.wide() {
		g.p("VPBROADCASTQ AX, Z%d", i)
		return
	}
	g.p("VMOVQ AX, X%d", i)
	g.p("VPBROADCASTQ X%d, Y%[1]d", i)
}

// clean writes the search for bytes that are no plain text. As a signed number
// every such byte is below 32, and so are the five from 9 to 13, which are
// allowed.
func (g *gen) clean() {
	g.fn("clean", "sets out to the number of runs of 64 bytes, of n, before the first that is not plain text.",
		"out *int", "text *byte", "n int")
	g.args("out DI", "text SI", "n CX")
	g.fill("0x2020202020202020", 0)
	g.fill("0x0909090909090909", 1)
	g.fill("0x0404040404040404", 2)
	g.p("XORQ DX, DX")
	g.p("loop:")
	if g.wide() {
		g.p("VMOVDQU64 (SI), Z3")
		g.p("VPCMPGTB Z3, Z0, K1")
		g.p("VPSUBB Z1, Z3, Z4")
		g.p("VPCMPUB $6, Z2, Z4, K2") // above 13, or below 9
		g.p("KTESTQ K1, K2")
	} else {
		for half := range 2 {
			a, b := 3+4*half, 4+4*half
			g.p("VMOVDQU %d(SI), Y%d", 32*half, a)
			g.p("VPSUBB Y1, Y%d, Y%d", a, b)
			g.p("VPCMPGTB Y%d, Y0, Y%[1]d", a)
			g.p("VPMINUB Y2, Y%d, Y%d", b, b+1)
			g.p("VPCMPEQB Y%d, Y%d, Y%[1]d", b, b+1)
			g.p("VPANDN Y%d, Y%d, Y%[1]d", a, b)
		}
		g.p("VPOR Y3, Y7, Y3")
		g.p("VPTEST Y3, Y3")
	}
	g.p("JNE done")
	g.p("INCQ DX")
	g.p("ADDQ $64, SI")
	g.p("CMPQ DX, CX")
	g.p("JNE loop")
	g.p("done:")
	g.p("MOVQ DX, (DI)")
	g.end()
}

// places writes the list of places of two bytes: the numbers of 64 places are
// pressed together by their mask, and as many kept as the mask has bits. Most
// texts have at most 32 in 64 bytes; stores reach up to 32 entries beyond the last.
func (g *gen) places() {
	g.fn("places", "writes base plus the places in n runs of 64 bytes of text that hold one of the two bytes of set, and sets out to their number; dst has 32 entries more.",
		"dst *uint32", "text *byte", "n int", "set *byte", "base int", "out *int")
	g.args("dst DI", "text SI", "n CX", "set DX", "base AX")
	g.p("MOVQ DI, R8")
	g.p("VPBROADCASTB (DX), Z0")
	g.p("VPBROADCASTB 1(DX), Z1")
	g.p("VMOVDQU64 ·numbers+0(SB), Z2")
	g.p("VPBROADCASTD AX, Z5")
	g.p("MOVL $64, AX")
	g.p("VPBROADCASTD AX, Z6")
	g.p("loop:")
	g.p("VMOVDQU64 (SI), Z4")
	g.p("VPCMPEQB Z0, Z4, K1")
	g.p("VPCMPEQB Z1, Z4, K2")
	g.p("KORQ K1, K2, K1")
	g.p("KMOVQ K1, AX")
	g.p("VPCOMPRESSB.Z Z2, K1, Z7")
	g.p("POPCNTQ AX, BX")
	g.sixteenPlaces(0)
	g.p("VEXTRACTI32X4 $1, Z7, X7")
	g.sixteenPlaces(1)
	g.p("CMPQ BX, $32")
	g.p("JGT many")
	g.p("next:")
	g.p("LEAQ (DI)(BX*4), DI")
	g.p("VPADDD Z6, Z5, Z5")
	g.p("ADDQ $64, SI")
	g.p("DECQ CX")
	g.p("JNE loop")
	g.p("SUBQ R8, DI")
	g.p("SHRQ $2, DI")
	g.arg("out", "AX")
	g.p("MOVQ DI, (AX)")
	g.p("VZEROUPPER")
	g.p("RET")
	g.p("many:")
	g.p("VPCOMPRESSB.Z Z2, K1, Z9")
	for part := 2; part < 4; part++ {
		g.p("VEXTRACTI32X4 $%d, Z9, X7", part)
		g.sixteenPlaces(part)
	}
	g.p("JMP next")
	g.end()
}

// sixteenPlaces writes the places in X7.
func (g *gen) sixteenPlaces(part int) {
	g.p("VPMOVZXBD X7, Z8")
	g.p("VPADDD Z5, Z8, Z8")
	g.p("VMOVDQU32 Z8, %d(DI)", 64*part)
}
