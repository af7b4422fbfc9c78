package moment

import (
	"context"
	"math/rand/v2"
	"strconv"

	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/stream"
)

// threeWords is a runner that shows three words of each document, drawn
// without replacement from a stream of the document's own number, so that the
// draw depends neither on the blocks nor on the workers. Shorter documents are
// shown whole.
type threeWords struct {
	pass.Runner
	seed uint64
}

// Run implements pass.Runner.
func (w threeWords) Run(ctx context.Context, sums ...pass.Sum) ([][]float64, error) {
	all := thinned{w, sums}
	states, err := w.Runner.Run(ctx, all)
	if err != nil {
		return nil, err
	}
	out := make([][]float64, len(sums))
	for i, s := range sums {
		n := s.Len()
		out[i], states[0] = states[0][:n:n], states[0][n:]
	}
	return out, nil
}

// Visit implements pass.Runner.
func (w threeWords) Visit(ctx context.Context, f func(pass.Block) error) error {
	return w.Runner.Visit(ctx, func(b pass.Block) error {
		b, err := w.thin(b)
		if err != nil {
			return err
		}
		return f(b)
	})
}

// thinned hands several sums the same thinned block, drawn once.
type thinned struct {
	w    threeWords
	sums []pass.Sum
}

func (t thinned) Len() int {
	n := 0
	for _, s := range t.sums {
		n += s.Len()
	}
	return n
}

func (t thinned) Add(state []float64, b pass.Block) error {
	b, err := t.w.thin(b)
	if err != nil {
		return err
	}
	for _, s := range t.sums {
		n := s.Len()
		if err := s.Add(state[:n:n], b); err != nil {
			return err
		}
		state = state[n:]
	}
	return nil
}

// thin returns the block with three words a document.
func (w threeWords) thin(b pass.Block) (pass.Block, error) {
	rows := sparse.NewBuilder(b.Rows.Dim, false)
	for i := range b.Rows.N() {
		index, count := tokens(b.Rows, i)
		r := stream.New(w.seed, "three-words "+strconv.Itoa(b.First+i))
		if err := rows.Add(drawThree(r, index, count), nil); err != nil {
			return b, err
		}
	}
	return pass.Block{First: b.First, Rows: rows.Rows()}, nil
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

// drawThree returns the words at three places of the document drawn without
// replacement; all its words if it has no more than three.
func drawThree(r *rand.Rand, index []uint32, count []int) []uint32 {
	total := 0
	for _, c := range count {
		total += c
	}
	var out []uint32
	left := min(total, 3)
	for e, c := range count { // one word after another: hypergeometric by tokens
		for ; c > 0 && left > 0; c-- {
			if r.IntN(total) < left {
				out = append(out, index[e])
				left--
			}
			total--
		}
		total -= c
	}
	return out
}
