package fit

import "github.com/moiety-go/moiety/pass"

// Batches says how the records of a run came, and by what factor the older ones
// count less.
type Batches struct {
	Records []int   `json:"records"` // of every batch, in order
	Forget  float64 `json:"forget,omitempty"`
}

// weighed makes older batches count less.
func weighed(data Training, b *Batches) Training {
	if b == nil || b.Forget == 0 {
		return data
	}
	ends, weights := make([]int, len(b.Records)), make([]float64, len(b.Records))
	at, w := 0, 1.0
	for i, n := range b.Records {
		at += n
		ends[i] = at
	}
	for i := len(weights) - 1; i >= 0; i-- {
		weights[i], w = w, w*b.Forget
	}
	return data.of(pass.Weigh(data.Run, ends, weights))
}
