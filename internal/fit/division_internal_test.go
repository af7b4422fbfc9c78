package fit

import (
	"math"
	"slices"
	"testing"

	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/division"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// sized draws records of two groups whose columns go with the size of a record, some of them
// skewed, as measurements of cells are.
func sized(seed uint64, n int, apart float64) (Training, []int) {
	r, rows, truth := stream.New(seed, "test/sized"), sparse.Rows{Dim: 8}, make([]int, n)
	for i := range n {
		truth[i] = i % 2
		size := r.NormFloat64()
		for h := range rows.Dim {
			z := .8*size + .6*r.NormFloat64() + apart*float64(truth[i])
			if h >= 5 {
				z = r.NormFloat64() + .5*size
			}
			rows.Dense = append(rows.Dense, math.Exp(.5*z))
		}
	}
	return Training{Run: pass.NewLocal(rows, 1), Vocab: vocab.Numbered(rows.Dim), Kind: record.Real}, truth
}

// TestResembling: the model of a division places records as the division does, by logarithms
// where it is one of logarithms; where no model does so, there is none.
func TestResembling(t *testing.T) {
	data, truth := sized(1, 200, 4)
	s, err := Settings{K: 2, Seed: 1}.resolved(t.Context(), data, false)
	if err != nil {
		t.Fatal(err)
	}
	logs := []int{0, 1, 2, 3, 4, 5, 6, 7}
	m, err := s.resembling(t.Context(), data, &division.Division{Groups: 2, Label: truth, Logs: logs})
	if err != nil || m == nil {
		t.Fatalf("no model of a division into two kinds: %v", err)
	}
	if ari, err := agree.ARI(ints(m.group), truth); err != nil || ari < .95 || !slices.Equal(m.form.Logs, logs) {
		t.Errorf("agreement %.2f, logarithms of %v (%v)", ari, m.form.Logs, err)
	}
	chance := make([]int, len(truth))
	for i := range chance {
		chance[i] = i / 2 % 2
	}
	if m, err := s.resembling(t.Context(), data, &division.Division{Groups: 2, Label: chance}); err != nil || m != nil {
		t.Errorf("a model of a division by chance (%v)", err)
	}
}

// TestDividedBits: what the pool takes is the same for any number of workers, and where records are
// more than a sample.
func TestDividedBits(t *testing.T) {
	for _, n := range []int{150, 2*division.Most + 100} {
		var first *Outcome
		for _, workers := range []int{1, 2, 8} {
			data, truth := sized(2, n, 3)
			out, err := Flat(t.Context(), data, Settings{K: 2, Seed: 1, Workers: workers})
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = out
			}
			if !slices.Equal(out.Group, first.Group) || !slices.Equal(out.Probability, first.Probability) {
				t.Errorf("%d records: other groups with %d workers", n, workers)
			}
			if ari, err := agree.ARI(ints(out.Group), truth); err != nil || ari < .8 {
				t.Errorf("%d records: agreement %.2f (%v)", n, ari, err)
			}
		}
	}
}

// TestOnlyTold: a shape, a way or a likelihood that is asked for is not asked of the pool.
func TestOnlyTold(t *testing.T) {
	data, _ := sized(3, 100, 3)
	for name, change := range map[string]func(s *Settings, d *Training){
		"one group":   func(s *Settings, _ *Training) { s.K = 1 },
		"a shape":     func(s *Settings, _ *Training) { s.Spec.Covariance = "tied" },
		"a way":       func(s *Settings, _ *Training) { s.Method = "eigen" },
		"likelihood":  func(s *Settings, _ *Training) { s.Prior = Likelihood },
		"presences":   func(_ *Settings, d *Training) { d.Kind = record.Presence },
		"in the pool": func(s *Settings, _ *Training) { s.likeliest = true },
	} {
		s, err := Settings{K: 2, Seed: 1}.resolved(t.Context(), data, false)
		if err != nil || !s.divides(data) {
			t.Fatalf("two groups of measurements: not divided (%v)", err)
		}
		d := data
		change(&s, &d)
		if s.divides(d) {
			t.Errorf("%s: divided", name)
		}
	}
}
