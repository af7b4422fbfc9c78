// Package decompose turns moments into the parameters of a model: it takes a
// moment.Source, which offers
//
//	M1 = Σ_j ω_j μ_j    M2 = Σ_j ω_j μ_j μ_jᵀ    M3 = Σ_j ω_j μ_j⊗μ_j⊗μ_j
//
// through small projections, and gives the centers μ_j and weights ω_j up to
// the order of the components, with diagnostics. Steps before: moment. Steps
// after: refine.
//
// All methods (but ALS without whitening) share the first half. Whiten finds the leading subspace
// of M2 and factors E, W (both d×k) with M2 ≈ E·Eᵀ and Wᵀ·M2·W = I; in these
// coordinates the components are the columns o_j of a rotation O:
//
//	E·O = M·diag(ω)^½,   Oᵀ·(Wᵀ·M3(e_r)·W)·O = diag(row r of M),   OᵀWᵀM1 = ω^½
//
// The methods differ in how they find O, and in which of the three relations
// they read the parameters from. Methods lists them; Auto is the default.
//
// The package knows eigenvectors, rotations and gaps. It does not know records,
// probability models, or that there ever was a document. It is deterministic:
// random directions come from named streams of Options.Seed.
package decompose
