package verdict_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/internal/verdict"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// One question makes no groups, be it that an answer is rare in one group and lies between
// the others, or that it hangs on a number: all below thirty are single, and nobody above.
func TestOneQuestionMakesNoGroups(t *testing.T) {
	numtest.NotShort(t)
	const n = 2000
	for _, c := range []struct {
		name   string
		groups int
		seed   uint64
		draw   func(r *rand.Rand) (numbers [2]float64, answer int, flag float64)
	}{
		{"an answer that is rare in one group", 2, 2, func(r *rand.Rand) ([2]float64, int, float64) {
			g := r.IntN(2)
			u, answer := r.Float64(), 0
			for _, p := range [][]float64{{.7, .9}, {.1, .3}}[g] {
				if u > p {
					answer++
				}
			}
			return [2]float64{50 + 14*float64(g) + 9*r.NormFloat64(), math.Exp(.5 + 1.1*float64(g) + .4*r.NormFloat64())}, answer, .15 + .6*float64(g)
		}},
		{"an answer by age", 1, 1, func(r *rand.Rand) ([2]float64, int, float64) {
			age, answer := 20+70*r.Float64(), 0
			if age >= 30 {
				if answer = 1; r.Float64() > .75 {
					answer = 2
				}
			}
			return [2]float64{age, 100 + .6*age + 12*r.NormFloat64()}, answer, .3
		}},
	} {
		const flags = 6
		r := stream.New(c.seed, "test/question")
		rows := sparse.Rows{Dim: 2 + 3 + flags}
		for range n {
			numbers, answer, flag := c.draw(r)
			row := make([]float64, rows.Dim)
			row[0], row[1] = math.Round(numbers[0]), math.Round(100*numbers[1])/100
			row[2+answer] = 1
			for h := 5; h < len(row); h++ {
				if r.Float64() < flag {
					row[h] = 1
				}
			}
			rows.Dense = append(rows.Dense, row...)
		}
		columns := []vocab.Column{{Kind: vocab.Real, From: 0, To: 1}, {Kind: vocab.Real, From: 1, To: 2}, {Kind: vocab.Categorical, From: 2, To: 5}}
		for h := 5; h < rows.Dim; h++ {
			columns = append(columns, vocab.Column{Kind: vocab.Presence, From: h, To: h + 1})
		}
		v, err := verdict.Mixed(t.Context(), pass.NewLocal(rows, 0), columns, verdict.Settings{Seed: 1})
		if err != nil || v.Groups != c.groups {
			t.Errorf("%s: %v %v, want %d groups", c.name, v, err, c.groups)
		}
	}
}
