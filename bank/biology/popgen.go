package biology

import (
	"math"
	"math/rand/v2"
	"strconv"

	"github.com/moiety-go/moiety/bank/law"
)

// populationGenetics are the laws of genotypes at biallelic loci.
func populationGenetics() []law.Law {
	return []law.Law{
		{
			Name: "panmictic missing calls", Kind: law.Genotypes, Groups: 1,
			About: "One panmictic population in Hardy-Weinberg proportions with Wright's (1931) U-shaped allele frequencies; calls go missing at random at a rate of the locus and of the plate well.",
			Draw:  panmictic,
		},
		{
			Name: "isolation by distance plane", Kind: law.Genotypes, Groups: 1,
			About: "Isolation by distance in a plane (Wright 1943, Malecot 1948): allele frequencies are smooth random surfaces and people are sampled evenly over the plane.",
			Draw:  isolationByDistance,
		},
		{
			Name: "admixture gradient", Kind: law.Genotypes, Groups: 1,
			About: "Admixture of two ancestries as one continuous gradient (Pritchard et al. 2000; clines of Barton and Hewitt 1985): the ancestry of a person is unimodal and no person is unmixed.",
			Draw:  admixtureGradient,
		},
		{
			Name: "continuous inbreeding", Kind: law.Genotypes, Groups: 1,
			About: "Identity disequilibrium (Weir and Cockerham 1973): inbreeding coefficients vary continuously between individuals, so heterozygosity is correlated across unlinked loci.",
			Draw:  continuousInbreeding,
		},
		{
			Name: "linked haplotype mosaic", Kind: law.Genotypes, Groups: 1,
			About: "Li and Stephens (2003): each chromosome is a mosaic of many founder haplotypes with recombination, so that neighbouring loci are linked in one randomly mating population.",
			Draw:  haplotypeMosaic,
		},
		{
			Name: "serial founder transect", Kind: law.Genotypes, Groups: 1,
			About: "Range expansion by serial founder effects (Ramachandran et al. 2005): frequencies wander by drift along a transect that is sampled without gaps.",
			Draw:  serialFounder,
		},
		{
			Name: "low coverage calling", Kind: law.Genotypes, Groups: 1,
			About: "Genotypes called from low-coverage reads (Nielsen et al. 2011): the depth of a sample varies lognormally, and thin samples lose heterozygotes and calls.",
			Draw:  lowCoverage,
		},
		{
			Name: "islands of three", Kind: law.Genotypes, Groups: 3,
			About: "Wright's island model at equilibrium with the F-model of Balding and Nichols (1995), three islands of like size with F_ST of .05 to .12.",
			Draw:  threeIslands,
		},
		{
			Name: "drift tree of four", Kind: law.Genotypes, Groups: 4,
			About: "Pure drift along a bifurcating tree of four populations (Cavalli-Sforza and Edwards 1967), unequally sampled, with missing calls.",
			Draw:  driftTree,
		},
		{
			Name: "inbred demes of six", Kind: law.Genotypes, Groups: 6,
			About: "Six partly selfing demes (Gao, Williamson and Bustamante 2007, InStruct): each deme has a selfing rate, and inbreeding varies within it.",
			Draw:  inbredDemes,
		},
		{
			Name: "hybrid classes", Kind: law.Genotypes, Groups: 4,
			About: "Genealogical classes of a hybrid zone (Anderson and Thompson 2002, NewHybrids): two parental species, first-generation hybrids and the backcross to one parent.",
			Draw:  hybridClasses,
		},
		{
			Name: "inversion karyotypes", Kind: law.Genotypes, Groups: 3,
			About: "A polymorphic chromosomal inversion suppresses recombination (Ma and Amos 2012): the two homokaryotypes and the heterokaryotype are three groups at all loci within it.",
			Draw:  inversionKaryotypes,
		},
		{
			Name: "cryptic species rare", Kind: law.Genotypes, Groups: 3,
			About: "Cryptic species within a sample (Bickford et al. 2007): a common one and two rare ones (8 and 2 percent), well diverged.",
			Draw:  crypticSpecies,
		},
		{
			Name: "weakly split herds hard", Kind: law.Genotypes, Groups: 2,
			About: "Two herds with high gene flow (Waples and Gaggiotti 2006): F_ST of .015 to .03, at the border of what so few loci can tell.",
			Draw:  weaklySplit,
		},
	}
}

// genotype draws the copies of an allele of frequency p where both alleles are
// identical by descent with probability f.
func genotype(r *rand.Rand, p, f float64) int {
	if f > 0 && chance(r, f) {
		if chance(r, p) {
			return 2
		}
		return 0
	}
	return allele(r, p) + allele(r, p)
}

// allele draws one copy of an allele of frequency p.
func allele(r *rand.Rand, p float64) int {
	if chance(r, p) {
		return 1
	}
	return 0
}

// commonFrequencies are allele frequencies of m loci chosen to vary.
func commonFrequencies(r *rand.Rand, m int) []float64 {
	a := uniform(r, 0.7, 1.6)
	return fill(m, func() float64 { return clamp(beta(r, a, a), 0.05, 0.95) })
}

// drifted is the frequency after drift of amount f from p (Balding and Nichols 1995).
func drifted(r *rand.Rand, p, f float64) float64 {
	k := (1 - f) / f
	return beta(r, p*k, (1-p)*k)
}

// driftAll drifts every locus by f.
func driftAll(r *rand.Rand, p []float64, f float64) []float64 {
	return rows(len(p), func(j int) float64 { return drifted(r, p[j], f) })
}

// genotypeRows draws people of the given groups from the frequencies of their group,
// with inbreeding that inbred gives for a person of a group.
func genotypeRows(r *rand.Rand, group []int, p [][]float64, inbred func(g int) float64) [][]string {
	return rows(len(group), func(i int) []string {
		g := group[i]
		f := 0.0
		if inbred != nil {
			f = inbred(g)
		}
		return rows(len(p[g]), func(j int) string { return strconv.Itoa(genotype(r, p[g][j], f)) })
	})
}

func panmictic(r *rand.Rand, n int) law.Data {
	m := between(r, 60, 120)
	p := commonFrequencies(r, m)
	quality := uniform(r, 0.02, 0.08)
	table := rows(n, func(int) []string {
		lost := beta(r, 1, 1/quality)
		return rows(m, func(j int) string {
			if chance(r, lost) {
				return ""
			}
			return strconv.Itoa(genotype(r, p[j], 0))
		})
	})
	punch(r, table, 0.06)
	return law.Data{Columns: loci(r, m), Table: table}
}

// surface is a smooth random function on the plane of about the given deviation,
// a sum of waves of random directions and phases.
func surface(r *rand.Rand, sd, length float64) func(x, y float64) float64 {
	const waves = 8
	kx, ky, phase := make([]float64, waves), make([]float64, waves), make([]float64, waves)
	for w := range waves {
		kx[w], ky[w] = normal(r, 0, 1/length), normal(r, 0, 1/length)
		phase[w] = uniform(r, 0, 2*math.Pi)
	}
	scale := sd * math.Sqrt(2.0/waves)
	return func(x, y float64) float64 {
		sum := 0.0
		for w := range waves {
			sum += math.Cos(kx[w]*x + ky[w]*y + phase[w])
		}
		return scale * sum
	}
}

func isolationByDistance(r *rand.Rand, n int) law.Data {
	m := between(r, 70, 130)
	base := commonFrequencies(r, m)
	sd, length := uniform(r, 0.5, 1), uniform(r, 0.5, 1.2)
	surfaces := fill(m, func() func(x, y float64) float64 { return surface(r, sd, length) })
	table := rows(n, func(int) []string {
		x, y := r.Float64(), r.Float64()
		return rows(m, func(j int) string {
			return strconv.Itoa(genotype(r, logistic(logit(base[j])+surfaces[j](x, y)), 0))
		})
	})
	if chance(r, 0.5) {
		punch(r, table, 0.05)
	}
	return law.Data{Columns: loci(r, m), Table: table}
}

func admixtureGradient(r *rand.Rand, n int) law.Data {
	m := between(r, 70, 130)
	root := commonFrequencies(r, m)
	a, b := driftAll(r, root, uniform(r, 0.15, 0.35)), driftAll(r, root, uniform(r, 0.15, 0.35))
	shapeA, shapeB := uniform(r, 1.2, 3), uniform(r, 1.2, 3)
	table := rows(n, func(int) []string {
		q := beta(r, shapeA, shapeB)
		return rows(m, func(j int) string {
			return strconv.Itoa(genotype(r, q*a[j]+(1-q)*b[j], 0))
		})
	})
	return law.Data{Columns: loci(r, m), Table: table}
}

func continuousInbreeding(r *rand.Rand, n int) law.Data {
	m := between(r, 50, 100)
	p := commonFrequencies(r, m)
	a, b := uniform(r, 0.9, 2), uniform(r, 1.5, 4)
	table := rows(n, func(int) []string {
		f := beta(r, a, b)
		return rows(m, func(j int) string { return strconv.Itoa(genotype(r, p[j], f)) })
	})
	return law.Data{Columns: loci(r, m), Table: table}
}

func haplotypeMosaic(r *rand.Rand, n int) law.Data {
	m, founders := between(r, 80, 140), between(r, 40, 80)
	p := commonFrequencies(r, m)
	founder := rows(founders, func(int) []int {
		return rows(m, func(j int) int { return allele(r, p[j]) })
	})
	breaks := uniform(r, 0.15, 0.4)
	rate := fill(m, func() float64 { return clamp(gamma(r, 1, breaks), 0.02, 0.9) })
	copied := func() []int {
		at := r.IntN(founders)
		return rows(m, func(j int) int {
			if chance(r, rate[j]) {
				at = r.IntN(founders)
			}
			return founder[at][j]
		})
	}
	table := rows(n, func(int) []string {
		mother, father := copied(), copied()
		return rows(m, func(j int) string { return strconv.Itoa(mother[j] + father[j]) })
	})
	return law.Data{Columns: numbered("locus_", m), Table: table}
}

func serialFounder(r *rand.Rand, n int) law.Data {
	const steps = 400
	m := between(r, 70, 120)
	total := uniform(r, 0.25, 0.45)
	path := rows(m, func(int) []float64 {
		angle := math.Asin(math.Sqrt(beta(r, 1.2, 1.2)))
		return rows(steps+1, func(int) float64 {
			angle += normal(r, 0, total/math.Sqrt(steps))
			s := math.Sin(angle)
			return s * s
		})
	})
	table := rows(n, func(int) []string {
		at := r.IntN(steps + 1)
		return rows(m, func(j int) string { return strconv.Itoa(genotype(r, path[j][at], 0)) })
	})
	return law.Data{Columns: loci(r, m), Table: table}
}

func lowCoverage(r *rand.Rand, n int) law.Data {
	m := between(r, 60, 110)
	p := commonFrequencies(r, m)
	depth, spread := uniform(r, 5, 9), uniform(r, 0.3, 0.6)
	locusDepth := fill(m, func() float64 { return lognormal(r, 1, 0.3) })
	const misread = 0.005
	table := rows(n, func(int) []string {
		mine := lognormal(r, depth, spread)
		return rows(m, func(j int) string {
			g := genotype(r, p[j], 0)
			reads := poisson(r, mine*locusDepth[j])
			if reads < 2 {
				return ""
			}
			share := clamp(float64(g)/2, misread, 1-misread)
			seen := float64(binomial(r, reads, share)) / float64(reads)
			switch {
			case seen < 0.15:
				return "0"
			case seen > 0.85:
				return "2"
			default:
				return "1"
			}
		})
	})
	return law.Data{Columns: loci(r, m), Table: table}
}

func threeIslands(r *rand.Rand, n int) law.Data {
	m := between(r, 90, 140)
	root := commonFrequencies(r, m)
	p := fill(3, func() []float64 { return driftAll(r, root, uniform(r, 0.05, 0.12)) })
	group := members(r, n, even(3))
	return law.Data{Columns: loci(r, m), Table: genotypeRows(r, group, p, nil), Group: group}
}

func driftTree(r *rand.Rand, n int) law.Data {
	m := between(r, 110, 170)
	root := commonFrequencies(r, m)
	left, right := driftAll(r, root, uniform(r, 0.05, 0.12)), driftAll(r, root, uniform(r, 0.05, 0.12))
	p := [][]float64{
		driftAll(r, left, uniform(r, 0.06, 0.12)), driftAll(r, left, uniform(r, 0.06, 0.12)),
		driftAll(r, right, uniform(r, 0.06, 0.12)), driftAll(r, right, uniform(r, 0.06, 0.12)),
	}
	group := members(r, n, uneven(r, 4, 0.1))
	table := genotypeRows(r, group, p, nil)
	punch(r, table, 0.1)
	return law.Data{Columns: loci(r, m), Table: table, Group: group}
}

func inbredDemes(r *rand.Rand, n int) law.Data {
	const k = 6
	m := between(r, 100, 150)
	root := commonFrequencies(r, m)
	p := fill(k, func() []float64 { return driftAll(r, root, uniform(r, 0.08, 0.2)) })
	selfing := fill(k, func() float64 { return uniform(r, 0, 0.5) })
	group := members(r, n, uneven(r, k, 0.08))
	inbred := func(g int) float64 {
		mean := selfing[g]/(2-selfing[g]) + 0.01
		return beta(r, 6*mean, 6*(1-mean))
	}
	return law.Data{Columns: loci(r, m), Table: genotypeRows(r, group, p, inbred), Group: group}
}

func hybridClasses(r *rand.Rand, n int) law.Data {
	m := between(r, 80, 120)
	a, b := make([]float64, m), make([]float64, m)
	for j := range m {
		a[j] = beta(r, 1, 6)
		b[j] = beta(r, 6, 1)
		if chance(r, 0.5) {
			a[j], b[j] = b[j], a[j]
		}
	}
	group := members(r, n, uneven(r, 4, 0.12))
	table := rows(n, func(i int) []string {
		return rows(m, func(j int) string {
			first, second := a[j], b[j]
			switch group[i] {
			case 0:
				second = a[j]
			case 1:
				first = b[j]
			case 3: // a gamete of a first-generation hybrid meets one of species A
				if chance(r, 0.5) {
					second = a[j]
				}
			}
			return strconv.Itoa(allele(r, first) + allele(r, second))
		})
	})
	return law.Data{Columns: loci(r, m), Table: table, Group: group}
}

func inversionKaryotypes(r *rand.Rand, n int) law.Data {
	inside, outside := between(r, 40, 60), between(r, 30, 60)
	root := commonFrequencies(r, inside+outside)
	standard, inverted := make([]float64, len(root)), make([]float64, len(root))
	f := uniform(r, 0.3, 0.5)
	for j, p := range root {
		standard[j], inverted[j] = p, p
		if j < inside {
			standard[j], inverted[j] = drifted(r, p, f), drifted(r, p, f)
		}
	}
	q := uniform(r, 0.3, 0.5)
	group := members(r, n, []float64{(1 - q) * (1 - q), 2 * q * (1 - q), q * q})
	table := rows(n, func(i int) []string {
		return rows(len(root), func(j int) string {
			first, second := standard[j], standard[j]
			if group[i] > 0 {
				second = inverted[j]
			}
			if group[i] > 1 {
				first = inverted[j]
			}
			return strconv.Itoa(allele(r, first) + allele(r, second))
		})
	})
	return law.Data{Columns: loci(r, len(root)), Table: table, Group: group}
}

func crypticSpecies(r *rand.Rand, n int) law.Data {
	m := between(r, 80, 120)
	root := commonFrequencies(r, m)
	p := fill(3, func() []float64 { return driftAll(r, root, uniform(r, 0.25, 0.45)) })
	group := members(r, n, []float64{0.9, 0.08, 0.02})
	table := genotypeRows(r, group, p, nil)
	punch(r, table, 0.04)
	return law.Data{Columns: loci(r, m), Table: table, Group: group}
}

func weaklySplit(r *rand.Rand, n int) law.Data {
	m := between(r, 90, 140)
	root := commonFrequencies(r, m)
	f := uniform(r, 0.015, 0.03)
	p := fill(2, func() []float64 { return driftAll(r, root, f) })
	share := uniform(r, 0.35, 0.65)
	group := members(r, n, []float64{share, 1 - share})
	return law.Data{Columns: loci(r, m), Table: genotypeRows(r, group, p, nil), Group: group}
}
