package x86

import "fmt"

// vectors writes the kernels on plain vectors.
func (g *gen) vectors() {
	g.axpy()
	g.packedRow()
	g.rotate()
	g.maxIndex()
	g.zeros()
	g.marks()
}

// piece is a vector, half or quarter of one, or a single number: what body of
// over works on at byte offset AX.
type piece struct {
	class string // of registers: Z, Y, X
	op    string // PD or SD
	u     int    // number among those worked on at once
	at    int    // bytes from AX
}

func (p piece) reg(i int) string      { return fmt.Sprintf("%s%d", p.class, i) }
func (p piece) mem(ptr string) string { return fmt.Sprintf("%d(%s)(AX*1)", p.at, ptr) }

func (p piece) mov() string {
	if p.op == "SD" {
		return "VMOVSD"
	}
	return "VMOVUPD"
}

// over runs body over the n (in CX, spoiled) entries from byte offset AX = 0 on:
// several vectors at a time, one, and the rest in pieces of four, two and one
// number. Pieces, not a mask: what is written here is read again a few
// instructions later, and a masked store holds up every load from its whole
// width.
func (g *gen) over(id string, unroll int, body func(p piece)) {
	g.p("XORQ AX, AX")
	steps := []int{unroll * g.lanes()}
	if unroll > 1 {
		steps = append(steps, g.lanes())
	}
	for i, n := range steps {
		g.p("%sby%d:", id, n)
		g.p("CMPQ CX, $%d", n)
		if i+1 < len(steps) {
			g.p("JLT %sby%d", id, steps[i+1])
		} else {
			g.p("JLT %stail", id)
		}
		for u := range n / g.lanes() {
			body(piece{g.reg(0)[:1], "PD", u, u * g.bytes})
		}
		g.p("ADDQ $%d, AX", 8*n)
		g.p("SUBQ $%d, CX", n)
		g.p("JMP %sby%d", id, n)
	}
	g.p("%stail:", id)
	for n := g.lanes() / 2; n >= 1; n /= 2 {
		g.p("TESTQ $%d, CX", n)
		g.p("JEQ %sno%d", id, n)
		body(map[int]piece{4: {"Y", "PD", 0, 0}, 2: {"X", "PD", 0, 0}, 1: {"X", "SD", 0, 0}}[n])
		if n > 1 {
			g.p("ADDQ $%d, AX", 8*n)
		}
		g.p("%sno%d:", id, n)
	}
}

func (g *gen) axpy() {
	g.fn("axpy", "adds f·x to the n numbers of dst.", "dst *float64", "x *float64", "n int", "f float64")
	g.args("dst DI", "x SI", "n CX")
	g.p("VBROADCASTSD f+24(FP), %s", g.reg(0))
	g.over("a", 4, g.axpyOne)
	g.end()
}

func (g *gen) axpyOne(p piece) {
	d, x := p.reg(1+2*p.u), p.reg(2+2*p.u)
	g.p("%s %s, %s", p.mov(), p.mem("DI"), d)
	g.p("%s %s, %s", p.mov(), p.mem("SI"), x)
	g.p("VFMADD231%s %s, %s, %s", p.op, x, p.reg(0), d)
	g.p("%s %s, %s", p.mov(), d, p.mem("DI"))
}

// packedRow writes the share of one record in a packed triangle.
func (g *gen) packedRow() {
	g.fn("packedRow", "adds f·z⊗z of m numbers to the packed triangle dst.", "dst *float64", "z *float64", "m int", "f float64")
	g.args("dst DI", "z SI", "m DX", "f X10")
	g.p("row:")
	g.p("VMULSD (SI), X10, X0")
	g.p("VBROADCASTSD X0, %s", g.reg(0))
	g.p("MOVQ DX, CX")
	g.over("p", 1, g.axpyOne)
	g.p("LEAQ (DI)(DX*8), DI")
	g.p("ADDQ $8, SI")
	g.p("DECQ DX")
	g.p("JNE row")
	g.end()
}

func (g *gen) rotate() {
	g.fn("rotate", "turns the n pairs (x,y) into (c·x + s·y, c·y − s·x).", "x *float64", "y *float64", "n int", "c float64", "s float64")
	g.args("x DI", "y SI", "n CX")
	g.p("VBROADCASTSD c+24(FP), %s", g.reg(0))
	g.p("VBROADCASTSD s+32(FP), %s", g.reg(1))
	g.over("r", 2, func(p piece) {
		x, y, v, w := p.reg(2+4*p.u), p.reg(3+4*p.u), p.reg(4+4*p.u), p.reg(5+4*p.u)
		g.p("%s %s, %s", p.mov(), p.mem("DI"), x)
		g.p("%s %s, %s", p.mov(), p.mem("SI"), y)
		g.p("VMUL%s %s, %s, %s", p.op, y, p.reg(1), v)
		g.p("VMUL%s %s, %s, %s", p.op, x, p.reg(1), w)
		g.p("VFMADD231%s %s, %s, %s", p.op, x, p.reg(0), v)
		g.p("VFMSUB231%s %s, %s, %s", p.op, y, p.reg(0), w)
		g.p("%s %s, %s", p.mov(), v, p.mem("DI"))
		g.p("%s %s, %s", p.mov(), w, p.mem("SI"))
	})
	g.end()
}

// maxIndex writes the test of bounds that the products need before they read
// a table without further checks.
func (g *gen) maxIndex() {
	g.fn("maxIndex", "raises the 64 bytes of lanes at top to the largest of the n indices, n a multiple of 16.",
		"top *uint32", "index *uint32", "n int")
	g.args("top DI", "index SI", "n CX")
	vectors := 64 / g.bytes
	for v := range vectors {
		g.p("VMOVUPD %d(DI), %s", v*g.bytes, g.reg(v))
	}
	g.p("loop:")
	g.p("TESTQ CX, CX")
	g.p("JEQ done")
	for v := range vectors {
		g.p("VPMAXUD %d(SI), %s, %[2]s", v*g.bytes, g.reg(v))
	}
	g.p("ADDQ $64, SI")
	g.p("SUBQ $16, CX")
	g.p("JMP loop")
	g.p("done:")
	for v := range vectors {
		g.p("VMOVUPD %s, %d(DI)", g.reg(v), v*g.bytes)
	}
	g.end()
}

// zeros writes the test for finite numbers.
func (g *gen) zeros() {
	g.fn("zeros", "sets the 64 bytes of lanes at sum to sums of 0·x over the n numbers of x: NaN where one is not finite.",
		"sum *float64", "x *float64", "n int")
	g.args("sum DI", "x SI", "n CX")
	for i := range 5 {
		g.zero(i)
	}
	g.zero(8)
	g.over("z", 4, func(p piece) {
		g.p("%s %s, %s", p.mov(), p.mem("SI"), p.reg(9))
		if p.class != g.reg(0)[:1] || p.op == "SD" { // would clear the upper lanes of the sums
			g.p("VFMADD231PD %s, %s, %s", g.reg(9), g.reg(8), g.reg(4))
			return
		}
		g.p("VFMADD231PD %s, %s, %s", g.reg(9), g.reg(8), g.reg(p.u))
	})
	for _, u := range []int{1, 2, 3, 4} {
		g.p("VADDPD %s, %s, %[2]s", g.reg(u), g.reg(0))
	}
	for at := 0; at < 64; at += g.bytes {
		g.p("VMOVUPD %s, %d(DI)", g.reg(0), at)
	}
	g.end()
}

// marks writes the scanner of bytes.
func (g *gen) marks() {
	g.fn("marks", "sets n words of 64 bits, one for each byte of text: whether it is one of the four bytes of set.",
		"dst *uint64", "text *byte", "n int", "set *byte")
	g.args("dst DI", "text SI", "n CX", "set DX")
	for i := range 4 {
		g.p("VPBROADCASTB %d(DX), %s", i, g.reg(i))
	}
	g.p("loop:")
	if g.wide() {
		g.p("VMOVDQU64 (SI), Z4")
		for i := range 4 {
			g.p("VPCMPEQB Z%d, Z4, K%d", i, i+1)
		}
		g.p("KORQ K1, K2, K1")
		g.p("KORQ K3, K4, K3")
		g.p("KORQ K1, K3, K1")
		g.p("KMOVQ K1, (DI)")
	} else {
		for half, out := range []string{"AX", "BX"} {
			g.p("VMOVDQU %d(SI), Y4", 32*half)
			for i := range 4 {
				g.p("VPCMPEQB Y%d, Y4, Y%d", i, 5+i)
			}
			g.p("VPOR Y5, Y6, Y5")
			g.p("VPOR Y7, Y8, Y7")
			g.p("VPOR Y5, Y7, Y5")
			g.p("VPMOVMSKB Y5, %s", out)
		}
		g.p("SHLQ $32, BX")
		g.p("ORQ BX, AX")
		g.p("MOVQ AX, (DI)")
	}
	g.p("ADDQ $8, DI")
	g.p("ADDQ $64, SI")
	g.p("DECQ CX")
	g.p("JNE loop")
	g.end()
}
