package report

// Distal is a side column by latent class, by three steps: corrected for records
// put into the wrong class, with intervals that carry the uncertainty of
// membership.
type Distal struct {
	Column string        `json:"column"`
	Answer string        `json:"answer"` // whose share is reported; none for a number
	N      Count         `json:"n"`
	Used   bool          `json:"used"` // the groups were made from a column of this name
	Groups []DistalGroup `json:"groups"`
	// Slopes explain membership by the column: log-odds of each group but the
	// last against it, for a step of one, or for the answer.
	Slopes []DistalSlope `json:"slopes"`
}

// DistalGroup is an outcome in one group.
type DistalGroup struct {
	Group   string `json:"group"`
	Counted Number `json:"counted"` // of the records put into it, without a correction
	Mean    Number `json:"mean"`    // corrected (Bolck, Croon and Hagenaars 2004)
	SE      Number `json:"se"`      // all steps repeated on records drawn again
	Fixed   Number `json:"se_fixed"`
	Low     Number `json:"low"`
	High    Number `json:"high"`
	ML      Number `json:"ml"` // of numbers, by the likelihood of normal outcomes
}

// DistalSlope is a covariate of membership (Vermunt 2010).
type DistalSlope struct {
	Group string `json:"group"`
	Slope Number `json:"slope"`
	SE    Number `json:"se"` // all steps repeated on records drawn again
	Low   Number `json:"low"`
	High  Number `json:"high"`
}
