package bernoulli

import (
	"context"
	"errors"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/kernel"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// Rows whose features rise are merged, others are looked through: both have every feature
// turned that is flipped, and no other.
func TestTurn(t *testing.T) {
	r := stream.New(3, "turn")
	const d = 12
	flip := make([]bool, d)
	flip[0], flip[5], flip[6], flip[11] = true, true, true, true
	var memory sparse.Rows
	for _, falling := range []bool{false, true} {
		rows := sparse.Rows{Dim: d, Ptr: []int{0}, Value: []float32{}}
		var want [][]uint32
		for range 200 {
			var index, turned []uint32
			for h := range uint32(d) {
				stored, there := r.Float64() < .5, r.Float64() < .8
				if stored {
					index = append(index, h)
					rows.Value = append(rows.Value, map[bool]float32{true: 1}[there])
				}
				if (stored && there) != flip[h] {
					turned = append(turned, h)
				}
			}
			if falling {
				slices.Reverse(index)
				slices.Reverse(rows.Value[len(rows.Index):])
			}
			rows.Index = append(rows.Index, index...)
			rows.Ptr = append(rows.Ptr, len(rows.Index))
			want = append(want, turned)
		}
		got := turn(pass.Block{Rows: rows}, flip, []uint32{0, 5, 6, 11}, &memory).Rows
		for i, w := range want {
			if index, _ := got.Row(i); !slices.Equal(index, w) {
				t.Fatalf("row %d, falling %v: %v, want %v", i, falling, index, w)
			}
		}
	}
}

// Counts of pairs, and those of flipped features made from them, are to the bit what passes
// over the records and over the flipped records find; no pass is made for them.
func TestTurnedCounts(t *testing.T) {
	const d, n = 12, 900
	r, rows := stream.New(4, "turn"), sparse.Rows{Dim: d, Ptr: []int{0}}
	for range n {
		for h := range uint32(d) {
			if r.Float64() < float64(h+1)/(d+2) {
				rows.Index = append(rows.Index, h)
			}
		}
		rows.Ptr = append(rows.Ptr, len(rows.Index))
	}
	flip := make([]bool, d)
	flip[7], flip[8], flip[11] = true, true, true
	formula := New(Options{}).formula(d)
	pairs := make([]int32, d*(d+1)/2)
	kernel.Pairs(pairs, rows.Ptr, rows.Index, d)
	counted := moment.NewCounted(silent{pass.NewLocal(rows, 1)}, formula, moment.Presences{N: n, Pairs: pairs})
	run := flipped(pass.NewLocal(rows, 2), flip)
	for _, c := range []struct{ got, want *moment.Sampled }{
		{counted, moment.NewSampled(pass.NewLocal(rows, 2), formula, true)},
		{counted.Turned(silent{run}, flip), moment.NewSampled(run, formula, true)},
	} {
		got, err := c.got.Matrix(t.Context())
		want, _ := c.want.Matrix(t.Context())
		if err != nil || !mat.Equal(got, want) {
			t.Errorf("second moments\n%v\nwant\n%v (%v)", mat.Formatted(got), mat.Formatted(want), err)
		}
		first, _ := c.got.Counts(t.Context())
		if again, _ := c.want.Counts(t.Context()); first.N != again.N || !slices.Equal(first.Sum, again.Sum) || !slices.Equal(first.Frequency, again.Frequency) {
			t.Errorf("counts %+v, want %+v", first, again)
		}
	}
}

// silent is a runner that nobody may ask.
type silent struct{ pass.Runner }

func (silent) Run(context.Context, ...pass.Sum) ([][]float64, error) {
	return nil, errors.New("a pass over the records")
}
