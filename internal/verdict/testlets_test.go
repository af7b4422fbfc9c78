package verdict_test

import (
	"testing"

	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/sparse"
)

// testlets draws n records of three classes that differ in twenty questions; four at a time
// belong to one text, which people understand more or less.
func testlets(seed uint64, n int) sparse.Rows {
	const classes, questions, together = 3, 20, 4
	r, b := stream.New(seed, "test/testlets"), sparse.NewBuilder(questions, true)
	easy := make([]float64, classes*questions)
	for i := range easy {
		easy[i] = 1.2 * r.NormFloat64()
	}
	for range n {
		c, text := r.IntN(classes), 0.0
		var row []uint32
		for j := range questions {
			if j%together == 0 {
				text = 1.5 * r.NormFloat64()
			}
			if r.Float64() < logistic(easy[c*questions+j]+text) {
				row = append(row, uint32(j))
			}
		}
		if err := b.Add(row, nil); err != nil {
			panic(err)
		}
	}
	return b.Rows()
}

// Six lines describe classes with testlets about as well as classes do, and no classes are
// tried with six lines inside: whatever is claimed, it is not sure.
func TestManyLinesAreNeverSure(t *testing.T) {
	seeds := []uint64{0, 2, 3}
	if testing.Short() {
		seeds = seeds[:1]
	}
	for _, seed := range seeds {
		if v := judged(t, testlets(seed, 2000), nil); v.Groups != 3 && (v.Sure || v.Range[1] < 3) {
			t.Errorf("seed %d: %d groups %v, sure: %v: %s", seed, v.Groups, v.Range, v.Sure, v.Reason)
		}
	}
}
