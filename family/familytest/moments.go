package familytest

import (
	"context"
	"math"
	"testing"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
)

// momentError returns the error of the moments of n sampled records, the root
// of the mean square over several samples.
func momentError(t *testing.T, f family.Family, c Case, n, samples int) float64 {
	t.Helper()
	sum := 0.0
	for range samples {
		c.Seed++
		e := sampleError(t, f, c, n)
		sum += e * e / float64(samples)
	}
	return math.Sqrt(sum)
}

func sampleError(t *testing.T, f family.Family, c Case, n int) float64 {
	t.Helper()
	src, err := f.Source(context.Background(), draw(t, f, c, n).Runner(0), c.Params.K())
	if err != nil {
		t.Fatalf("Source: %v", err)
	}
	truth := c.Params
	if c.Coordinates != nil {
		truth = c.Coordinates(src, truth)
	}
	return MomentError(t, src, truth)
}

// MomentError returns the larger one of the relative errors of M2·B and
// M3(B,B,B) of a source against the exact moments of p, which are in its
// coordinates. B is a basis of the centers: what a decomposition looks at.
func MomentError(t *testing.T, src moment.Source, p mixture.Params) float64 {
	t.Helper()
	ctx, b := context.Background(), spectral.Orth(p.Centers)
	got, err := src.Project(ctx, b, moment.Second|moment.Core)
	if err != nil {
		t.Fatalf("Project: %v", err)
	}
	want, err := moment.NewExact(p).Project(ctx, b, moment.Second|moment.Core)
	if err != nil {
		t.Fatal(err)
	}
	zero := make([]float64, max(len(want.Core.Data), len(want.Second.RawMatrix().Data)))
	relative := func(got, want []float64) float64 { return distance(got, want) / distance(want, zero) }
	return math.Max(relative(got.Core.Data, want.Core.Data),
		relative(got.Second.RawMatrix().Data, want.Second.RawMatrix().Data))
}

// Divide returns p with row h of the centers divided by scale_h: parameters in
// the coordinates of a standardised source. Rows of infinite scale become zero.
func Divide(p mixture.Params, scale []float64) mixture.Params {
	out := clone(p)
	for h, s := range scale {
		row := out.Centers.RawRowView(h)
		for j := range row {
			row[j] /= s
		}
	}
	return out
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
	)
	if testing.Short() {
		if few := momentError(t, f, c, 2*c.n(), 1); !(few < shortLimit) {
			t.Errorf("relative error of the moments %.3f", few)
		}
		return
	}
	few := momentError(t, f, c, c.n(), 5)
	if !(few < shortLimit) {
		t.Errorf("relative error of the moments %.3f", few)
	}
	if many := momentError(t, f, c, 16*c.n(), 5); many > few/rate {
		t.Errorf("16 times the records: error of the moments from %.4f to %.4f", few, many)
	}
}
