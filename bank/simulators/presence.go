package simulators

import (
	"math"
	"math/rand/v2"

	"github.com/moiety-go/moiety/bank/law"
)

// presenceLaws are right/wrong answers of tests, results of diagnostic tests, codes
// of patients and species of sites.
func presenceLaws() []law.Law {
	return []law.Law{
		{
			Name: "rasch test", Kind: law.Presences, Groups: 1,
			About: "Rasch model of one ability (Rasch 1960).",
			Draw: func(r *rand.Rand, n int) law.Data {
				return drawTest(r, n, 1, 1, 0)
			},
		},
		{
			Name: "three parameter test", Kind: law.Presences, Groups: 1,
			About: "Items that differ in slope and can be guessed (Birnbaum 1968, 2PL and 3PL).",
			Draw: func(r *rand.Rand, n int) law.Data {
				return drawTest(r, n, 0.6, 2.4, choiceOf(r, 0, 0.25))
			},
		},
		{
			Name: "binary testlets", Kind: law.Presences, Groups: 1,
			About: "Right/wrong items in reading passages that share a person's effect (Bradlow, Wainer and Wang 1999).",
			Draw:  drawBinaryTestlets,
		},
		{
			Name: "symptom network", Kind: law.Presences, Groups: 1,
			About: "Ising model of a sparse network of symptoms, below the point where it splits in two (van Borkulo et al. 2014, IsingFit).",
			Draw:  drawIsing,
		},
		{
			Name: "species along gradients", Kind: law.Presences, Groups: 1,
			About: "Coenocline: species with bell-shaped responses to two environmental gradients (Minchin 1987, COMPAS; Gauch and Whittaker 1972).",
			Draw:  drawCoenocline,
		},
		{
			Name: "frailty and codes", Kind: law.Presences, Groups: 1,
			About: "Diagnoses whose chances rise with a continuous frailty (Rockwood and Mitnitski 2007), as a two parameter model over codes.",
			Draw:  drawFrailty,
		},
		{
			Name: "cognitive diagnosis", Kind: law.Presences, Groups: 4,
			About: "DINA model with three attributes in a linear hierarchy, so four attribute patterns (Junker and Sijtsma 2001; Leighton, Gierl and Hunka 2004).",
			Draw:  drawDINA,
		},
		{
			Name: "mixed rasch", Kind: law.Presences, Groups: 2,
			About: "Mixed Rasch model: two strategies with different orders of difficulty, ability continuous within (Rost 1990).",
			Draw:  drawMixedRasch,
		},
		{
			Name: "diagnostic tests without gold standard", Kind: law.Presences, Groups: 2,
			About: "Diseased and healthy seen by imperfect tests that share a continuous random effect within each class (Qu, Tan and Kutner 1996).",
			Draw:  drawDiagnosticTests,
		},
		{
			Name: "multimorbidity patterns", Kind: law.Presences, Groups: 4,
			About: "Bernoulli mixture of patients' codes, each class with its own cluster of diseases (Juan and Vidal 2002; Prados-Torres et al. 2014).",
			Draw:  func(r *rand.Rand, n int) law.Data { return drawMorbidity(r, n, uneven(r, 4)) },
		},
		{
			Name: "rare multimorbidity patterns", Kind: law.Presences, Groups: 3,
			About: "Bernoulli mixture of patients' codes with classes of 90, 8 and 2 percent (Juan and Vidal 2002; Larsen et al. 2017).",
			Draw:  func(r *rand.Rand, n int) law.Data { return drawMorbidity(r, n, steep()) },
		},
	}
}

// bits writes a table of 0 and 1.
func bits(names []string, codes [][]int, group []int) law.Data {
	return wholeTable(names, codes, 0, group)
}

func drawTest(r *rand.Rand, n int, slopeLo, slopeHi, guessHi float64) law.Data {
	p := between(r, 12, 30)
	slope, hard := uniforms(r, p, slopeLo, slopeHi), make([]float64, p)
	guess := uniforms(r, p, 0, guessHi)
	for j := range hard {
		hard[j] = normal(r, 0, 1)
	}
	sd := uniform(r, 0.8, 1.5)
	codes := answersOf(n, p, func(_ int, row []int) {
		t := normal(r, 0, sd)
		for j := range row {
			if bernoulli(r, guess[j]+(1-guess[j])*logistic(slope[j]*(t-hard[j]))) {
				row[j] = 1
			}
		}
	})
	return bits(itemNames(r, p), codes, nil)
}

func drawBinaryTestlets(r *rand.Rand, n int) law.Data {
	sets, each := between(r, 3, 5), between(r, 4, 6)
	p := sets * each
	slope, hard := uniforms(r, p, 0.8, 2), uniforms(r, p, -1.5, 1.5)
	effect := uniforms(r, sets, 0.5, 1.2)
	codes := answersOf(n, p, func(_ int, row []int) {
		t, own := r.NormFloat64(), normals(r, sets)
		for j := range row {
			if bernoulli(r, logistic(slope[j]*(t+effect[j/each]*own[j/each]-hard[j]))) {
				row[j] = 1
			}
		}
	})
	return bits(itemNames(r, p), codes, nil)
}

// drawIsing samples each record by Gibbs sweeps over a ring of nodes with a few
// chords. Thresholds balance the couplings, which stay weak enough for one mode.
func drawIsing(r *rand.Rand, n int) law.Data {
	p := between(r, 10, 16)
	weight := zeros(p, p)
	couple := func(i, j int) {
		w := uniform(r, 0.5, 1.1)
		weight[i][j], weight[j][i] = w, w
	}
	for j := range p {
		couple(j, (j+1)%p)
	}
	for j := 0; j+p/2 < p; j += 3 {
		couple(j, j+p/2)
	}
	threshold := make([]float64, p)
	for j := range threshold {
		for i := range p {
			threshold[j] -= weight[i][j] / 2
		}
		threshold[j] += uniform(r, -0.8, 0.3)
	}
	names := []string{
		"sad", "sleep", "appetite", "tired", "guilt", "concentration", "agitation", "suicide", "anhedonia",
		"worry", "irritable", "tense", "panic", "restless", "headache", "nausea",
	}[:p]
	codes := answersOf(n, p, func(_ int, row []int) {
		for j := range row {
			row[j] = r.IntN(2)
		}
		for range 25 {
			for j := range row {
				x := threshold[j]
				for i, v := range row {
					if v == 1 {
						x += weight[i][j]
					}
				}
				row[j] = 0
				if bernoulli(r, logistic(x)) {
					row[j] = 1
				}
			}
		}
	})
	return bits(names, codes, nil)
}

// latinNames makes v names of species.
func latinNames(r *rand.Rand, v int) []string {
	names := words(r, v)
	ends := []string{"us", "a", "um", "is", "ensis"}
	for i := range names {
		names[i] += choose(r, ends...)
		names[i] = string(names[i][0]-'a'+'A') + names[i][1:]
	}
	return names
}

func drawCoenocline(r *rand.Rand, n int) law.Data {
	v := between(r, 40, 70)
	names := latinNames(r, v)
	at, wide := zeros(v, 2), zeros(v, 2)
	top := uniforms(r, v, 0.3, 0.95)
	length := uniform(r, 2, 5)
	for j := range v {
		at[j] = []float64{uniform(r, -0.5, length+0.5), uniform(r, -1, 2)}
		wide[j] = []float64{uniform(r, 0.5, 1.1), uniform(r, 0.7, 1.6)}
	}
	data := law.Data{Lists: make([][]string, n)}
	for i := range data.Lists {
		x := []float64{uniform(r, 0, length), uniform(r, 0, 1)}
		data.Lists[i] = []string{}
		for j := range v {
			a, b := (x[0]-at[j][0])/wide[j][0], (x[1]-at[j][1])/wide[j][1]
			if bernoulli(r, top[j]*math.Exp(-(a*a+b*b)/2)) {
				data.Lists[i] = append(data.Lists[i], names[j])
			}
		}
	}
	return data
}

var diagnoses = []string{
	"E11.9", "I10", "E78.5", "J45.9", "M54.5", "F32.9", "F41.1", "K21.9", "N18.3", "I25.1", "I48.9", "I50.9",
	"J44.9", "M17.1", "M81.0", "E03.9", "E66.9", "G47.3", "H40.1", "H25.9", "K57.3", "K58.9", "L40.0", "N40.0",
	"G43.9", "G40.9", "G20", "F03.9", "I63.9", "I73.9", "D50.9", "D64.9", "C50.9", "C61", "B18.2", "F10.2",
	"F17.2", "R51", "R07.4", "Z95.1", "M06.9", "M10.9", "K70.3", "K76.0", "J30.1", "L20.9", "E55.9", "H90.3",
}

// codeLists draws the codes of n patients from each one's chances.
func codeLists(r *rand.Rand, n int, codes []string, chance func(i, j int) float64) [][]string {
	lists := make([][]string, n)
	for i := range lists {
		lists[i] = []string{}
		for j, c := range codes {
			if bernoulli(r, chance(i, j)) {
				lists[i] = append(lists[i], c)
			}
		}
		r.Shuffle(len(lists[i]), func(a, b int) { lists[i][a], lists[i][b] = lists[i][b], lists[i][a] })
	}
	return lists
}

func drawFrailty(r *rand.Rand, n int) law.Data {
	v := between(r, 30, len(diagnoses))
	base, slope := uniforms(r, v, -4, -1), uniforms(r, v, 0.3, 1.6)
	frailty := make([]float64, n)
	skewness := uniform(r, 0.4, 1.6)
	for i := range frailty {
		frailty[i] = skewed(r, skewness)
	}
	codes := namesIn(r, diagnoses, v)
	return law.Data{Lists: codeLists(r, n, codes, func(i, j int) float64 {
		return logistic(base[j] + slope[j]*frailty[i])
	})}
}

// namesIn takes v of the names in random order.
func namesIn(r *rand.Rand, names []string, v int) []string {
	out := make([]string, 0, v)
	for _, j := range subset(r, len(names), v) {
		out = append(out, names[j])
	}
	return out
}

// drawDINA lets an item be solved by those with all the attributes it needs, but for
// slips and guesses.
func drawDINA(r *rand.Rand, n int) law.Data {
	p := between(r, 21, 30)
	needs := make([]int, p)
	for j := range needs {
		needs[j] = j%3 + 1 // of a linear hierarchy, the highest attribute says all
	}
	slip, guess := uniforms(r, p, 0.05, 0.2), uniforms(r, p, 0.05, 0.25)
	group := assign(r, n, uneven(r, 4))
	codes := answersOf(n, p, func(i int, row []int) {
		for j := range row {
			chance := guess[j]
			if group[i] >= needs[j] {
				chance = 1 - slip[j]
			}
			if bernoulli(r, chance) {
				row[j] = 1
			}
		}
	})
	return bits(itemNames(r, p), codes, group)
}

func drawMixedRasch(r *rand.Rand, n int) law.Data {
	p := between(r, 20, 30)
	hard := zeros(2, p)
	order := r.Perm(p)
	for j := range p {
		d := 2 - 4*float64(j)/float64(p-1)
		hard[0][order[j]], hard[1][order[j]] = d, -d
	}
	sd := uniform(r, 0.7, 1.1)
	group := assign(r, n, uneven(r, 2))
	codes := answersOf(n, p, func(i int, row []int) {
		t := normal(r, 0, sd)
		for j := range row {
			if bernoulli(r, logistic(t-hard[group[i]][j])) {
				row[j] = 1
			}
		}
	})
	return bits(itemNames(r, p), codes, group)
}

func drawDiagnosticTests(r *rand.Rand, n int) law.Data {
	p := between(r, 6, 9)
	sick, well := uniforms(r, p, 0.6, 1.8), uniforms(r, p, -2.1, -1)
	share := uniforms(r, 2, 0.4, 0.9)
	prevalence := uniform(r, 0.15, 0.45)
	group := assign(r, n, []float64{1 - prevalence, prevalence})
	codes := answersOf(n, p, func(i int, row []int) {
		b := r.NormFloat64()
		for j := range row {
			level := well[j]
			if group[i] == 1 {
				level = sick[j]
			}
			if normal(r, level+share[group[i]]*b, 1) > 0 {
				row[j] = 1
			}
		}
	})
	return bits(numbered(choose(r, "test_", "T", "assay"), p), codes, group)
}

func drawMorbidity(r *rand.Rand, n int, shares []float64) law.Data {
	v := between(r, 40, len(diagnoses))
	codes := namesIn(r, diagnoses, v)
	chance := zeros(len(shares), v)
	for j := range v {
		base := beta(r, 1, 14)
		for g := range shares {
			chance[g][j] = base
		}
	}
	own := r.Perm(v)
	each := min(v/len(shares), between(r, 9, 11))
	for g := range shares {
		for _, j := range own[g*each : (g+1)*each] {
			chance[g][j] = uniform(r, 0.4, 0.85)
		}
	}
	group := assign(r, n, shares)
	lists := codeLists(r, n, codes, func(i, j int) float64 { return chance[group[i]][j] })
	return law.Data{Lists: lists, Group: group}
}
