package moment

import (
	"math/rand/v2"
	"strconv"

	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// threeWords returns a runner that shows three words of each document, drawn
// without replacement from a stream of the document's number among all, so that
// the draw depends neither on the blocks nor on the workers nor on where the
// document lies. Shorter documents are shown whole.
func threeWords(run pass.Runner, seed uint64) pass.Runner {
	first := run.Can().First
	return pass.Map(run, func(b pass.Block) pass.Block {
		rows := sparse.Rows{Dim: b.Rows.Dim, Ptr: make([]int, 1, b.Rows.N()+1), Value: []float32{}}
		for i := range b.Rows.N() {
			index, count := tokens(b.Rows, i)
			r := stream.New(seed, "three-words "+strconv.Itoa(first+b.First+i))
			drawThree(r, index, count, func(word uint32) {
				if last := len(rows.Index) - 1; last >= rows.Ptr[i] && rows.Index[last] == word {
					rows.Value[last]++
					return
				}
				rows.Index, rows.Value = append(rows.Index, word), append(rows.Value, 1)
			})
			rows.Ptr = append(rows.Ptr, len(rows.Index))
		}
		b.Rows = rows
		return b
	})
}

// tokens returns the words of row i and how often each occurs.
func tokens(rows sparse.Rows, i int) (index []uint32, count []int) {
	if rows.IsDense() {
		for h, v := range rows.DenseRow(i) {
			if v > 0 {
				index, count = append(index, uint32(h)), append(count, int(v))
			}
		}
		return index, count
	}
	index, value := rows.Row(i)
	count = make([]int, len(index))
	for e := range count {
		count[e] = 1
		if value != nil {
			count[e] = int(value[e])
		}
	}
	return index, count
}

// drawThree hands use the words at three places of the document drawn without
// replacement, in order; all its words if it has no more than three.
func drawThree(r *rand.Rand, index []uint32, count []int, use func(word uint32)) {
	total := 0
	for _, c := range count {
		total += c
	}
	left := min(total, 3)
	for e, c := range count { // one word after another: hypergeometric by tokens
		for ; c > 0 && left > 0; c-- {
			if r.IntN(total) < left {
				use(index[e])
				left--
			}
			total--
		}
		total -= c
	}
}
