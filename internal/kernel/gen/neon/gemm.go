package neon

import "fmt"

// Registers of tiles: sums in 0 to 23, a row of B in 24 to 29, entries of A
// from 30 on, or behind the row of B where that is shorter.
const (
	regB = 24
	mr   = 4 // rows of a tile; what is left of them goes one by one
)

// tiles are the widths of register tiles in vectors, 0 standing for one number.
var tiles = []int{6, 4, 2, 1, 0}

// gemm writes C += A·B for one panel of at most six vectors of columns: tiles of
// C stay in registers while the products of all k are added, in order, so that
// the bits of C do not depend on how the work was cut.
func (g *gen) gemm() {
	g.fn("gemm", "adds A·B to nv vectors of columns (1, 2, 4 or 6), or with rem 1 to one column, of m rows of c. Entry (r,p) of A stands rs·r + cs·p bytes from a; rows of b and c are ldb and ldc bytes apart.",
		"m int", "k int", "a *float64", "rs int", "cs int", "b *float64", "ldb int", "c *float64", "ldc int", "nv int", "rem int")
	g.p("CMP $1, R10")
	g.p("BNE whole")
	g.p("MOVD ZR, R9")
	g.p("whole:")
	for _, nv := range tiles {
		g.p("CMP $%d, R9", nv)
		g.p("BEQ v%dr%d", nv, mr)
	}
	g.p("RET")
	for _, nv := range tiles {
		for _, rows := range []int{mr, 1} {
			here, next := fmt.Sprintf("v%dr%d", nv, rows), fmt.Sprintf("v%dr%d", nv, map[int]int{mr: 1, 1: 0}[rows])
			g.p("%s:", here)
			g.p("CMP $%d, R0", rows)
			g.p("BLT %s", next)
			g.tile(here, rows, max(1, nv), nv == 0)
			g.p("SUB $%d, R0", rows)
			g.p("B %s", here)
		}
		g.p("v%dr0:", nv)
		g.p("RET")
	}
}

// rowOfA are the registers of the addresses of rows of A.
var rowOfA = []string{"R9", "R10", "R11", "R12"}

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

// scale writes w·z for panels of rows: w is the record's weight times, where
// col is not nil, its entry of that column.
func (g *gen) scale() {
	g.fn("scale", "sets n rows of dst to the rows of z times v (ones where nil) times col (ones where nil); nv vectors, rem lanes in the last. Rows of z and col are ldz bytes apart, those of dst ldd.",
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
