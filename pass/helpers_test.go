package pass_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/pass/passtest"
	"github.com/moiety-go/moiety/sparse"
)

// TestHelpers: a helper that leaves all records as they are is a Runner like the
// one it stands on, by the battery.
func TestHelpers(t *testing.T) {
	on := func(over func(testing.TB, pass.Runner) pass.Runner) func(testing.TB, sparse.Rows, []int, int) pass.Runner {
		return func(t testing.TB, rows sparse.Rows, steps []int, workers int) pass.Runner {
			return over(t, pass.NewSequences(rows, steps, workers))
		}
	}
	must := func(t testing.TB, r pass.Runner, err error) pass.Runner {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	for name, b := range map[string]passtest.Battery{
		"Map": {Open: on(func(_ testing.TB, r pass.Runner) pass.Runner {
			return pass.Map(r, func(b pass.Block) pass.Block { return b })
		})},
		"Filter": {Open: on(func(t testing.TB, r pass.Runner) pass.Runner {
			f, err := pass.Filter(t.Context(), r, func(int) bool { return true })
			return must(t, f, err)
		})},
		"Filter of a Filter": {Open: on(func(t testing.TB, r pass.Runner) pass.Runner {
			f, err := pass.Filter(t.Context(), r, func(int) bool { return true })
			f, err2 := pass.Filter(t.Context(), f, func(int) bool { return true })
			return must(t, f, errors.Join(err, err2))
		})},
		"Sample": {Open: on(func(t testing.TB, r pass.Runner) pass.Runner {
			s, err := pass.Sample(t.Context(), r, 1)
			return must(t, s, err)
		})},
		"Weigh": {Open: on(func(_ testing.TB, r pass.Runner) pass.Runner {
			n := r.Can().Own
			return pass.Weigh(r, []int{min(1000, n), n}, []float64{1, 1})
		})},
		"Subset": {NoSequences: true, Open: func(_ testing.TB, rows sparse.Rows, _ []int, workers int) pass.Runner {
			list := make([]int32, rows.N())
			for i := range list {
				list[i] = int32(i)
			}
			return pass.Subset(rows, list, workers)
		}},
	} {
		if testing.Short() && name == "Filter of a Filter" {
			continue
		}
		t.Run(name, func(t *testing.T) { passtest.Run(t, b) })
	}
}

// seen returns the values of the only feature of every own record, in order.
func seen(ctx context.Context, r pass.Runner) ([]float64, error) {
	out := make([]float64, r.Can().Own)
	_, err := r.Own(ctx, func(b pass.Block) error {
		for i := range b.N() {
			if b.Steps == nil {
				out[b.First+i] = b.Rows.At(i, 0)
				continue
			}
			for j := range b.Sequence(i).N() {
				out[b.First+i] = 100*out[b.First+i] + b.Sequence(i).At(j, 0)
			}
		}
		return nil
	})
	return out, err
}

// numbered returns n records, each holding its own number, as rows or, where
// steps are wanted, as sequences of 0 to 2 rows.
func numbered(n int, sequences bool) (sparse.Rows, []int) {
	rows := sparse.Rows{Dim: 1}
	if !sequences {
		for i := range n {
			rows.Dense = append(rows.Dense, float64(i))
		}
		return rows, nil
	}
	steps := []int{0}
	for i := range n {
		for range i % 3 {
			rows.Dense = append(rows.Dense, float64(i%97))
		}
		steps = append(steps, len(rows.Dense))
	}
	return rows, steps
}

// sum adds up the only feature.
type sum struct{}

func (sum) Len() int { return 1 }

func (sum) Add(state []float64, b pass.Block) error {
	for _, v := range b.Rows.Dense {
		state[0] += v
	}
	return nil
}

// TestSameEverywhere: filtered, sampled and mapped records are the same ones,
// under the same numbers, whether all lie here or a part does; so are the sums.
func TestSameEverywhere(t *testing.T) {
	const n = 3*pass.BlockRecords + 111
	third := func(number int) bool { return number%3 == 1 }
	for name, over := range map[string]func(context.Context, pass.Runner) (pass.Runner, error){
		"all": func(_ context.Context, r pass.Runner) (pass.Runner, error) { return r, nil },
		"Map": func(_ context.Context, r pass.Runner) (pass.Runner, error) {
			return pass.Map(r, func(b pass.Block) pass.Block {
				b.Rows.Dense = slices.Clone(b.Rows.Dense)
				for i := range b.Rows.Dense {
					b.Rows.Dense[i] *= 2
				}
				return b
			}), nil
		},
		"Filter": func(ctx context.Context, r pass.Runner) (pass.Runner, error) {
			first := r.Can().First
			return pass.Filter(ctx, r, func(own int) bool { return third(first + own) })
		},
		"Sample": func(ctx context.Context, r pass.Runner) (pass.Runner, error) { return pass.Sample(ctx, r, 7) },
		"Copy":   func(ctx context.Context, r pass.Runner) (pass.Runner, error) { return pass.Copy(ctx, r, third) },
		"Sample of a Filter": func(ctx context.Context, r pass.Runner) (pass.Runner, error) {
			first := r.Can().First
			f, err := pass.Filter(ctx, r, func(own int) bool { return third(first + own) })
			if err != nil {
				return nil, err
			}
			return pass.Sample(ctx, f, 5)
		},
	} {
		for _, sequences := range []bool{false, true} {
			rows, steps := numbered(n, sequences)
			whole, err := over(t.Context(), pass.NewSequences(rows, steps, 2))
			if err != nil {
				t.Fatal(err)
			}
			want, err := seen(t.Context(), whole)
			if err != nil {
				t.Fatal(err)
			}
			total, err := pass.RunOne(t.Context(), whole, sum{})
			if err != nil {
				t.Fatal(err)
			}
			var mu sync.Mutex
			found := 0
			places := passtest.Split(rows, steps, 3, 2)
			err = places.Each(t.Context(), func(ctx context.Context, place int, r pass.Runner) error {
				part, err := over(ctx, r)
				if err != nil {
					return err
				}
				can := part.Can()
				got, err := seen(ctx, part)
				if err != nil {
					return err
				}
				state, err := pass.RunOne(ctx, part, sum{})
				if err != nil {
					return err
				}
				mu.Lock()
				defer mu.Unlock()
				found += can.Own
				if part.Len() != len(want) || !slices.Equal(got, want[can.First:][:can.Own]) {
					t.Errorf("%s, sequences %v, place %d: %d records in all, want %d, or others than those of the whole", name, sequences, place, part.Len(), len(want))
				}
				if numtest.Off(state[0], total[0], 1e-12*total[0]) {
					t.Errorf("%s, sequences %v, place %d: a sum of %v, want %v", name, sequences, place, state[0], total[0])
				}
				return nil
			})
			if err != nil || found != len(want) {
				t.Errorf("%s, sequences %v: %d records at all places, want %d; %v", name, sequences, found, len(want), err)
			}
		}
	}
}

// TestPlacesFail: an error at one place ends the pass at all of them, and places
// that do not ask for the same are reported.
func TestPlacesFail(t *testing.T) {
	rows, _ := numbered(1000, false)
	bad := errors.New("no such value")
	err := passtest.Split(rows, nil, 3, 1).Each(t.Context(), func(ctx context.Context, place int, r pass.Runner) error {
		_, err := r.Own(ctx, func(pass.Block) error {
			if place == 1 {
				return bad
			}
			return nil
		}, sum{})
		return err
	})
	if !errors.Is(err, bad) {
		t.Errorf("one place fails: %v", err)
	}
	err = passtest.Split(rows, nil, 3, 1).Each(t.Context(), func(ctx context.Context, place int, r pass.Runner) error {
		if place == 2 {
			return nil
		}
		_, err := pass.RunOne(ctx, r, sum{})
		return err
	})
	if err == nil {
		t.Error("a place that asks for less than the others goes unnoticed")
	}
}

// The rows of kept records are theirs, or not told: of sequences nobody has counted them.
func TestRowsOfKeptRecords(t *testing.T) {
	rows := sparse.Rows{Dim: 1, Dense: []float64{1, 2, 3, 4, 5, 6}}
	for _, run := range []pass.Runner{pass.NewLocal(rows, 1), pass.NewSequences(rows, []int{0, 1, 3, 6}, 1)} {
		some, err := pass.Filter(t.Context(), run, func(own int) bool { return own > 0 })
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		if _, err := some.Own(t.Context(), func(b pass.Block) error { n += b.Rows.N(); return nil }); err != nil {
			t.Fatal(err)
		}
		if told := some.Can().OwnRows; told != n && told != 0 || told == 0 && run.Can().OwnRows == run.Can().Own {
			t.Errorf("%d rows are told of records with %d", told, n)
		}
	}
}
