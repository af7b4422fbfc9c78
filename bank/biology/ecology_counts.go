package biology

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/moiety-go/moiety/bank/law"
)

// ecologicalCounts are the laws of abundances of species.
func ecologicalCounts() []law.Law {
	return []law.Law{
		{
			Name: "coenocline abundances", Kind: law.Counts, Groups: 1,
			About: "A coenocline (Gauch and Whittaker 1972): unimodal responses of species abundances to one gradient, negative binomial, on plots placed evenly along it.",
			Draw:  coenocline,
		},
		{
			Name: "aggregated parasites", Kind: law.Counts, Groups: 1,
			About: "Aggregated macroparasites (Shaw and Dobson 1995): hosts differ continuously in exposure, counts are negative binomial with many noughts and zero inflation of a column's own.",
			Draw:  parasites,
		},
		{
			Name: "schooling fishes", Kind: law.Counts, Groups: 1,
			About: "Fish counts of schools (Bonabeau and Dagorn 1995): schools arrive as a Poisson process and their sizes have heavy tails, the same community at every net haul of unequal effort.",
			Draw:  schooling,
		},
		{
			Name: "microbiome one community", Kind: law.Counts, Groups: 1,
			About: "One gut community with correlated logistic-normal shares (Aitchison 1982; Knights et al. 2014 against enterotypes) read at lognormal sequencing depths.",
			Draw:  microbiomeContinuum,
		},
		{
			Name: "plant habitats of four", Kind: law.Counts, Groups: 4,
			About: "Plant communities of four habitats (Braun-Blanquet 1932) with faithful and companion species, negative binomial cover counts and a gradient of richness within every habitat.",
			Draw:  plantHabitats,
		},
		{
			Name: "enterotypes of three", Kind: law.Counts, Groups: 3,
			About: "Enterotypes (Arumugam et al. 2011) as a Dirichlet-multinomial mixture (Holmes, Harris and Quince 2012) with uneven shares and unequal depths.",
			Draw:  enterotypes,
		},
		{
			Name: "stream impact hard", Kind: law.Counts, Groups: 2,
			About: "Stream invertebrates of reference and impacted reaches (Barbour et al. 1999, rapid bioassessment): moderate shifts of abundance under strong overdispersion.",
			Draw:  streamImpact,
		},
		{
			Name: "pollen biomes of five", Kind: law.Counts, Groups: 5,
			About: "Modern pollen spectra of five biomes (Prentice et al. 1996, biomization): multinomial counts about a biome's spectrum with variation between lakes, to a pollen sum that differs from lake to lake.",
			Draw:  pollenBiomes,
		},
	}
}

func coenocline(r *rand.Rand, n int) law.Data {
	m := between(r, 25, 45)
	optimum, width, peak, size := make([]float64, m), make([]float64, m), make([]float64, m), make([]float64, m)
	for j := range m {
		optimum[j] = uniform(r, -0.2, 1.2)
		width[j] = uniform(r, 0.1, 0.35)
		peak[j] = lognormal(r, 8, 0.8)
		size[j] = uniform(r, 0.8, 3)
	}
	table := rows(n, func(int) []string {
		x := r.Float64()
		return whole(rows(m, func(j int) int {
			z := (x - optimum[j]) / width[j]
			return negbin(r, peak[j]*math.Exp(-z*z/2), size[j])
		}))
	})
	return law.Data{Columns: species(r, m), Table: table}
}

func parasites(r *rand.Rand, n int) law.Data {
	m := between(r, 10, 18)
	shape := uniform(r, 0.8, 2)
	mean, size, bent, empty := make([]float64, m), make([]float64, m), make([]float64, m), make([]float64, m)
	for j := range m {
		mean[j] = lognormal(r, 5, 0.9)
		size[j] = uniform(r, 0.3, 1.2)
		bent[j] = uniform(r, 0.4, 1.1)
		empty[j] = uniform(r, 0, 0.4)
	}
	table := rows(n, func(int) []string {
		exposure := gamma(r, shape, 1/shape)
		return whole(rows(m, func(j int) int {
			if chance(r, empty[j]) {
				return 0
			}
			return negbin(r, mean[j]*math.Pow(exposure, bent[j]), size[j])
		}))
	})
	return law.Data{Columns: species(r, m), Table: table}
}

func schooling(r *rand.Rand, n int) law.Data {
	m := between(r, 12, 24)
	rate := fill(m, func() float64 { return gamma(r, 0.8, 1.5) + 0.1 })
	school := fill(m, func() float64 { return lognormal(r, 4, 0.8) })
	tail := uniform(r, 0.7, 1.1)
	effort := uniform(r, 0.2, 0.6)
	table := rows(n, func(int) []string {
		mine := lognormal(r, 1, effort)
		return whole(rows(m, func(j int) int {
			total := 0
			for range poisson(r, rate[j]*mine) {
				total += 1 + int(math.Min(lognormal(r, school[j], tail), 20000))
			}
			return total
		}))
	})
	return law.Data{Columns: species(r, m), Table: table}
}

func microbiomeContinuum(r *rand.Rand, n int) law.Data {
	m := between(r, 25, 45)
	base := fill(m, func() float64 { return normal(r, 0, 1.3) })
	l := cholesky(correlation(r, m, 3, uniform(r, 0.3, 0.6)))
	spread := uniform(r, 0.6, 1)
	depth := lognormal(r, 3000, 0.5)
	table := rows(n, func(int) []string {
		z := mvn(r, l)
		return whole(multinomial(r, 50+int(lognormal(r, depth, 0.5)), softmax(rows(m, func(j int) float64 {
			return base[j] + spread*z[j]
		}))))
	})
	return law.Data{Columns: species(r, m), Table: table}
}

// softmax turns logarithms of weights into shares.
func softmax(x []float64) []float64 {
	out := make([]float64, len(x))
	top := slices.Max(x)
	sum := 0.0
	for j, v := range x {
		out[j] = math.Exp(v - top)
		sum += out[j]
	}
	for j := range out {
		out[j] /= sum
	}
	return out
}

func plantHabitats(r *rand.Rand, n int) law.Data {
	const k = 4
	m := between(r, 32, 50)
	mean := matrix(k, m)
	slope := fill(m, func() float64 { return normal(r, 0, 0.35) })
	for j := range m {
		common := lognormal(r, 2.5, 0.6)
		for g := range k {
			mean[g][j] = common * lognormal(r, 1, 0.25)
			if j%(k+1) < k {
				mean[g][j] = 0.25 * common
				if j%(k+1) == g {
					mean[g][j] = common * uniform(r, 1.5, 3)
				}
			}
		}
	}
	size := uniform(r, 0.9, 2)
	group := members(r, n, uneven(r, k, 0.12))
	table := rows(n, func(i int) []string {
		rich := r.NormFloat64()
		return whole(rows(m, func(j int) int {
			return negbin(r, mean[group[i]][j]*math.Exp(slope[j]*rich), size)
		}))
	})
	return law.Data{Columns: species(r, m), Table: table, Group: group}
}

func enterotypes(r *rand.Rand, n int) law.Data {
	const k = 3
	m := between(r, 20, 35)
	base := dirichlet(r, fill(m, func() float64 { return 0.8 }))
	precision := uniform(r, 14, 30)
	alpha := rows(k, func(g int) []float64 {
		share := slices.Clone(base)
		for _, j := range pick(r, m, m/3) {
			share[j] += uniform(r, 0.02, 0.12)
		}
		share[g] += uniform(r, 0.3, 0.6) // the taxon that gives the type its name
		sum := 0.0
		for _, s := range share {
			sum += s
		}
		return rows(m, func(j int) float64 { return precision*share[j]/sum + 0.02 })
	})
	depth := lognormal(r, 2000, 0.4)
	group := members(r, n, uneven(r, k, 0.18))
	table := rows(n, func(i int) []string {
		share := dirichlet(r, alpha[group[i]])
		return whole(multinomial(r, 100+int(lognormal(r, depth, 0.4)), share))
	})
	return law.Data{Columns: species(r, m), Table: table, Group: group}
}

func streamImpact(r *rand.Rand, n int) law.Data {
	m := between(r, 18, 26)
	mean := fill(m, func() float64 { return lognormal(r, 6, 0.9) })
	shift := fill(m, func() float64 { return normal(r, 0, 0.75) })
	size := uniform(r, 0.7, 1.3)
	group := members(r, n, []float64{0.6, 0.4})
	table := rows(n, func(i int) []string {
		return whole(rows(m, func(j int) int {
			return negbin(r, mean[j]*math.Exp(shift[j]*float64(group[i])), size)
		}))
	})
	return law.Data{Columns: species(r, m), Table: table, Group: group}
}

func pollenBiomes(r *rand.Rand, n int) law.Data {
	const k = 5
	m := between(r, 18, 30)
	base := fill(m, func() float64 { return normal(r, 0, 0.8) })
	level := rows(k, func(int) []float64 {
		return rows(m, func(j int) float64 { return base[j] + normal(r, 0, 0.9) })
	})
	within := uniform(r, 0.4, 0.6)
	group := members(r, n, uneven(r, k, 0.1))
	table := rows(n, func(i int) []string {
		share := softmax(rows(m, func(j int) float64 { return level[group[i]][j] + normal(r, 0, within) }))
		return whole(multinomial(r, between(r, 250, 600), share))
	})
	return law.Data{Columns: species(r, m), Table: table, Group: group}
}
