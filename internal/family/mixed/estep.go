package mixed

import (
	"fmt"
	"math"

	"github.com/moiety-go/moiety/family/loglinear"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

const (
	// stepClip bounds probabilities of presences in EM.
	stepClip = 1e-9
	// leastMean stands for zero in logarithms of counts and answers.
	leastMean = 1e-300
)

// scorer holds the coefficients of the log densities
//
//	bias_j + Σ_h x_h·slope_hj − Σ_{h missing} absent_hj + Σ_{h real} log N(x_h; μ_hj, v_hj)
//
// where bias holds log ω and what absent features add, and real features, which
// may lie far from zero, are worked out one by one.
type scorer struct {
	f      *Family
	d, k   int
	bias   []float64 // k
	slope  []float64 // d×k
	absent []float64 // d×k: log density of the value 0
	place  []int     // of each feature among the real ones, -1 for others
	mean   []float64 // real×k
	half   []float64 // real×k: 1/(2v)
	level  []float64 // real×k: −log(2πv)/2
}

func (f *Family) scorer(p mixture.Params) *scorer {
	d, k := p.Centers.Dims()
	s := &scorer{
		f: f, d: d, k: k, bias: make([]float64, k), slope: make([]float64, d*k), absent: make([]float64, d*k),
		place: make([]int, d),
	}
	for j, w := range p.Weights {
		s.bias[j] = math.Log(w)
	}
	for h, kind := range f.kinds {
		s.place[h] = -1
		if kind == vocab.Real {
			s.place[h] = len(s.mean) / k
			s.addReal(p.Centers.RawRowView(h), p.Extra[Variance].RawRowView(h))
			continue
		}
		for j, v := range p.Centers.RawRowView(h) {
			at := h*k + j
			switch kind {
			case vocab.Presence:
				v = clip(v, stepClip)
				s.absent[at] = math.Log1p(-v)
				s.slope[at] = math.Log(v) - s.absent[at]
			case vocab.Counts:
				s.absent[at] = -v
				s.slope[at] = math.Log(math.Max(v, leastMean))
			case vocab.Categorical:
				s.slope[at] = math.Log(math.Max(v, leastMean))
			}
			s.bias[j] += s.absent[at]
		}
	}
	return s
}

func (s *scorer) addReal(mean, variance []float64) {
	for j, v := range variance {
		s.mean = append(s.mean, mean[j])
		s.half = append(s.half, 1/(2*v))
		s.level = append(s.level, -math.Log(2*math.Pi*v)/2)
	}
}

// row is one record: its entries, and its real values with those not stored.
type row struct {
	index []uint32  // nil for a dense row
	x     []float64 // values of the entries
	real  []float64 // of all real features
}

func (s *scorer) newRow() *row { return &row{real: make([]float64, len(s.f.real))} }

func (r *row) feature(e int) int {
	if r.index == nil {
		return e
	}
	return int(r.index[e])
}

// read unpacks row i.
func (s *scorer) read(r *row, rows sparse.Rows, i int) {
	clear(r.real)
	r.x = r.x[:0]
	if rows.IsDense() {
		r.index, r.x = nil, append(r.x, rows.DenseRow(i)...)
	} else {
		var value []float32
		r.index, value = rows.Row(i)
		for e := range r.index {
			if value == nil {
				r.x = append(r.x, 1)
			} else {
				r.x = append(r.x, float64(value[e]))
			}
		}
	}
	for e, v := range r.x {
		if at := s.place[r.feature(e)]; at >= 0 {
			r.real[at] = v
		}
	}
}

// score sets out (k) to the log joint densities of the record, less −log x! of
// its counts.
func (s *scorer) score(r *row, out []float64) {
	copy(out, s.bias)
	for e, v := range r.x {
		h := r.feature(e)
		if v == 0 || s.place[h] >= 0 {
			continue
		}
		if math.IsNaN(v) {
			for j, a := range s.absent[h*s.k:][:s.k] {
				out[j] -= a
			}
			continue
		}
		for j, w := range s.slope[h*s.k:][:s.k] {
			out[j] += v * w
		}
	}
	for at, v := range r.real {
		if math.IsNaN(v) {
			continue
		}
		mean, half, level := s.mean[at*s.k:][:s.k], s.half[at*s.k:][:s.k], s.level[at*s.k:][:s.k]
		for j, m := range mean {
			out[j] += level[j] - half[j]*(v-m)*(v-m)
		}
	}
}

// State of the E-step: log-likelihood, n, counts (k), then d×k each of
//
//	sum      Σ r·x, and Σ r·(x − μ) for real features: relative to the old mean
//	missing  Σ r over the records that miss the feature (not for answers)
//	square   Σ r·(x − μ)² for real features
const heads = 2

type stats struct {
	logLikelihood, n             float64
	count, sum, missing, squares []float64
}

func (f *Family) stats(state []float64, k int) stats {
	d := len(f.kinds)
	rest := state[heads+k:]
	return stats{state[0], state[1], state[heads:][:k], rest[:d*k], rest[d*k:][:d*k], rest[2*d*k:][:d*k]}
}

// Len returns the length of the state.
func (s *scorer) Len() int { return heads + s.k + 3*s.d*s.k }

// Add implements pass.Sum.
func (s *scorer) Add(state []float64, b pass.Block) error {
	if b.Rows.Dim != s.d {
		return fmt.Errorf("mixed: records of %d features for a model of %d", b.Rows.Dim, s.d)
	}
	st := s.f.stats(state, s.k)
	record, post := s.newRow(), make([]float64, s.k)
	for i := range b.Rows.N() {
		s.read(record, b.Rows, i)
		s.score(record, post)
		state[0] += loglinear.Softmax(post)
		state[1]++
		for j, p := range post {
			st.count[j] += p
		}
		s.addRow(st, record, post)
	}
	return nil
}

// addRow adds the record's statistics under its posteriors.
func (s *scorer) addRow(st stats, r *row, post []float64) {
	for e, v := range r.x {
		h := r.feature(e)
		if v == 0 || s.place[h] >= 0 {
			continue
		}
		into, f := st.sum[h*s.k:][:s.k], v
		if math.IsNaN(v) {
			into, f = st.missing[h*s.k:][:s.k], 1
		}
		for j, p := range post {
			into[j] += f * p
		}
	}
	for at, v := range r.real {
		h := s.f.real[at]
		sum, missing, squares := st.sum[h*s.k:][:s.k], st.missing[h*s.k:][:s.k], st.squares[h*s.k:][:s.k]
		for j, p := range post {
			if math.IsNaN(v) {
				missing[j] += p
				continue
			}
			off := v - s.mean[at*s.k+j]
			sum[j] += p * off
			squares[j] += p * off * off
		}
	}
}

// EStep implements family.Family.
func (f *Family) EStep(p mixture.Params, _ bool) (pass.Sum, error) {
	if err := f.Check(p); err != nil {
		return nil, err
	}
	return f.scorer(p), nil
}

// Posterior implements family.Family.
func (f *Family) Posterior(p mixture.Params, b pass.Block, out []float64) error {
	return f.visit(p, b, func(i int, r *row, post []float64, _ float64) { copy(out[i*p.K():], post) })
}

// LogDensity returns the log density of the values that are there.
func (f *Family) LogDensity(p mixture.Params, b pass.Block, out []float64) error {
	return f.visit(p, b, func(i int, r *row, _ []float64, logp float64) {
		for e, v := range r.x {
			if f.kinds[r.feature(e)] == vocab.Counts && v > 1 {
				lg, _ := math.Lgamma(v + 1)
				logp -= lg
			}
		}
		out[i] = logp
	})
}

// visit hands posteriors and log densities of the rows to use.
func (f *Family) visit(p mixture.Params, b pass.Block, use func(i int, r *row, post []float64, logp float64)) error {
	if err := f.Check(p); err != nil {
		return err
	}
	if b.Rows.Dim != p.Dim() {
		return fmt.Errorf("mixed: records of %d features for a model of %d", b.Rows.Dim, p.Dim())
	}
	s := f.scorer(p)
	r, post := s.newRow(), make([]float64, p.K())
	for i := range b.Rows.N() {
		s.read(r, b.Rows, i)
		for e, v := range r.x {
			if want := f.legal(r.feature(e), v); want != "" {
				return fmt.Errorf("mixed: %w", &moment.ValueError{Record: b.First + i, Feature: r.feature(e), Value: v, Want: want})
			}
		}
		s.score(r, post)
		use(i, r, post, loglinear.Softmax(post))
	}
	return nil
}
