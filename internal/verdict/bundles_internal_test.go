package verdict

import (
	"context"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/pass/passtest"
	"github.com/moiety-go/moiety/sparse"
)

// Sets of features are the same by sums as by records, at three places of which one has
// no record: the same features in each, and as likely.
func TestSetsBySums(t *testing.T) {
	const n, d, sets, each = 600, 24, 4, 5
	r, b := stream.New(4, "test"), sparse.NewBuilder(d, true)
	for range n {
		var row []uint32
		whole := false
		for j := range d {
			if j%each == 0 {
				whole = j < sets*each && r.Float64() < .3
			}
			if r.Float64() < .1 || whole && r.Float64() < .9 {
				row = append(row, uint32(j))
			}
		}
		if err := b.Add(row, nil); err != nil {
			t.Fatal(err)
		}
	}
	fitted := func(ctx context.Context, run pass.Runner, places *strand) *model {
		rows := make([][]uint32, run.Can().Own)
		if _, err := run.Own(ctx, func(b pass.Block) error {
			for i := range b.N() {
				index, _ := b.Rows.Row(i)
				rows[b.First+i] = append([]uint32{}, index...)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		drawn := coded(rows, d, nil, places)
		return newPath(drawn.lay, places.sample(drawn.rows, drawn.lay.cols), 1, 1, "test", places).fitSets()
	}
	want := fitted(t.Context(), pass.NewLocal(b.Rows(), 1), nil)
	if want == nil || len(want.sets.of) != sets {
		t.Fatalf("sets: %+v", want)
	}
	err := passtest.SplitAt(b.Rows(), nil, []int{n / 3, n / 3, n}, 1).Each(t.Context(), func(ctx context.Context, place int, run pass.Runner) error {
		got := fitted(ctx, run, strandOf(ctx, run))
		if got == nil || len(got.sets.of) != sets || numtest.Off(got.loglik, want.loglik, 1e-3*n) {
			t.Errorf("place %d: %v %v %v, want %v %v %v", place, got.loglik, got.sets.share, got.sets.of, want.loglik, want.sets.share, want.sets.of)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
