package fit_test

import (
	"math"
	"testing"

	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// graded draws n records of k groups that differ in d questions of so many answers; inside
// a group records differ by an amount, of a standard deviation sd, in all of them. Of two
// answers it is presences: which are there.
func graded(seed uint64, n, k, d, answers int, sd float64) (fit.Training, []int) {
	r := stream.New(seed, "test/graded")
	base := make([]float64, k*d)
	for j := range d {
		middle := -1 + r.NormFloat64()
		for g := range k {
			base[g*d+j] = middle + 1.2*r.NormFloat64()
		}
	}
	questions := vocab.Numbered(d)
	if answers > 2 {
		questions = columns(vocab.Categorical, d, answers)
	}
	rows, labels := sparse.NewBuilder(questions.Len(), true), make([]int, n)
	for i := range n {
		labels[i] = r.IntN(k)
		t := sd * r.NormFloat64()
		var row []uint32
		for j := range d {
			at := base[labels[i]*d+j] + t
			if answers == 2 {
				if r.Float64() < 1/(1+math.Exp(-at)) {
					row = append(row, uint32(j))
				}
				continue
			}
			answer := math.Round(float64(answers-1) / (1 + math.Exp(-at-r.NormFloat64())))
			row = append(row, uint32(j*answers+int(answer)))
		}
		if err := rows.Add(row, nil); err != nil {
			panic(err)
		}
	}
	data := dataOf(rows.Rows(), record.Presence, 1)
	data.Vocab = questions
	if answers > 2 {
		data.Kind = record.Categorical
	}
	return data, labels
}

// A number that is told must not make groups worse: those that differ by degree inside are
// told apart beside that with -k as without.
func TestToldGroupsThatDifferByDegree(t *testing.T) {
	for _, c := range []struct {
		name             string
		n, d, answers, k int
		least            float64 // ARI; slices of amounts have .2 to .4
		long             bool
	}{
		{"500 presences", 500, 40, 2, 4, .6, false},
		{"2,000 presences", 2000, 40, 2, 4, .6, false},
		{"1,000 of five answers", 1000, 15, 5, 3, .6, false},
		{"20,000 presences", 20000, 40, 2, 4, .6, true},
	} {
		if c.long && testing.Short() {
			continue
		}
		for seed := range uint64(3) {
			data, truth := graded(seed, c.n, c.k, c.d, c.answers, 1)
			told, err := fit.Flat(t.Context(), data, fit.Settings{K: c.k, Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			ari, err := agree.ARI(labels(told), truth)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s, seed %d: %.3f", c.name, seed, ari)
			if ari < c.least {
				t.Errorf("%s, seed %d: ARI %.3f where %d groups are told", c.name, seed, ari, c.k)
			}
		}
	}
}
