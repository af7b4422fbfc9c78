package lda

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/warn"
)

// Source takes the Dirichlet out of the moments of bags of words. With the
// raw moments M1, M2, M3 of [T] Thm 3.2.1 and a = α/α0 it offers
//
//	M1,   (α0+1)·M2_α = Σ_j a_j μ_j μ_jᵀ,   (α0+1)(α0+2)/2·M3_α = Σ_j a_j μ_j⊗μ_j⊗μ_j
//
// where M2_α = M2 − α0/(α0+1) M1⊗M1 and M3_α is that of [T] Thm 3.3.1: the
// moments of a mixture with weights a, as every decomposition expects.
type Source struct {
	bag      moment.Source
	alpha0   float64
	view     *view      // what the estimation of alpha0 saw; nil if it was given
	near     *mat.Dense // k×k: the components that the last candidate showed, in U; nil if there is none
	w        *mat.Dense
	warnings []warn.Warning
}

// NewSource returns the corrected moments of the raw ones for a known alpha0.
func NewSource(raw moment.Source, alpha0 float64) (*Source, error) {
	if !(alpha0 > 0) {
		return nil, fmt.Errorf("lda: alpha0 is %v, want a number above 0", alpha0)
	}
	return &Source{bag: raw, alpha0: alpha0}, nil
}

// Alpha0 returns the sum of the Dirichlet parameters in use.
func (s *Source) Alpha0() float64 { return s.alpha0 }

// Raw returns the moments before the correction.
func (s *Source) Raw() moment.Source { return s.bag }

// Dim returns the number of features.
func (s *Source) Dim() int { return s.bag.Dim() }

// Workers returns the number of workers, 0 or less for all cores.
func (s *Source) Workers() int { return moment.Workers(s.bag) }

// GivesRows implements moment.RowSource.
func (s *Source) GivesRows() bool {
	bag, ok := s.bag.(moment.RowSource)
	return ok && bag.GivesRows()
}

// First returns M1.
func (s *Source) First(ctx context.Context) ([]float64, error) { return s.bag.First(ctx) }

// Counts returns the sums over documents that need no basis, where the raw
// moments come from documents.
func (s *Source) Counts(ctx context.Context) (*moment.Counts, error) {
	c, ok := s.bag.(interface {
		Counts(context.Context) (*moment.Counts, error)
	})
	if !ok {
		return nil, fmt.Errorf("lda: the moments do not come from documents, so there are no counts")
	}
	return c.Counts(ctx)
}

// Matrix returns the corrected M2 whole where the raw one is known whole, and
// nil otherwise.
func (s *Source) Matrix(ctx context.Context) (*mat.SymDense, error) {
	whole, ok := s.bag.(moment.Unbounded)
	if !ok {
		return nil, nil
	}
	m2, err := whole.Matrix(ctx)
	if m2 == nil || err != nil {
		return nil, err
	}
	m1, err := s.First(ctx)
	if err != nil {
		return nil, err
	}
	d := s.Dim()
	out, a := mat.NewSymDense(d, nil), s.alpha0
	for h := range d {
		for m := h; m < d; m++ {
			out.SetSym(h, m, (a+1)*m2.At(h, m)-a*m1[h]*m1[m])
		}
	}
	return out, nil
}

// Project implements moment.Source. Every correction in basis B needs only
// Bᵀ·M2·B, M2·B and BᵀM1, which the same scan gives.
func (s *Source) Project(ctx context.Context, b *mat.Dense, want moment.Want) (*moment.Projection, error) {
	if b == s.w && (want == moment.Second || want&^(moment.Second|moment.Core) == 0 && s.view.core != nil) {
		return s.view.whitened(s.alpha0, want), nil
	}
	ask := want
	if want&^moment.Second != 0 {
		ask |= moment.Second
	}
	p, err := s.bag.Project(ctx, b, ask)
	if err != nil {
		return nil, err
	}
	m1, err := s.First(ctx)
	if err != nil {
		return nil, err
	}
	team := spectral.Team(s.Workers())
	return corrector{team, s.alpha0, m1, team.CrossVec(b, m1)}.correct(p, b, want), nil
}

// corrector holds what the corrections in one basis need.
type corrector struct {
	team   spectral.Team // for what is as long as the basis
	alpha0 float64
	m1     []float64 // d
	y      []float64 // l: BᵀM1
}

// factors returns c1 = α0/(α0+1), c2 = α0/(α0+2), c3 = 2α0²/((α0+1)(α0+2)) and
// the scales of the second and third moment.
func factors(a float64) (c1, c2, c3, scale2, scale3 float64) {
	return a / (a + 1), a / (a + 2), 2 * a * a / ((a + 1) * (a + 2)), a + 1, (a + 1) * (a + 2) / 2
}

// correct returns the wanted parts of the raw projection p, corrected; p holds
// the raw M2·B.
func (c corrector) correct(p *moment.Projection, b *mat.Dense, want moment.Want) *moment.Projection {
	out := &moment.Projection{}
	var g mat.Dense // l×l: BᵀM2B
	c.team.Cross(&g, b, p.Second)
	if want&moment.Second != 0 {
		out.Second = c.second(p.Second)
	}
	if want&moment.Core != 0 {
		out.Core = p.Core.Clone()
		correctCore(out.Core, &g, c.y, c.alpha0)
	}
	if want&moment.Slices != 0 {
		out.Slices = c.slices(p, &g)
	}
	if want&moment.Rows != 0 {
		out.Rows = c.rows(p, &g)
	}
	return out
}

func (c corrector) second(raw *mat.Dense) *mat.Dense {
	out := mat.DenseCopyOf(raw)
	c.secondIn(out)
	return out
}

// secondIn corrects the raw M2·B in place.
func (c corrector) secondIn(out *mat.Dense) {
	c1, _, _, scale, _ := factors(c.alpha0)
	c.team.Rows(len(c.m1), len(c.y), func(lo, hi int) {
		for h := lo; h < hi; h++ {
			row, m := out.RawRowView(h), c.m1[h]
			for a, y := range c.y {
				row[a] = scale * (row[a] - c1*m*y)
			}
		}
	})
}

// correctCore turns the raw M3(B,B,B) into the corrected one, given
// g = BᵀM2B and y = BᵀM1.
func correctCore(t *moment.Cube, g *mat.Dense, y []float64, alpha0 float64) {
	_, c2, c3, _, scale := factors(alpha0)
	t.AddPlaced(-c2, g, y)
	t.AddSym3(c3, y)
	t.Scale(scale)
}

// slices: row r gains −c2[m_r G + s_r yᵀ + y s_rᵀ] + c3 m_r y yᵀ with s_r the
// row r of M2·B.
func (c corrector) slices(p *moment.Projection, g *mat.Dense) *mat.Dense {
	_, c2, c3, _, scale := factors(c.alpha0)
	out := mat.DenseCopyOf(p.Slices)
	for r, m := range c.m1 {
		row, s, at := out.RawRowView(r), p.Second.RawRowView(r), 0
		for a, ya := range c.y {
			for e := a; e < len(c.y); e++ {
				ye := c.y[e]
				row[at] = scale * (row[at] - c2*(m*g.At(a, e)+s[a]*ye+ya*s[e]) + c3*m*ya*ye)
				at++
			}
		}
	}
	return out
}

// rows are the diagonals of the slices.
func (c corrector) rows(p *moment.Projection, g *mat.Dense) *mat.Dense {
	_, c2, c3, _, scale := factors(c.alpha0)
	out := mat.DenseCopyOf(p.Rows)
	for r, m := range c.m1 {
		row, s := out.RawRowView(r), p.Second.RawRowView(r)
		for a, y := range c.y {
			row[a] = scale * (row[a] - c2*(m*g.At(a, a)+2*s[a]*y) + c3*m*y*y)
		}
	}
	return out
}

func mulTransVec(b *mat.Dense, v []float64) []float64 { return spectral.Team(1).CrossVec(b, v) }
