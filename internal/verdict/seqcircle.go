package verdict

import "math"

// circling is the passage of sequences that go round and round a circle: each begins
// anywhere on it, all at about the same pace. What comes again after a time, such as a
// season, is so, where nobody knows when it began.
type circling struct {
	pace, spread float64 // rounds a step, and its deviation between sequences
	points       [][2]float64
	weight       []float64
	value        []float64
	sum          [3]float64
}

const circleSpeeds = 9

func newCircling(pace float64) *circling {
	c := &circling{pace: pace, spread: pace / 20}
	c.lay()
	return c
}

// lay sets the points: every begin with paces around the common one.
func (c *circling) lay() {
	c.points, c.weight = c.points[:0], c.weight[:0]
	all := 0.0
	for j := range circleSpeeds {
		y := 2.5 * (2*float64(j)/(circleSpeeds-1) - 1)
		all += math.Exp(-y*y/2) * linePlaces
		for g := range linePlaces {
			c.points = append(c.points, [2]float64{float64(g) / linePlaces, c.pace + y*c.spread})
			c.weight = append(c.weight, -y*y/2)
		}
	}
	for i := range c.weight {
		c.weight[i] -= math.Log(all)
	}
	c.value = grown(c.value, len(c.points))
}

// around is the place of a point after so many steps.
func around(at [2]float64, t int) int {
	z := at[0] + at[1]*float64(t)
	return int((z-math.Floor(z))*linePlaces+.5) % linePlaces
}

func (c *circling) follow(density, chance []float64) float64 {
	steps := len(density) / linePlaces
	top := math.Inf(-1)
	for q, at := range c.points {
		v := c.weight[q]
		for t := range steps {
			v += density[t*linePlaces+around(at, t)]
		}
		c.value[q] = v
		top = max(top, v)
	}
	all := 0.0
	for q, v := range c.value {
		c.value[q] = math.Exp(v - top)
		all += c.value[q]
	}
	if chance != nil {
		clear(chance)
		for q, at := range c.points {
			p := c.value[q] / all
			if p < 1e-9 {
				continue
			}
			c.sum[0] += p
			c.sum[1] += p * at[1]
			c.sum[2] += p * at[1] * at[1]
			for t := range steps {
				chance[t*linePlaces+around(at, t)] += p
			}
		}
	}
	return top + math.Log(all)
}

func (c *circling) gathered() [][]float64 { return [][]float64{c.sum[:]} }

func (c *circling) relearn() {
	if c.sum[0] == 0 {
		return
	}
	c.pace = c.sum[1] / c.sum[0]
	c.spread = math.Sqrt(max(c.sum[2]/c.sum[0]-c.pace*c.pace, 1e-8))
	c.sum = [3]float64{}
	c.lay()
}

// learnCircle fits a circle: of all lengths of a round, the one after which what lasts (z)
// is most alike; nil where sequences are too short for any.
func learnCircle(d *lined, z []float64) *onLine {
	long := roundOf(d, z)
	if long == 0 {
		return nil
	}
	// To begin with every sequence is turned so that its wave lies over the others.
	sums, chance := newLineSums(d), make([]float64, linePlaces)
	for i := range len(d.steps) - 1 {
		x, y := 0.0, 0.0
		for t := d.steps[i]; t < d.steps[i+1]; t++ {
			a := 2 * math.Pi * float64(t-d.steps[i]) / float64(long)
			x += z[t] * math.Cos(a)
			y -= z[t] * math.Sin(a)
		}
		turn := math.Atan2(y, x) / (2 * math.Pi)
		for t := d.steps[i]; t < d.steps[i+1]; t++ {
			clear(chance)
			chance[around([2]float64{turn, 1 / float64(long)}, t-d.steps[i])] = 1
			sums.add(d, t, chance)
		}
	}
	d.sites.add(sums.n, sums.s)
	m := &onLine{learnShown(closed(), d, sums, nil), newCircling(1 / float64(long))}
	return m.goOn(d, math.Inf(-1))
}

// roundOf is the length of a round: that at which the waves of all sequences are the
// strongest.
func roundOf(d *lined, z []float64) int {
	longest := 0
	for i := range len(d.steps) - 1 {
		longest = max(longest, d.steps[i+1]-d.steps[i])
	}
	power, any := make([]float64, mostRound+1), make([]float64, mostRound+1)
	for p := 3; p <= mostRound; p++ {
		any[p] = boolean(p <= longest)
		for i := range len(d.steps) - 1 {
			lo, hi := d.steps[i], d.steps[i+1]
			mean := sum(z[lo:hi]) / max(float64(hi-lo), 1)
			x, y := 0.0, 0.0
			for t := lo; t < hi; t++ {
				a := 2 * math.Pi * float64(t-lo) / float64(p)
				x += (z[t] - mean) * math.Cos(a)
				y += (z[t] - mean) * math.Sin(a)
			}
			power[p] += (x*x + y*y) / max(float64(hi-lo), 1)
		}
	}
	d.sites.add(power, any)
	best := 0
	for p, v := range power {
		if any[p] > 0 && v > power[best] {
			best = p
		}
	}
	return best
}
