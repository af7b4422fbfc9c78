package multiview

import (
	"fmt"

	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
)

// grouped is a family that can learn from labels of the records (by number).
type grouped interface {
	HardStep(p mixture.Params, labels []int32) (pass.Sum, error)
}

// HardStep returns the sum of the statistics of known groups, in the layout of
// EStep's: labels holds the component of every record, by record number. All
// views' families must be able to do the same.
func (f *Family) HardStep(p mixture.Params, labels []int32) (pass.Sum, error) {
	h := &hardStep{k: p.K(), labels: labels}
	for i, v := range f.views {
		g, ok := v.Family.(grouped)
		if !ok {
			return nil, f.inView(i, fmt.Errorf("the model %s does not learn from a partition", v.Family.Info().Name))
		}
		sum, err := g.HardStep(f.view(p, i), labels)
		if err != nil {
			return nil, f.inView(i, err)
		}
		h.sums = append(h.sums, viewSum{f, i, sum})
	}
	return h, nil
}

type hardStep struct {
	k      int
	labels []int32
	sums   []viewSum
}

// Len implements pass.Sum.
func (h *hardStep) Len() int {
	n := heads + h.k
	for _, s := range h.sums {
		n += s.Len()
	}
	return n
}

// Add implements pass.Sum.
func (h *hardStep) Add(state []float64, b pass.Block) error {
	for i := range b.Rows.N() {
		at := b.First + i
		if at >= len(h.labels) || h.labels[at] < 0 || int(h.labels[at]) >= h.k {
			return fmt.Errorf("multiview: record %d has no group among %d", at+1, h.k)
		}
		state[1]++
		state[heads+int(h.labels[at])]++
	}
	rest := state[heads+h.k:]
	for _, s := range h.sums {
		n := s.Len()
		if err := s.Add(rest[:n:n], b); err != nil {
			return err
		}
		rest = rest[n:]
	}
	return nil
}
