package machines

import (
	"math"
	"math/rand/v2"
	"strings"

	"github.com/moiety-go/moiety/bank/law"
)

// financeLaws are the laws of markets, credit, payments and shops.
func financeLaws() []law.Law {
	return []law.Law{
		{
			Name: "heavy tailed daily returns", Kind: law.Measurements, Groups: 1, Draw: heavyReturns,
			About: "Returns of several assets on one day: multivariate Student's t with a market factor (Blattberg and Gonedes 1974).",
		},
		{
			Name: "portfolios in quiet and crisis", Kind: law.Measurements, Groups: 2, Draw: quietAndCrisis,
			About: "Day returns of twelve assets: a crisis has greater scatter, lower means and a stronger market factor (Ang and Chen 2002). Hard.",
		},

		{
			Name: "returns with clustered volatility", Kind: law.Sequences, Groups: 1, Draw: clusteredVolatility,
			About: "GARCH(1,1): the variance follows past squares continuously, without regimes (Bollerslev 1986).",
		},
		{
			Name: "calm and turbulent markets", Kind: law.Sequences, Groups: 2, Draw: marketRegimes,
			About: "Markov switching of mean and variance of weekly returns (Hamilton 1989). Hard.",
		},

		{
			Name: "items bought by eager customers", Kind: law.Counts, Groups: 1, Draw: eagerCustomers,
			About: "Purchases by department: Pareto amount of shopping times Dirichlet preferences of the person (Ehrenberg 1959; Goodhardt, Ehrenberg and Chatfield 1984).",
		},
		{
			Name: "units by department of five missions", Kind: law.Counts, Groups: 5, Draw: unitsByDepartment,
			About: "Five kinds of customers with negative binomial rates by department (Wedel et al. 1993). Clear.",
		},

		{
			Name: "baskets of uneven size", Kind: law.Presences, Groups: 1, Draw: basketsOfUnevenSize,
			About: "Items enter independently given a heavy-tailed size of the basket; popularity by Zipf (Brijs et al. 1999).",
		},
		{
			Name: "shopping missions", Kind: law.Presences, Groups: 5, Draw: shoppingMissions,
			About: "Baskets for breakfast, party, baby, cleaning and dinner, with common goods besides (Reutterer et al. 2006). Clear.",
		},

		{
			Name: "applicants for credit", Kind: law.Mixed, Groups: 1, Draw: applicants,
			About: "A continuous standing of the applicant moves income, amount, terms and, by thresholds, categories; cells are missing at random (Thomas 2000).",
		},
		{
			Name: "card payments", Kind: law.Mixed, Groups: 1, Draw: cardPayments,
			About: "Amounts log-normal with a Pareto tail, trade, hour and means of payment follow one continuous wealth and age (Whitrow et al. 2009).",
		},
		{
			Name: "segments of a bank's customers", Kind: law.Mixed, Groups: 4, Draw: bankSegments,
			About: "Students, families, owners of firms and retired people by balance, products, channel and visits (Wedel and Kamakura 2000). Clear.",
		},
		{
			Name: "payments with stolen cards", Kind: law.Mixed, Groups: 2, Draw: stolenCards,
			About: "About one payment in twenty is fraud: other hours, countries, amounts, means and counts in the last day (Bolton and Hand 2002). Clear, uneven.",
		},
	}
}

// tickers are names of assets.
var tickers = strings.Fields("ALV BAS BAY CON DTE EOA FRE HEI LIN MRK RWE SAP SIE TKA")

// heavyReturns draws returns of one day in per cent.
func heavyReturns(r *rand.Rand, n int) law.Data {
	k := between(r, 6, 10)
	root := cholesky(randomCorrelation(r, k, 1, 0.9))
	sd := uniforms(r, k, 0.7, 1.8)
	mean := uniforms(r, k, -0.05, 0.1)
	df := uniform(r, 3, 5)
	table := rows(n, func(int) []string {
		x := correlated(r, root)
		scale := 1 / math.Sqrt(gamma(r, df/2, 2)/df)
		for j := range x {
			x[j] = mean[j] + sd[j]*x[j]*scale
		}
		return fixedRow(x, 2)
	})
	return law.Data{Columns: tickers[:k], Table: table}
}

// quietAndCrisis draws returns of days in two conditions.
func quietAndCrisis(r *rand.Rand, n int) law.Data {
	k := 12
	load := uniforms(r, k, 0.5, 1.1)
	sd := uniforms(r, k, 0.5, 0.9)
	wider := uniform(r, 1.45, 1.75)
	few := uniform(r, 0.15, 0.3)
	fall := uniform(r, 0.5, 1)
	group := assign(r, n, []float64{1 - few, few})
	table := rows(n, func(i int) []string {
		x := make([]float64, k)
		market := normal(r, 0.05, 0.6)
		own := 1.0
		if group[i] == 1 {
			market = normal(r, -fall, 1.8)
			own = wider
		}
		for j := range x {
			x[j] = load[j]*market + own*sd[j]*r.NormFloat64()
		}
		return fixedRow(x, 2)
	})
	return law.Data{Columns: tickers[:k], Table: table, Group: group}
}

// clusteredVolatility draws sequences of GARCH returns.
func clusteredVolatility(r *rand.Rand, n int) law.Data {
	react := uniform(r, 0.06, 0.14)
	keep := uniform(r, 0.8, 0.97-react)
	level := uniform(r, 0.6, 2)
	steps := make([][]string, n)
	for i := range steps {
		variance := level
		for t := range sequenceLength(r) + 40 {
			x := math.Sqrt(variance) * r.NormFloat64()
			if t >= 40 {
				steps[i] = append(steps[i], fixed(x, 2))
			}
			variance = level*(1-react-keep) + react*x*x + keep*variance
		}
	}
	return law.Data{Steps: steps}
}

// marketRegimes draws sequences of weekly returns of two regimes.
func marketRegimes(r *rand.Rand, n int) law.Data {
	mean := []float64{uniform(r, 0.25, 0.5), uniform(r, -1.2, -0.6)}
	sd := []float64{uniform(r, 0.8, 1.1), uniform(r, 2, 2.8)}
	regimes := chain{start: []float64{0.7, 0.3}, move: [][]float64{{0.96, 0.04}, {0.08, 0.92}}}
	var group []int
	steps := make([][]string, n)
	for i := range steps {
		path := regimes.walk(r, sequenceLength(r))
		for _, s := range path {
			steps[i] = append(steps[i], fixed(normal(r, mean[s], sd[s]), 2))
		}
		group = append(group, path...)
	}
	return law.Data{Steps: steps, Group: group}
}

// departments are names of departments as columns.
var departments = strings.Fields("produce bakery dairy meat frozen drinks snacks household baby pet beauty garden")

// eagerCustomers draws units by department.
func eagerCustomers(r *rand.Rand, n int) law.Data {
	k := between(r, 8, 12)
	taste := dirichlet(r, symmetric(k, 3))
	strength := uniform(r, 6, 20)
	for j := range taste {
		taste[j] *= strength
	}
	tail := uniform(r, 1.5, 2.5)
	least := uniform(r, 8, 20)
	table := rows(n, func(int) []string {
		amount := min(pareto(r, least, tail), 3000)
		own := dirichlet(r, taste)
		row := make([]string, k)
		for j := range row {
			row[j] = whole(poisson(r, amount*own[j]))
		}
		return row
	})
	return law.Data{Columns: departments[:k], Table: table}
}

// unitsByDepartment draws units of five kinds of customers.
func unitsByDepartment(r *rand.Rand, n int) law.Data {
	k := len(departments)
	base := uniforms(r, k, 1.2, 3.5)
	rate := make([][]float64, 5)
	order := r.Perm(k)
	for g := range rate {
		rate[g] = make([]float64, k)
		for j := range rate[g] {
			rate[g][j] = base[j] * logNormal(r, 0, 0.3)
		}
		for f := range 2 {
			rate[g][order[(2*g+f)%k]] = uniform(r, 13, 22)
		}
	}
	size := uniform(r, 2.5, 5)
	group := assign(r, n, uneven(r, 5))
	table := rows(n, func(i int) []string {
		row := make([]string, k)
		for j := range row {
			row[j] = whole(negBin(r, rate[group[i]][j], size))
		}
		return row
	})
	return law.Data{Columns: departments, Table: table, Group: group}
}

// goods are names of goods; the first ten are bought by all, then come the goods of
// five missions, seven each.
var goods = strings.Fields(`milk bread bananas eggs water apples tomatoes potatoes bag onions
	cereal yoghurt jam coffee juice croissant honey
	beer crisps cola peanuts ice wine gin
	nappies wipes formula baby_food bibs teat lotion
	bleach sponge detergent bin_bags mop_head softener gloves
	pasta mince parmesan basil garlic cream salad`)

// basketsOfUnevenSize draws baskets of one kind.
func basketsOfUnevenSize(r *rand.Rand, n int) law.Data {
	order := r.Perm(len(goods))
	use := zipf(len(goods), uniform(r, 0.6, 0.9), 3)
	tail := uniform(r, 0.6, 0.9)
	median := uniform(r, 4, 8)
	lists := make([][]string, n)
	for i := range lists {
		size := median * logNormal(r, 0, tail)
		lists[i] = []string{}
		for j, p := range use {
			if coin(r, 1-math.Exp(-size*p)) {
				lists[i] = append(lists[i], goods[order[j]])
			}
		}
	}
	return law.Data{Lists: lists}
}

// shoppingMissions draws baskets of five missions.
func shoppingMissions(r *rand.Rand, n int) law.Data {
	chance := make([][]float64, 5)
	for g := range chance {
		chance[g] = uniforms(r, len(goods), 0.01, 0.07)
		for j := range goods {
			switch {
			case j < 10:
				chance[g][j] = uniform(r, 0.15, 0.3)
			case (j-10)/7 == g:
				chance[g][j] = uniform(r, 0.4, 0.7)
			}
		}
	}
	group := assign(r, n, uneven(r, 5))
	lists := make([][]string, n)
	for i, g := range group {
		lists[i] = []string{}
		for j, good := range goods {
			if coin(r, chance[g][j]) {
				lists[i] = append(lists[i], good)
			}
		}
	}
	return law.Data{Lists: lists, Group: group}
}

// step is the label of the band of x between rising limits.
func step(x float64, limits []float64, labels []string) string {
	for j, limit := range limits {
		if x < limit {
			return labels[j]
		}
	}
	return labels[len(limits)]
}

// applicants draws applications for credit.
func applicants(r *rand.Rand, n int) law.Data {
	columns := strings.Fields("age income amount term_months employment housing savings late_payments score")
	tie := uniform(r, 0.45, 0.75)
	rest := math.Sqrt(1 - tie*tie)
	table := rows(n, func(int) []string {
		standing := r.NormFloat64()
		near := func() float64 { return tie*standing + rest*r.NormFloat64() }
		income := math.Round(math.Exp(7.7+0.45*near())/50) * 50
		row := []string{
			fixed(math.Round(20+55*logistic(near()-0.4)), 0),
			fixed(income, 0),
			fixed(math.Round(math.Exp(8.4+0.6*near())/100)*100, 0),
			[]string{"12", "24", "36", "48", "60"}[r.IntN(5)],
			step(near(), []float64{-1.2, 0.2, 1}, strings.Fields("unemployed short long self")),
			step(near(), []float64{-0.3, 0.9}, strings.Fields("rent own free")),
			step(near(), []float64{-0.5, 0.4, 1.1}, strings.Fields("<100 100-500 500-1000 >1000")),
			whole(poisson(r, math.Exp(-0.2-0.8*near()))),
			fixed(620+55*near(), 0),
		}
		return row
	})
	lose(r, table, uniform(r, 0.01, 0.05))
	return law.Data{Columns: columns, Table: table}
}

// clock writes an hour of the day.
func clock(hour float64) string { return whole(int(math.Mod(hour+48, 24))) }

// cardPayments draws payments by card.
func cardPayments(r *rand.Rand, n int) law.Data {
	columns := strings.Fields("amount hour trade entry_mode country days_since_last balance points")
	trades := strings.Fields("grocery fuel restaurant travel clothing electronics pharmacy online_media")
	lean := normals(r, len(trades), 0, 0.5)
	young := normals(r, len(trades), 0, 0.5)
	table := rows(n, func(int) []string {
		wealth, age := r.NormFloat64(), r.NormFloat64()
		weights := make([]float64, len(trades))
		for j := range weights {
			weights[j] = math.Exp(lean[j]*wealth+young[j]*age) / float64(j+2)
		}
		amount := logNormal(r, 3.2+0.4*wealth, 0.7)
		if coin(r, 0.05) {
			amount *= pareto(r, 1, 1.6)
		}
		mode := step(normal(r, 0.6*age, 1), []float64{-0.2, 1.1}, strings.Fields("contactless chip online"))
		country := "DE"
		if coin(r, logistic(-2.5+0.6*wealth)) {
			country = []string{"FR", "NL", "AT", "IT"}[r.IntN(4)]
		}
		return []string{
			fixed(min(amount, 99999), 2), clock(normal(r, 15-1.2*age, 4)), trades[pick(r, share(weights))], mode, country,
			whole(geometric(r, 0.3)), fixed(logNormal(r, 7+0.8*wealth, 0.6), 2), whole(negBin(r, 40*math.Exp(0.4*wealth), 1.5)),
		}
	})
	return law.Data{Columns: columns, Table: table}
}

// bankSegments draws customers of a bank.
func bankSegments(r *rand.Rand, n int) law.Data {
	columns := strings.Fields("age balance_eur products channel transfers_month branch_visits home_loan card_type")
	type segment struct {
		age, spread, balance, products, transfers, visits, loan float64
		channel, card                                           []float64
	}
	segments := []segment{
		{22, 2.5, 6.6, 0.6, 9, 0.1, 0.02, leaning(r, 4, 0, 0.7, 0.85), leaning(r, 4, 0, 0.65, 0.8)},
		{41, 6, 8.6, 3, 16, 0.5, 0.7, leaning(r, 4, 1, 0.6, 0.75), leaning(r, 4, 1, 0.6, 0.75)},
		{48, 8, 10.6, 4.5, 60, 2, 0.35, leaning(r, 4, 2, 0.6, 0.75), leaning(r, 4, 2, 0.65, 0.8)},
		{72, 6, 9.6, 1.6, 5, 3.5, 0.04, leaning(r, 4, 3, 0.65, 0.8), leaning(r, 4, 3, 0.5, 0.7)},
	}
	wide := uniform(r, 0.5, 0.8)
	group := assign(r, n, uneven(r, 4))
	table := rows(n, func(i int) []string {
		s := segments[group[i]]
		return []string{
			fixed(max(normal(r, s.age, s.spread), 18), 0), fixed(logNormal(r, s.balance, wide), 2), whole(1 + poisson(r, s.products)),
			strings.Fields("app web desk branch")[pick(r, s.channel)], whole(negBin(r, s.transfers, 4)), whole(poisson(r, s.visits)),
			map[bool]string{true: "yes", false: "no"}[coin(r, s.loan)],
			strings.Fields("debit gold business classic")[pick(r, s.card)],
		}
	})
	lose(r, table, uniform(r, 0, 0.06))
	return law.Data{Columns: columns, Table: table, Group: group}
}

// stolenCards draws payments of which a few are fraud.
func stolenCards(r *rand.Rand, n int) law.Data {
	columns := strings.Fields("amount hour trade entry_mode foreign payments_24h km_from_home minutes_since_last")
	trades := strings.Fields("grocery fuel restaurant clothing electronics vouchers gaming")
	usual := blurred(r, 38, 18, 20, 12, 7, 3, 2)
	fraud := blurred(r, 5, 6, 2, 10, 32, 27, 18)
	few := uniform(r, 0.04, 0.08)
	group := assign(r, n, []float64{1 - few, few})
	table := rows(n, func(i int) []string {
		if group[i] == 0 {
			return []string{
				fixed(logNormal(r, 3.2, 0.8), 2), clock(normal(r, 15, 3.6)), trades[pick(r, usual)],
				step(r.Float64(), []float64{0.6, 0.9}, strings.Fields("chip contactless online")), map[bool]string{true: "yes", false: "no"}[coin(r, 0.05)],
				whole(poisson(r, 1.6)), fixed(logNormal(r, 1.8, 1), 1), whole(1 + int(logNormal(r, 6.4, 0.9))),
			}
		}
		return []string{
			fixed(logNormal(r, 5.2, 0.8), 2), clock(normal(r, 2.5, 3)), trades[pick(r, fraud)],
			step(r.Float64(), []float64{0.08, 0.2}, strings.Fields("chip contactless online")), map[bool]string{true: "yes", false: "no"}[coin(r, 0.7)],
			whole(1 + poisson(r, 7)), fixed(logNormal(r, 5.6, 1), 1), whole(1 + int(logNormal(r, 3, 0.9))),
		}
	})
	return law.Data{Columns: columns, Table: table, Group: group}
}
