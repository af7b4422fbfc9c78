package lab

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// Seeds returns n seeds from the first one on, or as far beyond as the context says.
func Seeds(ctx context.Context, from uint64, n int) []uint64 {
	beyond, _ := ctx.Value(otherSeeds{}).(uint64)
	out := make([]uint64, n)
	for i := range out {
		out[i] = from + beyond + uint64(i)
	}
	return out
}

type otherSeeds struct{}

// WithOtherSeeds makes experiments take seeds so far beyond their own.
func WithOtherSeeds(ctx context.Context, beyond uint64) context.Context {
	return context.WithValue(ctx, otherSeeds{}, beyond)
}

// Heading prints the title of a table.
func Heading(w io.Writer, format string, args ...any) {
	fmt.Fprintf(w, "## %s\n\n", fmt.Sprintf(format, args...))
}

// NotBehind says that s is at most by below t, within two standard errors of
// the paired difference.
func NotBehind(s, t Series, by float64) bool {
	d := s.Less(t)
	return d.Mean()+2*d.Error() >= -by
}

// Median returns the median of the figures.
func (s Series) Median() float64 {
	if len(s) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(s))
	return (sorted[(len(s)-1)/2] + sorted[len(s)/2]) / 2
}

// Generated makes rows without names ready for the product's own journeys, on
// one core, so that CPU seconds can be compared.
func Generated(rows sparse.Rows, kind record.Kind) fit.Training {
	return fit.Training{
		Run:   pass.NewLocal(rows, 1),
		Vocab: vocab.Numbered(rows.Dim), Kind: kind, Fingerprint: "generated",
	}
}

// Flat fits a flat model of a family by a method ("" is the default), refined
// or not, on one core.
func Flat(ctx context.Context, data fit.Training, spec model.Spec, k int, method, refine string) (*fit.Outcome, error) {
	return fit.Flat(ctx, data, fit.Settings{K: k, Spec: spec, Method: method, Refine: refine, Workers: 1})
}

// Ints turns groups into labels.
func Ints(group []int32) []int {
	out := make([]int, len(group))
	for i, g := range group {
		out[i] = int(g)
	}
	return out
}

// ARI is the adjusted Rand index of groups with the truth.
func ARI(group []int32, truth []int) (float64, error) { return agree.ARI(Ints(group), truth) }
