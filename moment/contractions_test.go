package moment_test

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
)

// Contractions are those of the core, of every law whose Rows have a way of their own.
func TestContractions(t *testing.T) {
	const d, k = 24, 4
	words, codes := synth.Corpus(1, 900, d, 3, false).Rows, synth.Patients(1, 900, d, 3, 5).Rows
	perPair := func(n float64) (r, u, v float64) { return 1, 1 / n, 1 / (n * n) }
	for name, src := range map[string]moment.Source{
		"exact":     moment.NewExact(numtest.Params(stream.New(1, "test"), d, 3, 0, 1)),
		"words":     moment.NewSampled(pass.NewLocal(words, 1), moment.Formula{Law: moment.Factorial(), Weigh: perPair}, false),
		"counts":    moment.NewSampled(pass.NewLocal(words, 1), moment.Formula{Law: moment.Factorial()}, false),
		"presences": moment.NewSampled(pass.NewLocal(codes, 1), moment.Formula{Law: moment.Distinct()}, true),
		"raw":       moment.NewSampled(pass.NewLocal(words, 1), moment.Formula{Law: moment.Raw()}, false),
	} {
		r := stream.New(2, "test")
		b, v := spectral.Random(r, d, k), spectral.Random(r, k, 3)
		got, err := moment.Contractions(t.Context(), src, b, v)
		if err != nil {
			t.Fatal(err)
		}
		p, err := src.Project(t.Context(), b, moment.Core)
		if err != nil {
			t.Fatal(err)
		}
		size := mat.Norm(mat.NewVecDense(len(p.Core.Data), p.Core.Data), math.Inf(1))
		for m, x := range got {
			want := p.Core.Contract(mat.Col(nil, m, v))
			if far := numtest.MatDiff(x, want); !(far <= 1e-12*size) {
				t.Errorf("%s: contraction %d is off by %g of %g", name, m, far, size)
			}
		}
	}
}

// Rows asked for alone are the diagonals of slices.
func TestRowsAlone(t *testing.T) {
	words := synth.Corpus(1, 900, 24, 3, false).Rows
	ctx := context.Background()
	for name, law := range map[string]moment.Law{"factorial": moment.Factorial(), "raw": moment.Raw(), "distinct": moment.Distinct()} {
		src := moment.NewSampled(pass.NewLocal(words, 1), moment.Formula{Law: law}, false)
		b := spectral.Random(stream.New(2, "test"), 24, 4)
		alone, err := src.Project(ctx, b, moment.Rows)
		if err != nil {
			t.Fatal(err)
		}
		both, err := src.Project(ctx, b, moment.Rows|moment.Slices)
		if err != nil {
			t.Fatal(err)
		}
		if far := numtest.MatDiff(alone.Rows, both.Rows); !(far <= 1e-12*mat.Max(both.Rows)) {
			t.Errorf("%s: off by %g", name, far)
		}
	}
}
