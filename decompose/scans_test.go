package decompose_test

import (
	"context"
	"errors"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/decompose"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/moment"
)

// coreless gives rows and refuses what has k³ numbers.
type coreless struct{ moment.Source }

func (coreless) GivesRows() bool { return true }

func (s coreless) Project(ctx context.Context, b *mat.Dense, want moment.Want) (*moment.Projection, error) {
	if want&(moment.Core|moment.Slices) != 0 {
		return nil, errors.New("the third moment is asked for whole")
	}
	return s.Source.Project(ctx, b, want)
}

// Of exact moments of many components the centers are exact, without their third moment whole.
func TestManyComponents(t *testing.T) {
	const k = moment.MostCubed + 2
	p := numtest.Params(stream.New(5, "test"), k+14, k, 0, .3)
	for j := range k {
		p.Centers.Set(j, j, p.Centers.At(j, j)+1)
	}
	got, err := decompose.Auto(t.Context(), coreless{moment.NewExact(p)}, k, decompose.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if centers, weights := numtest.Matched(got.Params, p); !(centers <= 1e-6) || !(weights <= 1e-6) {
		t.Errorf("centers are off by %g, weights by %g", centers, weights)
	}
}

// Of many columns that depend on one another pairs alone are looked at, and no triples.
func TestManyDependentColumns(t *testing.T) {
	const k = 300
	p := numtest.Params(stream.New(5, "test"), 20, k, .1, 1)
	if rank, unique := decompose.Kruskal(p.Centers); rank != 2 || unique {
		t.Errorf("rank %d, unique %v; want 2 at the least, and not unique", rank, unique)
	}
}
