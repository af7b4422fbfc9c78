package fit

import (
	"context"
	"errors"
	"slices"

	"github.com/moiety-go/moiety/internal/verdict"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/vocab"
	"github.com/moiety-go/moiety/warn"
)

// skipping does a fit, or judges, with the model that goes with missing values where there
// are any; gaps says that it is another one than was asked for. Which model that is a sum says
// before anything is fitted, so that every place of several goes the same way. Measurements of
// which nearly all records are complete keep their model (see blankWords): that too few are is
// said by an error of that kind. Any other error is not about missing values, and ends the fit.
func skipping[T any](ctx context.Context, data Training, s Settings, do func(context.Context, Training, Settings) (T, error)) (out T, gaps bool, err error) {
	other, t, hasOther := s.inSkipped(columned(data, s.Spec))
	real, keeps := s.measured(data)
	if hasOther || keeps {
		if data.blank, err = incomplete(ctx, data.Run); err != nil {
			return out, false, err
		}
	}
	if keeps && data.blank {
		real.blank = true
		if out, err = do(ctx, real, s); !errors.Is(err, verdict.ErrBlanks) {
			return out, false, err
		}
	}
	if hasOther && data.blank {
		out, err = do(ctx, other, t)
		return out, true, err
	}
	out, err = do(ctx, columned(data, s.Spec), s)
	return out, false, err
}

// inSkipped returns records as columns of the model that takes a column as it comes and
// skips what is missing, in moments and in EM: measurements as normal, counts as Poisson. It
// reports false where the model that was asked for does so itself, or has no such columns
// (topics of words).
func (s Settings) inSkipped(data Training) (Training, Settings, bool) {
	if data.Run == nil || data.Vocab == nil || data.Sequences || s.Spec.Own != nil || data.Run.Can().Release != nil {
		return data, s, false
	}
	kind, ok := columnKind(data, s.Spec)
	if !ok {
		return data, s, false
	}
	if data.Kind != record.Mixed {
		data = inColumns(data, kind)
	}
	s.Spec = model.Spec{Model: Auto(data, false).Model}
	return data, s, true
}

// measured returns columns that are all measurements as a table of measurements: features of
// one group vary together, and nearly complete records show how. It reports false where they
// are of other kinds, or another model was asked for.
func (s Settings) measured(data Training) (Training, bool) {
	if data.Run == nil || data.Vocab == nil || data.Kind != record.Real && !allMeasured(data) {
		return data, false
	}
	data.Kind = record.Real
	if s.Spec.IsAuto() {
		s.Spec.Model = Auto(data, true).Model
	}
	return data, s.wantsShape(data)
}

// ofMeasurements is the model of columns that are all measurements, were no value
// missing; "" where they are not.
func ofMeasurements(data Training, tree bool) string {
	if !allMeasured(data) {
		return ""
	}
	data.Kind = record.Real
	return Auto(data, tree).Model
}

func allMeasured(data Training) bool {
	if data.Kind != record.Mixed || data.Run == nil || data.Vocab == nil || len(data.Vocab.Columns) != data.Vocab.Len() {
		return false
	}
	return !slices.ContainsFunc(data.Vocab.Columns, func(c vocab.Column) bool { return c.Kind != vocab.Real })
}

// columned returns measurements and counts as columns where a model of columns was
// asked for by name.
func columned(data Training, spec model.Spec) Training {
	info, named := spec.Info()
	if !named || data.Vocab == nil || len(data.Vocab.Columns) > 0 || !slices.Contains(info.For, record.Mixed) {
		return data
	}
	switch data.Kind {
	case record.Real:
		return inColumns(data, vocab.Real)
	case record.Counts:
		return inColumns(data, vocab.Counts)
	}
	return data
}

// inColumns returns records whose features are columns of a kind.
func inColumns(data Training, kind vocab.Kind) Training {
	v := *data.Vocab
	v.Columns = nil
	for h := range v.Len() {
		v.Columns = append(v.Columns, vocab.Column{Name: v.Names[h], Kind: kind, From: h, To: h + 1})
	}
	data.Vocab, data.Kind = &v, record.Mixed
	return data
}

// columnKind says what columns the features of records are under a model.
func columnKind(data Training, spec model.Spec) (vocab.Kind, bool) {
	info, named := spec.Info()
	if named && (info.Missing || info.Soft || info.Views) {
		return 0, false
	}
	switch data.Kind {
	case record.Real:
		return vocab.Real, true
	case record.Counts:
		return vocab.Counts, data.Vocab.System != vocab.Text
	case record.Mixed:
		return 0, named
	}
	return 0, false
}

func gapWarning(asked model.Spec) warn.Warning {
	if asked.IsAuto() {
		return warn.New(warn.Note, "missing-skipped", "",
			"Some values are missing: they are skipped, and every feature varies by itself inside a group.")
	}
	return warn.New(warn.Note, "missing-skipped", "Fill in the missing values to have the model that was asked for.",
		"Some values are missing, which the model %s cannot do without: they are skipped, and every feature varies by itself inside a group (the model mixed).", asked.Model)
}

// blankWords says of measurements how records with missing values were taken, where
// there are such. The number of them is not reported: it may be small.
func blankWords(data Training) []warn.Warning {
	if !data.blank {
		return nil
	}
	return []warn.Warning{warn.New(warn.Note, "missing-expected", "",
		"A few records have missing values: groups and their shape were looked for in the complete ones, and every record was then placed by the values that it has.")}
}

// warn adds a warning to a finished fit.
func (o *Outcome) warn(w warn.Warning) {
	if o.Model != nil {
		o.Model.Provenance.Warnings = append(o.Model.Provenance.Warnings, w)
	}
	if o.Tree != nil {
		o.Tree.Provenance.Warnings = append(o.Tree.Provenance.Warnings, w)
	}
}
