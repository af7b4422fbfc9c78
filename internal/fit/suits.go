package fit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/record"
)

// ErrSettings says that settings do not go with each other or the data.
var ErrSettings = errors.New("settings do not fit")

// settingsError is a remark on settings that do not go with the data.
type settingsError struct{ text string }

func (e settingsError) Error() string { return e.text }
func (settingsError) Unwrap() error   { return ErrSettings }

// Unsuited is a remark on settings that do not go with each other or the data.
func Unsuited(format string, args ...any) error { return settingsError{fmt.Sprintf(format, args...)} }

// Suits refuses settings that would mean nothing for the model, and fills in
// the views.
func (o *Order) Suits(ctx context.Context, data Training) error {
	if data.Sequences && o.IsTree() && o.Fit.Tree.Grown() {
		return Unsuited("sequences have states, not a tree of groups: ask for a number of states with ‹groups›, or leave it to the data")
	}
	name, auto := o.Fit.Spec.Model, o.Fit.Spec.IsAuto()
	if auto {
		name = Auto(data, o.IsTree()).Model
	}
	for _, s := range model.Settings() {
		if models := model.With(s.Name); o.Fit.Spec.Value(s.Name) != "" && !slices.Contains(models, name) {
			if m := ofMeasurements(data, o.IsTree()); auto && slices.Contains(models, m) {
				name, o.Fit.Spec.Model = m, m // these are columns only because some values are missing
				continue
			}
			return Unsuited("‹%s› is for the model %s; these records are fitted with %s: leave it out, or name the model with ‹model›",
				s.Name, strings.Join(models, " or "), name)
		}
	}
	info, ok := o.Fit.Spec.Info()
	if ok && info.Sequences && !data.Sequences {
		return Unsuited("the model %s is for sequences, and these records have no steps in time: read them with ‹format› sequences, or name another ‹model›", name)
	}
	if ok && !info.Sequences && data.Sequences {
		return Unsuited("the model %s is of records, and these are sequences, which have steps in time: leave ‹model› out, or read them with another ‹format›", name)
	}
	if err := o.enough(data); err != nil {
		return err
	}
	if err := o.views(ctx, data); err != nil || !ok {
		return err
	}
	if _, err := o.Fit.Spec.Family(data.Vocab); err != nil {
		return Unsuited("%v", err)
	}
	return nil
}

// enough refuses more groups than records allow, and more than words or codes
// where records are not all here: then there are no starts but from moments.
func (o *Order) enough(data Training) error {
	k := o.Fit.K
	if n := data.Run.Len(); k > n {
		return fmt.Errorf("%w: %d groups asked for, and there are %d records: ask for fewer groups with ‹groups›", ErrTooLittle, k, n)
	}
	if d := data.Vocab.Len(); k > d && (data.Sequences || data.Run.Can().Own < data.Run.Len()) && (data.Kind == record.Presence || data.Kind == record.Counts) {
		return fmt.Errorf("%w: %d groups asked for, and there are %d features: ask for fewer groups with ‹groups›, or keep more features", ErrTooLittle, k, d)
	}
	return nil
}
