package x86

// triples writes the reading of lines of three whole numbers, eight lines at a
// time, up to the first eight that hold anything else. The eight bytes up to each
// end are gathered, what is before the field shifted out, digits and the byte at
// the end checked, and neighbouring digits joined three times.
//
// Lengths are checked before anything is read: the ends of eight lines then follow
// from the end before them, and only the last must be inside the text.
func (g *gen) triples() {
	var thirds []uint64 // every third of two vectors, from the first, second and third on
	for i := range 48 {
		thirds = append(thirds, uint64((3*(i%16)+i/16)%32))
	}
	g.Table("thirds", 32, 1, thirds...)
	g.fn("triples", "reads up to n lines, a multiple of 8, whose numbers end at ends, and sets done to how many; last holds the numbers of the line before, whether numbers fell, and how many starts there are.",
		"feature *uint32", "small *uint8", "text *byte", "size int", "ends *uint32", "n int", "start *uint32", "record *uint32", "limit *uint32", "last *uint32", "done *int")
	for _, a := range [][2]string{{"feature", "DI"}, {"small", "R9"}, {"text", "SI"}, {"size", "R12"}, {"ends", "R8"}, {"n", "CX"}, {"start", "R10"}, {"record", "R11"}, {"limit", "AX"}, {"last", "DX"}} {
		g.arg(a[0], a[1])
	}
	g.p("VPBROADCASTD (AX), Y28")
	g.p("VPBROADCASTD 4(AX), Y29")
	g.p("MOVL $255, AX")
	g.p("VPBROADCASTD AX, Y30")
	g.fill("0x2030303030303030", 16) // a blank behind digits
	g.fill("0x0a30303030303030", 17) // a line end
	g.fill("0x0009090909090909", 18)
	g.fill("0x010a010a010a010a", 19)
	g.fill("0x0001006400010064", 20)
	g.fill("10000", 21)
	g.fill("64", 22)
	g.fill("0x0000000200000002", 23)
	g.fill("0x0000000700000007", 24)
	g.fill("0x0000000100000001", 25)
	g.fill("0x0000000800000008", 26)
	for part := range 3 {
		g.p("VMOVDQU64 ·thirds+%d(SB), Z%d", 64*part, 12+part)
	}
	g.p("VPBROADCASTD -4(R8), Y31") // the end before the line
	g.p("VPBROADCASTD (DX), Y9")    // record and feature before
	g.p("VPBROADCASTD 4(DX), Y10")
	g.p("VPBROADCASTD 8(DX), Y27") // number of the line
	g.p("VPADDD ·eight+0(SB), Y27, Y27")
	g.p("KXORQ K7, K7, K7")
	g.p("XORQ R13, R13")
	g.p("loop:")
	g.p("MOVL 92(R8), AX")
	g.p("CMPQ AX, R12")
	g.p("JGE done")
	g.p("VMOVDQU64 (R8), Z0")
	g.p("VMOVDQU 64(R8), Y1")
	for part := range 3 {
		g.p("VMOVDQA64 Z%d, Z%d", 12+part, 2+part)
		g.p("VPERMI2D Z1, Z0, Z%d", 2+part)
	}
	g.p("VALIGND $7, Y31, Y4, Y5")
	g.p("VPSUBD Y5, Y2, Y5") // lengths, with the byte behind
	g.p("VPSUBD Y2, Y3, Y6")
	g.p("VPSUBD Y3, Y4, Y7")
	for part := range 3 {
		g.p("VPSUBD Y23, Y%d, Y%d", 5+part, 8)
		g.p("VPCMPUD $5, Y24, Y8, K%d", 1+part)
	}
	g.p("KORB K1, K2, K1")
	g.p("KORTESTB K1, K3")
	g.p("JNE done")
	for part := range 3 {
		g.p("KXNORB K1, K1, K1")
		g.p("VPXORQ Z0, Z0, Z0")
		g.p("VPGATHERDQ -7(SI)(Y%d*1), K1, Z0", 2+part)
		g.p("VPMOVZXDQ Y%d, Z%[1]d", 5+part)
		g.p("VPSLLQ $3, Z%d, Z%[1]d", 5+part)
		g.p("VPSUBQ Z%d, Z22, Z%[1]d", 5+part)
		g.p("VPXORQ Z%d, Z0, Z0", 16+part/2)
		g.p("VPSRLVQ Z%d, Z0, Z0", 5+part)
		g.p("VPSLLVQ Z%d, Z0, Z0", 5+part)
		if part == 0 {
			g.p("VPSUBUSB Z18, Z0, Z8")
		} else {
			g.p("VPSUBUSB Z18, Z0, Z1")
			g.p("VPORQ Z1, Z8, Z8")
		}
		g.p("VPSLLQ $8, Z0, Z0")
		g.p("VPMADDUBSW Z19, Z0, Z0")
		g.p("VPMADDWD Z20, Z0, Z0")
		g.p("VPSRLQ $32, Z0, Z1")
		g.p("VPMULUDQ Z21, Z0, Z0")
		g.p("VPADDQ Z1, Z0, Z0")
		g.p("VPMOVQD Z0, Y%d", 5+part)
	}
	g.p("VPSUBD Y25, Y5, Y5") // from 0
	g.p("VPSUBD Y25, Y6, Y6")
	g.p("VPSUBD Y25, Y7, Y0")
	g.p("VPTESTMQ Z8, Z8, K1")
	g.p("VPCMPUD $5, Y28, Y5, K2")
	g.p("VPCMPUD $5, Y29, Y6, K3")
	g.p("VPCMPUD $5, Y30, Y0, K4")
	g.p("KORB K1, K2, K1")
	g.p("KORB K3, K4, K3")
	g.p("KORTESTB K1, K3")
	g.p("JNE done")
	g.p("VMOVDQU Y6, (DI)")
	g.p("VPMOVDB Y7, X7")
	g.p("VMOVQ X7, (R9)")
	g.p("VALIGND $7, Y9, Y5, Y0")
	g.p("VALIGND $7, Y10, Y6, Y1")
	g.p("VPCMPD $4, Y0, Y5, K1")  // another record
	g.p("VPCMPUD $2, Y1, Y6, K2") // no larger feature
	g.p("KANDNB K2, K1, K2")
	g.p("KORB K2, K7, K7")
	g.p("KMOVB K1, AX")
	g.p("TESTL AX, AX")
	g.p("JEQ same")
	g.p("VPCOMPRESSD.Z Y27, K1, Y0")
	g.p("VPCOMPRESSD.Z Y5, K1, Y1")
	g.p("VMOVDQU Y0, (R10)")
	g.p("VMOVDQU Y1, (R11)")
	g.p("POPCNTL AX, AX")
	g.p("LEAQ (R10)(AX*4), R10")
	g.p("LEAQ (R11)(AX*4), R11")
	g.p("same:")
	g.p("VMOVDQA64 Y4, Y31")
	g.p("VMOVDQA64 Y5, Y9")
	g.p("VMOVDQA64 Y6, Y10")
	g.p("VPADDD Y26, Y27, Y27")
	g.p("ADDQ $96, R8")
	g.p("ADDQ $32, DI")
	g.p("ADDQ $8, R9")
	g.p("ADDQ $8, R13")
	g.p("CMPQ R13, CX")
	g.p("JLT loop")
	g.p("done:")
	g.p("VEXTRACTI32X4 $1, Y9, X9")
	g.p("VPEXTRD $3, X9, (DX)")
	g.p("VEXTRACTI32X4 $1, Y10, X10")
	g.p("VPEXTRD $3, X10, 4(DX)")
	g.p("KMOVB K7, AX")
	g.p("ORL AX, 12(DX)")
	g.arg("start", "AX")
	g.p("SUBQ AX, R10")
	g.p("SHRQ $2, R10")
	g.p("MOVL R10, 16(DX)")
	g.arg("done", "AX")
	g.p("MOVQ R13, (AX)")
	g.end()
}
