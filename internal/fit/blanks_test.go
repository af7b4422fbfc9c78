package fit_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/pass/passtest"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// blanks returns presences of two groups with one unknown value, or one in
// twenty.
func blanks(n, d int, many bool) sparse.Rows {
	r := stream.New(4, "blanks")
	rows := sparse.Rows{Dim: d}
	for i := range n {
		for h := range d {
			v := b2f(r.Float64() < .15+.7*b2f((i+h)%2 == 0))
			if many && r.IntN(20) == 0 || i == n-1 && h == d-1 {
				v = math.NaN()
			}
			rows.Dense = append(rows.Dense, v)
		}
	}
	return rows
}

// TestBlanks: presences of which some are unknown get the model for that,
// whether they lie in memory, on disk or at several places, and be it one value
// in the last record.
func TestBlanks(t *testing.T) {
	for _, many := range []bool{false, true} {
		rows := blanks(pass.BlockRecords+300, 6, many)
		here := dataOf(rows, record.Presence, 2)
		here.Vocab = vocab.Numbered(6)
		want, err := fit.Flat(t.Context(), here, fit.Settings{K: 2})
		if err != nil {
			t.Fatal(err)
		}
		if want.Model.Spec.Model != "mixed" {
			t.Errorf("many %v: fitted with %s", many, want.Model.Spec.Model)
		}
		disk := here
		disk.Run = passtest.Streamed(rows, 2)
		got, err := fit.Flat(t.Context(), disk, fit.Settings{K: 2})
		if err != nil {
			t.Fatalf("many %v, on disk: %v", many, err)
		}
		if !bytes.Equal(saved(t, got), saved(t, want)) {
			t.Errorf("many %v: another model on disk", many)
		}
		err = passtest.Split(rows, nil, 3, 1).Each(t.Context(), func(ctx context.Context, place int, r pass.Runner) error {
			part := here
			part.Run = r
			got, err := fit.Flat(ctx, part, fit.Settings{K: 2})
			if err != nil {
				return err
			}
			if got.Model.Spec.Model != "mixed" {
				return fmt.Errorf("place %d fits %s", place, got.Model.Spec.Model)
			}
			return sameOutcome(got, want, r.Can().First)
		})
		if err != nil {
			t.Errorf("many %v, three places: %v", many, err)
		}
	}
	whole := dataOf(blanks(500, 6, false).Slice(0, 499), record.Presence, 1)
	if o, err := fit.Flat(t.Context(), whole, fit.Settings{K: 2}); err != nil || o.Model.Spec.Model != "bernoulli" {
		t.Errorf("no blank: %v", err)
	}
}
