package run

import (
	"context"
	"errors"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/container"
	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/warn"
)

// Explain puts the run into words: after the edits, with the names given by
// hand and the limit on small cells of the run. Settings that are left open are
// filled in from the manifest.
// The rows stay on disk.
func (r *Run) Explain(ctx context.Context, s report.Settings) (*report.Report, error) {
	f, done, err := r.Records()
	if err != nil {
		return nil, err
	}
	defer done()
	edited, err := r.Edited(ctx, f)
	if err != nil {
		return nil, err
	}
	if edited.Model.Provenance.Shares == nil { // of a run before they were kept
		m := *edited.Model
		edited.Model = &m
		if err := fit.Reweigh(ctx, edited, fit.Training{Run: f.Runner(0)}); err != nil {
			return nil, err
		}
	}
	if s.Share && r.Manifest.Tables == nil {
		if edited, err = r.converged(ctx, edited, f); err != nil {
			return nil, err
		}
	}
	var report *report.Report
	if t := r.Manifest.Tables; t != nil { // of several sites
		report, err = explain.Tabled(ctx, edited, f.Describe(), t, r.filled(s))
	} else {
		report, err = explain.New(ctx, edited, f, r.filled(s))
	}
	if errors.Is(err, container.ErrDamaged) {
		return nil, damaged(r.Path, err)
	}
	if err != nil {
		return nil, err
	}
	r.editsInWords(report, edited)
	return report, nil
}

// converged takes a fit that is to be shared to its end. One whose records were
// moved by hand, or that was learned from some of them, stays as it is.
func (r *Run) converged(ctx context.Context, o *fit.Outcome, f dataset.Data) (*fit.Outcome, error) {
	if r.movedByHand() {
		return o, nil
	}
	s, err := r.FitSettings()
	if err != nil || r.Manifest.Settings.Encode.MinCodes > 0 {
		return o, err
	}
	return fit.Converged(ctx, o, f.Runner(s.Workers), s)
}

// Edited returns the outcome with the edits laid over it; records are those of
// the run.
func (r *Run) Edited(ctx context.Context, records dataset.Data) (*fit.Outcome, error) {
	groups, err := r.groups(ctx, records)
	out := *r.Outcome
	out.Group = groups
	return &out, err
}

// filled completes settings of an explanation from the manifest.
func (r *Run) filled(s report.Settings) report.Settings {
	m := r.Manifest
	s.Health = m.Health
	if s.MinCell == 0 {
		if s.MinCell = m.MinCell; m.MinCell == 0 {
			s.MinCell = -1
		}
	}
	s.Counted = s.Counted || r.movedByHand()
	s.Names, s.Read, s.Date, s.Labels = r.Edits.Names(), m.Encoding.Report(), m.Settings.Read.Time, m.Settings.Read.Label
	for _, in := range m.Inputs {
		s.Files = append(s.Files, filepath.Base(in.Name))
	}
	if len(m.Timings.Started) >= len(time.DateOnly) {
		s.Made = m.Timings.Started[:len(time.DateOnly)]
	}
	s.Unit = unitWords(m.Settings.Read.Unit, m.Reading.Unit, s.Unit)
	s.Warnings = heaviestFirst(r.uncheckedWarning(), m.Reading.Warnings(), peopleWarning(m.Reading, m.Health), r.editWarnings())
	return s
}

// movedByHand reports records that were moved by hand.
func (r *Run) movedByHand() bool {
	for _, x := range r.Edits.List() {
		if x.Kind == MoveOne || x.Kind == MoveGroup {
			return true
		}
	}
	return false
}

// uncheckedWarning tells of a run without checksums in every report.
func (r *Run) uncheckedWarning() []warn.Warning {
	if !r.Unchecked {
		return nil
	}
	return []warn.Warning{warn.New(warn.Caution, "unchecked", "Fit again for a run that is checked.",
		"The run was written before runs had checksums of all their files, so it is not known whether anything in it was changed since.")}
}

// unitWords names records as the user did, or as the columns of the data do.
func unitWords(asked, row string, u report.Unit) report.Unit {
	if u.One != "" {
		return u
	}
	switch {
	case asked == "stay" || asked == "patient":
		u.One = asked
	case row == "row":
		u.One = "record"
	case row != "":
		u.One = row
	default:
		return u
	}
	u.Many = u.One + "s"
	return u
}

// peopleWarning says that records are not people, where the data tell it.
func peopleWarning(r fit.Reading, health bool) []warn.Warning {
	n, ok := r.People.Value()
	if r.Unit == "" || !ok {
		return nil
	}
	one, many, a := "person", "people", "a "
	if strings.ContainsRune("aeiou", rune(r.Unit[0])) {
		a = "an "
	}
	if health {
		one, many = "patient", "patients"
	}
	return []warn.Warning{warn.New(warn.Note, explain.RowsOfPeople, "",
		"A record is %s, not a %s: the %ss are of %s %s, and groups are groups of %ss.", a+r.Unit, one, r.Unit, report.Thousands(n), many, r.Unit)}
}

// editWarnings tells of edits by hand in every report.
func (r *Run) editWarnings() []warn.Warning {
	moves, renames, notes := 0, 0, len(r.Edits.Notes())
	for _, x := range r.Edits.List() {
		switch x.Kind {
		case MoveOne, MoveGroup:
			moves++
		case Rename:
			renames++
		}
	}
	var out []warn.Warning
	if moves > 0 {
		out = append(out, warn.New(warn.Caution, "moved-by-hand", "The list of edits says which.",
			"Records were moved by hand after the fit, in %s: sizes and frequencies are those after the moves, the model is not.", editCount(moves)))
	}
	if renames > 0 {
		out = append(out, warn.New(warn.Note, "named-by-hand", "", "Names of groups were given by hand, in %s.", editCount(renames)))
	}
	if notes > 0 {
		out = append(out, warn.New(warn.Note, "noted-by-hand", "", "Notes on groups were written by hand; they stand at the end of each group's text."))
	}
	return out
}

func editCount(n int) string {
	if n == 1 {
		return "1 edit"
	}
	return strconv.Itoa(n) + " edits"
}
