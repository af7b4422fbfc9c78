package explain

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/moiety-go/moiety/dataset"
	text "github.com/moiety-go/moiety/internal/cells"
	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/report"
)

// mostNeighbours and mostExamples are the lengths of those lists.
const (
	mostNeighbours = 3
	mostExamples   = 5
)

// neighbours lists, for every group proper, those most like it: by the
// Bhattacharyya distance of the two distributions, which is symmetric and adds
// up over independent features. Masked shares are stood for by numbers that do
// not tell them.
func (b *builder) neighbours() {
	k := len(b.h.leaf)
	distance, center := table[float64](k, k), table[float64](k, len(b.of))
	b.sideBySide(k, func(i int) {
		for f := range b.of {
			center[i][f] = b.standIn(b.h.leaf[i], f)
		}
	})
	spread := b.spread()
	b.sideBySide(k, func(i int) {
		i = k - 1 - i // those with the most others first
		for j := range i {
			distance[i][j] = b.distance(center[i], center[j], spread)
			distance[j][i] = distance[i][j]
		}
	})
	for i := range k {
		g := b.r.Leaf(i)
		for _, j := range nearestFirst(distance[i]) {
			if j != i && !g.N.Masked() && !b.r.Leaf(j).N.Masked() && !math.IsNaN(distance[i][j]) {
				other := b.r.Leaf(j)
				g.Nearest = append(g.Nearest, report.Neighbour{ID: other.ID, Name: other.Name, Distance: report.NumberOf(math.Round(distance[i][j]*100) / 100)})
			}
		}
		g.Nearest = g.Nearest[:min(len(g.Nearest), mostNeighbours)]
	}
}

// nearestFirst returns the places of the distances, the least first.
func nearestFirst(distance []float64) []int {
	out := make([]int, len(distance))
	for j := range out {
		out[j] = j
	}
	slices.SortStableFunc(out, func(x, y int) int { return cmp.Compare(distance[x], distance[y]) })
	return out
}

// spread returns the overall standard deviations of real features.
func (b *builder) spread() []float64 {
	out := make([]float64, len(b.of))
	for f, of := range b.of {
		if of == report.Value {
			_, out[f] = b.c.deviation(0, f)
		}
	}
	return out
}

// distance returns the Bhattacharyya distance of two centers, features without
// a number in one of them left out.
func (b *builder) distance(x, y, spread []float64) float64 {
	if b.words() {
		return wordDistance(x, y)
	}
	sum, common, words := 0.0, 0.0, false
	overlap := 1.0 // of presences, as a product: one logarithm for many
	for f, of := range b.of {
		p, q := x[f], y[f]
		if p == q && of != report.OfWords || p != p || q != q {
			continue
		}
		switch of {
		case report.OfRecords:
			if overlap *= math.Sqrt(p*q) + math.Sqrt((1-p)*(1-q)); overlap < leastProduct {
				sum -= math.Log(math.Max(overlap, leastOverlap))
				overlap = 1
			}
		case report.OfWords:
			words = true
			common += math.Sqrt(p * q)
		case report.Average: // of two Poisson distributions
			sum += (math.Sqrt(p) - math.Sqrt(q)) * (math.Sqrt(p) - math.Sqrt(q)) / 2
		case report.Value: // of two normal distributions of the overall spread
			if sd := spread[f]; sd > 0 {
				sum += (p - q) * (p - q) / (sd * sd) / 8
			}
		}
	}
	if words {
		sum -= math.Log(math.Max(common, leastOverlap))
	}
	return math.Max(sum-math.Log(overlap), 0)
}

// wordDistance is distance where all features are words: of large vocabularies it is most of
// what a report takes.
func wordDistance(x, y []float64) float64 {
	common, words := 0.0, false
	for f, p := range x {
		if v := p * y[f]; v == v {
			words = true
			common += math.Sqrt(v)
		}
	}
	if !words {
		return 0
	}
	return math.Max(-math.Log(math.Max(common, leastOverlap)), 0)
}

// leastProduct is where a product is taken into the sum.
const leastProduct = 1e-6

// standIn returns the share of a feature at a node, or, where it is masked, a
// number that says no more than the words: nearly all, or what holds of all
// records, or NaN.
func (b *builder) standIn(node, f int) float64 {
	if v, ok := b.value(node, f); ok {
		return v
	}
	if b.of[f] == report.OfRecords && b.open.nearlyAll(b.h, b.c, node, f) {
		return b.surrogate(node)
	}
	if v, ok := b.value(0, f); ok {
		return v
	}
	return math.NaN()
}

// leastOverlap keeps the distance of disjoint distributions finite.
const leastOverlap = 1e-12

// examples picks records that stand for their group: surely in it, and of the
// usual size. Health data show none unless asked.
func (b *builder) examples(ctx context.Context, r dataset.Data) error {
	if b.d.sequences || !showsRecords(b.s) {
		return nil
	}
	size, members := make([]int, len(b.h.leaf)), make([][]int, len(b.h.leaf))
	for _, g := range b.o.Group {
		size[g]++
	}
	for g, n := range size {
		members[g] = make([]int, 0, n)
	}
	for i, g := range b.o.Group {
		members[g] = append(members[g], i)
	}
	picked := make([][]int, len(members))
	if err := par.Do(ctx, b.s.Workers, len(members), func(j int) error {
		picked[j] = b.typical(members[j])
		return nil
	}); err != nil {
		return err
	}
	var all []int
	group := make(map[int]int) // of the picked rows
	for j, rows := range picked {
		for _, i := range rows {
			group[i] = j
			g := b.r.Leaf(j)
			g.Records = append(g.Records, report.Example{Record: i, Probability: report.NumberOf(float64(b.o.Probability[i]))})
		}
		all = append(all, rows...)
	}
	texts, err := b.locator()
	if err != nil {
		return err
	}
	slices.Sort(all)
	return r.Pick(ctx, all, func(record int, part *dataset.Dataset, i int) error {
		j := group[record]
		g := b.r.Leaf(j)
		at := slices.IndexFunc(g.Records, func(e report.Example) bool { return e.Record == record })
		g.Records[at].ID, g.Records[at].Words = text.Visible(part.ID(i)), b.speaking(part, i, j)
		g.Records[at].Text = b.snippet(texts, part, i, j)
		return nil
	})
}

// typical returns the rows of a group that stand for it.
func (b *builder) typical(rows []int) []int {
	if len(rows) == 0 {
		return nil
	}
	size := b.d.size
	usual := median(rows, size)
	sure := func(i int) float64 { return math.Round(float64(b.o.Probability[i]) * 100) }
	before := func(x, y int) bool {
		return cmp.Or(cmp.Compare(sure(y), sure(x)), cmp.Compare(math.Abs(size[x]-usual), math.Abs(size[y]-usual))) < 0
	}
	// A few of perhaps millions: each is put in its place among the best so far.
	best := make([]int, 0, mostExamples+1)
	for _, r := range rows {
		at := len(best)
		for at > 0 && before(r, best[at-1]) {
			at--
		}
		if at < mostExamples {
			best = slices.Insert(best, at, r)
			best = best[:min(len(best), mostExamples)]
		}
	}
	return best
}

func median(rows []int, size []float64) float64 {
	list := make([]float64, len(rows))
	for i, r := range rows {
		list[i] = size[r]
	}
	return atPlace(list, len(list)/2)
}

// atPlace returns the number that would be at a place if the list were sorted,
// and changes the order of the list. Of millions, sorting takes longer.
func atPlace(list []float64, place int) float64 {
	for lo, hi := 0, len(list)-1; lo < hi; {
		pivot := list[lo+(hi-lo)/2]
		i, j := lo, hi
		for i <= j {
			for list[i] < pivot {
				i++
			}
			for list[j] > pivot {
				j--
			}
			if i <= j {
				list[i], list[j] = list[j], list[i]
				i++
				j--
			}
		}
		switch {
		case place <= j:
			hi = j
		case place >= i:
			lo = i
		default:
			return list[place]
		}
	}
	return list[place]
}
