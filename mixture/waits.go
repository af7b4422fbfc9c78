package mixture

// WaitQuantile times Error is half of a 95 % interval of Mean: that of Student's law
// with 11 degrees of freedom, for errors come from 12 parts of the sequences.
const WaitQuantile = 2.201

// Waits say how long it is from a step in every state to the next step: a log-normal
// law a state.
type Waits struct {
	Days  bool      `json:"days"`  // the unit; otherwise that of the numbers in the data
	Mean  []float64 `json:"mean"`  // of the logarithms
	SD    []float64 `json:"sd"`    // of the logarithms
	Error []float64 `json:"error"` // standard error of Mean
	// Middle is the share of the waits between the quartiles of the law: one half
	// where it holds.
	Middle []float64 `json:"middle"`
	Last   []float64 `json:"last"` // share of the steps that no step follows
	// N are the sequences with a wait from every state, by their likeliest states.
	N []int `json:"n"`
}
