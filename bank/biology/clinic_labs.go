package biology

import (
	"math"
	"math/rand/v2"

	"github.com/moiety-go/moiety/bank/law"
)

// clinicalMeasurements are the laws of laboratory values, body measures and cytometry.
func clinicalMeasurements() []law.Law {
	return []law.Law{
		{
			Name: "skewed chemistry panel", Kind: law.Measurements, Groups: 1,
			About: "A blood chemistry panel of one healthy population: correlated analytes of lognormal to near-normal shape with their own skew (Ichihara and Boyd 2010).",
			Draw:  chemistryPanel,
		},
		{
			Name: "heavy tailed changes", Kind: law.Measurements, Groups: 1,
			About: "Changes from baseline under treatment with heavy tails: a multivariate t by a continuous scale of each patient (Lange, Little and Taylor 1989).",
			Draw:  heavyChanges,
		},
		{
			Name: "heart failure severity", Kind: law.Measurements, Groups: 1,
			About: "One severity of heart failure drives biomarkers by saturating curves (dose-response after Hill 1910); severity is flat-topped and the cloud of patients bends.",
			Draw:  heartSeverity,
		},
		{
			Name: "cytokines below detection", Kind: law.Measurements, Groups: 1,
			About: "A cytokine panel in plasma: correlated lognormal concentrations, values below the limit of detection written as the limit over the root of two (Helsel 2005; Hornung and Reed 1990).",
			Draw:  cytokines,
		},
		{
			Name: "assay drift", Kind: law.Measurements, Groups: 1,
			About: "Metabolomics with signal drift over the injection order (Dunn et al. 2011): gain and noise change smoothly with run order, the subjects are of one population.",
			Draw:  assayDrift,
		},
		{
			Name: "allometric growth", Kind: law.Measurements, Groups: 1,
			About: "Growth of one species: von Bertalanffy (1938) size at a skewed age, body parts by power laws (Huxley 1932) with lognormal error.",
			Draw:  allometricGrowth,
		},
		{
			Name: "circadian ring of hormones", Kind: law.Measurements, Groups: 1,
			About: "Blood drawn at any hour of the day: hormones and metabolites follow cosines of the clock (Halberg's cosinor; Cornelissen 2014), skewed residuals.",
			Draw:  circadianRing,
		},
		{
			Name: "diabetes clusters of five", Kind: law.Measurements, Groups: 5,
			About: "Five types of adult diabetes (Ahlqvist et al. 2018): autoimmune, insulin-deficient, insulin-resistant, obesity-related and age-related, in skewed laboratory values.",
			Draw:  diabetesFive,
		},
		{
			Name: "asthma inflammation of four", Kind: law.Measurements, Groups: 4,
			About: "Inflammatory phenotypes of asthma (Haldar et al. 2008; Simpson et al. 2006): eosinophilic, neutrophilic, mixed and scanty, in lognormal cell counts and lung function.",
			Draw:  asthmaFour,
		},
		{
			Name: "newborn screening rare", Kind: law.Measurements, Groups: 3,
			About: "Tandem mass screening of newborns (Wilcken et al. 2003): unaffected at 90 percent, two metabolic disorders at 8 and 2 percent that shift acylcarnitines and amino acids.",
			Draw:  newbornScreening,
		},
		{
			Name: "flow cytometry of six", Kind: law.Measurements, Groups: 6,
			About: "Flow cytometry (Aghaeepour et al. 2013): six cell populations of uneven abundance, skewed, with spillover between channels.",
			Draw:  flowCytometry,
		},
		{
			Name: "species by morphometry", Kind: law.Measurements, Groups: 3,
			About: "Three species of a genus by shape (Jolicoeur 1963, after Anderson's irises): allometric size within each, differences along and across the size axis.",
			Draw:  speciesMorphometry,
		},
		{
			Name: "sepsis phenotypes hard", Kind: law.Measurements, Groups: 4,
			About: "Sepsis phenotypes alpha to delta (Seymour et al. 2019): four overlapping types in skewed labs and vitals.",
			Draw:  sepsisPhenotypes,
		},
		{
			Name: "unsexed birds very hard", Kind: law.Measurements, Groups: 2,
			About: "Birds that cannot be sexed by plumage: sexual dimorphism of wing, bill and mass (Dechaume-Moncharmont et al. 2011) over continuous body size.",
			Draw:  unsexedBirds,
		},
	}
}

// warped maps a standard normal to a value of the given median: warp 0 is normal with
// a coefficient of variation of sd, warp 1 is lognormal, between them Box and Cox. No
// value is below a fiftieth of the median.
func warped(z, median, sd, warp float64) float64 {
	x := sd * z
	if warp >= 0.02 {
		x = (math.Exp(warp*sd*z) - 1) / warp
	}
	return median * math.Max(1+x, 0.02)
}

// chemistryNames are analytes of blood.
var chemistryNames = []string{
	"sodium", "potassium", "creatinine", "urea", "alt", "ast", "ggt", "alp", "bilirubin", "albumin",
	"glucose", "ldl", "hdl", "triglycerides", "crp", "ferritin", "tsh", "calcium", "urate", "ck",
}

// chemistryMedians are common medians of chemistryNames.
var chemistryMedians = []float64{
	140, 4.2, 78, 5.2, 24, 23, 25, 68, 10, 43, 5.1, 3.1, 1.4, 1.2, 1.3, 95, 1.7, 2.4, 310, 105,
}

func chemistryPanel(r *rand.Rand, n int) law.Data {
	m := between(r, 10, 18)
	which := pick(r, len(chemistryNames), m)
	l := cholesky(correlation(r, m, 2, uniform(r, 0.25, 0.5)))
	sd, warp := make([]float64, m), make([]float64, m)
	for j, c := range which {
		sd[j], warp[j] = uniform(r, 0.2, 0.7), uniform(r, 0.8, 1.3)
		switch chemistryNames[c] {
		case "sodium", "calcium", "albumin", "potassium", "hdl":
			sd[j], warp[j] = uniform(r, 0.015, 0.08), 0
		}
	}
	table := rows(n, func(int) []string {
		z := mvn(r, l)
		return rows(m, func(j int) string {
			return significant(warped(z[j], chemistryMedians[which[j]], sd[j], warp[j]))
		})
	})
	return law.Data{Columns: rows(m, func(j int) string { return chemistryNames[which[j]] }), Table: table}
}

func heavyChanges(r *rand.Rand, n int) law.Data {
	m := between(r, 6, 14)
	which := pick(r, len(chemistryNames), m)
	l := cholesky(correlation(r, m, 2, uniform(r, 0.3, 0.6)))
	df := uniform(r, 2.5, 5)
	shift := fill(m, func() float64 { return normal(r, 0, 0.3) })
	scale := fill(m, func() float64 { return lognormal(r, 4, 0.8) })
	table := rows(n, func(int) []string {
		z := mvn(r, l)
		wide := math.Sqrt(1 / gamma(r, df/2, 2/df))
		return rows(m, func(j int) string { return decimal(scale[j]*(shift[j]+wide*z[j]), 2) })
	})
	return law.Data{Columns: rows(m, func(j int) string { return "delta_" + chemistryNames[which[j]] }), Table: table}
}

func heartSeverity(r *rand.Rand, n int) law.Data {
	names := []string{"nt_probnp", "lvef", "lvedd", "e_over_e", "sbp", "walk_6min", "peak_vo2", "troponin", "egfr", "sodium", "la_volume", "galectin_3"}
	low := []float64{120, 60, 47, 8, 132, 520, 24, 4, 92, 141, 28, 10}
	high := []float64{4200, 24, 68, 22, 102, 170, 10, 45, 34, 134, 68, 32}
	m := len(names)
	steep := fill(m, func() float64 { return uniform(r, 1.2, 4) })
	middle := fill(m, func() float64 { return uniform(r, 0.2, 0.8) })
	noise := uniform(r, 0.12, 0.3)
	a := uniform(r, 1.1, 2)
	table := rows(n, func(int) []string {
		s := beta(r, a, a)
		return rows(m, func(j int) string {
			rise := math.Pow(s, steep[j]) / (math.Pow(s, steep[j]) + math.Pow(middle[j], steep[j]))
			x := rise + normal(r, 0, noise)
			if ratio := high[j] / low[j]; ratio > 2 || ratio < 0.5 { // along a logarithmic scale
				return significant(math.Exp(math.Log(low[j]) + x*math.Log(high[j]/low[j])))
			}
			return decimal(low[j]+x*(high[j]-low[j]), 1)
		})
	})
	return law.Data{Columns: names, Table: table}
}

func cytokines(r *rand.Rand, n int) law.Data {
	names := []string{"IL_1b", "IL_2", "IL_4", "IL_5", "IL_6", "IL_8", "IL_10", "IL_12p70", "IL_13", "IL_17A", "IFN_g", "TNF_a", "MCP_1", "MIP_1a", "GM_CSF", "VEGF"}
	m := len(names)
	l := cholesky(correlation(r, m, 2, uniform(r, 0.35, 0.6)))
	median := fill(m, func() float64 { return lognormal(r, 4, 1) })
	sd := fill(m, func() float64 { return uniform(r, 0.6, 1.3) })
	below := fill(m, func() float64 { return uniform(r, -2.5, 0.2) })
	table := rows(n, func(int) []string {
		z := mvn(r, l)
		return rows(m, func(j int) string {
			limit := median[j] * math.Exp(sd[j]*below[j])
			x := median[j] * math.Exp(sd[j]*z[j])
			if x < limit {
				x = limit / math.Sqrt2
			}
			return decimal(x, 2)
		})
	})
	return law.Data{Columns: names, Table: table}
}

func assayDrift(r *rand.Rand, n int) law.Data {
	m := between(r, 12, 25)
	l := cholesky(correlation(r, m, 3, uniform(r, 0.3, 0.5)))
	median := fill(m, func() float64 { return lognormal(r, 200, 1) })
	sd := fill(m, func() float64 { return uniform(r, 0.2, 0.5) })
	gain := fill(m, func() float64 { return normal(r, 0, 0.5) })
	bend := fill(m, func() float64 { return normal(r, 0, 0.3) })
	noise := uniform(r, 0.05, 0.3)
	table := rows(n, func(int) []string {
		order := uniform(r, -1, 1)
		z := mvn(r, l)
		return rows(m, func(j int) string {
			x := sd[j]*z[j] + gain[j]*order + bend[j]*order*order + normal(r, 0, noise*(1+0.6*order))
			return decimal(median[j]*math.Exp(x), 1)
		})
	})
	return law.Data{Columns: numbered("met_", m), Table: table}
}

func allometricGrowth(r *rand.Rand, n int) law.Data {
	names := []string{"total_length", "head_length", "body_depth", "eye_diameter", "pectoral_fin", "tail_length", "jaw_length", "mass"}
	m := len(names)
	power := fill(m, func() float64 { return uniform(r, 0.7, 1.3) })
	power[3], power[7] = uniform(r, 0.5, 0.8), uniform(r, 2.8, 3.2)
	share := []float64{1, 0.24, 0.28, 0.06, 0.17, 0.2, 0.1, 0.008}
	error := uniform(r, 0.03, 0.08)
	largest, rate := uniform(r, 30, 70), uniform(r, 0.2, 0.5)
	shape := uniform(r, 1.5, 3)
	table := rows(n, func(int) []string {
		age := 0.4 + gamma(r, shape, 1.2)
		size := largest * lognormal(r, 1, 0.08) * (1 - math.Exp(-rate*(age+0.3)))
		return rows(m, func(j int) string {
			scale := share[j] * math.Pow(largest, 1-power[j])
			if j == 7 {
				scale = share[j]
			}
			return significant(scale * math.Pow(size, power[j]) * lognormal(r, 1, error))
		})
	})
	return law.Data{Columns: names, Table: table}
}

func circadianRing(r *rand.Rand, n int) law.Data {
	names := []string{"cortisol", "melatonin", "tsh", "prolactin", "gh", "testosterone", "leptin", "glucose", "core_temp", "heart_rate", "iron", "lymphocytes"}
	median := []float64{280, 12, 1.8, 9, 0.8, 14, 11, 5.2, 36.8, 66, 16, 2.1}
	m := len(names)
	peak := fill(m, func() float64 { return uniform(r, 0, 24) })
	swing := fill(m, func() float64 { return uniform(r, 0.3, 1.8) })
	slant := fill(m, func() float64 { return uniform(r, 0, 4) })
	spread := fill(m, func() float64 { return uniform(r, 0.15, 0.45) })
	spread[8], spread[9] = 0.006, 0.1
	table := rows(n, func(int) []string {
		hour := uniform(r, 0, 24)
		return rows(m, func(j int) string {
			z := swing[j]*math.Cos((hour-peak[j])*math.Pi/12) + skewNormal(r, slant[j])
			return decimal(median[j]*math.Exp(spread[j]*z), 2)
		})
	})
	return law.Data{Columns: names, Table: table}
}

// blend holds the profile of a group in standard units and the shape of every column.
type blend struct {
	names    []string
	median   []float64
	sd       []float64 // deviation within a group on the warped scale
	warp     []float64
	decimals []int
}

// cells writes the values that stand z deviations from the median.
func (b blend) cells(z []float64) []string {
	return rows(len(z), func(j int) string {
		return decimal(warped(z[j], b.median[j], b.sd[j], b.warp[j]), b.decimals[j])
	})
}

// jitter moves every entry of profiles by a normal error, so that no two draws of a
// law have the same centres.
func jitter(r *rand.Rand, profiles [][]float64, stretch, sd float64) [][]float64 {
	return rows(len(profiles), func(g int) []float64 {
		return rows(len(profiles[g]), func(j int) float64 { return stretch*profiles[g][j] + normal(r, 0, sd) })
	})
}

// around draws records about the profile of their group; each group has a correlation
// of its own about one that all share.
func around(r *rand.Rand, b blend, group []int, profile [][]float64, share float64) [][]string {
	m := len(b.names)
	common := correlation(r, m, 1, share)
	triangle := rows(len(profile), func(int) [][]float64 {
		own := correlation(r, m, 1, share)
		mixed := matrix(m, m)
		for i := range mixed {
			for j := range mixed {
				mixed[i][j] = 0.7*common[i][j] + 0.3*own[i][j]
			}
		}
		return cholesky(mixed)
	})
	return rows(len(group), func(i int) []string {
		z := mvn(r, triangle[group[i]])
		for j := range z {
			z[j] += profile[group[i]][j]
		}
		return b.cells(z)
	})
}

func diabetesFive(r *rand.Rand, n int) law.Data {
	b := blend{
		names:    []string{"age_at_onset", "bmi", "hba1c", "homa2_b", "homa2_ir", "gada", "c_peptide", "triglycerides", "hdl", "waist", "ketones", "alt"},
		median:   []float64{56, 30, 58, 80, 2.6, 5, 1.1, 1.7, 1.2, 102, 0.2, 29},
		sd:       []float64{0.13, 0.11, 0.16, 0.3, 0.3, 0.7, 0.28, 0.35, 0.18, 0.08, 0.5, 0.3},
		warp:     []float64{0, 0.5, 0.6, 1, 1, 1, 1, 1, 0.5, 0.2, 1, 1},
		decimals: []int{0, 1, 0, 1, 2, 1, 2, 2, 2, 0, 2, 0},
	}
	profile := jitter(r, [][]float64{
		{-2.2, -1.2, 2, -2.4, -1.2, 4.5, -2.5, -0.6, 0.6, -1.3, 2.5, -0.5}, // autoimmune
		{0.2, -0.8, 2.4, -2.2, 0.3, 0, -1.8, 0.2, 0, -0.6, 1.8, 0},         // insulin-deficient
		{0.8, 1, -0.6, 2.6, 2.8, 0, 2.5, 1.4, -1.2, 1.2, -0.4, 1},          // insulin-resistant
		{-1.2, 3, -0.8, 0.4, 0.6, 0, 0.8, 0.3, -0.4, 2.8, -0.3, 0.6},       // obesity-related
		{1.8, -0.4, -1, 0, -0.2, 0, 0, -0.5, 0.5, -0.4, -0.5, -0.6},        // age-related
	}, 1, 0.25)
	group := members(r, n, []float64{0.08, 0.18, 0.15, 0.21, 0.38})
	return law.Data{Columns: b.names, Table: around(r, b, group, profile, 0.25), Group: group}
}

func asthmaFour(r *rand.Rand, n int) law.Data {
	b := blend{
		names:    []string{"sputum_eos_pct", "sputum_neu_pct", "blood_eos", "feno", "ige", "fev1_pct", "reversibility", "pc20", "acq6", "crp", "periostin", "age_onset"},
		median:   []float64{3, 35, 0.22, 28, 110, 82, 9, 3, 1.6, 2, 52, 24},
		sd:       []float64{0.7, 0.25, 0.45, 0.45, 0.9, 0.15, 0.5, 0.8, 0.35, 0.7, 0.25, 0.35},
		warp:     []float64{1, 0.4, 1, 1, 1, 0, 1, 1, 0.6, 1, 1, 0.7},
		decimals: []int{1, 1, 2, 0, 0, 0, 1, 2, 1, 1, 1, 0},
	}
	profile := jitter(r, [][]float64{
		{2, -0.8, 1.8, 1.8, 1.2, -0.5, 1.2, -0.9, 0.5, 0, 1.6, 0},        // eosinophilic
		{-1.2, 2, -0.7, -0.9, -0.5, -1, -0.4, 0, 0.8, 1.4, -0.7, 1},      // neutrophilic
		{1.8, 1.8, 1.2, 0.9, 0.4, -2, 0.6, -1.4, 1.8, 1.2, 0.9, 0.4},     // mixed
		{-1.3, -0.8, -0.8, -0.9, -0.4, 0.8, -0.5, 0.9, -1, -0.6, -1, -1}, // scanty
	}, 1.1, 0.2)
	group := members(r, n, []float64{0.35, 0.2, 0.12, 0.33})
	return law.Data{Columns: b.names, Table: around(r, b, group, profile, 0.2), Group: group}
}

func newbornScreening(r *rand.Rand, n int) law.Data {
	b := blend{
		names:    []string{"phe", "tyr", "leu", "met", "cit", "arg", "c0", "c2", "c3", "c5", "c8", "c10", "c14_1", "c16"},
		median:   []float64{52, 80, 130, 20, 12, 9, 24, 18, 1.6, 0.12, 0.08, 0.1, 0.1, 3},
		sd:       []float64{0.22, 0.3, 0.22, 0.25, 0.28, 0.35, 0.3, 0.28, 0.35, 0.35, 0.35, 0.35, 0.35, 0.25},
		warp:     []float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
		decimals: []int{1, 1, 1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3, 2},
	}
	profile := [][]float64{make([]float64, 14), make([]float64, 14), make([]float64, 14)}
	for g, columns := range [][]int{1: {6, 7, 10, 11, 12}, 2: {0, 2, 3, 8, 9}} {
		for _, j := range columns {
			profile[g][j] = uniform(r, 2, 4)
		}
	}
	profile[1][13], profile[2][1], profile[2][6] = -1.2, -1.5, -1
	group := members(r, n, []float64{0.9, 0.08, 0.02})
	return law.Data{Columns: b.names, Table: around(r, b, group, profile, 0.3), Group: group}
}

func flowCytometry(r *rand.Rand, n int) law.Data {
	names := []string{"FSC_A", "SSC_A", "CD3", "CD4", "CD8", "CD19", "CD14", "CD16", "CD56", "HLA_DR"}
	centre := [][]float64{ // T helper, T cytotoxic, B, monocyte, natural killer, granulocyte
		{1.5, 0.6, 4, 4, 0.5, 0.3, 0.4, 0.3, 0.4, 0.6},
		{1.5, 0.6, 4, 0.5, 4, 0.3, 0.4, 0.5, 0.6, 0.6},
		{1.5, 0.7, 0.3, 0.4, 0.3, 4, 0.4, 0.3, 0.3, 3.6},
		{2.6, 1.6, 0.4, 1.8, 0.4, 0.4, 4, 1.2, 0.6, 3.4},
		{1.6, 0.8, 0.5, 0.4, 1.6, 0.3, 0.4, 3.2, 3.4, 0.5},
		{2.6, 3.6, 0.3, 0.4, 0.3, 0.3, 1.2, 3.6, 0.4, 0.5},
	}
	centre = jitter(r, centre, 1, 0.15)
	m := len(names)
	slant := rows(len(centre), func(int) []float64 { return fill(m, func() float64 { return uniform(r, -3, 3) }) })
	width := rows(len(centre), func(int) []float64 { return fill(m, func() float64 { return uniform(r, 0.25, 0.6) }) })
	spill := rows(m, func(int) float64 { return uniform(r, 0, 0.12) })
	shares := []float64{0.36, 0.22, 0.12, 0.08, 0.07, 0.15}
	group := members(r, n, shares)
	table := rows(n, func(i int) []string {
		g := group[i]
		x := rows(m, func(j int) float64 { return centre[g][j] + width[g][j]*skewNormal(r, slant[g][j]) })
		return rows(m, func(j int) string { return decimal(x[j]+spill[j]*x[(j+1)%m], 3) })
	})
	return law.Data{Columns: names, Table: table, Group: group}
}

func speciesMorphometry(r *rand.Rand, n int) law.Data {
	names := []string{"wing", "tarsus", "tail", "bill_length", "bill_depth", "bill_width", "head", "mass"}
	median := []float64{72, 21, 55, 12, 8, 6.5, 30, 19}
	m := len(names)
	growth := fill(m, func() float64 { return uniform(r, 0.7, 1.3) })
	growth[7] = 2.6
	own := fill(m, func() float64 { return uniform(r, 0.02, 0.04) })
	shape := rows(3, func(g int) []float64 {
		return fill(m, func() float64 { return normal(r, 0.06*float64(g-1), 0.085) })
	})
	size := uniform(r, 0.02, 0.05)
	group := members(r, n, uneven(r, 3, 0.2))
	table := rows(n, func(i int) []string {
		body := normal(r, 0, size)
		return rows(m, func(j int) string {
			return decimal(median[j]*math.Exp(shape[group[i]][j]+growth[j]*body+normal(r, 0, own[j])), 1)
		})
	})
	return law.Data{Columns: names, Table: table, Group: group}
}

func sepsisPhenotypes(r *rand.Rand, n int) law.Data {
	b := blend{
		names:    []string{"age", "temp", "heart_rate", "resp_rate", "sbp", "lactate", "creatinine", "bun", "bilirubin", "platelets", "wbc", "crp", "albumin", "inr", "glucose", "sodium"},
		median:   []float64{64, 37.2, 98, 21, 112, 1.9, 1.2, 24, 0.8, 200, 11, 90, 3, 1.3, 138, 138},
		sd:       []float64{0.2, 0.018, 0.17, 0.22, 0.17, 0.5, 0.5, 0.5, 0.6, 0.4, 0.45, 0.8, 0.2, 0.25, 0.35, 0.03},
		warp:     []float64{0, 0, 0.3, 0.7, 0.2, 1, 1, 1, 1, 0.5, 0.8, 1, 0, 1, 1, 0},
		decimals: []int{0, 1, 0, 0, 0, 1, 2, 0, 1, 0, 1, 0, 1, 1, 0, 0},
	}
	profile := jitter(r, [][]float64{
		{-0.3, 0.2, -0.5, -0.5, 0.7, -0.6, -0.6, -0.7, -0.2, 0.3, -0.2, -0.4, 0.6, -0.4, -0.2, 0.1},
		{0.9, -0.4, -0.5, -0.1, 0.2, -0.3, 1.2, 1.3, -0.3, 0.1, -0.1, -0.3, 0, 0, 0.3, 0},
		{-0.1, 0.9, 0.8, 0.8, -0.2, 0, -0.2, 0, -0.2, 0.4, 0.8, 1, -1.1, 0.2, 0, -0.4},
		{0, -0.6, 0.9, 0.5, -1.3, 1.8, 0.7, 0.6, 1.3, -1, 0.2, 0.2, -0.6, 1.4, 0.3, 0.2},
	}, 0.85, 0.15)
	group := members(r, n, []float64{0.33, 0.27, 0.26, 0.14})
	table := around(r, b, group, profile, 0.2)
	punch(r, table, 0.06)
	return law.Data{Columns: b.names, Table: table, Group: group}
}

func unsexedBirds(r *rand.Rand, n int) law.Data {
	names := []string{"wing_chord", "tarsus", "tail", "bill_length", "bill_depth", "head_bill", "mass"}
	median := []float64{268, 52, 112, 41, 13, 92, 410}
	m := len(names)
	power := fill(m, func() float64 { return uniform(r, 0.7, 1.2) })
	power[6] = 2.4
	own := fill(m, func() float64 { return uniform(r, 0.018, 0.035) })
	own[6] = 0.06
	male := fill(m, func() float64 { return uniform(r, 0.015, 0.06) })
	male[6] *= 2
	group := members(r, n, []float64{0.52, 0.48})
	table := rows(n, func(i int) []string {
		body := normal(r, 0, 0.02)
		return rows(m, func(j int) string {
			x := power[j]*body + male[j]*(float64(group[i])-0.5) + normal(r, 0, own[j])
			return decimal(median[j]*math.Exp(x), 1)
		})
	})
	return law.Data{Columns: names, Table: table, Group: group}
}
