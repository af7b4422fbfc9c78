package moment

import (
	"context"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
)

// The moments of centers inside a subspace are the exact ones.
func TestCompressedAgainstExact(t *testing.T) {
	const d, r, k, l = 9, 4, 3, 3
	rnd := stream.New(8, "compressed")
	q, inner := spectral.Orth(spectral.Random(rnd, d, r)), spectral.Random(rnd, r, k)
	weights := []float64{0.5, 0.3, 0.2}
	c := &Compressed{Basis: q, Second: mat.NewDense(r, r, nil), Third: NewCube(r)}
	for j, w := range weights {
		v := mat.NewVecDense(r, mat.Col(nil, j, inner))
		c.Second.RankOne(c.Second, w, v, v)
		c.Third.AddSym3(w, v.RawVector().Data)
	}
	var centers mat.Dense
	centers.Mul(q, inner)
	b := spectral.Random(rnd, d, l)
	ctx := context.Background()
	got, err := c.Project(ctx, b, Second|Core|Slices|Rows)
	if err != nil {
		t.Fatal(err)
	}
	want, err := NewExact(mixture.New(&centers, weights)).Project(ctx, b, Second|Core|Slices|Rows)
	if err != nil {
		t.Fatal(err)
	}
	const tol = 1e-12 // sums of a few products of numbers near one
	for name, pair := range map[string][2][]float64{
		"M2·B":   {got.Second.RawMatrix().Data, want.Second.RawMatrix().Data},
		"core":   {got.Core.Data, want.Core.Data},
		"slices": {got.Slices.RawMatrix().Data, want.Slices.RawMatrix().Data},
		"rows":   {got.Rows.RawMatrix().Data, want.Rows.RawMatrix().Data},
	} {
		for i, v := range pair[1] {
			if numtest.Off(v, pair[0][i], tol) {
				t.Errorf("%s: number %d is %v, want %v", name, i, pair[0][i], v)
			}
		}
	}
	if _, err := c.Project(ctx, spectral.Random(rnd, d+1, l), Second); err == nil {
		t.Error("a basis of the wrong height is accepted")
	}
}
