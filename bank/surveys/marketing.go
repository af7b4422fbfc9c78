package surveys

import (
	"math"
	"math/rand/v2"

	"github.com/moiety-go/moiety/bank/law"
)

// marketingLaws are laws of purchases, choices and satisfaction.
func marketingLaws() []law.Law {
	return []law.Law{
		{
			Name: "brand repertoires", Kind: law.Presences, Groups: 1, Draw: brandRepertoires,
			About: "NBD-Dirichlet: gamma-distributed buying rates and Dirichlet-distributed brand shares in several categories, without segments (Goodhardt, Ehrenberg and Chatfield 1984).",
		},
		{
			Name: "baskets by wealth", Kind: law.Presences, Groups: 1, Draw: wealthBaskets,
			About: "Continuous wealth moves every product up or down, and baskets differ much in size (Engel 1857; Bils and Klenow 1998).",
		},
		{
			Name: "baskets by season", Kind: law.Presences, Groups: 1, Draw: seasonBaskets,
			About: "The day of the year, a circle without breaks, raises and lowers half of the products (Radas and Shugan 1998, seasonal marketing).",
		},
		{
			Name: "independent codes by rank", Kind: law.Presences, Groups: 1, Draw: independentCodes,
			About: "Article codes with Zipf frequencies and overdispersed list lengths, otherwise independent (Zipf 1949; null model of market-basket analysis).",
		},
		{
			Name: "satisfaction with a J shape", Kind: law.Ordered, Groups: 1, Draw: jShape,
			About: "One heavy-tailed satisfaction behind 0-10 ratings that heap at both ends, as online reviews do (Hu, Pavlou and Zhang 2009; Peterson and Wilson 1992).",
		},
		{
			Name: "choice experiment with continuous tastes", Kind: law.Answers, Groups: 1, Draw: mixedLogit,
			About: "Mixed logit: normal and log-normal tastes for price, brand and quality over a fixed set of choice tasks (McFadden and Train 2000).",
		},
		{
			Name: "choice experiment with taste segments", Kind: law.Answers, Groups: 3, Draw: tasteSegments,
			About: "Finite mixture of logits: price seekers, brand followers and quality seekers in the same choice tasks (Kamakura and Russell 1989).",
		},
		{
			Name: "brand loyalty segments", Kind: law.Presences, Groups: 4, Draw: loyaltySegments,
			About: "Premium, organic, store-brand and family-pack buyers choose within each category by their tier; personal buying rates inside (Grover and Srinivasan 1987).",
		},
		{
			Name: "shopping missions", Kind: law.Presences, Groups: 6, Draw: shoppingMissions,
			About: "Every trip has one purpose with its own products beside everyday ones, and its own basket size (Walters and Jamil 2003; Reutterer et al. 2006).",
		},
		{
			Name: "households, offices and caterers", Kind: law.Presences, Groups: 3, Draw: customerKinds,
			About: "Customers of a wholesaler in 90, 8 and 2 percent, distinguished by a part of the assortment, with gamma-distributed activity (Wedel and Kamakura 2000).",
		},
		{
			Name: "benefit segments", Kind: law.Mixed, Groups: 4, Draw: benefitSegments,
			About: "Importance ratings, channel and spending of four segments, over a personal level of all ratings (Haley 1968; Green and Krieger 1995).",
		},
	}
}

func brandRepertoires(r *rand.Rand, n int) law.Data {
	categories, brands := between(r, 3, 5), between(r, 7, 10)
	var words []string
	shares := make([][]float64, categories)
	total, size, rate := make([]float64, categories), make([]float64, categories), make([]float64, categories)
	for c, name := range some(r, []string{"coffee", "soap", "cereal", "beer", "pasta", "soup", "tea"}, categories) {
		for _, b := range coins(r, brands) {
			words = append(words, name+":"+b)
		}
		shares[c] = zipf(brands, uniform(r, 0.5, 1))
		total[c], size[c], rate[c] = uniform(r, 1.5, 3.5), uniform(r, 0.8, 1.6), uniform(r, 4, 9)
	}
	return lists(r, n, func(int) []string {
		list := []string{}
		for c := range categories {
			taste := dirichletAround(r, shares[c], total[c])
			bought := make([]bool, brands)
			for range negativeBinomial(r, rate[c], size[c]) {
				bought[categorical(r, taste)] = true
			}
			for b, yes := range bought {
				if yes {
					list = append(list, words[c*brands+b])
				}
			}
		}
		return list
	})
}

func wealthBaskets(r *rand.Rand, n int) law.Data {
	words := some(r, groceries, between(r, 40, 60))
	base := spread(zipf(len(words), uniform(r, 0.5, 0.9)), 0.6, 0.02)
	slope := make([]float64, len(words))
	for j := range slope {
		slope[j] = normal(r, 0, 0.9)
	}
	shape := uniform(r, 2, 5)
	return lists(r, n, func(int) []string {
		wealth, size := r.NormFloat64(), math.Log(gamma(r, shape, 1/shape)+0.02)
		return basket(r, words, func(j int) float64 { return base[j] + slope[j]*wealth + size })
	})
}

func seasonBaskets(r *rand.Rand, n int) law.Data {
	words := some(r, groceries, between(r, 40, 60))
	base := spread(zipf(len(words), uniform(r, 0.4, 0.8)), 0.5, 0.04)
	amplitude, peak := make([]float64, len(words)), uniforms(r, len(words), 0, 2*math.Pi)
	for j := range amplitude {
		if chance(r, 0.55) {
			amplitude[j] = uniform(r, 1, 1.9)
		}
	}
	shape := uniform(r, 2, 5)
	return lists(r, n, func(int) []string {
		day, size := uniform(r, 0, 2*math.Pi), math.Log(gamma(r, shape, 1/shape)+0.02)
		return basket(r, words, func(j int) float64 {
			return base[j] + amplitude[j]*math.Cos(day-peak[j]) + size
		})
	})
}

func independentCodes(r *rand.Rand, n int) law.Data {
	words := coins(r, between(r, 70, 140))
	weights := zipf(len(words), uniform(r, 0.8, 1.3))
	mean, size := uniform(r, 5, 10), uniform(r, 0.8, 3)
	return lists(r, n, func(int) []string {
		return withoutReplacement(r, words, weights, 1+negativeBinomial(r, mean, size))
	})
}

func jShape(r *rand.Rand, n int) law.Data {
	items := between(r, 7, 12)
	df := uniform(r, 2.5, 4)
	slope := uniforms(r, items, 1.8, 3)
	threshold := make([][]float64, items)
	for j := range threshold {
		threshold[j] = steps(r, 11, normal(r, -1.6, 0.5), 0.3, 0.5)
	}
	missing := uniform(r, 0, 0.08)
	data := questionnaire(r, []string{"sat", "nps", "rate"}[r.IntN(3)], 0, n, items, func(int) []int {
		satisfaction := student(r, df)
		row := make([]int, items)
		for j := range row {
			row[j] = graded(r, slope[j]*satisfaction, threshold[j])
		}
		return row
	})
	blank(r, data.Table, missing)
	return data
}

// alternative is an offer of a choice experiment; the offer without a brand is to buy
// nothing.
type alternative struct {
	price, quality float64
	brand          int
}

// choiceTasks draws the tasks of a choice experiment: three offers, and nothing as the
// fourth answer.
func choiceTasks(r *rand.Rand, tasks int) [][]alternative {
	design := make([][]alternative, tasks)
	for t := range design {
		brands, prices, qualities := r.Perm(3), r.Perm(4), r.Perm(3)
		for k := range 3 {
			design[t] = append(design[t], alternative{float64(prices[k]) - 1.5, float64(qualities[k]) - 1, brands[k]})
		}
	}
	return design
}

// choose draws the offer of the greatest utility; 3 is to buy nothing.
func choose(r *rand.Rand, offers []alternative, price, quality float64, brand [3]float64, nothing float64) int {
	best, bestUtility := 3, nothing+gumbel(r)
	for k, o := range offers {
		u := price*o.price + quality*o.quality + brand[o.brand] + gumbel(r)
		if u > bestUtility {
			best, bestUtility = k, u
		}
	}
	return best
}

// choiceAnswers are the names and labels of the tasks of a choice experiment.
func choiceAnswers(r *rand.Rand, tasks int) ([]string, [][]string) {
	words := [][]string{{"A", "B", "C", "none"}, {"opt1", "opt2", "opt3", "no_buy"}}[r.IntN(2)]
	labels := make([][]string, tasks)
	for t := range labels {
		labels[t] = words
	}
	return itemNames(r, []string{"task", "choice", "cbc"}[r.IntN(3)], tasks), labels
}

func mixedLogit(r *rand.Rand, n int) law.Data {
	tasks := between(r, 12, 18)
	design := choiceTasks(r, tasks)
	names, labels := choiceAnswers(r, tasks)
	price, quality, nothing := uniform(r, 0.5, 0.9), uniform(r, 0.3, 0.9), uniform(r, -2, -0.8)
	sd := uniform(r, 0.7, 1.2)
	return choices(r, names, labels, n, func(int) []int {
		p, q := -logNormal(r, price, 0.8), normal(r, quality, sd)
		brand := [3]float64{normal(r, 0.3, sd), normal(r, 0, sd), normal(r, -0.3, sd)}
		out := normal(r, nothing, 1.2)
		row := make([]int, tasks)
		for t := range row {
			row[t] = choose(r, design[t], p, q, brand, out)
		}
		return row
	})
}

func tasteSegments(r *rand.Rand, n int) law.Data {
	tasks := between(r, 14, 20)
	design := choiceTasks(r, tasks)
	names, labels := choiceAnswers(r, tasks)
	price := []float64{-uniform(r, 1.8, 2.4), -0.3, -0.3}
	quality := []float64{0.2, 0.3, uniform(r, 2, 2.6)}
	var brand [3][3]float64
	loyal := r.IntN(3)
	brand[1][loyal] = uniform(r, 2.6, 3.2)
	nothing := uniform(r, -2.5, -1.5)
	group := members(r, n, groupSizes(r, 3, 0.15))
	data := choices(r, names, labels, n, func(i int) []int {
		g := group[i]
		own := normal(r, 0, 0.3) // a little continuous taste inside the segment
		row := make([]int, tasks)
		for t := range row {
			row[t] = choose(r, design[t], price[g]*math.Exp(own), quality[g], brand[g], nothing)
		}
		return row
	})
	data.Group = group
	return data
}

func loyaltySegments(r *rand.Rand, n int) law.Data {
	categories := some(r, []string{"coffee", "pasta", "milk", "soap", "cereal", "beer", "yoghurt", "tea", "soup", "bread", "juice", "crisps", "rice"}, between(r, 9, 13))
	const tiers = 4
	brands := make([][]string, len(categories))
	for c, name := range categories {
		for _, b := range coins(r, tiers) {
			brands[c] = append(brands[c], name+" "+b)
		}
	}
	loyalty := uniform(r, 0.62, 0.78)
	popularity := make([][]float64, len(categories))
	needed := uniforms(r, len(categories), -1.4, 1.4) // log odds of buying in the category
	for c := range popularity {
		popularity[c] = dirichlet(r, tiers, 3)
	}
	sdRate := uniform(r, 0.3, 0.7)
	group := members(r, n, groupSizes(r, tiers, 0.1))
	data := lists(r, n, func(i int) []string {
		rate := normal(r, 0.3, sdRate)
		list := []string{}
		for c := range categories {
			if bernoulli(r, needed[c]+rate) == 0 {
				continue
			}
			first := segmentBrand(r, group[i], loyalty, popularity[c])
			list = append(list, brands[c][first])
			if second := segmentBrand(r, group[i], loyalty, popularity[c]); second != first && chance(r, 0.5) {
				list = append(list, brands[c][second])
			}
		}
		return list
	})
	data.Group = group
	return data
}

// segmentBrand draws the own tier of a segment with the probability of loyalty, else
// any brand by its popularity.
func segmentBrand(r *rand.Rand, segment int, loyalty float64, popularity []float64) int {
	if chance(r, loyalty) {
		return segment
	}
	return categorical(r, popularity)
}

func shoppingMissions(r *rand.Rand, n int) law.Data {
	words := some(r, groceries, between(r, 56, 70))
	const missions = 6
	weights := make([][]float64, missions)
	everyday := zipf(len(words), 0.8)
	share := uniform(r, 0.15, 0.25) // of everyday products
	for m := range weights {
		weights[m] = make([]float64, len(words))
		own := zipf(between(r, 9, 13), 0.4)
		for k, j := range r.Perm(len(words))[:len(own)] {
			weights[m][j] = own[k]
		}
		sumOwn, sumAll := 0.0, 0.0
		for j := range words {
			sumOwn += weights[m][j]
			sumAll += everyday[j]
		}
		for j := range words {
			weights[m][j] = (1-share)*weights[m][j]/sumOwn + share*everyday[j]/sumAll
		}
	}
	size := uniforms(r, missions, 5.5, 9)
	group := members(r, n, groupSizes(r, missions, 0.08))
	data := lists(r, n, func(i int) []string {
		g := group[i]
		return withoutReplacement(r, words, weights[g], 2+negativeBinomial(r, size[g]-2, 5))
	})
	data.Group = group
	return data
}

func customerKinds(r *rand.Rand, n int) law.Data {
	words := some(r, groceries, between(r, 45, 65))
	base := spread(zipf(len(words), uniform(r, 0.4, 0.8)), 0.5, 0.03)
	lift := make([][]float64, 3)
	for g := range lift {
		lift[g] = make([]float64, len(words))
	}
	order := r.Perm(len(words))
	special := between(r, 12, 15)
	for k := range special {
		lift[1][order[k]] = uniform(r, 2.2, 3.4)
		lift[2][order[special+k]] = uniform(r, 2.6, 3.8)
		lift[1][order[2*special+k%4]] = -2
	}
	shape := uniform(r, 3, 6)
	group := members(r, n, []float64{0.9, 0.08, 0.02})
	data := lists(r, n, func(i int) []string {
		activity := math.Log(gamma(r, shape, 1/shape) + 0.02)
		return basket(r, words, func(j int) float64 {
			return math.Min(base[j]+lift[group[i]][j]+activity, 3.5)
		})
	})
	data.Group = group
	return data
}

func benefitSegments(r *rand.Rand, n int) law.Data {
	columns := []string{"imp_price", "imp_quality", "imp_service", "imp_design", "imp_eco", "imp_brand", "imp_speed", "channel", "visits", "spend", "basket_items", "loyalty_card", "age"}
	const segments = 4
	rating := make([][]float64, segments)
	shape := patterns(r, segments, 7, 2, 4)
	for g := range rating {
		for j := range 7 {
			rating[g] = append(rating[g], 3.3+2.4*float64(shape[g][j])+normal(r, 0, 0.2))
		}
	}
	visits := []float64{uniform(r, 2, 4), uniform(r, 6, 9), uniform(r, 12, 18), uniform(r, 4, 7)}
	spend := []float64{uniform(r, 40, 60), uniform(r, 120, 180), uniform(r, 20, 35), uniform(r, 70, 100)}
	channel := [][]float64{{8, 1, 1}, {1, 8, 1}, {3, 2, 5}, {2, 5, 3}}
	card := []float64{-1.5, 0.5, 1.5, -0.5}
	age := []float64{58, 38, 48, 30}
	levelSpread, noise := uniform(r, 0.4, 0.8), uniform(r, 0.7, 1)
	missing := uniform(r, 0, 0.04)
	group := members(r, n, groupSizes(r, segments, 0.1))
	data := form(columns, n, func(i int) []string {
		g := group[i]
		own := normal(r, 0, levelSpread) // some rate everything as important
		var row []string
		for j := range 7 {
			row = append(row, whole(clamp(math.Round(normal(r, rating[g][j]+own, noise)), 1, 7)))
		}
		amount := logNormal(r, spend[g], 0.45)
		return append(row,
			[]string{"store", "web", "app"}[categorical(r, channel[g])],
			whole(float64(negativeBinomial(r, visits[g], 4))),
			decimal(amount, 2),
			whole(float64(1+poisson(r, amount/14))),
			yesNo(bernoulli(r, card[g]), true),
			whole(clamp(normal(r, age[g], 11), 18, 90)),
		)
	})
	blank(r, data.Table, missing)
	data.Group = group
	return data
}
