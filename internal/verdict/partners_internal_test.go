package verdict

import (
	"slices"
	"testing"

	"github.com/moiety-go/moiety/internal/stream"
)

// A word that brings another along has a partner; words of a topic, which go with many
// others, have none. A word whose partner was seen is not asked for.
func TestPartners(t *testing.T) {
	const n, topic = 600, 10
	r := stream.New(2, "test")
	b := &bag{cols: topic + 12}
	for i := range n {
		has := make([]bool, b.cols)
		for j := range topic { // ten words of a topic of half of the documents
			has[j] = r.Float64() < .1+.5*float64(i%2)
		}
		for j := topic; j < b.cols; j += 2 {
			if has[j] = r.Float64() < .3; has[j] {
				has[j+1] = r.Float64() < .9
			}
		}
		var index []uint32
		var value []float32
		for j, yes := range has {
			if yes {
				index, value = append(index, uint32(j)), append(value, 1)
			}
		}
		b.add(index, value)
	}
	list := b.partners()
	for j, p := range list {
		if j < topic && p != nil || j >= topic && !slices.Equal(p, []uint32{uint32(j ^ 1)}) {
			t.Errorf("word %d: %v", j, p)
		}
	}
	c := newCompletions(b, 2, 1, b.places.chances("verdict/completion", 1, 0, nil))
	left := 0.0
	for i := range b.n() {
		seen := map[uint32]bool{}
		for e := b.ptr[i]; e < b.ptr[i+1]; e++ {
			seen[b.index[e]] = c.seen[e] > 0
		}
		for e := b.ptr[i]; e < b.ptr[i+1]; e++ {
			left += c.hidden[e]
			if j := b.index[e]; c.hidden[e] > 0 && j >= topic && seen[j^1] {
				t.Fatalf("document %d asks for word %d, whose partner it shows", i, j)
			}
		}
	}
	if left != c.toPredict || left == 0 {
		t.Errorf("%v words to be predicted, counted %v", left, c.toPredict)
	}
}
