package fit

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

var errLine = errors.New("the line is broken")

// brokenLine is a runner of which one sum fails, and no other: who takes the error for one of
// the records goes on.
type brokenLine struct {
	pass.Runner
	left *int // sums before it
}

func (b brokenLine) fails() bool {
	*b.left--
	return *b.left == -1
}

func (b brokenLine) Run(ctx context.Context, sums ...pass.Sum) ([][]float64, error) {
	if b.fails() {
		return nil, errLine
	}
	return b.Runner.Run(ctx, sums...)
}

func (b brokenLine) Total(ctx context.Context, x []float64) ([]float64, error) {
	if b.fails() {
		return nil, errLine
	}
	return b.Runner.Total(ctx, x)
}

// A sum that fails ends a fit, whichever it is: nothing else is done instead, as where records
// cannot carry a model.
func TestBrokenLineEndsFit(t *testing.T) {
	r := stream.New(2, "broken line")
	holed, whole := sparse.Rows{Dim: 3}, sparse.Rows{Dim: 3}
	for i := range 60 {
		for h := range 3 {
			v := 4*float64((i+h)%2) + r.NormFloat64()
			whole.Dense = append(whole.Dense, v)
			if r.IntN(15) == 0 {
				v = math.NaN()
			}
			holed.Dense = append(holed.Dense, v)
		}
	}
	measured := func(rows sparse.Rows) Training {
		return Training{Run: pass.NewLocal(rows, 1), Vocab: vocab.Numbered(3), Kind: record.Real}
	}
	texts, _ := drawnTopics(t, true, 40)
	for name, data := range map[string]Training{"texts": texts, "measurements": measured(whole), "with missing values": measured(holed)} {
		s := Settings{K: 2, Seed: 1, Workers: 1, Double: true}
		left := math.MaxInt
		if _, err := Flat(t.Context(), data.of(brokenLine{data.Run, &left}), s); err != nil {
			t.Fatal(err)
		}
		sums := math.MaxInt - left
		for at := 0; at < sums; at += numtest.Scale(5, 3, 1) {
			left = at
			if _, err := Flat(t.Context(), data.of(brokenLine{data.Run, &left}), s); !errors.Is(err, errLine) {
				t.Errorf("%s: sum %d of %d fails: %v", name, at+1, sums, err)
			}
		}
	}
}
