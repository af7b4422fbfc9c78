package main

import (
	"bufio"
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/internal/outfile"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/internal/synth"
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
codes or words, or a wide one of columns. Then tries to tell them from as many real
ones, by a classifier and by the maximum mean discrepancy (Gretton et al. 2012): an
area under the curve of 0.5 means that nothing gives them away. Of records of people the model tells no more than "show" does: rare features are
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
	var test *judged
	if !share { // how well real records are told from these is a number of the real ones
		if test, err = judge(ctx, real, made.kept.rows(), from.place, seed); err != nil {
			return err
		}
	}
	if a.json {
		return a.document("sample", struct {
			Run     string      `json:"run"`
			Out     string      `json:"out"`
			Ring    report.Ring `json:"ring,omitempty"`
			Records int         `json:"records" gate:"asked for"`
			Test    *judged     `json:"test,omitempty"`
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
	a.say("How real they look: %s Of as many real as made records it tells %.0f in 100; the squared maximum mean discrepancy is %.2g (p = %.2g).",
		test.words, 100*test.Accuracy, test.MMD2, test.P)
	return nil
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
	if err := writeCSV(a.listening(ctx), t); err != nil {
		return err
	}
	for _, note := range t.notes {
		a.say("%s", note)
	}
	return t.finish()
}

// judgedRecords are the records of each kind that are kept for the test, at most.
const judgedRecords = 2000

// judged tells how well made records can be told from real ones, of equal numbers of both
// ([T] conclusions).
type judged struct {
	Accuracy float64 // share of records that a classifier puts to their kind, of those it did not see
	Baseline float64 // of guessing
	AUC      float64 // area under the curve; 0.5 is guessing
	MMD2     float64 // squared maximum mean discrepancy (Gretton et al. 2012), about 0 for records of one law
	P        float64 // share of random relabelings that give as much
	Records  int     // of both kinds together
	words    string
}

// judge compares real records, as far as the model has their features, with made ones; nil
// where there are too few.
func judge(ctx context.Context, real, made sparse.Rows, place []int, seed uint64) (*judged, error) {
	if min(real.N(), made.N()) < synth.LeastCompared {
		return nil, nil
	}
	r, err := synth.Compare(ctx, placed(real, place, made.Dim), made, synth.RealismOptions{Seed: seed})
	if err != nil {
		return nil, err
	}
	return &judged{r.Accuracy, 0.5, r.AUC, r.Discrepancy, r.P, r.Real + r.Fake, r.Sentence}, nil
}

// placed returns rows with their features where a model of so many has them; place is -1 for
// those that are not in it, and nil where all are.
func placed(rows sparse.Rows, place []int, dim int) sparse.Rows {
	if place == nil {
		return rows
	}
	if rows.IsDense() {
		out := sparse.Rows{Dim: dim, Dense: make([]float64, rows.N()*dim)}
		for i := range rows.N() {
			for h, v := range rows.DenseRow(i) {
				if at := place[h]; at >= 0 {
					out.Dense[i*dim+at] = v
				}
			}
		}
		return out
	}
	out := sparse.Rows{Dim: dim, Ptr: []int{0}}
	for i := range rows.N() {
		index, value := rows.Row(i)
		for e, h := range index {
			if at := place[h]; at >= 0 {
				out.Index = append(out.Index, uint32(at))
				if value != nil {
					out.Value = append(out.Value, value[e])
				}
			}
		}
		out.Ptr = append(out.Ptr, len(out.Index))
	}
	return out
}
