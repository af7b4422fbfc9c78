package api

import (
	"context"
	"errors"

	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/phrases"
	"github.com/moiety-go/moiety/internal/run"
	"github.com/moiety-go/moiety/report"
)

// CompareRequest names two runs.
type CompareRequest struct {
	Run   string `json:"run"`
	With  string `json:"with"`
	Level int    `json:"level"` // of trees; 0 compares their ends
	// Language is that of the names of groups: "en" or "es"; "" means "en".
	Language string `json:"language"`
}

// Compare says what changed between two runs.
func (a *API) Compare(ctx context.Context, r CompareRequest) (*report.Comparison, error) {
	if r.Level < 0 {
		return nil, refused("A level is counted from 1.")
	}
	if !phrases.Language(r.Language).Known() {
		return nil, refused("There are no words in the language %q: choose en or es.", r.Language)
	}
	var runs [2]*run.Run
	limit := -1
	for i, id := range []string{r.Run, r.With} {
		s, err := a.open(id)
		if err != nil {
			return nil, err
		}
		runs[i] = s.run
		if m := s.run.Manifest.MinCell; m > 0 {
			limit = max(limit, m)
		}
	}
	var sides [2]explain.Side
	for i, x := range runs {
		// The stricter limit holds for both: what one run may tell could give away
		// what the other withholds.
		report, err := x.Explain(ctx, report.Settings{MinCell: limit, Counted: true, Language: r.Language})
		if err != nil {
			return nil, err
		}
		rows, done, err := x.Records()
		if err != nil {
			return nil, err
		}
		defer done()
		edited, err := x.Edited(ctx, rows)
		if err != nil {
			return nil, err
		}
		sides[i] = explain.Side{Name: []string{r.Run, r.With}[i], Outcome: edited, Data: rows, Report: report}
	}
	out, err := explain.Compare(ctx, sides[0], sides[1], report.CompareSettings{Level: r.Level})
	if errors.Is(err, fit.ErrTooLittle) {
		return nil, &Error{TooLittle, "These analyses have neither records nor features in common: there is nothing to compare.", err}
	}
	return out, err
}
