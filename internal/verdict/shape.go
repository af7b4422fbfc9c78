package verdict

import "math"

// continuum is how the records of one group differ by degree.
type continuum int

// Continua, the plainest first.
const (
	none        continuum = iota
	amount                // one slope for all features
	twoHeaps              // one trend whose positions have two modes: this counts as two groups
	oneTrend              // a slope of its own for every feature
	bentTrend             // a slope and a bend: some features are frequent in the middle of the line
	twoTrends             // two slopes for every feature
	threeTrends           // three
	manyTrends            // as many as the scales of a questionnaire
	inSets                // none, and features come in sets that have nothing to do with each other
	sameTotal             // none, and the number of features of a record is given
	ownLine               // a slope for every feature in every group
	ownLines              // two slopes for every feature in every group
)

// draw numbers the streams of a continuum: a rival that comes later leaves the starts of
// all others as they were.
func (c continuum) draw() int {
	switch {
	case c == inSets:
		return 11
	case c == manyTrends:
		return 12
	case c > inSets:
		return int(c) - 2
	}
	return int(c)
}

// nodes are the positions that stand for a continuum: a discrete law of mean 0
// and variance 1 in every coordinate.
type nodes struct {
	shape  string
	dims   int
	at     []float64 // positions, dims numbers each
	weight []float64
	border float64 // between two heaps, where there are two
}

func (n *nodes) q() int { return len(n.weight) }

// Numbers of nodes. Where records tell the nodes of a line apart it has fineNodes: nodes are
// heaps otherwise, as three levels of all features are, and a line of few nodes would be any
// groups along it.
const (
	lineNodes  = 7
	planeNodes = 7
	heapNodes  = 13
	bentNodes  = 9
	spaceNodes = 128
	manyNodes  = 512
	fineNodes  = 25
)

// toldApart is the divergence of neighbours from which on records tell them apart: that of
// normal laws three deviations from each other.
const toldApart = 9

// told reports that records tell the nodes of a line apart: the divergence of neighbours
// (Jeffreys 1946) in the mean over pairs of them, each weighing as much as it has records.
func (m *model) told() bool {
	m.ready()
	q, sum, all := m.nodes.q(), 0.0, 0.0
	for i := range q - 1 {
		far := 0.0
		for j := range m.lay.cols {
			p, t := m.p[j*q:][:q], m.table[j*q:][:q]
			far += (p[i] - p[i+1]) * (t[i] - t[i+1])
		}
		both := m.nodes.weight[i] * m.nodes.weight[i+1]
		sum += both * far
		all += both
	}
	return sum > toldApart*all
}

// manyLines is how many lines many trends are: more do no harm where there are fewer.
const manyLines = 6

// shapesOf returns the laws of position that a continuum may have, the normal
// one first.
func shapesOf(kind continuum) []*nodes {
	switch kind {
	case none, inSets:
		return []*nodes{noNodes()}
	case twoHeaps:
		return heaps()
	case bentTrend:
		return []*nodes{bent(bentNodes)}
	case twoTrends, ownLines:
		return []*nodes{plane(planeNodes)}
	case threeTrends:
		return []*nodes{space(3, spaceNodes)}
	case manyTrends:
		return []*nodes{space(manyLines, manyNodes)}
	}
	return lineShapes(lineNodes)
}

// fineShapes are those of shapesOf in finer nodes; nil where they have many.
func fineShapes(kind continuum) []*nodes {
	switch kind {
	case amount, oneTrend:
		return lineShapes(fineNodes)
	case bentTrend:
		return []*nodes{bent(fineNodes)}
	}
	return nil
}

// noNodes is the continuum of records that do not differ by degree.
func noNodes() *nodes { return &nodes{weight: []float64{1}} }

// lineShapes are laws of positions on a line with one heap: normal, skewed to
// either side, much or a little, flat.
func lineShapes(count int) []*nodes {
	normal := func(x float64) float64 { return math.Exp(-x * x / 2) }
	skew := func(x float64) float64 {
		if x < -1 {
			return 0
		}
		return math.Exp(-x - 1)
	}
	leaning := func(x float64) float64 { // the gamma law of order 3
		u := x*math.Sqrt(3) + 3
		if u < 0 {
			return 0
		}
		return u * u * math.Exp(-u)
	}
	flat := func(x float64) float64 {
		if math.Abs(x) > math.Sqrt(3) {
			return 0
		}
		return 1
	}
	return []*nodes{
		binned("normal", normal, -3.2, 3.2, count),
		binned("skewed", skew, -1.001, 4.2, count),
		binned("skewed to the left", func(x float64) float64 { return skew(-x) }, -4.2, 1.001, count),
		binned("leaning", leaning, -1.72, 4, count),
		binned("leaning to the left", func(x float64) float64 { return leaning(-x) }, -4, 1.72, count),
		binned("flat", flat, -1.74, 1.74, count),
	}
}

// plane is the law of two independent normal positions.
func plane(side int) *nodes {
	line := binned("normal", func(x float64) float64 { return math.Exp(-x * x / 2) }, -3.2, 3.2, side)
	out := &nodes{shape: "normal", dims: 2}
	for i, a := range line.at {
		for j, b := range line.at {
			out.at = append(out.at, a, b)
			out.weight = append(out.weight, line.weight[i]*line.weight[j])
		}
	}
	return out
}

// bent is the law of a normal position and its square: with a slope for each,
// features may be frequent anywhere on the line.
func bent(count int) *nodes {
	line := binned("normal", func(x float64) float64 { return math.Exp(-x * x / 2) }, -3.2, 3.2, count)
	out := &nodes{shape: "normal", dims: 2, weight: line.weight}
	mean, square := 0.0, 0.0
	for i, x := range line.at {
		mean += line.weight[i] * x * x
		square += line.weight[i] * x * x * x * x
	}
	for _, x := range line.at {
		out.at = append(out.at, x, (x*x-mean)/math.Sqrt(square-mean*mean))
	}
	return out
}

// space is the law of independent normal positions along several lines: points of a
// lattice that fills the cube evenly, each brought to the normal law.
func space(dims, points int) *nodes {
	n := &nodes{shape: "normal", dims: dims, weight: make([]float64, points), at: make([]float64, points*dims)}
	fill(n.weight, 1/float64(points))
	root := latticeRoot(dims)
	step := 1.
	for t := range dims {
		step /= root
		mean, square := 0.0, 0.0
		for i := range points {
			_, u := math.Modf(.5 + step*float64(i+1))
			x := math.Sqrt2 * math.Erfinv(2*u-1)
			n.at[i*dims+t] = x
			mean += x / float64(points)
		}
		for i := range points {
			n.at[i*dims+t] -= mean
			square += n.at[i*dims+t] * n.at[i*dims+t] / float64(points)
		}
		for i := range points {
			n.at[i*dims+t] /= math.Sqrt(square)
		}
	}
	return n
}

// latticeRoot is the root of x^(d+1) = x + 1 above 1, whose powers fill a cube of d
// dimensions evenly.
func latticeRoot(d int) float64 {
	x := 2.
	for range 60 {
		x = math.Pow(1+x, 1/float64(d+1))
	}
	return x
}

// heaps are laws with two heaps: two normal ones of weights p and 1−p and
// standard deviation s, of a standard deviation 1 in all.
func heaps() []*nodes {
	var out []*nodes
	for _, p := range []float64{.5, .3, .7, .15, .85, .05, .95} {
		for _, s := range []float64{.2, .4, .55} {
			apart := math.Sqrt((1 - s*s) / (p * (1 - p)))
			low, high := -apart*(1-p), apart*p
			density := func(x float64) float64 {
				a, b := (x-low)/s, (x-high)/s
				return p*math.Exp(-a*a/2) + (1-p)*math.Exp(-b*b/2)
			}
			n := binned("two heaps", density, low-3*s, high+3*s, heapNodes)
			n.border = (low+high)/2 + s*s/apart*math.Log(p/(1-p))
			out = append(out, n)
		}
	}
	return out
}

// binned cuts [lo, hi] into bins of equal width: a node is the mean of its bin,
// its weight the bin's mass.
func binned(shape string, density func(float64) float64, lo, hi float64, bins int) *nodes {
	const fine = 6000
	n := &nodes{shape: shape, dims: 1, at: make([]float64, bins), weight: make([]float64, bins)}
	for i := range fine {
		x := lo + (hi-lo)*(float64(i)+.5)/fine
		b := i * bins / fine
		f := density(x)
		n.weight[b] += f
		n.at[b] += f * x
	}
	total, mean, square := 0.0, 0.0, 0.0
	for b, w := range n.weight {
		n.at[b] /= w
		total += w
		mean += w * n.at[b]
	}
	mean /= total
	for b, w := range n.weight {
		n.weight[b] = w / total
		n.at[b] -= mean
		square += n.weight[b] * n.at[b] * n.at[b]
	}
	for b := range n.at {
		n.at[b] /= math.Sqrt(square)
	}
	return n
}
