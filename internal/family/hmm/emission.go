package hmm

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// An emitter is the part of the model that sees rows: discrete and Gaussian
// emissions of known parameters.
type emitter interface {
	// scores sets out (n×k) to log densities of the rows in the states, zeros
	// for rows not observed.
	scores(b pass.Block, out []float64) error
	// size is the length of the statistics.
	size() int
	// gather adds the statistics of rows under gamma (n×k); it follows scores.
	gather(state []float64, rows sparse.Rows, gamma []float64)
	// maximise returns p with emissions that fit the statistics best.
	maximise(state []float64, p mixture.Params, pseudo float64) mixture.Params
	// prior is the logarithm of the prior of the emissions, for pseudo records.
	prior(state []float64, p mixture.Params) float64
}

func (f Family) emitter(p mixture.Params) emitter {
	if f.o.Of != nil {
		return newLawful(f.o.Of, p)
	}
	if f.o.Emission == Gaussian {
		return newNormal(p)
	}
	return newSymbols(p)
}

// symbolOf returns the symbol of row i, -1 for a row not observed.
func symbolOf(rows sparse.Rows, i int) (int, error) {
	at, count, value := -1, 0, 1.0
	see := func(h int, v float64) {
		if v != 0 && !math.IsNaN(v) {
			at, value = h, v
			count++
		}
	}
	if rows.IsDense() {
		for h, v := range rows.DenseRow(i) {
			see(h, v)
		}
	} else {
		index, values := rows.Row(i)
		for e, h := range index {
			if values == nil {
				see(int(h), 1)
			} else {
				see(int(h), float64(values[e]))
			}
		}
	}
	if count > 1 {
		return -1, fmt.Errorf("has %d symbols, want one a step: give each its own step, or choose the emission bernoulli for sets, gaussian for measurements", count)
	}
	if value != 1 {
		return -1, fmt.Errorf("holds the value %v, want symbols: choose Gaussian emissions for measurements", value)
	}
	return at, nil
}

// symbols are discrete emissions. Statistics: d×k expected counts.
type symbols struct {
	d, k int
	log  []float64 // d×k
}

// leastShare stands for a probability of zero in logarithms: a symbol that no
// state emits costs hundreds of nats, but no sequence is impossible.
const leastShare = 1e-300

func newSymbols(p mixture.Params) *symbols {
	s := &symbols{d: p.Dim(), k: p.K(), log: make([]float64, p.Dim()*p.K())}
	for h := range s.d {
		for j, v := range p.Centers.RawRowView(h) {
			s.log[h*s.k+j] = math.Log(math.Max(v, leastShare))
		}
	}
	return s
}

func (s *symbols) size() int { return s.d * s.k }

func (s *symbols) scores(b pass.Block, out []float64) error {
	for i := range b.Rows.N() {
		h, err := symbolOf(b.Rows, i)
		if err != nil {
			return stepError(b, i, err)
		}
		if h < 0 {
			clear(out[i*s.k:][:s.k])
		} else {
			copy(out[i*s.k:][:s.k], s.log[h*s.k:][:s.k])
		}
	}
	return nil
}

// stepError names the record and the step of row i.
func stepError(b pass.Block, i int, err error) error {
	if b.Steps == nil {
		return fmt.Errorf("hmm: record %d %w", b.First+i+1, err)
	}
	r := 0
	for b.Steps[r+1]-b.Steps[0] <= i {
		r++
	}
	return fmt.Errorf("hmm: record %d, step %d %w", b.First+r+1, i-(b.Steps[r]-b.Steps[0])+1, err)
}

func (s *symbols) gather(state []float64, rows sparse.Rows, gamma []float64) {
	for i := range rows.N() {
		h, err := symbolOf(rows, i)
		if err != nil || h < 0 {
			continue
		}
		row := state[h*s.k:][:s.k]
		for j, g := range gamma[i*s.k:][:s.k] {
			row[j] += g
		}
	}
}

// totals returns the counts of states and the shares of symbols in all records.
func (s *symbols) totals(state []float64) (count, share []float64) {
	count, share = make([]float64, s.k), make([]float64, s.d)
	n := 0.0
	for h := range share {
		for j, v := range state[h*s.k:][:s.k] {
			count[j] += v
			share[h] += v
			n += v
		}
	}
	for h := range share {
		share[h] /= math.Max(n, math.SmallestNonzeroFloat64)
	}
	return count, share
}

func (s *symbols) maximise(state []float64, p mixture.Params, pseudo float64) mixture.Params {
	count, share := s.totals(state)
	centers := mat.DenseCopyOf(p.Centers)
	for j, c := range count {
		if c+pseudo <= 0 || (c == 0 && mat.Sum(mat.NewVecDense(s.d, share)) == 0) {
			continue // an emptied state keeps its emissions
		}
		for h, m := range share {
			centers.Set(h, j, (state[h*s.k+j]+pseudo*m)/(c+pseudo))
		}
	}
	p.Centers = centers
	return p
}

func (s *symbols) prior(state []float64, p mixture.Params) float64 {
	_, share := s.totals(state)
	sum := 0.0
	for h, m := range share {
		if m == 0 {
			continue
		}
		for _, v := range p.Centers.RawRowView(h) {
			sum += m * math.Log(math.Max(v, leastShare))
		}
	}
	return sum
}
