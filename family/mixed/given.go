package mixed

import (
	"fmt"

	"github.com/moiety-go/moiety/pass"
)

// AddGiven adds a block's statistics under responsibilities given (rows×k), for
// columns that are one of several views of a record; the log-likelihood is left
// alone.
func (s *scorer) AddGiven(state []float64, b pass.Block, given []float64) error {
	if b.Rows.Dim != s.d {
		return fmt.Errorf("mixed: records of %d features for a model of %d", b.Rows.Dim, s.d)
	}
	st, record := s.f.stats(state, s.k), s.newRow()
	for i := range b.Rows.N() {
		s.read(record, b.Rows, i)
		post := given[i*s.k:][:s.k]
		state[1]++
		for j, p := range post {
			st.count[j] += p
		}
		s.addRow(st, record, post)
	}
	return nil
}
