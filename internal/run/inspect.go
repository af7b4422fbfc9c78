package run

import (
	"context"

	"github.com/moiety-go/moiety/internal/evaluate/enough"
	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/verdict"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/warn"
)

// Inspect reads the data of an order and tells about them: what is in them, what
// was repaired, whether they are enough for k groups, or how many there are where
// k is 0. Nothing is fitted or kept.
func Inspect(ctx context.Context, o Order, k int, share bool) (*Inspected, error) {
	p, err := Prepare(ctx, o, "")
	if err != nil {
		return nil, err
	}
	defer p.Close()
	return InspectPrepared(ctx, p, o, k, share)
}

// InspectPrepared is Inspect for data that are read already.
func InspectPrepared(ctx context.Context, p *Prepared, o Order, k int, share bool) (*Inspected, error) {
	light, err := judge(ctx, p, k, o.Read.Workers)
	if err != nil {
		return nil, err
	}
	doubted(light, append(p.Reading.Warnings(), p.Summary.Warnings...))
	return newInspected(p, o, light, share), nil
}

// InspectOnly is InspectPrepared without a light: it says what was read, at once.
func InspectOnly(p *Prepared, o Order) *Inspected { return newInspected(p, o, &judgement{}, false) }

// Words say for whom it is, "" where it is open.
func (x *Inspected) Words() string { return x.gate.Words() }

// judgement is what the records are enough for: the verdict on how many groups
// there are, or, for a number of groups that was asked for and for kinds without
// a verdict, the light of two halves.
type judgement struct {
	verdict               *verdict.Verdict
	enough                *enough.Report
	light, reason, remedy string
}

// judge asks whether the records are enough for k groups, or how many there are.
func judge(ctx context.Context, p *Prepared, k, workers int) (*judgement, error) {
	data := p.Data(workers)
	if k == 0 {
		v, err := fit.Judge(ctx, data, fit.Settings{Seed: 1, Workers: workers})
		if err != nil {
			return nil, err
		}
		if v != nil {
			return byVerdict(v), nil
		}
	}
	f, err := fit.Auto(data, true).Family(data.Vocab)
	if err != nil {
		return nil, err
	}
	r, err := enough.Judge(ctx, f, data.Run, k, enough.Options{})
	if err != nil {
		return nil, err
	}
	return &judgement{enough: r, light: r.Light.String(), reason: r.Reason, remedy: r.Remedy}, nil
}

// byVerdict turns a verdict into a light.
func byVerdict(v *verdict.Verdict) *judgement {
	j := &judgement{verdict: v, light: v.Light(), reason: "No other number of groups can be defended."}
	if v.Groups > 1 {
		j.reason = "Other records of the same kind would show the same groups."
	}
	if !v.Sure && len(v.Against) > 0 {
		j.reason = v.Against[0].Text
	} else if !v.Sure {
		j.reason = "So few records can show no more."
	}
	if !v.Sure {
		j.remedy = "More records, or more features a record, may settle it."
	}
	return j
}

// doubted makes the light red where codes cannot be told apart: groups of wrong
// codes may repeat themselves very well.
func doubted(light *judgement, warnings []warn.Warning) {
	for _, w := range warnings {
		if w.Code == "zeros-unclear" {
			light.light, light.reason, light.remedy = enough.Red.String(), "Some codes may be other codes.", w.Remedy
			if light.enough != nil {
				light.enough.Light, light.enough.Reason, light.enough.Remedy = enough.Red, light.reason, w.Remedy
			}
		}
	}
}

// Inspected is what may be told of data: every number of it has passed the gate.
type Inspected struct {
	gate     explain.Gate
	Ring     explain.Ring     `json:"ring,omitempty"`
	Limit    int              `json:"limit,omitempty" gate:"setting"`
	Rounded  int              `json:"rounded,omitempty" gate:"setting"`
	Inputs   []Input          `json:"inputs"`
	Records  explain.Count    `json:"records"`
	Features int              `json:"features" gate:"features"`
	System   string           `json:"system,omitempty"`
	Health   bool             `json:"health"`
	Measured bool             `json:"-"` // records are measurements, of which every one has every feature
	Side     []string         `json:"side_columns,omitempty"`
	Reading  Reading          `json:"reading"`
	Encoding *explain.Encoded `json:"encoding"`
	Warnings []warn.Warning   `json:"warnings"`
	Light    string           `json:"light"`
	Reason   string           `json:"reason"`
	Remedy   string           `json:"remedy,omitempty"`
	Enough   *enough.Report   `json:"enough,omitempty" gate:"settings and numbers of groups"`
	Verdict  *verdict.Verdict `json:"verdict,omitempty" gate:"evidence and numbers of groups"`
}

func newInspected(p *Prepared, o Order, light *judgement, share bool) *Inspected {
	g := explain.NewGate(p.Health, o.SmallestCell(p.Health), share, p.Len())
	x := &Inspected{
		gate: g, Ring: g.Ring, Limit: g.Limit, Rounded: g.Rounded(), Inputs: p.Inputs, Records: g.Size(p.Len()), Features: p.Vocab().Len(),
		System: p.Vocab().System, Health: p.Health, Side: p.Side(), Reading: p.Reading.Behind(g), Encoding: g.Encoded(p.Summary),
		Light: light.light, Reason: explain.MaskWords(light.reason, g.Ring, g.Limit), Remedy: explain.MaskWords(light.remedy, g.Ring, g.Limit),
		Enough: light.enough, Verdict: light.verdict,
	}
	kind, _ := p.Kind()
	x.Measured = kind == record.Real
	x.Warnings = explain.Settled(append(x.Reading.Warnings(), x.Encoding.Warnings...), light.verdict)
	if share {
		// Sizes of files tell the data, and numbers of features change with one
		// record.
		x.Inputs, x.Enough, x.Features = nil, nil, g.Features(x.Features)
		x.Verdict = light.verdict.Shared()
	}
	return x
}
