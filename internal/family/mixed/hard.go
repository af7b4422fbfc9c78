package mixed

import (
	"fmt"

	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
)

// HardStep implements family.Grouped: the statistics of a given partition, with
// the likelihood left at zero.
func (f *Family) HardStep(p mixture.Params, labels []int32) (pass.Sum, error) {
	if err := f.Check(p); err != nil {
		return nil, err
	}
	return hardStep{f.scorer(p), labels}, nil
}

type hardStep struct {
	*scorer
	labels []int32
}

// Add implements pass.Sum.
func (s hardStep) Add(state []float64, b pass.Block) error {
	if b.Rows.Dim != s.d {
		return fmt.Errorf("mixed: records of %d features for a model of %d", b.Rows.Dim, s.d)
	}
	st := s.f.stats(state, s.k)
	record, post := s.newRow(), make([]float64, s.k)
	for i := range b.Rows.N() {
		j := s.labels[b.First+i]
		clear(post)
		post[j] = 1
		st.count[j]++
		state[1]++
		s.read(record, b.Rows, i)
		s.addRow(st, record, post)
	}
	return nil
}
