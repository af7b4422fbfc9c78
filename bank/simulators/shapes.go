package simulators

import (
	"math"
	"math/rand/v2"

	"github.com/moiety-go/moiety/bank/law"
)

// shapeLaws are the benchmarks of clusters of points in the plane, and their kin.
func shapeLaws() []law.Law {
	return []law.Law{
		{
			Name: "s-set", Kind: law.Measurements, Groups: 8,
			About: "Round clusters scattered over a square with a moderate overlap, after the S sets (Fränti and Virmajoki 2006; Fränti and Sieranoja 2018).",
			Draw:  func(r *rand.Rand, n int) law.Data { return drawScatter(r, n, uniform(r, 4.2, 5.2)) },
		},
		{
			Name: "s-set overlapping", Kind: law.Measurements, Groups: 8,
			About: "Round clusters scattered over a square that overlap much, after the sets S3 and S4 (Fränti and Virmajoki 2006).",
			Draw:  func(r *rand.Rand, n int) law.Data { return drawScatter(r, n, uniform(r, 2.4, 3.0)) },
		},
		{
			Name: "unbalance", Kind: law.Measurements, Groups: 8,
			About: "Three dense clusters with 92 percent of the points and five wide sparse ones far away, after Unbalance (Rezaei and Fränti 2016).",
			Draw:  drawUnbalance,
		},
		{
			Name: "dim-set", Kind: law.Measurements, Groups: 8,
			About: "Well separated normal clusters in 24 to 32 dimensions, after the Dim sets (Fränti, Virmajoki and Hautamäki 2006).",
			Draw: func(r *rand.Rand, n int) law.Data {
				p := between(r, 24, 32)
				centres := make(matrix, 8)
				for g := range centres {
					centres[g] = uniforms(r, p, 40, 215)
				}
				group := assign(r, n, even(8))
				x := make(matrix, n)
				for i, g := range group {
					x[i] = make([]float64, p)
					for j := range p {
						x[i][j] = normal(r, centres[g][j], 10)
					}
				}
				return measured(r, numbered(choose(r, "x", "V", "dim"), p), x, group, false)
			},
		},
		{
			Name: "spiral arms", Kind: law.Measurements, Groups: 3,
			About: "Three arms of a spiral wound into each other (Chang and Yeung 2008).",
			Draw:  func(r *rand.Rand, n int) law.Data { return drawPlane(r, n, even(3), spiralPoint) },
		},
		{
			Name: "flame", Kind: law.Measurements, Groups: 2,
			About: "A round cloud above a crescent (Fu and Medico 2007).",
			Draw: func(r *rand.Rand, n int) law.Data {
				return drawPlane(r, n, []float64{0.4, 0.6}, flamePoint)
			},
		},
		{
			Name: "aggregation", Kind: law.Measurements, Groups: 7,
			About: "Seven filled shapes of different sizes, some with narrow gaps (Gionis, Mannila and Tsaparas 2007).",
			Draw: func(r *rand.Rand, n int) law.Data {
				return drawPlane(r, n, []float64{0.21, 0.06, 0.13, 0.35, 0.05, 0.16, 0.04}, aggregationPoint)
			},
		},
		{
			Name: "zahn compound", Kind: law.Measurements, Groups: 6,
			About: "A ring about a disc, two touching blobs, and a dense core within a sparse halo (Zahn 1971, compound).",
			Draw: func(r *rand.Rand, n int) law.Data {
				return drawPlane(r, n, []float64{0.12, 0.24, 0.13, 0.22, 0.16, 0.13}, compoundPoint)
			},
		},
	}
}

// drawScatter puts eight round clusters into a square; the closest two centres are
// as many standard deviations apart as asked.
func drawScatter(r *rand.Rand, n int, distance float64) law.Data {
	const k = 8
	var best matrix
	widest := 0.0
	for range 60 {
		centres := make(matrix, k)
		for g := range centres {
			centres[g] = uniforms(r, 2, 0, 1)
		}
		closest := math.Inf(1)
		for g := range centres {
			for h := range g {
				closest = math.Min(closest, math.Hypot(centres[g][0]-centres[h][0], centres[g][1]-centres[h][1]))
			}
		}
		if closest > widest {
			best, widest = centres, closest
		}
	}
	sd := widest / distance
	group := assign(r, n, uneven(r, k))
	x := make(matrix, n)
	for i, g := range group {
		x[i] = []float64{1e6 * normal(r, best[g][0], sd), 1e6 * normal(r, best[g][1], sd)}
	}
	return measured(r, []string{"x", "y"}, x, group, false)
}

func drawUnbalance(r *rand.Rand, n int) law.Data {
	centres := matrix{{150, 350}, {180, 300}, {210, 350}, {440, 300}, {440, 400}, {490, 350}, {540, 300}, {540, 400}}
	shares := []float64{20, 20, 20, 1, 1, 1, 1, 1}
	dense, wide := uniform(r, 4, 6), uniform(r, 8, 13)
	turn := uniform(r, 0, 2*math.Pi)
	group := assign(r, n, shares)
	x := make(matrix, n)
	for i, g := range group {
		sd := dense
		if g > 2 {
			sd = wide
		}
		a, b := normal(r, centres[g][0], sd), normal(r, centres[g][1], sd)
		x[i] = []float64{
			1000 * (a*math.Cos(turn) - b*math.Sin(turn)),
			1000 * (a*math.Sin(turn) + b*math.Cos(turn)),
		}
	}
	return measured(r, []string{"x", "y"}, x, group, false)
}

// drawPlane draws points of shapes in the plane, then turns and stretches the whole.
func drawPlane(r *rand.Rand, n int, shares []float64, point func(r *rand.Rand, g int) (x, y float64)) law.Data {
	group := assign(r, n, shares)
	turn, size := uniform(r, 0, 2*math.Pi), uniform(r, 0.8, 12)
	left, low := uniform(r, 0, 40)*size, uniform(r, 0, 40)*size
	x := make(matrix, n)
	for i, g := range group {
		a, b := point(r, g)
		x[i] = []float64{
			left + size*(a*math.Cos(turn)-b*math.Sin(turn)),
			low + size*(a*math.Sin(turn)+b*math.Cos(turn)),
		}
	}
	return measured(r, []string{"x", "y"}, x, group, false)
}

// inDisc draws a point of a filled ellipse.
func inDisc(r *rand.Rand, cx, cy, rx, ry float64) (x, y float64) {
	rho, phi := math.Sqrt(r.Float64()), uniform(r, 0, 2*math.Pi)
	return cx + rx*rho*math.Cos(phi), cy + ry*rho*math.Sin(phi)
}

// inArc draws a point of a piece of a ring; angles are parts of a full turn.
func inArc(r *rand.Rand, cx, cy, inner, outer, from, to float64) (x, y float64) {
	rho := math.Sqrt(uniform(r, inner*inner, outer*outer))
	phi := 2 * math.Pi * uniform(r, from, to)
	return cx + rho*math.Cos(phi), cy + rho*math.Sin(phi)
}

func spiralPoint(r *rand.Rand, g int) (x, y float64) {
	t := math.Sqrt(uniform(r, 0.06, 1))
	phi := 2*math.Pi*float64(g)/3 + 4.5*t
	rho := 14 * t
	return rho*math.Cos(phi) + normal(r, 0, 0.25), rho*math.Sin(phi) + normal(r, 0, 0.25)
}

func flamePoint(r *rand.Rand, g int) (x, y float64) {
	if g == 0 {
		return inDisc(r, 0, 2.6, 3.1, 2.1)
	}
	return inArc(r, 0, 1.5, 3.0, 6.5, 0.52, 0.98)
}

func aggregationPoint(r *rand.Rand, g int) (x, y float64) {
	switch g {
	case 0:
		return inArc(r, 10, 22, 2.5, 6.5, 0.05, 0.95)
	case 1:
		return inDisc(r, 20.5, 23, 2, 2)
	case 2:
		return inDisc(r, 9, 8, 4, 4.2)
	case 3:
		return inDisc(r, 33, 22, 6, 7)
	case 4:
		return inDisc(r, 15.4, 7.5, 1.6, 1.6)
	case 5:
		return inDisc(r, 32, 9, 4.5, 4)
	default:
		return inDisc(r, 38.6, 9, 1.5, 1.5)
	}
}

func compoundPoint(r *rand.Rand, g int) (x, y float64) {
	switch g {
	case 0:
		return inDisc(r, 8, 18, 1.5, 1.5)
	case 1:
		return inArc(r, 8, 18, 3.2, 4.6, 0, 1)
	case 2:
		return normal(r, 6, 0.9), normal(r, 6, 0.9)
	case 3:
		return normal(r, 10.6, 1), normal(r, 6.5, 1)
	case 4:
		return inDisc(r, 24, 12, 1.8, 2.4)
	default:
		for {
			a, b := inDisc(r, 24, 12, 6, 8)
			if math.Hypot((a-24)/1.8, (b-12)/2.4) > 1 {
				return a, b
			}
		}
	}
}
