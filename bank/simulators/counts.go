package simulators

import (
	"math"
	"math/rand/v2"

	"github.com/moiety-go/moiety/bank/law"
)

// countLaws are mixtures of counts, compositions of microbiomes and gene counts of
// single cells.
func countLaws() []law.Law {
	return []law.Law{
		{
			Name: "overdispersed counts", Kind: law.Counts, Groups: 1,
			About: "Negative binomial columns with a widely varying size of the records (Hilbe 2011; Robinson and Oshlack 2010).",
			Draw:  drawOverdispersed,
		},
		{
			Name: "poisson inverse gaussian", Kind: law.Counts, Groups: 1,
			About: "Multivariate Poisson-inverse-Gaussian: counts that share one inverse Gaussian effect (Sichel 1971; Karlis and Xekalaki 2005).",
			Draw:  drawPoissonInverseGaussian,
		},
		{
			Name: "poisson log-normal factors", Kind: law.Counts, Groups: 1,
			About: "Poisson counts with log-normal rates of a few factors (Aitchison and Ho 1989; Chiquet, Mariadassou and Robin 2018).",
			Draw:  drawPoissonLogNormal,
		},
		{
			Name: "zero inflated counts", Kind: law.Counts, Groups: 1,
			About: "Each cell may be an excess zero, with chances and rates that follow a continuous covariate (Lambert 1992; Greene 1994).",
			Draw:  drawZeroInflated,
		},
		{
			Name: "one dirichlet-multinomial", Kind: law.Counts, Groups: 1,
			About: "One Dirichlet-multinomial community with strong overdispersion and uneven depth of reading (Holmes, Harris and Quince 2012).",
			Draw: func(r *rand.Rand, n int) law.Data {
				return drawCommunities(r, n, even(1), uniform(r, 10, 50), 0)
			},
		},
		{
			Name: "gene counts along a path", Kind: law.Counts, Groups: 1,
			About: "Cells along one continuous path of differentiation (Zappia, Phipson and Oshlack 2017, Splatter paths).",
			Draw:  drawGenePath,
		},
		{
			Name: "gene counts of one cell type", Kind: law.Counts, Groups: 1,
			About: "Cells of one type with library sizes, mean-dispersion trend, outlier genes and dropout (Zappia, Phipson and Oshlack 2017, Splatter).",
			Draw: func(r *rand.Rand, n int) law.Data {
				return drawGenes(r, n, even(1), 0, 0)
			},
		},
		{
			Name: "gene counts of cell types", Kind: law.Counts, Groups: 4,
			About: "Cells of four types that differ in a share of the genes (Zappia, Phipson and Oshlack 2017, Splatter groups).",
			Draw: func(r *rand.Rand, n int) law.Data {
				return drawGenes(r, n, uneven(r, 4), uniform(r, 0.25, 0.4), uniform(r, 0.7, 1.1))
			},
		},
		{
			Name: "rare cell types", Kind: law.Counts, Groups: 3,
			About: "Cell types of 90, 8 and 2 percent (Zappia, Phipson and Oshlack 2017; Jindal et al. 2018).",
			Draw: func(r *rand.Rand, n int) law.Data {
				return drawGenes(r, n, steep(), uniform(r, 0.35, 0.5), uniform(r, 0.9, 1.3))
			},
		},
		{
			Name: "multivariate poisson mixture", Kind: law.Counts, Groups: 3,
			About: "Poisson mixture with a common shock that ties the columns (Karlis and Meligkotsidou 2007).",
			Draw:  drawPoissonMixture,
		},
		{
			Name: "negative binomial mixture", Kind: law.Counts, Groups: 4,
			About: "Negative binomial mixture with the records' sizes as offsets (Si et al. 2014; Rau et al. 2015).",
			Draw:  drawNegBinomialMixture,
		},
		{
			Name: "zero inflated poisson mixture", Kind: law.Counts, Groups: 2,
			About: "Mixture of multivariate zero-inflated Poisson counts, at moderate distance (Lim, Li and Yu 2014).",
			Draw:  drawZeroInflatedMixture,
		},
		{
			Name: "enterotypes", Kind: law.Counts, Groups: 3,
			About: "Dirichlet-multinomial mixture of three communities (Holmes, Harris and Quince 2012; Arumugam et al. 2011).",
			Draw: func(r *rand.Rand, n int) law.Data {
				return drawCommunities(r, n, uneven(r, 3), uniform(r, 40, 100), uniform(r, 0.7, 1))
			},
		},
	}
}

// countNames draws a manner to name p columns of counts.
func countNames(r *rand.Rand, p int) []string {
	switch r.IntN(3) {
	case 0:
		return numbered(choose(r, "n", "count_", "y"), p)
	case 1:
		return padded(choose(r, "species_", "sp", "event_"), p)
	default:
		list := []string{
			"visits", "calls", "claims", "absences", "purchases", "accidents", "emails", "logins",
			"prescriptions", "admissions", "complaints", "returns", "trips", "sessions", "errors", "orders",
		}
		if p > len(list) {
			return numbered("n_", p)
		}
		return namesIn(r, list, p)
	}
}

// countRows fills n rows of p counts.
func countRows(n, p int, group []int, names []string, row func(i int, counts []int)) law.Data {
	return wholeTable(names, answersOf(n, p, row), 0, group)
}

func drawOverdispersed(r *rand.Rand, n int) law.Data {
	p := between(r, 6, 16)
	mean, size := make([]float64, p), uniforms(r, p, 0.6, 4)
	for j := range mean {
		mean[j] = logNormal(r, 1.5, 0.9)
	}
	spreadOfSizes := uniform(r, 0.4, 1)
	return countRows(n, p, nil, countNames(r, p), func(_ int, counts []int) {
		s := logNormal(r, 0, spreadOfSizes)
		for j := range counts {
			counts[j] = negBinomial(r, s*mean[j], size[j])
		}
	})
}

func drawPoissonInverseGaussian(r *rand.Rand, n int) law.Data {
	p := between(r, 4, 10)
	mean := make([]float64, p)
	for j := range mean {
		mean[j] = logNormal(r, 1.2, 0.8)
	}
	shape := uniform(r, 0.5, 2)
	return countRows(n, p, nil, countNames(r, p), func(_ int, counts []int) {
		s := inverseGaussian(r, 1, shape)
		for j := range counts {
			counts[j] = poisson(r, s*mean[j])
		}
	})
}

func drawPoissonLogNormal(r *rand.Rand, n int) law.Data {
	p, q := between(r, 8, 20), between(r, 2, 3)
	load, base := make(matrix, p), make([]float64, p)
	for j := range p {
		load[j] = scaled(normals(r, q), uniform(r, 0.3, 0.8))
		base[j] = normal(r, 1.2, 0.9)
	}
	own := uniform(r, 0.2, 0.5)
	return countRows(n, p, nil, countNames(r, p), func(_ int, counts []int) {
		f := normals(r, q)
		for j := range counts {
			counts[j] = poisson(r, math.Exp(base[j]+dot(load[j], f)+normal(r, 0, own)))
		}
	})
}

func drawZeroInflated(r *rand.Rand, n int) law.Data {
	p := between(r, 5, 12)
	base, slope := make([]float64, p), uniforms(r, p, 0.1, 0.5)
	zero, zeroSlope := uniforms(r, p, -1.5, 0.5), uniforms(r, p, 0, 0.8)
	for j := range base {
		base[j] = normal(r, 1.2, 0.5)
	}
	return countRows(n, p, nil, countNames(r, p), func(_ int, counts []int) {
		t := r.NormFloat64()
		for j := range counts {
			if bernoulli(r, logistic(zero[j]-zeroSlope[j]*t)) {
				continue
			}
			counts[j] = poisson(r, math.Exp(base[j]+slope[j]*t))
		}
	})
}

var genera = []string{
	"Bacteroides", "Prevotella", "Ruminococcus", "Faecalibacterium", "Alistipes", "Roseburia", "Blautia", "Dorea",
	"Coprococcus", "Akkermansia", "Bifidobacterium", "Lactobacillus", "Streptococcus", "Veillonella", "Dialister",
	"Parabacteroides", "Escherichia", "Clostridium", "Eubacterium", "Collinsella", "Sutterella", "Oscillibacter",
	"Megamonas", "Phascolarctobacterium", "Barnesiella", "Odoribacter", "Desulfovibrio", "Haemophilus",
	"Fusobacterium", "Methanobrevibacter", "Catenibacterium", "Subdoligranulum", "Holdemania", "Turicibacter",
	"Klebsiella", "Enterococcus", "Butyricimonas", "Slackia", "Eggerthella", "Lachnospira",
}

// drawCommunities draws counts of genera about each community's composition. The
// precision is the sum of the Dirichlet's parameters; apartness the standard
// deviation of the logarithm of a genus between communities.
func drawCommunities(r *rand.Rand, n int, shares []float64, precision, apartness float64) law.Data {
	v := between(r, 20, len(genera))
	base := make([]float64, v)
	for j := range base {
		base[j] = gamma(r, 0.6, 1) + 0.02
	}
	alpha := zeros(len(shares), v)
	for g := range alpha {
		for j := range v {
			alpha[g][j] = base[j] * math.Exp(normal(r, 0, apartness))
		}
		if apartness > 0 { // one genus leads each community
			alpha[g][g] = 3 + 2*alpha[g][g]
		}
		alpha[g] = scaled(normalise(alpha[g]), precision)
	}
	depth := uniform(r, 6.5, 8.5)
	spreadOfDepth := uniform(r, 0.3, 0.7)
	group := assign(r, n, shares)
	place := r.Perm(v)
	names := make([]string, v)
	for j := range v {
		names[place[j]] = genera[j]
	}
	data := countRows(n, v, group, names, func(i int, counts []int) {
		total := logNormal(r, depth, spreadOfDepth)
		for j, part := range dirichlet(r, alpha[group[i]]) {
			counts[place[j]] = poisson(r, total*part)
		}
	})
	if len(shares) == 1 {
		data.Group = nil
	}
	return data
}

// geneNames makes p symbols of genes.
func geneNames(r *rand.Rand, p int) []string {
	if r.IntN(2) == 0 {
		return padded("Gene", p)
	}
	seen := map[string]bool{}
	names := make([]string, 0, p)
	for len(names) < p {
		name := ""
		for range between(r, 2, 4) {
			name += string(rune('A' + r.IntN(26)))
		}
		name += whole(between(r, 1, 19))
		if !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	return names
}

// geneModel is what Splatter knows of genes: means, the biological variation, and
// the logistic of dropout.
type geneModel struct {
	mean      []float64
	variation float64
	middle    float64 // logarithm of the mean at which half of the counts drop out
	dropout   bool
	librarySD float64
}

func newGeneModel(r *rand.Rand, p int) geneModel {
	m := geneModel{
		mean:      make([]float64, p),
		variation: uniform(r, 0.1, 0.35),
		middle:    uniform(r, -1, 0.3),
		dropout:   r.IntN(2) == 0,
		librarySD: uniform(r, 0.2, 0.5),
	}
	for j := range m.mean {
		m.mean[j] = 0.3 + gamma(r, 0.6, 8)
		if bernoulli(r, 0.05) {
			m.mean[j] *= logNormal(r, 1.5, 0.5)
		}
	}
	return m
}

// fill draws the counts of a cell whose genes are multiplied by the factors.
func (m geneModel) fill(r *rand.Rand, factor []float64, counts []int) {
	library := logNormal(r, 0, m.librarySD)
	for j := range counts {
		mean := library * m.mean[j] * factor[j]
		variation := (m.variation + 1/math.Sqrt(mean+1e-9)*0.2) * math.Sqrt(60/gamma(r, 30, 2))
		rate := mean
		if mean > 0 {
			rate = gamma(r, 1/(variation*variation), mean*variation*variation)
		}
		counts[j] = poisson(r, rate)
		if m.dropout && bernoulli(r, logistic(m.middle-math.Log(mean+1e-9))) {
			counts[j] = 0
		}
	}
}

// geneFactors draws a type's factors: most genes stay, some are raised or lowered.
func geneFactors(r *rand.Rand, p int, changed, size float64) []float64 {
	factor := symmetric(p, 1)
	for j := range factor {
		if bernoulli(r, changed) {
			factor[j] = math.Exp(sign(r) * math.Abs(normal(r, size, 0.4)))
		}
	}
	return factor
}

func drawGenes(r *rand.Rand, n int, shares []float64, changed, size float64) law.Data {
	p := between(r, 50, 90)
	model := newGeneModel(r, p)
	factor := make(matrix, len(shares))
	for g := range factor {
		factor[g] = geneFactors(r, p, changed, size)
	}
	group := assign(r, n, shares)
	data := countRows(n, p, group, geneNames(r, p), func(i int, counts []int) {
		model.fill(r, factor[group[i]], counts)
	})
	if len(shares) == 1 {
		data.Group = nil
	}
	return data
}

// drawGenePath bends the logarithm of each gene's factor along the path.
func drawGenePath(r *rand.Rand, n int) law.Data {
	p := between(r, 50, 90)
	model := newGeneModel(r, p)
	end := geneFactors(r, p, uniform(r, 0.2, 0.4), uniform(r, 0.6, 1))
	bow := make([]float64, p)
	for j := range bow {
		if end[j] != 1 {
			bow[j] = normal(r, 0, 0.8)
		}
	}
	a, b := uniform(r, 1, 1.6), uniform(r, 1, 1.6)
	factor := make([]float64, p)
	return countRows(n, p, nil, geneNames(r, p), func(_ int, counts []int) {
		t := beta(r, a, b)
		for j := range factor {
			factor[j] = math.Exp(t*math.Log(end[j]) + bow[j]*t*(1-t))
		}
		model.fill(r, factor, counts)
	})
}

func drawPoissonMixture(r *rand.Rand, n int) law.Data {
	const k = 3
	p := between(r, 7, 12)
	rate := zeros(k, p)
	for j := range p {
		base := normal(r, 1.6, 0.4)
		for g := range k {
			rate[g][j] = math.Exp(base + normal(r, 0, 0.7))
		}
	}
	shock := uniform(r, 0.5, 2)
	group := assign(r, n, uneven(r, k))
	return countRows(n, p, group, countNames(r, p), func(i int, counts []int) {
		common := poisson(r, shock)
		for j := range counts {
			counts[j] = common + poisson(r, rate[group[i]][j])
		}
	})
}

func drawNegBinomialMixture(r *rand.Rand, n int) law.Data {
	const k = 4
	p := between(r, 14, 24)
	rate := zeros(k, p)
	for j := range p {
		base := normal(r, 2, 0.8)
		for g := range k {
			rate[g][j] = math.Exp(base + normal(r, 0, 0.8))
		}
	}
	size, spreadOfSizes := uniform(r, 2.5, 8), uniform(r, 0.2, 0.4)
	group := assign(r, n, uneven(r, k))
	return countRows(n, p, group, countNames(r, p), func(i int, counts []int) {
		s := logNormal(r, 0, spreadOfSizes)
		for j := range counts {
			counts[j] = negBinomial(r, s*rate[group[i]][j], size)
		}
	})
}

func drawZeroInflatedMixture(r *rand.Rand, n int) law.Data {
	p := between(r, 6, 9)
	rate, zero := zeros(2, p), zeros(2, p)
	for j := range p {
		base, side := normal(r, 1.1, 0.3), sign(r)*uniform(r, 0.3, 0.5)
		rate[0][j], rate[1][j] = math.Exp(base+side), math.Exp(base-side)
		zero[0][j], zero[1][j] = uniform(r, 0.1, 0.45), uniform(r, 0.1, 0.45)
	}
	group := assign(r, n, uneven(r, 2))
	return countRows(n, p, group, countNames(r, p), func(i int, counts []int) {
		for j := range counts {
			if !bernoulli(r, zero[group[i]][j]) {
				counts[j] = poisson(r, rate[group[i]][j])
			}
		}
	})
}
