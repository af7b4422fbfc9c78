package machines

import (
	"math"
	"math/rand/v2"
	"strings"

	"github.com/moiety-go/moiety/bank/law"
)

// sensorLaws are the laws of sensors, machines, energy and quality.
func sensorLaws() []law.Law {
	return []law.Law{
		{
			Name: "drifting gas sensors", Kind: law.Measurements, Groups: 1, Draw: driftingSensors,
			About: "An array answers to a continuous concentration while gain and base wander smoothly over months (gas sensor drift: Vergara et al. 2012).",
		},
		{
			Name: "clipped and rounded channels", Kind: law.Measurements, Groups: 1, Draw: clippedChannels,
			About: "Correlated channels with coarse steps, some at full scale in 10 to 30 % of the records: censoring at a limit (Tobin 1958; quantisation: Widrow 1956).",
		},
		{
			Name: "daily load of dwellings", Kind: law.Measurements, Groups: 1, Draw: dwellingLoads,
			About: "Hourly loads with continuous size, heating slope and shift of the clock: functional data without classes (Ramsay and Silverman 2005).",
		},
		{
			Name: "vibration bands over speed", Kind: law.Measurements, Groups: 1, Draw: bandsOverSpeed,
			About: "Octave bands grow as powers of a speed that is spread evenly and pass through resonances: one bent curve (ISO 20816; Randall 2011).",
		},
		{
			Name: "redundant channels of two skewed signals", Kind: law.Measurements, Groups: 1, Draw: redundantChannels,
			About: "Ten channels repeat two gamma signals, some without any noise: copies of columns (analytical redundancy: Isermann 2006).",
		},
		{
			Name: "faults of a rolling bearing", Kind: law.Measurements, Groups: 4, Draw: bearingFaults,
			About: "Healthy, inner race, outer race and ball: log-normal levels, kurtosis and envelope lines at the fault frequencies (Randall and Antoni 2011). Clear.",
		},
		{
			Name: "two lines of one product", Kind: law.Measurements, Groups: 2, Draw: twoLines,
			About: "Lines differ by a part of the scatter in each of eight correlated measures (phase II multistream control: Montgomery 2013). Hard.",
		},
		{
			Name: "day types of a building", Kind: law.Measurements, Groups: 5, Draw: dayTypes,
			About: "Hourly loads of office, shop, night shift, dwelling and store: each a shape of the day, with a continuous size (load profiling: Chicco 2012). Clear.",
		},
		{
			Name: "rare conditions of a pump", Kind: law.Measurements, Groups: 3, Draw: rarePumpConditions,
			About: "Normal running, cavitation and blocked suction in 90, 8 and 2 % of the records (Brennen 1994). Clear, very uneven.",
		},

		{
			Name: "temperature that returns to its level", Kind: law.Sequences, Groups: 1, Draw: returningTemperature,
			About: "Autoregression of order one with a level of its own for each unit: dependence in time without states (Box and Jenkins 1970).",
		},
		{
			Name: "increments of wear", Kind: law.Sequences, Groups: 1, Draw: wearIncrements,
			About: "Gamma process with a random rate for each unit: increments independent given the unit (Lawless and Crowder 2004; van Noortwijk 2009).",
		},
		{
			Name: "cycle of a press", Kind: law.Sequences, Groups: 4, Draw: pressCycle,
			About: "Approach, press, hold and return in fixed order with times of negative binomial length: hidden semi-Markov (Yu 2010), forces normal in each phase. Clear.",
		},
		{
			Name: "power of an appliance", Kind: law.Sequences, Groups: 5, Draw: appliancePower,
			About: "Standby, pump, heat, spin and heat with spin, each of a level with proportional noise (load disaggregation: Kolter and Jaakkola 2012). Clear.",
		},

		{
			Name: "defects that cluster on panels", Kind: law.Counts, Groups: 1, Draw: clusteredDefects,
			About: "Multivariate Poisson log-normal: defect kinds share correlated normal log rates (Aitchison and Ho 1989).",
		},
		{
			Name: "defects of two lines", Kind: law.Counts, Groups: 2, Draw: defectsOfTwoLines,
			About: "Two lines with rates that differ by a factor of 1.25 to 1.6 in each of ten defect kinds, negative binomial (yield models: Cunningham 1990). Very hard.",
		},

		{
			Name: "alarms that set off alarms", Kind: law.Presences, Groups: 1, Draw: alarmCascade,
			About: "Many independent rare causes, each with a short tree of alarms after it (alarm floods: Wang et al. 2016); no class of records.",
		},
		{
			Name: "fault codes of an engine", Kind: law.Presences, Groups: 4, Draw: engineCodes,
			About: "Four defective parts raise their own trouble codes with false and missing ones besides (latent class analysis: Lazarsfeld and Henry 1968). Clear.",
		},

		{
			Name: "telemetry with lost values", Kind: law.Mixed, Groups: 1, Draw: lostTelemetry,
			About: "Speed and load are continuous; gear, band of temperature and status follow them by thresholds, and packets lose cells together at random (missing at random: Rubin 1976).",
		},
		{
			Name: "work orders of six machines", Kind: law.Mixed, Groups: 6, Draw: workOrders,
			About: "Kind of machine drives hours, cost, part, cause and number of visits; a tenth of the cells is empty (mixed latent classes: Hunt and Jorgensen 1999). Clear.",
		},
		{
			Name: "inspection of two suppliers", Kind: law.Mixed, Groups: 2, Draw: twoSuppliers,
			About: "Sizes, finish, grade, scratches and packing of two suppliers that are much alike (location model: Krzanowski 1993). Very hard.",
		},
	}
}

// driftingSensors draws an array of sensors that age.
func driftingSensors(r *rand.Rand, n int) law.Data {
	k := between(r, 6, 10)
	gain, power := uniforms(r, k, 1, 6), uniforms(r, k, 0.35, 0.8)
	base, slow := uniforms(r, k, 8, 20), normals(r, k, 0, 0.4)
	wave, phase := uniforms(r, k, 0.03, 0.12), uniforms(r, k, 0, 6.28)
	table := rows(n, func(int) []string {
		month := uniform(r, 0, 3)
		dose := logNormal(r, 3, 0.6)
		x := make([]float64, k)
		for j := range x {
			aged := math.Exp(slow[j]*month/3 + wave[j]*math.Sin(2*month+phase[j]))
			x[j] = (base[j] + gain[j]*math.Pow(dose, power[j])*aged) * logNormal(r, 0, 0.03)
		}
		return fixedRow(x, 2)
	})
	return law.Data{Columns: numbered("mox_", 1, k, false), Table: table}
}

// clippedChannels draws channels with limits and coarse steps.
func clippedChannels(r *rand.Rand, n int) law.Data {
	k := between(r, 6, 9)
	root := cholesky(randomCorrelation(r, k, 2, 0.8))
	level, sd := uniforms(r, k, 20, 60), uniforms(r, k, 4, 12)
	limit, step := make([]float64, k), make([]float64, k)
	for j := range limit {
		limit[j] = math.Inf(1)
		step[j] = []float64{0.1, 0.5, 1, 2}[r.IntN(4)]
		if j%2 == 0 {
			limit[j] = math.Round(level[j] + sd[j]*uniform(r, 0.55, 1.25))
		}
	}
	table := rows(n, func(int) []string {
		x := correlated(r, root)
		for j := range x {
			x[j] = min(math.Round((level[j]+sd[j]*x[j])/step[j])*step[j], limit[j])
		}
		return fixedRow(x, 1)
	})
	return law.Data{Columns: numbered("ch", 0, k, true), Table: table}
}

// dwellingLoads draws the load of a dwelling by the hour.
func dwellingLoads(r *rand.Rand, n int) law.Data {
	spread := uniform(r, 0.3, 0.5)
	shift := uniform(r, 0.6, 1.2)
	noise := uniform(r, 0.12, 0.22)
	table := rows(n, func(int) []string {
		size := logNormal(r, 0, spread)
		heat := gamma(r, 2, 0.25)
		late := normal(r, 0, shift)
		evening := beta(r, 4, 3)
		x := make([]float64, 24)
		for h := range x {
			t := float64(h)
			load := 0.25 + (1-evening)*hourBump(t, 7.5+late, 1.6) + 1.6*evening*hourBump(t, 19+late, 2.4)
			load += heat * (0.5 + 0.4*math.Cos(2*math.Pi*(t-5)/24))
			x[h] = size * load * logNormal(r, 0, noise)
		}
		return fixedRow(x, 2)
	})
	return law.Data{Columns: numbered("kwh_h", 0, 24, true), Table: table}
}

// bandsOverSpeed draws vibration levels at random speeds.
func bandsOverSpeed(r *rand.Rand, n int) law.Data {
	k := 8
	slope := uniforms(r, k, 10, 30)
	base := uniforms(r, k, 70, 90)
	peak := uniforms(r, k, 900, 2900)
	height := uniforms(r, k, 0, 14)
	width := uniforms(r, k, 120, 350)
	noise := uniform(r, 0.6, 1.5)
	table := rows(n, func(int) []string {
		speed := uniform(r, 700, 3000)
		x := make([]float64, k)
		for j := range x {
			x[j] = base[j] + slope[j]*math.Log10(speed/1000) + height[j]*bump(speed, peak[j], width[j]) + normal(r, 0, noise)
		}
		return fixedRow(x, 1)
	})
	columns := strings.Fields("db_31hz db_63hz db_125hz db_250hz db_500hz db_1khz db_2khz db_4khz")
	return law.Data{Columns: columns, Table: table}
}

// redundantChannels draws ten channels of two signals.
func redundantChannels(r *rand.Rand, n int) law.Data {
	k := 10
	shape := uniforms(r, 2, 1.2, 3.5)
	scale := uniforms(r, k, 0.8, 5)
	source, noise := make([]int, k), make([]float64, k)
	for j := range source {
		source[j] = j % 2
		if j > 3 {
			noise[j] = uniform(r, 0, 0.15)
		}
	}
	table := rows(n, func(int) []string {
		signal := []float64{gamma(r, shape[0], 1), gamma(r, shape[1], 1)}
		x := make([]float64, k)
		for j := range x {
			x[j] = scale[j] * (signal[source[j]] + normal(r, 0, noise[j]))
		}
		return fixedRow(x, 2)
	})
	return law.Data{Columns: numbered("AI", 1, k, true), Table: table}
}

// bearingFaults draws features of vibration signals.
func bearingFaults(r *rand.Rand, n int) law.Data {
	columns := strings.Fields("rms_g crest kurtosis env_bpfo env_bpfi env_bsf env_ftf hf_rms_g")
	// Mean logarithms: a row for each condition.
	condition := [][]float64{
		{-1.5, 1.30, 1.10, -4.0, -4.0, -4.0, -4.2, -2.2},
		{-0.7, 1.65, 1.70, -3.5, -2.1, -3.7, -3.9, -1.1},
		{-0.5, 1.70, 1.90, -1.8, -3.6, -3.6, -4.0, -1.0},
		{-0.9, 1.55, 1.50, -3.5, -3.6, -2.4, -2.9, -1.4},
	}
	spread := []float64{0.25, 0.1, 0.15, 0.4, 0.4, 0.4, 0.4, 0.3}
	wider := uniform(r, 0.9, 1.25)
	for _, c := range condition {
		for j := range c {
			c[j] += normal(r, 0, 0.1)
		}
	}
	load := uniform(r, 0.1, 0.25)
	group := assign(r, n, uneven(r, 4))
	table := rows(n, func(i int) []string {
		common := normal(r, 0, load)
		row := make([]string, len(columns))
		for j := range row {
			x := math.Exp(condition[group[i]][j] + wider*spread[j]*r.NormFloat64() + common)
			row[j] = fixed(x, 4)
		}
		return row
	})
	return law.Data{Columns: columns, Table: table, Group: group}
}

// twoLines draws eight measures of parts from two lines.
func twoLines(r *rand.Rand, n int) law.Data {
	columns := strings.Fields("diam_mm len_mm wall_mm mass_g burst_bar flow_ml gloss_gu force_n")
	level := []float64{24.2, 88.5, 1.9, 152, 31, 640, 71, 18.4}
	sd := []float64{0.06, 0.25, 0.05, 2.1, 1.3, 12, 3.2, 0.9}
	k := len(columns)
	root := cholesky(decay(k, uniform(r, 0.1, 0.3)))
	apart := uniforms(r, k, 0.55, 0.85)
	for j := range apart {
		if j%2 == 1 {
			apart[j] = -apart[j]
		}
	}
	group := assign(r, n, uneven(r, 2))
	table := rows(n, func(i int) []string {
		x := correlated(r, root)
		row := make([]string, k)
		for j := range row {
			row[j] = fixed(level[j]+sd[j]*(x[j]+float64(group[i])*apart[j]), 2+j%2)
		}
		return row
	})
	return law.Data{Columns: columns, Table: table, Group: group}
}

// dayTypes draws hourly loads of five uses of a building.
func dayTypes(r *rand.Rand, n int) law.Data {
	shift := normals(r, 5, 0, 0.5)
	shape := func(use int, t float64) float64 {
		t -= shift[use]
		switch use {
		case 0: // office
			return 0.3 + 1.2*logistic(2*(t-8))*logistic(2*(18-t))
		case 1: // shop
			return 0.3 + 1.3*logistic(2*(t-9.5))*logistic(2*(21-t)) + 0.3*hourBump(t, 17, 2)
		case 2: // night shift
			return 0.4 + 1.2*(hourBump(t, 1, 3.5)+hourBump(t, 22, 2))
		case 3: // dwelling
			return 0.3 + 0.7*hourBump(t, 7.5, 1.2) + 1.4*hourBump(t, 19.5, 2)
		default: // cold store
			return 0.9 + 0.15*hourBump(t, 14, 4)
		}
	}
	spread := uniform(r, 0.2, 0.35)
	noise := uniform(r, 0.12, 0.22)
	group := assign(r, n, uneven(r, 5))
	table := rows(n, func(i int) []string {
		size := 12 * logNormal(r, 0, spread)
		x := make([]float64, 24)
		for h := range x {
			x[h] = size * shape(group[i], float64(h)) * logNormal(r, 0, noise)
		}
		return fixedRow(x, 1)
	})
	return law.Data{Columns: numbered("p_", 0, 24, true), Table: table, Group: group}
}

// rarePumpConditions draws the process values of a pump.
func rarePumpConditions(r *rand.Rand, n int) law.Data {
	columns := strings.Fields("flow_m3h head_m power_kw suction_bar noise_db bearing_temp vib_mm_s")
	level := []float64{84, 42, 14.2, 0.85, 71, 58, 1.9}
	sd := []float64{4, 1.8, 0.6, 0.07, 1.6, 3, 0.3}
	k := len(columns)
	away := [][]float64{
		make([]float64, k),
		{-1.6, -2.2, 0.3, -2.6, 4.2, 0.4, 3.2},
		{-4.5, 2.4, -3.6, -4, 0.8, 2.4, 1.2},
	}
	for _, a := range away[1:] {
		for j := range a {
			a[j] *= uniform(r, 0.9, 1.2)
		}
	}
	root := cholesky(randomCorrelation(r, k, 2, 0.4))
	group := assign(r, n, rare(r))
	table := rows(n, func(i int) []string {
		x := correlated(r, root)
		row := make([]string, k)
		for j := range row {
			row[j] = fixed(level[j]+sd[j]*(x[j]+away[group[i]][j]), 2)
		}
		return row
	})
	return law.Data{Columns: columns, Table: table, Group: group}
}

// returningTemperature draws sequences of an autoregression.
func returningTemperature(r *rand.Rand, n int) law.Data {
	keep := uniform(r, 0.6, 0.9)
	level, units := uniform(r, 40, 75), uniform(r, 0.5, 2.5)
	noise := uniform(r, 0.6, 1.6)
	steps := make([][]string, n)
	for i := range steps {
		own := normal(r, level, units)
		x := normal(r, 0, noise/math.Sqrt(1-keep*keep))
		steps[i] = make([]string, sequenceLength(r))
		for t := range steps[i] {
			steps[i][t] = fixed(own+x, 1)
			x = keep*x + normal(r, 0, noise)
		}
	}
	return law.Data{Steps: steps}
}

// wearIncrements draws sequences of what a tool wears from check to check.
func wearIncrements(r *rand.Rand, n int) law.Data {
	shape := uniform(r, 1.2, 3)
	units := uniform(r, 4, 10)
	steps := make([][]string, n)
	for i := range steps {
		scale := 8 / shape / gamma(r, units, 1/units)
		steps[i] = make([]string, sequenceLength(r))
		for t := range steps[i] {
			steps[i][t] = fixed(gamma(r, shape, scale), 2)
		}
	}
	return law.Data{Steps: steps}
}

// pressCycle draws forces of a press that runs its phases in order.
func pressCycle(r *rand.Rand, n int) law.Data {
	force := []float64{uniform(r, 4, 7), uniform(r, 38, 46), uniform(r, 24, 29), uniform(r, -9, -5)}
	sd := []float64{uniform(r, 1, 2), uniform(r, 3, 5), uniform(r, 1.5, 2.5), uniform(r, 1, 2)}
	stay := []float64{uniform(r, 3, 6), uniform(r, 2, 5), uniform(r, 4, 8), uniform(r, 2, 4)}
	var group []int
	steps := make([][]string, n)
	for i := range steps {
		length := sequenceLength(r)
		phase := r.IntN(4)
		left := negBin(r, stay[phase], 6)
		for range length {
			steps[i] = append(steps[i], fixed(normal(r, force[phase], sd[phase]), 1))
			group = append(group, phase)
			if left--; left < 0 {
				phase = (phase + 1) % 4
				left = negBin(r, stay[phase], 6)
			}
		}
	}
	return law.Data{Steps: steps, Group: group}
}

// appliancePower draws watts of an appliance from minute to minute.
func appliancePower(r *rand.Rand, n int) law.Data {
	watts := []float64{uniform(r, 3, 8), uniform(r, 60, 90), uniform(r, 320, 420), uniform(r, 900, 1100), uniform(r, 1900, 2200)}
	sd := []float64{0.8, 9, 30, 60, 80}
	states := sticky(r, 5, 0.75, 0.92)
	var group []int
	steps := make([][]string, n)
	for i := range steps {
		path := states.walk(r, sequenceLength(r))
		steps[i] = make([]string, len(path))
		for t, s := range path {
			steps[i][t] = fixed(max(normal(r, watts[s], sd[s]), 0), 1)
		}
		group = append(group, path...)
	}
	return law.Data{Steps: steps, Group: group}
}

// defectKinds are names of defects as columns.
var defectKinds = strings.Fields("scratch dent pinhole stain crack burr void chip blister warp short open_circuit")

// clusteredDefects draws counts of defects on panels.
func clusteredDefects(r *rand.Rand, n int) law.Data {
	k := between(r, 8, 12)
	root := cholesky(randomCorrelation(r, k, 2, 1))
	level := uniforms(r, k, -0.5, 1.6)
	sd := uniforms(r, k, 0.5, 0.9)
	table := rows(n, func(int) []string {
		z := correlated(r, root)
		row := make([]string, k)
		for j := range row {
			row[j] = whole(poisson(r, math.Exp(level[j]+sd[j]*z[j])))
		}
		return row
	})
	return law.Data{Columns: defectKinds[:k], Table: table}
}

// defectsOfTwoLines draws counts of defects from two lines.
func defectsOfTwoLines(r *rand.Rand, n int) law.Data {
	k := 10
	rate := uniforms(r, k, 2, 6)
	factor := make([]float64, k)
	for j := range factor {
		factor[j] = uniform(r, 1.25, 1.6)
		if coin(r, 0.5) {
			factor[j] = 1 / factor[j]
		}
	}
	size := uniform(r, 5, 12)
	group := assign(r, n, uneven(r, 2))
	table := rows(n, func(i int) []string {
		row := make([]string, k)
		for j := range row {
			row[j] = whole(negBin(r, rate[j]*math.Pow(factor[j], float64(group[i])), size))
		}
		return row
	})
	return law.Data{Columns: defectKinds[:k], Table: table, Group: group}
}

// alarmCascade draws lists of alarms after many independent causes.
func alarmCascade(r *rand.Rand, n int) law.Data {
	places := strings.Fields("PT TT FT LT VT PS TS FS LS ZS")
	causes := between(r, 12, 18)
	chance := uniforms(r, causes, 0.03, 0.22)
	tree := make([][]string, causes)
	follow := make([][]float64, causes)
	tag := 101
	for c := range tree {
		for range between(r, 2, 4) {
			tree[c] = append(tree[c], places[r.IntN(len(places))]+whole(tag)+[]string{"_HI", "_LO", "_FLT"}[r.IntN(3)])
			follow[c] = append(follow[c], uniform(r, 0.45, 0.95))
			tag++
		}
		follow[c][0] = 1
	}
	lists := make([][]string, n)
	for i := range lists {
		lists[i] = []string{}
		for c := range tree {
			if !coin(r, chance[c]) {
				continue
			}
			for a, alarm := range tree[c] {
				if coin(r, follow[c][a]) {
					lists[i] = append(lists[i], alarm)
				}
			}
		}
	}
	return law.Data{Lists: lists}
}

// engineCodes draws trouble codes, yes or no, of four defective parts.
func engineCodes(r *rand.Rand, n int) law.Data {
	columns := strings.Fields(`P0300 P0301 P0302 P0171 P0174 P0101 P0128 P0117 P0217 P0420 P0430 P0442 P0455
		P0500 P0562 P0606 U0100 U0121 C1201 B1318`)
	group := assign(r, n, uneven(r, 4))
	chance := make([][]float64, 4)
	for g := range chance {
		chance[g] = uniforms(r, len(columns), 0.03, 0.15)
		for j := range columns {
			if j/5 == g {
				chance[g][j] = uniform(r, 0.55, 0.9)
			}
		}
		// A code that another part raises too.
		chance[g][((g+1)*5+r.IntN(5))%20] = uniform(r, 0.3, 0.6)
	}
	table := rows(n, func(i int) []string {
		row := make([]string, len(columns))
		for j := range row {
			row[j] = flag(coin(r, chance[group[i]][j]))
		}
		return row
	})
	return law.Data{Columns: columns, Table: table, Group: group}
}

// lostTelemetry draws messages of vehicles with cells lost in transmission.
func lostTelemetry(r *rand.Rand, n int) law.Data {
	columns := strings.Fields("speed_kmh rpm gear load_pct coolant_c temp_band fuel_lph status")
	lost := uniform(r, 0.04, 0.12)
	shape := uniform(r, 1.5, 2.5)
	table := rows(n, func(int) []string {
		speed := 90 * beta(r, shape, shape)
		load := 100 * logistic(normal(r, -0.3+speed/150, 0.8))
		gear := min(1+int((speed+normal(r, 0, 6))/14), 6)
		gear = max(gear, 1)
		rpm := 850 + 13*speed + 6*load + normal(r, 0, 120)
		coolant := 70 + 0.18*load + normal(r, 0, 4)
		band := "normal"
		if coolant > 84 {
			band = "warm"
		} else if coolant < 72 {
			band = "cold"
		}
		fuel := (2 + 0.12*load + 0.05*speed) * logNormal(r, 0, 0.15)
		status := "ok"
		if coin(r, logistic((load-75)/8)) {
			status = "warn"
		}
		row := []string{fixed(speed, 1), fixed(rpm, 0), whole(gear), fixed(load, 0), fixed(coolant, 1), band, fixed(fuel, 2), status}
		for j := 0; j < len(row); j += 3 {
			if coin(r, lost) {
				for l := j; l < min(j+3, len(row)); l++ {
					row[l] = ""
				}
			}
		}
		return row
	})
	return law.Data{Columns: columns, Table: table}
}

// leaning is weights over k labels with one of them in front; the others share the
// rest at random.
func leaning(r *rand.Rand, k, front int, lo, hi float64) []float64 {
	w := dirichlet(r, symmetric(k, 2))
	w[front] = 0
	share(w)
	top := uniform(r, lo, hi)
	for j := range w {
		w[j] *= 1 - top
	}
	w[front] = top
	return w
}

// workOrders draws orders of repair for six kinds of machines.
func workOrders(r *rand.Rand, n int) law.Data {
	columns := strings.Fields("part cause crew hours cost_eur visits downtime_h priority")
	parts := strings.Fields("seal bearing belt valve board sensor hose blade")
	causes := strings.Fields("wear misuse corrosion overload electrical unknown")
	crews := strings.Fields("A B C D E F")
	type machine struct {
		part, cause, crew, priority []float64
		hours, cost, down, visits   float64
	}
	kinds := make([]machine, 6)
	order := r.Perm(6)
	for g := range kinds {
		kinds[g] = machine{
			part:     leaning(r, len(parts), g, 0.6, 0.8),
			cause:    leaning(r, len(causes), (g*5)%6, 0.5, 0.7),
			crew:     leaning(r, len(crews), order[g], 0.6, 0.8),
			priority: leaning(r, 3, g%3, 0.5, 0.7),
			hours:    0.2 + 0.5*float64(order[g]) + normal(r, 0, 0.1),
			cost:     4 + 0.7*float64(g) + normal(r, 0, 0.15),
			down:     0.5 + 0.6*float64((g*2+1)%6) + normal(r, 0, 0.1),
			visits:   0.3 + 1.5*float64(g%4),
		}
	}
	group := assign(r, n, uneven(r, 6))
	table := rows(n, func(i int) []string {
		m := kinds[group[i]]
		return []string{
			parts[pick(r, m.part)], causes[pick(r, m.cause)], crews[pick(r, m.crew)],
			fixed(logNormal(r, m.hours, 0.35), 1), fixed(logNormal(r, m.cost, 0.4), 2),
			whole(1 + poisson(r, m.visits)), fixed(logNormal(r, m.down, 0.4), 1),
			[]string{"low", "medium", "high"}[pick(r, m.priority)],
		}
	})
	lose(r, table, uniform(r, 0.06, 0.12))
	return law.Data{Columns: columns, Table: table, Group: group}
}

// twoSuppliers draws inspections of goods from two suppliers.
func twoSuppliers(r *rand.Rand, n int) law.Data {
	columns := strings.Fields("width_mm depth_mm moisture_pct finish grade scratches packing weight_g")
	group := assign(r, n, uneven(r, 2))
	apart := uniforms(r, 4, 0.5, 0.8)
	scratches := []float64{uniform(r, 0.8, 1.3), uniform(r, 2, 2.8)}
	finish := [][]float64{{0.5, 0.3, 0.2}, {0.22, 0.33, 0.45}}
	grade := [][]float64{{0.5, 0.35, 0.15}, {0.3, 0.4, 0.3}}
	boxed := []float64{uniform(r, 0.65, 0.75), uniform(r, 0.25, 0.35)}
	table := rows(n, func(i int) []string {
		g := group[i]
		far := float64(g)
		return []string{
			fixed(normal(r, 49.8+0.15*apart[0]*far, 0.15), 2),
			fixed(normal(r, 18.2-0.09*apart[1]*far, 0.09), 2),
			fixed(logNormal(r, 2.1+0.12*apart[2]*far, 0.12), 1),
			[]string{"matt", "satin", "gloss"}[pick(r, finish[g])],
			[]string{"1", "2", "3"}[pick(r, grade[g])],
			whole(poisson(r, scratches[g])),
			map[bool]string{true: "box", false: "pallet"}[coin(r, boxed[g])],
			fixed(normal(r, 212-4*apart[3]*far, 4), 0),
		}
	})
	return law.Data{Columns: columns, Table: table, Group: group}
}
