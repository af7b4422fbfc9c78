package verdict

import (
	"math"
	"slices"
	"testing"

	"github.com/moiety-go/moiety/internal/stream"
)

func TestRisenIsTheLikeliestWithOneMode(t *testing.T) {
	r := stream.New(1, "test/risen")
	for range 50 {
		records := make([]float64, 12)
		for i := range records {
			records[i] = math.Floor(20 * r.Float64())
		}
		got := risen(records)
		value := func(w []float64) (sum float64) {
			for i, n := range records {
				sum += (n + 1/float64(len(records))) * math.Log(w[i])
			}
			return sum
		}
		total, top := 0.0, slices.Index(got, slices.Max(got))
		for i, w := range got {
			total += w
			if i > 0 && (i <= top && w < got[i-1] || i > top && w > got[i-1]) {
				t.Fatalf("%v has weights of more than one mode: %v", records, got)
			}
		}
		near(t, "sum of the weights", total, 1, 1e-12)
		for range 50 { // other weights with one mode, and mixtures of them with these
			other, sum := make([]float64, len(got)), 0.0
			for i := range other {
				other[i] = r.ExpFloat64()
				sum += other[i]
			}
			slices.Sort(other)
			mode := r.IntN(len(other))
			slices.Reverse(other[mode:])
			for i := range other {
				other[i] = .9*got[i] + .1*other[i]/sum
			}
			if !oneTop(other) {
				continue
			}
			if value(other) > value(got)+1e-9 {
				t.Fatalf("%v: weights %v are likelier than %v", records, other, got)
			}
		}
	}
}

func oneTop(w []float64) bool {
	top := slices.Index(w, slices.Max(w))
	return slices.IsSorted(w[:top+1]) && slices.IsSorted(reversed(w[top:]))
}
