package explain

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/moiety-go/moiety/internal/encode"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/verdict"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/warn"
)

// Encoded is what an encoder tells of the records it read, behind the gate:
// every number of records or entries can be withheld, and rare names are not
// there. It has the fields of encode.Summary.
type Encoded struct {
	Settings encode.Settings `json:"settings" gate:"setting"`
	Plan     encode.Plan     `json:"plan" gate:"setting, and numbers of codes"`
	Format   string          `json:"format"`

	Read    report.Count  `json:"read"`
	Kept    report.Count  `json:"kept"`
	LeftOut []report.Part `json:"left_out,omitempty"`
	Rules   []encode.Rule `json:"rules,omitempty" gate:"features"` // of features
	Tokens  report.Count  `json:"tokens"`
	Stopped report.Count  `json:"stopped"`
	Used    report.Count  `json:"used"`
	Top     []Frequent    `json:"top"`
	Order   []uint32      `json:"order,omitempty" gate:"features"` // of the columns of the data

	Unknown      []report.Part   `json:"unknown,omitempty"`
	UnknownCodes int             `json:"unknown_codes,omitempty" gate:"features"`
	UnknownUses  report.Count    `json:"unknown_uses"`
	Duplicates   report.Count    `json:"duplicates"`
	Short        report.Count    `json:"short"`
	ShortBelow   int             `json:"short_below" gate:"features"`
	Empty        report.Count    `json:"empty"`
	Repairs      []report.Part   `json:"repairs,omitempty"`
	Rollup       []encode.Choice `json:"rollup,omitempty" gate:"features"` // features at every level

	Warnings []warn.Warning `json:"warnings,omitempty" gate:"words"`
}

// Report returns what a report tells of it; nil of nil.
func (e *Encoded) Report() *report.Read {
	if e == nil {
		return nil
	}
	out := &report.Read{Records: e.Read, LeftOut: e.LeftOut, Warnings: e.Warnings}
	if e.Plan.Words {
		out.Plan, _ = json.Marshal(e.Plan) // it came from such a text
	}
	return out
}

// Frequent is a feature with its frequencies among all records.
type Frequent struct {
	Name    string       `json:"name"`
	Title   string       `json:"title,omitempty"`
	Records report.Count `json:"records"`
	Tokens  report.Count `json:"tokens"`
	// Mean of a measurement, and its range where single records may be reported.
	Mean report.Number `json:"mean"`
	Low  report.Number `json:"low"`
	High report.Number `json:"high"`
}

// Gate withholds numbers that stand alone. The zero value lets all pass.
type Gate struct {
	Ring  report.Ring
	Limit int
	round rounding
}

// NewGate returns the gate for output of so many records: under a limit on small
// cells, 0 for none, and to be shared or not.
func NewGate(health bool, limit int, share bool, records int) Gate {
	s := report.Settings{Health: health, MinCell: limit, Share: share}
	if limit == 0 {
		s.MinCell = -1
	}
	g := Gate{Ring: s.Ring(), Limit: s.Limit()}
	if share {
		g.round = roundingFor(records)
	}
	return g
}

// Cohort refuses to share anything of fewer people than the limit.
func (g Gate) Cohort(n int) error {
	if g.Ring != report.Shared || n >= g.Limit {
		return nil
	}
	return fmt.Errorf("%w: these are fewer than %d people, and of so few nothing is shared", fit.ErrTooLittle, g.Limit)
}

// Words says in which ring the output stands.
func (g Gate) Words() string { return report.RingWords(g.Ring, g.Limit, g.round.unit) }

// Rounded is the least that counts are rounded to, 0 where they are exact.
func (g Gate) Rounded() int { return g.round.unit }

// Features returns a number of features: to be shared, in two digits, because the
// rarest change with single records.
func (g Gate) Features(n int) int {
	if g.Ring == report.Shared {
		return int(twoDigits(float64(n)))
	}
	return n
}

// Count lets a number of records or entries pass, if it may.
func (g Gate) Count(n int) report.Count {
	switch {
	case g.round.unit > 0:
		v := g.round.near(float64(n), partOfFeatures)
		if !g.round.reaches(v, partOfFeatures, g.Limit) {
			return report.Count{}
		}
		return report.CountOf(int(v))
	case g.small(n):
		return report.Count{}
	}
	return report.CountOf(n)
}

// Size lets the number of all records pass. Inside the house it is told however
// small: who has the data knows it.
func (g Gate) Size(n int) report.Count {
	if g.round.unit > 0 {
		if n = g.round.size(n); !g.round.reaches(float64(n), partOfSizes, g.Limit) {
			return report.Count{}
		}
	}
	return report.CountOf(n)
}

// Parts lets numbers pass whose sum is known: where one may not be reported, so many
// more are withheld that it does not follow.
func (g Gate) Parts(n []int) []report.Count {
	out := make([]report.Count, len(n))
	hide := newHiding(g.Limit)
	for i, v := range n {
		out[i] = g.Count(v)
		hide.see(i, float64(v), !out[i].Masked())
	}
	if g.Limit > 0 {
		for _, i := range hide.more() {
			out[i] = report.Count{}
		}
	}
	return out
}

func (g Gate) small(n int) bool { return n > 0 && n < g.Limit }

// Warnings lets warnings pass. One that tells of few records, or that is to be shared, is said
// in its plain words; of those that do not say what they tell, numbers are taken out.
func (g Gate) Warnings(list []warn.Warning) []warn.Warning {
	out := make([]warn.Warning, 0, len(list))
	for _, w := range list {
		switch {
		case w.Plain != "" && (g.Ring == report.Shared || g.small(w.Least)):
			w.Text, w.Remedy = w.Plain, ""
		case w.Plain == "":
			w.Text, w.Remedy = MaskWords(w.Text, g.Ring, g.Limit), MaskWords(w.Remedy, g.Ring, g.Limit)
		}
		out = append(out, w)
	}
	return out
}

// WithoutFewRecords leaves out the warning that few records often show groups by chance
// where there is a verdict: it has looked at just that, and says its own doubts.
func WithoutFewRecords(list []warn.Warning, v *verdict.Verdict) []warn.Warning {
	if v == nil {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), func(w warn.Warning) bool { return w.Code == verdict.FewRecords })
}

// counts lets named numbers pass; of rare things not even the name does.
func (g Gate) counts(list []encode.Count, rare bool) []report.Part {
	var out []report.Part
	for _, c := range list {
		n := g.Count(c.N)
		if rare && n.Masked() {
			continue
		}
		out = append(out, report.Part{Name: c.Name, N: n})
	}
	return out
}

// Encoded lets what an encoder tells pass.
func (g Gate) Encoded(s *encode.Summary) *Encoded {
	e := &Encoded{
		Settings: s.Settings, Plan: s.Plan, Format: s.Format, Rules: s.Rules, UnknownCodes: s.UnknownCodes, ShortBelow: s.ShortBelow, Rollup: s.Rollup,
		Read: g.Size(s.Read), Kept: g.Size(s.Kept), LeftOut: g.counts(s.LeftOut, false), Tokens: g.Count(s.Tokens), Stopped: g.Count(s.Stopped),
		Used: g.Count(int(s.Used)), Top: []Frequent{}, Unknown: g.counts(s.Unknown, true), UnknownUses: g.Count(s.UnknownUses),
		Duplicates: g.Count(s.Duplicates), Short: g.Count(s.Short), Empty: g.Count(s.Empty), Repairs: g.counts(s.Repairs, false),
	}
	if g.Limit == 0 { // features stand by their frequencies
		e.Order = s.Order
	}
	if e.fewLeftOut() && g.Ring == report.Inside { // either number would tell it to who knows the other
		e.Read, e.Kept = report.Count{}, report.Count{}
	}
	if g.small(s.Empty) || g.small(s.Short) || g.small(s.Short-s.Empty) || g.small(s.Kept-s.Short) {
		e.Short, e.Empty = report.Count{}, report.Count{}
	}
	for _, f := range s.Top {
		x := Frequent{Name: f.Name, Title: f.Title, Records: g.Count(f.Records), Tokens: g.Count(int(f.Tokens))}
		if x.Records.Masked() {
			continue
		}
		if m := f.Measured; m != nil && g.Ring != report.Shared {
			x.Tokens, x.Mean = report.Count{}, report.NumberOf(m.Mean)
			if g.Limit == 0 { // the least and the most are those of one record
				x.Low, x.High = report.NumberOf(m.Low), report.NumberOf(m.High)
			}
		}
		// Parents less children, and those who lack it, may be few.
		if g.small(s.Kept-f.Records) || g.Limit > 0 && len(s.Plan.Levels) > 1 {
			x.Records, x.Tokens = report.Count{}, report.Count{}
		}
		e.Top = append(e.Top, x)
	}
	e.Warnings = g.Warnings(s.Warnings)
	if g.small(s.Kept) { // of so few people no name is told either
		e.Warnings = slices.DeleteFunc(e.Warnings, func(w warn.Warning) bool { return w.Plain != "" && w.Code != verdict.FewRecords })
	}
	if g.Ring == report.Shared {
		e.shared()
	}
	return e
}

// fewLeftOut reports that records were left out whose number may not be read.
func (e *Encoded) fewLeftOut() bool {
	return slices.ContainsFunc(e.LeftOut, func(p report.Part) bool { return p.N.Masked() })
}

// Applied is what an encoder tells of new records, behind the gate. It has the
// fields of encode.Applied.
type Applied struct {
	Records         report.Count   `json:"records"`
	Entries         report.Count   `json:"entries"`
	UnknownUses     report.Count   `json:"unknown_uses"`
	UnknownFeatures int            `json:"unknown_features" gate:"features"`
	Unknown         []report.Part  `json:"unknown,omitempty"`
	Empty           report.Count   `json:"empty"`
	Warnings        []warn.Warning `json:"warnings,omitempty" gate:"words"`
}

// Applied lets what an encoder tells of new records pass.
func (g Gate) Applied(a *encode.Applied) *Applied {
	return &Applied{
		Records: g.Size(a.Records), Entries: g.Count(a.Entries), UnknownUses: g.Count(a.UnknownUses), UnknownFeatures: a.UnknownFeatures,
		Unknown: g.counts(a.Unknown, true), Empty: g.Count(a.Empty), Warnings: g.Warnings(a.Warnings),
	}
}

// shared leaves out what one record may change: numbers of features, and of the
// codes that chose the code system.
func (e *Encoded) shared() {
	e.Rules, e.UnknownCodes, e.Rollup = nil, 0, nil
	e.Plan = SharedPlan(e.Plan)
}

// SharedPlan returns a plan of encoding without numbers of the data.
func SharedPlan(p encode.Plan) encode.Plan {
	vote := p.Vote
	vote.Codes, vote.Hits9, vote.Hits10, vote.Only9, vote.Only10, vote.Both = 0, 0, 0, 0, 0, 0
	p.Vote = vote
	return p
}
