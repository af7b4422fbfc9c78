package moment

// Diagonal says what a model knows of products of a feature with itself. Let
// x be the value of one feature in one record, with mean μ in a component.
// Products of different features are unbiased as they are; for equal features
// a model may know functions d2, d3 with means μ² and μ³:
//
//	Factorial    d2 = x(x−1),    d3 = x(x−1)(x−2)       Poisson, words of a bag
//	Exponential  d2 = x²/2,      d3 = x³/6              exponential
//	Binomial     d2 = x(x−1)m/(m−1), d3 = x(x−1)(x−2)m²/((m−1)(m−2))   m trials, means m·p
//	Raw          d2 = x²,        d3 = x³                no correction: biased on the diagonal
//	Distinct     d2 = d3 = 0                            nothing known: entries to be completed
//
// In any basis the third moment of a record with z = Bᵀx is then
//
//	z⊗z⊗z − Σ_h e2(x_h) [b_h,b_h,z placed three ways] + Σ_h c(x_h) b_h⊗b_h⊗b_h
//
// with e2 = x² − d2 and c = 3·x·e2 − x³ + d3, which is all the sums need.
type Diagonal int

// Diagonals.
const (
	Factorial Diagonal = iota
	Distinct
	Raw
	Exponential
	Binomial
)

// Formula says how a model's moments are made from records.
type Formula struct {
	Diagonal Diagonal
	Trials   float64 // m of Binomial
	// Weigh returns what a record of total t contributes: factors r, u, v of
	// its share in M1, M2, M3. The moments are then divided by Σ r·t,
	// Σ u·t(t−1) and Σ v·t(t−1)(t−2), as for bags of words. Nil means that
	// every record counts alike and the moments are divided by n.
	Weigh func(t float64) (r, u, v float64)
	// Scale divides each feature: the moments are those of x_h/Scale_h. Nil
	// means no scaling.
	Scale []float64
	// Pairs keeps the whole d×d second moment from one scan, so that no later
	// one is needed for it: the right choice for short rows and small d.
	Pairs bool
	// Single lets M2·B and M3(B,B,B) of sparse rows be summed up in single
	// precision, block by block of records, and the blocks in double: moments
	// to six digits, far below what sampling leaves, in half the time. Blocks
	// of few entries are summed up in double precision all the same.
	Single bool
}

// corrections fills e2 and c for the values x (nil means n ones).
func (f *Formula) corrections(e2, c []float64, x []float64) {
	switch f.Diagonal {
	case Factorial:
		for i, v := range x {
			e2[i], c[i] = v, 2*v
		}
	case Distinct:
		for i, v := range x {
			e2[i], c[i] = v*v, 2*v*v*v
		}
	case Raw:
		clear(e2)
		clear(c)
	case Exponential:
		for i, v := range x {
			e2[i], c[i] = v*v/2, v*v*v*(2.0/3)
		}
	case Binomial:
		m := f.Trials
		for i, v := range x {
			d2, d3 := 0.0, 0.0
			if m > 1 {
				d2 = v * (v - 1) * m / (m - 1)
			}
			if m > 2 {
				d3 = v * (v - 1) * (v - 2) * m * m / ((m - 1) * (m - 2))
			}
			e2[i] = v*v - d2
			c[i] = 3*v*e2[i] - v*v*v + d3
		}
	}
}
