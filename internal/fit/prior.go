package fit

import (
	"encoding/json"
	"fmt"
	"math"
)

// Prior is the weight of EM's prior in records: that many records of the
// overall frequencies are added to every group. The zero value means one
// record; any negative value means none, which is maximum likelihood.
type Prior float64

// Likelihood is the Prior of maximum likelihood: none.
const Likelihood Prior = -1

// PriorOf returns the prior worth so many records, 0 or more.
func PriorOf(records float64) Prior {
	if records == 0 {
		return Likelihood
	}
	return Prior(records)
}

// Records returns what the prior is worth.
func (p Prior) Records() float64 {
	switch {
	case p == 0:
		return 1
	case p < 0:
		return 0
	}
	return float64(p)
}

// MarshalJSON writes what the prior is worth: 0 for none.
func (p Prior) MarshalJSON() ([]byte, error) { return json.Marshal(p.Records()) }

// UnmarshalJSON reads what MarshalJSON wrote.
func (p *Prior) UnmarshalJSON(text []byte) error {
	var v float64
	if err := json.Unmarshal(text, &v); err != nil {
		return err
	}
	if v < 0 || math.IsInf(v, 0) {
		return fmt.Errorf("fit: a prior of %v records, want 0 or more", v)
	}
	*p = PriorOf(v)
	return nil
}
