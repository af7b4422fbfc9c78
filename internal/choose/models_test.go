package choose

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

func TestTopicMixtures(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: slow: five models of mixed documents, twice")
	}
	set := synth.LDADocuments(1, 800, 300, 5, 1, .05, 80)
	documents := dataOf(set.Rows, record.Counts, 0)
	documents.Vocab.System = vocab.Text
	c := mustGroups(t, documents, fit.Settings{}, Options{Min: 3, Max: 7})
	if c.Model != "lda" || c.Advice.K != 5 || c.Picks.HeldOut != 5 || c.Picks.Length != 0 || c.Picks.Edge != 5 {
		t.Errorf("%s %+v %+v", c.Model, c.Picks, c.Advice)
	}
}

// Sequences are held out whole, and have no correlations to look at.
func TestSequences(t *testing.T) {
	numtest.NotShort(t)
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
	c := mustGroups(t, fit.Training{
		Run:   pass.NewSequences(d.Rows, d.Steps, 0),
		Vocab: v, Kind: record.Counts, Sequences: true,
	}, fit.Settings{}, Options{Max: 3})
	if c.Model != "hmm" || c.Advice.K != 2 || c.Picks.HeldOut < 2 || c.Aside != 60 || c.Spectrum != nil {
		t.Errorf("%s %+v %+v aside %d", c.Model, c.Picks, c.Advice, c.Aside)
	}
}

// Measurements are compared in the shape that the verdict found, with blanks and
// without, and beyond the number of columns.
func TestCurveOfMeasurements(t *testing.T) {
	numtest.NotShort(t)
	const n, d, k = 600, 4, 3
	for _, blanks := range []bool{false, true} {
		r := stream.New(5, "choose/test/blanks")
		rows := sparse.Rows{Dim: d, Dense: make([]float64, n*d)}
		for i := range n {
			row, along := rows.DenseRow(i), 3*r.NormFloat64() // stretched clouds, side by side
			for h := range row {
				row[h] = along + .5*r.NormFloat64()
			}
			row[0] += 4 * float64(i%k)
			if at := r.IntN(20 * d); blanks && at < d {
				row[at] = math.NaN()
			}
		}
		data := dataOf(rows, record.Real, 0)
		if blanks {
			data.Kind = record.Mixed
			for h := range d {
				data.Vocab.Columns = append(data.Vocab.Columns, vocab.Column{Kind: vocab.Real, From: h, To: h + 1})
			}
		}
		c := mustGroups(t, data, fit.Settings{}, Options{Max: d + 2})
		if c.Model != "gaussian" || c.Picks.BIC != k || c.Picks.HeldOut < k || c.Advice.K != k {
			t.Errorf("blanks %v: %s %+v %+v", blanks, c.Model, c.Picks, c.Advice)
		}
		if last := c.Points[len(c.Points)-1]; last.K != d+2 {
			t.Errorf("blanks %v: the curve ends at %d", blanks, last.K)
		}
	}
}
