package singletopic

import "github.com/moiety-go/moiety/pass"

// AddGiven adds a block's statistics under responsibilities given (rows×k), for
// documents that are one of several views of a record.
func (c counted) AddGiven(state []float64, b pass.Block, given []float64) error {
	return c.Sum.(interface {
		AddGiven([]float64, pass.Block, []float64) error
	}).AddGiven(state, b, given)
}
