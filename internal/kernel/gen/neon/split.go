package neon

import "fmt"

// split writes the products of a symmetric matrix of whole numbers with a
// vector: four rows of it go together, so that x and y are read once for four,
// and every number stands for two.
func (g *gen) split() {
	g.fn("fourRows", "adds, for four rows of n numbers each, n a multiple of 4, the rows times f (4) to the n numbers of y, and sets sums (4) to the products of the rows with x.",
		"y *float64", "x *float64", "n int", "a *int32", "b *int32", "c *int32", "d *int32", "f *float64", "sums *float64")
	const sums, f, x, y, whole, wide = 0, 8, 16, 18, 20, 24
	rows := []string{"R3", "R4", "R5", "R6"}
	for v := range 8 {
		g.zero(sums + v)
	}
	g.load("R7", 0, f, 2, false)
	g.p("loop:")
	g.load("R1", 0, x, 2, false)
	g.load("R0", 0, y, 2, false)
	for i, r := range rows {
		t := wide + i%2*2
		g.p("FMOVQ.P 16(%s), F%d", r, whole+i)
		g.w("SXTL", t, whole+i)
		g.w("SXTL2", t+1, whole+i)
		for v := range 2 {
			g.w("SCVTF", t+v, t+v)
			g.fmla(sums+2*i+v, t+v, x+v)
			g.w(fmt.Sprintf("FMLA%d", i%2), y+v, t+v, f+i/2)
		}
	}
	g.store("R0", 0, y, 2, false)
	g.forward(step{2, false}, "R0", "R1")
	g.p("SUB $4, R2")
	g.p("CBNZ R2, loop")
	for i := range rows {
		g.w("FADD", sums+2*i, sums+2*i, sums+2*i+1)
		g.w("FADDP", sums+2*i, sums+2*i)
		g.p("FMOVD.P F%d, 8(R8)", sums+2*i)
	}
	g.p("RET")
}
