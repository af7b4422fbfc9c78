package mixture

// Courses are kinds of sequences that pass through the same states, each in its
// own way: a mixture of Markov chains over the states of a hidden Markov model.
type Courses struct {
	Share []float64   `json:"share"` // of every course among the sequences
	Start [][]float64 `json:"start"` // course×k: chances of the first state
	Moves [][]float64 `json:"moves"` // course×(k·k): row i to column j
	Time  [][]float64 `json:"time"`  // course×k: shares of the steps
	// N are the sequences put into every course, In those of them that have a
	// step in every state.
	N  []int   `json:"n"`
	In [][]int `json:"in"`
	// Gain is the log-likelihood over that of one course for all, less what as
	// many parameters gain by chance (BIC).
	Gain float64 `json:"gain"`
	// Gains are those of 1, 2, ... courses, up to one more than these.
	Gains []float64 `json:"gains,omitempty"`
}

// K returns the number of courses.
func (c *Courses) K() int { return len(c.Share) }
