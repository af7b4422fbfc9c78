package bernoulli

import (
	"slices"
	"testing"

	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// Rows whose features rise are merged, others are looked through: both have every feature
// turned that is flipped, and no other.
func TestTurn(t *testing.T) {
	r := stream.New(3, "turn")
	const d = 12
	flip := make([]bool, d)
	flip[0], flip[5], flip[6], flip[11] = true, true, true, true
	for _, falling := range []bool{false, true} {
		rows := sparse.Rows{Dim: d, Ptr: []int{0}, Value: []float32{}}
		var want [][]uint32
		for range 200 {
			var index, turned []uint32
			for h := range uint32(d) {
				stored, there := r.Float64() < .5, r.Float64() < .8
				if stored {
					index = append(index, h)
					rows.Value = append(rows.Value, map[bool]float32{true: 1}[there])
				}
				if (stored && there) != flip[h] {
					turned = append(turned, h)
				}
			}
			if falling {
				slices.Reverse(index)
				slices.Reverse(rows.Value[len(rows.Index):])
			}
			rows.Index = append(rows.Index, index...)
			rows.Ptr = append(rows.Ptr, len(rows.Index))
			want = append(want, turned)
		}
		got := turn(pass.Block{Rows: rows}, flip).Rows
		for i, w := range want {
			if index, _ := got.Row(i); !slices.Equal(index, w) {
				t.Fatalf("row %d, falling %v: %v, want %v", i, falling, index, w)
			}
		}
	}
}
