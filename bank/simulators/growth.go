package simulators

import (
	"math"
	"math/rand/v2"

	"github.com/moiety-go/moiety/bank/law"
)

// growthLaws are designs of growth mixtures, structural equation mixtures and
// taxometric analysis.
func growthLaws() []law.Law {
	return []law.Law{
		{
			Name: "skewed growth of one population", Kind: law.Measurements, Groups: 1,
			About: "One population with non-normal latent growth that a normal growth mixture sees as two classes (Bauer and Curran 2003).",
			Draw:  drawSkewedGrowth,
		},
		{
			Name: "curved growth of one population", Kind: law.Measurements, Groups: 1,
			About: "One population of logistic growth whose rate and ceiling vary between persons without gaps (Grimm, Ram and Estabrook 2010; Bauer 2007).",
			Draw:  drawLogisticGrowth,
		},
		{
			Name: "growth classes clear", Kind: law.Measurements, Groups: 3,
			About: "Growth mixture: stable high, rising and falling classes with random intercepts and slopes (Muthén and Shedden 1999).",
			Draw: func(r *rand.Rand, n int) law.Data {
				return drawGrowthClasses(r, n, uneven(r, 3), uniform(r, 0.5, 0.8))
			},
		},
		{
			Name: "growth classes hard", Kind: law.Measurements, Groups: 3,
			About: "Growth mixture with much variation within classes (Nylund, Asparouhov and Muthén 2007; Tofighi and Enders 2008).",
			Draw: func(r *rand.Rand, n int) law.Data {
				return drawGrowthClasses(r, n, []float64{0.33, 0.47, 0.20}, uniform(r, 1.7, 2.3))
			},
		},
		{
			Name: "factor mixture", Kind: law.Measurements, Groups: 2,
			About: "Structural equation mixture: two classes that differ in intercepts and share a factor within (Lubke and Muthén 2005; Tueller and Lubke 2010).",
			Draw:  drawFactorMixture,
		},
		{
			Name: "taxon and complement", Kind: law.Measurements, Groups: 2,
			About: "Taxonic data: a taxon of 10 to 50 percent apart by 1.7 to 2.6 standard deviations on each indicator, with nuisance correlations (Meehl 1995; Ruscio and Kaczetow 2008).",
			Draw: func(r *rand.Rand, n int) law.Data {
				return drawTaxon(r, n, between(r, 7, 10), uniform(r, 0.1, 0.5), 1.7, 2.6)
			},
		},
		{
			Name: "faint taxon", Kind: law.Measurements, Groups: 2,
			About: "Taxonic data of four or five indicators with a small separation, at the edge of what taxometric curves show (Ruscio, Haslam and Ruscio 2006).",
			Draw: func(r *rand.Rand, n int) law.Data {
				return drawTaxon(r, n, between(r, 4, 5), uniform(r, 0.2, 0.5), 1.1, 1.5)
			},
		},
		{
			Name: "dimensional indicators", Kind: law.Measurements, Groups: 1,
			About: "Dimensional comparison data: one skewed factor behind all indicators (Ruscio, Ruscio and Meron 2007).",
			Draw:  drawDimensional,
		},
	}
}

var waves = []string{"wave", "t", "y", "score_", "year_"}

// drawSkewedGrowth draws intercepts and slopes of skewed, dependent margins.
func drawSkewedGrowth(r *rand.Rand, n int) law.Data {
	p := between(r, 4, 6)
	skewness := uniform(r, 1, 1.8)
	rate, sdSlope, rho := uniform(r, 0.4, 1), uniform(r, 0.3, 0.5), uniform(r, 0.1, 0.5)
	noise := uniform(r, 0.5, 0.9)
	x := make(matrix, n)
	for i := range x {
		a := skewed(r, skewness)
		b := rate + sdSlope*(rho*a+math.Sqrt(1-rho*rho)*skewed(r, skewness))
		x[i] = make([]float64, p)
		for j := range p {
			x[i][j] = 5 + a + b*float64(j) + noise*skewed(r, skewness/2)
		}
	}
	return measured(r, numbered(choose(r, waves...), p), x, nil, false)
}

func drawLogisticGrowth(r *rand.Rand, n int) law.Data {
	p := between(r, 5, 8)
	sdTop, sdRate, sdMiddle := uniform(r, 0.1, 0.2), uniform(r, 0.2, 0.4), uniform(r, 0.5, 1.2)
	noise := uniform(r, 0.4, 1)
	x := make(matrix, n)
	for i := range x {
		top := 20 * logNormal(r, 0, sdTop)
		rate := logNormal(r, 0, sdRate)
		middle := normal(r, float64(p-1)/2, sdMiddle)
		x[i] = make([]float64, p)
		for j := range p {
			x[i][j] = 4 + top*logistic(rate*(float64(j)-middle)) + normal(r, 0, noise)
		}
	}
	return measured(r, numbered(choose(r, waves...), p), x, nil, false)
}

// drawGrowthClasses draws three classes; within is the standard deviation of the
// intercepts, and the slopes vary in step with it.
func drawGrowthClasses(r *rand.Rand, n int, shares []float64, within float64) law.Data {
	p := between(r, 5, 7)
	start := []float64{uniform(r, 7, 8), uniform(r, 2, 3), uniform(r, 6, 7.5)}
	slope := []float64{uniform(r, -0.1, 0.2), uniform(r, 0.6, 1), uniform(r, -1.4, -1)}
	sdSlope := within * 0.18
	noise := uniform(r, 0.6, 0.9)
	group := assign(r, n, shares)
	x := make(matrix, n)
	for i, g := range group {
		z := r.NormFloat64()
		a := start[g] + within*z
		b := slope[g] + sdSlope*(0.2*z+0.98*r.NormFloat64())
		x[i] = make([]float64, p)
		for j := range p {
			x[i][j] = a + b*float64(j) + normal(r, 0, noise)
		}
	}
	return measured(r, numbered(choose(r, waves...), p), x, group, false)
}

func drawFactorMixture(r *rand.Rand, n int) law.Data {
	p := between(r, 8, 12)
	load := uniforms(r, p, 0.5, 0.8)
	shift := make([]float64, p)
	for j := range shift {
		shift[j] = sign(r) * uniform(r, 1.0, 1.8)
	}
	group := assign(r, n, uneven(r, 2))
	x := make(matrix, n)
	for i, g := range group {
		f := r.NormFloat64()
		x[i] = make([]float64, p)
		for j := range p {
			x[i][j] = load[j]*f + shift[j]*float64(g) + math.Sqrt(1-load[j]*load[j])*r.NormFloat64()
		}
	}
	return measured(r, itemNames(r, p), x, group, true)
}

func drawTaxon(r *rand.Rand, n, p int, base, lo, hi float64) law.Data {
	away := uniforms(r, p, lo, hi)
	nuisance := uniforms(r, 2, 0, 0.3)
	group := assign(r, n, []float64{1 - base, base})
	x := make(matrix, n)
	for i, g := range group {
		f := r.NormFloat64()
		x[i] = make([]float64, p)
		for j := range p {
			x[i][j] = away[j]*float64(g) + math.Sqrt(nuisance[g])*f + math.Sqrt(1-nuisance[g])*r.NormFloat64()
		}
	}
	return measured(r, itemNames(r, p), x, group, true)
}

func drawDimensional(r *rand.Rand, n int) law.Data {
	p := between(r, 5, 10)
	load := uniforms(r, p, 0.5, 0.85)
	skewness := uniform(r, 0.3, 2)
	own := uniforms(r, p, 0.2, 1.5)
	x := make(matrix, n)
	for i := range x {
		f := skewed(r, skewness)
		x[i] = make([]float64, p)
		for j := range p {
			x[i][j] = load[j]*f + math.Sqrt(1-load[j]*load[j])*skewed(r, own[j])
		}
	}
	return measured(r, itemNames(r, p), x, nil, true)
}
