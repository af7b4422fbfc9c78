package moment

import (
	"context"

	"github.com/moiety-go/moiety/pass"
)

// weights32 are the weights of own records in single precision.
type weights32 struct {
	both  []float32 // 2 for each record: of second and of third order
	third []float32 // 1 for each record
}

// keptWeights returns the weights of the own records where these stay in memory,
// so that no later pass has to make them from the rows; nil else.
func keptWeights(ctx context.Context, run pass.Runner, f *Formula) (*weights32, error) {
	can := run.Can()
	if !can.Kept {
		return nil, nil
	}
	out := &weights32{make([]float32, 2*can.Own), make([]float32, can.Own)}
	_, err := run.Own(ctx, func(b pass.Block) error {
		if b.Steps != nil { // rows, which have weights, are no records
			return nil
		}
		w, to := f.weights(b.Rows), out.of(b.First, b.N())
		for i := range to.third {
			_, u, v := w.at(i)
			to.both[2*i], to.both[2*i+1], to.third[i] = float32(u), float32(v), float32(v)
		}
		return nil
	})
	return out, err
}

// of returns the weights of n records from the first on, or nil.
func (w *weights32) of(first, n int) *weights32 {
	if w == nil {
		return nil
	}
	return &weights32{w.both[2*first:][:2*n], w.third[first:][:n]}
}

// pick returns the weights of the n records that keep names, by their number among all,
// of which the first own one has that number.
func (w *weights32) pick(first, n int, keep func(number int) bool) *weights32 {
	if w == nil {
		return nil
	}
	out := &weights32{make([]float32, 0, 2*n), make([]float32, 0, n)}
	for i, v := range w.third {
		if keep(first + i) {
			out.both, out.third = append(out.both, w.both[2*i], w.both[2*i+1]), append(out.third, v)
		}
	}
	return out
}
