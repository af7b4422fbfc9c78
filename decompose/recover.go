package decompose

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/warn"
)

// signed holds directions v_j of the components in whitened coordinates with
// the scales and weights that M1 and M2 give them. With N = V^-1, the whitened
// second moment I = V diag(s) Vᵀ and the first m = V p give s_j = (NNᵀ)_jj and
// p = N m; a component c_j v_j of weight ω_j has ω_j c_j² = s_j, ω_j c_j = p_j,
// so ω_j = p_j²/s_j and c_j = s_j/p_j. For a rotation s_j = 1 and p_j = q_j.
type signed struct {
	v       *mat.Dense // k×k, signs such that p > 0
	scale   []float64  // c_j
	weights []float64  // on the simplex
	floored bool       // a weight was raised to the least one
}

// sign scales directions v (k×k, columns of any sign). It returns nil where
// they are linearly dependent.
func (w *Whitened) sign(v *mat.Dense, o Options) *signed {
	k := w.K()
	var n mat.Dense
	if r, c := v.Dims(); r != c || n.Inverse(v) != nil || !finite(n.RawMatrix().Data) {
		return nil
	}
	s := &signed{v: mat.DenseCopyOf(v), scale: make([]float64, k), weights: make([]float64, k)}
	least := o.leastWeight()
	for j := range k {
		row := n.RawRowView(j)
		sj, pj := dot(row, row), dot(row, w.Mean)
		if pj < 0 {
			pj = -pj
			for a := range k {
				s.v.Set(a, j, -s.v.At(a, j))
			}
		}
		if floor := math.Sqrt(least * sj); pj < floor {
			pj, s.floored = floor, true
		}
		s.scale[j], s.weights[j] = sj/pj, pj*pj/sj
	}
	normalise(s.weights)
	return s
}

// signAny scales directions that may depend on one another: then the nearest
// independent ones are taken, with a warning. It returns nil for NaN only.
func (w *Whitened) signAny(v *mat.Dense, o Options) (*signed, []warn.Warning) {
	if s := w.sign(v, o); s != nil {
		return s, nil
	}
	var both mat.Dense
	both.Augment(v, identity(w.K()))
	s := w.sign(spectral.Orth(&both), o)
	return s, []warn.Warning{warn.New(warn.Serious, "merged-groups",
		"Try another method, or ask for fewer groups.",
		"Some groups could not be told apart: the method found the same one twice.")}
}

// fromSecond reads the centers from E·O·diag(ω)^-½.
func (w *Whitened) fromSecond(s *signed) candidate {
	centers := new(mat.Dense)
	max(w.team, 1).Mul(centers, w.E, s.v)
	scaleColumns(centers, s.scale)
	return candidate{mixture.New(centers, s.weights), s.v}
}

// fromCore reads the centers from the third moment inside the leading
// subspace: center j is E·T(·,o_j,o_j). No scan is needed.
func (w *Whitened) fromCore(s *signed) candidate {
	dual := dualOf(s.v)
	return w.fromThird(s, dual, w.Core.Columns(dual))
}

// fromThird is fromCore for the duals n_j of the directions and t, whose column j is
// T(·,n_j,n_j) = ω_j c_j³ v_j, and ω_j c_j² = n_jᵀn_j.
func (w *Whitened) fromThird(s *signed, dual, t *mat.Dense) candidate {
	for j := range w.K() {
		v := mat.Col(nil, j, dual)
		scaleColumn(t, j, 1/dot(v, v))
	}
	centers := new(mat.Dense)
	max(w.team, 1).Mul(centers, w.E, t)
	return candidate{mixture.New(centers, s.weights), s.v}
}

// fromRows reads the centers of several sets of directions from the diagonals
// of OᵀH_rO in one scan: entry (r,j) is M3(e_r, Wo_j, Wo_j), quadratic in o_j
// and so free of its sign.
func (w *Whitened) fromRows(ctx context.Context, src moment.Source, sets ...*signed) ([]candidate, error) {
	d, k := src.Dim(), w.K()
	b := mat.NewDense(d, k*len(sets), nil)
	for i, s := range sets {
		b.Slice(0, d, i*k, (i+1)*k).(*mat.Dense).Mul(w.W, dualOf(s.v))
	}
	p, err := src.Project(ctx, b, moment.Rows)
	if err != nil {
		return nil, err
	}
	w.Passes++
	out := make([]candidate, len(sets))
	for i, s := range sets {
		centers := mat.DenseCopyOf(p.Rows.Slice(0, d, i*k, (i+1)*k))
		dual := dualOf(s.v)
		for j := range k {
			v := mat.Col(nil, j, dual)
			scaleColumn(centers, j, 1/dot(v, v))
		}
		out[i] = candidate{mixture.New(centers, s.weights), s.v}
	}
	return out, nil
}

// dualOf returns the columns n_j with n_iᵀv_j = 1 for i = j, else 0: v itself
// for a rotation.
func dualOf(v *mat.Dense) *mat.Dense {
	var n mat.Dense
	if n.Inverse(v) != nil {
		return v
	}
	return mat.DenseCopyOf(n.T())
}

// TinyWeight is the code of the warning that a group has almost no weight.
const TinyWeight = "tiny-weight"

// warnings of the signs.
func (s *signed) warnings() []warn.Warning {
	if !s.floored {
		return nil
	}
	return []warn.Warning{warn.New(warn.Caution, TinyWeight,
		"Ask for fewer groups.", "One of the groups found has almost no weight.")}
}

// normalise scales weights to the simplex; all alike where they add up to
// nothing.
func normalise(weights []float64) {
	sum := 0.0
	for _, v := range weights {
		sum += v
	}
	for j := range weights {
		if sum > 0 && !math.IsInf(sum, 0) {
			weights[j] /= sum
		} else {
			weights[j] = 1 / float64(len(weights))
		}
	}
}

func scaleColumns(m *mat.Dense, f []float64) {
	d, _ := m.Dims()
	for h := range d {
		row := m.RawRowView(h)
		for j, v := range f {
			row[j] *= v
		}
	}
}

func scaleColumn(m *mat.Dense, j int, f float64) {
	d, _ := m.Dims()
	for h := range d {
		m.Set(h, j, f*m.At(h, j))
	}
}

func dot(a, b []float64) float64 {
	s := 0.0
	for i, v := range a {
		s += v * b[i]
	}
	return s
}

func finite(x []float64) bool {
	for _, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}
