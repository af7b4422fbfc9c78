package explain

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/warn"
)

// CompareVersion is the version of the Comparison's JSON form.
const CompareVersion = 1

// Side is one of two fits to compare: what was fitted, on what, and its report.
// The outcome must be the one that the report was made of.
type Side struct {
	Name    string // for people: the folder of the run
	Outcome *fit.Outcome
	Data    Records // in memory or on disk
	Report  *Report
}

// CompareSettings say how to compare. The zero value works.
type CompareSettings struct {
	Level int // of trees: compare the groups of this level; 0 means the leaves
	Top   int // features of each pair; 0 means 5
	// Memory bounds what is kept of the records while they are matched, in
	// bytes; 0 means no bound. The result does not depend on it.
	Memory int64
}

const defaultChanges = 5

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
	// rounded to Within, so that it does not tell them, and NMI is not told.
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
	Of    Of            `json:"of"`
	A     ChangedNumber `json:"a"`
	B     ChangedNumber `json:"b"`
}

// ChangedNumber is the share of a feature in one of two groups.
type ChangedNumber struct {
	Share Number `json:"share"` // or mean
	Count Count  `json:"count"`
	Low   Number `json:"low"` // 95 % interval of Share (Wilson)
	High  Number `json:"high"`
}

// leastFlow is the share of a group from which a move is told.
const leastFlow = 0.01

// leastOverlapOfPair is the overlap (Jaccard) below which two groups are not
// called partners, even where nothing better is left for either.
const leastOverlapOfPair = 0.1

// Compare aligns two fits and tells what changed from a to b. Both reports must
// have the same limit on small cells. Records are matched by id where the fits
// share ids, else by position where both hold the same number of records; where
// neither holds, groups are compared by their features. Two fits that share
// neither records nor features give an error that wraps fit.ErrTooLittle.
func Compare(ctx context.Context, a, b Side, s CompareSettings) (*Comparison, error) {
	c := &comparer{a: a, b: b, s: s}
	if err := c.check(ctx); err != nil {
		return nil, err
	}
	c.cuts[0], c.cuts[1] = newCut(a, s.Level), newCut(b, s.Level)
	c.out = &Comparison{
		Version: CompareVersion, Ring: stricter(a.Report.Ring, b.Report.Ring), Limit: a.Report.Limit, Rounded: max(a.Report.Rounded, b.Report.Rounded), Level: s.Level, Unit: c.unit(),
		A: compared(a, c.cuts[0]), B: compared(b, c.cuts[1]),
		Pairs: []Pair{}, AloneA: []Alone{}, AloneB: []Alone{}, Warnings: []warn.Warning{},
	}
	c.features()
	if err := c.pooledSpread(ctx); err != nil {
		return nil, err
	}
	if err := c.records(ctx); err != nil {
		return nil, err
	}
	if c.out.Matched == ByFeatures && len(c.rows) == 0 {
		return nil, fmt.Errorf("explain: %w: %s and %s share neither records nor features", fit.ErrTooLittle, a.Name, b.Name)
	}
	match, err := c.align()
	if err != nil {
		return nil, err
	}
	c.pairs(match)
	c.tell()
	return c.out, ctx.Err()
}

// check looks at the records of both sides and at what does not go together.
func (c *comparer) check(ctx context.Context) (err error) {
	a, b, s := c.a, c.b, c.s
	for i, side := range []Side{a, b} {
		if c.facts[i], err = lookAt(ctx, side.Data); err != nil {
			return err
		}
		if err := matching(side.Outcome, c.facts[i].rows, c.facts[i].features); err != nil {
			return err
		}
	}
	if a.Report.Limit != b.Report.Limit {
		return fmt.Errorf("explain: one report withholds counts below %d, the other below %d: explain both with the same limit", a.Report.Limit, b.Report.Limit)
	}
	if (a.Report.Ring == Shared) != (b.Report.Ring == Shared) {
		return fmt.Errorf("explain: one report is to be shared, the other is not: explain both alike")
	}
	if s.Level < 0 || s.Top < 0 {
		return fmt.Errorf("explain: level %d and %d features, want numbers from 0", s.Level, s.Top)
	}
	return nil
}

// comparer holds what the steps of Compare share.
type comparer struct {
	a, b   Side
	s      CompareSettings
	facts  [2]recordFacts
	cuts   [2]*cut
	shared [][2]int32 // common features: their places in the tables of a and b
	rows   [][2]int32 // the same: their places in the rows
	flows  *flows     // nil where no records were matched
	// uncounted says that steps could be matched and were not.
	uncounted bool
	// distance is that of the groups by their features, where flows is nil.
	distance *mat.Dense
	sd       []float64 // of measured features, by their number in a
	out      *Comparison
}

// cut is the groups of one side that are compared.
type cut struct {
	ids   []string
	place []int // of each: its place in Report.Groups
	of    []int // of every leaf, by its number: its place in ids
}

// newCut takes the groups proper, or those of a level of a tree.
func newCut(s Side, level int) *cut {
	c := &cut{of: make([]int, s.Outcome.K())}
	t := s.Outcome.Tree
	if t == nil || level == 0 {
		for j := range c.of {
			c.of[j] = j
			c.add(s.Report, s.Report.Leaf(j).ID)
		}
		return c
	}
	nodes := t.CutLevel(level)
	under := t.Under(nodes)
	for j, leaf := range s.Outcome.Leaves {
		c.of[j] = under[leaf]
	}
	for _, n := range nodes {
		c.add(s.Report, t.Nodes[n].ID)
	}
	return c
}

func (c *cut) add(r *Report, id string) {
	c.ids = append(c.ids, id)
	for i := range r.Groups {
		if r.Groups[i].ID == id {
			c.place = append(c.place, i)
		}
	}
}

func compared(s Side, c *cut) Compared {
	out := Compared{
		Name: s.Name, Model: s.Report.Fit.Model, Shape: s.Report.Shape,
		Records: s.Report.Data.Records, Data: s.Report.Fit.Fingerprint,
	}
	for _, p := range c.place {
		g := &s.Report.Groups[p]
		out.Groups = append(out.Groups, GroupRef{g.ID, g.Name, g.N, g.Share})
	}
	return out
}

// unit is the word for what is counted.
func (c *comparer) unit() Unit {
	u := c.a.Report.Unit
	if c.a.Report.Shape == States && c.b.Report.Shape == States {
		u.One, u.Many = "step", "steps"
	} else if u.Many != c.b.Report.Unit.Many {
		u.One, u.Many = "record", "records"
	}
	return u
}

// records matches the records and counts them.
func (c *comparer) records(ctx context.Context) error {
	m := newMatcher([2]Records{c.a.Data, c.b.Data}, c.facts, c.rows, c.s.Memory)
	how, f, alike := ByFeatures, newFlows(c), 0
	if m.possible() {
		err := m.each(ctx, func(a, b, rows, same int) {
			alike += same
			for r := range rows {
				f.add(c, a+r, b+r)
			}
		})
		if err != nil {
			return err
		}
		how = m.how(f.shared, alike)
	}
	steps := c.a.Report.Shape == States || c.b.Report.Shape == States
	if how != ByFeatures && steps && c.out.Limit > 0 {
		// Many steps may be those of few people.
		how, c.uncounted = ByFeatures, true
		c.out.Warnings = append(c.out.Warnings, warn.New(warn.Note, "steps-not-counted", "",
			"Steps of the same people are not counted together, because few people can have many: groups are compared by their features."))
	}
	c.out.Matched = how
	if how == ByFeatures {
		return nil
	}
	if how == ByID && m.differ(f.shared, alike) {
		c.out.Warnings = append(c.out.Warnings, warn.New(warn.Caution, "same-ids-other-records",
			"Compare runs whose ids mean the same.",
			"Most records of the same id have different %s in the two runs: they may not be the same %s.", c.out.Unit.Features, c.out.Unit.Many))
	}
	f.strangers()
	if c.out.Ring == Shared {
		f.share(c.out.Limit, rounding{c.out.Rounded})
	} else {
		f.protect(c.out.Limit)
	}
	f.tell(c.out)
	c.flows = f
	return nil
}

// align pairs the groups: entry i is the partner in B of group i of A, or -1.
func (c *comparer) align() ([]int, error) {
	if c.flows != nil {
		return c.flows.match()
	}
	c.distance = c.distances()
	match, err := agree.Assign(c.distance)
	if err != nil {
		return nil, err
	}
	for i, j := range match {
		// Two groups that are left over are no partners, and of a group that is
		// withheld nothing is known.
		if j >= 0 && (c.distance.At(i, j) == unknownDistance || !nearest(c.distance, i, j)) {
			match[i] = -1
		}
	}
	return match, nil
}
