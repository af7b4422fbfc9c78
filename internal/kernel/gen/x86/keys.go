package x86

// keys writes the reading of short fields as numbers, eight rows at a time, up to
// the first eight of which a field begins less than eight bytes before the end of
// the text.
func (g *gen) keys() {
	g.fn("keys", "sets n numbers, a multiple of 8, to the bytes between the places at ends and behind them, the next width places on, and done to how many.",
		"dst *uint64", "text *byte", "size int", "ends *uint32", "width int", "n int", "done *int")
	g.args("dst DI", "text SI", "size R9", "ends R8", "width BX", "n CX")
	g.p("VPBROADCASTD BX, Y0")
	g.p("VPMULLD ·eight+0(SB), Y0, Y0")
	g.p("SHLQ $5, BX") // bytes of eight rows
	g.p("SUBQ $8, R9")
	g.p("VPBROADCASTD R9, Y1")
	g.fill("0x0000000100000001", 2)
	g.fill("0x0000000800000008", 3)
	g.fill("64", 4)
	g.fill("-1", 5)
	g.p("XORQ DX, DX")
	g.p("loop:")
	g.p("KXNORB K1, K1, K1")
	g.p("KXNORB K2, K2, K2")
	g.p("VPXORD Y6, Y6, Y6")
	g.p("VPXORD Y7, Y7, Y7")
	g.p("VPGATHERDD (R8)(Y0*4), K1, Y6")
	g.p("VPGATHERDD 4(R8)(Y0*4), K2, Y7")
	g.p("VPADDD Y2, Y6, Y6") // start
	g.p("VPCMPUD $6, Y1, Y6, K1")
	g.p("KTESTB K1, K1")
	g.p("JNE done")
	g.p("VPSUBD Y6, Y7, Y7") // length
	g.p("VPSUBD Y2, Y7, Y8")
	g.p("VPCMPUD $5, Y3, Y8, K2") // not 1 to 8
	g.p("KXNORB K1, K1, K1")
	g.p("VPXORQ Z9, Z9, Z9")
	g.p("VPGATHERDQ (SI)(Y6*1), K1, Z9")
	g.p("VPMOVZXDQ Y7, Z7")
	g.p("VPSLLQ $3, Z7, Z7")
	g.p("VPSUBQ Z7, Z4, Z7")
	g.p("VPSLLVQ Z7, Z9, Z9")
	g.p("VPSRLVQ Z7, Z9, Z9")
	g.p("VMOVDQA64 Z5, K2, Z9")
	g.p("VMOVDQU64 Z9, (DI)")
	g.p("ADDQ $64, DI")
	g.p("ADDQ BX, R8")
	g.p("ADDQ $8, DX")
	g.p("CMPQ DX, CX")
	g.p("JLT loop")
	g.p("done:")
	g.arg("done", "AX")
	g.p("MOVQ DX, (AX)")
	g.end()
}
