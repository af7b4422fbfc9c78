package surveys

import (
	"math"
	"math/rand/v2"

	"github.com/moiety-go/moiety/bank/law"
)

// epidemiologyLaws are laws of diagnoses, tests and health questionnaires.
func epidemiologyLaws() []law.Law {
	return []law.Law{
		{
			Name: "comorbidity of a shared frailty", Kind: law.Presences, Groups: 1, Draw: frailty,
			About: "Diagnosis codes with a normal random intercept of the patient: everything goes with everything, lists are overdispersed (Vaupel, Manton and Stallard 1979; Rijken 2005).",
		},
		{
			Name: "morbidity along age", Kind: law.Presences, Groups: 1, Draw: ageMorbidity,
			About: "Every diagnosis has its own age of highest risk; age is continuous and not in the file (Barnett et al. 2012 on multimorbidity by age).",
		},
		{
			Name: "gate questions with follow-ups", Kind: law.Presences, Groups: 1, Draw: gateQuestions,
			About: "Several loosely related gates; each has one or two follow-ups that are asked after a yes only, else 0 or empty (Kessler and Üstün 2004, CIDI skip patterns).",
		},
		{
			Name: "cardiometabolic survey", Kind: law.Mixed, Groups: 1, Draw: cardiometabolic,
			About: "Health examination survey driven by continuous age and adiposity, with skewed laboratory values and rounded pressures (NHANES; Thavarajah 2003 on digit preference).",
		},
		{
			Name: "quality of life with values missing at random", Kind: law.Mixed, Groups: 1, Draw: qualityOfLife,
			About: "Physical and mental health behind scales and counts; the sicker and older answer less (Ware and Sherbourne 1992; Little and Rubin 2002).",
		},
		{
			Name: "copula of mixed margins", Kind: law.Mixed, Groups: 1, Draw: mixedCopula,
			About: "Student copula of two factors with gamma, log-normal, count, ordered, binary and nominal margins (Demarta and McNeil 2005; Smith and Khaled 2012).",
		},
		{
			Name: "disease profiles with an index code", Kind: law.Presences, Groups: 5, Draw: indexProfiles,
			About: "Cohorts whose members nearly all carry one index code, with satellites of it, over a common background and a continuous frailty (Prados-Torres et al. 2014).",
		},
		{
			Name: "rare comorbidity classes", Kind: law.Presences, Groups: 3, Draw: rareComorbidity,
			About: "Common ambulatory codes in 90 percent, cardio-renal disease in 8 and transplant or cancer care in 2, with frailty inside (Whitson et al. 2016, latent classes of multimorbidity).",
		},
		{
			Name: "diagnostic tests without a gold standard", Kind: law.Presences, Groups: 2, Draw: diagnosticTests,
			About: "Diseased and healthy with imperfect tests that share a random severity and a cross-reaction (Hui and Walter 1980; Qu, Tan and Kutner 1996).",
		},
		{
			Name: "substance use classes", Kind: law.Presences, Groups: 4, Draw: substanceUse,
			About: "Abstainers, drinkers, smokers of tobacco and cannabis, and users of many drugs (Agrawal et al. 2007; Tomczyk et al. 2016).",
		},
		{
			Name: "adverse event syndromes", Kind: law.Presences, Groups: 3, Draw: adverseEvents,
			About: "Short spontaneous reports with three reaction syndromes over a long tail of rare terms (Ball and Botsis 2011; VAERS).",
		},
		{
			Name: "diabetes subgroups", Kind: law.Mixed, Groups: 5, Draw: diabetesSubgroups,
			About: "Autoimmune, insulin-deficient, insulin-resistant, obesity-related and age-related diabetes with the published means (Ahlqvist et al. 2018).",
		},
		{
			Name: "smoking history with routing", Kind: law.Mixed, Groups: 3, Draw: smokingHistory,
			About: "Never, former and current smokers: routed questions are empty for those not asked, and biomarkers and symptoms differ as well (NHIS; Benowitz 1996 on cotinine).",
		},
		{
			Name: "gambling in 90, 8 and 2 percent", Kind: law.Mixed, Groups: 3, Draw: gambling,
			About: "Recreational, at-risk and disordered gamblers that differ in involvement, debts and distress (Blaszczynski and Nower 2002; Ferris and Wynne 2001).",
		},
		{
			Name: "dietary patterns", Kind: law.Ordered, Groups: 3, Draw: dietaryPatterns,
			About: "Food frequencies 0-6 of prudent, western and traditional eaters, with a personal total intake inside (Hu 2002; Fahey et al. 2007, conditional latent classes of diet).",
		},
	}
}

func frailty(r *rand.Rand, n int) law.Data {
	words := diagnoses[:between(r, 40, len(diagnoses))]
	base := spread(zipf(len(words), uniform(r, 0.6, 1)), uniform(r, 0.25, 0.4), 0.006)
	weight := make([]float64, len(words))
	for j := range weight {
		weight[j] = uniform(r, 0.4, 1.3)
	}
	sd := uniform(r, 1, 1.6)
	return lists(r, n, func(int) []string {
		own := normal(r, 0, sd)
		return basket(r, words, func(j int) float64 { return base[j] + weight[j]*own })
	})
}

func ageMorbidity(r *rand.Rand, n int) law.Data {
	words := some(r, diagnoses, between(r, 36, 60))
	peak, width := uniforms(r, len(words), 0, 100), uniforms(r, len(words), 14, 30)
	top := make([]float64, len(words))
	for j := range top {
		top[j] = logit(uniform(r, 0.08, 0.6))
	}
	sd := uniform(r, 0.2, 0.6)
	return lists(r, n, func(int) []string {
		age, own := 95*beta(r, 1.3, 1.2), normal(r, 0, sd)
		return basket(r, words, func(j int) float64 {
			d := (age - peak[j]) / width[j]
			return math.Max(top[j]-d*d, -6) + own
		})
	})
}

func gateQuestions(r *rand.Rand, n int) law.Data {
	gates := between(r, 6, 9)
	first := make([]int, gates) // the column of a gate
	followUps := make([]int, gates)
	items := 0
	for g := range gates {
		first[g] = items
		followUps[g] = between(r, 1, 2)
		items += 1 + followUps[g]
	}
	base, weight := uniforms(r, gates, -0.9, 0.9), uniforms(r, gates, 0.2, 0.8)
	after := uniforms(r, items, -0.6, 1.4)
	skipped := []int{0, notAnswered}[r.IntN(2)]
	names := itemNames(r, []string{"sc", "d", "q"}[r.IntN(3)], items)
	table := make([][]string, n)
	for i := range table {
		trait := r.NormFloat64()
		row := make([]string, items)
		for g, column := range first {
			yes := bernoulli(r, base[g]+weight[g]*trait)
			row[column] = cell(yes, 0)
			for k := 1; k <= followUps[g]; k++ {
				answer := bernoulli(r, after[column+k]+0.4*trait)
				if yes == 0 {
					answer = skipped
				}
				row[column+k] = cell(answer, 0)
			}
		}
		table[i] = row
	}
	return law.Data{Columns: names, Table: table}
}

func cardiometabolic(r *rand.Rand, n int) law.Data {
	columns := []string{"age", "sex", "bmi", "waist", "sbp", "dbp", "glucose", "hdl", "triglycerides", "crp", "active_days", "self_health", "bp_drug"}
	digit := uniform(r, 0.1, 0.6) // preference for pressures that end in 0
	healthSteps := steps(r, 5, -0.3, 1, 1.4)
	missing := uniform(r, 0, 0.05)
	digits := chance(r, 0.5)
	data := form(columns, n, func(int) []string {
		age := 20 + 65*beta(r, 1.4, 1.5)
		older := (age - 50) / 17
		fat := skewed(r, 5) + 0.2*older
		bmi := 27 + 4.8*fat
		sbp := normal(r, 124+9*older+3*fat, 12)
		return []string{
			whole(age),
			[]string{"F", "M"}[r.IntN(2)],
			decimal(clamp(bmi, 15, 70), 1),
			decimal(normal(r, 94+11.5*fat+2*older, 5), 1),
			whole(heaped(r, sbp, 2, 10, digit)),
			whole(heaped(r, normal(r, 0.35*sbp+32-2*older, 7), 2, 10, digit)),
			decimal(logNormal(r, 5.5*math.Exp(0.04*older+0.04*fat), 0.13+0.03*clamp(fat, 0, 3)), 1),
			decimal(logNormal(r, 1.35*math.Exp(-0.08*fat), 0.24), 2),
			decimal(logNormal(r, 1.3*math.Exp(0.15*fat), 0.48), 2),
			decimal(logNormal(r, 1.6*math.Exp(0.35*fat), 0.95), 1),
			whole(float64(binomial(r, 7, sigmoid(0.1-0.3*older-0.3*fat+r.NormFloat64())))),
			cell(graded(r, 0.5*older+0.4*fat, healthSteps), 1),
			yesNo(bernoulli(r, -1.6+1.1*older+0.5*fat), digits),
		}
	})
	blank(r, data.Table, missing)
	return data
}

func qualityOfLife(r *rand.Rand, n int) law.Data {
	columns := []string{"age", "physical_function", "bodily_pain", "vitality", "mental_health", "social_function", "general_health", "sick_days", "visits", "help_needed", "mood_item", "sleep_item", "education"}
	related := uniform(r, 0.3, 0.6)
	missing := uniform(r, 0.03, 0.12)
	moodSteps, sleepSteps, schoolSteps := steps(r, 5, -0.8, 1, 1.4), steps(r, 4, -0.2, 1, 1.4), steps(r, 3, 0, 1.4, 1.8)
	scale := func(health, noise float64) string { // 0 to 100 in twentieths, with a ceiling
		return whole(to(clamp(72+22*health+normal(r, 0, noise), 0, 100), 5))
	}
	return form(columns, n, func(int) []string {
		age := 25 + 65*beta(r, 1.8, 1.6)
		older := (age - 58) / 15
		body := r.NormFloat64() - 0.5*older
		mind := related*body + math.Sqrt(1-related*related)*r.NormFloat64()
		school := r.NormFloat64() - 0.3*older
		row := []string{
			whole(age),
			scale(body, 9), scale(0.9*body-0.2, 16), scale(0.5*body+0.5*mind-0.5, 11), scale(mind, 11), scale(0.5*body+0.5*mind+0.4, 15), scale(0.8*body+0.2*mind-0.3, 11),
			whole(float64(negativeBinomial(r, math.Exp(1-0.6*body-0.3*mind), 0.8))),
			whole(float64(negativeBinomial(r, math.Exp(1.1-0.4*body+0.1*older), 1.5))),
			yesNo(bernoulli(r, -1.8-1.1*body+0.5*older), false),
			cell(graded(r, 1.5*mind, moodSteps), 1),
			cell(graded(r, 0.9*mind+0.4*body, sleepSteps), 1),
			[]string{"primary", "secondary", "tertiary"}[graded(r, school, schoolSteps)],
		}
		silent := clamp(missing*math.Exp(0.35*older), 0, 0.4) // by age, which is known
		for j := 1; j < len(row); j++ {
			if chance(r, silent) {
				row[j] = ""
			}
		}
		return row
	})
}

func mixedCopula(r *rand.Rand, n int) law.Data {
	columns := []string{"age", "income", "distance_km", "weight_kg", "calls", "clicks", "rating", "grade", "stage", "member", "insured", "region"}
	df := uniform(r, 3, 7)
	loading := make([][2]float64, len(columns))
	for j := range loading {
		loading[j] = [2]float64{uniform(r, -0.8, 0.8), uniform(r, -0.5, 0.5)}
	}
	regions := coins(r, 4)
	share := dirichlet(r, 4, 3)
	ratingSteps, gradeSteps := steps(r, 5, 0, 0.5, 0.9), steps(r, 6, 0.3, 0.4, 0.7)
	stageCut := []float64{uniform(r, -0.5, 0.3), uniform(r, 0.8, 1.4)}
	memberCut, insuredCut := uniform(r, -0.5, 1), uniform(r, -1, 0.3)
	median, scale, callMean, clickMean := uniform(r, 1500, 4000), uniform(r, 0.4, 0.9), uniform(r, 1, 4), uniform(r, 8, 25)
	return form(columns, n, func(int) []string {
		stretch := 1 / math.Sqrt(gamma(r, df/2, 2)/df)
		f, g := r.NormFloat64(), r.NormFloat64()
		z := make([]float64, len(columns))
		for j, l := range loading {
			own := math.Sqrt(math.Max(0.1, 1-l[0]*l[0]-l[1]*l[1]))
			z[j] = clamp(stretch*(l[0]*f+l[1]*g+own*r.NormFloat64()), -6, 6)
		}
		place := 0 // the nominal margin cuts the latent number, in no order of meaning
		for rest := sigmoid(1.7 * z[11]); place < 3 && rest > share[place]; place++ {
			rest -= share[place]
		}
		return []string{
			whole(clamp(46+14*z[0], 18, 90)),
			whole(to(median*math.Exp(scale*clamp(z[1], -4, 4)), 10)),
			decimal(7*math.Exp(clamp(z[2], -4, 4)), 1),
			decimal(clamp(74+13*z[3], 35, 190), 1),
			whole(math.Floor(callMean * math.Exp(0.8*clamp(z[4], -4, 3)))),
			whole(math.Floor(clickMean * math.Exp(0.7*clamp(z[5], -4, 3)))),
			cell(level(z[6], ratingSteps), 1),
			cell(level(z[7], gradeSteps), 1),
			[]string{"I", "II", "III"}[level(z[8], stageCut)],
			yesNo(level(z[9], []float64{memberCut}), false),
			yesNo(level(z[10], []float64{insuredCut}), true),
			regions[place],
		}
	})
}

func indexProfiles(r *rand.Rand, n int) law.Data {
	const profiles = 5
	count := between(r, 50, len(diagnoses))
	words := some(r, diagnoses, count)
	base := spread(zipf(count, uniform(r, 0.4, 0.8)), uniform(r, 0.12, 0.25), 0.01)
	order := r.Perm(count)
	lift := make([][]float64, profiles)
	satellites := between(r, 5, 7)
	for p := range lift {
		lift[p] = make([]float64, count)
		mine := order[p*(satellites+1) : (p+1)*(satellites+1)]
		for _, j := range mine[1:] {
			lift[p][j] = logit(uniform(r, 0.35, 0.65)) - base[j]
		}
		base[mine[0]] = logit(uniform(r, 0.01, 0.04)) // the index code is rare in the others
		lift[p][mine[0]] = uniform(r, 3, 4.2) - base[mine[0]]
	}
	sd := uniform(r, 0.3, 0.7)
	group := members(r, n, groupSizes(r, profiles, 0.08))
	data := lists(r, n, func(i int) []string {
		own := normal(r, 0, sd)
		return basket(r, words, func(j int) float64 { return base[j] + lift[group[i]][j] + own })
	})
	data.Group = group
	return data
}

func rareComorbidity(r *rand.Rand, n int) law.Data {
	words := diagnoses
	base := spread(zipf(len(words), uniform(r, 0.6, 0.9)), uniform(r, 0.2, 0.35), 0.004)
	cardiorenal := []string{"I50.0", "N18.3", "I48.9", "I25.1", "D63.0", "I73.9", "E11.9", "M10.9", "N25.8", "E87.5"}
	intensive := []string{"Z94.0", "N18.5", "T86.1", "B25.9", "D84.9", "Z51.1", "C34.9", "R64", "D64.9", "E87.5"}
	low, high := uniform(r, 0.4, 0.5), uniform(r, 0.65, 0.8)
	lift := make([][]float64, 3)
	for g := range lift {
		lift[g] = make([]float64, len(words))
	}
	for j, w := range words {
		for _, c := range cardiorenal {
			if w == c {
				lift[1][j] = logit(uniform(r, low, high)) - base[j]
			}
		}
		for _, c := range intensive {
			if w == c {
				lift[2][j] = logit(uniform(r, low, high)) - base[j]
			}
		}
	}
	sd := uniform(r, 0.4, 0.8)
	group := members(r, n, []float64{0.9, 0.08, 0.02})
	data := lists(r, n, func(i int) []string {
		own := normal(r, 0, sd)
		return basket(r, words, func(j int) float64 { return base[j] + lift[group[i]][j] + own })
	})
	data.Group = group
	return data
}

func diagnosticTests(r *rand.Rand, n int) law.Data {
	tests := between(r, 8, 12)
	sensitivity, falseAlarm := make([]float64, tests), make([]float64, tests)
	severityWeight, crossWeight := uniforms(r, tests, 0.3, 1.1), make([]float64, tests)
	for j := range tests {
		sensitivity[j] = logit(uniform(r, 0.75, 0.95))
		falseAlarm[j] = logit(uniform(r, 0.03, 0.15))
		if j%2 == 0 { // the serological half
			crossWeight[j] = uniform(r, 0.6, 1.4)
		}
	}
	share := uniform(r, 0.1, 0.45)
	lost := uniform(r, 0, 0.06)
	group := members(r, n, []float64{1 - share, share})
	data := questionnaire(r, []string{"test", "pcr_ab", "t"}[r.IntN(3)], 0, n, tests, func(i int) []int {
		own := r.NormFloat64()
		row := make([]int, tests)
		for j := range row {
			x := falseAlarm[j] + crossWeight[j]*own
			if group[i] == 1 {
				x = sensitivity[j] + severityWeight[j]*own
			}
			row[j] = bernoulli(r, x)
			if chance(r, lost) {
				row[j] = notAnswered
			}
		}
		return row
	})
	data.Group = group
	return data
}

func substanceUse(r *rand.Rand, n int) law.Data {
	columns := []string{
		"alc_ever", "alc_year", "alc_month", "binge", "drunk",
		"cig_ever", "cig_month", "cig_daily", "ecig", "can_ever", "can_year", "can_month",
		"coc_ever", "amph_ever", "mdma_ever", "lsd_ever", "opioid_misuse", "sedative_misuse", "inhalants", "shrooms",
	}
	high := uniform(r, 0.78, 0.9)
	low := uniform(r, 0.02, 0.06)
	prob := make([][]float64, 4)
	for g := range prob {
		for j := range columns {
			p := low
			switch {
			case j < 5 && g > 0:
				p = high
			case j >= 5 && j < 12 && g > 1:
				p = high - 0.08
			case j >= 12 && g > 2:
				p = high - 0.3
			case j == 0 || j == 5 || j == 9:
				p = 0.15
			}
			prob[g] = append(prob[g], logit(clamp(p+uniform(r, -0.07, 0.05), 0.01, 0.97)))
		}
	}
	sd := uniform(r, 0.2, 0.5)
	group := members(r, n, []float64{uniform(r, 0.25, 0.4), uniform(r, 0.25, 0.4), uniform(r, 0.15, 0.25), uniform(r, 0.05, 0.1)})
	data := form(columns, n, func(i int) []string {
		own := normal(r, 0, sd)
		row := make([]string, len(columns))
		for j := range row {
			row[j] = cell(bernoulli(r, prob[group[i]][j]+own), 0)
		}
		return row
	})
	data.Group = group
	return data
}

func adverseEvents(r *rand.Rand, n int) law.Data {
	terms := [][]string{
		{"injection site pain", "erythema", "swelling", "warmth", "induration", "pruritus", "rash"},
		{"pyrexia", "chills", "myalgia", "fatigue", "headache", "arthralgia", "malaise"},
		{"dizziness", "syncope", "pallor", "nausea", "hyperhidrosis", "palpitations", "vomiting"},
	}
	rare := coins(r, 60)
	for k := range rare {
		rare[k] += []string{"itis", "algia", "osis", "aemia"}[k%4]
	}
	var words []string
	for _, t := range terms {
		words = append(words, t...)
	}
	own := len(words)
	words = append(words, rare...)
	focus := uniform(r, 0.7, 0.82)
	tail := uniform(r, 0.06, 0.1)
	weights := make([][]float64, len(terms))
	rank := zipf(7, 0.5)
	long := zipf(len(rare), 1)
	for g := range weights {
		weights[g] = make([]float64, len(words))
		for j := range own {
			w := rank[j%7] / 3.6 // the ranks of a syndrome sum to about this
			if j/7 == g {
				weights[g][j] = focus * w
			} else {
				weights[g][j] = (1 - focus - tail) / 2 * w
			}
		}
		for k := range rare {
			weights[g][own+k] = tail * long[k] / 4.7
		}
	}
	mean := uniform(r, 2.2, 3.4)
	group := members(r, n, groupSizes(r, 3, 0.15))
	data := lists(r, n, func(i int) []string {
		return withoutReplacement(r, words, weights[group[i]], 1+poisson(r, mean))
	})
	data.Group = group
	return data
}

func diabetesSubgroups(r *rand.Rand, n int) law.Data {
	columns := []string{"age_diagnosis", "sex", "bmi", "hba1c", "gada", "homa2_b", "homa2_ir", "triglycerides", "ketoacidosis", "insulin_first", "family_history", "treatment"}
	// Autoimmune, insulin-deficient, insulin-resistant, obesity-related, age-related.
	age := []float64{47, 56, 65, 48, 68}
	bmi := []float64{27, 28.5, 33.5, 36, 27.5}
	hba1c := []float64{86, 100, 54, 58, 49}
	secretion := []float64{45, 45, 150, 95, 86}
	resistance := []float64{2.0, 3.0, 5.6, 3.4, 2.5}
	lipid := []float64{1.2, 1.9, 2.4, 2.1, 1.6}
	spread0 := uniform(r, 0.6, 0.85) // how wide the groups are, against the published spread
	group := members(r, n, []float64{0.09, 0.19, 0.17, 0.22, 0.33})
	missing := uniform(r, 0, 0.05)
	data := form(columns, n, func(i int) []string {
		g := group[i]
		gada := "neg"
		if chance(r, []float64{0.97, 0.01, 0.01, 0.01, 0.01}[g]) {
			gada = "pos"
		}
		own := r.NormFloat64() // ties secretion to resistance inside the groups
		return []string{
			whole(clamp(normal(r, age[g], 9*spread0), 18, 92)),
			[]string{"F", "M"}[bernoulli(r, 0.3)],
			decimal(clamp(normal(r, bmi[g], 4.2*spread0), 16, 65), 1),
			whole(clamp(hba1c[g]*math.Exp(0.18*spread0*r.NormFloat64()), 40, 160)),
			gada,
			decimal(secretion[g]*math.Exp(spread0*(0.25*r.NormFloat64()+0.2*own)), 1),
			decimal(resistance[g]*math.Exp(spread0*(0.22*r.NormFloat64()+0.2*own)), 2),
			decimal(logNormal(r, lipid[g], 0.4), 2),
			yesNo(bernoulli(r, []float64{-0.6, -1, -4, -4, -4}[g]), false),
			yesNo(bernoulli(r, []float64{1, 0, -2.5, -2.5, -3}[g]), false),
			yesNo(bernoulli(r, []float64{-0.8, 0, 0.1, 0.2, 0}[g]), false),
			[]string{"diet", "tablets", "insulin"}[categorical(r, [][]float64{{1, 3, 6}, {1, 6, 3}, {3, 6, 1}, {2, 7, 1}, {4, 5, 1}}[g])],
		}
	})
	blank(r, data.Table, missing)
	data.Group = group
	return data
}

func smokingHistory(r *rand.Rand, n int) law.Data {
	columns := []string{"age", "sex", "ever_100", "age_started", "cigs_day", "years_quit", "cotinine", "fev1_pct", "cough", "wheeze", "alcohol_week", "self_health"}
	healthSteps := steps(r, 5, -0.3, 1, 1.3)
	exposure := uniform(r, 0.03, 0.1)
	misreport := uniform(r, 0, 0.03)
	group := members(r, n, []float64{uniform(r, 0.4, 0.6), uniform(r, 0.2, 0.3), uniform(r, 0.15, 0.3)})
	digits := chance(r, 0.3)
	data := form(columns, n, func(i int) []string {
		g := group[i]
		age := 25 + 60*beta(r, 1.5, 1.7)
		smoker := float64(g) / 2
		row := []string{
			whole(heaped(r, age, 1, 5, 0.15)),
			[]string{"F", "M"}[r.IntN(2)],
			yesNo(min(g, 1), digits),
			"", "", "",
			decimal(logNormal(r, []float64{exposure, exposure * 1.5, 190}[g], []float64{0.9, 1, 0.6}[g]), 2),
			whole(normal(r, 99-0.1*(age-25)-14*smoker, 10)),
			yesNo(bernoulli(r, -2.2+2*smoker), digits),
			yesNo(bernoulli(r, -2.4+1.6*smoker), digits),
			whole(float64(negativeBinomial(r, 4+4*smoker, 0.8))),
			cell(graded(r, 0.02*(age-50)+0.7*smoker, healthSteps), 1),
		}
		if g > 0 && !chance(r, misreport) {
			started := clamp(normal(r, 17.5, 3), 9, math.Min(40, age-2))
			row[3] = whole(started)
			row[4] = whole(math.Max(1, heaped(r, gamma(r, 2.5, 6), 1, 5, 0.7)))
			if g == 1 {
				row[5] = whole(math.Max(1, (age-started)*beta(r, 1.3, 1.6)))
			}
		}
		return row
	})
	data.Group = group
	return data
}

func gambling(r *rand.Rand, n int) law.Data {
	columns := []string{"age", "sex", "days_month", "spend_month", "game_types", "online", "chasing", "bigger_bets", "borrowed", "guilt", "distress", "drinks_week", "main_game"}
	days := []float64{uniform(r, 1.5, 2.5), uniform(r, 8, 11), uniform(r, 16, 21)}
	spend := []float64{uniform(r, 15, 25), uniform(r, 150, 250), uniform(r, 900, 1500)}
	types := []float64{0.7, 2.6, 3.5}
	online := []float64{-1.5, 0.8, 1.6}
	symptom := [][]float64{{-3.4, -3.2, -4.2, -3}, {-0.4, 0, -1.6, 0}, {3, 2.6, 2.2, 2.8}}
	distress := []float64{4, 7, 14}
	games := [][]float64{{6, 1, 1, 1, 0.3}, {1, 3, 2, 2, 1}, {0.5, 3, 1, 5, 3}}
	severity := uniform(r, 0.4, 0.8)
	group := members(r, n, []float64{0.9, 0.08, 0.02})
	missing := uniform(r, 0, 0.04)
	data := form(columns, n, func(i int) []string {
		g := group[i]
		own := normal(r, 0, severity)
		row := []string{
			whole(clamp(normal(r, []float64{47, 38, 36}[g], 14), 18, 90)),
			[]string{"F", "M"}[bernoulli(r, []float64{0, 0.7, 1}[g])],
			whole(clamp(float64(negativeBinomial(r, days[g]*math.Exp(0.3*own), 5)), 0, 30)),
			whole(heaped(r, logNormal(r, spend[g]*math.Exp(0.4*own), 0.6), 1, 10, 0.7)),
			whole(float64(1 + poisson(r, types[g]))),
			yesNo(bernoulli(r, online[g]), false),
		}
		for _, s := range symptom[g] {
			row = append(row, cell(graded(r, s+own, []float64{-0.2, 1.3, 2.6}), 0))
		}
		return append(row,
			whole(float64(min(24, negativeBinomial(r, distress[g]*math.Exp(0.2*own), 3)))),
			whole(float64(negativeBinomial(r, []float64{4, 8, 9}[g], 1))),
			[]string{"lottery", "sports", "bingo", "slots", "casino"}[categorical(r, games[g])],
		)
	})
	blank(r, data.Table, missing)
	data.Group = group
	return data
}

func dietaryPatterns(r *rand.Rand, n int) law.Data {
	foods := []string{
		"fruit", "raw_veg", "cooked_veg", "legumes", "nuts", "fish", "wholegrain", "yoghurt",
		"fries", "burgers", "soft_drinks", "sweets", "crisps", "processed_meat", "pizza",
		"potatoes", "gravy", "pork", "white_bread", "butter", "cakes", "beer", "eggs", "cheese",
	}
	raised := func(g, j int) bool {
		switch g {
		case 0:
			return j < 8
		case 1:
			return j >= 8 && j < 15
		default:
			return j >= 15 && j < 21
		}
	}
	lift := uniform(r, 1.8, 2.6)
	place := make([][]float64, 3)
	threshold := make([][]float64, len(foods))
	for j := range threshold {
		threshold[j] = steps(r, 7, uniform(r, -0.5, 0.8), 0.6, 1)
	}
	for g := range place {
		for j := range foods {
			x := normal(r, -0.4, 0.3)
			if raised(g, j) {
				x += lift
			}
			place[g] = append(place[g], x)
		}
	}
	intake := uniform(r, 0.5, 0.9)
	missing := uniform(r, 0, 0.04)
	group := members(r, n, groupSizes(r, 3, 0.15))
	data := form(foods, n, func(i int) []string {
		own := normal(r, 0, intake)
		row := make([]string, len(foods))
		for j := range row {
			row[j] = cell(graded(r, place[group[i]][j]+own, threshold[j]), 0)
		}
		return row
	})
	blank(r, data.Table, missing)
	data.Group = group
	return data
}
