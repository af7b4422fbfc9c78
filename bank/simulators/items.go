package simulators

import (
	"math"
	"math/rand/v2"

	"github.com/moiety-go/moiety/bank/law"
)

// itemLaws are the models of item response theory: ordered answers of one
// population, and mixtures of such populations.
func itemLaws() []law.Law {
	return []law.Law{
		{
			Name: "graded response", Kind: law.Ordered, Groups: 1,
			About: "Graded response model of one trait (Samejima 1969).",
			Draw:  drawGraded,
		},
		{
			Name: "partial credit", Kind: law.Ordered, Groups: 1,
			About: "Generalised partial credit model, whose steps may be out of order (Masters 1982; Muraki 1992).",
			Draw:  drawPartialCredit,
		},
		{
			Name: "graded testlets", Kind: law.Ordered, Groups: 1,
			About: "Items in testlets that share a person's effect beside the trait (Bradlow, Wainer and Wang 1999).",
			Draw:  drawTestlets,
		},
		{
			Name: "bifactor symptoms", Kind: law.Ordered, Groups: 1,
			About: "Bifactor model of symptoms with a skewed general trait and most persons at the floor (Reise 2012; Lucke 2015).",
			Draw:  drawBifactor,
		},
		{
			Name: "response styles", Kind: law.Ordered, Groups: 1,
			About: "Two content traits and continuous extreme and acquiescent response styles (Bolt and Johnson 2009; Wetzel and Carstensen 2017).",
			Draw:  drawStyles,
		},
		{
			Name: "unfolding attitudes", Kind: law.Ordered, Groups: 1,
			About: "Graded unfolding: agreement falls off with the distance of a person from an item's place (Roberts, Donoghue and Laughlin 2000).",
			Draw:  drawUnfolding,
		},
		{
			Name: "ordinal profiles", Kind: law.Ordered, Groups: 4,
			About: "Latent classes with ordered items and conditional independence (Magidson and Vermunt 2004; Wurpts and Geiser 2014).",
			Draw: func(r *rand.Rand, n int) law.Data {
				return drawOrdinalClasses(r, n, uneven(r, 4), between(r, 12, 20), 1.3)
			},
		},
		{
			Name: "ordinal profiles weak", Kind: law.Ordered, Groups: 5,
			About: "Five latent classes with few ordered items of moderate quality (Wurpts and Geiser 2014).",
			Draw: func(r *rand.Rand, n int) law.Data {
				return drawOrdinalClasses(r, n, even(5), between(r, 8, 10), 0.9)
			},
		},
		{
			Name: "rare symptom classes", Kind: law.Ordered, Groups: 3,
			About: "Symptom classes of 90, 8 and 2 percent (Morgan 2015; Nylund-Gibson and Choi 2018).",
			Draw: func(r *rand.Rand, n int) law.Data {
				return drawOrdinalClasses(r, n, steep(), between(r, 14, 20), 1.5)
			},
		},
		{
			Name: "ordinal taxon", Kind: law.Ordered, Groups: 2,
			About: "Taxon and complement seen by short ordered scales (Walters and Ruscio 2009).",
			Draw:  drawOrdinalTaxon,
		},
		{
			Name: "ordinal factor mixture", Kind: law.Ordered, Groups: 2,
			About: "Two classes with their own thresholds and a continuous trait within (Lubke and Neale 2008; Clark et al. 2013).",
			Draw:  drawOrdinalFactorMixture,
		},
		{
			Name: "mixed partial credit", Kind: law.Ordered, Groups: 2,
			About: "Mixed Rasch model for ordered answers: two classes for which the items' order of difficulty differs (Rost 1991).",
			Draw:  drawMixedPartialCredit,
		},
	}
}

// firstCode draws whether answers count from 0 or 1.
func firstCode(r *rand.Rand) int { return r.IntN(2) }

// thresholds draws m sorted cut points about centre.
func thresholds(r *rand.Rand, m int, centre float64) []float64 {
	cuts := make([]float64, m)
	width := uniform(r, 0.6, 1.2)
	for i := range cuts {
		cuts[i] = centre + width*(float64(i)-float64(m-1)/2) + uniform(r, -0.2, 0.2)*width
	}
	return cuts
}

// graded draws the category of a cumulative logistic model.
func graded(r *rand.Rand, level, slope float64, cuts []float64) int {
	u := logit(open(r))
	code := 0
	for _, c := range cuts {
		if slope*(level-c) > u {
			code++
		}
	}
	return code
}

// partialCredit draws the category of an adjacent-category logistic model.
func partialCredit(r *rand.Rand, level, slope float64, steps []float64) int {
	w := make([]float64, len(steps)+1)
	sum := 0.0
	w[0] = 1
	for i, s := range steps {
		sum += slope * (level - s)
		w[i+1] = math.Exp(sum)
	}
	return categorical(r, w)
}

// cutTable draws thresholds for p items.
func cutTable(r *rand.Rand, p, m int, lo, hi float64) matrix {
	cuts := make(matrix, p)
	for j := range cuts {
		cuts[j] = thresholds(r, m, uniform(r, lo, hi))
	}
	return cuts
}

// answersOf fills n rows of p answers.
func answersOf(n, p int, row func(i int, codes []int)) [][]int {
	table := make([][]int, n)
	for i := range table {
		table[i] = make([]int, p)
		row(i, table[i])
	}
	return table
}

func drawGraded(r *rand.Rand, n int) law.Data {
	p, m := between(r, 8, 20), between(r, 3, 6)
	slope := uniforms(r, p, 0.8, 2.5)
	cuts := cutTable(r, p, m, -1, 1)
	codes := answersOf(n, p, func(_ int, row []int) {
		t := r.NormFloat64()
		for j := range row {
			row[j] = graded(r, t, slope[j], cuts[j])
		}
	})
	return wholeTable(itemNames(r, p), codes, firstCode(r), nil)
}

func drawPartialCredit(r *rand.Rand, n int) law.Data {
	p, m := between(r, 8, 16), between(r, 2, 4)
	slope := uniforms(r, p, 0.7, 1.6)
	steps := zeros(p, m)
	for j := range steps {
		centre := uniform(r, -1.2, 1.2)
		for k := range steps[j] {
			steps[j][k] = centre + normal(r, 0, 0.8)
		}
	}
	codes := answersOf(n, p, func(_ int, row []int) {
		t := normal(r, 0, 1.2)
		for j := range row {
			row[j] = partialCredit(r, t, slope[j], steps[j])
		}
	})
	return wholeTable(itemNames(r, p), codes, firstCode(r), nil)
}

func drawTestlets(r *rand.Rand, n int) law.Data {
	sets, each, m := between(r, 3, 5), between(r, 3, 5), between(r, 2, 4)
	p := sets * each
	slope := uniforms(r, p, 1, 2.2)
	cuts := cutTable(r, p, m, -1, 1)
	effect := uniforms(r, sets, 0.5, 1.1)
	codes := answersOf(n, p, func(_ int, row []int) {
		t, own := r.NormFloat64(), normals(r, sets)
		for j := range row {
			row[j] = graded(r, t+effect[j/each]*own[j/each], slope[j], cuts[j])
		}
	})
	return wholeTable(itemNames(r, p), codes, firstCode(r), nil)
}

func drawBifactor(r *rand.Rand, n int) law.Data {
	q := between(r, 2, 4)
	p, m := q*between(r, 3, 5), between(r, 3, 4)
	general, special := uniforms(r, p, 1.2, 2.4), uniforms(r, p, 0.5, 1.4)
	cuts := cutTable(r, p, m, 0.8, 2)
	skewness := uniform(r, 0.6, 1.8)
	codes := answersOf(n, p, func(_ int, row []int) {
		t, own := skewed(r, skewness), normals(r, q)
		for j := range row {
			row[j] = graded(r, t+special[j]/general[j]*own[j%q], general[j], cuts[j])
		}
	})
	return wholeTable(itemNames(r, p), codes, 0, nil)
}

func drawStyles(r *rand.Rand, n int) law.Data {
	p, m := between(r, 10, 20), between(r, 4, 6)
	slope := uniforms(r, p, 0.8, 1.8)
	cuts := cutTable(r, p, m, -0.6, 0.6)
	direction := make([]float64, p)
	for j := range direction {
		direction[j] = sign(r)
	}
	extreme, agree := uniform(r, 0.3, 0.7), uniform(r, 0.2, 0.6)
	codes := answersOf(n, p, func(_ int, row []int) {
		content := []float64{r.NormFloat64(), r.NormFloat64()}
		stretch, bias := logNormal(r, 0, extreme), normal(r, 0, agree)
		for j := range row {
			level := stretch * (direction[j]*content[j%2] + bias)
			row[j] = graded(r, level, slope[j]*math.Sqrt(stretch), cuts[j])
		}
	})
	return wholeTable(itemNames(r, p), codes, firstCode(r), nil)
}

func drawUnfolding(r *rand.Rand, n int) law.Data {
	p, m := between(r, 10, 20), between(r, 3, 5)
	place := uniforms(r, p, -2.2, 2.2)
	slope := uniforms(r, p, 1.2, 2.4)
	cuts := cutTable(r, p, m, -1.4, -0.8)
	codes := answersOf(n, p, func(_ int, row []int) {
		t := normal(r, 0, 1.1)
		for j := range row {
			row[j] = graded(r, -math.Abs(t-place[j]), slope[j], cuts[j])
		}
	})
	return wholeTable(itemNames(r, p), codes, firstCode(r), nil)
}

// drawOrdinalClasses gives each class a level on each item, with the given standard
// deviation, where an item's logistic noise has a slope of one to two.
func drawOrdinalClasses(r *rand.Rand, n int, shares []float64, p int, levelSD float64) law.Data {
	k, m := len(shares), between(r, 3, 5)
	level := zeros(k, p)
	for g := range level {
		for j := range p {
			level[g][j] = normal(r, 0, levelSD)
		}
	}
	slope := uniforms(r, p, 1, 2)
	cuts := cutTable(r, p, m, -0.5, 0.5)
	group := assign(r, n, shares)
	codes := answersOf(n, p, func(i int, row []int) {
		for j := range row {
			row[j] = graded(r, level[group[i]][j], slope[j], cuts[j])
		}
	})
	return blank(r, wholeTable(itemNames(r, p), codes, firstCode(r), group), choiceOf(r, 0, 0, 0.03))
}

// choiceOf draws one of the given numbers.
func choiceOf(r *rand.Rand, from ...float64) float64 { return from[r.IntN(len(from))] }

func drawOrdinalTaxon(r *rand.Rand, n int) law.Data {
	p, m := between(r, 9, 14), between(r, 3, 5)
	away := uniforms(r, p, 2.6, 4)
	cuts := cutTable(r, p, m, 1, 1.8)
	nuisance := uniforms(r, 2, 0.2, 0.6)
	base := uniform(r, 0.1, 0.4)
	group := assign(r, n, []float64{1 - base, base})
	codes := answersOf(n, p, func(i int, row []int) {
		g := group[i]
		t := nuisance[g] * r.NormFloat64()
		for j := range row {
			row[j] = graded(r, t+away[j]*float64(g), 1.3, cuts[j])
		}
	})
	return wholeTable(itemNames(r, p), codes, firstCode(r), group)
}

// drawOrdinalFactorMixture gives the second class other places on most items, up on
// some and down on others, so that the trait within does not carry the classes.
func drawOrdinalFactorMixture(r *rand.Rand, n int) law.Data {
	p, m := between(r, 12, 18), between(r, 3, 4)
	slope := uniforms(r, p, 1, 1.8)
	cuts := cutTable(r, p, m, -0.6, 0.6)
	shift := make([]float64, p)
	for j := range shift {
		if j%4 != 0 {
			shift[j] = sign(r) * uniform(r, 1.2, 2)
		}
	}
	group := assign(r, n, uneven(r, 2))
	codes := answersOf(n, p, func(i int, row []int) {
		t := r.NormFloat64()
		for j := range row {
			row[j] = graded(r, t+shift[j]*float64(group[i]), slope[j], cuts[j])
		}
	})
	return wholeTable(itemNames(r, p), codes, firstCode(r), group)
}

// drawMixedPartialCredit reverses the items' order of difficulty in one class.
func drawMixedPartialCredit(r *rand.Rand, n int) law.Data {
	p, m := between(r, 14, 20), between(r, 2, 4)
	steps := []matrix{zeros(p, m), zeros(p, m)}
	for j := range p {
		centre := 1.4 - 2.8*float64(j)/float64(p-1)
		for k := range m {
			steps[0][j][k] = centre + 0.8*(float64(k)-float64(m-1)/2) + uniform(r, -0.2, 0.2)
			steps[1][j][k] = -centre + 0.8*(float64(k)-float64(m-1)/2) + uniform(r, -0.2, 0.2)
		}
	}
	order := r.Perm(p)
	group := assign(r, n, uneven(r, 2))
	codes := answersOf(n, p, func(i int, row []int) {
		t := r.NormFloat64()
		for j := range row {
			row[j] = partialCredit(r, t, 1, steps[group[i]][order[j]])
		}
	})
	return wholeTable(itemNames(r, p), codes, firstCode(r), group)
}
