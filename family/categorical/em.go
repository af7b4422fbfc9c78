package categorical

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/loglinear"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/warn"
)

// leastProbability stands for zero in logarithms: an answer that a component
// never gives costs it hundreds of nats, but one that no component gives does
// not decide.
const leastProbability = 1e-300

// table returns log ω_j and the slopes log p_hj; a question without an entry
// adds nothing to a record's score.
func table(p mixture.Params) *loglinear.Table {
	t := loglinear.NewTable(p.Dim(), p.K())
	for j, w := range p.Weights {
		t.Bias[j] = math.Log(w)
	}
	for h := range t.D {
		for j, v := range p.Centers.RawRowView(h) {
			t.Slope[h*t.K+j] = math.Log(math.Max(v, leastProbability))
		}
	}
	return t
}

// EStep implements family.Family.
func (f Family) EStep(p mixture.Params) (pass.Sum, error) {
	if err := f.Check(p); err != nil {
		return nil, err
	}
	return table(p).EStep(), nil
}

// QuickEStep implements family.Quick.
func (f Family) QuickEStep(p mixture.Params) (pass.Sum, error) {
	if err := f.Check(p); err != nil {
		return nil, err
	}
	return table(p).QuickEStep(), nil
}

// answered returns Σ over the answers of a question: the expected number of
// records of each component that answered it, and of all.
func answered(s loglinear.Stats, b [2]int) (count []float64, total float64) {
	count = make([]float64, len(s.Count))
	for h := b[0]; h < b[1]; h++ {
		for j, v := range s.Sum.RawRowView(h) {
			count[j] += v
			total += v
		}
	}
	return count, total
}

// MStep sets p_hj = (Σ_i r_ij x_ih + pseudo·m_h) / (Σ_i r_ij [answered] + pseudo),
// m_h being the share of the answer among all who answered the question.
func (f Family) MStep(stats []float64, old mixture.Params, pseudo float64) (mixture.Params, []warn.Warning, error) {
	s := loglinear.NewTable(old.Dim(), old.K()).Stats(stats)
	if !(s.N > 0) {
		return old, nil, fmt.Errorf("categorical: no records to learn from")
	}
	centers := mat.DenseCopyOf(old.Centers) // what stays where nobody answered
	for _, b := range f.blocks {
		count, total := answered(s, b)
		if !(total > 0) {
			continue
		}
		for h := b[0]; h < b[1]; h++ {
			sum, all := s.Sum.RawRowView(h), 0.0
			for _, v := range sum {
				all += v
			}
			for j, c := range count {
				if c+pseudo > 0 {
					centers.Set(h, j, (sum[j]+pseudo*all/total)/(c+pseudo))
				}
			}
		}
	}
	f.normalise(centers) // rounding only
	return mixture.New(centers, s.Weights()), s.Emptied(), nil
}

// Objective adds the logarithm of the prior, a Dirichlet law worth pseudo
// records: pseudo·Σ_hj m_h log p_hj.
func (f Family) Objective(stats []float64, p mixture.Params, pseudo float64) float64 {
	s := loglinear.NewTable(p.Dim(), p.K()).Stats(stats)
	prior := 0.0
	for _, b := range f.blocks {
		_, total := answered(s, b)
		if !(total > 0) {
			continue
		}
		for h := b[0]; h < b[1]; h++ {
			all := 0.0
			for _, v := range s.Sum.RawRowView(h) {
				all += v
			}
			if all == 0 {
				continue
			}
			for _, v := range p.Centers.RawRowView(h) {
				prior += all / total * math.Log(math.Max(v, leastProbability))
			}
		}
	}
	return s.LogLikelihood + pseudo*prior
}

// Posterior implements family.Family.
func (f Family) Posterior(p mixture.Params, b pass.Block, out []float64) error {
	return f.densities(p, b, out, make([]float64, b.Rows.N()))
}

// LogDensity returns the log probability of the answers given, missing ones
// left out.
func (f Family) LogDensity(p mixture.Params, b pass.Block, out []float64) error {
	return f.densities(p, b, make([]float64, b.Rows.N()*p.K()), out[:b.Rows.N()])
}

func (f Family) densities(p mixture.Params, b pass.Block, post, logp []float64) error {
	if err := f.Check(p); err != nil {
		return err
	}
	if b.Rows.Dim != p.Dim() {
		return fmt.Errorf("categorical: records of %d features for a model of %d", b.Rows.Dim, p.Dim())
	}
	table(p).Posterior(b.Rows, post, logp)
	for i, v := range logp {
		if math.IsNaN(v) {
			return fmt.Errorf("categorical: record %d holds a value that is no number; leave the question empty instead", b.First+i+1)
		}
	}
	return nil
}

// Sample draws n records with all questions answered; the shape plays no part.
func (f Family) Sample(p mixture.Params, r *rand.Rand, n int, _ family.Shape) (family.Draw, error) {
	if err := f.Check(p); err != nil {
		return family.Draw{}, err
	}
	rows, labels := sparse.Rows{Dim: p.Dim(), Ptr: make([]int, 1, n+1)}, make([]int, n)
	columns := mat.DenseCopyOf(p.Centers.T()) // component by component
	for i := range n {
		labels[i] = family.Pick(r, p.Weights)
		law := columns.RawRowView(labels[i])
		for _, b := range f.blocks {
			rows.Index = append(rows.Index, uint32(b[0]+family.Pick(r, law[b[0]:b[1]])))
		}
		rows.Ptr = append(rows.Ptr, len(rows.Index))
	}
	return family.Draw{Rows: rows, Labels: labels}, nil
}
