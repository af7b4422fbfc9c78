package simulators

import (
	"math"
	"math/rand/v2"

	"github.com/moiety-go/moiety/bank/law"
)

// mixedLaws are simulated files with columns of different kinds.
func mixedLaws() []law.Law {
	return []law.Law{
		{
			Name: "k-prototypes design", Kind: law.Mixed, Groups: 4,
			About: "Normal and categorical columns, each of which parts some of the clusters (Szepannek 2018, clustMixType; Huang 1998).",
			Draw:  func(r *rand.Rand, n int) law.Data { return drawPrototypes(r, n, uneven(r, 4), 1.7, 0.72) },
		},
		{
			Name: "location model", Kind: law.Mixed, Groups: 3,
			About: "Location model: binary cells, and normals whose means depend on group and cell (Krzanowski 1983; Willse and Boik 1999).",
			Draw:  drawLocation,
		},
		{
			Name: "gower clusters with gaps", Kind: law.Mixed, Groups: 3,
			About: "Numeric, ordered, binary and nominal columns with missing cells (Gower 1971; van de Velden, Iodice D'Enza and Markos 2019).",
			Draw:  drawGower,
		},
		{
			Name: "rare strata", Kind: law.Mixed, Groups: 3,
			About: "Latent class clusters of 90, 8 and 2 percent in mixed columns (Vermunt and Magidson 2002; Hennig and Liao 2013).",
			Draw:  func(r *rand.Rand, n int) law.Data { return drawPrototypes(r, n, steep(), 2.4, 0.8) },
		},
		{
			Name: "patients with local dependence", Kind: law.Mixed, Groups: 2,
			About: "Two stages of a disease in mixed columns, with blocks of dependent columns in each (Hunt and Jorgensen 1999, Multimix).",
			Draw:  drawMultimix,
		},
		{
			Name: "copula of mixed columns", Kind: law.Mixed, Groups: 1,
			About: "Gaussian copula of numbers, counts, ordered and binary columns (Hoff 2007).",
			Draw:  drawMixedCopula,
		},
		{
			Name: "mixed latent trait", Kind: law.Mixed, Groups: 1,
			About: "Generalised latent trait model: one continuous trait behind columns of all kinds (Moustaki and Knott 2000).",
			Draw:  drawMixedTrait,
		},
		{
			Name: "household survey", Kind: law.Mixed, Groups: 1,
			About: "Income, spending, schooling and health that follow age and schooling without classes, with answers missing at random (Little and Rubin 2002; Hennig and Liao 2013).",
			Draw:  drawHousehold,
		},
		{
			Name: "skewed registry", Kind: law.Mixed, Groups: 1,
			About: "Skewed laboratory values, counts and statuses that worsen with a continuous age and severity (Moustaki 1996; Rockwood and Mitnitski 2007).",
			Draw:  drawRegistry,
		},
	}
}

// drawPrototypes moves each numeric column and turns each nominal one for a random
// part of the groups. Apart is the step of a numeric column in standard deviations;
// focus the chance of a group's favoured label.
func drawPrototypes(r *rand.Rand, n int, shares []float64, apart, focus float64) law.Data {
	k := len(shares)
	numeric, factors, m := between(r, 4, 6), between(r, 4, 6), 4
	level := zeros(k, numeric)
	for j := range numeric {
		for g, place := range r.Perm(k) {
			level[g][j] = float64(place%3) * apart * uniform(r, 0.85, 1.15)
		}
	}
	likes := make([][]int, k)
	for g := range likes {
		likes[g] = make([]int, factors)
	}
	for j := range factors {
		for g, label := range r.Perm(m)[:k] {
			likes[g][j] = label
		}
	}
	unit, origin := make([]float64, numeric), make([]float64, numeric)
	for j := range unit {
		unit[j] = math.Pow(10, uniform(r, -0.3, 1.5))
		origin[j] = unit[j] * uniform(r, 3, 8)
	}
	numberNames := namesFrom(r, bodyNames, numeric)
	labels := nominal(r, factors, m)
	group := assign(r, n, shares)
	data := law.Data{Columns: append(numberNames, numbered("factor_", factors)...), Group: group}
	for _, g := range group {
		row := make([]string, 0, numeric+factors)
		for j := range numeric {
			row = append(row, fixed(origin[j]+unit[j]*normal(r, level[g][j], 1), decimalsFor(unit[j])))
		}
		for j := range factors {
			label := likes[g][j]
			if !bernoulli(r, focus) {
				label = r.IntN(m)
			}
			row = append(row, labels[j][label])
		}
		data.Table = append(data.Table, row)
	}
	return data
}

func drawLocation(r *rand.Rand, n int) law.Data {
	const k = 3
	binary, numeric := 5, between(r, 4, 5)
	yes := zeros(k, binary)
	covariances := make([]matrix, k)
	shared := randomCovariance(r, numeric, 0.4, 1.6)
	for g := range k {
		covariances[g] = shared
		for j := range binary {
			yes[g][j] = uniform(r, 0.1, 0.9)
		}
	}
	means := spread(apart(r, k, numeric), covariances, uniform(r, 3.8, 4.6))
	shift := make([][]float64, binary)
	for j := range shift { // what a cell adds to the means, in each group the same
		shift[j] = scaled(normals(r, numeric), 0.3)
	}
	l := cholesky(shared)
	group := assign(r, n, uneven(r, k))
	names := append(namesFrom(r, bodyNames, numeric), namesIn(r, []string{"smoker", "diabetes", "surgery", "pain", "fever", "cough", "rural"}, binary)...)
	data := law.Data{Columns: names, Group: group}
	words := [][]string{{"no", "yes"}, {"0", "1"}, {"N", "Y"}}[r.IntN(3)]
	for _, g := range group {
		x := gaussian(r, means[g], l)
		var tail []string
		for j := range binary {
			value := 0
			if bernoulli(r, yes[g][j]) {
				value = 1
				x = plus(x, shift[j])
			}
			tail = append(tail, words[value])
		}
		data.Table = append(data.Table, append(numbers(x, 2), tail...))
	}
	return data
}

func drawGower(r *rand.Rand, n int) law.Data {
	const k = 3
	group := assign(r, n, uneven(r, k))
	age := []float64{uniform(r, 28, 34), uniform(r, 44, 52), uniform(r, 62, 70)}
	income := []float64{uniform(r, 9.9, 10.2), uniform(r, 10.8, 11.1), uniform(r, 10.1, 10.4)}
	visits := []float64{uniform(r, 0.8, 1.5), uniform(r, 2, 3.5), uniform(r, 7, 10)}
	trust := []float64{uniform(r, -1.5, -0.8), uniform(r, 0.5, 1.2), uniform(r, -0.2, 0.3)}
	cuts := []float64{-1.5, -0.5, 0.5, 1.5}
	owns := []float64{uniform(r, 0.1, 0.25), uniform(r, 0.75, 0.9), uniform(r, 0.6, 0.9)}
	drives := []float64{uniform(r, 0.3, 0.6), uniform(r, 0.85, 0.95), uniform(r, 0.2, 0.45)}
	jobs := []string{"student", "employed", "self-employed", "retired"}
	job := matrix{{0.45, 0.45, 0.08, 0.02}, {0.02, 0.7, 0.25, 0.03}, {0.01, 0.15, 0.09, 0.75}}
	media := []string{"online", "tv", "print", "radio"}
	medium := matrix{{0.75, 0.1, 0.05, 0.1}, {0.4, 0.2, 0.25, 0.15}, {0.1, 0.5, 0.25, 0.15}}
	data := law.Data{
		Columns: []string{"age", "income", "doctor_visits", "trust", "satisfaction", "home_owner", "car", "occupation", "media"},
		Group:   group,
	}
	for _, g := range group {
		data.Table = append(data.Table, []string{
			whole(int(math.Round(math.Max(18, normal(r, age[g], 7))))),
			whole(100 * int(logNormal(r, income[g], 0.35)/100)),
			whole(poisson(r, visits[g])),
			whole(1 + graded(r, trust[g], 1.8, cuts)),
			whole(1 + graded(r, -trust[g], 1.5, cuts)),
			bit(bernoulli(r, owns[g])),
			bit(bernoulli(r, drives[g])),
			jobs[categorical(r, job[g])],
			media[categorical(r, medium[g])],
		})
	}
	return blank(r, data, uniform(r, 0.01, 0.06))
}

func drawMultimix(r *rand.Rand, n int) law.Data {
	group := assign(r, n, uneven(r, 2))
	rho := []float64{uniform(r, 0.3, 0.7), uniform(r, -0.2, 0.5)}
	gap := uniforms(r, 6, 1.1, 1.9)
	bone, stage := uniform(r, 0.03, 0.1), uniform(r, 0.6, 0.8)
	activity := matrix{{0.85, 0.1, 0.05}, {0.5, 0.3, 0.2}}
	data := law.Data{
		Columns: []string{"age", "weight", "sbp", "dbp", "hemoglobin", "tumor_size", "log_phosphatase", "stage", "bone_metastases", "activity"},
		Group:   group,
	}
	for _, g := range group {
		sick := float64(g)
		z := normals(r, 7)
		pair := rho[g]*z[2] + math.Sqrt(1-rho[g]*rho[g])*z[3]
		size := z[5] + sick*gap[1]
		// Phosphatase follows the tumor's size within the advanced stage.
		phosphatase := 0.4*sick*z[5] + 0.9*z[6] + sick*gap[2]
		data.Table = append(data.Table, []string{
			whole(int(71 + 7*z[0])),
			fixed(99+13*z[1]-6*sick*gap[3], 1),
			whole(int(144 + 24*z[2])),
			whole(int(81 + 14*pair)),
			fixed(13.8+1.6*z[4]-1.6*sick*gap[0], 1),
			fixed(12+6*size, 1),
			fixed(0.6+0.9*phosphatase, 2),
			chooseStage(r, sick*stage+(1-sick)*0.15),
			bit(bernoulli(r, bone+sick*0.4)),
			[]string{"normal", "in bed part of day", "mostly in bed"}[categorical(r, activity[g])],
		})
	}
	return data
}

// chooseStage draws the stage, the higher with the given chance.
func chooseStage(r *rand.Rand, p float64) string {
	if bernoulli(r, p) {
		return "stage 4"
	}
	return "stage 3"
}

// cut is the number of cut points below x.
func cut(x float64, points []float64) int {
	code := 0
	for _, p := range points {
		if x > p {
			code++
		}
	}
	return code
}

// sortedNormals draws m cut points in order, about evenly over the normal.
func sortedNormals(r *rand.Rand, m int) []float64 {
	points := make([]float64, m)
	for i := range points {
		points[i] = normalQuantile((float64(i)+uniform(r, 0.6, 1.4))/(float64(m)+1)*0.96 + 0.01)
	}
	return newQuantiles(points)
}

func drawMixedCopula(r *rand.Rand, n int) law.Data {
	names := []string{"age", "bmi", "income", "sbp", "visits", "children", "education", "health", "stress", "smoker", "married", "insured"}
	l := cholesky(factorCorrelation(r, len(names), 2, 0.3, 0.8))
	young, fat, rich, odds := uniform(r, -0.4, 0.3), uniform(r, 24, 29), uniform(r, 9.8, 10.8), uniforms(r, 3, -0.8, 0.8)
	school, health, stress := sortedNormals(r, 3), sortedNormals(r, 4), sortedNormals(r, 4)
	visits := uniform(r, 0.5, 1.5)
	data := law.Data{Columns: names}
	for range n {
		z := lowerTimes(l, normals(r, len(names)))
		data.Table = append(data.Table, []string{
			whole(int(18 + 70*normalCDF(0.8*z[0]+young))),
			fixed(fat*math.Exp(0.17*z[1]), 1),
			whole(10 * int(math.Exp(rich+0.6*z[2])/10)),
			whole(int(128 + 16*z[3])),
			whole(int(math.Exp(visits+0.7*z[4]) - 0.3)),
			whole(cut(z[5], []float64{-0.6, 0.1, 0.9, 1.6, 2.3})),
			whole(1 + cut(z[6], school)),
			whole(1 + cut(z[7], health)),
			whole(1 + cut(z[8], stress)),
			bit(z[9] > odds[0]),
			bit(z[10] > odds[1]),
			bit(z[11] > odds[2]),
		})
	}
	return blank(r, data, choiceOf(r, 0, 0.02))
}

func drawMixedTrait(r *rand.Rand, n int) law.Data {
	load := uniforms(r, 12, 0.6, 1.5)
	base := uniforms(r, 12, -0.8, 0.8)
	cuts := cutTable(r, 3, 4, -0.4, 0.4)
	regions := []string{"north", "south", "east", "west"}
	region := scaled(normals(r, 4), 0.5)
	data := law.Data{Columns: []string{"score_a", "score_b", "score_c", "errors", "attempts", "rating_1", "rating_2", "rating_3", "passed", "attended", "helped", "region"}}
	for range n {
		t := r.NormFloat64()
		row := []string{
			fixed(50+10*(load[0]*t+r.NormFloat64()), 1),
			fixed(20+4*(load[1]*t+r.NormFloat64()), 1),
			fixed(math.Exp(1+0.4*(load[2]*t+0.7*r.NormFloat64())), 2),
			whole(poisson(r, math.Exp(1-0.4*load[3]*t))),
			whole(poisson(r, math.Exp(1.2+0.3*load[4]*t))),
		}
		for j := range 3 {
			row = append(row, whole(1+graded(r, t, load[5+j]*1.4, cuts[j])))
		}
		for j := range 3 {
			row = append(row, yesOrNo(bernoulli(r, logistic(base[8+j]+load[8+j]*t))))
		}
		w := make([]float64, 4)
		for c := range w {
			w[c] = math.Exp(region[c] * t)
		}
		data.Table = append(data.Table, append(row, regions[categorical(r, w)]))
	}
	return data
}

func yesOrNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

func drawHousehold(r *rand.Rand, n int) law.Data {
	effect := uniforms(r, 8, 0.5, 1.2)
	gone := uniform(r, 0.03, 0.12)
	data := law.Data{Columns: []string{"age", "schooling_years", "income", "rent", "food_spending", "household_size", "rooms", "car", "health", "life_satisfaction", "internet"}}
	for range n {
		age := 18 + 62*beta(r, 1.4, 1.7)
		a := (age - 46) / 16
		school := 12 - effect[0]*a + 2.4*r.NormFloat64()
		s := (school - 12) / 2.6
		wealth := 0.35*effect[1]*s + 0.25*effect[2]*a*(1-0.5*a) + 0.55*r.NormFloat64()
		size := 1 + poisson(r, 1.5*math.Exp(-0.4*effect[3]*a*a/2))
		row := []string{
			whole(int(age)),
			whole(int(math.Max(4, math.Round(school)))),
			whole(50 * int(math.Exp(7.7+wealth)/50)),
			whole(10 * int(math.Exp(6.2+0.5*wealth+0.08*float64(size)+0.3*r.NormFloat64())/10)),
			whole(int(math.Exp(5.4 + 0.3*wealth + 0.2*math.Log(float64(size)) + 0.25*r.NormFloat64()))),
			whole(size),
			whole(1 + poisson(r, 1.6*math.Exp(0.25*wealth+0.1*float64(size)))),
			bit(bernoulli(r, logistic(0.4+effect[4]*wealth))),
			whole(1 + graded(r, -0.6*effect[5]*a+0.3*s, 1.6, []float64{-2.2, -1, 0.2, 1.5})),
			whole(graded(r, 0.4*effect[6]*wealth+0.2*r.NormFloat64(), 1.8, []float64{-2.4, -1.9, -1.5, -1, -0.6, -0.1, 0.5, 1, 1.7, 2.3})),
			bit(bernoulli(r, logistic(1.2-0.8*effect[7]*a+0.5*s))),
		}
		if bernoulli(r, gone*math.Exp(0.3*a)) {
			row[2] = ""
		}
		if bernoulli(r, gone/2) {
			row[9] = ""
		}
		data.Table = append(data.Table, row)
	}
	return data
}

func drawRegistry(r *rand.Rand, n int) law.Data {
	load := uniforms(r, 8, 0.3, 0.8)
	skewness := uniform(r, 0.5, 1.8)
	data := law.Data{Columns: []string{"age", "crp", "creatinine", "albumin", "los_days", "prior_admissions", "medications", "mobility", "nyha", "oxygen", "delirium"}}
	for range n {
		severity := skewed(r, skewness)
		age := 20 + 75*beta(r, 4, 2)
		a := (age - 70) / 13
		t := severity + 0.3*a
		data.Table = append(data.Table, []string{
			whole(int(age)),
			fixed(math.Exp(2+load[0]*t+0.8*r.NormFloat64()), 1),
			fixed(math.Exp(-0.05+0.3*load[1]*t+0.1*a+0.25*r.NormFloat64()), 2),
			fixed(40-3*load[2]*t-0.8*a+3.5*r.NormFloat64(), 1),
			whole(1 + negBinomial(r, math.Exp(1.5+0.5*load[3]*t), 2.5)),
			whole(negBinomial(r, math.Exp(0.1+0.5*load[4]*t), 1.5)),
			whole(poisson(r, math.Exp(1.5+0.25*load[5]*t+0.2*a))),
			whole(graded(r, -t-0.4*a, 1.3, []float64{-2, -1, 0.3})),
			whole(1 + graded(r, t, 1.2, []float64{-0.3, 0.9, 2})),
			bit(bernoulli(r, logistic(-1+load[6]*t))),
			bit(bernoulli(r, logistic(-2+load[7]*t+0.4*a))),
		})
	}
	return blank(r, data, choiceOf(r, 0, 0.03))
}
