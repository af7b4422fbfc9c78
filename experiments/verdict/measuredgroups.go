package verdict

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// mixtureOf says how groups of measurements are drawn.
type mixtureOf struct {
	k, d    int
	apart   float64 // least distance of two centers, in standard deviations
	shape   string  // "round", "tied", "own"
	uneven  bool
	weights []float64 // nil: equal, or uneven
	tails   float64   // degrees of freedom; 0: normal
	log     bool      // exponentials
	scales  bool      // columns of different units
	skew    bool      // gamma instead of normal clouds
	round   float64   // unit that values are rounded to
	amount  bool      // a size factor moves all columns of a record
}

// MeasuredGroups are groups of measurements: the settings of the annex, then our
// own.
func MeasuredGroups() []Law {
	var laws []Law
	add := func(name string, m mixtureOf) {
		if m.d == 0 {
			m.d = columns
		}
		if m.apart == 0 {
			m.apart = 5
		}
		laws = append(laws, Law{Name: name, Groups: m.k, draw: m.draw})
	}
	for _, k := range []int{2, 4, 6} {
		add("round"+string(rune('0'+k)), mixtureOf{k: k, shape: "round"})
		add("tied"+string(rune('0'+k)), mixtureOf{k: k, shape: "tied"})
		add("own"+string(rune('0'+k)), mixtureOf{k: k, shape: "own"})
	}
	add("log3", mixtureOf{k: 3, shape: "tied", log: true})
	add("log5", mixtureOf{k: 5, shape: "tied", log: true})
	add("uneven4", mixtureOf{k: 4, shape: "tied", uneven: true})
	add("scales3", mixtureOf{k: 3, shape: "tied", scales: true})
	add("t5 tails 4", mixtureOf{k: 4, shape: "tied", tails: 5})

	add("own: 3 groups of 2 columns", mixtureOf{k: 3, d: 2, shape: "own", apart: 6})
	add("own: 8 tied groups", mixtureOf{k: 8, shape: "tied", apart: 6})
	add("own: 3 groups, one of a twelfth", mixtureOf{k: 3, shape: "tied", weights: []float64{.6, .32, .08}, apart: 6})
	add("own: 4 groups, 12 columns", mixtureOf{k: 4, d: 12, shape: "own", apart: 7})
	add("own: 3 groups, 30 columns", mixtureOf{k: 3, d: 30, shape: "tied", apart: 8})
	add("own: 5 groups, 60 columns", mixtureOf{k: 5, d: 60, shape: "round", apart: 9})
	add("own: 3 skewed groups", mixtureOf{k: 3, shape: "tied", skew: true, apart: 7})
	add("own: 3 groups, rounded", mixtureOf{k: 3, shape: "round", round: .5, apart: 6})
	add("own: 2 groups of thirty to one", mixtureOf{k: 2, shape: "tied", weights: []float64{.9, .1}, apart: 6})
	add("own: 4 groups, t4 tails and scales", mixtureOf{k: 4, shape: "own", tails: 4, scales: true, apart: 8})
	add("own: 2 groups far apart, log", mixtureOf{k: 2, shape: "own", log: true, apart: 6})
	add("own: 12 groups", mixtureOf{k: 12, shape: "round", apart: 6})
	add("own: 3 groups and a size factor", mixtureOf{k: 3, d: 8, shape: "round", amount: true, apart: 9})

	hard := []Law{
		{Name: "hard: 3 groups 3.5 apart", Groups: 3, Hard: true, draw: mixtureOf{k: 3, d: columns, shape: "tied", apart: 3.5}.draw},
		{Name: "hard: 3 groups 3 apart", Groups: 3, Hard: true, draw: mixtureOf{k: 3, d: columns, shape: "round", apart: 3}.draw},
		{Name: "hard: a group of a fiftieth", Groups: 3, Hard: true, draw: mixtureOf{k: 3, d: columns, shape: "tied", weights: []float64{.6, .38, .02}, apart: 6}.draw},
	}
	return append(laws, hard...)
}

func (m mixtureOf) draw(r *rand.Rand, n int) Draw {
	centers := m.centers(r)
	factor := make([]*mat.TriDense, m.k)
	for j := range factor {
		switch {
		case m.shape == "round":
			factor[j] = covariance(r, m.d, 1)
		case m.shape == "own":
			factor[j] = covariance(r, m.d, 6)
		case j == 0:
			factor[j] = covariance(r, m.d, 10)
		default:
			factor[j] = factor[0]
		}
	}
	weights := m.shares(r)
	units := make([]float64, m.d)
	for h := range units {
		units[h] = 1
		if m.scales {
			units[h] = math.Pow(10, -2+5*r.Float64())
		}
	}
	list, labels := make([][]float64, n), make([]int, n)
	for i := range list {
		j := drawFrom(r, weights)
		labels[i], list[i] = j, m.record(r, centers[j], factor[j], units)
	}
	return measured(list, labels)
}

func (m mixtureOf) record(r *rand.Rand, center []float64, f *mat.TriDense, units []float64) []float64 {
	z, x := normal(r, 0, 1, m.d), make([]float64, m.d)
	if m.skew {
		for h := range z {
			z[h] = (gamma(r, 2) - 2) / math.Sqrt2
		}
	}
	if m.tails > 0 {
		scale(z, 1/math.Sqrt(2*gamma(r, m.tails/2)/m.tails))
	}
	if m.shape != "own" { // centers and clouds are turned together
		for h := range z {
			z[h] += center[h]
		}
		turned(x, f, z)
	} else {
		turned(x, f, z)
		for h := range x {
			x[h] += 1.15 * center[h]
		}
	}
	if m.amount {
		a := 2 * r.NormFloat64()
		for h := range x {
			x[h] += a
		}
	}
	for h := range x {
		if m.log {
			x[h] = math.Exp(.35 * x[h])
		}
		x[h] *= units[h]
		if m.round > 0 {
			x[h] = m.round * math.Round(x[h]/m.round)
		}
	}
	return x
}

// centers draws centers whose least distance is m.apart; very unequal distances
// are drawn again.
func (m mixtureOf) centers(r *rand.Rand) [][]float64 {
	const tries, least = 200, .35
	var out [][]float64
	for range tries {
		out = out[:0]
		var apart []float64
		for range m.k {
			out = append(out, normal(r, 0, 1, m.d))
			for _, o := range out[:len(out)-1] {
				apart = append(apart, distance(o, out[len(out)-1]))
			}
		}
		low, sum := math.Inf(1), 0.0
		for _, v := range apart {
			low, sum = min(low, v), sum+v
		}
		if low > least*sum/float64(len(apart)) {
			for _, c := range out {
				scale(c, m.apart/low)
			}
			return out
		}
	}
	return out
}

func distance(a, b []float64) float64 {
	sum := 0.0
	for h := range a {
		sum += (a[h] - b[h]) * (a[h] - b[h])
	}
	return math.Sqrt(sum)
}

// covariance returns the factor of a covariance with random axes, the longest of
// which are at most so many times as long as the shortest, squared.
func covariance(r *rand.Rand, d int, condition float64) *mat.TriDense {
	var q mat.QR
	q.Factorize(mat.NewDense(d, d, normal(r, 0, 1, d*d)))
	var turn mat.Dense
	q.QTo(&turn)
	c := mat.NewSymDense(d, nil)
	for h, v := range uniform(r, -.5, .5, d) {
		e := math.Exp(v * math.Log(condition))
		for a := range d {
			for b := a; b < d; b++ {
				c.SetSym(a, b, c.At(a, b)+e*turn.At(a, h)*turn.At(b, h))
			}
		}
	}
	return factorOf(c)
}

func (m mixtureOf) shares(r *rand.Rand) []float64 {
	if m.weights != nil {
		return m.weights
	}
	out, sum := make([]float64, m.k), 0.0
	for j := range out {
		out[j] = 1
		if m.uneven {
			out[j] = gamma(r, 4)
		}
		sum += out[j]
	}
	for j := range out {
		out[j] = max(out[j]/sum, .06)
	}
	return out
}

func drawFrom(r *rand.Rand, weights []float64) int {
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	u := r.Float64() * sum
	for j, w := range weights {
		if u -= w; u < 0 {
			return j
		}
	}
	return len(weights) - 1
}
