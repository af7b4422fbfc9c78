package x86

// arrange writes the renumbering of rows, with values and without. A row is
// entered into the table of cells byte by byte. Of 64 cells those that are not
// zero are pressed together, sixteen at a time written out, and set to zero. There
// are two tables in turn, and a row is entered before the one in front of it is
// read: bytes that were just written hold up the vectors they are part of. It ends
// with -1 where a row has more entries than there is space.
func (g *gen) arrange(valued bool) {
	name, args := "arrangeOnes", []string{"index *uint32"}
	if valued {
		name, args = "arrange", append(args, "real *float32")
	}
	args = append(args, "end *int", "ptr *int", "rows int", "feature *uint32")
	if valued {
		args = append(args, "value *uint8")
	}
	g.fn(name, "writes rows in the order of their new numbers, by way of the cells, from place at on, which becomes that behind them.",
		append(args, "number *uint32", "cells *uint8", "other *uint8", "size int", "space int", "at *int")...)
	g.args("index DI", "ptr R8", "rows R9", "feature SI", "number R11", "cells BX", "other DX")
	if valued {
		g.args("real R12", "value R10")
	}
	g.arg("at", "R13")
	g.p("MOVQ (R13), R13")
	g.p("VPXORQ Z0, Z0, Z0")
	g.p("VMOVDQU64 ·numbers+0(SB), Z1")
	g.enterRow("first", valued)
	g.p("row:")
	g.p("XCHGQ BX, DX")
	g.p("ADDQ $8, R8")
	g.p("DECQ R9")
	g.p("JEQ read")
	g.enterRow("later", valued)
	g.p("read:")
	g.p("XORQ AX, AX")
	g.p("run:")
	g.p("VMOVDQU64 (DX)(AX*1), Z2")
	g.p("VPTESTMB Z2, Z2, K1")
	g.p("VMOVDQU64 Z0, (DX)(AX*1)")
	g.p("KMOVQ K1, CX")
	g.p("VPCOMPRESSB.Z Z1, K1, Z3")
	g.p("POPCNTQ CX, CX")
	g.p("LEAQ (R13)(CX*1), R14")
	g.arg("space", "R15")
	g.p("CMPQ R14, R15")
	g.p("JGT full")
	g.p("VPBROADCASTD AX, Z5")
	if valued {
		g.p("VPERMB Z2, Z3, Z4")
	}
	g.sixteen("first", valued)
	g.p("CMPQ CX, $16")
	g.p("JGT more")
	g.p("next:")
	g.p("ADDQ CX, R13")
	g.p("ADDQ $64, AX")
	g.arg("size", "R15")
	g.p("CMPQ AX, R15")
	g.p("JNE run")
	g.arg("end", "AX")
	g.p("MOVQ R13, (AX)")
	g.p("ADDQ $8, end+%d(FP)", g.At("end"))
	g.p("TESTQ R9, R9")
	g.p("JNE row")
	g.p("JMP done")
	g.p("more:")
	g.p("ADDQ $16, R13")
	g.p("SUBQ $16, CX")
	g.p("VALIGNQ $2, Z3, Z3, Z3")
	if valued {
		g.p("VALIGNQ $2, Z4, Z4, Z4")
	}
	g.sixteen("more", valued)
	g.p("CMPQ CX, $16")
	g.p("JGT more")
	g.p("JMP next")
	g.p("full:")
	g.p("MOVQ $-1, R13")
	g.p("done:")
	g.arg("at", "AX")
	g.p("MOVQ R13, (AX)")
	g.end()
}

// enterRow enters the row whose offsets R8 points at, four entries at a time.
func (g *gen) enterRow(id string, valued bool) {
	one := func(k int) {
		g.p("MOVL %d(SI)(AX*4), R14", 4*k)
		g.p("MOVL (R11)(R14*4), R14")
		if valued {
			g.p("MOVBLZX %d(R10)(AX*1), R15", k)
			g.p("MOVB R15, (BX)(R14*1)")
		} else {
			g.p("MOVB $1, (BX)(R14*1)")
		}
	}
	g.p("MOVQ (R8), AX")
	g.p("MOVQ 8(R8), CX")
	g.p("SUBQ $3, CX")
	g.p("%sfour:", id)
	g.p("CMPQ AX, CX")
	g.p("JGE %srest", id)
	for k := range 4 {
		one(k)
	}
	g.p("ADDQ $4, AX")
	g.p("JMP %sfour", id)
	g.p("%srest:", id)
	g.p("ADDQ $3, CX")
	g.p("%sone:", id)
	g.p("CMPQ AX, CX")
	g.p("JGE %sentered", id)
	one(0)
	g.p("INCQ AX")
	g.p("JMP %sone", id)
	g.p("%sentered:", id)
}

// sixteen writes the first sixteen of CX numbers in Z3 and values in Z4. A masked
// store holds up later loads from its whole width, and behind a short row may stand
// the entries of the next ones: without values, stores are as narrow as they can be.
func (g *gen) sixteen(id string, valued bool) {
	g.p("MOVQ $-1, R14")
	g.p("BZHIQ CX, R14, R14")
	g.p("KMOVW R14, K2")
	g.p("VPMOVZXBD X3, Z6")
	g.p("VPADDD Z5, Z6, Z6")
	if valued {
		g.p("VMOVDQU32 Z6, K2, (DI)(R13*4)")
		g.p("VPMOVZXBD X4, Z7")
		g.p("VCVTDQ2PS Z7, Z7")
		g.p("VMOVUPS Z7, K2, (R12)(R13*4)")
		return
	}
	g.p("CMPQ CX, $4")
	g.p("JGT %seight", id)
	g.p("VMOVDQU32 X6, K2, (DI)(R13*4)")
	g.p("JMP %sstored", id)
	g.p("%seight:", id)
	g.p("CMPQ CX, $8")
	g.p("JGT %ssixteen", id)
	g.p("VMOVDQU32 Y6, K2, (DI)(R13*4)")
	g.p("JMP %sstored", id)
	g.p("%ssixteen:", id)
	g.p("VMOVDQU32 Z6, K2, (DI)(R13*4)")
	g.p("%sstored:", id)
}
