package verdict

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// foretold is a linear forecast of measurements from what came before, with
// residuals of a normal law or one of heavier tails.
type foretold struct {
	use    []int // features that vary
	design func(w *walks, sequence, t int, out []float64) []float64

	predictors int        // that design makes
	coef       *mat.Dense // predictors×features
	chol       mat.Cholesky
	logDet     float64
	tails      float64 // degrees of freedom; 0: normal
}

// seen returns the values of the features in use, nil where any is missing.
func seenValues(w *walks, t int, use []int, out []float64) []float64 {
	out = out[:0]
	row := w.rows.DenseRow(t)
	for _, h := range use {
		if math.IsNaN(row[h]) {
			return nil
		}
		out = append(out, row[h])
	}
	return out
}

// varying lists the features that are not constant.
func varying(w *walks) []int {
	var use []int
	if w.places != nil {
		columns := make([][]float64, w.rows.Dim)
		for t := range w.rows.N() {
			for h, v := range w.rows.DenseRow(t) {
				if !math.IsNaN(v) {
					columns[h] = append(columns[h], v)
				}
			}
		}
		for h, m := range w.places.spreads(columns) {
			if m.sd > 1e-12*math.Abs(m.mean) {
				use = append(use, h)
			}
		}
		return use
	}
	for h := range w.rows.Dim {
		first, differ := math.NaN(), false
		for t := range w.rows.N() {
			v := w.rows.DenseRow(t)[h]
			switch {
			case math.IsNaN(v):
			case math.IsNaN(first):
				first = v
			case v != first:
				differ = true
			}
		}
		if differ {
			use = append(use, h)
		}
	}
	return use
}

// fullForecast is the number of features up to which each is foretold from all.
const fullForecast = 30

// learnForecast fits the forecast of every row by least squares, from so many predictors.
func learnForecast(w *walks, use []int, predictors int, design func(*walks, int, int, []float64) []float64) *foretold {
	f := &foretold{use: use, predictors: predictors, design: design}
	if !f.regress(w, nil) {
		return nil
	}
	f.chooseTails(w)
	return f
}

// regress fits by least squares, rows by their weights where these are given; false
// where rows are too few.
func (f *foretold) regress(w *walks, weight []float64) bool {
	d := len(f.use)
	xx, xy := mat.NewDense(f.predictors, f.predictors, nil), mat.NewDense(f.predictors, d, nil)
	rows := []float64{0}
	of := func(t int) float64 {
		if weight == nil {
			return 1
		}
		return weight[t]
	}
	f.each(w, func(_, t int, x, y []float64) {
		rows[0]++
		by := of(t)
		for i, a := range x {
			a *= by
			for j, b := range x {
				xx.Set(i, j, xx.At(i, j)+a*b)
			}
			for h, b := range y {
				xy.Set(i, h, xy.At(i, h)+a*b)
			}
		}
	})
	w.places.add(rows, xx.RawMatrix().Data, xy.RawMatrix().Data)
	n := rows[0]
	if n < float64(2*d+2) {
		return false
	}
	for i := range f.predictors {
		xx.Set(i, i, xx.At(i, i)*(1+1e-9)+1e-12)
	}
	f.coef = new(mat.Dense)
	if err := f.coef.Solve(xx, xy); err != nil {
		return false
	}
	cov := mat.NewSymDense(d, nil)
	res := make([]float64, d)
	f.each(w, func(_, t int, x, y []float64) {
		f.residual(x, y, res)
		by := of(t)
		for i := range d {
			for j := i; j < d; j++ {
				cov.SetSym(i, j, cov.At(i, j)+by*res[i]*res[j]/n)
			}
		}
	})
	w.places.add(cov.RawSymmetric().Data)
	for i := range d { // shrunk towards its diagonal by about as many rows as features
		for j := i + 1; j < d; j++ {
			cov.SetSym(i, j, cov.At(i, j)*n/(n+float64(d)))
		}
		cov.SetSym(i, i, cov.At(i, i)*(1+1e-9)+1e-300)
	}
	f.chol = mat.Cholesky{} // copies of f keep theirs
	if !f.chol.Factorize(cov) {
		return false
	}
	f.logDet = f.chol.LogDet()
	return true
}

func (f *foretold) residual(x, y, out []float64) {
	for h := range out {
		out[h] = y[h]
		for i, v := range x {
			out[h] -= v * f.coef.At(i, h)
		}
	}
}

// each calls use with predictors and values of every observed row.
func (f *foretold) each(w *walks, use func(sequence, t int, x, y []float64)) {
	var x, y []float64
	for i := range w.n() {
		for t := w.steps[i]; t < w.steps[i+1]; t++ {
			if y = seenValues(w, t, f.use, y); y == nil {
				continue
			}
			x = f.design(w, i, t, x[:0])
			use(i, t, x, y)
		}
	}
}

// scores returns the log density of every sequence.
func (f *foretold) scores(w *walks) []float64 {
	out := make([]float64, w.n())
	f.far(w, func(i, _ int, q float64) { out[i] += f.density(q) })
	return out
}

// far calls use with the squared distance of every row from its forecast, in deviations.
func (f *foretold) far(w *walks, use func(sequence, t int, q float64)) {
	res := make([]float64, len(f.use))
	v := mat.NewVecDense(len(res), res)
	var solved mat.VecDense
	f.each(w, func(i, t int, x, y []float64) {
		f.residual(x, y, res)
		if f.chol.SolveVecTo(&solved, v) == nil {
			use(i, t, mat.Dot(v, &solved))
		}
	})
}

// density is the log density of a row at a squared distance from its forecast.
func (f *foretold) density(q float64) float64 {
	d := float64(len(f.use))
	if f.tails == 0 {
		return -(d*math.Log(2*math.Pi) + f.logDet + q) / 2
	}
	lg := func(x float64) float64 { r, _ := math.Lgamma(x); return r }
	scale := (f.tails - 2) / f.tails // so that the covariance stays
	return lg((f.tails+d)/2) - lg(f.tails/2) - d/2*math.Log(f.tails*math.Pi*scale) - f.logDet/2 -
		(f.tails+d)/2*math.Log1p(q/(scale*f.tails))
}

// chooseTails takes the tails that suit the rows it learned from.
func (f *foretold) chooseTails(w *walks) {
	tails := []float64{0, 30, 10, 5, 3}
	f.tails = tails[w.likeliest(len(tails), func(i int) []float64 {
		f.tails = tails[i]
		return f.scores(w)
	})]
}

// measuredRivals scores the explanations without hidden states of measurements.
func measuredRivals(train, test *walks) map[memory][]float64 {
	use := varying(train)
	if len(use) == 0 {
		return nil
	}
	dates := train.calendar(true)
	train, test = train.remembering(use), test.remembering(use)
	lags := func(most int, timed, own bool) func(train *walks) *foretold {
		predictors := 1 + most*(1+len(use)) + boolInt(own)*(1+len(use)) + boolInt(timed)*dates.n
		design := func(w *walks, i, t int, x []float64) []float64 {
			x = append(x, 1)
			for lag := 1; lag <= most; lag++ {
				at := len(x)
				x = append(x, make([]float64, 1+len(use))...)
				if t-lag >= w.steps[i] && seenValues(w, t-lag, use, x[at+1:]) != nil {
					x[at] = 1 // an intercept of its own where nothing came before
				} else {
					clear(x[at:])
				}
			}
			if own {
				x = append(x, w.means[t*(len(use)+1):][:len(use)+1]...)
			}
			if timed {
				x = append(x, make([]float64, dates.n)...)
				x[len(x)-dates.n+dates.of(t-w.steps[i])] = 1
			}
			return x
		}
		return func(train *walks) *foretold { return learnForecast(train, use, predictors, design) }
	}
	list := []struct {
		m  memory
		on func(*walks) *foretold
	}{
		{loose, lags(0, false, false)},
		{drifting, lags(0, true, false)},
		{ownLevel, lags(0, false, true)},
		{visible, lags(1, false, false)},
		{longer, lags(2, false, false)},
		{habits, lags(1, false, true)},
		{seasons, lags(1, true, true)},
	}
	if len(use) > fullForecast {
		list = list[:1]
	}
	learn, of, bic := make([]func(*walks, scoring), len(list)), make([]*foretold, len(list)), make([]float64, len(list))
	for i, r := range list {
		learn[i] = func(train *walks, score scoring) {
			f := r.on(train)
			if f == nil {
				return
			}
			score(r.m, f.scores(test))
			said := []float64{float64(train.rows.N()), sum(f.scores(train))}
			train.places.add(said)
			p, d := f.coef.Dims()
			of[i], bic[i] = f, float64(p*d)*math.Log(said[0])-2*said[1]
		}
	}
	out := train.rivals(learn...)
	best := -1
	for i, f := range of {
		if f != nil && (best < 0 || bic[i] < bic[best]) {
			best = i
		}
	}
	if best >= 0 {
		out[uneven] = learnScatter(train, of[best]).scores(test)
	}
	return out
}

// remembering returns the sequences with the means that each has had before a step.
func (w *walks) remembering(use []int) *walks {
	out := *w
	out.means = ownMeans(w, use)
	return &out
}

func boolean(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// ownMeans returns, for every row, the means of its sequence before it, drawn
// towards nothing while they are of few steps, and how many these are.
func ownMeans(w *walks, use []int) []float64 {
	const few = 2
	d := len(use) + 1
	out, buffer, total := make([]float64, w.rows.N()*d), make([]float64, 0, d), make([]float64, d)
	for i := range w.n() {
		clear(total)
		for t := w.steps[i]; t < w.steps[i+1]; t++ {
			n := total[d-1]
			for h, v := range total {
				out[t*d+h] = v / (n + few)
			}
			if y := seenValues(w, t, use, buffer); y != nil {
				for h, v := range y {
					total[h] += v
				}
				total[d-1]++
			}
		}
	}
	return out
}
