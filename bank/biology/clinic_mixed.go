package biology

import (
	"math"
	"math/rand/v2"
	"strconv"

	"github.com/moiety-go/moiety/bank/law"
)

// clinicalMixed are the laws of tables with columns of different kinds.
func clinicalMixed() []law.Law {
	return []law.Law{
		{
			Name: "geriatric clinic by age", Kind: law.Mixed, Groups: 1,
			About: "A geriatric clinic: age and a continuous frailty (Rockwood and Mitnitski 2007) move labs, vitals, falls and care, sex and blood group move nothing else.",
			Draw:  geriatricClinic,
		},
		{
			Name: "kidney function continuum", Kind: law.Mixed, Groups: 1,
			About: "Chronic kidney disease as a continuum of filtration (Levey et al. 2009): labs bend with it, and a stage of KDIGO is the filtration rate cut.",
			Draw:  kidneyContinuum,
		},
		{
			Name: "trauma registry tails", Kind: law.Mixed, Groups: 1,
			About: "A trauma registry: a heavy-tailed injury severity (Baker et al. 1974) drives lengths of stay, units of blood and outcome, values missing at random.",
			Draw:  traumaRegistry,
		},
		{
			Name: "soil plots gradient", Kind: law.Mixed, Groups: 1,
			About: "Vegetation plots along one gradient of acidity (Ellenberg 1974): soil chemistry, counts of species, cover and the dominant tree change smoothly.",
			Draw:  soilPlots,
		},
		{
			Name: "pregnancy weeks", Kind: law.Mixed, Groups: 1,
			About: "Ultrasound of pregnancies at all weeks (Hadlock et al. 1984): fetal biometry follows gestational age by growth curves, maternal columns hardly.",
			Draw:  pregnancyWeeks,
		},
		{
			Name: "asthma control continuum", Kind: law.Mixed, Groups: 1,
			About: "Asthma control as a skewed continuum (Juniper et al. 1999): lung function, symptoms, answers in steps, attacks and treatment all follow it, allergy is a second continuous trait.",
			Draw:  asthmaControl,
		},
		{
			Name: "heart failure phenogroups", Kind: law.Mixed, Groups: 3,
			About: "Phenogroups of heart failure (Shah et al. 2015; Ponikowski et al. 2016): preserved and obese, reduced and ischaemic, elderly with fibrillation and kidney disease.",
			Draw:  heartPhenogroups,
		},
		{
			Name: "intensive care phenotypes", Kind: law.Mixed, Groups: 4,
			About: "Admissions to intensive care (Vranas et al. 2017): after surgery, septic, cardiogenic and neurological, in vitals, labs, scores and treatments.",
			Draw:  intensiveCare,
		},
		{
			Name: "diabetes types rare", Kind: law.Mixed, Groups: 3,
			About: "A diabetes register (ElSayed et al. 2023, classification): type 2 at 90 percent, type 1 at 8 and pancreatic diabetes at 2 percent.",
			Draw:  diabetesRegister,
		},
		{
			Name: "tropical fevers of three", Kind: law.Mixed, Groups: 3,
			About: "Fevers of the tropics at admission (Potts and Rothman 2008): dengue, malaria and typhoid, by blood counts, signs and season.",
			Draw:  tropicalFevers,
		},
		{
			Name: "forest stands of five", Kind: law.Mixed, Groups: 5,
			About: "Forest site types (Cajander 1926): five types by soil, stand measures, dominant tree and indicator plants.",
			Draw:  forestStands,
		},
		{
			Name: "airway overlap hard", Kind: law.Mixed, Groups: 2,
			About: "Asthma and chronic obstructive disease in smokers (Postma and Rabe 2015): two diseases with wide overlap of lung function, history and cells.",
			Draw:  airwayOverlap,
		},
	}
}

// column is a column of a mixed table: draw gives a cell of a record of group g whose
// continuous trait is s.
type column struct {
	name string
	draw func(g int, s float64) string
}

// amount is a measure with the given median, deviation and warp; slope is the share
// of the trait, and profile the shifts of the groups in deviations.
func amount(r *rand.Rand, name string, median, sd, warp float64, decimals int, slope float64, profile ...float64) column {
	moved := jitter(r, [][]float64{profile}, 1, 0.15)[0]
	slope *= uniform(r, 0.8, 1.2)
	return column{name, func(g int, s float64) string {
		z := r.NormFloat64() + slope*s
		if len(moved) > 0 {
			z += moved[g]
		}
		return decimal(warped(z, median, sd, warp), decimals)
	}}
}

// choice is a label with the weights of a group.
func choice(r *rand.Rand, name string, labels []string, weights ...[]float64) column {
	return column{name, func(g int, _ float64) string {
		return labels[categorical(r, weights[min(g, len(weights)-1)])]
	}}
}

// choiceAlong is a label whose logarithms of odds change with the trait.
func choiceAlong(r *rand.Rand, name string, labels []string, level, slope []float64) column {
	return column{name, func(_ int, s float64) string {
		return labels[categorical(r, softmax(rows(len(labels), func(j int) float64 { return level[j] + slope[j]*s })))]
	}}
}

// yes is a column of yes and no with the chances of the groups (one: for all), whose
// logit changes with the trait by slope.
func yes(r *rand.Rand, name string, slope float64, chances ...float64) column {
	labels := [][2]string{{"no", "yes"}, {"0", "1"}, {"N", "Y"}}[r.IntN(3)]
	return column{name, func(g int, s float64) string {
		p := chances[min(g, len(chances)-1)]
		if chance(r, logistic(logit(p)+slope*s)) {
			return labels[1]
		}
		return labels[0]
	}}
}

// tally is a count with the means of the groups (one: for all) that grows with the trait.
func tally(r *rand.Rand, name string, size, slope float64, means ...float64) column {
	return column{name, func(g int, s float64) string {
		return strconv.Itoa(negbin(r, means[min(g, len(means)-1)]*math.Exp(slope*s), size))
	}}
}

// mixedTable draws a table of the columns; trait gives the continuous trait of a record.
func mixedTable(n int, columns []column, group []int, trait func() float64) law.Data {
	table := rows(n, func(i int) []string {
		g := 0
		if group != nil {
			g = group[i]
		}
		s := trait()
		return rows(len(columns), func(j int) string { return columns[j].draw(g, s) })
	})
	return law.Data{
		Columns: rows(len(columns), func(j int) string { return columns[j].name }),
		Table:   table, Group: group,
	}
}

func geriatricClinic(r *rand.Rand, n int) law.Data {
	columns := []column{
		{"age", func(_ int, s float64) string { return decimal(clamp(79+7*s, 60, 103), 0) }},
		choice(r, "sex", []string{"female", "male"}, []float64{0.58, 0.42}),
		choice(r, "blood_group", []string{"A", "B", "0", "AB"}, []float64{0.43, 0.11, 0.41, 0.05}),
		amount(r, "sbp", 138, 0.13, 0.3, 0, 0.2),
		amount(r, "gait_speed", 0.9, 0.22, 0.2, 2, -0.8),
		amount(r, "grip", 24, 0.22, 0.2, 1, -0.6),
		amount(r, "albumin", 40, 0.08, 0, 0, -0.5),
		amount(r, "crp", 3.5, 0.9, 1, 1, 0.4),
		amount(r, "egfr", 64, 0.22, 0, 0, -0.8),
		amount(r, "bmi", 26, 0.15, 0.8, 1, -0.3),
		amount(r, "vitamin_d", 52, 0.4, 0.7, 0, -0.2),
		tally(r, "falls", 0.9, 0.5, 1),
		tally(r, "drugs", 8, 0.25, 5),
		yes(r, "hearing_aid", 0.6, 0.3),
		yes(r, "incontinence", 0.8, 0.3),
		choiceAlong(r, "living", []string{"alone", "with partner", "with family", "nursing home"},
			[]float64{0, 0.4, -0.6, -1}, []float64{0, -0.5, 0.2, 0.8}),
		choiceAlong(r, "mobility", []string{"free", "cane", "walker", "wheelchair"},
			[]float64{0.8, 0, -0.5, -1.8}, []float64{-0.8, 0, 0.6, 0.9}),
	}
	data := mixedTable(n, columns, nil, r.NormFloat64)
	punch(r, data.Table, 0.1)
	return data
}

func kidneyContinuum(r *rand.Rand, n int) law.Data {
	spread := uniform(r, 0.8, 1.1)
	rate := func(s float64) float64 { return 110 * logistic(0.2-spread*s) }
	bend := func(name string, median, sd, warp float64, decimals int, steep float64) column {
		at := uniform(r, -0.5, 0.8)
		return column{name, func(_ int, s float64) string {
			return decimal(warped(r.NormFloat64()+steep*(math.Log1p(math.Exp(1.6*(s-at)))-0.6), median, sd, warp), decimals)
		}}
	}
	columns := []column{
		{"egfr", func(_ int, s float64) string { return decimal(rate(s), 0) }},
		{"ckd_stage", func(_ int, s float64) string {
			switch e := rate(s); {
			case e >= 90:
				return "G1"
			case e >= 60:
				return "G2"
			case e >= 45:
				return "G3a"
			case e >= 30:
				return "G3b"
			case e >= 15:
				return "G4"
			default:
				return "G5"
			}
		}},
		amount(r, "age", 61, 0.2, 0, 0, 0.3),
		choice(r, "sex", []string{"F", "M"}, []float64{0.45, 0.55}),
		bend("urea", 8, 0.3, 1, 1, 1.2),
		bend("phosphate", 1.15, 0.15, 0.5, 2, 1),
		bend("pth", 6, 0.5, 1, 1, 1.1),
		bend("potassium", 4.4, 0.09, 0, 1, 0.6),
		bend("haemoglobin", 131, 0.1, 0, 0, -0.8),
		amount(r, "bicarbonate", 25, 0.1, 0, 0, -0.6),
		amount(r, "acr", 8, 1.1, 1, 1, 0.8),
		amount(r, "sbp", 135, 0.13, 0.3, 0, 0.3),
		yes(r, "diabetes", 0.3, 0.35),
		yes(r, "oedema", 0.8, 0.2),
		choice(r, "smoking", []string{"never", "former", "current"}, []float64{0.5, 0.33, 0.17}),
		tally(r, "visits", 2, 0.35, 3),
	}
	data := mixedTable(n, columns, nil, r.NormFloat64)
	punch(r, data.Table, 0.06)
	return data
}

func traumaRegistry(r *rand.Rand, n int) law.Data {
	columns := []column{
		amount(r, "age", 42, 0.4, 0.4, 0, 0),
		choice(r, "sex", []string{"m", "f"}, []float64{0.7, 0.3}),
		choice(r, "mechanism", []string{"fall", "road", "assault", "sport", "other"}, []float64{0.38, 0.34, 0.1, 0.1, 0.08}),
		{"iss", func(_ int, s float64) string {
			return decimal(clamp(9*math.Exp(0.45*s+0.15*r.NormFloat64()), 1, 75), 0)
		}},
		{"gcs", func(_ int, s float64) string {
			return decimal(clamp(15.5-1.2*math.Exp(0.5*s)*r.ExpFloat64(), 3, 15), 0)
		}},
		amount(r, "sbp", 130, 0.15, 0, 0, -0.4),
		amount(r, "pulse", 92, 0.18, 0.5, 0, 0.4),
		amount(r, "lactate", 2, 0.45, 1, 1, 0.6),
		amount(r, "bicarbonate", 24, 0.12, 0, 1, -0.5),
		amount(r, "hb", 132, 0.12, 0, 0, -0.4),
		tally(r, "red_cell_units", 0.5, 0.8, 0.8),
		tally(r, "icu_days", 0.6, 0.7, 2.2),
		tally(r, "ward_days", 1.2, 0.4, 6),
		yes(r, "intubated", 1.1, 0.15),
		yes(r, "surgery", 0.7, 0.35),
		choiceAlong(r, "discharge", []string{"home", "rehab", "other hospital", "died"},
			[]float64{1.6, 0, -0.4, -2.4}, []float64{-0.4, 0.4, 0.2, 1.1}),
	}
	df := uniform(r, 4, 8)
	data := mixedTable(n, columns, nil, func() float64 { return 4 * math.Tanh(student(r, df)/4) })
	punch(r, data.Table, 0.15)
	return data
}

func soilPlots(r *rand.Rand, n int) law.Data {
	names := species(r, 10)
	columns := []column{
		{"ph", func(_ int, s float64) string { return decimal(5.6+1.1*s+normal(r, 0, 0.3), 1) }},
		amount(r, "calcium", 900, 0.5, 1, 0, 1),
		amount(r, "aluminium", 60, 0.7, 1, 0, -1),
		amount(r, "cn_ratio", 17, 0.2, 0.7, 1, -0.6),
		amount(r, "moisture", 28, 0.3, 0.7, 1, 0),
		amount(r, "slope_deg", 9, 0.7, 1, 0, 0),
		choice(r, "aspect", []string{"N", "E", "S", "W"}, []float64{1, 1, 1, 1}),
		choiceAlong(r, "dominant", []string{"spruce", "pine", "beech", "ash", "oak"},
			[]float64{0.3, 0, 0.8, -0.3, 0.2}, []float64{-1, -1.2, 0.3, 1.3, 0.2}),
		tally(r, "richness", 12, 0.3, 18),
		yes(r, "grazed", 0, 0.3),
	}
	for _, name := range names {
		optimum, width := uniform(r, -2, 2), uniform(r, 0.6, 1.4)
		peak := lognormal(r, 8, 0.6)
		columns = append(columns, column{name, func(_ int, s float64) string {
			z := (s - optimum) / width
			return strconv.Itoa(negbin(r, peak*math.Exp(-z*z/2), 1.2))
		}})
	}
	return mixedTable(n, columns, nil, func() float64 { return uniform(r, -1.7, 1.7) })
}

func pregnancyWeeks(r *rand.Rand, n int) law.Data {
	curve := func(name string, at40, power, error float64) column {
		power *= uniform(r, 0.95, 1.05)
		return column{name, func(_ int, week float64) string {
			return decimal(at40*math.Pow(week/40, power)*lognormal(r, 1, error), 1)
		}}
	}
	columns := []column{
		{"gestation_weeks", func(_ int, week float64) string { return decimal(week, 1) }},
		curve("biparietal", 94, 1.25, 0.04),
		curve("femur_length", 74, 1.5, 0.04),
		curve("abdominal_circ", 350, 1.35, 0.05),
		curve("fetal_weight", 3500, 3.4, 0.12),
		{"amniotic_index", func(_ int, week float64) string {
			return decimal(14*lognormal(r, 1, 0.25)*math.Exp(-math.Pow((week-27)/20, 2)), 1)
		}},
		amount(r, "fetal_heart_rate", 143, 0.05, 0, 0, 0),
		amount(r, "maternal_age", 30, 0.17, 0.2, 0, 0),
		amount(r, "bmi_booking", 25, 0.18, 1, 1, 0),
		{"weight_gain", func(_ int, week float64) string {
			return decimal(0.33*math.Max(week-8, 0)*lognormal(r, 1, 0.35), 1)
		}},
		{"haemoglobin", func(_ int, week float64) string { return decimal(128-0.4*week+normal(r, 0, 9), 0) }},
		tally(r, "parity", 2, 0, 0.9),
		choice(r, "smoking", []string{"never", "stopped", "current"}, []float64{0.75, 0.14, 0.11}),
		yes(r, "diabetes", 0, 0.07),
		choice(r, "presentation", []string{"cephalic", "breech", "transverse"}, []float64{0.82, 0.13, 0.05}),
	}
	data := mixedTable(n, columns, nil, func() float64 { return uniform(r, 14, 41) })
	punch(r, data.Table, 0.05)
	return data
}

func asthmaControl(r *rand.Rand, n int) law.Data {
	answer := func(name string, steep, shift float64) column {
		return column{name, func(_ int, s float64) string {
			return decimal(clamp(math.Round(2.2+steep*s-shift+normal(r, 0, 0.7)), 0, 6), 0)
		}}
	}
	allergy := 0.0 // the second trait, drawn with the first column of every record
	allergic := func(name string, median, sd, load float64, decimals int) column {
		return column{name, func(int, float64) string {
			return decimal(median*math.Exp(sd*(load*allergy+math.Sqrt(1-load*load)*r.NormFloat64())), decimals)
		}}
	}
	columns := []column{
		{"age", func(int, float64) string {
			allergy = r.NormFloat64()
			return decimal(warped(r.NormFloat64(), 38, 0.35, 0.5), 0)
		}},
		choice(r, "sex", []string{"Female", "Male"}, []float64{0.56, 0.44}),
		amount(r, "fev1_pct", 86, 0.14, 0, 0, -0.7),
		amount(r, "pef_variability", 11, 0.45, 1, 1, 0.7),
		allergic("ige", 120, 1, 0.7, 0),
		allergic("eosinophils", 0.24, 0.5, 0.7, 2),
		allergic("feno", 27, 0.5, 0.6, 0),
		answer("night_waking", 1, 0.6),
		answer("morning_symptoms", 1.1, 0),
		answer("limitation", 1.2, 0.3),
		answer("breathlessness", 1, 0),
		tally(r, "puffs_week", 1.5, 0.8, 5),
		tally(r, "attacks_year", 0.9, 0.6, 0.8),
		yes(r, "oral_steroids", 0.9, 0.15),
		choiceAlong(r, "step", []string{"1", "2", "3", "4", "5"},
			[]float64{0, 0.4, 0.4, -0.2, -1.4}, []float64{-0.8, -0.4, 0, 0.5, 0.9}),
		choice(r, "smoking", []string{"never", "former", "current"}, []float64{0.62, 0.26, 0.12}),
	}
	slant := uniform(r, 2, 6)
	data := mixedTable(n, columns, nil, func() float64 { return 1.4 * (skewNormal(r, slant) - 0.75) })
	punch(r, data.Table, 0.07)
	return data
}

func heartPhenogroups(r *rand.Rand, n int) law.Data {
	columns := []column{
		amount(r, "age", 70, 0.12, 0, 0, 0.1, -0.8, -0.4, 1.3),
		choice(r, "sex", []string{"female", "male"}, []float64{0.62, 0.38}, []float64{0.25, 0.75}, []float64{0.5, 0.5}),
		amount(r, "bmi", 28, 0.14, 0.8, 1, 0, 1.8, -0.3, -0.9),
		amount(r, "lvef", 50, 0.13, 0, 0, -0.1, 1, -2.6, 0.5),
		amount(r, "lvedd", 51, 0.1, 0, 0, 0.1, -0.5, 1.9, -0.3),
		amount(r, "nt_probnp", 1100, 0.6, 1, 0, 0.4, -1.2, 0.4, 1.4),
		amount(r, "creatinine", 98, 0.28, 1, 0, 0.3, -0.4, 0, 1.4),
		amount(r, "hba1c", 44, 0.17, 0.8, 0, 0, 1, 0, -0.3),
		amount(r, "sbp", 130, 0.13, 0, 0, -0.2, 0.8, -0.7, 0),
		amount(r, "la_volume", 40, 0.27, 0.8, 0, 0.3, -0.4, 0, 1.4),
		yes(r, "diabetes", 0, 0.65, 0.3, 0.2),
		yes(r, "atrial_fibrillation", 0.2, 0.15, 0.25, 0.85),
		yes(r, "prior_infarction", 0, 0.08, 0.75, 0.2),
		yes(r, "left_bundle_block", 0, 0.04, 0.4, 0.1),
		yes(r, "sleep_apnoea", 0, 0.6, 0.12, 0.12),
		choice(r, "nyha", []string{"I", "II", "III", "IV"}, []float64{0.15, 0.5, 0.3, 0.05}, []float64{0.1, 0.4, 0.4, 0.1}, []float64{0.03, 0.27, 0.5, 0.2}),
	}
	data := mixedTable(n, columns, members(r, n, []float64{0.3, 0.48, 0.22}), r.NormFloat64)
	punch(r, data.Table, 0.06)
	return data
}

func intensiveCare(r *rand.Rand, n int) law.Data {
	columns := []column{
		amount(r, "age", 62, 0.2, 0, 0, 0.1, 0.3, 0, 0.8, -0.7),
		choice(r, "sex", []string{"F", "M"}, []float64{0.4, 0.6}),
		choice(r, "admission", []string{"elective", "emergency", "transfer"}, []float64{0.85, 0.1, 0.05}, []float64{0.02, 0.83, 0.15}, []float64{0.04, 0.66, 0.3}, []float64{0.1, 0.75, 0.15}),
		amount(r, "map", 80, 0.13, 0, 0, -0.2, 0.6, -1.1, -1.5, 1.3),
		amount(r, "heart_rate", 92, 0.16, 0.2, 0, 0.2, -0.9, 1.3, 0.5, -0.5),
		amount(r, "temp", 37.1, 0.018, 0, 1, 0, -0.6, 1.8, -0.9, 0.2),
		amount(r, "lactate", 1.9, 0.45, 1, 1, 0.4, -0.6, 1, 1.4, -0.7),
		amount(r, "wbc", 11.5, 0.35, 0.8, 1, 0.1, -0.2, 1.4, -0.1, -0.1),
		amount(r, "crp", 60, 0.8, 1, 0, 0, 0, 1.5, -0.7, -1),
		amount(r, "troponin", 40, 1, 1, 0, 0.2, -0.4, 0, 2.8, -0.7),
		amount(r, "creatinine", 92, 0.4, 1, 0, 0.3, -0.5, 0.9, 0.8, -0.5),
		{"gcs", func(g int, s float64) string {
			loss := []float64{0.5, 1.5, 1.2, 6}[g]
			return decimal(clamp(15.4-loss*r.ExpFloat64()*math.Exp(0.2*s), 3, 15), 0)
		}},
		yes(r, "ventilated", 0.5, 0.25, 0.6, 0.55, 0.6),
		yes(r, "vasopressor", 0.4, 0.15, 0.85, 0.75, 0.08),
		yes(r, "antibiotics", 0, 0.25, 0.97, 0.2, 0.15),
		yes(r, "seizure", 0, 0.01, 0.03, 0.03, 0.5),
		tally(r, "icu_days", 2, 0.35, 1.6, 7, 5, 6),
	}
	data := mixedTable(n, columns, members(r, n, []float64{0.36, 0.27, 0.2, 0.17}), r.NormFloat64)
	punch(r, data.Table, 0.05)
	return data
}

func diabetesRegister(r *rand.Rand, n int) law.Data {
	columns := []column{
		amount(r, "age_at_diagnosis", 56, 0.17, 0, 0, 0, 0, -2.8, 0),
		choice(r, "sex", []string{"f", "m"}, []float64{0.46, 0.54}),
		amount(r, "bmi", 31, 0.15, 0.8, 1, 0.1, 0, -1.9, -2.2),
		amount(r, "c_peptide", 1.1, 0.35, 1, 2, 0, 0, -3.4, -1.8),
		amount(r, "hba1c", 56, 0.17, 0.8, 0, 0.4, 0, 0.9, 0.9),
		amount(r, "triglycerides", 1.8, 0.4, 1, 1, 0.3, 0, -1.2, -0.8),
		amount(r, "faecal_elastase", 420, 0.25, 0.7, 0, 0, 0, -0.3, -3.6),
		amount(r, "amylase", 55, 0.35, 1, 0, 0, 0, -0.2, 1.5),
		amount(r, "sbp", 136, 0.12, 0.2, 0, 0.2, 0, -1.2, -0.5),
		yes(r, "autoantibodies", 0, 0.03, 0.88, 0.04),
		yes(r, "ketoacidosis", 0.2, 0.02, 0.5, 0.05),
		yes(r, "pancreatitis", 0, 0.02, 0.02, 0.9),
		choice(r, "therapy", []string{"diet", "metformin", "oral combination", "basal insulin", "basal-bolus"}, []float64{0.2, 0.42, 0.24, 0.1, 0.04}, []float64{0.01, 0.02, 0.02, 0.1, 0.85}, []float64{0.03, 0.1, 0.07, 0.3, 0.5}),
		choice(r, "alcohol", []string{"none", "moderate", "heavy"}, []float64{0.4, 0.52, 0.08}, []float64{0.35, 0.58, 0.07}, []float64{0.25, 0.2, 0.55}),
		tally(r, "hypoglycaemias", 1, 0.2, 0.4, 6, 3),
	}
	data := mixedTable(n, columns, members(r, n, []float64{0.9, 0.08, 0.02}), r.NormFloat64)
	punch(r, data.Table, 0.05)
	return data
}

func tropicalFevers(r *rand.Rand, n int) law.Data {
	columns := []column{
		amount(r, "age", 24, 0.5, 0.9, 0, 0, 0.3, -0.6, 0.2),
		choice(r, "sex", []string{"male", "female"}, []float64{0.55, 0.45}),
		amount(r, "temp", 38.7, 0.016, 0, 1, 0.3, 0.3, 0.8, -0.2),
		amount(r, "fever_days", 5, 0.4, 1, 0, 0, -0.6, -0.5, 1.7),
		amount(r, "platelets", 120, 0.4, 0.8, 0, -0.3, -1, -0.3, 1.3),
		amount(r, "wbc", 5.4, 0.3, 0.9, 1, 0, -1.3, 0.6, 0.5),
		amount(r, "haematocrit", 39, 0.1, 0, 0, -0.1, 1.2, -1.3, 0),
		amount(r, "ast", 62, 0.55, 1, 0, 0.2, 1, -0.4, 0.1),
		amount(r, "bilirubin", 13, 0.5, 1, 0, 0.2, -0.6, 1.4, -0.2),
		amount(r, "pulse", 100, 0.14, 0.3, 0, 0.4, 0, 0.9, -1),
		yes(r, "rash", 0, 0.6, 0.03, 0.25),
		yes(r, "retro_orbital_pain", 0, 0.65, 0.1, 0.1),
		yes(r, "chills", 0.2, 0.35, 0.9, 0.4),
		yes(r, "splenomegaly", 0, 0.05, 0.6, 0.4),
		yes(r, "abdominal_pain", 0.2, 0.4, 0.2, 0.75),
		choice(r, "season", []string{"wet", "dry", "change"}, []float64{0.7, 0.1, 0.2}, []float64{0.5, 0.2, 0.3}, []float64{0.2, 0.55, 0.25}),
	}
	data := mixedTable(n, columns, members(r, n, []float64{0.45, 0.35, 0.2}), r.NormFloat64)
	punch(r, data.Table, 0.05)
	return data
}

func forestStands(r *rand.Rand, n int) law.Data {
	columns := []column{
		amount(r, "soil_ph", 5, 0.07, 0, 1, 0.2, -2.8, -1, 1.4, 3.2, 0.4),
		amount(r, "humus_cm", 6, 0.35, 0.9, 1, 0.1, 0.9, 0.4, -1.2, -1.3, 2.8),
		amount(r, "water_table", 120, 0.3, 0.8, 0, 0, 1.6, 0.8, 0, -0.8, -3.2),
		amount(r, "stand_height", 22, 0.16, 0.2, 1, 0.4, -1.8, 0.4, 1.3, 0.8, -1.6),
		amount(r, "basal_area", 27, 0.22, 0.3, 1, 0.5, -1, 1, 0.4, -0.2, -1.2),
		amount(r, "stand_age", 75, 0.35, 0.6, 0, 0.4, 0, 0, 0, 0, 0),
		choice(r, "dominant", []string{"pine", "spruce", "beech", "ash", "alder"}, []float64{0.85, 0.1, 0.03, 0.01, 0.01}, []float64{0.15, 0.75, 0.07, 0.02, 0.01}, []float64{0.03, 0.15, 0.74, 0.07, 0.01}, []float64{0.02, 0.05, 0.25, 0.6, 0.08}, []float64{0.06, 0.05, 0.01, 0.13, 0.75}),
		choice(r, "texture", []string{"sand", "loam", "clay", "peat"}, []float64{0.85, 0.1, 0.02, 0.03}, []float64{0.4, 0.48, 0.1, 0.02}, []float64{0.05, 0.65, 0.28, 0.02}, []float64{0.02, 0.4, 0.55, 0.03}, []float64{0.03, 0.05, 0.12, 0.8}),
		tally(r, "herb_species", 10, 0.15, 7, 10, 18, 30, 22),
		tally(r, "dead_trunks", 1.5, 0.2, 3, 4, 4, 4, 5),
		tally(r, "saplings", 1, 0, 12, 8, 14, 20, 9),
		yes(r, "Vaccinium", 0, 0.85, 0.75, 0.12, 0.03, 0.25),
		yes(r, "Galium", 0, 0.03, 0.12, 0.8, 0.6, 0.1),
		yes(r, "Urtica", 0, 0.02, 0.04, 0.12, 0.75, 0.45),
		yes(r, "Carex", 0, 0.06, 0.1, 0.35, 0.4, 0.9),
		yes(r, "Cladonia", 0, 0.75, 0.15, 0.03, 0.02, 0.05),
		yes(r, "Calluna", 0, 0.8, 0.12, 0.02, 0.01, 0.1),
		yes(r, "Oxalis", 0, 0.03, 0.8, 0.55, 0.2, 0.15),
		yes(r, "Mercurialis", 0, 0.01, 0.03, 0.25, 0.8, 0.1),
	}
	return mixedTable(n, columns, members(r, n, uneven(r, 5, 0.1)), r.NormFloat64)
}

func airwayOverlap(r *rand.Rand, n int) law.Data {
	columns := []column{
		amount(r, "age", 58, 0.18, 0, 0, 0.1, -0.55, 0.55),
		choice(r, "sex", []string{"f", "m"}, []float64{0.55, 0.45}, []float64{0.42, 0.58}),
		amount(r, "fev1_pct", 68, 0.2, 0, 0, -0.5, 0.45, -0.45),
		amount(r, "fev1_fvc", 0.64, 0.12, 0, 2, -0.4, 0.5, -0.5),
		amount(r, "reversibility", 10, 0.6, 1, 0, 0, 0.45, -0.45),
		amount(r, "dlco_pct", 74, 0.2, 0, 0, -0.3, 0.6, -0.6),
		amount(r, "eosinophils", 0.2, 0.6, 1, 2, 0, 0.45, -0.45),
		amount(r, "feno", 24, 0.55, 1, 0, 0, 0.4, -0.4),
		amount(r, "pack_years", 20, 0.7, 0.9, 0, 0.1, -0.45, 0.45),
		yes(r, "atopy", 0, 0.55, 0.27),
		yes(r, "sputum", 0.3, 0.35, 0.55),
		yes(r, "childhood_onset", 0, 0.4, 0.12),
		choice(r, "mmrc", []string{"0", "1", "2", "3"}, []float64{0.25, 0.4, 0.25, 0.1}, []float64{0.12, 0.33, 0.35, 0.2}),
		tally(r, "exacerbations", 1.2, 0.4, 1.2, 1.5),
	}
	data := mixedTable(n, columns, members(r, n, []float64{0.55, 0.45}), r.NormFloat64)
	punch(r, data.Table, 0.05)
	return data
}
