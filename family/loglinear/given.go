package loglinear

import "github.com/moiety-go/moiety/pass"

// AddGiven adds a block's statistics under the responsibilities given (rows×k)
// instead of the posterior; the log-likelihood is left alone. A family that is
// one of several views of a record gathers so, under what all views say.
func (s eStep) AddGiven(state []float64, b pass.Block, given []float64) error {
	t, k := s.t, s.t.K
	count := state[2 : 2+k]
	squares := t.squares(b.Rows)
	for i := range b.Rows.N() {
		state[1]++
		for j, p := range given[i*k:][:k] {
			count[j] += p
			if squares != nil {
				state[2+k+j] += p * squares[i]
			}
		}
	}
	b.Rows.AddTransMul(state[s.heads():], given, k)
	return nil
}
