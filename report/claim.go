package report

// Sureness says how far a claim can be trusted; "" where it was not judged.
type Sureness string

// Degrees of sureness.
const (
	Sure     Sureness = "sure"
	Fair     Sureness = "fair"
	Doubtful Sureness = "doubtful"
)

// Claim is how many groups there are, how sure that is, and what speaks against
// it: the verdict as it is reported.
type Claim struct {
	Groups   int      `json:"groups" gate:"groups"`
	Range    [2]int   `json:"range" gate:"groups"` // numbers that can be defended
	Sureness Sureness `json:"sureness"`
	Reason   string   `json:"reason"`
	Against  []string `json:"against"` // the heaviest first
	// Repeat is how well the groups of two halves of the records agree on all of
	// them (adjusted Rand index).
	Repeat    Number `json:"repeat"`
	Continuum string `json:"continuum"` // how records differ by degree: "amount", "trend", ...
}
