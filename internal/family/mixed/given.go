package mixed

import (
	"context"
	"fmt"

	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
)

// plain makes a source of one that offers centers in the units of the features
// and knows their variances, as when the columns are one of several views.
func plain(src moment.Source) (source, bool) {
	known, ok := src.(interface{ Variances() []float64 })
	if !ok {
		return source{}, false
	}
	mean, err := src.First(context.Background()) // known without a scan
	if err != nil {
		return source{}, false
	}
	scale := make([]float64, len(mean))
	for h := range scale {
		scale[h] = 1
	}
	return source{
		&moment.Standard{Completed: &moment.Completed{}, Scale: scale, Mean: mean, N: leastRecords},
		known.Variances(),
	}, true
}

// leastRecords stands for the number of records where it is not known: it only
// keeps weights from zero.
const leastRecords = 1000

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
