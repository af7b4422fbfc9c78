package sparse

import "github.com/moiety-go/moiety/internal/kernel"

// MulTo sets dst (n×l, row by row) to X·B for a d×l matrix b.
func (r Rows) MulTo(dst, b []float64, l int) {
	switch {
	case r.Dense != nil:
		kernel.DenseMul(dst, r.Dense, r.Dim, b, l)
	default:
		kernel.Gather(dst, r.Ptr, r.Index, r.Value, b, l)
	}
}

// AddTransMul adds Xᵀ·Z to dst (d×l) for an n×l matrix z.
func (r Rows) AddTransMul(dst, z []float64, l int) {
	switch {
	case r.Dense != nil:
		kernel.DenseTransMul(dst, r.Dense, r.Dim, z, l)
	default:
		kernel.Scatter(dst, r.Ptr, r.Index, r.Value, z, l)
	}
}
