package loglinear

import (
	"fmt"
	"math"

	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/warn"
)

// steps does the work of Mixture for any density: the program has it once, and not once for
// every family.
type steps struct{ d Density }

// eStep returns the Sum of the expected statistics under p, in single precision
// where that is enough.
func (m steps) eStep(p mixture.Params, exact bool) (pass.Sum, error) {
	if err := m.d.Check(p); err != nil {
		return nil, err
	}
	if exact {
		return m.d.Table(p).EStep(), nil
	}
	return m.d.Table(p).QuickEStep(), nil
}

// hardStep returns the Sum of the statistics of a partition.
func (m steps) hardStep(p mixture.Params, labels []int32) (pass.Sum, error) {
	if err := m.d.Check(p); err != nil {
		return nil, err
	}
	return m.d.Table(p).HardStep(labels), nil
}

// mStep returns the parameters of largest objective.
func (m steps) mStep(stats []float64, old mixture.Params, pseudo float64) (mixture.Params, []warn.Warning, error) {
	s := statistics(old, stats)
	if !(s.N > 0) {
		return old, nil, fmt.Errorf("%s: no records to learn from", m.d.Name())
	}
	p, err := m.d.Learn(s, old, pseudo)
	if err != nil {
		return old, nil, err
	}
	return p, s.Emptied(), nil
}

// objective returns the log-likelihood plus the logarithm of the prior.
func (m steps) objective(stats []float64, p mixture.Params, pseudo float64) float64 {
	s := statistics(p, stats)
	if pseudo == 0 {
		return s.LogLikelihood
	}
	return s.LogLikelihood + m.d.Prior(s, p, pseudo)
}

func statistics(p mixture.Params, stats []float64) Stats {
	return (&Table{D: p.Dim(), K: p.K()}).Stats(stats)
}

// posterior sets out (rows×k) to the probability of each component.
func (m steps) posterior(p mixture.Params, b pass.Block, out []float64) error {
	all, err := m.mixtures(p)
	if err != nil {
		return err
	}
	return all(b, out)
}

// mixtures returns posterior for these parameters; several goroutines may call
// it at once.
func (m steps) mixtures(p mixture.Params) (func(b pass.Block, out []float64) error, error) {
	densities, err := m.densities(p)
	if err != nil {
		return nil, err
	}
	return func(b pass.Block, out []float64) error {
		return densities(b, out, make([]float64, b.Rows.N()))
	}, nil
}

// logDensity sets out, one number a record, to the full log density.
func (m steps) logDensity(p mixture.Params, b pass.Block, out []float64) error {
	densities, err := m.densities(p)
	if err != nil {
		return err
	}
	out = out[:b.Rows.N()]
	if err := densities(b, make([]float64, b.Rows.N()*p.K()), out); err != nil {
		return err
	}
	for i := range out {
		out[i] += m.d.Base(p, b.Rows, i)
	}
	return nil
}

// densities returns a function that sets posteriors and log densities less base.
func (m steps) densities(p mixture.Params) (func(b pass.Block, post, logp []float64) error, error) {
	if err := m.d.Check(p); err != nil {
		return nil, err
	}
	t := m.d.Table(p)
	return func(b pass.Block, post, logp []float64) error {
		if err := m.legal(p, b); err != nil {
			return err
		}
		t.Posterior(b.Rows, post, logp)
		for i, v := range logp {
			if math.IsNaN(v) {
				return fmt.Errorf("%s: record %d holds a missing value; fill it in or use the model mixed", m.d.Name(), b.First+i+1)
			}
		}
		return nil
	}, nil
}

// legal reports what keeps the parameters from scoring the block.
func (m steps) legal(p mixture.Params, b pass.Block) error {
	if b.Rows.Dim != p.Dim() {
		return fmt.Errorf("%s: records of %d features for a model of %d", m.d.Name(), b.Rows.Dim, p.Dim())
	}
	for i := range b.Rows.N() {
		if err := m.d.Legal(p, b.Rows, i); err != nil {
			return fmt.Errorf("%s: record %d: %w", m.d.Name(), b.First+i+1, err)
		}
	}
	return nil
}

// places returns a function that places the rows of many blocks; several
// goroutines may call it at once.
func (m steps) places(p mixture.Params) (func(b pass.Block, group []int32, probability []float32) error, error) {
	if err := m.d.Check(p); err != nil {
		return nil, err
	}
	ready := m.d.Table(p).Places()
	return func(b pass.Block, group []int32, probability []float32) error {
		if err := m.legal(p, b); err != nil {
			return err
		}
		ready.Of(b.Rows, group, probability)
		return nil
	}, nil
}
