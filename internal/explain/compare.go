package explain

import (
	"context"
	"fmt"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/warn"
)

// Side is one of two fits to compare: what was fitted, on what, and its report.
// The outcome must be the one that the report was made of.
type Side struct {
	Name    string // for people: the folder of the run
	Outcome *fit.Outcome
	Data    dataset.Data // in memory or on disk
	Report  *report.Report
}

const defaultChanges = 5

// leastFlow is the share of a group from which a move is reported.
const leastFlow = 0.01

// leastOverlapOfPair is the overlap (Jaccard) below which two groups are not
// called partners, even where nothing better is left for either.
const leastOverlapOfPair = 0.1

// Compare aligns two fits and tells what changed from a to b. Both reports must
// have the same limit on small cells. Records are matched by id where the fits
// share ids, else by position where both hold the same number of records; where
// neither holds, groups are compared by their features. Two fits that share
// neither records nor features give an error that wraps fit.ErrTooLittle.
func Compare(ctx context.Context, a, b Side, s report.CompareSettings) (*report.Comparison, error) {
	c := &comparer{a: a, b: b, s: s}
	if err := c.check(ctx); err != nil {
		return nil, err
	}
	c.cuts[0], c.cuts[1] = newCut(a, s.Level), newCut(b, s.Level)
	c.out = &report.Comparison{
		Version: report.CompareVersion, Ring: stricter(a.Report.Ring, b.Report.Ring), Limit: a.Report.Limit, Rounded: max(a.Report.Rounded, b.Report.Rounded), Level: s.Level, Unit: c.unit(),
		A: compared(a, c.cuts[0]), B: compared(b, c.cuts[1]),
		Pairs: []report.Pair{}, AloneA: []report.Alone{}, AloneB: []report.Alone{}, Warnings: []warn.Warning{},
	}
	c.features()
	if err := c.pooledSpread(ctx); err != nil {
		return nil, err
	}
	if err := c.records(ctx); err != nil {
		return nil, err
	}
	if c.out.Matched == report.ByFeatures && len(c.rows) == 0 {
		return nil, fmt.Errorf("explain: %w: %s and %s share neither records nor features", fit.ErrTooLittle, a.Name, b.Name)
	}
	match, err := c.align()
	if err != nil {
		return nil, err
	}
	c.pairs(match)
	c.write()
	c.out.Warnings = append(c.out.Warnings, byHand(a, b)...)
	return c.out, ctx.Err()
}

// byHand repeats what the reports say of edits by hand.
func byHand(sides ...Side) []warn.Warning {
	var out []warn.Warning
	for i, side := range sides {
		for _, w := range side.Report.Warnings {
			if strings.HasSuffix(w.Code, "-by-hand") {
				w.Text = "In " + [...]string{"A", "B"}[i] + ": " + w.Text
				out = append(out, w)
			}
		}
	}
	return out
}

// check looks at the records of both sides and at what does not go together.
func (c *comparer) check(ctx context.Context) (err error) {
	a, b, s := c.a, c.b, c.s
	for i, side := range []Side{a, b} {
		if c.facts[i], err = readFacts(ctx, side.Data); err != nil {
			return err
		}
		if err := matching(side.Outcome, c.facts[i].rows, c.facts[i].features, 0); err != nil {
			return err
		}
	}
	if a.Report.Limit != b.Report.Limit {
		return fmt.Errorf("explain: one report withholds counts below %d, the other below %d: explain both with the same limit", a.Report.Limit, b.Report.Limit)
	}
	if (a.Report.Ring == report.Shared) != (b.Report.Ring == report.Shared) {
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
	s      report.CompareSettings
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
	out      *report.Comparison
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

func (c *cut) add(r *report.Report, id string) {
	c.ids = append(c.ids, id)
	for i := range r.Groups {
		if r.Groups[i].ID == id {
			c.place = append(c.place, i)
		}
	}
}

func compared(s Side, c *cut) report.Compared {
	out := report.Compared{
		Name: s.Name, Model: s.Report.Fit.Model, Shape: s.Report.Shape,
		Records: s.Report.Data.Records, Data: s.Report.Fit.Fingerprint,
	}
	for _, p := range c.place {
		g := &s.Report.Groups[p]
		out.Groups = append(out.Groups, report.GroupRef{ID: g.ID, Name: g.Name, N: g.N, Share: g.Share})
	}
	return out
}

// unit is the word for what is counted.
func (c *comparer) unit() report.Unit {
	u := c.a.Report.Unit
	if c.a.Report.Shape == report.States && c.b.Report.Shape == report.States {
		u.One, u.Many = "step", "steps"
	} else if u.Many != c.b.Report.Unit.Many {
		u.One, u.Many = "record", "records"
	}
	return u
}

// records matches the records and counts them.
func (c *comparer) records(ctx context.Context) error {
	m := newMatcher([2]dataset.Data{c.a.Data, c.b.Data}, c.facts, c.rows, c.s.Memory)
	how, f, alike := report.ByFeatures, newFlows(c), 0
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
	steps := c.a.Report.Shape == report.States || c.b.Report.Shape == report.States
	if how != report.ByFeatures && steps && c.out.Limit > 0 {
		// Many steps may be those of few people.
		how, c.uncounted = report.ByFeatures, true
		c.out.Warnings = append(c.out.Warnings, warn.New(warn.Note, "steps-not-counted", "",
			"Steps of the same people are not counted together, because few people can have many: groups are compared by their features."))
	}
	c.out.Matched = how
	if how == report.ByFeatures {
		return nil
	}
	if how == report.ByID && m.differ(f.shared, alike) {
		c.out.Warnings = append(c.out.Warnings, warn.New(warn.Caution, "same-ids-other-records",
			"Compare runs whose ids mean the same.",
			"Most records of the same id have different %s in the two runs: they may not be the same %s.", c.out.Unit.Features, c.out.Unit.Many))
	}
	f.strangers()
	if c.out.Ring == report.Shared {
		f.share(c.out.Limit, rounding{c.out.Rounded})
	} else {
		f.protect(c.out.Limit)
	}
	f.fill(c.out)
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
