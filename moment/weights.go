package moment

import "github.com/moiety-go/moiety/pass"

// ownWeights are what the first pass keeps of own records that stay in memory, so
// that neither its sum nor a later pass has to make it from the rows again.
type ownWeights struct {
	totals []float64
	whole  []bool // all values of the record and of its panel are whole, see recordWeights
	weights32
}

// weights32 are the weights of own records in single precision.
type weights32 struct {
	both  []float32 // 2 for each record: of second and of third order
	third []float32 // 1 for each record
}

// newOwnWeights makes room for the own records of a runner.
func newOwnWeights(n int) *ownWeights {
	return &ownWeights{make([]float64, n), make([]bool, n), weights32{make([]float32, 2*n), make([]float32, n)}}
}

// see keeps the weights of a block.
func (o *ownWeights) see(f *Formula, b pass.Block) error {
	if b.Rows.N() != b.N() { // rows, which have weights, are no records
		return nil
	}
	for panel := range panels(b) {
		w, at := f.weights(panel.Rows), panel.First
		copy(o.totals[at:], w.totals)
		to := o.of(at, panel.N())
		for i := range to.third {
			o.whole[at+i] = w.whole
			_, u, v := w.at(i)
			to.both[2*i], to.both[2*i+1], to.third[i] = float32(u), float32(v), float32(v)
		}
	}
	return nil
}

// recordWeights returns the weights of a panel, those that were kept where they were.
func (o *ownWeights) recordWeights(f *Formula, panel pass.Block, rows bool) recordWeights {
	if o == nil || rows || f.Weigh == nil {
		return f.weights(panel.Rows)
	}
	return recordWeights{f: f, totals: o.totals[panel.First:][:panel.N()], whole: o.whole[panel.First]}
}

// of returns the weights of n records from the first on, or nil.
func (w *weights32) of(first, n int) *weights32 {
	if w == nil {
		return nil
	}
	return &weights32{w.both[2*first:][:2*n], w.third[first:][:n]}
}
