package pass_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

var errCarried = errors.New("carry this first")

// oneRound gives the total of a first round, and breaks off in the second.
type oneRound struct{ asked int }

func (*oneRound) Places() (place, places int) { return 0, 1 }

func (*oneRound) Known(pass.Round) ([]float64, bool, error) { return nil, false, nil }

func (x *oneRound) Add(_ context.Context, _ pass.Round, numbers []float64) ([]float64, error) {
	if x.asked++; x.asked > 1 {
		return nil, errCarried
	}
	return numbers, nil
}

func (*oneRound) Secret(pass.Round, []float64) (s [32]byte, err error) { return s, nil }

func (*oneRound) Leave(error) {}

// A round that broke off is the last that a place asks for, whatever the fit makes of the
// error: numbers of another round would take the place of those that are on their way.
func TestNothingIsAskedAfterAnError(t *testing.T) {
	x := &oneRound{}
	r, err := pass.Join(t.Context(), pass.NewLocal(sparse.Rows{Dim: 1, Dense: []float64{1, 2}}, 1), x, "test")
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if _, err := r.Total(t.Context(), []float64{1}); !errors.Is(err, errCarried) {
			t.Errorf("a total: %v", err)
		}
		if _, err := pass.RunOne(t.Context(), r, sum{}); !errors.Is(err, errCarried) {
			t.Errorf("a sum: %v", err)
		}
	}
	if x.asked != 2 {
		t.Errorf("%d rounds were asked for, want 2", x.asked)
	}
}

// shortBook gives one number for whatever it is asked.
type shortBook struct{ asked int }

func (b *shortBook) Sum(context.Context, pass.Round, pass.Sum) ([]float64, error) {
	b.asked++
	return []float64{7}, nil
}

func (b *shortBook) Note(ctx context.Context, r pass.Round, _ func() ([]float64, error)) ([]float64, error) {
	return b.Sum(ctx, r, nil)
}

func (*shortBook) Copied(context.Context, int, func() ([]pass.Block, error)) ([]pass.Block, error) {
	return nil, nil
}

func (*shortBook) Show(context.Context, func(pass.Block) error, func() error) error { return nil }

// A total of another length than the sums is an error, and the last round: what is added up
// elsewhere may be of another program.
func TestTotalOfAnotherLength(t *testing.T) {
	for name, run := range map[string]func(r *pass.Spread) error{
		"run": func(r *pass.Spread) error { _, err := r.Run(t.Context(), sum{}, sum{}); return err },
		"own": func(r *pass.Spread) error {
			_, err := r.Own(t.Context(), func(pass.Block) error { return nil }, sum{}, sum{})
			return err
		},
	} {
		book := &shortBook{}
		r, err := pass.NewSpread(pass.NewLocal(sparse.Rows{Dim: 1, Dense: []float64{1, 2}}, 1), book, "test")
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := run(r); err == nil {
				t.Errorf("%s: one number is the total of two sums", name)
			}
		}
		if book.asked != 1 {
			t.Errorf("%s: asked for %d rounds, want the first alone", name, book.asked)
		}
	}
}

// What leaves a private place has its noise on it, made of the secret of this place; where
// there is no secret nothing leaves.
func TestNothingLeavesWithoutNoise(t *testing.T) {
	for _, fails := range []error{nil, errCarried} {
		x := &secretive{fails: fails}
		r, err := pass.JoinPrivately(pass.NewLocal(sparse.Rows{Dim: 1, Dense: []float64{1, 2}}, 1), x, "test")
		if err != nil {
			t.Fatal(err)
		}
		_, err = r.Can().Release(t.Context(), "sum", sum{}, func(x []float64, seed [32]byte) {
			for i := range x {
				x[i] += 1000 * float64(seed[0])
			}
		})
		if !errors.Is(err, fails) || fails == nil && !slices.Equal(x.given, []float64{7003}) || fails != nil && x.given != nil {
			t.Errorf("%v leaves (%v)", x.given, err)
		}
	}
}

// secretive keeps what is given to it, and has the secret 7 or none.
type secretive struct {
	oneRound
	given []float64
	fails error
}

func (x *secretive) Add(_ context.Context, _ pass.Round, numbers []float64) ([]float64, error) {
	x.given = slices.Clone(numbers[:1])
	return numbers, nil
}

func (x *secretive) Secret(pass.Round, []float64) ([32]byte, error) { return [32]byte{7}, x.fails }

// alone is one of two places whose numbers nobody adds up, with a total of the first round.
type alone struct {
	oneRound
	known []float64
}

func (*alone) Places() (place, places int) { return 0, 2 }

func (x *alone) Known(r pass.Round) ([]float64, bool, error) {
	return x.known, x.known != nil && r.Number == 1, nil
}

// A total in which a place is missing, or a number, is not taken for one of all places.
func TestTotalOfSomePlaces(t *testing.T) {
	for _, known := range [][]float64{nil, {1, 1, 0, 1}, {1, 1, 2}, {1, 1, 0, 0, 2}} {
		if _, err := pass.Join(t.Context(), pass.NewLocal(sparse.Rows{Dim: 1, Dense: []float64{1, 2}}, 1), &alone{known: known}, "test"); err == nil {
			t.Errorf("%v is taken for the total of two places", known)
		}
	}
}

// A round that is done is not summed up once more: a study would go round in a circle.
func TestKnownRounds(t *testing.T) {
	x := &alone{known: []float64{2, 3, 0, 2}} // records of either place, places with values, places
	r, err := pass.Join(t.Context(), pass.NewLocal(sparse.Rows{Dim: 1, Dense: []float64{1, 2}}, 1), x, "test")
	if err != nil || x.asked != 0 || r.Len() != 5 {
		t.Errorf("%v: %d rounds are asked for of a total that is known, %d records", err, x.asked, r.Len())
	}
}
