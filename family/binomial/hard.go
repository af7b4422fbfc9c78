package binomial

import (
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
)

// HardStep implements family.Grouped.
func (f Family) HardStep(p mixture.Params, labels []int32) (pass.Sum, error) {
	if err := f.Check(p); err != nil {
		return nil, err
	}
	m, err := f.trialsOf(p)
	if err != nil {
		return nil, err
	}
	return table(p, m).HardStep(labels), nil
}
