package main

import (
	"bufio"
	"context"
	"errors"
	"math"

	"github.com/spf13/cobra"
	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/evaluate"
	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/internal/outfile"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/sparse"
)

func (a *app) sampleCommand() *cobra.Command {
	var out target
	var seed uint64
	var m machine
	n, share := 0, false
	c := &cobra.Command{
		Use:   "sample RUN -n N",
		Short: "Make synthetic records from a run, and test how real they look",
		Long: `Draws records from the model of a run and writes them as CSV: a long table of
codes or words, or a wide one of columns. Then tries to tell them from the real
ones: an area under the curve of 0.5 means that nothing gives them away. Of
records of people the model tells no more than "show" does: rare features are
not in it, and what is withheld of several groups is drawn alike for all.`,
		Args: argsBetween(1, 1, "RUN -n N"),
		RunE: func(c *cobra.Command, args []string) error {
			if n <= 0 {
				return misuse("say how many records to make: -n N")
			}
			out.orStdout()
			if a.json && out.path == "" {
				return misuse("--json prints the test: write the records to a file with -o FILE.csv")
			}
			if err := m.begin(a); err != nil {
				return err
			}
			return a.sample(c.Context(), args[0], n, seed, out, share)
		},
	}
	c.Flags().IntVarP(&n, "number", "n", 0, "records to make")
	out.add(c, "file to write (default: standard output)")
	addShare(c, &share)
	c.Flags().Uint64Var(&seed, "seed", 1, "of the draw")
	m.addMemory(c)
	return c
}

func (a *app) sample(ctx context.Context, path string, n int, seed uint64, out target, share bool) error {
	if out.path != "" {
		if err := outfile.Check(out.path, convertForm("csv"), out.force); err != nil {
			return err
		}
	}
	r, err := a.openRun(path)
	if err != nil {
		return err
	}
	rows, err := r.Rows()
	if err != nil {
		return err
	}
	defer rows.Close()
	if rows.Sequences {
		return errors.New("sequences cannot be written yet: a sample of them has no format")
	}
	real, lengths, err := sampleRows(ctx, rows)
	if err != nil {
		return err
	}
	from, err := a.drawnModel(ctx, r, share)
	if err != nil {
		return err
	}
	made, err := newDrawing(from.model, rows.Kind, explain.Lengths(lengths, from.limit), n, stream.New(seed, "cmd/sample"))
	if err != nil {
		return err
	}
	if err := a.writeSample(ctx, made, out); err != nil {
		return err
	}
	a.sayRing(from.words)
	var test *evaluate.Prediction
	if !share { // how well real records are told from these is a number of the real ones
		if test, err = discriminate(ctx, real, made.kept.rows(), from.place, seed); err != nil {
			return err
		}
	}
	if a.json {
		return a.document("sample", struct {
			Run     string               `json:"run"`
			Out     string               `json:"out"`
			Ring    report.Ring          `json:"ring,omitempty"`
			Records int                  `json:"records" gate:"asked for"`
			Test    *evaluate.Prediction `json:"test,omitempty"`
		}{path, out.path, from.ring, n, test})
	}
	a.say("%s made.", count(n, "synthetic record", "synthetic records"))
	if share {
		return nil
	}
	if test == nil {
		a.say("Too few records to test how real they look.")
		return nil
	}
	a.say("How real they look: %s (a judge who sees both tells them apart with an area under the curve of %.2f; 0.5 is guessing).",
		realness(test.AUC), test.AUC)
	return nil
}

// realness names an area under the curve.
func realness(auc float64) string {
	switch gap := math.Abs(auc - 0.5); {
	case gap < 0.05:
		return "nothing gives them away"
	case gap < 0.15:
		return "hard to tell apart"
	case gap < 0.3:
		return "some things give them away"
	}
	return "easy to tell apart"
}

// writeSample draws the records and writes them as "convert --to csv" does.
func (a *app) writeSample(ctx context.Context, made *drawing, out target) error {
	// A record that is drawn may be one that is there: for the user alone.
	t := &table{app: a, p: made, to: out, form: convertForm("csv"), kind: made.kind, private: true}
	if out.path == "" {
		a.meter.clear()
		b := bufio.NewWriter(a.out)
		t.main = b
		return errors.Join(writeCSV(ctx, t), b.Flush())
	}
	if err := t.begin(ctx); err != nil {
		return err
	}
	defer t.abandon()
	if err := writeCSV(ctx, t); err != nil {
		return err
	}
	for _, note := range t.notes {
		a.say("%s", note)
	}
	return t.finish()
}

// Sizes of the test.
const (
	judgedRecords  = 2000 // of each kind at most
	judgedFeatures = 60   // the most frequent ones
	leastJudged    = 20   // of each kind
)

// discriminate tries to tell made records from real ones by logistic regression
// with cross-validation on the most frequent features and the record's total;
// nil where there are too few.
func discriminate(ctx context.Context, a, b sparse.Rows, place []int, seed uint64) (*evaluate.Prediction, error) {
	if a.N() < leastJudged || b.N() < leastJudged {
		return nil, nil
	}
	p := min(b.Dim, judgedFeatures)
	x := mat.NewDense(a.N()+b.N(), p+1, nil)
	outcome := make([]bool, a.N()+b.N())
	for i := range outcome {
		rows, at, of := a, i, place
		if i >= a.N() {
			rows, at, of, outcome[i] = b, i-a.N(), nil, true
		}
		fill(x.RawRowView(i), rows, at, of)
	}
	return evaluate.Predict(ctx, x, outcome, evaluate.PredictOptions{Seed: seed})
}

// fill sets the first features of a row, on a scale of logarithms, and the
// logarithm of its total. place gives the features' places in the model, -1 for
// those that are not in it; nil where all are.
func fill(dst []float64, rows sparse.Rows, i int, place []int) {
	squash := func(v float64) float64 {
		if math.IsNaN(v) {
			return 0
		}
		return math.Copysign(math.Log1p(math.Abs(v)), v)
	}
	total := 0.0
	set := func(h int, v float64) {
		if place != nil {
			h = place[h]
		}
		if h < 0 {
			return
		}
		if h < len(dst)-1 {
			dst[h] = squash(v)
		}
		if !math.IsNaN(v) {
			total += v
		}
	}
	if rows.IsDense() {
		for h, v := range rows.DenseRow(i) {
			set(h, v)
		}
	} else {
		index, value := rows.Row(i)
		for e, h := range index {
			v := 1.0
			if value != nil {
				v = float64(value[e])
			}
			set(int(h), v)
		}
	}
	dst[len(dst)-1] = squash(total)
}
