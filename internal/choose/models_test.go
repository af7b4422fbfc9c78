package choose

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/vocab"
)

func TestTopicMixtures(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: five models of mixed documents, twice")
	}
	set := synth.LDADocuments(1, 800, 300, 5, 1, .05, 80)
	documents := dataOf(set.Rows, record.Counts, 0)
	documents.Vocab.System = vocab.Text
	c := mustGroups(t, documents, fit.Settings{}, Options{Min: 3, Max: 7})
	if c.Model != "lda" || c.Advice.K != 5 || c.Picks.HeldOut != 5 || c.Picks.Length != 0 || c.Picks.Edge != 5 {
		t.Errorf("%s %+v %+v", c.Model, c.Picks, c.Advice)
	}
}

// Sequences are kept aside whole, and have no correlations to look at.
func TestSequences(t *testing.T) {
	v := vocab.Numbered(6)
	f, err := model.Spec{Model: "hmm"}.Family(v)
	if err != nil {
		t.Fatal(err)
	}
	p := mixture.New(mat.NewDense(6, 2, []float64{.4, .05, .4, .05, .1, .1, .05, .3, .03, .3, .02, .2}), []float64{.5, .5}).
		With("transition", mat.NewDense(2, 2, []float64{.9, .1, .1, .9})).
		With("initial", mat.NewDense(1, 2, []float64{.5, .5}))
	d, err := f.Sample(p, stream.New(1, "choose/test/sequences"), 300, family.Shape{Lengths: []int{15, 25}})
	if err != nil {
		t.Fatal(err)
	}
	c := mustGroups(t, fit.Data{
		Run: pass.NewSequences(d.Rows, d.Steps, 0), Rows: d.Rows.N(), InMemory: &d.Rows,
		Vocab: v, Kind: record.Counts, Sequences: true,
	}, fit.Settings{}, Options{Max: 3})
	if c.Model != "hmm" || c.Advice.K != 2 || c.Picks.HeldOut < 2 || c.Aside != 60 || c.Spectrum != nil {
		t.Errorf("%s %+v %+v aside %d", c.Model, c.Picks, c.Advice, c.Aside)
	}
}
