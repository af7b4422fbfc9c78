package moment

// Law is what a model knows of products of a feature with itself: a value that a
// family hands over. Let x be the value of one feature in one record, with mean μ
// in a component. Products of different features are unbiased as they are; for
// equal features a model may know functions d2, d3 with means μ² and μ³:
//
//	Factorial    d2 = x(x−1),    d3 = x(x−1)(x−2)       Poisson, words of a bag
//	exponential  d2 = x²/2,      d3 = x³/6
//	binomial     d2 = x(x−1)m/(m−1), d3 = x(x−1)(x−2)m²/((m−1)(m−2))   m trials, means m·p
//	Raw          d2 = x²,        d3 = x³                no correction: biased on the diagonal
//	Distinct     d2 = d3 = 0                            nothing known: entries to be completed
//
// In any basis the third moment of a record with z = Bᵀx is then
//
//	z⊗z⊗z − Σ_h e2(x_h) [b_h,b_h,z placed three ways] + Σ_h c(x_h) b_h⊗b_h⊗b_h
//
// with e2 = x² − d2 and c = 3·x·e2 − x³ + d3, which is all the sums need. The
// zero value is Raw.
type Law struct {
	// Correct sets e2 and c for the values x; nil means that both are zero.
	Correct func(e2, c, x []float64)
	// Linear says that e2 = x and c = 2x, for which the sums have a faster way.
	Linear bool
	// Unknown says that nothing is known, so that the entries are completed
	// afterwards; of rows without values e2 is x then, too.
	Unknown bool
}

// LawOf returns the law of a model that knows d2 and d3.
func LawOf(d2, d3 func(x float64) float64) Law {
	return Law{Correct: func(e2, c, x []float64) {
		for i, v := range x {
			e2[i] = v*v - d2(v)
			c[i] = 3*v*e2[i] - v*v*v + d3(v)
		}
	}}
}

// Factorial is the law of counts whose factorial moments are the powers of their
// mean.
func Factorial() Law {
	return Law{Linear: true, Correct: func(e2, c, x []float64) {
		for i, v := range x {
			e2[i], c[i] = v, 2*v
		}
	}}
}

// Distinct is the law of models that know of products of different features only.
func Distinct() Law {
	return Law{Unknown: true, Correct: func(e2, c, x []float64) {
		for i, v := range x {
			e2[i], c[i] = v*v, 2*v*v*v
		}
	}}
}

// Raw leaves products as they are, biased on the diagonal.
func Raw() Law { return Law{} }

// corrections fills e2 and c for the values x.
func (f *Formula) corrections(e2, c, x []float64) {
	if f.Law.Correct == nil {
		clear(e2)
		clear(c)
		return
	}
	f.Law.Correct(e2, c, x)
}

// linear reports that e2(x) = x, for rows without values where binary says so.
func (l Law) linear(binary bool) bool { return l.Linear || binary && l.Unknown }
