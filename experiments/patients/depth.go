package patients

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/moiety-go/moiety/experiments/bernoullitrees"
	"github.com/moiety-go/moiety/experiments/lab"
	"github.com/moiety-go/moiety/internal/evaluate"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
)

// threeViews are the flat baselines of [T] Fig. 6.1: moments between three random
// thirds of the codes, with and without EM.
func threeViews() []bernoullitrees.Clusterer {
	with := func(refine string) func(context.Context, sparse.Rows, int) ([]int, error) {
		return func(ctx context.Context, rows sparse.Rows, k int) ([]int, error) {
			spec := model.Spec{Model: "bernoulli", Moments: model.Raw}
			o, err := lab.Flat(ctx, lab.Generated(rows, record.Presence), spec, k, "three-view", refine)
			if err != nil {
				return nil, err
			}
			return lab.Ints(o.Group), nil
		}
	}
	return []bernoullitrees.Clusterer{{Name: "3V-MoM", Group: with(fit.None)}, {Name: "3V-MoM + EM", Group: with(fit.EM)}}
}

// Depth prints the curves of [T] Fig. 6.1 and 6.3 on the public stand-ins: stability
// and how well a long stay is foretold, by the depth of the tree, flat methods with as
// many groups beside them.
func Depth(ctx context.Context, w io.Writer, _ bool) error {
	for _, read := range []func(context.Context) (*Hospital, error){
		func(ctx context.Context) (*Hospital, error) { return Desynpuf(ctx, "") }, Diabetes,
	} {
		h, err := read(ctx)
		if err != nil {
			if err = lab.Skipped(w, err); err != nil {
				return err
			}
			continue
		}
		if err := h.depth(ctx, w); err != nil {
			return fmt.Errorf("%s: %w", h.Name, err)
		}
	}
	return nil
}

const depths = 5

func (h *Hospital) depth(ctx context.Context, w io.Writer) error {
	named := []string{bernoullitrees.Default, bernoullitrees.RawDSIDIWO, bernoullitrees.DSIDIWOEM, bernoullitrees.Bisecting, bernoullitrees.FlatASVTD}
	all := slices.DeleteFunc(bernoullitrees.Clusterers(1), func(c bernoullitrees.Clusterer) bool { return !slices.Contains(named, c.Name) })
	head := []string{"method"}
	for level := 1; level <= depths; level++ {
		head = append(head, fmt.Sprintf("%d groups", 1<<level))
	}
	stable, foretold := lab.NewTable(head...), lab.NewTable(head...)
	var refused []string
	for _, m := range append(all, threeViews()...) {
		steady, auc := []any{m.Name}, []any{m.Name}
		for level := 1; level <= depths; level++ {
			s, a, err := h.at(ctx, m, 1<<level)
			if err != nil {
				refused = append(refused, fmt.Sprintf("- %s, %d groups: %v\n", m.Name, 1<<level, err))
			}
			steady, auc = append(steady, s), append(auc, a)
		}
		stable.Add(steady...)
		foretold.Add(auc...)
	}
	lab.Heading(w, "%s: stability by depth, 3 runs ([T] Fig. 6.1)", h.Name)
	stable.Write(w)
	lab.Heading(w, "%s: AUC of a stay longer than a week by depth ([T] Fig. 6.3)", h.Name)
	foretold.Write(w)
	for _, line := range refused {
		fmt.Fprint(w, line)
	}
	return ctx.Err()
}

// at measures k groups of a method; one that cannot answer has no figure.
func (h *Hospital) at(ctx context.Context, m bernoullitrees.Clusterer, k int) (stability, auc any, err error) {
	labels, err := m.Group(ctx, h.Rows, k)
	if err != nil {
		return "–", "–", err
	}
	p, err := evaluate.PredictFromGroups(ctx, labels, h.Long, evaluate.PredictOptions{})
	if err != nil {
		return "–", "–", err
	}
	s, err := evaluate.Stability(ctx, h.Len(), evaluate.StabilityOptions{Runs: 3, Seed: 1}, func(ctx context.Context, rows []int) ([]int, error) {
		return m.Group(ctx, h.Rows.Pick(rows), k)
	})
	if err != nil {
		return "–", p.AUC, err
	}
	return lab.Series(s.ARI), p.AUC, nil
}
