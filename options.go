package moiety

import (
	"fmt"
	"math"
	"slices"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/encode"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/read"
	"github.com/moiety-go/moiety/internal/tree"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/record"
)

// Options say what to learn and how. The zero value works: as many groups as the
// data show, the model and all else chosen by the data as the command line does.
type Options struct {
	// Groups asks for a flat model of that many groups, Leaves for a tree with
	// that many at its ends, Levels for a tree of that many levels of splits. At
	// most one of them may be set; none means as many as the data show.
	Groups, Leaves, Levels int
	Seed                   uint64 // of all random steps; 0 means 1

	Model  string // "" is chosen by the data; model.Names lists them
	Method string // of decomposition; "" is chosen; of trees "sidiwo" alone can be
	Refine string // "em", which "" means, or "none"
	// Prior is the weight of the prior in records; nil means 1, and 0 is maximum
	// likelihood.
	Prior *float64
	// Settings of the model, by name: {"alpha0": "0.5"}.
	Settings family.Values
	// Family is a model that is not in the table, made for the features at hand.
	Family family.Family
	// Views are the views of the model multiview, a pattern of columns each.
	Views []string

	Read   record.Reading   // what is known about the data
	Encode dataset.Encoding // which features and records to take

	// Health says that the records are of people's health: counts below MinCell
	// (0 means 11) are then withheld in reports. Codes of diseases are known to be.
	Health  bool
	MinCell int

	Workers int    // 0 means all cores; the result does not depend on it
	Memory  int64  // bytes for records, 0 for no limit; rows above it go to a file in TempDir
	TempDir string // "" is the system's

	// Progress hears how far the work is, possibly from several goroutines.
	Progress func(Event)
}

// Event says how far one step has come.
type Event struct {
	Step  string // in words for people: "reading", "refining"
	Done  int64
	Total int64  // 0 when unknown
	Unit  string // what is counted: "records", "bytes", "iterations"
	Note  string // optional remark
}

// order returns the options as an order without data.
func (o Options) order() (fit.Order, error) {
	var out fit.Order
	if err := o.check(); err != nil {
		return out, err
	}
	out = fit.Order{
		Read:   read.Options{Reading: o.Read, Workers: o.Workers, MaxMemory: o.Memory, TempDir: o.TempDir},
		Encode: encode.Settings{Encoding: o.Encode, Workers: o.Workers, MaxMemory: o.Memory, TempDir: o.TempDir},
		Views:  o.Views, Health: o.Health, MinCell: o.MinCell,
	}
	out.Fit = fit.Settings{
		K: o.Groups, Tree: fit.TreeShape{Leaves: o.Leaves, Levels: o.Levels},
		Spec: model.Spec{Model: o.Model, Own: o.Family}, Method: o.Method, Refine: o.Refine,
		Seed: max(o.Seed, 1), Workers: o.Workers,
	}
	// The words that the command line has in their place, so that what is written
	// down is the same.
	if o.Groups == 0 && o.Method == tree.Sidiwo {
		out.Fit.Tree.Splitter, out.Fit.Method = tree.Sidiwo, ""
	}
	if out.Fit.Method == "" {
		out.Fit.Method = "auto"
	}
	if out.Fit.Refine == "" {
		out.Fit.Refine = fit.EM
	}
	if o.Prior != nil {
		out.Fit.Prior = fit.PriorOf(*o.Prior)
	}
	for name, word := range o.Settings {
		if err := out.Fit.Spec.Set(name, word); err != nil {
			return out, fmt.Errorf("moiety: Options.Settings[%q] is %q: %w", name, word, err)
		}
	}
	return out, nil
}

// check reports the first option that makes no sense.
func (o Options) check() error {
	sizes := 0
	for _, s := range []struct {
		name string
		n    int
	}{{"Groups", o.Groups}, {"Leaves", o.Leaves}, {"Levels", o.Levels}} {
		if s.n < 0 {
			return fmt.Errorf("moiety: Options.%s is %d, want 1 or more, or 0 for as many as the data show", s.name, s.n)
		}
		if s.n > 0 {
			sizes++
		}
	}
	switch {
	case sizes > 1:
		return fmt.Errorf("moiety: Options.Groups, Leaves and Levels: set one of them")
	case o.Workers < 0 || o.Memory < 0:
		return fmt.Errorf("moiety: Options.Workers is %d and Memory %d, want 0 or more", o.Workers, o.Memory)
	case o.Prior != nil && (!(*o.Prior >= 0) || math.IsInf(*o.Prior, 0)):
		return fmt.Errorf("moiety: Options.Prior is %v records, want 0 or more", *o.Prior)
	case o.Family != nil && o.Model != "" && o.Model != o.Family.Info().Name:
		return fmt.Errorf("moiety: Options.Model is %q and Options.Family is %q: leave Model out", o.Model, o.Family.Info().Name)
	}
	return o.words()
}

// words reports the first option that is no word it may be.
func (o Options) words() error {
	spec := model.Spec{Model: o.Model, Own: o.Family}
	info, known := spec.Info()
	if !spec.IsAuto() && !known {
		return fmt.Errorf("moiety: Options.Model is %q, want one of %v, or \"\" to leave it to the data", o.Model, model.Names())
	}
	if info.Views != (len(o.Views) > 0) {
		return fmt.Errorf("moiety: Options.Views go with the model of several views: set both or none")
	}
	if err := fit.CheckMethod(o.Method); err != nil {
		return fmt.Errorf("moiety: Options.Method: %w", err)
	}
	if o.Groups == 0 && !slices.Contains([]string{"", "auto", tree.Sidiwo}, o.Method) {
		return fmt.Errorf("moiety: Options.Method is %q, which is for flat models: set Groups, or leave it out", o.Method)
	}
	if !slices.Contains([]string{"", fit.EM, fit.None}, o.Refine) {
		return fmt.Errorf("moiety: Options.Refine is %q, want em or none", o.Refine)
	}
	for _, s := range model.Settings() {
		if word := o.Settings[s.Name]; word != "" && s.Values != nil && !slices.Contains(s.Values, word) {
			return fmt.Errorf("moiety: Options.Settings[%q] is %q, want one of %v", s.Name, word, s.Values)
		}
	}
	if err := (encode.Settings{Encoding: o.Encode}).Check(); err != nil {
		return fmt.Errorf("moiety: Options.Encode: %w", err)
	}
	return nil
}
