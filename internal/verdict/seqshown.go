package verdict

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// shownAt is what steps show at every place: a log-linear law of every feature whose
// parameter is a curve along the line. Measurements scatter around it in one way.
type shownAt struct {
	on   *ground
	kind stepKind
	dim  int
	coef []float64  // dim×terms
	logs []float64  // place×dim
	base []float64  // place
	form *mat.Dense // measured: the inverse covariance
}

// lineSums is what a step of EM gathers.
type lineSums struct {
	n []float64 // place: steps
	s []float64 // place×dim
}

func newLineSums(d *lined) *lineSums {
	return &lineSums{n: make([]float64, linePlaces), s: make([]float64, linePlaces*d.dim)}
}

// add counts a step that lies at the places with these chances.
func (s *lineSums) add(d *lined, t int, chance []float64) {
	if !d.seen[t] {
		return
	}
	for g, c := range chance {
		if c < 1e-12 {
			continue
		}
		s.n[g] += c
		row := s.s[g*d.dim:][:d.dim]
		for e := d.first[t]; e < d.first[t+1]; e++ {
			row[d.h[e]] += c * d.x[e]
		}
	}
}

// learnShown fits the curves to the sums, from those of before.
func learnShown(on *ground, d *lined, s *lineSums, before *shownAt) *shownAt {
	out := &shownAt{on: on, kind: d.kind, dim: d.dim, coef: make([]float64, d.dim*lineTerms)}
	if d.kind == measured {
		out.learnValues(s, d.outer)
		return out
	}
	if before != nil {
		copy(out.coef, before.coef)
	} else {
		out.level(s)
	}
	offset := make([]float64, linePlaces)
	again := 1
	if d.kind == symbols {
		again = 3
	}
	for range again {
		if d.kind == symbols { // the sum of all chances is one at every place
			for g := range offset {
				offset[g] = -math.Log(max(out.total(g), 1e-300))
			}
		}
		for h := range d.dim {
			if !out.unseen(h) {
				out.climb(s, offset, h)
			}
		}
	}
	out.ready()
	return out
}

// level starts every curve at the mean.
func (o *shownAt) level(s *lineSums) {
	n := sum(s.n)
	for h := range o.dim {
		v := 0.0
		for g := range s.n {
			v += s.s[g*o.dim+h]
		}
		if v == 0 {
			o.coef[h*lineTerms] = neverLog
			continue
		}
		v /= n
		o.coef[h*lineTerms] = math.Log(v)
		if o.kind == sets {
			o.coef[h*lineTerms] = math.Log(v / (1 - min(v, 1-1e-6)))
		}
	}
}

// neverLog is the parameter of what was never seen, as among sets without a line.
const neverLog = -20.7

func (o *shownAt) unseen(h int) bool { return o.coef[h*lineTerms] == neverLog }

// at is the curve of a feature at a place.
func (o *shownAt) at(h, g int) float64 {
	v := 0.0
	for i, t := range o.on.term[g] {
		v += t * o.coef[h*lineTerms+i]
	}
	return min(max(v, -30), 30)
}

func (o *shownAt) total(g int) float64 {
	all := 0.0
	for h := range o.dim {
		all += math.Exp(o.at(h, g))
	}
	return all
}

// climb takes steps of Newton for the curve of one feature.
func (o *shownAt) climb(s *lineSums, offset []float64, h int) {
	const times, stride = 4, 2.
	b := o.coef[h*lineTerms:][:lineTerms]
	for range times {
		var slope [lineTerms]float64
		curve := mat.NewSymDense(lineTerms, nil)
		for i := range b {
			slope[i] = -stiffness(i) * b[i]
			curve.SetSym(i, i, stiffness(i))
		}
		for g, n := range s.n {
			if n < 1e-9 {
				continue
			}
			mean := math.Exp(o.at(h, g) + offset[g])
			spread := mean
			if o.kind == sets {
				mean /= 1 + mean
				spread = mean * (1 - mean)
			}
			term := o.on.term[g]
			for i, x := range term {
				slope[i] += x * (s.s[g*o.dim+h] - n*mean)
				for j := i; j < lineTerms; j++ {
					curve.SetSym(i, j, curve.At(i, j)+n*spread*x*term[j])
				}
			}
		}
		var chol mat.Cholesky
		var move mat.VecDense
		if !chol.Factorize(curve) || chol.SolveVecTo(&move, mat.NewVecDense(lineTerms, slope[:])) != nil {
			return
		}
		far := 0.0
		for i := range b {
			far = max(far, math.Abs(move.AtVec(i)))
		}
		for i := range b {
			b[i] += move.AtVec(i) * min(1, stride/max(far, 1e-300))
		}
		if far < 1e-6 {
			return
		}
	}
}

// learnValues fits the curves of measurements by least squares.
func (o *shownAt) learnValues(s *lineSums, outer *mat.SymDense) {
	xx := mat.NewSymDense(lineTerms, nil)
	xy := mat.NewDense(lineTerms, o.dim, nil)
	for g, n := range s.n {
		term := o.on.term[g]
		for i, a := range term {
			for j := i; j < lineTerms; j++ {
				xx.SetSym(i, j, xx.At(i, j)+n*a*term[j])
			}
			for h := range o.dim {
				xy.Set(i, h, xy.At(i, h)+a*s.s[g*o.dim+h])
			}
		}
	}
	for i := range lineTerms {
		xx.SetSym(i, i, xx.At(i, i)+stiffness(i))
	}
	var chol mat.Cholesky
	coef := mat.NewDense(lineTerms, o.dim, nil)
	if chol.Factorize(xx) {
		_ = chol.SolveTo(coef, xy)
	}
	for h := range o.dim {
		for i := range lineTerms {
			o.coef[h*lineTerms+i] = coef.At(i, h)
		}
	}
	// Σ (y−f)(y−f)ᵀ from the sums alone.
	n := sum(s.n)
	var fit, both mat.Dense
	fit.Mul(coef.T(), xy)
	both.Mul(xx, coef)
	var square mat.Dense
	square.Mul(coef.T(), &both)
	cov := mat.NewSymDense(o.dim, nil)
	for i := range o.dim {
		for j := i; j < o.dim; j++ {
			v := (outer.At(i, j) - fit.At(i, j) - fit.At(j, i) + square.At(i, j)) / max(n, 1)
			if i != j {
				v *= n / (n + float64(o.dim))
			} else {
				v = max(v, 1e-6)
			}
			cov.SetSym(i, j, v)
		}
	}
	o.base, o.logs = make([]float64, linePlaces), make([]float64, linePlaces*o.dim)
	var c mat.Cholesky
	if !c.Factorize(cov) {
		for i := range o.dim {
			for j := i + 1; j < o.dim; j++ {
				cov.SetSym(i, j, 0)
			}
		}
		c.Factorize(cov)
	}
	var inverse mat.SymDense
	_ = c.InverseTo(&inverse)
	o.form = mat.DenseCopyOf(&inverse)
	logDet := c.LogDet()
	mean, by := mat.NewVecDense(o.dim, nil), mat.NewVecDense(o.dim, nil)
	for g := range linePlaces {
		for h := range o.dim {
			mean.SetVec(h, o.at(h, g))
		}
		by.MulVec(o.form, mean)
		copy(o.logs[g*o.dim:], by.RawVector().Data)
		o.base[g] = -(mat.Dot(mean, by) + logDet + float64(o.dim)*math.Log(2*math.Pi)) / 2
	}
}

// ready works out the logarithms of all places.
func (o *shownAt) ready() {
	o.base, o.logs = make([]float64, linePlaces), make([]float64, linePlaces*o.dim)
	for g := range linePlaces {
		all := 0.0
		for h := range o.dim {
			v := o.at(h, g)
			o.logs[g*o.dim+h] = v
			switch o.kind {
			case sets:
				o.base[g] -= math.Log1p(math.Exp(v))
			case counted:
				o.base[g] -= math.Exp(v)
			default:
				all += math.Exp(v)
			}
		}
		if o.kind == symbols {
			for h := range o.dim {
				o.logs[g*o.dim+h] -= math.Log(all)
				if o.unseen(h) {
					o.logs[g*o.dim+h] = impossible
				}
			}
		}
	}
}

// densities sets out to the log density of a step at every place.
func (o *shownAt) densities(d *lined, t int, out []float64) {
	if !d.seen[t] {
		fill(out, 0)
		return
	}
	own := d.own[t]
	x := d.x[d.first[t]:d.first[t+1]]
	if o.form != nil {
		v := mat.NewVecDense(len(x), x)
		own -= mat.Inner(v, o.form, v) / 2
	}
	for g := range out {
		v := o.base[g] + own
		row := o.logs[g*o.dim:][:o.dim]
		for e, h := range d.h[d.first[t]:d.first[t+1]] {
			v += x[e] * row[h]
		}
		out[g] = v
	}
}
