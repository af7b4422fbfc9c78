package fit_test

import (
	"errors"
	"math"
	"testing"

	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/vocab"
)

// A shape of covariance is taken for measurements of which some values are missing,
// though these are columns then, and not for other columns.
func TestSuitsBlanks(t *testing.T) {
	_, holed, _ := slanted(1, 300, .05)
	holed.Dense[1] = math.NaN()
	data := dataOf(holed, record.Mixed, 1)
	v := *data.Vocab
	for h, name := range v.Names {
		v.Columns = append(v.Columns, vocab.Column{Name: name, Kind: vocab.Real, From: h, To: h + 1})
	}
	data.Vocab = &v
	o := &fit.Order{}
	o.Fit.K, o.Fit.Spec = 3, model.Spec{Covariance: "full"}
	if err := o.Suits(t.Context(), data); err != nil || o.Fit.Spec.Model != "gaussian" {
		t.Errorf("measurements with blanks: %v, model %q", err, o.Fit.Spec.Model)
	}
	if out, err := fit.Flat(t.Context(), data, o.Fit); err != nil || out.Model.Spec.Covariance != "full" {
		t.Errorf("fitted: %v", err)
	}
	v.Columns[0].Kind = vocab.Presence
	o.Fit.Spec.Model = ""
	if err := o.Suits(t.Context(), data); err == nil {
		t.Error("a shape of columns of several kinds was taken")
	}
}

// A model of sequences is refused for records without steps in time, with a number of
// groups and without one.
func TestSuitsSequences(t *testing.T) {
	_, whole, _ := slanted(1, 40, 0)
	for _, k := range []int{0, 2} {
		o := &fit.Order{}
		o.Fit.K, o.Fit.Spec = k, model.Spec{Model: "hmm"}
		if err := o.Suits(t.Context(), dataOf(whole, record.Real, 1)); !errors.Is(err, fit.ErrSettings) {
			t.Errorf("%d states of records without steps: %v", k, err)
		}
	}
}

// A model of records is refused for sequences: it would take every step for one.
func TestSuitsRecords(t *testing.T) {
	_, whole, _ := slanted(1, 40, 0)
	data := dataOf(whole, record.Real, 1)
	data.Sequences = true
	for _, name := range []string{"gaussian", "mixed", "bernoulli", "lda"} {
		o := &fit.Order{}
		o.Fit.K, o.Fit.Spec = 2, model.Spec{Model: name}
		if err := o.Suits(t.Context(), data); !errors.Is(err, fit.ErrSettings) {
			t.Errorf("%s of sequences: %v", name, err)
		}
	}
}
