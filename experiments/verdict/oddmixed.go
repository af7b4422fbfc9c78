package verdict

import (
	"math"
	"math/rand/v2"

	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

func oddMixed() []Law {
	return []Law{
		{Name: "mixed, households", draw: households(1)},
		{Name: "mixed, a register with seasons", draw: register(1)},
		{Name: "mixed, a status and a band by age", draw: statusByAge},
		{Name: "mixed, 2, a question of three answers", Groups: 2, draw: rareAnswer},
		{Name: "mixed, 3, households", Groups: 3, draw: households(3)},
		{Name: "mixed, 4, a register with seasons", Groups: 4, draw: register(4)},
	}
}

// households: ages with a liking for tens, incomes with spikes, a region of twelve,
// answers of three levels, flags, the number of children; wealth moves all of them.
func households(k int) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		const reals, flags, regions, questions = 4, 6, 12, 3
		const at = reals + flags + 1
		d := at + regions + 3*questions
		own, load, y := apartCenters(r, k, reals, 6), uniform(r, .2, .9, d), labels(r, n, k, false)
		tilt, base, where := normal(r, 0, 1.5, k*d), normal(r, -.5, .7, d), dirichlet(r, .7, regions)
		if k == 1 {
			clear(tilt)
		}
		rows := sparse.Rows{Dim: d}
		for i := range n {
			x, wealth := make([]float64, d), r.NormFloat64()
			for h := range reals {
				x[h] = own[y[i]][h] + r.NormFloat64() + load[h]*wealth
			}
			x[0] = math.Round(45 + 9*x[0])
			if r.Float64() < .25 {
				x[0] = 10 * math.Round(x[0]/10)
			}
			x[1] = math.Exp(1 + .4*x[1])
			if r.Float64() < .15 {
				x[1] = 0
			}
			if r.Float64() < logistic(-2-x[2]/4) {
				x[2] = math.NaN()
			}
			for h := reals; h < reals+flags; h++ {
				if r.Float64() < logistic(base[h]+tilt[y[i]*d+h]+load[h]*wealth) {
					x[h] = 1
				}
			}
			x[at-1] = float64(poisson(r, math.Exp(.3+.3*tilt[y[i]*d+at-1]-.2*wealth)))
			x[at+pick(r, where)] = 1
			for q := range questions {
				h := at + regions + 3*q
				v := base[h] + tilt[y[i]*d+h] + load[h]*wealth + noise(r)
				switch {
				case v < -1:
					x[h] = 1
				case v < 1:
					x[h+1] = 1
				default:
					x[h+2] = 1
				}
			}
			rows.Dense = append(rows.Dense, x...)
		}
		out := Draw{Rows: &rows, Kind: record.Mixed, Labels: y}
		for h := range at {
			kind := vocab.Real
			switch {
			case h == at-1:
				kind = vocab.Counts
			case h >= reals:
				kind = vocab.Presence
			}
			out.Columns = append(out.Columns, vocab.Column{Kind: kind, From: h, To: h + 1})
		}
		out.Columns = append(out.Columns, vocab.Column{Kind: vocab.Categorical, From: at, To: at + regions})
		for q := range questions {
			h := at + regions + 3*q
			out.Columns = append(out.Columns, vocab.Column{Kind: vocab.Categorical, From: h, To: h + 3})
		}
		return out
	}
}

// register: numbers and flags that follow the time of the year and a slow drift.
func register(k int) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		const reals, flags = 5, 8
		const d = reals + flags
		own, y := apartCenters(r, k, reals, 7), labels(r, n, k, false)
		tilt, base := normal(r, 0, 1.8, k*d), normal(r, -.5, .7, d)
		if k == 1 {
			clear(tilt)
		}
		peak, high, drift := uniform(r, 0, 2*math.Pi, d), uniform(r, .2, 1, d), normal(r, 0, .6, d)
		rows := sparse.Rows{Dim: d}
		for i := range n {
			x, when := make([]float64, d), 6*float64(i)/float64(n)
			for h := range x {
				v := high[h]*math.Cos(2*math.Pi*when-peak[h]) + drift[h]*(when-3)/2
				if h < reals {
					x[h] = own[y[i]][h] + v + r.NormFloat64()
				} else if r.Float64() < logistic(base[h]+tilt[y[i]*d+h]+v) {
					x[h] = 1
				}
			}
			rows.Dense = append(rows.Dense, x...)
		}
		out := Draw{Rows: &rows, Kind: record.Mixed, Labels: y}
		for h := range d {
			kind := vocab.Real
			if h >= reals {
				kind = vocab.Presence
			}
			out.Columns = append(out.Columns, vocab.Column{Kind: kind, From: h, To: h + 1})
		}
		return out
	}
}

// statusByAge: what people do and a band hang on their age alone, sharply; two flags and a
// number follow it by degrees.
func statusByAge(r *rand.Rand, n int) Draw {
	q := newQuestioned(2, 2, 3, 3)
	for range n {
		age := 20 + 70*r.Float64()
		status := 0
		if age >= 30 {
			status = 1 + pick(r, []float64{.75, .25})
		}
		band := 0
		for _, from := range []float64{40, 65} {
			if age >= from {
				band++
			}
		}
		q.add(r, 0, []float64{math.Round(age), math.Round(100 + .6*age + 12*r.NormFloat64())}, []float64{logistic((age - 60) / 12), logistic((age - 75) / 15)}, status, band)
	}
	return q.Draw
}

// rareAnswer: two groups, and a question of which one answer is rare in each.
func rareAnswer(r *rand.Rand, n int) Draw {
	q := newQuestioned(2, 6, 3)
	flag, answer := []float64{.15, .75}, [][]float64{{.7, .2, .1}, {.1, .2, .7}}
	for range n {
		g := r.IntN(2)
		p := make([]float64, 6)
		for h := range p {
			p[h] = flag[g]
		}
		numbers := []float64{math.Round(50 + 14*float64(g) + 9*r.NormFloat64()), math.Exp(.5 + 1.1*float64(g) + .4*r.NormFloat64())}
		q.add(r, g, numbers, p, pick(r, answer[g]))
	}
	return q.Draw
}

// questioned are records of numbers, flags and questions of several answers.
type questioned struct{ Draw }

func newQuestioned(numbers, flags int, answers ...int) *questioned {
	q := &questioned{Draw{Rows: &sparse.Rows{}, Kind: record.Mixed}}
	column := func(kind vocab.Kind, width int) {
		q.Columns = append(q.Columns, vocab.Column{Kind: kind, From: q.Rows.Dim, To: q.Rows.Dim + width})
		q.Rows.Dim += width
	}
	for range numbers {
		column(vocab.Real, 1)
	}
	for range flags {
		column(vocab.Presence, 1)
	}
	for _, width := range answers {
		column(vocab.Categorical, width)
	}
	return q
}

// add adds a record of a group, with the chances of its flags.
func (q *questioned) add(r *rand.Rand, group int, numbers, flags []float64, answers ...int) {
	row := append(make([]float64, 0, q.Rows.Dim), numbers...)
	for _, p := range flags {
		v := 0.0
		if r.Float64() < p {
			v = 1
		}
		row = append(row, v)
	}
	row = row[:q.Rows.Dim]
	for i, c := range q.Columns[len(numbers)+len(flags):] {
		row[c.From+answers[i]] = 1
	}
	q.Rows.Dense = append(q.Rows.Dense, row...)
	q.Labels = append(q.Labels, group)
}
