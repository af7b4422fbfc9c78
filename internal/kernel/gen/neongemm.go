//go:build ignore

package main

import "fmt"

// tileVectors is the width of a register tile in vectors.
const tileVectors = 6

// Registers of tiles: sums in 0 to 23, a row of B in 24 to 29, entries of A
// from 30 on, or behind the row of B where that is shorter.
const (
	regB = 24
	regA = 30
)

// gemmRows is the height of the tallest tile of nv vectors: at most 24 sums.
func gemmRows(nv int) int {
	if nv <= 3 {
		return 8
	}
	return 4
}

// gemm writes C += A·B for one panel of at most six vectors of columns: tiles of
// C stay in registers while the products of all k are added, in order, so that
// the bits of C do not depend on how the work was cut.
func (g *gen) gemm() {
	g.fn("gemm128", "adds A·B to nv vectors of columns of m rows of c, rem lanes in the last. Entry (r,p) of A stands rs·r + cs·p bytes from a; rows of b and c are ldb and ldc bytes apart.",
		"m int", "k int", "a *float64", "rs int", "cs int", "b *float64", "ldb int", "c *float64", "ldc int", "nv int", "rem int")
	g.shapes("R9", "R10", func(id string, nv int, half bool) {
		for mr := gemmRows(nv); mr >= 1; mr /= 2 {
			here, next := fmt.Sprintf("%sr%d", id, mr), fmt.Sprintf("%sr%d", id, mr/2)
			g.p("%s:", here)
			g.p("CMP $%d, R0", mr)
			g.p("BLT %s", next)
			g.tile(here, mr, nv, half)
			g.p("SUB $%d, R0", mr)
			g.p("B %s", here)
		}
		g.p("%sr0:", id)
		g.p("RET")
	})
}

// shapes writes body for every number of vectors, whole and half last ones; the
// registers hold their number and the lanes of the last.
func (g *gen) shapes(nvReg, remReg string, body func(id string, nv int, half bool)) {
	for nv := 1; nv <= tileVectors; nv++ {
		g.p("CMP $%d, %s", nv, nvReg)
		g.p("BEQ v%d", nv)
	}
	g.p("RET")
	for nv := 1; nv <= tileVectors; nv++ {
		g.p("v%d:", nv)
		g.p("CMP $1, %s", remReg)
		g.p("BEQ h%d", nv)
		body(fmt.Sprintf("v%d", nv), nv, false)
		g.p("h%d:", nv)
		body(fmt.Sprintf("h%d", nv), nv, true)
	}
}

// rowOfA are the registers of the addresses of rows of A.
var rowOfA = []string{"R9", "R10", "R11", "R12", "R13", "R14", "R15", "R19"}

// tile works on mr rows and nv vectors; R7 moves past the rows of C and R2 past
// those of A.
func (g *gen) tile(id string, mr, nv int, half bool) {
	g.p("MOVD R7, R23")
	for r := range mr {
		g.load("R23", 0, r*nv, nv, half)
		g.p("ADD R8, R23")
		g.p("MOVD R2, %s", rowOfA[r])
		g.p("ADD R3, R2")
	}
	g.p("MOVD ZR, R20")
	g.p("MOVD R5, R21")
	g.p("MOVD R1, R22")
	g.p("PCALIGN $16")
	g.p("%sloop:", id)
	g.load("R21", 0, regB, nv, half)
	for r := range mr {
		a := regB + nv + r%(32-regB-nv)
		g.p("FMOVD (%s)(R20), F%d", rowOfA[r], a)
		for v := range nv {
			g.w("FMLA0", r*nv+v, regB+v, a)
		}
	}
	g.p("ADD R6, R21")
	g.p("ADD R4, R20")
	g.p("SUB $1, R22")
	g.p("CBNZ R22, %sloop", id)
	for r := range mr {
		g.store("R7", 0, r*nv, nv, half)
		g.p("ADD R8, R7")
	}
}

// triangle writes the same for the packed upper triangle of a symmetric C, and
// the scaled copy of rows that it multiplies with. Tiles have four rows, or two
// and one where a triangle ends.
func (g *gen) triangle() {
	g.scale()
	g.fn("triangle128", "adds AᵀB to one tile of a packed triangle: four rows, nv vectors of columns. Rows of A and B are lda and ldb bytes apart; the next row of c begins ldc bytes on, the one after it 8 bytes less. diag not 0 says that the tile begins on the diagonal, whose left side it leaves alone; there, a tile of two or three columns has two rows, and one of one column has one.",
		"k int", "a *float64", "lda int", "b *float64", "ldb int", "c *float64", "ldc int", "nv int", "rem int", "diag int")
	g.shapes("R7", "R8", func(id string, nv int, half bool) {
		g.p("CBNZ R9, %sdiag", id)
		g.triangleTile(id+"off", 4, nv, half, false)
		g.p("%sdiag:", id)
		mr := 4
		switch {
		case nv == 1 && half:
			mr = 1
		case nv == 1 || nv == 2 && half:
			mr = 2
		}
		g.triangleTile(id+"on", mr, nv, half, true)
	})
}

func (g *gen) triangleTile(id string, mr, nv int, half, diag bool) {
	g.triangleRows(mr, nv, half, diag, true)
	g.p("PCALIGN $16")
	g.p("%sloop:", id)
	g.load("R3", 0, regB, nv, half)
	g.load("R1", 0, regA, (mr+1)/2, mr == 1)
	for r := range mr {
		for v := range nv {
			if diag && 2*v+1 < r {
				continue
			}
			g.w([]string{"FMLA0", "FMLA1"}[r%2], r*nv+v, regB+v, regA+r/2)
		}
	}
	g.p("ADD R2, R1")
	g.p("ADD R4, R3")
	g.p("SUB $1, R0")
	g.p("CBNZ R0, %sloop", id)
	g.triangleRows(mr, nv, half, diag, false)
	g.p("RET")
}

// triangleRows moves the sums from (load) or to the packed rows of C. On the
// diagonal, row r leaves its first r lanes alone.
func (g *gen) triangleRows(mr, nv int, half, diag, load bool) {
	g.p("MOVD R5, R10")
	g.p("MOVD R6, R11")
	for r := range mr {
		first := 0 // vector that is moved as a whole
		if diag {
			first = (r + 1) / 2
		}
		if diag && r%2 == 1 {
			g.upper(r*nv+r/2, 8*r, load)
		}
		if load {
			g.load("R10", 16*first, r*nv+first, nv-first, half)
		} else {
			g.store("R10", 16*first, r*nv+first, nv-first, half)
		}
		if r < mr-1 {
			g.p("ADD R11, R10")
			g.p("SUB $8, R11")
		}
	}
}

// upper moves the upper lane of register v; the lower one becomes 0.
func (g *gen) upper(v, at int, load bool) {
	g.p("ADD $%d, R10, R12", at)
	if !load {
		g.p("VST1 V%d.D[1], (R12)", v)
		return
	}
	g.zero(v)
	g.p("VLD1 (R12), V%d.D[1]", v)
}

// scale writes w·z for panels of rows: w is the record's weight times, where
// col is not nil, its entry of that column.
func (g *gen) scale() {
	g.fn("scale128", "sets n rows of dst to the rows of z times v (ones where nil) times col (ones where nil); nv vectors, rem lanes in the last. Rows of z and col are ldz bytes apart, those of dst ldd.",
		"dst *float64", "ldd int", "z *float64", "ldz int", "n int", "col *float64", "v *float64", "nv int", "rem int")
	g.p("SUB $1, R7")
	g.p("ADD R7<<1, R8, R7") // numbers of a row
	g.p("row:")
	g.p("FMOVD $1.0, F0")
	g.p("CBZ R6, noweight")
	g.p("FMOVD.P 8(R6), F0")
	g.p("noweight:")
	g.p("CBZ R5, nocol")
	g.p("FMOVD (R5), F1")
	g.p("FMULD F1, F0, F0")
	g.p("ADD R3, R5")
	g.p("nocol:")
	g.p("MOVD R0, R9")
	g.p("MOVD R2, R10")
	g.p("MOVD R7, R11")
	g.over("s", "R11", 4, func(s step) {
		g.load("R10", 0, 16, s.nv, s.half)
		for v := range s.nv {
			g.w("FMUL0", 16+v, 16+v, 0)
		}
		g.store("R9", 0, 16, s.nv, s.half)
		g.forward(s, "R9", "R10")
	})
	g.p("ADD R1, R0")
	g.p("ADD R3, R2")
	g.p("SUB $1, R4")
	g.p("CBNZ R4, row")
	g.p("RET")
}
