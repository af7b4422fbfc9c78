package biology

import (
	"math"
	"math/rand/v2"

	"github.com/moiety-go/moiety/bank/law"
)

// clinicalCodes are the laws of diagnoses, symptoms and prescriptions.
func clinicalCodes() []law.Law {
	return []law.Law{
		{
			Name: "multimorbidity by age", Kind: law.Presences, Groups: 1,
			About: "Multimorbidity rises smoothly with age (Barnett et al. 2012): each diagnosis has its own slope on age and frailty is continuous.",
			Draw:  multimorbidityAge,
		},
		{
			Name: "disease network", Kind: law.Presences, Groups: 1,
			About: "A comorbidity network (Goh et al. 2007; Hidalgo et al. 2009): liabilities of linked diseases share a normal cause a link (liability threshold model, Falconer 1965), no disease links many.",
			Draw:  diseaseNetwork,
		},
		{
			Name: "symptom severity continuum", Kind: law.Presences, Groups: 1,
			About: "A symptom checklist driven by one skewed severity (Rasch 1960; Reise and Waller 2009): mild persons are many, there is no cut between ill and well.",
			Draw:  symptomSeverity,
		},
		{
			Name: "double coded registry", Kind: law.Presences, Groups: 1,
			About: "A registry that codes the same finding twice (Quan et al. 2005 on ICD versions): pairs of columns are near copies, findings are otherwise independent but for record length.",
			Draw:  doubleCoded,
		},
		{
			Name: "comorbidity patterns of four", Kind: law.Presences, Groups: 4,
			About: "Multimorbidity patterns (Prados-Torres et al. 2014): cardiometabolic, psychogeriatric, mechanical and respiratory, each with a continuous burden of age.",
			Draw:  comorbidityPatterns,
		},
		{
			Name: "asthma symptom types", Kind: law.Presences, Groups: 3,
			About: "Wheeze phenotypes of childhood (Martinez et al. 1995) in a questionnaire of yes and no answers: no, viral and atopic wheeze.",
			Draw:  wheezeTypes,
		},
		{
			Name: "medication profiles of seven", Kind: law.Presences, Groups: 7,
			About: "Prescriptions by ATC code (polypharmacy patterns of Calderon-Larranaga et al. 2013): seven treatment profiles over drugs that all take.",
			Draw:  medicationProfiles,
		},
		{
			Name: "blurred comorbidity hard", Kind: law.Presences, Groups: 2,
			About: "Two comorbidity classes of hospital patients (Larsen et al. 2017) that differ a little in many codes, with age within both.",
			Draw:  blurredComorbidity,
		},
	}
}

// diagnoses are codes of the tenth revision of the classification of diseases.
var diagnoses = []string{
	"I10", "E11.9", "E78.5", "I25.1", "I48.0", "I50.9", "N18.3", "E66.9", "I63.9", "I73.9",
	"F32.9", "F41.1", "F03", "G20", "G30.9", "F10.2", "R41.3", "G47.0", "H91.9", "W19",
	"M17.1", "M54.5", "M81.0", "M16.1", "M47.8", "M75.1", "S72.0", "M79.7", "M10.9", "M06.9",
	"J44.9", "J45.9", "J30.1", "J20.9", "J18.9", "J32.9", "G47.3", "J84.1", "J96.0", "R05",
	"K21.9", "K57.3", "K80.2", "N40", "N39.0", "D50.9", "E03.9", "H25.9", "L40.0", "B35.1",
}

func multimorbidityAge(r *rand.Rand, n int) law.Data {
	m := between(r, 28, 45)
	codes := rows(m, func(j int) string { return diagnoses[j] })
	level := fill(m, func() float64 { return normal(r, -2, 0.7) })
	slope := fill(m, func() float64 { return normal(r, 0.6, 0.35) })
	frailty := fill(m, func() float64 { return uniform(r, 0, 0.6) })
	lists := presenceLists(r, n, codes, func(int) func(int) float64 {
		age := uniform(r, 25, 92)
		weak := r.NormFloat64()
		return func(j int) float64 { return logistic(level[j] + slope[j]*(age-60)/13 + frailty[j]*weak) }
	})
	return law.Data{Lists: lists}
}

func diseaseNetwork(r *rand.Rand, n int) law.Data {
	m := between(r, 26, 44)
	order := r.Perm(m)
	type link struct{ a, b int }
	var links []link
	degree := make([]int, m)
	add := func(a, b int) {
		if a != b && degree[a] < 4 && degree[b] < 4 {
			links = append(links, link{a, b})
			degree[a]++
			degree[b]++
		}
	}
	for i := range m {
		add(order[i], order[(i+1)%m])
	}
	for range m / 2 {
		add(r.IntN(m), r.IntN(m))
	}
	share := uniform(r, 0.5, 0.85)
	cut := fill(m, func() float64 { return uniform(r, 0.4, 1.4) })
	lists := rows(n, func(int) []string {
		liability := make([]float64, m)
		for _, l := range links {
			w := r.NormFloat64()
			liability[l.a] += w * math.Sqrt(share/float64(degree[l.a]))
			liability[l.b] += w * math.Sqrt(share/float64(degree[l.b]))
		}
		list := []string{}
		for j := range m {
			if liability[j]+normal(r, 0, math.Sqrt(1-share)) > cut[j] {
				list = append(list, diagnoses[j])
			}
		}
		return list
	})
	return law.Data{Lists: lists}
}

func symptomSeverity(r *rand.Rand, n int) law.Data {
	m := between(r, 14, 24)
	need := fill(m, func() float64 { return normal(r, 0.8, 1.1) })
	slope := fill(m, func() float64 { return uniform(r, 1, 2.5) })
	shape := uniform(r, 1, 2.5)
	table := presenceTable(r, n, m, func(int) func(int) float64 {
		severity := (gamma(r, shape, 1) - shape) / math.Sqrt(shape)
		return func(j int) float64 { return logistic(slope[j] * (severity - need[j])) }
	})
	if chance(r, 0.5) {
		punch(r, table, 0.05)
	}
	return law.Data{Columns: numbered("symptom_", m), Table: table}
}

func doubleCoded(r *rand.Rand, n int) law.Data {
	pairs := between(r, 10, 16)
	level := fill(pairs, func() float64 { return normal(r, -0.8, 0.7) })
	length := fill(pairs, func() float64 { return uniform(r, 0, 0.5) })
	agree := fill(pairs, func() float64 { return uniform(r, 0.85, 0.98) })
	order := r.Perm(2 * pairs)
	table := rows(n, func(int) []string {
		long := r.NormFloat64()
		row := make([]string, 2*pairs)
		for j := range pairs {
			has := chance(r, logistic(level[j]+length[j]*long))
			row[order[2*j]] = flag(has)
			row[order[2*j+1]] = flag(has == chance(r, agree[j]))
		}
		return row
	})
	return law.Data{Columns: rows(2*pairs, func(j int) string { return diagnoses[j] }), Table: table}
}

func comorbidityPatterns(r *rand.Rand, n int) law.Data {
	const k = 4
	m := 50
	level := matrix(k, m)
	for j := range m {
		base := uniform(r, -3, -1.6)
		if j >= 40 {
			base = uniform(r, -2, -0.4)
		}
		for g := range k {
			level[g][j] = base
			if j/10 == g {
				level[g][j] += uniform(r, 2, 3.4)
			}
		}
	}
	slope := fill(m, func() float64 { return uniform(r, 0, 0.4) })
	group := members(r, n, uneven(r, k, 0.12))
	lists := presenceLists(r, n, diagnoses, func(i int) func(int) float64 {
		age := r.NormFloat64()
		return func(j int) float64 { return logistic(level[group[i]][j] + slope[j]*age) }
	})
	return law.Data{Lists: lists, Group: group}
}

func wheezeTypes(r *rand.Rand, n int) law.Data {
	names := []string{
		"wheeze_ever", "wheeze_12m", "wheeze_with_cold", "wheeze_without_cold", "wheeze_exercise", "night_cough",
		"chest_tightness", "short_of_breath", "sleep_disturbed", "speech_limited", "eczema", "hay_fever",
		"skin_test_mite", "skin_test_grass", "skin_test_cat", "parent_asthma", "inhaler_use", "inhaler_helps",
		"emergency_visit", "antibiotics_12m", "food_allergy", "itchy_eyes", "winter_worse", "spring_worse",
	}
	viral := []int{0, 1, 2, 5, 7, 8, 16, 18, 19, 22}
	atopic := []int{0, 1, 3, 4, 5, 6, 10, 11, 12, 13, 14, 15, 16, 17, 20, 21, 23}
	p := rows(3, func(int) []float64 {
		return fill(len(names), func() float64 { return uniform(r, 0.04, 0.15) })
	})
	for _, j := range viral {
		p[1][j] = uniform(r, 0.55, 0.9)
	}
	for _, j := range atopic {
		p[2][j] = uniform(r, 0.5, 0.9)
	}
	group := members(r, n, []float64{0.6, 0.25, 0.15})
	table := presenceTable(r, n, len(names), func(i int) func(int) float64 {
		return func(j int) float64 { return p[group[i]][j] }
	})
	punch(r, table, 0.04)
	return law.Data{Columns: names, Table: table, Group: group}
}

func medicationProfiles(r *rand.Rand, n int) law.Data {
	const k = 7
	m := between(r, 65, 85)
	letters := "ABCDGHJLMNRS"
	codes := distinct(m, func() string {
		return string(letters[r.IntN(len(letters))]) + decimal(float64(between(r, 1, 16))/100, 2)[2:] +
			string(rune('A'+r.IntN(5))) + string(rune('A'+r.IntN(8))) + decimal(float64(between(r, 1, 30))/100, 2)[2:]
	})
	p := matrix(k, m)
	for j := range m {
		common := uniform(r, 0.05, 0.5)
		for g := range k {
			switch j % (k + 1) {
			case k:
				p[g][j] = common
			case g:
				p[g][j] = uniform(r, 0.45, 0.85)
			default:
				p[g][j] = uniform(r, 0.02, 0.1)
			}
		}
	}
	group := members(r, n, uneven(r, k, 0.07))
	lists := presenceLists(r, n, codes, func(i int) func(int) float64 {
		return func(j int) float64 { return p[group[i]][j] }
	})
	return law.Data{Lists: lists, Group: group}
}

func blurredComorbidity(r *rand.Rand, n int) law.Data {
	m := between(r, 38, 50)
	level := fill(m, func() float64 { return normal(r, -1.2, 0.7) })
	shift := fill(m, func() float64 { return normal(r, 0, 0.52) })
	slope := fill(m, func() float64 { return uniform(r, 0, 0.4) })
	group := members(r, n, []float64{0.5, 0.5})
	lists := presenceLists(r, n, rows(m, func(j int) string { return diagnoses[j] }), func(i int) func(int) float64 {
		age := r.NormFloat64()
		return func(j int) float64 {
			return logistic(level[j] + slope[j]*age + shift[j]*(2*float64(group[i])-1))
		}
	})
	return law.Data{Lists: lists, Group: group}
}
