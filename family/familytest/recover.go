package familytest

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
)

// Solve is a decomposition: raw centers and weights of k components, in the
// coordinates of src.
type Solve func(ctx context.Context, src moment.Source, k int) (mixture.Params, error)

// Recover checks that moments, a decomposition and Normalise together find the
// case's parameters: the error falls about twofold with four times the records.
// It draws n, 4n and 16n records, n being the case's N; under -short only n.
func Recover(t *testing.T, f family.Family, c Case, solve Solve) {
	t.Helper()
	const (
		// rate is what two steps of four times the records must gain, of 4.
		rate = 2
		// limit is the relative error from which nothing was found at all: the
		// overall mean in place of every center has about 0.5.
		limit = 0.4
	)
	first := meanRecoveryError(t, f, c, solve, c.n())
	if testing.Short() {
		if !(first < limit) {
			t.Errorf("%d records: relative error %.3f of the centers", c.n(), first)
		}
		return
	}
	middle := meanRecoveryError(t, f, c, solve, 4*c.n())
	last := meanRecoveryError(t, f, c, solve, 16*c.n())
	t.Logf("relative error of the centers for %d, %d, %d records: %.4f, %.4f, %.4f", c.n(), 4*c.n(), 16*c.n(), first, middle, last)
	if !(last < first/rate) || !(last < limit) {
		t.Errorf("relative error of the centers %.4f, %.4f, %.4f does not fall as 1/√n", first, middle, last)
	}
}

// meanRecoveryError is the root of the mean square over three samples.
func meanRecoveryError(t *testing.T, f family.Family, c Case, solve Solve, n int) float64 {
	t.Helper()
	const samples = 3
	sum := 0.0
	for range samples {
		c.Seed++
		ctx := context.Background()
		src, err := f.Source(ctx, draw(t, f, c, n).Runner(0), c.Params.K())
		if err != nil {
			t.Fatalf("Source: %v", err)
		}
		raw, err := solve(ctx, src, c.Params.K())
		if err != nil {
			t.Fatalf("decomposition: %v", err)
		}
		p, _, err := f.Normalise(ctx, src, raw)
		if err != nil {
			t.Fatalf("Normalise: %v", err)
		}
		if err := f.Check(p); err != nil {
			t.Fatalf("Normalise returned illegal parameters: %v", err)
		}
		e := CenterError(t, p, c.Params)
		sum += e * e / samples
	}
	return math.Sqrt(sum)
}

// CenterError returns the relative error of the centers of p against those of
// truth in Frobenius norm, components matched, weighted by the true weights;
// features are weighed alike by their mean.
func CenterError(t *testing.T, p, truth mixture.Params) float64 {
	t.Helper()
	scale := make([]float64, truth.Dim())
	for h := range scale {
		for j, w := range truth.Weights {
			scale[h] += w * math.Abs(truth.Centers.At(h, j))
		}
		if scale[h] == 0 {
			scale[h] = math.Inf(1)
		}
	}
	a, b := Divide(p, scale), Divide(truth, scale)
	match, err := agree.Columns(b.Centers, a.Centers)
	if err != nil {
		t.Fatal(err)
	}
	off, size := 0.0, 0.0
	for j, w := range truth.Weights {
		x, y := mat.Col(nil, match[j], a.Centers), mat.Col(nil, j, b.Centers)
		d := distance(x, y)
		l := distance(y, make([]float64, len(y)))
		off, size = off+w*d*d, size+w*l*l
	}
	return math.Sqrt(off / size)
}
