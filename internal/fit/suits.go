package fit

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/vocab"
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
func (o *Order) Suits(data Data) error {
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
	if err := o.enough(data); err != nil {
		return err
	}
	return o.views(data.Vocab, data.Kind)
}

// enough refuses more groups than records allow, and more than words or codes
// where records are not all here: then there are no starts but from moments.
func (o *Order) enough(data Data) error {
	k := o.Fit.K
	if n := data.Run.Len(); k > n {
		return fmt.Errorf("%w: %d groups asked for, and there are %d records: ask for fewer groups with ‹groups›", ErrTooLittle, k, n)
	}
	if d := data.Vocab.Len(); k > d && (data.Sequences || data.Run.Can().Own < data.Run.Len()) && (data.Kind == record.Presence || data.Kind == record.Counts) {
		return fmt.Errorf("%w: %d groups asked for, and there are %d features: ask for fewer groups with ‹groups›, or keep more features", ErrTooLittle, k, d)
	}
	return nil
}

// views fills in the views of a multi-view model: each pattern takes a run of
// neighbouring features, all together take all features.
func (o *Order) views(v *vocab.Vocab, kind record.Kind) error {
	if info, _ := o.Fit.Spec.Info(); !info.Views {
		return nil
	}
	o.Fit.Spec.Views = nil
	at := 0
	for _, pattern := range o.Views {
		from := at
		for at < v.Len() && matches(pattern, v, at) {
			at++
		}
		if at == from {
			return Unsuited("view %q: feature %q, which is next, does not match it: order the views as the columns are", pattern, v.Names[min(at, v.Len()-1)])
		}
		spec, err := viewSpec(v, kind, from, at)
		if err != nil {
			return fmt.Errorf("view %q: %w", pattern, err)
		}
		o.Fit.Spec.Views = append(o.Fit.Spec.Views, model.View{Name: pattern, From: from, To: at, Spec: spec})
	}
	if at < v.Len() {
		return Unsuited("feature %q is in no view: add a view for it, or leave it out with ‹exclude›", v.Names[at])
	}
	return nil
}

// matches reports whether a feature belongs to a view: by its name, or by that
// of its column, whole or as a pattern with * and ?.
func matches(pattern string, v *vocab.Vocab, h int) bool {
	names := []string{v.Names[h]}
	for _, c := range v.Columns {
		if c.From <= h && h < c.To {
			names = append(names, c.Name)
		}
	}
	for _, name := range names {
		for _, p := range strings.Split(pattern, ",") {
			if ok, err := path.Match(p, name); err == nil && ok {
				return true
			}
		}
	}
	return false
}

// viewSpec chooses the model of a view by the kind of its columns.
func viewSpec(v *vocab.Vocab, kind record.Kind, from, to int) (model.Spec, error) {
	kinds := map[vocab.Kind]bool{}
	for _, c := range v.Columns {
		if c.From < to && c.To > from {
			kinds[c.Kind] = true
		}
	}
	if len(kinds) > 1 {
		return model.Spec{}, Unsuited("its columns are of different kinds: make a view of each kind")
	}
	for k := range kinds { // the only one
		kind = map[vocab.Kind]record.Kind{
			vocab.Presence: record.Presence, vocab.Counts: record.Counts,
			vocab.Real: record.Real, vocab.Categorical: record.Categorical,
		}[k]
	}
	return model.Spec{}.For(model.Records{Kind: kind}, true), nil
}
