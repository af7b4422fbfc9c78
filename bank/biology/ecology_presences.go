package biology

import (
	"math"
	"math/rand/v2"

	"github.com/moiety-go/moiety/bank/law"
)

// ecologicalPresences are the laws of occurrences of species and of genes of strains.
func ecologicalPresences() []law.Law {
	return []law.Law{
		{
			Name: "nested island faunas", Kind: law.Presences, Groups: 1,
			About: "Nested subsets (Patterson and Atmar 1986): species drop out in much the same order as islands get smaller, island areas being lognormal.",
			Draw:  nestedIslands,
		},
		{
			Name: "elevation turnover", Kind: law.Presences, Groups: 1,
			About: "Unimodal logistic responses (ter Braak and Looman 1986) of species along elevation, plots at all heights, presence and absence.",
			Draw:  elevationTurnover,
		},
		{
			Name: "moisture and warmth plane", Kind: law.Presences, Groups: 1,
			About: "Gleason's (1926) individualistic continuum on two independent gradients, moisture and warmth, with Gaussian responses and random occurrence.",
			Draw:  gradientPlane,
		},
		{
			Name: "camera trap effort", Kind: law.Presences, Groups: 1,
			About: "Imperfect detection (MacKenzie et al. 2002): one community, the lists differ by the effort of the camera station, which is lognormal.",
			Draw:  cameraEffort,
		},
		{
			Name: "bird phenology ring", Kind: law.Presences, Groups: 1,
			About: "Bird lists over the ring of the year (Newton 2008): each species has a season of its own and lists are made on all days alike.",
			Draw:  phenologyRing,
		},
		{
			Name: "indicator habitats of five", Kind: law.Presences, Groups: 5,
			About: "Indicator species (Dufrene and Legendre 1997) of five habitats with unequal numbers of plots and many companions common to all.",
			Draw:  indicatorHabitats,
		},
		{
			Name: "zoogeographic realms", Kind: law.Presences, Groups: 3,
			About: "Three biogeographic realms (Wallace 1876; Kreft and Jetz 2010) with own species pools, nested richness by area within each realm.",
			Draw:  realms,
		},
		{
			Name: "phylogroup gene content", Kind: law.Presences, Groups: 6,
			About: "Accessory genes of a bacterial pangenome (Tettelin et al. 2005; phylogroups of Clermont et al. 2000): six clonal groups that differ by gains and losses along lineages, with horizontal transfer.",
			Draw:  phylogroups,
		},
		{
			Name: "rare resistance lineages", Kind: law.Presences, Groups: 3,
			About: "Resistance genes of isolates (Holt et al. 2015): a susceptible background at 90 percent and two multi-resistant lineages at 8 and 2 percent.",
			Draw:  resistanceLineages,
		},
		{
			Name: "grazed and ungrazed hard", Kind: law.Presences, Groups: 2,
			About: "Grassland plots with and without grazing (Milchunas and Lauenroth 1993): many small differences of frequency and a common richness gradient.",
			Draw:  grazing,
		},
	}
}

// presenceTable draws a table of noughts and ones whose chances p gives for a record.
func presenceTable(r *rand.Rand, n, m int, p func(i int) func(j int) float64) [][]string {
	return rows(n, func(i int) []string {
		at := p(i)
		return rows(m, func(j int) string { return flag(chance(r, at(j))) })
	})
}

// presenceLists draws lists of the codes that a record has.
func presenceLists(r *rand.Rand, n int, codes []string, p func(i int) func(j int) float64) [][]string {
	return rows(n, func(i int) []string {
		at := p(i)
		list := []string{}
		for j, c := range codes {
			if chance(r, at(j)) {
				list = append(list, c)
			}
		}
		return list
	})
}

func nestedIslands(r *rand.Rand, n int) law.Data {
	m := between(r, 25, 45)
	need := fill(m, func() float64 { return normal(r, 0, 1.6) })
	slope := fill(m, func() float64 { return uniform(r, 1, 2.4) })
	table := presenceTable(r, n, m, func(int) func(int) float64 {
		area := r.NormFloat64()
		return func(j int) float64 { return logistic(slope[j]*area - need[j]) }
	})
	return law.Data{Columns: species(r, m), Table: table}
}

func elevationTurnover(r *rand.Rand, n int) law.Data {
	m := between(r, 35, 60)
	optimum := fill(m, func() float64 { return uniform(r, -0.2, 1.2) })
	width := fill(m, func() float64 { return uniform(r, 0.12, 0.35) })
	peak := fill(m, func() float64 { return logit(uniform(r, 0.35, 0.9)) })
	lists := presenceLists(r, n, species(r, m), func(int) func(int) float64 {
		x := r.Float64()
		return func(j int) float64 {
			z := (x - optimum[j]) / width[j]
			return logistic(peak[j] - z*z/2)
		}
	})
	return law.Data{Lists: lists}
}

func gradientPlane(r *rand.Rand, n int) law.Data {
	m := between(r, 40, 60)
	wet := fill(m, func() float64 { return normal(r, 0, 1.2) })
	warm := fill(m, func() float64 { return normal(r, 0, 1.2) })
	width := fill(m, func() float64 { return uniform(r, 0.6, 1.6) })
	peak := fill(m, func() float64 { return uniform(r, 0.3, 0.9) })
	table := presenceTable(r, n, m, func(int) func(int) float64 {
		x, y := r.NormFloat64(), r.NormFloat64()
		return func(j int) float64 {
			a, b := (x-wet[j])/width[j], (y-warm[j])/width[j]
			return peak[j] * math.Exp(-(a*a+b*b)/2)
		}
	})
	return law.Data{Columns: species(r, m), Table: table}
}

func cameraEffort(r *rand.Rand, n int) law.Data {
	m := between(r, 18, 30)
	rate := fill(m, func() float64 { return lognormal(r, 0.4, 1) })
	spread := uniform(r, 0.6, 1.1)
	lists := presenceLists(r, n, species(r, m), func(int) func(int) float64 {
		effort := lognormal(r, 1, spread)
		return func(j int) float64 { return 1 - math.Exp(-rate[j]*effort) }
	})
	return law.Data{Lists: lists}
}

func phenologyRing(r *rand.Rand, n int) law.Data {
	m := between(r, 30, 50)
	peak := fill(m, func() float64 { return uniform(r, 0, 2*math.Pi) })
	strength := fill(m, func() float64 { return uniform(r, 0.3, 2.6) })
	level := fill(m, func() float64 { return uniform(r, -2, 0.5) })
	table := presenceTable(r, n, m, func(int) func(int) float64 {
		day := uniform(r, 0, 2*math.Pi)
		return func(j int) float64 { return logistic(level[j] + strength[j]*math.Cos(day-peak[j])) }
	})
	return law.Data{Columns: species(r, m), Table: table}
}

func indicatorHabitats(r *rand.Rand, n int) law.Data {
	const k = 5
	m := between(r, 45, 65)
	p := matrix(k, m)
	for j := range m {
		companion := uniform(r, 0.1, 0.7)
		for g := range k {
			switch {
			case j%(k+2) >= k:
				p[g][j] = companion
			case j%(k+2) == g:
				p[g][j] = uniform(r, 0.45, 0.85)
			default:
				p[g][j] = uniform(r, 0.02, 0.14)
			}
		}
	}
	group := members(r, n, uneven(r, k, 0.1))
	lists := presenceLists(r, n, species(r, m), func(i int) func(int) float64 {
		return func(j int) float64 { return p[group[i]][j] }
	})
	return law.Data{Lists: lists, Group: group}
}

func realms(r *rand.Rand, n int) law.Data {
	const k = 3
	m := between(r, 40, 60)
	level := matrix(k, m)
	for j := range m {
		base := uniform(r, -2, 0)
		for g := range k {
			level[g][j] = base + normal(r, 0, 0.3)
			if j%4 == g {
				level[g][j] += uniform(r, 2, 3.2)
			}
		}
	}
	slope := fill(m, func() float64 { return uniform(r, 0.3, 0.9) })
	group := members(r, n, uneven(r, k, 0.2))
	table := presenceTable(r, n, m, func(i int) func(int) float64 {
		area := r.NormFloat64()
		return func(j int) float64 { return logistic(level[group[i]][j] + slope[j]*area) }
	})
	return law.Data{Columns: species(r, m), Table: table, Group: group}
}

func phylogroups(r *rand.Rand, n int) law.Data {
	const k = 6
	m := between(r, 70, 110)
	ancestor := rows(m, func(int) bool { return chance(r, 0.5) })
	changed := uniform(r, 0.12, 0.22)
	held := rows(k, func(int) []bool {
		return rows(m, func(j int) bool { return ancestor[j] != chance(r, changed) })
	})
	transfer := fill(m, func() float64 { return uniform(r, 0.03, 0.2) })
	group := members(r, n, uneven(r, k, 0.08))
	table := presenceTable(r, n, m, func(i int) func(int) float64 {
		return func(j int) float64 {
			if held[group[i]][j] {
				return 1 - transfer[j]
			}
			return transfer[j]
		}
	})
	return law.Data{Columns: genes(r, m), Table: table, Group: group}
}

func resistanceLineages(r *rand.Rand, n int) law.Data {
	m := between(r, 28, 40)
	back := fill(m, func() float64 { return beta(r, 0.8, 5) })
	level := rows(3, func(g int) []float64 {
		p := rows(m, func(j int) float64 { return back[j] })
		if g > 0 {
			for _, j := range pick(r, m, m*2/5) {
				p[j] = uniform(r, 0.6, 0.95)
			}
		}
		return p
	})
	group := members(r, n, []float64{0.9, 0.08, 0.02})
	table := presenceTable(r, n, m, func(i int) func(int) float64 {
		return func(j int) float64 { return level[group[i]][j] }
	})
	names := distinct(m, func() string { return "bla" + genes(r, 1)[0] })
	return law.Data{Columns: names, Table: table, Group: group}
}

func grazing(r *rand.Rand, n int) law.Data {
	m := between(r, 40, 55)
	level := fill(m, func() float64 { return normal(r, -0.6, 1) })
	shift := fill(m, func() float64 { return normal(r, 0, 0.52) })
	rich := fill(m, func() float64 { return uniform(r, 0, 0.4) })
	group := members(r, n, []float64{0.55, 0.45})
	lists := presenceLists(r, n, species(r, m), func(i int) func(int) float64 {
		x := r.NormFloat64()
		return func(j int) float64 {
			return logistic(level[j] + rich[j]*x + shift[j]*(2*float64(group[i])-1))
		}
	})
	return law.Data{Lists: lists, Group: group}
}
