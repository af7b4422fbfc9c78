// Package moment turns records into the moments of a latent variable model
// without ever forming a d×d×d array.
//
// A Source offers the moments that all families of this product share after
// their own corrections:
//
//	M1 = Σ_j ω_j μ_j    M2 = Σ_j ω_j μ_j μ_jᵀ    M3 = Σ_j ω_j μ_j⊗μ_j⊗μ_j
//
// and only through small projections: M2·B and M3 seen in a basis B of few
// columns. A Source comes from records (Sampled, from a Runner and a Formula)
// or from known parameters (Exact, by formulas that share no code with the
// sums). Steps before: pass. Steps after: decompose.
package moment

import (
	"context"

	"gonum.org/v1/gonum/mat"
)

// Want names what a projection should hold; wants are joined by |.
type Want uint8

// What a projection can hold.
const (
	Second Want = 1 << iota // M2·B
	Core                    // M3(B,B,B)
	Slices                  // BᵀM3(e_r)B for every feature r
	Rows                    // only the diagonals of those slices
)

// Projection holds moments seen in a basis B (d×l).
type Projection struct {
	Second *mat.Dense // d×l: M2·B
	Core   *Cube      // l×l×l: M3(B,B,B)
	Slices *mat.Dense // d×l(l+1)/2: row r is BᵀM3(e_r)B, entries a ≤ b in lexicographic order
	Rows   *mat.Dense // d×l: entry (r,a) is M3(e_r,b_a,b_a)
}

// A Source offers the moments of one model over d features. Every call may
// touch data, here or on a cluster, so it takes a context and may fail.
type Source interface {
	// Dim returns the number of features.
	Dim() int
	// First returns M1.
	First(ctx context.Context) ([]float64, error)
	// Project returns the wanted moments in basis b (d×l), in one scan.
	Project(ctx context.Context, b *mat.Dense, want Want) (*Projection, error)
}

// Workers returns the number of cores of a source, one where it does not say.
func Workers(src Source) int {
	if w, ok := src.(interface{ Workers() int }); ok {
		return w.Workers()
	}
	return 1
}

// MostCubed is the largest number of components whose third moment is held whole where
// there is another way. It has k³ numbers, each record adds k³/6 products, and a sweep
// of rotations that makes it diagonal takes 3k⁴.
const MostCubed = 64

// A RowSource is a Source that gives Rows in any basis for about as many products as M2
// in a basis of that size takes.
type RowSource interface {
	Source
	// GivesRows reports whether it does.
	GivesRows() bool
}

// Scans reports whether the moments of k components are better looked at by scans for
// Rows than through a Core.
func Scans(src Source, k int) bool {
	s, ok := src.(RowSource)
	return k > MostCubed && ok && s.GivesRows()
}

// Slice returns row r of the packed slices as a symmetric l×l matrix.
func (p *Projection) Slice(r, l int) *mat.Dense {
	out := mat.NewDense(l, l, nil)
	packed := p.Slices.RawRowView(r)
	at := 0
	for a := range l {
		for b := a; b < l; b++ {
			out.Set(a, b, packed[at])
			out.Set(b, a, packed[at])
			at++
		}
	}
	return out
}

// Unbounded is a Source whose second moment can be had whole; it is small.
type Unbounded interface {
	// Matrix returns M2 (d×d), which the caller must not change.
	Matrix(ctx context.Context) (*mat.SymDense, error)
}
