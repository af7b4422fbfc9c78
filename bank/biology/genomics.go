package biology

import (
	"math"
	"math/rand/v2"

	"github.com/moiety-go/moiety/bank/law"
)

// genomics are the laws of expression counts.
func genomics() []law.Law {
	return []law.Law{
		{
			Name: "one cell type bursts", Kind: law.Counts, Groups: 1,
			About: "Cells of one type: transcriptional bursts make negative binomial counts (Raj et al. 2006), and capture efficiency varies lognormally between cells (Grun et al. 2014).",
			Draw:  oneCellType,
		},
		{
			Name: "cell cycle ring", Kind: law.Counts, Groups: 1,
			About: "A cycling population: genes peak at their phase on the ring of the cell cycle (Whitfield et al. 2002) and cells are at all phases alike.",
			Draw:  cellCycle,
		},
		{
			Name: "differentiation continuum", Kind: law.Counts, Groups: 1,
			About: "Pseudotime (Trapnell et al. 2014): genes switch on or off as sigmoids along one continuous path, cells spread along it without gaps.",
			Draw:  pseudotime,
		},
		{
			Name: "expression run drift", Kind: law.Counts, Groups: 1,
			About: "Bulk expression of one tissue with RNA degradation (Schroeder et al. 2006, RIN) and run date that drift without steps (Leek et al. 2010), Poisson-lognormal.",
			Draw:  runDrift,
		},
		{
			Name: "blood cells of five", Kind: law.Counts, Groups: 5,
			About: "Blood cells of five types with marker genes (Zheng et al. 2017), uneven shares, negative binomial counts and library sizes that vary.",
			Draw:  bloodCells,
		},
		{
			Name: "rare circulating cells", Kind: law.Counts, Groups: 3,
			About: "Rare circulating tumour and stem cells (Grun et al. 2015, RaceID) at 8 and 2 percent beside one common type.",
			Draw:  rareCells,
		},
		{
			Name: "brain cells of eight", Kind: law.Counts, Groups: 8,
			About: "Eight cell types of cortex (Zeisel et al. 2015) arranged in two levels: four classes share programmes and split into two each.",
			Draw:  brainCells,
		},
		{
			Name: "tumour subtypes drift", Kind: law.Counts, Groups: 4,
			About: "Four intrinsic tumour subtypes (Perou et al. 2000) in bulk counts, with continuous purity and run drift crossing all of them.",
			Draw:  tumourSubtypes,
		},
		{
			Name: "activated cells hard", Kind: law.Counts, Groups: 2,
			About: "Resting and activated lymphocytes (Szabo et al. 2019) that differ by small fold changes under sparse counts and unequal libraries.",
			Draw:  activatedCells,
		},
	}
}

// expression draws counts of cells: library gives a cell's capture, level the logarithms
// of the mean counts of a cell.
func expression(r *rand.Rand, n, m int, library float64, size []float64, level func(i int) func(j int) float64) [][]string {
	return rows(n, func(i int) []string {
		at := level(i)
		mine := lognormal(r, 1, library)
		return whole(rows(m, func(j int) int { return negbin(r, mine*math.Exp(at(j)), size[j]) }))
	})
}

// sizes are negative binomial sizes of m genes.
func sizes(r *rand.Rand, m int, lo, hi float64) []float64 {
	return fill(m, func() float64 { return uniform(r, lo, hi) })
}

// baseline are logarithms of mean counts of m genes.
func baseline(r *rand.Rand, m int, mean, sd float64) []float64 {
	return fill(m, func() float64 { return normal(r, mean, sd) })
}

// markers is the matrix of logarithms of fold changes of k types: each type has count
// genes of its own raised by lo to hi.
func markers(r *rand.Rand, k, m, count int, lo, hi float64) [][]float64 {
	out := matrix(k, m)
	order := r.Perm(m)
	for g := range k {
		for c := range count {
			out[g][order[(g*count+c)%m]] += uniform(r, lo, hi)
		}
	}
	return out
}

func oneCellType(r *rand.Rand, n int) law.Data {
	m := between(r, 40, 80)
	base := baseline(r, m, 1, 1)
	load := fill(m, func() float64 { return normal(r, 0, 0.3) })
	table := expression(r, n, m, uniform(r, 0.35, 0.6), sizes(r, m, 0.8, 4), func(int) func(int) float64 {
		stress := r.NormFloat64()
		return func(j int) float64 { return base[j] + load[j]*stress }
	})
	return law.Data{Columns: genes(r, m), Table: table}
}

func cellCycle(r *rand.Rand, n int) law.Data {
	m := between(r, 40, 70)
	base := baseline(r, m, 1.3, 0.8)
	peak := fill(m, func() float64 { return uniform(r, 0, 2*math.Pi) })
	swing := fill(m, func() float64 { return uniform(r, 0, 1.2) })
	table := expression(r, n, m, uniform(r, 0.2, 0.4), sizes(r, m, 2, 6), func(int) func(int) float64 {
		phase := uniform(r, 0, 2*math.Pi)
		return func(j int) float64 { return base[j] + swing[j]*math.Cos(phase-peak[j]) }
	})
	return law.Data{Columns: genes(r, m), Table: table}
}

func pseudotime(r *rand.Rand, n int) law.Data {
	m := between(r, 40, 70)
	base := baseline(r, m, 1, 0.8)
	switchAt := fill(m, func() float64 { return uniform(r, -0.1, 1.1) })
	steep := fill(m, func() float64 { return uniform(r, 3, 12) })
	height := fill(m, func() float64 { return normal(r, 0, 1.2) })
	a := uniform(r, 0.9, 1.5)
	table := expression(r, n, m, uniform(r, 0.25, 0.45), sizes(r, m, 1.5, 5), func(int) func(int) float64 {
		t := beta(r, a, a)
		return func(j int) float64 { return base[j] + height[j]*logistic(steep[j]*(t-switchAt[j])) }
	})
	return law.Data{Columns: genes(r, m), Table: table}
}

func runDrift(r *rand.Rand, n int) law.Data {
	m := between(r, 30, 60)
	base := baseline(r, m, 4, 1.2)
	rot := fill(m, func() float64 { return normal(r, 0, 0.5) })
	drift := fill(m, func() float64 { return normal(r, 0, 0.4) })
	noise := uniform(r, 0.25, 0.5)
	table := expression(r, n, m, uniform(r, 0.2, 0.4), sizes(r, m, 20, 60), func(int) func(int) float64 {
		decay, day := skewNormal(r, 4), uniform(r, -1.7, 1.7)
		return func(j int) float64 { return base[j] + rot[j]*decay + drift[j]*day + normal(r, 0, noise) }
	})
	return law.Data{Columns: genes(r, m), Table: table}
}

func bloodCells(r *rand.Rand, n int) law.Data {
	const k = 5
	m := between(r, 55, 90)
	base := baseline(r, m, 0.4, 0.9)
	mark := markers(r, k, m, m/6, 0.9, 2)
	group := members(r, n, uneven(r, k, 0.07))
	table := expression(r, n, m, uniform(r, 0.3, 0.45), sizes(r, m, 1.5, 4), func(i int) func(int) float64 {
		return func(j int) float64 { return base[j] + mark[group[i]][j] }
	})
	return law.Data{Columns: genes(r, m), Table: table, Group: group}
}

func rareCells(r *rand.Rand, n int) law.Data {
	m := between(r, 50, 80)
	base := baseline(r, m, 0.6, 0.9)
	mark := markers(r, 3, m, m/4, 1, 2)
	group := members(r, n, []float64{0.9, 0.08, 0.02})
	table := expression(r, n, m, uniform(r, 0.25, 0.4), sizes(r, m, 1.5, 4), func(i int) func(int) float64 {
		return func(j int) float64 { return base[j] + mark[group[i]][j] }
	})
	return law.Data{Columns: genes(r, m), Table: table, Group: group}
}

func brainCells(r *rand.Rand, n int) law.Data {
	const k = 8
	m := between(r, 100, 140)
	base := baseline(r, m, 0.6, 0.8)
	class := markers(r, k/2, m, m/8, 0.8, 1.6)
	own := markers(r, k, m, m/10, 0.9, 1.8)
	group := members(r, n, even(k))
	table := expression(r, n, m, uniform(r, 0.25, 0.4), sizes(r, m, 1.5, 4), func(i int) func(int) float64 {
		return func(j int) float64 { return base[j] + class[group[i]/2][j] + own[group[i]][j] }
	})
	return law.Data{Columns: genes(r, m), Table: table, Group: group}
}

func tumourSubtypes(r *rand.Rand, n int) law.Data {
	const k = 4
	m := between(r, 60, 90)
	base := baseline(r, m, 3.5, 1)
	fold := rows(k, func(int) []float64 { return fill(m, func() float64 { return normal(r, 0, 0.6) }) })
	drift := fill(m, func() float64 { return normal(r, 0, 0.3) })
	noise := uniform(r, 0.4, 0.6)
	group := members(r, n, uneven(r, k, 0.12))
	table := expression(r, n, m, uniform(r, 0.2, 0.35), sizes(r, m, 10, 40), func(i int) func(int) float64 {
		purity, day := beta(r, 8, 3), uniform(r, -1.7, 1.7)
		return func(j int) float64 {
			return base[j] + purity*fold[group[i]][j] + drift[j]*day + normal(r, 0, noise)
		}
	})
	return law.Data{Columns: genes(r, m), Table: table, Group: group}
}

func activatedCells(r *rand.Rand, n int) law.Data {
	m := between(r, 45, 60)
	base := baseline(r, m, 0.3, 0.8)
	fold := fill(m, func() float64 { return normal(r, 0, 0.5) })
	for _, j := range pick(r, m, m/2) {
		fold[j] = 0
	}
	group := members(r, n, []float64{0.65, 0.35})
	table := expression(r, n, m, uniform(r, 0.25, 0.4), sizes(r, m, 1.5, 4), func(i int) func(int) float64 {
		return func(j int) float64 { return base[j] + 1.3*fold[j]*float64(group[i]) }
	})
	return law.Data{Columns: genes(r, m), Table: table, Group: group}
}
