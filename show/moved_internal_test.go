package show

import (
	"testing"

	"github.com/moiety-go/moiety/internal/stream"
)

// TestChanceSeldomMoves draws pictures of states that neither rise nor fall: of 2 to 12
// states and 20 to 1,000 sequences, of which half last to the end. One in a hundred may
// say otherwise, three where every sequence ends far from where it began.
func TestChanceSeldomMoves(t *testing.T) {
	for _, c := range []struct {
		name  string
		last  func(first, k int, r interface{ IntN(int) int }) int
		limit int
	}{
		{"no memory", func(_, k int, r interface{ IntN(int) int }) int { return r.IntN(k) }, 10},
		{"the other end", func(first, k int, _ interface{ IntN(int) int }) int { return k - 1 - first }, 30},
	} {
		r := stream.New(20261116, c.name)
		const pictures = 1000
		wrong := 0
		for range pictures {
			k, n := 2+r.IntN(11), 20+r.IntN(981)
			first, last := make([]float64, k), make([]float64, k)
			m := n / 2
			for i := range n {
				z := r.IntN(k)
				first[z] += 1 / float64(n)
				if i < m {
					last[c.last(z, k, r)] += 1 / float64(m)
				}
			}
			for j := range first {
				if moved(first[j], last[j], float64(n), float64(m)) {
					wrong++
					break
				}
			}
		}
		t.Logf("%s: %d of %d pictures", c.name, wrong, pictures)
		if wrong > c.limit {
			t.Errorf("%s: %d of %d pictures tell of a rise or a fall", c.name, wrong, pictures)
		}
	}
}
