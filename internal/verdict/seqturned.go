package verdict

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/assign"
	"github.com/moiety-go/moiety/pass"
)

// turn makes the columns of measurements uncorrelated and equally wide inside states:
// states scatter alike to all sides there, as the family has them, whatever the columns
// have in common. Explanations without states have such covariances too.
type turn struct {
	by     *mat.TriDense
	logDet float64 // that a step gains by it
}

const turnSteps = 15 // of EM in the turned columns

// see returns sequences in the columns of the fit.
func (h held) see(w *walks) *walks {
	if h.turn == nil {
		return w
	}
	out := *w
	d := w.rows.Dim
	out.rows.Dense = make([]float64, len(w.rows.Dense))
	for t := range w.rows.N() {
		to := mat.NewVecDense(d, out.rows.Dense[t*d:][:d])
		to.MulVec(h.turn.by, mat.NewVecDense(d, w.rows.DenseRow(t)))
	}
	return &out
}

// turned goes on from a fit in columns that are uncorrelated inside its states, where
// that describes the sequences it learned from better by BIC.
func (h held) turned(ctx context.Context, w *walks) (held, error) {
	d := w.rows.Dim
	size := []float64{float64(w.rows.N()), 0} // steps, missing values
	for _, v := range w.rows.Dense {
		size[1] += boolean(math.IsNaN(v))
	}
	w.places.add(size)
	rows := size[0]
	if size[1] > 0 || rows < float64(2*d*(d+1)) {
		return h, nil
	}
	a, err := assign.All(ctx, h.fam, h.p, w.here())
	if err != nil {
		return h, err
	}
	within := mat.NewSymDense(d, nil)
	far := mat.NewVecDense(d, nil)
	for t, j := range a.Labels() {
		for i, v := range w.rows.DenseRow(t) {
			far.SetVec(i, v-h.p.Centers.At(i, j))
		}
		within.SymRankOne(within, 1/rows, far)
	}
	w.places.add(within.RawSymmetric().Data)
	var chol mat.Cholesky
	if !chol.Factorize(within) {
		return h, nil
	}
	var root, by mat.TriDense
	chol.LTo(&root)
	if by.InverseTri(&root) != nil {
		return h, nil
	}
	out := held{h.fam, h.p, &turn{&by, -chol.LogDet() / 2}}
	var centers mat.Dense
	centers.Mul(&by, h.p.Centers)
	out.p.Centers = &centers
	out.p = h.others(out.p, h.p.K(), func(m *mat.Dense) *mat.Dense {
		one := mat.DenseCopyOf(m)
		one.Apply(func(_, _ int, _ float64) float64 { return 1 }, one)
		return one
	})
	run := out.see(w).runner()
	for range turnSteps {
		sum, err := out.fam.EStep(out.p, true)
		if err != nil {
			return h, err
		}
		state, err := pass.RunOne(ctx, run, sum)
		if err != nil {
			return h, err
		}
		if out.p, _, err = out.fam.MStep(state, out.p, 1); err != nil {
			return h, err
		}
	}
	before, err := h.scores(w)
	if err != nil {
		return h, err
	}
	after, err := out.scores(w)
	if err != nil {
		return h, err
	}
	gain := []float64{sum(after), sum(before)}
	w.places.add(gain)
	if more := float64(d*(d+1)/2-1) * math.Log(rows) / 2; gain[0]-gain[1] < more {
		return h, nil
	}
	return out, nil
}
