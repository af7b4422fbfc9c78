package mixture

// Starts says how many starts were tried, and how many of them ended at the
// best of the maxima found.
type Starts struct {
	Tried   int `json:"tried"`
	Reached int `json:"reached"`
}
