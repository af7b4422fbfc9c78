package surveys

import (
	"math"
	"math/rand/v2"

	"github.com/moiety-go/moiety/bank/law"
)

// educationLaws are laws of tests, of ratings of teaching and of pupil surveys.
func educationLaws() []law.Law {
	return []law.Law{
		{
			Name: "rasch test", Kind: law.Presences, Groups: 1, Draw: raschTest,
			About: "Right and wrong answers to items of unequal difficulty by one normal ability (Rasch 1960).",
		},
		{
			Name: "three-parameter test with guessing", Kind: law.Presences, Groups: 1, Draw: guessingTest,
			About: "Birnbaum's three-parameter model (1968) with unequal slopes, guessing and a skewed ability.",
		},
		{
			Name: "testlets", Kind: law.Presences, Groups: 1, Draw: testlets,
			About: "Items hang on common passages: a general ability and strong continuous testlet effects (Bradlow, Wainer and Wang 1999).",
		},
		{
			Name: "items not reached", Kind: law.Presences, Groups: 1, Draw: notReached,
			About: "A speeded test: continuous working speed decides where a pupil stops, and everything behind is missing (Glas and Pimentel 2008).",
		},
		{
			Name: "multiple choice with attractive distractors", Kind: law.Answers, Groups: 1, Draw: distractors,
			About: "Chosen letters of multiple-choice items by one ability; weak, middling and able pupils prefer different options (Bock 1972, nominal response model).",
		},
		{
			Name: "teaching evaluation with halo", Kind: law.Ordered, Groups: 1, Draw: halo,
			About: "Ratings of many dimensions ruled by one large continuous overall impression, so that many rows are nearly constant (Thorndike 1920; Marsh 1984).",
		},
		{
			Name: "three-form planned missing design", Kind: law.Ordered, Groups: 1, Draw: plannedMissing,
			About: "Common items and three blocks, one of which every pupil is randomly not asked (Graham et al. 2006); the answers come from three correlated traits.",
		},
		{
			Name: "pupils in schools", Kind: law.Mixed, Groups: 1, Draw: pupilsInSchools,
			About: "Pupil survey with continuous random effects of many schools and a social gradient (Raudenbush and Bryk 2002).",
		},
		{
			Name: "skill mastery along a hierarchy", Kind: law.Presences, Groups: 4, Draw: skillMastery,
			About: "Three skills learnt in one order; an item is solved by those that master its skill, up to slips and guesses (Haertel 1989, DINA; Leighton et al. 2004).",
		},
		{
			Name: "two solution strategies", Kind: law.Presences, Groups: 2, Draw: twoStrategies,
			About: "Mixed Rasch model: what is easy for one strategy is hard for the other, with a continuous ability inside both (Rost 1990; Mislevy and Verhelst 1990).",
		},
		{
			Name: "guessers among test takers", Kind: law.Presences, Groups: 2, Draw: guessers,
			About: "Hybrid model: a Rasch population and an unmotivated group that guesses at every item (Yamamoto 1989).",
		},
		{
			Name: "discontinuous stages", Kind: law.Presences, Groups: 2, Draw: saltus,
			About: "Saltus model: one item type is far harder for those below a stage, who differ continuously in ability as well (Wilson 1989).",
		},
		{
			Name: "balance scale rules", Kind: law.Answers, Groups: 4, Draw: balanceScale,
			About: "Children predict a balance (left, right, balance) by one of Siegler's four rules with lapses (Siegler 1976; Jansen and Van der Maas 1997).",
		},
	}
}

func raschTest(r *rand.Rand, n int) law.Data {
	items := between(r, 14, 30)
	difficulty := make([]float64, items)
	for j := range difficulty {
		difficulty[j] = normal(r, 0, 1.1)
	}
	mean, sd := uniform(r, -0.4, 0.8), uniform(r, 1, 1.7)
	return questionnaire(r, "", 0, n, items, func(int) []int {
		ability := normal(r, mean, sd)
		row := make([]int, items)
		for j := range row {
			row[j] = bernoulli(r, ability-difficulty[j])
		}
		return row
	})
}

func guessingTest(r *rand.Rand, n int) law.Data {
	items := between(r, 18, 36)
	slope := uniforms(r, items, 1, 2.4)
	guess := uniforms(r, items, 0.12, 0.3)
	difficulty := make([]float64, items)
	for j := range difficulty {
		difficulty[j] = normal(r, 0.2, 0.9)
	}
	shape, side := uniform(r, 2, 6), float64(1-2*r.IntN(2))
	return questionnaire(r, []string{"item", "i", "Q"}[r.IntN(3)], 0, n, items, func(int) []int {
		ability := side * skewed(r, shape)
		row := make([]int, items)
		for j := range row {
			p := guess[j] + (1-guess[j])*sigmoid(1.7*slope[j]*(ability-difficulty[j]))
			if chance(r, p) {
				row[j] = 1
			}
		}
		return row
	})
}

func testlets(r *rand.Rand, n int) law.Data {
	passages, each := between(r, 4, 6), between(r, 4, 7)
	items := passages * each
	general := uniforms(r, items, 0.8, 1.5)
	special := make([]float64, passages)
	for t := range special {
		special[t] = uniform(r, 0.9, 2)
	}
	difficulty := uniforms(r, items, -1.2, 1.2)
	return questionnaire(r, []string{"read", "item", "t"}[r.IntN(3)], 0, n, items, func(int) []int {
		ability, passage := r.NormFloat64(), normals(r, passages)
		row := make([]int, items)
		for j := range row {
			t := j / each
			row[j] = bernoulli(r, general[j]*ability+special[t]*passage[t]-difficulty[j])
		}
		return row
	})
}

func notReached(r *rand.Rand, n int) law.Data {
	items := between(r, 20, 40)
	difficulty := make([]float64, items)
	for j := range difficulty {
		difficulty[j] = normal(r, -0.2+1.2*float64(j)/float64(items), 0.7)
	}
	related := uniform(r, 0.2, 0.6)
	reach, sdReach := uniform(r, 0.95, 1.25), uniform(r, 0.2, 0.4)
	skipped := uniform(r, 0, 0.04)
	names := itemNames(r, "item", items)
	table := make([][]string, n)
	for i := range table {
		ability := r.NormFloat64()
		speed := related*ability + math.Sqrt(1-related*related)*r.NormFloat64()
		last := reach * math.Exp(sdReach*speed) * float64(items)
		row := make([]string, items)
		for j := range row {
			answer := bernoulli(r, ability-difficulty[j])
			if float64(j) < math.Max(last, 3) && !chance(r, skipped) {
				row[j] = cell(answer, 0)
			}
		}
		table[i] = row
	}
	return law.Data{Columns: names, Table: table}
}

func distractors(r *rand.Rand, n int) law.Data {
	items := between(r, 12, 24)
	letters := [][]string{{"A", "B", "C", "D"}, {"a", "b", "c", "d"}}[r.IntN(2)]
	type option struct{ slope, intercept float64 }
	options := make([][]option, items)
	labels := make([][]string, items)
	for j := range options {
		drawn := []option{
			{uniform(r, 1.2, 2.2), normal(r, 0, 0.4)},
			{uniform(r, 0, 0.7), normal(r, 0.4, 0.4)}, // for the middling
			{uniform(r, -1.2, -0.3), normal(r, -0.2, 0.4)},
			{uniform(r, -1.4, -0.6), normal(r, -0.8, 0.4)},
		}
		r.Shuffle(4, func(a, b int) { drawn[a], drawn[b] = drawn[b], drawn[a] })
		options[j], labels[j] = drawn, letters
	}
	names := itemNames(r, []string{"mc", "q", "item"}[r.IntN(3)], items)
	return choices(r, names, labels, n, func(int) []int {
		ability := normal(r, 0, 1.1)
		row := make([]int, items)
		weight := make([]float64, 4)
		for j := range row {
			for k, o := range options[j] {
				weight[k] = math.Exp(o.slope*ability + o.intercept)
			}
			row[j] = categorical(r, weight)
		}
		return row
	})
}

func halo(r *rand.Rand, n int) law.Data {
	items, categories := between(r, 8, 14), []int{5, 6, 7}[r.IntN(3)]
	impression := uniform(r, 2.5, 4)
	shape := uniform(r, 2, 5)
	threshold := make([][]float64, items)
	for j := range threshold {
		threshold[j] = steps(r, categories, normal(r, -1.5, 0.5), 1.2, 2.2)
	}
	return questionnaire(r, []string{"eval", "set", "r"}[r.IntN(3)], 1, n, items, func(int) []int {
		overall := -impression * skewed(r, shape)
		row := make([]int, items)
		for j := range row {
			row[j] = graded(r, overall, threshold[j])
		}
		return row
	})
}

func plannedMissing(r *rand.Rand, n int) law.Data {
	each := between(r, 5, 8) // items in the common block and in each of three blocks
	items := 4 * each
	corr := traits(r, 3, 0.3, 0.6)
	slope := uniforms(r, items, 1.1, 2)
	threshold := make([][]float64, items)
	for j := range threshold {
		threshold[j] = steps(r, 5, normal(r, 0, 0.8), 0.8, 1.5)
	}
	return questionnaire(r, "", 1, n, items, func(int) []int {
		trait, left := multivariateNormal(r, corr), 1+r.IntN(3)
		row := make([]int, items)
		for j := range row {
			row[j] = graded(r, slope[j]*trait[j%3], threshold[j])
			if j/each == left {
				row[j] = notAnswered
			}
		}
		return row
	})
}

func pupilsInSchools(r *rand.Rand, n int) law.Data {
	columns := []string{"age", "sex", "books_home", "ses", "math", "reading", "science", "absent_days", "homework_h", "like_school", "repeated", "home_language"}
	schools := between(r, 60, 120)
	climate, intake := normals(r, schools), normals(r, schools)
	between0 := uniform(r, 0.4, 0.7) // share of a standard deviation that lies between schools
	bookSteps := steps(r, 6, 0, 0.4, 0.7)
	likeSteps := steps(r, 4, -0.5, 0.8, 1.2)
	missing := uniform(r, 0, 0.06)
	data := form(columns, n, func(int) []string {
		s := r.IntN(schools)
		ses := between0*intake[s] + 0.8*r.NormFloat64()
		ability := 0.45*ses + 0.5*between0*climate[s] + 0.75*r.NormFloat64()
		liking := 0.3*ability + 0.6*climate[s]*between0 + r.NormFloat64()
		language := "native"
		if chance(r, sigmoid(-2.2-0.3*ses)) {
			language = coinLanguage(r)
		}
		return []string{
			decimal(uniform(r, 15.2, 16.3), 2),
			[]string{"f", "m"}[r.IntN(2)],
			cell(level(ses+0.6*r.NormFloat64(), bookSteps), 1),
			decimal(ses, 2),
			whole(500 + 90*(0.8*ability+0.5*r.NormFloat64())),
			whole(500 + 90*(0.75*ability+0.55*r.NormFloat64())),
			whole(500 + 90*(0.8*ability+0.5*r.NormFloat64())),
			whole(float64(negativeBinomial(r, math.Exp(1.3-0.3*liking), 1.2))),
			decimal(heaped(r, gamma(r, 3, 1.5+0.2*clamp(liking, -3, 3)), 0.5, 5, 0.25), 1),
			cell(graded(r, 1.2*liking, likeSteps), 1),
			yesNo(bernoulli(r, -2-0.9*ability), false),
			language,
		}
	})
	blank(r, data.Table, missing)
	return data
}

// coinLanguage draws a home language other than that of the test.
func coinLanguage(r *rand.Rand) string {
	return []string{"turkish", "arabic", "polish", "russian", "other"}[categorical(r, []float64{4, 3, 2, 2, 3})]
}

func skillMastery(r *rand.Rand, n int) law.Data {
	each := between(r, 8, 11)
	items := 3 * each
	slip, guess := uniforms(r, items, 0.04, 0.18), uniforms(r, items, 0.05, 0.22)
	group := members(r, n, groupSizes(r, 4, 0.12)) // the number of skills mastered
	data := questionnaire(r, []string{"frac", "item", "p"}[r.IntN(3)], 0, n, items, func(i int) []int {
		row := make([]int, items)
		for j := range row {
			p := guess[j]
			if group[i] > j/each {
				p = 1 - slip[j]
			}
			if chance(r, p) {
				row[j] = 1
			}
		}
		return row
	})
	data.Group = group
	return data
}

func twoStrategies(r *rand.Rand, n int) law.Data {
	items := between(r, 20, 32)
	contrast := uniform(r, 1.2, 1.9)
	base := uniforms(r, items, -0.8, 0.8)
	side := make([]float64, items)
	for j := range side {
		side[j] = float64(1 - 2*(j%2))
	}
	sd := uniform(r, 0.6, 1.1)
	shift := uniform(r, -0.3, 0.3)
	share := uniform(r, 0.3, 0.5)
	group := members(r, n, []float64{1 - share, share})
	data := questionnaire(r, []string{"rot", "item", "mr"}[r.IntN(3)], 0, n, items, func(i int) []int {
		c := float64(1 - 2*group[i])
		ability := normal(r, shift*c, sd)
		row := make([]int, items)
		for j := range row {
			row[j] = bernoulli(r, ability-base[j]-c*contrast*side[j])
		}
		return row
	})
	data.Group = group
	return data
}

func guessers(r *rand.Rand, n int) law.Data {
	items := between(r, 28, 45)
	difficulty := make([]float64, items)
	for j := range difficulty {
		difficulty[j] = normal(r, -1.5, 0.9)
	}
	options := []float64{0.2, 0.25}[r.IntN(2)]
	share := uniform(r, 0.08, 0.25)
	sd := uniform(r, 0.6, 0.9)
	group := members(r, n, []float64{1 - share, share})
	data := questionnaire(r, []string{"item", "q", "naep"}[r.IntN(3)], 0, n, items, func(i int) []int {
		ability := normal(r, 0, sd)
		row := make([]int, items)
		for j := range row {
			p := options
			if group[i] == 0 {
				p = sigmoid(ability - difficulty[j])
			}
			if chance(r, p) {
				row[j] = 1
			}
		}
		return row
	})
	data.Group = group
	return data
}

func saltus(r *rand.Rand, n int) law.Data {
	each := between(r, 6, 9)
	items := 3 * each
	jump := uniform(r, 2.2, 3)
	difficulty := make([]float64, items)
	for j := range difficulty {
		difficulty[j] = normal(r, 0.8*float64(j/each-1), 0.4)
	}
	gap, sd := uniform(r, 0.5, 1.2), uniform(r, 0.7, 1)
	share := uniform(r, 0.35, 0.6)
	group := members(r, n, []float64{1 - share, share})
	data := questionnaire(r, []string{"task", "item", "q"}[r.IntN(3)], 0, n, items, func(i int) []int {
		ability := normal(r, gap*(float64(group[i])-0.5), sd)
		row := make([]int, items)
		for j := range row {
			x := ability - difficulty[j]
			if j/each == 2 {
				x += jump * (float64(group[i]) - 0.6)
			}
			row[j] = bernoulli(r, x)
		}
		return row
	})
	data.Group = group
	return data
}

func balanceScale(r *rand.Rand, n int) law.Data {
	each := between(r, 4, 6) // of five types of item
	items := 5 * each
	const left, balance, right = 0, 1, 2
	flip := make([]bool, items)
	for j := range flip {
		flip[j] = chance(r, 0.5)
	}
	// prediction is the answer by a rule, as if the weight (or the distance, where only
	// the distance differs) were on the left; muddle is a guess.
	const muddle = 3
	prediction := func(rule, kind int) int {
		switch kind {
		case 0: // only the weight differs
			return left
		case 1: // only the distance differs
			if rule == 0 {
				return balance
			}
			return left
		}
		if rule < 2 { // conflict: the first two rules look at the weight
			return left
		}
		if rule == 2 {
			return muddle
		}
		return []int{left, right, balance}[kind-2]
	}
	lapse := uniform(r, 0.04, 0.14)
	labels := make([][]string, items)
	words := [][]string{{"left", "balance", "right"}, {"L", "B", "R"}}[r.IntN(2)]
	for j := range labels {
		labels[j] = words
	}
	group := members(r, n, groupSizes(r, 4, 0.12))
	data := choices(r, itemNames(r, []string{"scale", "item", "b"}[r.IntN(3)], items), labels, n, func(i int) []int {
		row := make([]int, items)
		for j := range row {
			answer := prediction(group[i], j/each)
			if answer == muddle || chance(r, lapse) {
				answer = r.IntN(3)
			}
			if flip[j] {
				answer = 2 - answer
			}
			row[j] = answer
		}
		return row
	})
	data.Group = group
	return data
}
