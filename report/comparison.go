package report

import "github.com/moiety-go/moiety/warn"

// CompareVersion is the version of the Comparison's JSON form.
const CompareVersion = 1

// CompareSettings say how to compare. The zero value works.
type CompareSettings struct {
	Level int // of trees: compare the groups of this level; 0 means the leaves
	Top   int // features of each pair; 0 means 5
	// Memory bounds what is kept of the records while they are matched, in
	// bytes; 0 means no bound. The result does not depend on it.
	Memory int64
}

// Matching says how the records of two fits were found in each other.
type Matching string

// Ways to match.
const (
	ByID       Matching = "ids"       // records of the same id
	ByPosition Matching = "positions" // records of the same number
	ByFeatures Matching = "features"  // no records in common: groups are compared by their features
)

// Comparison is everything that is said of two fits together. Of each of them
// it says no more than its report, and of the records they share no count below
// the limit, nor one that would give such a count away.
type Comparison struct {
	Version int            `json:"version" gate:"form"`
	A       Compared       `json:"a"`
	B       Compared       `json:"b"`
	Unit    Unit           `json:"unit"`           // what is counted: steps where records are sequences
	Ring    Ring           `json:"ring,omitempty"` // for whom it is
	Limit   int            `json:"limit,omitempty" gate:"setting"`
	Rounded int            `json:"rounded,omitempty" gate:"setting"` // the least that counts are rounded to
	Level   int            `json:"level,omitempty" gate:"groups"`
	Matched Matching       `json:"matched"`
	Shared  Count          `json:"shared"` // in both
	OnlyA   Count          `json:"only_a"`
	OnlyB   Count          `json:"only_b"`
	Common  CommonFeatures `json:"features"`
	// ARI and NMI are of the shared records. Where cells are masked, ARI is
	// rounded to Within, so that it does not tell them, and NMI is not reported.
	ARI    Number `json:"ari"`
	NMI    Number `json:"nmi"`
	Within Number `json:"ari_within"`
	// Stayed is the share of the shared records whose groups are partners.
	Stayed Number `json:"stayed"`
	// Same says that both put the same records into the same groups.
	Same  bool   `json:"same"`
	Pairs []Pair `json:"pairs"`
	// AloneA and AloneB are the groups without a partner.
	AloneA []Alone `json:"alone_a"`
	AloneB []Alone `json:"alone_b"`
	// Table counts the shared records: a row for each of A.Groups, a column for
	// each of B.Groups. It is nil where records were not matched.
	Table    [][]Count      `json:"table"`
	Summary  []string       `json:"summary"`
	Warnings []warn.Warning `json:"warnings" gate:"words"`
}

// Compared is one of the fits in a comparison.
type Compared struct {
	Name    string     `json:"name"`
	Model   string     `json:"model"`
	Shape   Shape      `json:"shape"`
	Records Count      `json:"records"`
	Data    string     `json:"data"` // fingerprint
	Groups  []GroupRef `json:"groups"`
}

// GroupRef names a group of one of the fits.
type GroupRef struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	N     Count  `json:"n"`
	Share Number `json:"share"`
}

// CommonFeatures tells which features two fits share.
type CommonFeatures struct {
	Both  int      `json:"both" gate:"features"`
	OnlyA []string `json:"only_a"` // titles, in the order of the vocabulary
	OnlyB []string `json:"only_b"`
}

// Pair is a group of A and its partner in B.
type Pair struct {
	A       GroupRef `json:"a"`
	B       GroupRef `json:"b"`
	Both    Count    `json:"both"`           // records in both
	Overlap Number   `json:"overlap"`        // Both over the records in either (Jaccard)
	Kept    Number   `json:"kept"`           // Both over the group of A
	Known   Number   `json:"known"`          // Both over the group of B
	Like    Likeness `json:"like,omitempty"` // where Both is masked: what may be said in its place
	// Distance is the Bhattacharyya distance of the features, where no records
	// were matched.
	Distance Number   `json:"distance"`
	Out      []Flow   `json:"out"`                // where the other records of A's group are in B, most first
	In       []Flow   `json:"in"`                 // where the other records of B's group were in A, most first
	Withheld bool     `json:"withheld,omitempty"` // some moves are masked
	Features []Change `json:"features"`           // clearly changed, most first
	Text     string   `json:"text"`               // sizes and moves
	Changed  string   `json:"changed,omitempty"`  // the features, in words
}

// Likeness says in words how much of the smaller group of a pair is in the
// larger one.
type Likeness string

// Likenesses.
const (
	NearlyAll Likeness = "nearly all"
	MostOf    Likeness = "most"
)

// Alone is a group without a partner.
type Alone struct {
	Group GroupRef `json:"group"`
	// Flows tell where its records are in the other run, most first.
	Flows []Flow `json:"flows"`
	// Like tells, where the largest move is masked, how much of the group is in
	// group In of the other run.
	Like     Likeness `json:"like,omitempty"`
	In       string   `json:"in,omitempty"`
	Withheld bool     `json:"withheld,omitempty"`
	Text     string   `json:"text"`
}

// Flow is a number of records that moved between groups.
type Flow struct {
	Group string `json:"group"` // id in the other run; "" for records that it does not hold
	Name  string `json:"name"`
	N     Count  `json:"n"`
	Share Number `json:"share"` // of the group they left, or came to
}

// Change is a feature that is clearly more or less frequent in a group than in
// its partner.
type Change struct {
	Name  string        `json:"name"`
	Title string        `json:"title"`
	Short string        `json:"short"`
	Of    Of            `json:"of"`
	A     ChangedNumber `json:"a"`
	B     ChangedNumber `json:"b"`
}

// Said is what people call the feature.
func (c *Change) Said() string { return said(c.Title, c.Short, c.Of) }

// ChangedNumber is the share of a feature in one of two groups.
type ChangedNumber struct {
	Share Number `json:"share"` // or mean
	Count Count  `json:"count"`
	Low   Number `json:"low"` // 95 % interval of Share (Wilson)
	High  Number `json:"high"`
}
