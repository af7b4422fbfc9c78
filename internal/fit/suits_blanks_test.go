package fit_test

import (
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
