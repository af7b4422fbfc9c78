package surveys

import (
	"math"
	"math/rand/v2"

	"github.com/moiety-go/moiety/bank/law"
)

// sociologyLaws are laws of social surveys and of cultural domains.
func sociologyLaws() []law.Law {
	return []law.Law{
		{
			Name: "social distance scale", Kind: law.Presences, Groups: 1, Draw: socialDistance,
			About: "An almost perfect Guttman scale over a continuous attitude: nearly as many patterns as steps (Bogardus 1925; Guttman 1944).",
		},
		{
			Name: "tick all that apply", Kind: law.Presences, Groups: 1, Draw: tickAll,
			About: "Lists of free-time activities with two continuous tastes, primacy of the first options and very uneven effort (Smyth et al. 2006).",
		},
		{
			Name: "delinquency under social desirability", Kind: law.Presences, Groups: 1, Draw: delinquency,
			About: "Gamma-distributed propensity to offend, reported through a continuous reluctance to admit (Tourangeau and Yan 2007; Osgood et al. 2002).",
		},
		{
			Name: "choices in a social space", Kind: law.Answers, Groups: 1, Draw: socialSpace,
			About: "Respondents and answers lie in a continuous plane and the nearer answer is the likelier one (Bourdieu 1979; Greenacre and Blasius 2006).",
		},
		{
			Name: "one culture of unequal competence", Kind: law.Answers, Groups: 1, Draw: oneCulture,
			About: "One answer key and a wide, continuous competence; who does not know guesses with a bias (Romney, Weller and Batchelder 1986).",
		},
		{
			Name: "poll with copied and constant columns", Kind: law.Ordered, Groups: 1, Draw: copiedPoll,
			About: "Unrelated opinions in a badly exported file: some columns are copies of another, with or without errors, and some never vary.",
		},
		{
			Name: "household survey with heaping", Kind: law.Mixed, Groups: 1, Draw: householdSurvey,
			About: "Age, continuous socio-economic standing and rounding of ages, incomes and hours to usual numbers (Myers 1954; Heitjan and Rubin 1990).",
		},
		{
			Name: "types of values", Kind: law.Answers, Groups: 4, Draw: valueTypes,
			About: "Latent classes that prefer different answers to nominal questions (Lazarsfeld and Henry 1968).",
		},
		{
			Name: "classes with twin questions", Kind: law.Answers, Groups: 3, Draw: twinQuestions,
			About: "Latent classes whose questions come in pairs that are answered alike beyond the class: local dependence inside classes (Hagenaars 1988; Oberski et al. 2013).",
		},
		{
			Name: "two cultures", Kind: law.Answers, Groups: 2, Draw: twoCultures,
			About: "Two answer keys and continuous competence inside both (Anders and Batchelder 2012, multi-culture consensus).",
		},
		{
			Name: "cultural omnivores and others", Kind: law.Presences, Groups: 8, Draw: omnivores,
			About: "Eight lifestyles with their own core of activities and a personal level of activity inside each (Peterson and Kern 1996; Chan and Goldthorpe 2007).",
		},
		{
			Name: "religiosity in four located classes", Kind: law.Ordered, Groups: 4, Draw: locatedClasses,
			About: "A latent trait with four values only: classes in order along one line (Lindsay, Clogg and Grego 1991, located latent classes).",
		},
		{
			Name: "agreement with both a statement and its opposite", Kind: law.Presences, Groups: 2, Draw: oppositePairs,
			About: "Balanced pairs: consistent people agree with exactly one of each pair, the others agree or disagree with both; all margins are near one half (Billiet and Davidov 2008).",
		},
		{
			Name: "rural livelihoods", Kind: law.Mixed, Groups: 3, Draw: livelihoods,
			About: "Farming, trading and wage-earning households that differ in assets and incomes, with unequal wealth inside each (Ellis 2000; Alobo Loison 2015).",
		},
	}
}

func socialDistance(r *rand.Rand, n int) law.Data {
	items := between(r, 8, 16)
	slope := uniforms(r, items, 3.5, 7)
	place := make([]float64, items)
	for j := range place {
		place[j] = -1.6 + 3.2*(float64(j)+r.Float64())/float64(items)
	}
	flat := chance(r, 0.5) // of the attitude: uniform or normal
	return questionnaire(r, []string{"accept", "dist", "q"}[r.IntN(3)], 0, n, items, func(int) []int {
		attitude := r.NormFloat64()
		if flat {
			attitude = uniform(r, -1.9, 1.9)
		}
		row := make([]int, items)
		for j := range row {
			row[j] = bernoulli(r, slope[j]*(attitude-place[j]))
		}
		return row
	})
}

func tickAll(r *rand.Rand, n int) law.Data {
	words := some(r, activities, between(r, 24, 40))
	popularity, first, second := make([]float64, len(words)), make([]float64, len(words)), make([]float64, len(words))
	for j := range words {
		popularity[j] = normal(r, -0.6-1.4*float64(j)/float64(len(words)), 0.8)
		first[j], second[j] = normal(r, 0, 0.7), normal(r, 0, 0.6)
	}
	shape := uniform(r, 1, 2.5)
	return lists(r, n, func(int) []string {
		a, b := r.NormFloat64(), r.NormFloat64()
		effort := math.Log(gamma(r, shape, 1/shape) + 0.02)
		return basket(r, words, func(j int) float64 { return popularity[j] + first[j]*a + second[j]*b + effort })
	})
}

func delinquency(r *rand.Rand, n int) law.Data {
	items := between(r, 12, 20)
	base := make([]float64, items)
	shame := uniforms(r, items, 0.2, 1.4)
	weight := uniforms(r, items, 0.9, 1.6)
	for j := range base {
		base[j] = uniform(r, -3.2, 0.4)
	}
	shape := uniform(r, 0.8, 2)
	return questionnaire(r, []string{"off", "srd", "d"}[r.IntN(3)], 0, n, items, func(int) []int {
		propensity := math.Log(gamma(r, shape, 1/shape) + 0.01)
		reluctance := r.NormFloat64()
		row := make([]int, items)
		for j := range row {
			row[j] = bernoulli(r, base[j]+weight[j]*propensity-shame[j]*reluctance)
		}
		return row
	})
}

func socialSpace(r *rand.Rand, n int) law.Data {
	names, labels := someTopics(r.Perm(len(topics)), between(r, 10, 16))
	type point struct{ x, y, appeal float64 }
	places := make([][]point, len(labels))
	for j := range places {
		for range labels[j] {
			places[j] = append(places[j], point{normal(r, 0, 1.1), normal(r, 0, 1.1), normal(r, 0, 0.4)})
		}
	}
	sharp := uniform(r, 0.5, 1)
	return choices(r, names, labels, n, func(int) []int {
		x, y := r.NormFloat64(), r.NormFloat64()
		row := make([]int, len(labels))
		for j, options := range places {
			weight := make([]float64, len(options))
			for k, o := range options {
				weight[k] = math.Exp(o.appeal - sharp*((x-o.x)*(x-o.x)+(y-o.y)*(y-o.y)))
			}
			row[j] = categorical(r, weight)
		}
		return row
	})
}

// consensusItems draws the answers of questions of a cultural domain and the names of
// the questions.
func consensusItems(r *rand.Rand, items int) ([]string, [][]string) {
	pool := [][]string{{"true", "false"}, {"hot", "cold", "neutral"}, {"A", "B", "C", "D"}, {"yes", "no", "depends"}}
	labels := make([][]string, items)
	chosen := pool[r.IntN(len(pool))]
	for j := range labels {
		labels[j] = chosen
	}
	return itemNames(r, []string{"q", "belief", "k"}[r.IntN(3)], items), labels
}

func oneCulture(r *rand.Rand, n int) law.Data {
	items := between(r, 18, 36)
	names, labels := consensusItems(r, items)
	key := make([]int, items)
	guess := make([][]float64, items)
	ease := make([]float64, items)
	for j := range key {
		key[j] = r.IntN(len(labels[j]))
		guess[j] = dirichlet(r, len(labels[j]), 4)
		ease[j] = normal(r, 0, 0.8)
	}
	a, b := uniform(r, 1.2, 2), uniform(r, 1.2, 2)
	return choices(r, names, labels, n, func(int) []int {
		competence := logit(clamp(beta(r, a, b), 0.005, 0.995))
		row := make([]int, items)
		for j := range row {
			row[j] = key[j]
			if bernoulli(r, competence+ease[j]) == 0 {
				row[j] = categorical(r, guess[j])
			}
		}
		return row
	})
}

func twoCultures(r *rand.Rand, n int) law.Data {
	items := between(r, 22, 40)
	names, labels := consensusItems(r, items)
	keys := patterns(r, 2, items, len(labels[0]), items*45/100)
	guess := make([][]float64, items)
	for j := range guess {
		guess[j] = dirichlet(r, len(labels[j]), 6)
	}
	a, b := uniform(r, 6, 9), uniform(r, 2.5, 3.5)
	share := uniform(r, 0.2, 0.5)
	group := members(r, n, []float64{1 - share, share})
	data := choices(r, names, labels, n, func(i int) []int {
		competence := beta(r, a, b)
		row := make([]int, items)
		for j := range row {
			row[j] = keys[group[i]][j]
			if !chance(r, competence) {
				row[j] = categorical(r, guess[j])
			}
		}
		return row
	})
	data.Group = group
	return data
}

func copiedPoll(r *rand.Rand, n int) law.Data {
	free, copies, constants := between(r, 9, 14), between(r, 2, 4), between(r, 0, 2)
	items := free + copies + constants
	shares := make([][]float64, free)
	for j := range shares {
		shares[j] = dirichlet(r, 5, 2)
	}
	errors := []float64{0, 0, 0.03, 0.1}[r.IntN(4)]
	missing := uniform(r, 0, 0.05)
	data := questionnaire(r, "", 1, n, items, func(int) []int {
		row := make([]int, items)
		for j := range free {
			row[j] = categorical(r, shares[j])
		}
		for c := range copies { // each of a different column
			row[free+c] = row[c]
			if chance(r, errors) {
				row[free+c] = categorical(r, shares[c])
			}
		}
		for c := range constants {
			row[free+copies+c] = c
		}
		return row
	})
	blank(r, data.Table, missing)
	return data
}

func householdSurvey(r *rand.Rand, n int) law.Data {
	columns := []string{"age", "educ_years", "income", "hh_size", "rooms", "hours", "health", "trust", "internet", "tenure", "region", "books"}
	heapAge, heapIncome := uniform(r, 0.1, 0.45), uniform(r, 0.4, 0.8)
	median := uniform(r, 1500, 3200)
	regions := coins(r, between(r, 8, 16))
	weight := zipf(len(regions), 0.5)
	healthSteps, bookSteps := steps(r, 5, -0.6, 0.9, 1.3), steps(r, 5, 0.2, 0.6, 1)
	missing := uniform(r, 0, 0.12)
	digits := chance(r, 0.5)
	return form(columns, n, func(int) []string {
		age := 18 + 72*beta(r, 1.6, 1.9)
		ses := r.NormFloat64()
		young := (50 - age) / 18
		peak := 1 - (age-48)*(age-48)/1800
		income := logNormal(r, median*math.Exp(0.35*ses+0.3*peak), 0.4)
		unit := []float64{50, 100, 500, 1000}[categorical(r, []float64{2, 4, 3, 1})]
		tenure := "owner"
		if chance(r, sigmoid(-0.4+0.6*young-0.6*ses)) {
			tenure = "tenant"
		}
		wage := whole(heaped(r, income, 10, unit, heapIncome))
		if chance(r, missing*math.Exp(0.4*ses)) { // the better off refuse more often
			wage = ""
		}
		hours := heaped(r, clamp(normal(r, 36+2*ses, 9), 4, 80), 1, 5, 0.6)
		return []string{
			whole(heaped(r, age, 1, 5, heapAge)),
			whole(clamp(normal(r, 12+2.2*ses+0.9*young, 1.8), 4, 22)),
			wage,
			whole(float64(1 + poisson(r, math.Exp(0.3+0.35*peak)))),
			whole(float64(1 + poisson(r, math.Exp(1+0.15*ses+0.1*peak)))),
			whole(hours),
			cell(graded(r, 0.7*ses+0.8*young, healthSteps), 1),
			whole(clamp(math.Round(normal(r, 5+0.7*ses, 2.3)), 0, 10)),
			yesNo(bernoulli(r, 1.6+1.1*young+0.8*ses), digits),
			tenure,
			regions[categorical(r, weight)],
			cell(graded(r, 1.2*ses-0.2*young, bookSteps), 0),
		}
	})
}

func valueTypes(r *rand.Rand, n int) law.Data {
	items := between(r, 11, 18)
	names, labels := someTopics(r.Perm(len(topics)), items)
	profile := make([][][]float64, 4)
	favourite := patterns(r, 4, items, 3, items*6/10)
	for c := range profile {
		for j := range labels {
			p := dirichlet(r, len(labels[j]), 1.5)
			strength := uniform(r, 0.45, 0.75)
			for k := range p {
				p[k] *= 1 - strength
			}
			p[favourite[c][j]] += strength
			profile[c] = append(profile[c], p)
		}
	}
	missing := uniform(r, 0, 0.05)
	group := members(r, n, groupSizes(r, 4, 0.1))
	data := choices(r, names, labels, n, func(i int) []int {
		row := make([]int, len(labels))
		for j := range row {
			row[j] = categorical(r, profile[group[i]][j])
		}
		return row
	})
	blank(r, data.Table, missing)
	data.Group = group
	return data
}

func twinQuestions(r *rand.Rand, n int) law.Data {
	pairs := between(r, 8, 12)
	items := 2 * pairs
	labels := make([][]string, items)
	pool := [][]string{{"yes", "no", "unsure"}, {"agree", "disagree", "neither"}, {"better", "worse", "same"}}
	for p := range pairs {
		chosen := pool[r.IntN(len(pool))]
		labels[2*p], labels[2*p+1] = chosen, chosen
	}
	favourite := patterns(r, 3, pairs, 3, pairs*6/10)
	strength := uniform(r, 0.45, 0.65)
	twin := uniform(r, 0.4, 0.65) // probability that the second answer repeats the first
	answer := func(c, p int) int {
		if chance(r, strength) {
			return favourite[c][p]
		}
		return r.IntN(3)
	}
	group := members(r, n, groupSizes(r, 3, 0.15))
	data := choices(r, itemNames(r, "", items), labels, n, func(i int) []int {
		row := make([]int, items)
		for p := range pairs {
			row[2*p] = answer(group[i], p)
			row[2*p+1] = answer(group[i], p)
			if chance(r, twin) {
				row[2*p+1] = row[2*p]
			}
		}
		return row
	})
	data.Group = group
	return data
}

func omnivores(r *rand.Rand, n int) law.Data {
	items := between(r, 40, 50)
	const classes = 8
	core := patterns(r, classes, items, 2, items*4/10)
	high, low := uniform(r, 0.72, 0.82), uniform(r, 0.08, 0.16)
	base := make([][]float64, classes)
	for c := range base {
		for j := range items {
			level0 := logit(low)
			if core[c][j] == 1 {
				level0 = logit(high)
			}
			base[c] = append(base[c], normal(r, level0, 0.4))
		}
	}
	activity := uniform(r, 0.3, 0.6)
	group := members(r, n, groupSizes(r, classes, 0.06))
	names := some(r, activities, items)
	data := form(names, n, func(i int) []string {
		own := normal(r, 0, activity)
		row := make([]string, items)
		for j := range row {
			row[j] = cell(bernoulli(r, base[group[i]][j]+own), 0)
		}
		return row
	})
	data.Group = group
	return data
}

func locatedClasses(r *rand.Rand, n int) law.Data {
	items, categories := between(r, 16, 26), between(r, 4, 6)
	slope := uniforms(r, items, 1.7, 2.8)
	threshold := make([][]float64, items)
	for j := range threshold {
		threshold[j] = steps(r, categories, normal(r, 0, 1.3), 0.9, 1.7)
	}
	place := []float64{0, 0, 0, 0}
	for c := 1; c < 4; c++ {
		place[c] = place[c-1] + uniform(r, 1.1, 1.5)
	}
	middle := place[3] / 2
	group := members(r, n, groupSizes(r, 4, 0.12))
	data := questionnaire(r, []string{"rel", "relig", "q"}[r.IntN(3)], r.IntN(2), n, items, func(i int) []int {
		row := make([]int, items)
		for j := range row {
			row[j] = graded(r, slope[j]*(place[group[i]]-middle), threshold[j])
		}
		return row
	})
	data.Group = group
	return data
}

func oppositePairs(r *rand.Rand, n int) law.Data {
	pairs := between(r, 9, 14)
	items := 2 * pairs
	lean := uniforms(r, pairs, -0.3, 0.3)
	pull := uniform(r, 0, 0.6) // of a continuous trait on the first of each pair
	clean := uniform(r, 0.82, 0.92)
	share := uniform(r, 0.25, 0.5)
	group := members(r, n, []float64{1 - share, share})
	data := questionnaire(r, []string{"stmt", "q", "item"}[r.IntN(3)], 0, n, items, func(i int) []int {
		trait := r.NormFloat64()
		row := make([]int, items)
		for p := range pairs {
			a := bernoulli(r, lean[p]+pull*trait)
			b := 1 - a
			if group[i] == 1 {
				b = a
			}
			if !chance(r, clean) {
				b = 1 - b
			}
			row[2*p], row[2*p+1] = a, b
		}
		return row
	})
	data.Group = group
	return data
}

func livelihoods(r *rand.Rand, n int) law.Data {
	columns := []string{"head_age", "head_sex", "hh_size", "land_ha", "cattle", "goats", "crop_income", "trade_income", "wage_days", "phones", "roof", "credit", "km_to_market"}
	land := []float64{uniform(r, 1.8, 3), uniform(r, 0.4, 0.8), uniform(r, 0.2, 0.5)}
	trade := []float64{uniform(r, 20, 60), uniform(r, 500, 900), uniform(r, 20, 80)}
	wage := []float64{uniform(r, 8, 20), uniform(r, 8, 25), uniform(r, 120, 200)}
	distance := []float64{uniform(r, 8, 14), uniform(r, 2, 4), uniform(r, 3, 7)}
	wealthSpread := uniform(r, 0.3, 0.6)
	missing := uniform(r, 0, 0.06)
	group := members(r, n, groupSizes(r, 3, 0.12))
	data := form(columns, n, func(i int) []string {
		g := group[i]
		wealth := r.NormFloat64()
		factor := math.Exp(wealthSpread * wealth)
		acres := logNormal(r, land[g]*factor, 0.45)
		roof := []string{"grass", "iron", "tile"}[level(wealth+0.7*float64(g&1)+0.6*logisticNoise(r), []float64{-0.5, 1.6})]
		return []string{
			whole(heaped(r, clamp(normal(r, 45, 13), 19, 90), 1, 5, 0.35)),
			[]string{"m", "f"}[bernoulli(r, -1.2)],
			whole(float64(1 + poisson(r, 4.5-0.5*float64(g)))),
			decimal(acres, 2),
			whole(float64(negativeBinomial(r, []float64{3.5, 0.6, 0.4}[g]*factor, 1.1))),
			whole(float64(negativeBinomial(r, []float64{5, 1.5, 1.5}[g]*factor, 1.2))),
			whole(to(logNormal(r, 180*acres, 0.5), 10)),
			whole(to(logNormal(r, trade[g]*factor, 0.6), 10)),
			whole(clamp(math.Round(normal(r, wage[g], 0.35*wage[g]+3)), 0, 300)),
			whole(float64(poisson(r, math.Exp(0.2+0.25*wealth+0.3*float64(g&1))))),
			roof,
			yesNo(bernoulli(r, -1+1.5*float64(g&1)+0.3*wealth), false),
			decimal(logNormal(r, distance[g], 0.5), 1),
		}
	})
	blank(r, data.Table, missing)
	data.Group = group
	return data
}
