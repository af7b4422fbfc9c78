//go:build ignore

package main

// group scan: what readers look for in text: bytes that are no plain text,
// places of separators, and whole numbers between them.
const group = "scan"

func (g *gen) kernels() {
	g.clean()
	if g.wide() {
		g.places()
		g.numbers()
		g.arrange(false)
		g.arrange(true)
	}
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
	g.arg("out", "DI")
	g.arg("text", "SI")
	g.arg("n", "CX")
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

// places writes the list of places of bytes: the numbers of sixteen of them are
// pressed together by their mask, and as many kept as the mask has bits. A store
// reaches up to sixteen entries beyond the last.
func (g *gen) places() {
	for i := range 16 {
		g.p("DATA places<>+%d(SB)/4, $%d", 4*i, i)
	}
	g.p("GLOBL places<>(SB), RODATA|NOPTR, $64")
	g.fn("places", "writes base plus the places in n runs of 64 bytes of text that hold one of the four bytes of set, and sets out to their number; dst has 16 entries more.",
		"dst *uint32", "text *byte", "n int", "set *byte", "base int", "out *int")
	g.arg("dst", "DI")
	g.arg("text", "SI")
	g.arg("n", "CX")
	g.arg("set", "DX")
	g.arg("base", "AX")
	g.p("MOVQ DI, R8")
	for i := range 4 {
		g.p("VPBROADCASTB %d(DX), Z%d", i, i)
	}
	g.p("VPBROADCASTD AX, Z5")
	g.p("VPADDD places<>(SB), Z5, Z5")
	g.p("MOVL $16, AX")
	g.p("VPBROADCASTD AX, Z6")
	g.p("loop:")
	g.p("VMOVDQU64 (SI), Z4")
	for i := range 4 {
		g.p("VPCMPEQB Z%d, Z4, K%d", i, i+1)
	}
	g.p("KORQ K1, K2, K1")
	g.p("KORQ K3, K4, K3")
	g.p("KORQ K1, K3, K1")
	g.p("KMOVQ K1, AX")
	for part := range 4 {
		g.p("KMOVW AX, K%d", 1+part)
		g.p("VPCOMPRESSD.Z Z5, K%d, Z%d", 1+part, 7+part)
		g.p("VMOVDQU32 Z%d, (DI)", 7+part)
		g.p("MOVWLZX AX, BX")
		g.p("POPCNTL BX, BX")
		g.p("LEAQ (DI)(BX*4), DI")
		g.p("SHRQ $16, AX")
		g.p("VPADDD Z6, Z5, Z5")
	}
	g.p("ADDQ $64, SI")
	g.p("DECQ CX")
	g.p("JNE loop")
	g.p("SUBQ R8, DI")
	g.p("SHRQ $2, DI")
	g.arg("out", "AX")
	g.p("MOVQ DI, (AX)")
	g.end()
}

// numbers writes the reading of eight whole numbers at a time. The last eight
// bytes of each field are gathered, what is before the field is shifted out, and
// neighbouring digits are joined three times.
func (g *gen) numbers() {
	g.fn("numbers", "sets n numbers, a multiple of 8, to those of the fields of text that end at ends, each beginning behind the end before it; ends has an entry in front.",
		"dst *uint32", "text *byte", "ends *uint32", "n int")
	g.arg("dst", "DI")
	g.arg("text", "SI")
	g.arg("ends", "R8")
	g.arg("n", "CX")
	g.fill("0x3030303030303030", 20)
	g.fill("0x0909090909090909", 21)
	g.fill("0x010a010a010a010a", 22)
	g.fill("0x0001006400010064", 23)
	g.fill("10000", 24)
	g.fill("-1", 25)
	g.fill("56", 26)
	g.fill("0x0000000800000008", 27)
	g.fill("0x0000000200000002", 28)
	g.p("loop:")
	g.p("VMOVDQU (R8), Y1")
	g.p("VMOVDQU -4(R8), Y2")
	g.p("VPSUBD Y2, Y1, Y2")
	g.p("VPSUBD Y28, Y2, Y2")      // length less one
	g.p("VPCMPUD $5, Y27, Y2, K2") // not 1 to 8 bytes
	g.p("VPCMPUD $1, Y27, Y1, K3") // nothing may be read before the text
	g.p("VPMAXUD Y27, Y1, Y3")
	g.p("VPSUBD Y27, Y3, Y3")
	g.p("KXNORB K1, K1, K1")
	g.p("VPXORQ Z4, Z4, Z4")
	g.p("VPGATHERDQ (SI)(Y3*1), K1, Z4")
	g.p("VPMOVZXDQ Y2, Z5")
	g.p("VPSLLQ $3, Z5, Z5")
	g.p("VPSUBQ Z5, Z26, Z5")
	g.p("VPXORQ Z20, Z4, Z4")
	g.p("VPSRLVQ Z5, Z4, Z4")
	g.p("VPSLLVQ Z5, Z4, Z4")
	g.p("VPSUBUSB Z21, Z4, Z6")
	g.p("VPTESTMQ Z6, Z6, K4") // bytes above 9
	g.p("KORB K2, K3, K2")
	g.p("KORB K2, K4, K2")
	g.p("VPMADDUBSW Z22, Z4, Z4")
	g.p("VPMADDWD Z23, Z4, Z4")
	g.p("VPSRLQ $32, Z4, Z7")
	g.p("VPMULUDQ Z24, Z4, Z4")
	g.p("VPADDQ Z7, Z4, Z4")
	g.p("VMOVDQA64 Z25, K2, Z4")
	g.p("VPMOVQD Z4, Y4")
	g.p("VMOVDQU Y4, (DI)")
	g.p("ADDQ $32, DI")
	g.p("ADDQ $32, R8")
	g.p("SUBQ $8, CX")
	g.p("JNE loop")
	g.end()
}
