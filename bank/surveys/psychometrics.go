package surveys

import (
	"math"
	"math/rand/v2"

	"github.com/moiety-go/moiety/bank/law"
)

// psychometricsLaws are laws of personality and symptom questionnaires.
func psychometricsLaws() []law.Law {
	return []law.Law{
		{
			Name: "graded response of one trait", Kind: law.Ordered, Groups: 1, Draw: gradedResponse,
			About: "One continuous trait behind Likert items with unequal discriminations and thresholds (Samejima 1969, graded response model).",
		},
		{
			Name: "symptom severity at the floor", Kind: law.Ordered, Groups: 1, Draw: symptomFloor,
			About: "A right-skewed continuous severity behind symptom items 0-3 most of which are 0 in a general population (PHQ-9; Lucke 2015 on unipolar traits).",
		},
		{
			Name: "acquiescence in balanced scales", Kind: law.Ordered, Groups: 1, Draw: acquiescence,
			About: "Balanced scales with reversed items and a continuous tendency to agree with anything (Billiet and McClendon 2000, random intercept item factor).",
		},
		{
			Name: "continuous extreme response style", Kind: law.Ordered, Groups: 1, Draw: extremeStyle,
			About: "Response tree of midpoint, direction and extremity, where the taste for extreme answers is a continuous trait (Böckenholt 2012, IRTree).",
		},
		{
			Name: "five-factor inventory", Kind: law.Ordered, Groups: 1, Draw: fiveFactors,
			About: "Five correlated continuous personality factors with some reversed items (Costa and McCrae 1992; multidimensional graded response).",
		},
		{
			Name: "attentive and careless respondents", Kind: law.Ordered, Groups: 2, Draw: careless,
			About: "Most answer by four traits on balanced scales; a small group answers without reading, each by a personal preference of categories (Meade and Craig 2012).",
		},
		{
			Name: "respondents that miss reversed wording", Kind: law.Ordered, Groups: 2, Draw: misreadReversed,
			About: "A minority overlooks the negation of reversed items of a one-trait scale (Schmitt and Stults 1985; Woods 2006).",
		},
		{
			Name: "classes of response style", Kind: law.Ordered, Groups: 3, Draw: styleClasses,
			About: "The same content traits everywhere, but three classes use the scale differently: extremes, middle, whole range (Moors 2003; Van Rosmalen et al. 2010).",
		},
		{
			Name: "trauma symptoms in 90, 8 and 2 percent", Kind: law.Ordered, Groups: 3, Draw: traumaClasses,
			About: "Resilient majority, a class with re-experiencing and arousal only, and a tiny class with all clusters, each with its own random severity (Galatzer-Levy and Bryant 2013).",
		},
		{
			Name: "classes that differ in the sign of correlations", Kind: law.Ordered, Groups: 2, Draw: signOfCorrelation,
			About: "Goals that compete for one class and go together for the other: the margins are equal and the correlation of several pairs of items changes sign (Molenaar 2004 on heterogeneity).",
		},
		{
			Name: "symptom network", Kind: law.Presences, Groups: 1, Draw: symptomNetwork,
			About: "Symptoms that trigger their neighbours in a sparse Ising network below its critical coupling (Cramer et al. 2016; Van Borkulo et al. 2014), drawn by Gibbs sampling.",
		},
		{
			Name: "careless respondents with paradata", Kind: law.Mixed, Groups: 2, Draw: carelessParadata,
			About: "Online panel with indices of data quality beside the answers: speeders are quick, give long strings and fail the attention check (Leiner 2019; Curran 2016).",
		},
	}
}

func gradedResponse(r *rand.Rand, n int) law.Data {
	items, categories := between(r, 10, 20), between(r, 4, 7)
	slope := make([]float64, items)
	threshold := make([][]float64, items)
	for j := range slope {
		slope[j] = logNormal(r, 1.7, 0.25)
		threshold[j] = steps(r, categories, normal(r, 0.2, 1), 0.7, 1.6)
	}
	shape := uniform(r, 4, 40) // of the trait: from skewed to almost normal
	return questionnaire(r, "", r.IntN(2), n, items, func(int) []int {
		trait := skewed(r, shape)
		row := make([]int, items)
		for j := range row {
			row[j] = graded(r, slope[j]*trait, threshold[j])
		}
		return row
	})
}

func symptomFloor(r *rand.Rand, n int) law.Data {
	items := between(r, 9, 16)
	slope := uniforms(r, items, 1.6, 3)
	threshold := make([][]float64, items)
	for j := range threshold {
		threshold[j] = steps(r, 4, slope[j]*uniform(r, 1.6, 3.2), slope[j]*0.5, slope[j]*0.9)
	}
	shape := uniform(r, 0.9, 2)
	stem := []string{"phq", "gad", "bsi", "sx"}[r.IntN(4)]
	return questionnaire(r, stem, 0, n, items, func(int) []int {
		severity := gamma(r, shape, 1)
		row := make([]int, items)
		for j := range row {
			row[j] = graded(r, slope[j]*severity, threshold[j])
		}
		return row
	})
}

func acquiescence(r *rand.Rand, n int) law.Data {
	scales, each := 4, between(r, 4, 6)
	items := scales * each
	corr := traits(r, scales, 0.05, 0.3)
	slope := uniforms(r, items, 1.2, 2.2)
	threshold := make([][]float64, items)
	for j := range threshold {
		threshold[j] = steps(r, 5, normal(r, 0, 0.6), 0.9, 1.7)
	}
	agree := uniform(r, 0.9, 1.6) // standard deviation of the tendency to agree
	return questionnaire(r, "", 1, n, items, func(int) []int {
		trait, style := multivariateNormal(r, corr), normal(r, 0.2, agree)
		row := make([]int, items)
		for j := range row {
			key := float64(1 - 2*(j%2))
			row[j] = graded(r, key*slope[j]*trait[j/each]+style, threshold[j])
		}
		return row
	})
}

func extremeStyle(r *rand.Rand, n int) law.Data {
	items, scales := between(r, 12, 24), between(r, 1, 3)
	corr := traits(r, scales, 0.1, 0.5)
	direction := uniforms(r, items, -1, 1)
	slope := uniforms(r, items, 1, 2)
	midpoint := uniforms(r, items, -2.2, -1)
	extreme := uniforms(r, items, -1, 0.6)
	sdMiddle, sdExtreme := uniform(r, 0.5, 1), uniform(r, 1.3, 2.1)
	return questionnaire(r, "", 1, n, items, func(int) []int {
		trait := multivariateNormal(r, corr)
		middle, edge := normal(r, 0, sdMiddle), normal(r, 0, sdExtreme)
		row := make([]int, items)
		for j := range row {
			t := slope[j] * trait[j%scales]
			switch {
			case bernoulli(r, midpoint[j]+middle-0.3*t*t) == 1:
				row[j] = 2
			default:
				up := bernoulli(r, t+direction[j])
				far := bernoulli(r, extreme[j]+edge+0.3*math.Abs(t))
				row[j] = []int{1 - far, 3 + far}[up]
			}
		}
		return row
	})
}

func fiveFactors(r *rand.Rand, n int) law.Data {
	each := between(r, 4, 8)
	corr := traits(r, 5, 0.05, 0.35)
	items := 5 * each
	slope := uniforms(r, items, 0.9, 2.2)
	threshold := make([][]float64, items)
	for j := range slope {
		threshold[j] = steps(r, 5, normal(r, -0.4, 0.8), 0.8, 1.6)
		if chance(r, 0.35) {
			slope[j] = -slope[j]
		}
	}
	return questionnaire(r, []string{"bfi", "neo", "P", "ipip"}[r.IntN(4)], 1, n, items, func(int) []int {
		trait := multivariateNormal(r, corr)
		row := make([]int, items)
		for j := range row {
			row[j] = graded(r, slope[j]*trait[j%5], threshold[j])
		}
		return row
	})
}

func careless(r *rand.Rand, n int) law.Data {
	scales, each := 4, between(r, 7, 10)
	items := scales * each
	corr := traits(r, scales, 0.1, 0.4)
	slope := uniforms(r, items, 2, 3.2)
	threshold := make([][]float64, items)
	for j := range threshold {
		threshold[j] = steps(r, 5, normal(r, 0, 0.5), 1, 1.8)
	}
	shares := []float64{0, uniform(r, 0.1, 0.25)}
	shares[0] = 1 - shares[1]
	concentration := uniform(r, 1, 3)
	group := members(r, n, shares)
	data := questionnaire(r, "", 1, n, items, func(i int) []int {
		row := make([]int, items)
		if group[i] == 1 {
			preference := dirichlet(r, 5, concentration)
			for j := range row {
				row[j] = categorical(r, preference)
			}
			return row
		}
		trait := multivariateNormal(r, corr)
		for j := range row {
			key := float64(1 - 2*(j%2))
			row[j] = graded(r, key*(slope[j]*trait[j/each]+1), threshold[j])
		}
		return row
	})
	data.Group = group
	return data
}

func misreadReversed(r *rand.Rand, n int) law.Data {
	items := between(r, 14, 22)
	slope := uniforms(r, items, 1.5, 2.5)
	threshold := make([][]float64, items)
	for j := range threshold {
		threshold[j] = steps(r, 5, normal(r, 0, 0.4), 0.9, 1.5)
	}
	mean := uniform(r, 0.8, 1.3) // most people think well of themselves
	share := uniform(r, 0.12, 0.3)
	group := members(r, n, []float64{1 - share, share})
	data := questionnaire(r, []string{"se", "rses", "item"}[r.IntN(3)], 1, n, items, func(i int) []int {
		trait := normal(r, mean, 0.8)
		row := make([]int, items)
		for j := range row {
			key := 1.0
			if j%2 == 1 && group[i] == 0 {
				key = -1
			}
			row[j] = graded(r, key*slope[j]*trait, threshold[j])
		}
		return row
	})
	data.Group = group
	return data
}

func styleClasses(r *rand.Rand, n int) law.Data {
	scales, each := between(r, 2, 4), between(r, 6, 8)
	items := scales * each
	corr := traits(r, scales, 0.1, 0.4)
	slope := uniforms(r, items, 0.9, 1.6)
	place := uniforms(r, items, -0.7, 0.7)
	categories := []int{5, 7}[r.IntN(2)]
	gap := []float64{uniform(r, 0.1, 0.2), uniform(r, 2, 2.4), uniform(r, 0.7, 0.9)}
	thresholds := make([][]float64, 3)
	for c := range thresholds {
		thresholds[c] = steps(r, categories, 0, gap[c], gap[c])
	}
	group := members(r, n, groupSizes(r, 3, 0.12))
	data := questionnaire(r, "", 1, n, items, func(i int) []int {
		trait := multivariateNormal(r, corr)
		row := make([]int, items)
		for j := range row {
			row[j] = graded(r, slope[j]*trait[j%scales]+place[j], thresholds[group[i]])
		}
		return row
	})
	data.Group = group
	return data
}

func traumaClasses(r *rand.Rand, n int) law.Data {
	items := between(r, 17, 20)
	mean := make([][]float64, 3)
	for c := range mean {
		mean[c] = make([]float64, items)
	}
	low, high := uniform(r, -3.2, -2.6), uniform(r, 1.4, 2.2)
	for j := range items {
		base := normal(r, low, 0.5)
		mean[0][j] = base
		mean[1][j] = base
		if j%2 == 0 { // re-experiencing and arousal
			mean[1][j] = normal(r, high-0.6, 0.4)
		}
		mean[2][j] = normal(r, high, 0.4)
	}
	threshold := make([][]float64, items)
	for j := range threshold {
		threshold[j] = steps(r, 5, 0, 1.1, 1.7)
	}
	severity := uniform(r, 0.5, 0.9)
	group := members(r, n, []float64{0.9, 0.08, 0.02})
	data := questionnaire(r, []string{"pcl", "ies", "ptsd"}[r.IntN(3)], 0, n, items, func(i int) []int {
		own := normal(r, 0, severity)
		row := make([]int, items)
		for j := range row {
			row[j] = graded(r, mean[group[i]][j]+own, threshold[j])
		}
		return row
	})
	data.Group = group
	return data
}

func signOfCorrelation(r *rand.Rand, n int) law.Data {
	pairs, others := between(r, 4, 7), between(r, 3, 6)
	items := 2*pairs + others
	sign := make([]float64, pairs)
	for p := range sign {
		sign[p] = float64(1 - 2*r.IntN(2))
	}
	rho := uniform(r, 0.8, 0.92)
	thresholds := make([][]float64, items)
	for j := range thresholds {
		thresholds[j] = steps(r, 7, normal(r, 0, 0.15), 0.4, 0.55)
	}
	share := uniform(r, 0.35, 0.5)
	group := members(r, n, []float64{1 - share, share})
	data := questionnaire(r, []string{"goal", "g", "q"}[r.IntN(3)], 1, n, items, func(i int) []int {
		row := make([]int, items)
		for p := range pairs {
			c := sign[p] * rho * float64(1-2*group[i])
			a := r.NormFloat64()
			b := c*a + math.Sqrt(1-c*c)*r.NormFloat64()
			row[2*p] = level(a, thresholds[2*p])
			row[2*p+1] = level(b, thresholds[2*p+1])
		}
		for j := 2 * pairs; j < items; j++ {
			row[j] = level(r.NormFloat64(), thresholds[j])
		}
		return row
	})
	data.Group = group
	return data
}

func symptomNetwork(r *rand.Rand, n int) law.Data {
	nodes := between(r, 12, 18)
	type edge struct {
		to       int
		coupling float64
	}
	neighbours := make([][]edge, nodes)
	incoming := make([]float64, nodes)
	join := func(a, b int) {
		w := uniform(r, 0.6, 1.2)
		neighbours[a] = append(neighbours[a], edge{b, w})
		neighbours[b] = append(neighbours[b], edge{a, w})
		incoming[a] += w
		incoming[b] += w
	}
	for i := range nodes { // a ring with a few chords: no node has more than three neighbours
		join(i, (i+1)%nodes)
	}
	for range nodes / 4 {
		a, b := r.IntN(nodes), r.IntN(nodes)
		if a != b && len(neighbours[a]) == 2 && len(neighbours[b]) == 2 && (a-b+nodes)%nodes > 1 && (b-a+nodes)%nodes > 1 {
			join(a, b)
		}
	}
	field := make([]float64, nodes)
	for i := range field { // rare symptoms: the field is more than the balance of the couplings
		field[i] = -incoming[i]/2 - uniform(r, 0.1, 0.8)
	}
	return questionnaire(r, []string{"sym", "s", "dep"}[r.IntN(3)], 0, n, nodes, func(int) []int {
		state := make([]int, nodes)
		for i := range state {
			state[i] = r.IntN(2)
		}
		for range 25 {
			for i := range state {
				push := field[i]
				for _, e := range neighbours[i] {
					push += e.coupling * float64(state[e.to])
				}
				state[i] = bernoulli(r, push)
			}
		}
		return state
	})
}

func carelessParadata(r *rand.Rand, n int) law.Data {
	columns := []string{"age", "device", "minutes", "pause_max", "longstring", "even_odd", "check", "sat_1", "sat_2", "sat_3", "comment_chars"}
	share := uniform(r, 0.1, 0.3)
	length := uniform(r, 9, 16) // median minutes of an attentive respondent
	quick := uniform(r, 0.22, 0.35)
	group := members(r, n, []float64{1 - share, share})
	data := form(columns, n, func(i int) []string {
		lazy := group[i] == 1
		pace := normal(r, 0, 0.3)
		minutes, string0, consistency, check, comment := length*math.Exp(pace), 2+poisson(r, 2.2), beta(r, 9, 2), "pass", 0
		if chance(r, 0.04) {
			check = "fail"
		}
		if chance(r, 0.55) {
			comment = 1 + negativeBinomial(r, 60, 1)
		}
		if lazy {
			minutes *= quick
			string0 = 4 + negativeBinomial(r, 10, 2)
			consistency = beta(r, 3, 3) - 0.25
			if chance(r, 0.6) {
				check = "fail"
			}
			if chance(r, 0.7) {
				comment = 0
			}
		}
		mood := r.NormFloat64()
		row := []string{
			whole(clamp(18+gamma(r, 4, 6), 18, 85)),
			[]string{"desktop", "mobile", "tablet"}[categorical(r, []float64{5, 5, 1})],
			decimal(minutes, 1),
			whole(logNormal(r, 25*math.Exp(0.5*pace), 0.6)),
			whole(float64(string0)),
			decimal(consistency, 2),
			check,
		}
		for range 3 {
			row = append(row, whole(clamp(math.Round(normal(r, 3.3+0.8*mood, 0.7)), 1, 5)))
		}
		return append(row, whole(float64(comment)))
	})
	data.Group = group
	return data
}
