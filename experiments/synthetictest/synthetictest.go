// Package synthetictest asks whether records drawn from a model can be distinguished
// from the real ones ([T] conclusions, after Aviñó et al. 2018): by the maximum
// mean discrepancy and by a classifier.
//
// Claim of the paper: for a high number of clusters, synthetic and real
// hospital records are hard to tell apart under both criteria.
//
// Command: go run -C experiments . synthetic-test (needs the data sets desynpuf and
// diabetes130)
//
// Ours: docs/results.md, row "synthetic-test".
package synthetictest

import (
	"context"
	"fmt"
	"io"

	"github.com/moiety-go/moiety/experiments/lab"
	"github.com/moiety-go/moiety/experiments/patients"
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
)

// Run prints a table for real records and one for records whose model is known.
func Run(ctx context.Context, w io.Writer, full bool) error {
	ks := []int{1, 4, 16, 48}
	if full {
		ks = []int{1, 2, 4, 8, 16, 24, 32, 48, 64}
	}
	set := synth.ExponentialBernoulli(3000, 8000, 99, 12, synth.UniformWeights)
	lab.Heading(w, "A mixture of 12 groups, known ([T] Fig. 4.1, n=8000): records drawn from a fit against records the fit did not see")
	if err := table(ctx, w, set.Rows, []int{1, 4, 12}); err != nil {
		return err
	}
	for _, open := range []func(context.Context) (*patients.Hospital, error){
		func(ctx context.Context) (*patients.Hospital, error) { return patients.Desynpuf(ctx, "") }, patients.Diabetes,
	} {
		h, err := open(ctx)
		if err != nil {
			if err = lab.Skipped(w, err); err != nil {
				return err
			}
			continue
		}
		lab.Heading(w, "%s, %d stays, d=%d: records drawn from a fit against stays the fit did not see", h.Name, h.Len(), h.Rows.Dim)
		if err := table(ctx, w, h.Rows, ks); err != nil {
			return err
		}
	}
	return nil
}

// table fits half of the rows and compares draws with the other half; the last
// row compares the two halves themselves.
func table(ctx context.Context, w io.Writer, rows sparse.Rows, ks []int) error {
	var seen, unseen []int
	for i := range rows.N() {
		if i%2 == 0 {
			seen = append(seen, i)
		} else {
			unseen = append(unseen, i)
		}
	}
	real := rows.Pick(unseen)
	t := lab.NewTable("records from", "MMD² ×1000", "p", "AUC of a classifier (.5: cannot tell)", "copies of a real record", "the same for real records")
	add := func(name string, fake sparse.Rows) error {
		r, err := synth.Compare(ctx, real, fake, synth.RealismOptions{Seed: 1})
		if err != nil {
			return err
		}
		t.Add(name, fmt.Sprintf("%.3f", 1000*r.Discrepancy), r.P, fmt.Sprintf("%.3f ±%.3f", r.AUC, r.AUCError), r.Copies, r.Expected)
		return nil
	}
	for _, k := range ks {
		data := rows.Pick(seen)
		o, err := lab.Flat(ctx, lab.Generated(data, record.Presence), model.Spec{Model: "bernoulli"}, k, "", fit.EM)
		if err != nil {
			return fmt.Errorf("k=%d: %w", k, err)
		}
		f, err := o.Model.Family()
		if err != nil {
			return err
		}
		draw, err := f.Sample(o.Model.Params, stream.New(1, "experiments/synthetic"), len(unseen), family.Shape{})
		if err != nil {
			return err
		}
		if err := add(fmt.Sprintf("a model of %d groups", k), draw.Rows); err != nil {
			return err
		}
	}
	if err := add("the other half of the data", rows.Pick(seen)); err != nil {
		return err
	}
	t.Write(w)
	return nil
}
