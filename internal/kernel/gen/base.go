//go:build ignore

package main

// group base: products of rows and panels, triangles, rotations, softmax.
const group = "base"

func (g *gen) kernels() {
	g.vectors()
	g.sparse()
	g.gemm()
	g.triangle()
	g.softmax()
}
