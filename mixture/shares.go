package mixture

// Shares tell how much of the records belongs to each group: θ_dk is the
// posterior of document d, N_d its words.
type Shares struct {
	Documents []float64 `json:"documents"` // mean of θ_dk: the share of the average document
	Words     []float64 `json:"words"`     // Σ N_d θ_dk / N: the share of all words
}

// Reorder returns the shares with group c being group order[c].
func (s *Shares) Reorder(order []int) *Shares {
	out := &Shares{make([]float64, len(order)), make([]float64, len(order))}
	for c, j := range order {
		out.Documents[c], out.Words[c] = s.Documents[j], s.Words[j]
	}
	return out
}
