package moment

import "github.com/moiety-go/moiety/pass"

// weights32 are the weights of records in single precision.
type weights32 struct {
	both  []float32 // 2 for each record: of second and of third order
	third []float32 // 1 for each record
}

// keepsWeights returns room for the weights of all records where those stand in
// memory, so that only the first pass has to make them from the rows; nil else.
func keepsWeights(run pass.Runner) *weights32 {
	local, ok := run.(*pass.Local)
	if !ok || local.Rows().N() != local.Len() || local.Rows().IsDense() {
		return nil
	}
	n := local.Len()
	return &weights32{make([]float32, 2*n), make([]float32, n)}
}

// note keeps the weights of records from the first on, given as r, u, v and
// another number of each.
func (w *weights32) note(first int, weights []float64) {
	if w == nil {
		return
	}
	n := len(weights) / orders
	both, third := w.both[2*first:][:2*n], w.third[first:][:n]
	for i := range third {
		u, v := float32(weights[i*orders+1]), float32(weights[i*orders+2])
		both[2*i], both[2*i+1], third[i] = u, v, v
	}
}

// of returns the weights of n records from the first on, or nil.
func (w *weights32) of(first, n int) *weights32 {
	if w == nil {
		return nil
	}
	return &weights32{w.both[2*first:][:2*n], w.third[first:][:n]}
}
