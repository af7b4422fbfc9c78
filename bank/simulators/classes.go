package simulators

import (
	"math"
	"math/rand/v2"

	"github.com/moiety-go/moiety/bank/law"
)

// classLaws are the designs of latent class analysis with unordered answers, and
// single populations with such answers.
func classLaws() []law.Law {
	return []law.Law{
		{
			Name: "nylund simple structure", Kind: law.Answers, Groups: 3,
			About: "Fifteen yes/no items, each class with high answers on its own items (Nylund, Asparouhov and Muthén 2007, simple structure).",
			Draw:  drawNylundSimple,
		},
		{
			Name: "nylund complex structure", Kind: law.Answers, Groups: 4,
			About: "Ten yes/no items and classes of 5, 10, 15 and 70 percent whose profiles share items (Nylund, Asparouhov and Muthén 2007, complex structure).",
			Draw:  drawNylundComplex,
		},
		{
			Name: "stage sequence", Kind: law.Answers, Groups: 4,
			About: "Stages of a cumulative development, each with several indicators (Collins and Wugalter 1992).",
			Draw:  drawStages,
		},
		{
			Name: "nominal classes", Kind: law.Answers, Groups: 3,
			About: "Latent classes with polytomous answers (Linzer and Lewis 2011, poLCA).",
			Draw: func(r *rand.Rand, n int) law.Data {
				return drawNominalClasses(r, n, uneven(r, 3), between(r, 10, 16), 0.4)
			},
		},
		{
			Name: "small classes", Kind: law.Answers, Groups: 3,
			About: "Polytomous latent classes of 90, 8 and 2 percent (Morgan 2015).",
			Draw: func(r *rand.Rand, n int) law.Data {
				return drawNominalClasses(r, n, steep(), between(r, 14, 20), 0.35)
			},
		},
		{
			Name: "two classes with direct effects", Kind: law.Answers, Groups: 2,
			About: "Two latent classes and local dependence between pairs of items within them (Hagenaars 1988; Oberski, van Kollenburg and Vermunt 2013).",
			Draw:  drawDirectEffects,
		},
		{
			Name: "one class with direct effects", Kind: law.Answers, Groups: 1,
			About: "Log-linear associations along a chain of items and no latent variable (Hagenaars 1988; Goodman 1971).",
			Draw:  drawAssociationChain,
		},
		{
			Name: "nominal response", Kind: law.Answers, Groups: 1,
			About: "Nominal response model of one continuous trait (Bock 1972).",
			Draw:  drawNominalResponse,
		},
		{
			Name: "multiple choice test", Kind: law.Answers, Groups: 1,
			About: "Multiple choice answers with attractive distractors and guessing that depend on one ability (Thissen and Steinberg 1984).",
			Draw:  drawMultipleChoice,
		},
		{
			Name: "ideal points", Kind: law.Answers, Groups: 1,
			About: "Choices of brands nearest to a person's ideal point in two dimensions (Coombs 1964; Ho, Chung and Lau 2010).",
			Draw:  drawIdealPoints,
		},
		{
			Name: "multinomial probit survey", Kind: law.Answers, Groups: 1,
			About: "Multinomial probit answers with correlated utilities through two continuous factors (Albert and Chib 1993; Train 2009).",
			Draw:  drawProbit,
		},
	}
}

// yesNo draws a pair of labels for no and yes, for all items.
func yesNo(r *rand.Rand, p int) [][]string {
	pairs := [][]string{{"no", "yes"}, {"No", "Yes"}, {"disagree", "agree"}, {"n", "y"}, {"absent", "present"}}
	pair := pairs[r.IntN(len(pairs))]
	labels := make([][]string, p)
	for j := range labels {
		labels[j] = pair
	}
	return labels
}

var nominalLabels = [][]string{
	{"car", "bus", "train", "bicycle", "walk"},
	{"north", "south", "east", "west", "centre"},
	{"red", "blue", "green", "white", "black"},
	{"radio", "tv", "print", "online", "friends"},
	{"rent", "own", "family", "social", "other"},
	{"employed", "student", "retired", "homemaker", "unemployed"},
	{"cash", "card", "transfer", "cheque", "mobile"},
	{"A", "B", "C", "D", "E"},
	{"daily", "weekly", "never", "holidays", "other"},
	{"left", "right", "green", "liberal", "none"},
}

// nominal draws labels for p items of m categories.
func nominal(r *rand.Rand, p, m int) [][]string {
	labels := make([][]string, p)
	for j := range labels {
		labels[j] = nominalLabels[r.IntN(len(nominalLabels))][:m]
	}
	return labels
}

// binaryClasses draws yes/no answers from each class's probabilities.
func binaryClasses(r *rand.Rand, n int, shares []float64, yes matrix) law.Data {
	group := assign(r, n, shares)
	p := len(yes[0])
	codes := answersOf(n, p, func(i int, row []int) {
		for j := range row {
			if bernoulli(r, yes[group[i]][j]) {
				row[j] = 1
			}
		}
	})
	return labelled(itemNames(r, p), codes, yesNo(r, p), group)
}

func drawNylundSimple(r *rand.Rand, n int) law.Data {
	yes := zeros(3, 15)
	high, low := uniform(r, 0.82, 0.92), uniform(r, 0.08, 0.18)
	for g := range yes {
		for j := range yes[g] {
			yes[g][j] = low
			if j/5 == g {
				yes[g][j] = high
			}
		}
	}
	return binaryClasses(r, n, even(3), yes)
}

func drawNylundComplex(r *rand.Rand, n int) law.Data {
	pattern := []string{"1111111111", "1111100000", "0000011111", "0000000000"}
	yes := zeros(4, 10)
	for g := range yes {
		for j := range yes[g] {
			yes[g][j] = uniform(r, 0.08, 0.22)
			if pattern[g][j] == '1' {
				yes[g][j] = uniform(r, 0.75, 0.92)
			}
		}
	}
	return binaryClasses(r, n, []float64{0.05, 0.10, 0.15, 0.70}, yes)
}

// drawStages has each stage pass all the tasks of the stages before it.
func drawStages(r *rand.Rand, n int) law.Data {
	each := between(r, 4, 6)
	yes := zeros(4, 3*each)
	strong := uniform(r, 0.86, 0.94)
	for g := range yes {
		for j := range yes[g] {
			yes[g][j] = 1 - strong
			if j/each < g {
				yes[g][j] = strong
			}
		}
	}
	return binaryClasses(r, n, uneven(r, 4), yes)
}

// drawNominalClasses draws each class's answers from Dirichlet probabilities; a
// small concentration sets the classes far apart.
func drawNominalClasses(r *rand.Rand, n int, shares []float64, p int, concentration float64) law.Data {
	m := between(r, 3, 5)
	answer := make([][][]float64, len(shares))
	for g := range answer {
		answer[g] = make([][]float64, p)
		for j := range p {
			answer[g][j] = dirichlet(r, symmetric(m, concentration))
			for c := range m {
				answer[g][j][c] = 0.9*answer[g][j][c] + 0.1/float64(m)
			}
		}
	}
	group := assign(r, n, shares)
	codes := answersOf(n, p, func(i int, row []int) {
		for j := range row {
			row[j] = categorical(r, answer[group[i]][j])
		}
	})
	data := labelled(itemNames(r, p), codes, nominal(r, p, m), group)
	return blank(r, data, choiceOf(r, 0, 0, 0.02))
}

func drawDirectEffects(r *rand.Rand, n int) law.Data {
	p := between(r, 10, 14)
	level := zeros(2, p)
	for j := range p {
		side := sign(r)
		level[0][j], level[1][j] = side*uniform(r, 1.1, 2), -side*uniform(r, 1.1, 2)
	}
	effect := uniform(r, 1.5, 2.5)
	group := assign(r, n, uneven(r, 2))
	codes := answersOf(n, p, func(i int, row []int) {
		for j := range row {
			x := level[group[i]][j]
			if j == 1 || j == 3 { // items that follow the answer just before them
				x += effect * (float64(row[j-1]) - 0.5)
			}
			if bernoulli(r, logistic(x)) {
				row[j] = 1
			}
		}
	})
	return labelled(itemNames(r, p), codes, yesNo(r, p), group)
}

// drawAssociationChain draws each answer from the one before it, or from one of two
// items before where the chain forks.
func drawAssociationChain(r *rand.Rand, n int) law.Data {
	p, m := between(r, 8, 14), between(r, 3, 4)
	from := make([]int, p)
	table := make([][][]float64, p)
	for j := range p {
		from[j] = max(0, j-between(r, 1, 2))
		table[j] = make([][]float64, m)
		base := dirichlet(r, symmetric(m, 4))
		for c := range m {
			table[j][c] = make([]float64, m)
			for d := range m {
				table[j][c][d] = base[d] * math.Exp(normal(r, 0, 0.8))
			}
		}
	}
	start := dirichlet(r, symmetric(m, 4))
	codes := answersOf(n, p, func(_ int, row []int) {
		row[0] = categorical(r, start)
		for j := 1; j < p; j++ {
			row[j] = categorical(r, table[j][row[from[j]]])
		}
	})
	return labelled(itemNames(r, p), codes, nominal(r, p, m), nil)
}

// softmaxAnswers draws codes from utilities with logistic noise.
func softmaxAnswers(r *rand.Rand, n, p, m int, utilities func(person []float64, j, c int) float64, traits int) [][]int {
	w := make([]float64, m)
	return answersOf(n, p, func(_ int, row []int) {
		person := normals(r, traits)
		for j := range row {
			for c := range w {
				w[c] = math.Exp(utilities(person, j, c))
			}
			row[j] = categorical(r, w)
		}
	})
}

func drawNominalResponse(r *rand.Rand, n int) law.Data {
	p, m := between(r, 8, 16), between(r, 3, 5)
	slope, base := zeros(p, m), zeros(p, m)
	for j := range p {
		for c := range m {
			slope[j][c], base[j][c] = normal(r, 0, 1.1), normal(r, 0, 0.7)
		}
	}
	codes := softmaxAnswers(r, n, p, m, func(person []float64, j, c int) float64 {
		return base[j][c] + slope[j][c]*person[0]
	}, 1)
	return labelled(itemNames(r, p), codes, nominal(r, p, m), nil)
}

func drawMultipleChoice(r *rand.Rand, n int) law.Data {
	p := between(r, 15, 30)
	key := make([]int, p)
	slope, hard := uniforms(r, p, 0.8, 2), uniforms(r, p, -1.5, 1.5)
	lure, place := zeros(p, 4), zeros(p, 4)
	for j := range p {
		key[j] = r.IntN(4)
		for c := range 4 {
			lure[j][c], place[j][c] = normal(r, 0, 0.6), normal(r, -0.5, 0.7)
		}
	}
	codes := softmaxAnswers(r, n, p, 4, func(person []float64, j, c int) float64 {
		if c == key[j] {
			return slope[j] * (person[0] - hard[j])
		}
		return lure[j][c] + place[j][c]*0.6*person[0] - 0.5
	}, 1)
	labels := make([][]string, p)
	letters := []string{"A", "B", "C", "D"}
	if r.IntN(3) == 0 {
		letters = []string{"a", "b", "c", "d"}
	}
	for j := range labels {
		labels[j] = letters
	}
	return blank(r, labelled(itemNames(r, p), codes, labels, nil), choiceOf(r, 0, 0.02))
}

func drawIdealPoints(r *rand.Rand, n int) law.Data {
	p, m := between(r, 7, 12), between(r, 3, 5)
	x, y := zeros(p, m), zeros(p, m)
	for j := range p {
		for c := range m {
			x[j][c], y[j][c] = normal(r, 0, 1), normal(r, 0, 1)
		}
	}
	sharp := uniform(r, 0.6, 1.2)
	codes := softmaxAnswers(r, n, p, m, func(person []float64, j, c int) float64 {
		dx, dy := person[0]-x[j][c], person[1]-y[j][c]
		return -sharp * (dx*dx + dy*dy)
	}, 2)
	return labelled(itemNames(r, p), codes, nominal(r, p, m), nil)
}

func drawProbit(r *rand.Rand, n int) law.Data {
	p, m := between(r, 8, 14), between(r, 3, 5)
	load := make([]matrix, p)
	base := zeros(p, m)
	for j := range p {
		load[j] = make(matrix, m)
		for c := range m {
			load[j][c] = scaled(normals(r, 2), 0.8)
			base[j][c] = normal(r, 0, 0.5)
		}
	}
	codes := answersOf(n, p, func(_ int, row []int) {
		f := normals(r, 2)
		for j := range row {
			best := math.Inf(-1)
			for c := range m {
				if u := base[j][c] + dot(load[j][c], f) + r.NormFloat64(); u > best {
					best, row[j] = u, c
				}
			}
		}
	})
	return labelled(itemNames(r, p), codes, nominal(r, p, m), nil)
}
