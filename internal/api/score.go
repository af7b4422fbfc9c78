package api

import (
	"bytes"
	"context"
	"io"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/encode"
	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/progress"
	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/internal/run"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/show"
	"github.com/moiety-go/moiety/warn"
)

// ScoreRequest asks where the records of new data belong.
type ScoreRequest struct {
	Run  string `json:"run"`
	Data string `json:"data"`
}

// Scored is how many records of new data belong where.
type Scored struct {
	Run      string         `json:"run"`
	Data     string         `json:"data"`
	Records  report.Count   `json:"records"`
	Groups   []ScoredGroup  `json:"groups"`
	Warnings []warn.Warning `json:"warnings"`
	Ring     report.Ring    `json:"ring"`
}

// ScoredGroup is the share of one group in the new data and in those of the fit.
type ScoredGroup struct {
	ID     string        `json:"id"`
	Name   string        `json:"name"`
	N      report.Count  `json:"n"`
	Share  report.Number `json:"share"`
	Before report.Number `json:"before"` // in the data of the run
	Style  string        `json:"style"`
}

// StartScore begins to place new records; the result of the job is a Scored.
func (a *API) StartScore(_ context.Context, r ScoreRequest) (*Job, error) {
	if _, err := a.store.Input(r.Data); err != nil {
		return nil, err
	}
	if _, err := a.open(r.Run); err != nil {
		return nil, err
	}
	return a.jobs.add("score", r.Data, func(ctx context.Context) (any, string, error) {
		out, err := a.scored(ctx, r)
		return out, "", err
	})
}

func (a *API) scored(ctx context.Context, r ScoreRequest) (*Scored, error) {
	s, t, err := a.explained(ctx, r.Run, "", "")
	if err != nil {
		return nil, err
	}
	n, met, problems, err := a.place(ctx, s.run, r.Data, nil)
	if err != nil {
		return nil, err
	}
	gate := explain.NewGate(s.run.Manifest.Health, s.run.Manifest.MinCell, false, met.Records)
	out := &Scored{Run: r.Run, Data: r.Data, Records: gate.Size(met.Records), Ring: gate.Ring}
	for _, w := range append(gate.Reading(fit.NewReading(problems)).Warnings(), gate.Warnings(met.Warnings)...) {
		w.Remedy = plainWords(w.Remedy)
		out.Warnings = append(out.Warnings, w)
	}
	all := 0
	for _, c := range n {
		all += c
	}
	for j, c := range gate.Parts(n) {
		x := ScoredGroup{ID: s.run.GroupID(j), N: c}
		if v, ok := c.Value(); ok && all > 0 {
			x.Share = report.NumberOf(float64(v) / float64(all))
		}
		if g, ok := t.report.Find(x.ID); ok {
			x.Name, x.Before, x.Style = g.Name, g.Share, t.parts.Colours(x.ID)
		}
		out.Groups = append(out.Groups, x)
	}
	return out, nil
}

// WriteScores writes where every new record belongs, one line each. It holds
// records.
func (a *API) WriteScores(ctx context.Context, r ScoreRequest, w io.Writer) error {
	s, err := a.open(r.Run)
	if err != nil {
		return err
	}
	_, _, _, err = a.place(ctx, s.run, r.Data, w)
	return err
}

// place streams new records through the model of a run, counts where they belong
// and writes the lines to w, which may be nil.
func (a *API) place(ctx context.Context, r *run.Run, data string, w io.Writer) (n []int, met *encode.Applied, problems *record.Problems, err error) {
	in, err := a.store.Input(data)
	if err != nil {
		return nil, nil, nil, err
	}
	placer, err := fit.NewPlacer(r.Outcome)
	if err != nil {
		return nil, nil, nil, err
	}
	o := r.Manifest.Settings.Read.Options()
	problems = &record.Problems{Strict: o.Strict}
	src, err := r.OpenNewInputs(ctx, []source.Input{in}, o, problems)
	if err != nil {
		return nil, nil, nil, err
	}
	n = make([]int, r.Outcome.K())
	ids := &report.Report{}
	for j := range n {
		ids.Groups, ids.Leaves = append(ids.Groups, report.Group{ID: r.GroupID(j)}), append(ids.Leaves, j)
	}
	done := int64(0)
	met, err = encode.Apply(ctx, src, r.Manifest.Plan, r.Outcome.Model.Vocab, 0, func(first int, d *dataset.Dataset) error {
		group, probability, err := placer.Place(pass.Block{First: first, Rows: d.Rows, Steps: d.Steps})
		if err != nil {
			return err
		}
		for _, g := range group {
			n[g]++
		}
		done += int64(d.Len())
		progress.Report(ctx, progress.Event{Step: "placing", Done: done, Unit: "records"})
		if w == nil {
			return nil
		}
		var text bytes.Buffer
		if err := show.AssignmentsCSV(ctx, &text, ids, report.Placed{Group: group, Probability: probability}, d, nil); err != nil {
			return err
		}
		lines := text.Bytes()
		if first > 0 {
			lines = lines[bytes.IndexByte(lines, '\n')+1:]
		}
		_, err = w.Write(lines)
		return err
	})
	if err == nil && met.Records == 0 {
		err = fit.ErrNothing
	}
	if err == nil {
		err = problems.TooMany(met.Records)
	}
	return n, met, problems, err
}
