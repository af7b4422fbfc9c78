package verdict

import "math"

// paced is the passage of sequences that begin at a place of their own and go on at a
// pace of their own: both are normal, and may go together. One that stays where it is has
// the pace nought.
type paced struct {
	per    float64    // steps that the pace is counted in
	mean   [2]float64 // place of the begin, and pace
	cov    [3]float64 // of the begin, of both, of the pace
	points [][2]float64
	weight []float64  // log
	sum    [6]float64 // begin, pace, their squares and product, how many
	way    []int32    // points×steps: places
	value  []float64  // of a point
	upTo   int        // steps that way holds
}

const (
	paceBegins = 31
	paceSpeeds = 15
	paceReach  = 3
)

func newPaced(d *lined, z []float64) passage {
	p := &paced{per: max(d.many[1]/max(d.many[0], 1), 1)}
	for i := range len(d.steps) - 1 {
		p.note(straight(z[d.steps[i]:d.steps[i+1]], p.per), 1)
	}
	d.sites.add(p.gathered()...)
	p.relearn()
	return p
}

// straight returns begin and pace of the straight line through points.
func straight(z []float64, per float64) [2]float64 {
	n := float64(len(z))
	if n == 0 {
		return [2]float64{}
	}
	mean, middle := sum(z)/n, (n-1)/2
	xy, xx := 0.0, 0.0
	for t, v := range z {
		xy += (float64(t) - middle) * (v - mean)
		xx += (float64(t) - middle) * (float64(t) - middle)
	}
	slope := xy / max(xx, 1)
	return [2]float64{mean - slope*middle, slope * per}
}

// note gathers a begin and a pace.
func (p *paced) note(at [2]float64, chance float64) {
	for i, v := range [...]float64{at[0], at[1], at[0] * at[0], at[0] * at[1], at[1] * at[1], 1} {
		p.sum[i] += chance * v
	}
}

func (p *paced) gathered() [][]float64 { return [][]float64{p.sum[:]} }

func (p *paced) relearn() {
	const least = .02 // of a deviation
	n := max(p.sum[5], 1e-300)
	for i := range p.mean {
		p.mean[i] = p.sum[i] / n
	}
	p.cov = [3]float64{
		max(p.sum[2]/n-p.mean[0]*p.mean[0], least*least), p.sum[3]/n - p.mean[0]*p.mean[1],
		max(p.sum[4]/n-p.mean[1]*p.mean[1], least*least),
	}
	p.sum = [6]float64{}
	p.spread()
}

// spread lays the points over the law.
func (p *paced) spread() {
	a := math.Sqrt(p.cov[0])
	b := p.cov[1] / a
	c := math.Sqrt(max(p.cov[2]-b*b, 1e-4*p.cov[2]))
	p.points, p.weight, p.upTo = p.points[:0], p.weight[:0], 0
	all := 0.0
	for i := range paceBegins {
		x := paceReach * (2*float64(i)/(paceBegins-1) - 1)
		for j := range paceSpeeds {
			y := paceReach * (2*float64(j)/(paceSpeeds-1) - 1)
			w := math.Exp(-(x*x + y*y) / 2)
			all += w
			p.points = append(p.points, [2]float64{p.mean[0] + a*x, p.mean[1] + b*x + c*y})
			p.weight = append(p.weight, -(x*x+y*y)/2)
		}
	}
	for i := range p.weight {
		p.weight[i] -= math.Log(all)
	}
	p.value = grown(p.value, len(p.points))
}

// reach works out the places of every point for so many steps.
func (p *paced) reach(steps int) {
	if steps <= p.upTo {
		return
	}
	p.upTo = max(steps, 2*p.upTo, 32)
	p.way = make([]int32, len(p.points)*p.upTo)
	for q, at := range p.points {
		for t := range p.upTo {
			p.way[q*p.upTo+t] = int32(placeAt(at[0] + at[1]*float64(t)/p.per))
		}
	}
}

func (p *paced) follow(density, chance []float64) float64 {
	steps := len(density) / linePlaces
	p.reach(steps)
	top := math.Inf(-1)
	for q := range p.points {
		v := p.weight[q]
		for t, g := range p.way[q*p.upTo:][:steps] {
			v += density[t*linePlaces+int(g)]
		}
		p.value[q] = v
		top = max(top, v)
	}
	all := 0.0
	for q, v := range p.value {
		p.value[q] = math.Exp(v - top)
		all += p.value[q]
	}
	if chance != nil {
		clear(chance)
		for q, at := range p.points {
			c := p.value[q] / all
			if c < 1e-9 {
				continue
			}
			p.note(at, c)
			for t, g := range p.way[q*p.upTo:][:steps] {
				chance[t*linePlaces+int(g)] += c
			}
		}
	}
	return top + math.Log(all)
}

// wandering is the passage of sequences whose place changes a little from step to step:
// drawn towards a middle or not, with a drift or not, the same for all.
type wandering struct {
	first   [2]float64 // mean and deviation of the first place
	pull    float64    // of the place before
	drift   float64
	jolt    float64 // deviation of a step
	begin   []float64
	move    []float64 // place×place
	band    [][2]int
	firsts  [3]float64 // n, sum, squares
	moves   []float64  // place×place: expected moves
	forward []float64
	scaled  []float64
	back    []float64
	next    []float64
}

func newWandering(d *lined, z []float64) passage {
	w := &wandering{moves: make([]float64, linePlaces*linePlaces)}
	for i := range len(d.steps) - 1 {
		for t := d.steps[i]; t < d.steps[i+1]; t++ {
			if t == d.steps[i] {
				w.firsts[0]++
				w.firsts[1] += z[t]
				w.firsts[2] += z[t] * z[t]
			} else {
				w.moves[placeAt(z[t-1])*linePlaces+placeAt(z[t])]++
			}
		}
	}
	d.sites.add(w.gathered()...)
	w.relearn()
	return w
}

func (w *wandering) gathered() [][]float64 { return [][]float64{w.firsts[:], w.moves} }

// relearn sets the law by the expected moves.
func (w *wandering) relearn() {
	const least = .5 * 2 * lineReach / (linePlaces - 1) // half a place
	n := max(w.firsts[0], 1e-300)
	w.first[0] = w.firsts[1] / n
	w.first[1] = math.Sqrt(max(w.firsts[2]/n-w.first[0]*w.first[0], least*least))
	var all, x, y, xx, xy, yy float64
	for g := range linePlaces {
		for h := range linePlaces {
			c := w.moves[g*linePlaces+h]
			a, b := place(g), place(h)
			all += c
			x += c * a
			y += c * b
			xx += c * a * a
			xy += c * a * b
			yy += c * b * b
		}
	}
	if all > 0 {
		x, y, xx, xy, yy = x/all, y/all, xx/all, xy/all, yy/all
		w.pull = min(max((xy-x*y)/max(xx-x*x, 1e-9), 0), 1)
		w.drift = y - w.pull*x
		w.jolt = math.Sqrt(max(yy-y*y-2*w.pull*(xy-x*y)+w.pull*w.pull*(xx-x*x), least*least))
	} else {
		w.pull, w.drift, w.jolt = 1, 0, least
	}
	w.firsts = [3]float64{}
	clear(w.moves)
	w.ready()
}

func (w *wandering) ready() {
	w.begin = bell(w.begin, w.first[0], w.first[1])
	w.move = grown(w.move, linePlaces*linePlaces)
	w.band = w.band[:0]
	for g := range linePlaces {
		row := bell(w.move[g*linePlaces:][:linePlaces], w.pull*place(g)+w.drift, w.jolt)
		lo, hi := 0, linePlaces
		for lo < linePlaces-1 && row[lo] < 1e-9 {
			lo++
		}
		for hi > lo+1 && row[hi-1] < 1e-9 {
			hi--
		}
		w.band = append(w.band, [2]int{lo, hi})
	}
}

// leastPlace is the chance of a place that no move leads to: what a step shows may lie far off.
const leastPlace = 1e-12

// bell is a normal law over the places.
func bell(out []float64, mean, sd float64) []float64 {
	out = grown(out, linePlaces)
	mean = min(max(mean, -lineReach), lineReach)
	all := 0.0
	for g := range out {
		x := (place(g) - mean) / sd
		out[g] = math.Exp(-x * x / 2)
		all += out[g]
	}
	times(out, 1/all)
	return out
}

func (w *wandering) follow(density, chance []float64) float64 {
	steps := len(density) / linePlaces
	w.forward, w.scaled = grown(w.forward, steps*linePlaces), grown(w.scaled, steps*linePlaces)
	logs := 0.0
	now := append(w.next[:0], w.begin...)
	for t := range steps {
		f, e := w.forward[t*linePlaces:][:linePlaces], w.scaled[t*linePlaces:][:linePlaces]
		if t > 0 {
			clear(now)
			for g, v := range w.forward[(t-1)*linePlaces:][:linePlaces] {
				if v < 1e-14 {
					continue
				}
				b := w.band[g]
				for h := b[0]; h < b[1]; h++ {
					now[h] += v * w.move[g*linePlaces+h]
				}
			}
		}
		top := math.Inf(-1)
		for _, v := range density[t*linePlaces:][:linePlaces] {
			top = max(top, v)
		}
		all := 0.0
		for g, v := range density[t*linePlaces:][:linePlaces] {
			e[g] = math.Exp(v - top)
			f[g] = (now[g] + leastPlace) * e[g]
			all += f[g]
		}
		if !(all > 0) {
			all = 1e-300
		}
		times(f, 1/all)
		times(e, 1/all)
		logs += top + math.Log(all)
	}
	w.next = now
	if chance != nil && steps > 0 {
		w.backward(steps, chance)
	}
	return logs
}

// backward sets the chances of all places and gathers the moves.
func (w *wandering) backward(steps int, chance []float64) {
	w.back = grown(w.back, linePlaces)
	fill(w.back, 1)
	for t := steps - 1; t >= 0; t-- {
		f := w.forward[t*linePlaces:][:linePlaces]
		for g, v := range f {
			chance[t*linePlaces+g] = v * w.back[g]
		}
		if t == 0 {
			break
		}
		e := w.scaled[t*linePlaces:][:linePlaces]
		for g := range w.back {
			w.back[g] *= e[g]
		}
		copy(w.next, w.back)
		for g, v := range w.forward[(t-1)*linePlaces:][:linePlaces] {
			b, sum := w.band[g], 0.0
			for h := b[0]; h < b[1]; h++ {
				c := w.move[g*linePlaces+h] * w.next[h]
				sum += c
				w.moves[g*linePlaces+h] += v * c
			}
			w.back[g] = sum
		}
	}
	for g, c := range chance[:linePlaces] {
		w.firsts[0] += c
		w.firsts[1] += c * place(g)
		w.firsts[2] += c * place(g) * place(g)
	}
}
