package familytest

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/spectral"
	"github.com/moiety-go/moiety/stream"
)

// momentError returns the relative error of M2·B and M3(B,B,B) of n sampled
// records against the exact moments, in a random basis of k columns.
func momentError(t *testing.T, f family.Family, c Case, n int) (second, third float64) {
	t.Helper()
	ctx := context.Background()
	src, err := f.Source(ctx, draw(t, f, c, n).Runner(0), c.Params.K())
	if err != nil {
		t.Fatalf("Source: %v", err)
	}
	truth := c.Params
	if c.Coordinates != nil {
		truth = c.Coordinates(src, truth)
	}
	exact := moment.NewExact(truth)
	b := spectral.Random(stream.New(c.Seed, "familytest basis"), src.Dim(), c.Params.K())
	got, err := src.Project(ctx, b, moment.Second|moment.Core)
	if err != nil {
		t.Fatalf("Project: %v", err)
	}
	want, err := exact.Project(ctx, b, moment.Second|moment.Core)
	if err != nil {
		t.Fatal(err)
	}
	var diff mat.Dense
	diff.Sub(got.Second, want.Second)
	return mat.Norm(&diff, 2) / mat.Norm(want.Second, 2),
		distance(got.Core.Data, want.Core.Data) / distance(want.Core.Data, make([]float64, len(want.Core.Data)))
}

func distance(a, b []float64) float64 {
	sum := 0.0
	for i, v := range a {
		sum += (v - b[i]) * (v - b[i])
	}
	return math.Sqrt(sum)
}

// checkMoments: the moments of records approach those of the parameters.
func checkMoments(t *testing.T, f family.Family, c Case) {
	if c.NoMoments {
		t.Skip("the moments of this family are not those of its centers")
	}
	const (
		shortLimit = 0.5 // of the moment itself, at a few thousand records: a wrong formula is off by more
		rate       = 2.0 // of 4 expected from 16 times the records; half of it allows for luck
		smallest   = 1e-9
	)
	second, third := momentError(t, f, c, 4*c.n())
	if !(second < shortLimit) || !(third < shortLimit) {
		t.Errorf("relative error of M2 %.3f, of M3 %.3f", second, third)
	}
	if testing.Short() {
		return
	}
	second16, third16 := momentError(t, f, c, 64*c.n())
	if second16 > second/rate && second16 > smallest || third16 > third/rate && third16 > smallest {
		t.Errorf("16 times the records: error of M2 from %.4f to %.4f, of M3 from %.4f to %.4f", second, second16, third, third16)
	}
}
