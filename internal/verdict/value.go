package verdict

import "slices"

// Verdict says how many groups there are and how far that can be trusted.
type Verdict struct {
	// Groups is the claim: the smallest number that is not clearly worse than
	// the best explanation of records kept aside.
	Groups int `json:"groups"`
	// Range bounds the numbers that can be defended.
	Range [2]int `json:"range"`
	// Sure says that no other number can be defended and that two halves of the
	// records place all of them alike.
	Sure   bool   `json:"sure"`
	Reason string `json:"reason"` // one plain sentence
	// Against is what speaks against the claim, the heaviest first.
	Against []Doubt `json:"against,omitempty"`

	// Mixed says that the groups are topics that a document mixes: it has a share
	// in every one.
	Mixed bool `json:"mixed,omitempty"`

	// Continuum is how records differ by degree, inside groups or without
	// them: "none", "amount", "trend", "two trends"; "two heaps" are two groups
	// along one trend; "sets" means that features come in sets that have nothing
	// to do with each other, "same number" that records have more equal numbers
	// of features than chance gives them.
	Continuum string `json:"continuum"`
	// Plain says that nothing but the groups tells the records apart: no degree, and
	// no feature that repeats another.
	Plain bool `json:"plain,omitempty"`
	// Repeats are pairs of features of which the first repeats the second.
	Repeats [][2]int `json:"-"`
	// Evidence is how much better the claim describes records kept aside than
	// the best explanation without groups; for one group, how much better that
	// is than the best one with groups.
	Evidence Evidence `json:"evidence,omitzero"`
	// Fewer is the evidence against one group less, where there are several.
	Fewer *Evidence `json:"fewer,omitempty"`
	// Splits are the borders between heaps, from the top, where groups are
	// heaps: first those of the claim, then the best that were refused.
	Splits []Border `json:"splits,omitempty"`
	// Components is the number of groups of the best description of all.
	Components int `json:"components"`
	// Repeat is the agreement (adjusted Rand index) of the groups of two halves
	// of the records, each placing all of them; 1 for one group, 0 where halves are
	// too small to tell.
	Repeat float64 `json:"repeat,omitzero"`
	// Features is the number of features that the evidence rests on, as if all
	// counted alike; 0 where it was not measured.
	Features float64 `json:"features,omitempty"`
	// Records is the number of records that were looked at. It is no part of
	// what is printed: outputs that are shared round their counts.
	Records int `json:"-"`
	// Seen are the numbers of the records that were looked at; nil where that is
	// not known.
	Seen []int `json:"-"`
	// Far says which values lie far from all others, in records that are like others
	// otherwise: these values were not used. It is nil where there are none.
	Far Reaches `json:"-"`
	// Shown lists the features that are the states of sequences, one each, where
	// nothing is hidden; nil otherwise.
	Shown []int `json:"-"`
	// Found are the groups of the claim, nil for one group.
	Found *Found `json:"-"`
	// Form says how measurements are described; nil for other records.
	Form *Form `json:"-"`
	// Calm is what a count of every feature weighs, of counts that scatter more than
	// chance; nil for others.
	Calm []float64 `json:"-"`
}

// Again is Repeat, and whether it was measured: halves may be too small to show
// groups again.
func (v *Verdict) Again() (agreement float64, measured bool) {
	return v.Repeat, v.Found == nil || !v.Found.fewHalves
}

// Shared is the verdict as it may leave the house: what is claimed and how sure
// that is, without the figures that change with every record. It is nil for nil.
func (v *Verdict) Shared() *Verdict {
	if v == nil {
		return nil
	}
	return &Verdict{Groups: v.Groups, Range: v.Range, Sure: v.Sure, Reason: v.Reason, Continuum: v.Continuum, Components: v.Components, Mixed: v.Mixed}
}

// Light is the verdict as a light: "green" where it is sure, "red" where one
// group can be defended as well as several, "amber" otherwise.
func (v *Verdict) Light() string {
	switch {
	case v.Sure:
		return "green"
	case v.doubted(TooFew) || v.Records < leastRecords:
		return "red"
	}
	return "amber"
}

// SetAside takes back that the verdict is sure: what it is of was chosen by a guess.
func (v *Verdict) SetAside() {
	v.Sure = false
	v.Against = slices.Insert(v.Against, 0, Doubt{LeftOut, "Columns that may make groups were left out by a guess."})
}

// Border is a place between two heaps of records.
type Border struct {
	Evidence
	// Depth is the density at the border over that of the lower heap.
	Depth float64 `json:"depth"`
	// Claimed says that it is part of the claim. Of the others those are Likely
	// that more records may show; the rest is a trend or a shape.
	Claimed bool `json:"claimed"`
	Likely  bool `json:"likely,omitempty"`
	Sure    bool `json:"sure,omitempty"` // evidence of two standard errors
}

func (v *Verdict) doubted(code string) bool {
	for _, d := range v.Against {
		if d.Code == code {
			return true
		}
	}
	return false
}

// Doubt is one thing that speaks against a claim.
type Doubt struct {
	Code string `json:"code"`
	Text string `json:"text"`
}

// Codes of doubts.
const (
	LeftOut     = "left-out"     // columns stay out of the groups by a guess
	TooFew      = "too-few"      // one group can be defended, and several
	MoreOrLess  = "range"        // several numbers can be defended
	NotRepeated = "not-repeated" // two halves place records differently
	FewFeatures = "few-features"
	FewRecords  = "few-records"
	EqualOnes   = "equal-records" // equal records were counted once
	NearKin     = "near-kin"      // of near kin one was counted
	NotAsked    = "not-asked"     // sets of features that are all 0 were filled in
	AtLimit     = "limit"         // so few records cannot show more groups
	ByDegree    = "by-degree"     // records also differ by degree
	SameThing   = "same-thing"    // features repeat others
	SmallGroup  = "small-group"   // other records of the same kind may not show it
	OneLine     = "one-line"      // two groups that lie along one line
	Differ      = "halves-differ" // two halves claim other numbers
	Overlap     = "overlap"       // groups may overlap
	ByShape     = "by-shape"      // nearest neighbours hang together in other parts
	// OtherMemory says that steps depend on more than a hidden state.
	OtherMemory = "memory"
	// ShortRecords says that records have so few counts that groups may not show.
	ShortRecords = "short-records"
)

// word returns the name of a continuum.
func (c continuum) word() string {
	return [...]string{"none", "amount", "two heaps", "trend", "bent trend", "two trends", "three trends", "many trends", "sets", "same number", "own trends", "two own trends"}[c]
}
