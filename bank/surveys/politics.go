package surveys

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/moiety-go/moiety/bank/law"
)

// politicsLaws are laws of votes, attitudes and voters.
func politicsLaws() []law.Law {
	return []law.Law{
		{
			Name: "roll calls of ideal points", Kind: law.Presences, Groups: 1, Draw: idealPoints,
			About: "Legislators without parties on a continuous dimension vote by cutting points, with absences (Clinton, Jackman and Rivers 2004; Poole and Rosenthal 1985).",
		},
		{
			Name: "unfolding of attitudes", Kind: law.Ordered, Groups: 1, Draw: unfolding,
			About: "Agreement falls with the distance between person and statement on both sides: a horseshoe of one continuous dimension (Coombs 1964; Roberts et al. 2000, GGUM).",
		},
		{
			Name: "feeling thermometers", Kind: law.Measurements, Groups: 1, Draw: thermometers,
			About: "Ratings 0-100 of politicians by distance in a continuous plane, heaped at tens and at 50 (Enelow and Hinich 1984; Broockman 2016 on heaping).",
		},
		{
			Name: "petition signatures along a line", Kind: law.Presences, Groups: 1, Draw: petitions,
			About: "People sign what is near to their continuous position, some many, most few (Bond and Messing 2015; Barberá 2015 on spatial following).",
		},
		{
			Name: "turnout history", Kind: law.Presences, Groups: 1, Draw: turnout,
			About: "Continuous sense of duty, habit from one election to the next, and blanks before a voter is of age (Plutzer 2002; Gerber, Green and Shachar 2003).",
		},
		{
			Name: "voting blocs", Kind: law.Presences, Groups: 5, Draw: votingBlocs,
			About: "Parliamentary groups with their whip and their cohesion, personal absence, and one small group (Hix, Noury and Roland 2007; Gormley and Murphy 2008).",
		},
		{
			Name: "attitudes and non-attitudes in a panel", Kind: law.Answers, Groups: 2, Draw: nonAttitudes,
			About: "Converse's black-and-white model (1964): one class repeats its answers over the waves, the other answers afresh each time with the same margins.",
		},
		{
			Name: "electorates", Kind: law.Mixed, Groups: 4, Draw: electorates,
			About: "Voter milieus that differ in age, place, church, positions and party shares (Lipset and Rokkan 1967; Magidson and Vermunt 2004 on mixed-mode clusters).",
		},
	}
}

func idealPoints(r *rand.Rand, n int) law.Data {
	votes := between(r, 30, 70)
	slope := make([]float64, votes)
	second := make([]float64, votes)
	cut := make([]float64, votes)
	for j := range slope {
		slope[j] = uniform(r, 1.2, 3) * float64(1-2*r.IntN(2))
		second[j] = normal(r, 0, 0.5)
		cut[j] = normal(r, 0, 0.9)
	}
	absent := uniform(r, 0.01, 0.1)
	return questionnaire(r, []string{"rc", "vote", "rollcall"}[r.IntN(3)], 0, n, votes, func(int) []int {
		x, y := r.NormFloat64(), r.NormFloat64()
		away := math.Min(0.6, absent*gamma(r, 1, 1))
		row := make([]int, votes)
		for j := range row {
			row[j] = bernoulli(r, slope[j]*(x-cut[j])+second[j]*y)
			if chance(r, away) {
				row[j] = notAnswered
			}
		}
		return row
	})
}

func unfolding(r *rand.Rand, n int) law.Data {
	items, categories := between(r, 12, 22), between(r, 4, 6)
	place := make([]float64, items)
	slope := uniforms(r, items, 1.5, 3)
	threshold := make([][]float64, items)
	for j := range place {
		place[j] = -2.2 + 4.4*(float64(j)+0.5*r.Float64())/float64(items)
		threshold[j] = steps(r, categories, uniform(r, -0.4, 0.2), 0.9, 1.6)
	}
	spread0 := uniform(r, 0.9, 1.3)
	return questionnaire(r, []string{"att", "q", "stmt"}[r.IntN(3)], 1, n, items, func(int) []int {
		x := normal(r, 0, spread0)
		row := make([]int, items)
		for j := range row {
			row[j] = graded(r, slope[j]*(1.1-math.Abs(x-place[j])), threshold[j])
		}
		return row
	})
}

func thermometers(r *rand.Rand, n int) law.Data {
	figures := between(r, 8, 13)
	px, py, fame := make([]float64, figures), make([]float64, figures), make([]float64, figures)
	for j := range px {
		px[j], py[j], fame[j] = normal(r, 0, 1.2), normal(r, 0, 1), normal(r, 0, 6)
	}
	names := make([]string, figures)
	for j, w := range coins(r, figures) {
		names[j] = "ft_" + w
	}
	unknown := uniform(r, 0, 0.08)
	data := form(names, n, func(int) []string {
		x, y, warm := normal(r, 0, 1.1), normal(r, 0, 1), normal(r, 0, 8)
		row := make([]string, figures)
		for j := range row {
			distance := math.Hypot(x-px[j], y-py[j])
			rating := clamp(86-20*distance+fame[j]+warm+normal(r, 0, 10), 0, 100)
			if math.Abs(rating-50) < 9 && chance(r, 0.4) {
				rating = 50
			}
			row[j] = whole(heaped(r, rating, 5, 10, 0.7))
		}
		return row
	})
	blank(r, data.Table, unknown)
	return data
}

func petitions(r *rand.Rand, n int) law.Data {
	words := some(r, causes, between(r, 26, 40))
	place := make([]float64, len(words))
	width := uniforms(r, len(words), 0.5, 0.9)
	appeal := make([]float64, len(words))
	for j := range place {
		place[j] = uniform(r, -2, 2)
		appeal[j] = uniform(r, 0.25, 0.8)
	}
	shape := uniform(r, 1.5, 4)
	flat := chance(r, 0.5)
	return lists(r, n, func(int) []string {
		x := normal(r, 0, 1.1)
		if flat {
			x = uniform(r, -2.2, 2.2)
		}
		zeal := gamma(r, shape, 1/shape)
		return basket(r, words, func(j int) float64 {
			d := (x - place[j]) / width[j]
			return logit(clamp(zeal*appeal[j]*math.Exp(-d*d/2), 0.003, 0.97))
		})
	})
}

func turnout(r *rand.Rand, n int) law.Data {
	elections := between(r, 10, 16)
	year := 2024 - 2*elections
	names := make([]string, elections)
	interest := make([]float64, elections)
	presidential := r.IntN(2)
	stem := []string{"v", "vote_", "turnout_"}[r.IntN(3)]
	for t := range names {
		names[t] = fmt.Sprintf("%s%d", stem, year+2*t)
		interest[t] = normal(r, -0.3, 0.2)
		if t%2 == presidential {
			interest[t] += uniform(r, 1, 1.4)
		}
	}
	duty, habit := uniform(r, 1, 1.6), uniform(r, 0.4, 0.9)
	return form(names, n, func(int) []string {
		age := 18 + 70*beta(r, 1.5, 1.8) // at the end
		own := duty*r.NormFloat64() + 0.02*(age-48)
		row := make([]string, elections)
		before := 0.0
		for t := range row {
			if age-float64(2*(elections-1-t)) < 18 {
				continue
			}
			voted := bernoulli(r, interest[t]+own+habit*before)
			before = float64(2*voted - 1)
			row[t] = cell(voted, 0)
		}
		return row
	})
}

func votingBlocs(r *rand.Rand, n int) law.Data {
	votes := between(r, 36, 64)
	const blocs = 5
	whip := patterns(r, blocs, votes, 2, votes*4/10)
	cohesion := uniforms(r, blocs, 0.82, 0.97)
	small := uniform(r, 0.04, 0.07)
	sizes := groupSizes(r, blocs-1, 0.14)
	sizes = append(sizes, small)
	absent := uniform(r, 0.02, 0.18)
	group := members(r, n, sizes)
	data := questionnaire(r, []string{"rc", "vote", "div"}[r.IntN(3)], 0, n, votes, func(i int) []int {
		g := group[i]
		away := math.Min(0.7, absent*gamma(r, 1.5, 1/1.5))
		rebel := 1 - clamp(beta(r, 40*cohesion[g], 40*(1-cohesion[g])), 0.6, 1)
		row := make([]int, votes)
		for j := range row {
			row[j] = whip[g][j]
			if chance(r, rebel) {
				row[j] = 1 - row[j]
			}
			if chance(r, away) {
				row[j] = notAnswered
			}
		}
		return row
	})
	data.Group = group
	return data
}

func nonAttitudes(r *rand.Rand, n int) law.Data {
	issues, waves := between(r, 5, 8), 3
	labels := make([][]string, issues*waves)
	names := make([]string, issues*waves)
	margins := make([][]float64, issues)
	subjects := some(r, []string{"power_plants", "school_aid", "housing", "jobs", "foreign_aid", "tariffs", "troops", "taxes", "rail", "farms"}, issues)
	words := [][]string{{"agree", "disagree", "unsure"}, {"for", "against", "no_view"}}[r.IntN(2)]
	for s := range issues {
		margins[s] = dirichletAround(r, []float64{1, 1, 0.6}, 25)
		for w := range waves {
			names[s*waves+w] = fmt.Sprintf("%s_w%d", subjects[s], w+1)
			labels[s*waves+w] = words
		}
	}
	firm := uniform(r, 0.9, 0.97) // probability of the own answer in a wave
	share := uniform(r, 0.35, 0.7)
	group := members(r, n, []float64{1 - share, share})
	data := choices(r, names, labels, n, func(i int) []int {
		row := make([]int, issues*waves)
		for s := range issues {
			own := categorical(r, margins[s])
			for w := range waves {
				answer := own
				if group[i] == 1 || !chance(r, firm) {
					answer = categorical(r, margins[s])
				}
				row[s*waves+w] = answer
			}
		}
		return row
	})
	data.Group = group
	return data
}

func electorates(r *rand.Rand, n int) law.Data {
	columns := []string{"age", "sex", "place", "church", "educ", "union", "left_right", "immigration", "redistribution", "eu", "trust_gov", "party", "income_decile"}
	parties := coins(r, 6)
	const milieus = 4
	// Old rural believers, urban graduates, workers, and the alienated young.
	age := []float64{uniform(r, 60, 68), uniform(r, 36, 44), uniform(r, 48, 56), uniform(r, 28, 36)}
	place := [][]float64{{8, 3, 1}, {1, 3, 8}, {3, 6, 3}, {4, 4, 3}}
	church := []float64{1.8, -1.6, -0.8, -1.8}
	educ := []float64{-0.4, 1.6, -1.2, -0.6}
	position := [][]float64{ // left-right, immigration, redistribution, Europe
		{6.9, 4.2, 4.2, 5.5},
		{3.2, 7.8, 6.2, 8},
		{3.8, 3.4, 8.2, 4.2},
		{7.2, 1.8, 4.8, 1.8},
	}
	union := []float64{-2.2, -1.2, 0.7, -2.2}
	vote := make([][]float64, milieus)
	for g := range vote {
		base := []float64{0.06, 0.06, 0.06, 0.06, 0.06, 0.06}
		base[g], base[(g+1)%6] = 0.55, 0.15
		vote[g] = dirichletAround(r, base, 40)
	}
	noise := uniform(r, 1.3, 1.8)
	educSteps, churchSteps := steps(r, 4, 0, 0.9, 1.3), steps(r, 5, 0, 0.8, 1.1)
	missing := uniform(r, 0, 0.05)
	group := members(r, n, groupSizes(r, milieus, 0.12))
	data := form(columns, n, func(i int) []string {
		g := group[i]
		row := []string{
			whole(clamp(normal(r, age[g], 9), 18, 95)),
			[]string{"female", "male"}[r.IntN(2)],
			[]string{"village", "town", "city"}[categorical(r, place[g])],
			cell(graded(r, 1.6*church[g], churchSteps), 1),
			cell(graded(r, 1.5*educ[g], educSteps), 1),
			yesNo(bernoulli(r, union[g]), false),
		}
		for _, p := range position[g] {
			row = append(row, whole(clamp(math.Round(normal(r, p, noise)), 0, 10)))
		}
		trust := []float64{5.5, 6, 4.5, 2.2}[g]
		return append(row,
			whole(clamp(math.Round(normal(r, trust, 2)), 0, 10)),
			parties[categorical(r, vote[g])],
			whole(clamp(math.Round(normal(r, []float64{5, 7.5, 4.5, 4}[g], 2.2)), 1, 10)),
		)
	})
	blank(r, data.Table, missing)
	data.Group = group
	return data
}
