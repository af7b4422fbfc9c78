package passtest

import (
	"math"
	"math/rand/v2"

	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// Rows returns n rows whose values span five powers of ten and cancel, so that
// their sums depend on the order of addition; some rows are empty.
func Rows(n int) sparse.Rows {
	r := rand.New(rand.NewPCG(4096, uint64(n)))
	out := sparse.Rows{Dim: dim, Ptr: make([]int, 1, n+1), Value: []float32{}}
	for range n {
		for h := range dim {
			if r.IntN(3) == 0 {
				v := math.Exp(11.5*r.Float64() - 5.75)
				if r.IntN(2) == 0 {
					v = -v
				}
				out.Index, out.Value = append(out.Index, uint32(h)), append(out.Value, float32(v))
			}
		}
		out.Ptr = append(out.Ptr, len(out.Index))
	}
	return out
}

// Sequences returns n sequences of 0 to 3 rows each and their offsets.
func Sequences(n int) (sparse.Rows, []int) {
	r := rand.New(rand.NewPCG(7, uint64(n)))
	steps := make([]int, 1, n+1)
	for range n {
		steps = append(steps, steps[len(steps)-1]+r.IntN(4))
	}
	return Rows(steps[n]), steps
}

// shares is the Sum of the battery: per feature Σ x and Σ x·√2, so that the
// second half needs rounding in every step. For sequences the share of a row is
// weighted by its place in its sequence.
type shares struct {
	fail error // returned for the block that holds record number at
	at   int
	call func() // called at each block
}

// Len implements pass.Sum.
func (shares) Len() int { return 2 * dim }

// Add implements pass.Sum.
func (s shares) Add(state []float64, b pass.Block) error {
	if s.call != nil {
		s.call()
	}
	if s.fail != nil && b.First <= s.at && s.at < b.First+b.N() {
		return s.fail
	}
	if b.Steps == nil {
		add(state, b.Rows, nil)
		return nil
	}
	for i := range b.N() {
		seq := b.Sequence(i)
		add(state, seq, places(seq.N()))
	}
	return nil
}

func places(n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = float64(i + 1)
	}
	return out
}

// add is the formula of shares; a nil weight means ones.
func add(state []float64, rows sparse.Rows, weight []float64) {
	for i := range rows.N() {
		w := 1.0
		if weight != nil {
			w = weight[i]
		}
		index, value := rows.Row(i)
		for e, h := range index {
			x := w * float64(value[e])
			state[h] += x
			state[dim+int(h)] += float64(x * math.Sqrt2)
		}
	}
}

// reference folds the rows by the definition: records in blocks, block b to
// lane b mod L, lanes in a tree. size is the length of the whole state of the
// scan, which decides the number of lanes. It also returns the sum of sizes.
func reference(rows sparse.Rows, steps []int, size int) (sum, sizes []float64) {
	n := rows.N()
	if steps != nil {
		n = len(steps) - 1
	}
	lanes := make([][]float64, par.Lanes(size))
	for l := range lanes {
		lanes[l] = make([]float64, 2*dim)
	}
	sizes = make([]float64, 2*dim)
	for i := range n {
		lane := lanes[i/pass.BlockRecords%len(lanes)]
		if steps == nil {
			add(lane, rows.Slice(i, i+1), nil)
			grow(sizes, rows.Slice(i, i+1), nil)
			continue
		}
		seq := rows.Slice(steps[i], steps[i+1])
		add(lane, seq, places(seq.N()))
		grow(sizes, seq, places(seq.N()))
	}
	for step := 1; step < len(lanes); step *= 2 {
		for l := 0; l < len(lanes); l += 2 * step {
			for j, v := range lanes[l+step] {
				lanes[l][j] += v
			}
		}
	}
	return lanes[0], sizes
}

// grow adds the absolute shares of rows to sizes.
func grow(sizes []float64, rows sparse.Rows, weight []float64) {
	one := make([]float64, len(sizes))
	for i := range rows.N() {
		clear(one)
		var w []float64
		if weight != nil {
			w = weight[i : i+1]
		}
		add(one, rows.Slice(i, i+1), w)
		for j, v := range one {
			sizes[j] += math.Abs(v)
		}
	}
}
