// Package inspect tells of data what can be reported before anything is fitted for good:
// what is in them, whether they are enough, what theorems promise of so many, and
// which features come together. Every number of it has passed the gate of package
// explain.
//
// Steps: fit.Prepare -> fit.Judge, fit.NewPath or latent.Learn -> the gate. It keeps
// nothing, and knows neither run folders nor pixels.
package inspect

import (
	"context"
	"fmt"
	"slices"

	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/verdict"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/warn"
)

// Data reads the data of an order and tells about them: what is in them, what
// was repaired, whether they are enough for k groups, or how many there are where
// k is 0. Nothing is fitted or kept.
func Data(ctx context.Context, o fit.Order, k int, share bool) (*Inspected, error) {
	p, err := fit.Prepare(ctx, o, "")
	if err != nil {
		return nil, err
	}
	defer p.Close()
	return Prepared(ctx, p, o, k, share)
}

// Prepared is Data for data that are read already.
func Prepared(ctx context.Context, p *fit.Prepared, o fit.Order, k int, share bool) (*Inspected, error) {
	g := explain.NewGate(p.Health, o.SmallestCell(p.Health), share, p.Len())
	if err := g.Cohort(p.Len()); err != nil {
		return nil, err
	}
	light, err := judge(ctx, p, k, o.Read.Workers)
	if err != nil {
		return nil, err
	}
	doubted(light, append(p.Reading.Warnings(), p.Summary.Warnings...))
	return newInspected(p, g, light), nil
}

// Only is Prepared without a light: it says what was read, at once.
func Only(p *fit.Prepared, o fit.Order) *Inspected {
	return newInspected(p, explain.NewGate(p.Health, o.SmallestCell(p.Health), false, p.Len()), &judgement{})
}

// Words say for whom it is, "" where it is open.
func (x *Inspected) Words() string { return x.gate.Words() }

// judgement is what the records are enough for: the verdict on how many groups
// there are, and what it says of a number that was asked for.
type judgement struct {
	verdict               *verdict.Verdict
	light, reason, remedy string
}

// judge asks how many groups there are, and whether the records are enough for k
// of them.
func judge(ctx context.Context, p *fit.Prepared, k, workers int) (*judgement, error) {
	data := p.Training(workers)
	v, err := fit.Judge(ctx, data, fit.Settings{Seed: 1, Workers: workers})
	if err != nil {
		return nil, err
	}
	if v == nil {
		return &judgement{
			light: amber, reason: "How many groups these records show cannot be judged.", remedy: "Compare numbers of groups with moiety choose.",
		}, nil
	}
	w := verdict.CalledFor(data.Sequences, v.Mixed)
	if k > 0 && k != v.Groups {
		return askedFor(v, k, w), nil
	}
	return byVerdict(v, w), nil
}

const (
	amber = "amber"
	red   = "red"
)

// byVerdict turns a verdict into a light.
func byVerdict(v *verdict.Verdict, w verdict.Called) *judgement {
	j := &judgement{verdict: v, light: v.Light(), reason: fmt.Sprintf("No other number of %s can be defended.", w.Groups)}
	if v.Groups > 1 {
		j.reason = fmt.Sprintf("Other %s of the same kind would show the same %s.", w.Records, w.Groups)
	}
	against := slices.DeleteFunc(slices.Clone(v.Against), func(d verdict.Doubt) bool { return d.Code == verdict.LeftOut }) // a warning says more
	if !v.Sure && len(against) > 0 {
		j.reason = against[0].Text
	} else if !v.Sure {
		j.reason = fmt.Sprintf("So few %s can show no more.", w.Records)
	}
	if !v.Sure {
		j.remedy = w.Remedy
	}
	return j
}

// askedFor is the light of a number of groups other than the claim.
func askedFor(v *verdict.Verdict, k int, w verdict.Called) *judgement {
	j := &judgement{verdict: v, light: amber, remedy: w.Remedy}
	low, high := v.Range[0], v.Range[1]
	switch {
	case k >= low && k <= high:
		j.reason = fmt.Sprintf("%d %s can be defended, as can any number from %d to %d.", k, w.Groups, low, high)
	case k < low:
		j.reason = fmt.Sprintf("%d %s would put together what these %s tell apart: they show %d.", k, w.Groups, w.Records, v.Groups)
	case k <= v.Components:
		j.reason = fmt.Sprintf("%d %s may be a useful description, but cannot be told apart for sure: the %s show %d.", k, w.Groups, w.Records, v.Groups)
	default:
		j.light = red
		j.reason = fmt.Sprintf("The %s show %d, and %d %s would mostly be chance.", w.Records, v.Groups, k, w.Groups)
	}
	return j
}

// doubted makes the light red where codes cannot be told apart: groups of wrong
// codes may repeat themselves very well. Where columns were left out by a guess it is
// never green, and says so first.
func doubted(light *judgement, warnings []warn.Warning) {
	for _, w := range warnings {
		switch {
		case w.Code == "zeros-unclear":
			light.light, light.reason, light.remedy = red, "Some codes may be other codes.", w.Remedy
			return
		case w.Code == fit.SetAside && light.light == red:
			light.reason, light.remedy = w.Text+" "+light.reason, w.Remedy+" "+light.remedy
		case w.Code == fit.SetAside:
			light.light, light.reason, light.remedy = amber, w.Text, w.Remedy
		}
	}
}

// Inspected is what may be reported of data: every number of it has passed the gate.
type Inspected struct {
	gate     explain.Gate
	Ring     report.Ring  `json:"ring,omitempty"`
	Limit    int          `json:"limit,omitempty" gate:"setting"`
	Rounded  int          `json:"rounded,omitempty" gate:"setting"`
	Inputs   []fit.Input  `json:"inputs"`
	Records  report.Count `json:"records"`
	Features int          `json:"features" gate:"features"`
	System   string       `json:"system,omitempty"`
	Health   bool         `json:"health"`
	// Sequences says that records are sequences of steps.
	Sequences bool             `json:"sequences,omitempty"`
	Measured  bool             `json:"-"` // records are measurements, of which every one has every feature
	Side      []string         `json:"side_columns,omitempty"`
	Reading   fit.Reading      `json:"reading"`
	Encoding  *explain.Encoded `json:"encoding"`
	Warnings  []warn.Warning   `json:"warnings"`
	Light     string           `json:"light"`
	Reason    string           `json:"reason"`
	Remedy    string           `json:"remedy,omitempty"`
	Verdict   *verdict.Verdict `json:"verdict,omitempty" gate:"evidence and numbers of groups"`
	// Bounds say how far moments of so many records may be off; nil unless asked for.
	Bounds *Bounds `json:"bounds,omitempty" gate:"bounds on moments, of all records together"`
}

func newInspected(p *fit.Prepared, g explain.Gate, light *judgement) *Inspected {
	x := &Inspected{
		gate: g, Ring: g.Ring, Limit: g.Limit, Rounded: g.Rounded(), Inputs: p.Inputs, Records: g.Size(p.Len()), Features: p.Vocab().Len(),
		System: p.Vocab().System, Health: p.Health, Side: slices.DeleteFunc(slices.Clone(p.Side()), func(name string) bool { return name == record.StepTimes }), Reading: g.Reading(p.Reading), Encoding: g.Encoded(p.Summary),
		Light: light.light, Reason: explain.MaskWords(light.reason, g.Ring, g.Limit), Remedy: explain.MaskWords(light.remedy, g.Ring, g.Limit),
		Verdict: light.verdict,
	}
	if x.Encoding.Kept.Masked() {
		x.Records = report.Count{}
	}
	kind, sequences := p.Kind()
	x.Measured, x.Sequences = kind == record.Real, sequences
	x.Warnings = explain.WithoutFewRecords(append(x.Reading.Warnings(), x.Encoding.Warnings...), light.verdict)
	if g.Ring == report.Shared {
		// Sizes of files tell the data, and numbers of features change with one
		// record.
		x.Inputs, x.Features = nil, g.Features(x.Features)
		x.Verdict = light.verdict.Shared()
	}
	return x
}
