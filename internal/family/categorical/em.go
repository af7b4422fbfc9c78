package categorical

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/family/loglinear"
	"github.com/moiety-go/moiety/internal/simplex"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/sparse"
)

// density is what the answers to questions say of their component; missing ones
// say nothing.
type density struct {
	loglinear.Free
	blocks [][2]int
}

// Name implements loglinear.Density.
func (density) Name() string { return "categorical" }

// leastProbability stands for zero in logarithms: an answer that a component
// never gives costs it hundreds of nats, but one that no component gives does
// not decide.
const leastProbability = 1e-300

// Table returns log ω_j and the slopes log p_hj; a question without an entry adds
// nothing to a record's score.
func (density) Table(p mixture.Params) *loglinear.Table {
	t := loglinear.Logs(p)
	for h := range t.D {
		for j, v := range p.Centers.RawRowView(h) {
			t.Slope[h*t.K+j] = math.Log(math.Max(v, leastProbability))
		}
	}
	return t
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

// Learn sets p_hj = (Σ_i r_ij x_ih + pseudo·m_h) / (Σ_i r_ij [answered] + pseudo),
// m_h being the share of the answer among all who answered the question.
func (f density) Learn(s loglinear.Stats, old mixture.Params, pseudo float64) (mixture.Params, error) {
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
	simplex.NormaliseBlocks(centers, f.blocks) // rounding only
	return mixture.New(centers, s.Weights()), nil
}

// Prior is that of a Dirichlet law worth pseudo records:
// pseudo·Σ_hj m_h log p_hj.
func (f density) Prior(s loglinear.Stats, p mixture.Params, pseudo float64) float64 {
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
	return pseudo * prior
}

// Legal reports a value that is no number.
func (density) Legal(_ mixture.Params, rows sparse.Rows, i int) (err error) {
	if rows.IsBinary() {
		return nil
	}
	rows.Each(i, func(_ int, x float64) {
		if math.IsNaN(x) {
			err = fmt.Errorf("it holds a value that is no number; leave the question empty instead")
		}
	})
	return err
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
		for _, b := range f.D.blocks {
			rows.Index = append(rows.Index, uint32(b[0]+family.Pick(r, law[b[0]:b[1]])))
		}
		rows.Ptr = append(rows.Ptr, len(rows.Index))
	}
	return family.Draw{Rows: rows, Labels: labels}, nil
}
