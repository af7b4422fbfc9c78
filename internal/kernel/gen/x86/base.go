package x86

// base writes products of rows and panels, rotations, softmax.
func (g *gen) base() {
	g.vectors()
	g.sparse()
	g.gemm()
	g.scale()
	g.softmax()
	g.logSum()
	g.exponentials()
	g.logarithms()
}

// baseWide is what of it gains by AVX-512: long chains of products.
func (g *gen) baseWide() {
	g.gemm()
	g.softmax()
	g.exponentials()
	g.logarithms()
}
