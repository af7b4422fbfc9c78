package inference

import (
	"context"
	"math"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/lca"
	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
)

// Pair is how far two questions depend on each other beyond their classes.
type Pair struct {
	A, B      int     // questions
	X2        float64 // Pearson's, of the table of both against the model's
	DF        int     // (answers of A − 1)·(answers of B − 1)
	Residual  float64 // X2/DF: the bivariate residual; about 1 where the model holds
	Dependent bool    // above the 95 % point of one degree of freedom, 3.84
}

// dependent is the 95 % point of χ² with one degree of freedom.
const dependent = 3.841458820694124

// mostTracked is the number of columns up to which all pairs are counted.
const mostTracked = 3000

// Residuals returns all pairs of questions in one pass, in the order of the questions;
// nil where there are too many. Records that lack an answer to one of a
// pair do not count for it.
func Residuals(ctx context.Context, f family.Family, p mixture.Params, run pass.Runner) ([]Pair, error) {
	q := family.QuestionsOf(f, p.Dim())
	if q == nil {
		return nil, ErrOther
	}
	c := lca.NewCoding(q)
	if c.Columns() > mostTracked {
		return nil, nil
	}
	s := newPaired(c)
	state, err := pass.RunOne(ctx, run, s)
	if err != nil {
		return nil, err
	}
	m := (&lca.Table{Coding: c}).Model(p)
	n := c.Questions()
	out := make([]Pair, n*(n-1)/2)
	err = par.Do(ctx, run.Can().Workers, n, func(a int) error {
		own := out[a*(2*n-a-1)/2:]
		for b := a + 1; b < n; b++ {
			own[b-a-1] = s.pair(state, m, a, b)
		}
		return nil
	})
	return out, err
}

// paired is the Sum of pairs of answers: records, and for every pair of columns
// (the first not above the second) the records that have both. Of a presence
// the first column stands for a missing value, so that a record without a
// feature costs nothing; its absences are what is left.
type paired struct {
	*lca.Coding
	absent []bool // of every column: the absence of a presence
}

func newPaired(c *lca.Coding) paired {
	s := paired{c, make([]bool, c.Columns()+1)}
	for q := range c.Questions() {
		s.absent[c.First(q)] = c.IsPresence(q)
	}
	return s
}

func (s paired) Len() int { n := s.Columns(); return 1 + n*(n+1)/2 }

// at is the place of a pair of columns, a ≤ b.
func (s paired) at(a, b int) int { return 1 + a*s.Columns() - a*(a-1)/2 + b - a }

func (s paired) Add(state []float64, b pass.Block) error {
	code, have := make([]int32, s.Questions()), make([]int, 0, s.Questions())
	for i := range b.N() {
		if err := s.Code(b, i, code); err != nil {
			return err
		}
		have = have[:0]
		for q, j := range code {
			switch presence := s.IsPresence(q); {
			case presence && int(j) == s.Columns():
				have = append(have, s.First(q)) // missing
			case int(j) < s.Columns() && !s.absent[j]:
				have = append(have, int(j))
			}
		}
		state[0]++
		for x, c := range have {
			row := s.at(c, c) - c
			for _, d := range have[x:] {
				state[row+d]++
			}
		}
	}
	return nil
}

// pair compares the table of two questions with the model's.
func (s paired) pair(state []float64, m lca.Model, a, b int) Pair {
	na, nb := s.Answers(a), s.Answers(b)
	seen := make([]float64, na*nb)
	both := func(x, y int) float64 { return state[s.at(x, y)] }
	fa, fb := s.First(a), s.First(b)
	pa, pb := s.IsPresence(a), s.IsPresence(b)
	for i := range na {
		for j := range nb {
			if (pa && i == 0) || (pb && j == 0) {
				continue
			}
			seen[i*nb+j] = both(fa+i, fb+j)
		}
	}
	if pa { // absent: all that gave the other answer, less those present or missing
		for j := range nb {
			if pb && j == 0 {
				continue
			}
			seen[j] = both(fb+j, fb+j) - seen[nb+j] - both(fa, fb+j)
		}
	}
	if pb {
		for i := range na {
			if pa && i == 0 {
				continue
			}
			seen[i*nb] = both(fa+i, fa+i) - seen[i*nb+1] - both(fa+i, fb)
		}
	}
	if pa && pb {
		n := state[0] - both(fa, fa) - both(fb, fb) + both(fa, fb)
		seen[0] = n - seen[1] - seen[2] - seen[3]
	}
	total := 0.0
	for _, v := range seen {
		total += v
	}
	out := Pair{A: a, B: b, DF: max((na-1)*(nb-1), 1)}
	for i := range na {
		for j := range nb {
			e := 0.0
			for c, w := range m.Weights {
				e += w * m.P[(fa+i)*m.K+c] * m.P[(fb+j)*m.K+c]
			}
			if e *= total; e > 0 {
				d := seen[i*nb+j] - e
				out.X2 += d * d / e
			} else if seen[i*nb+j] > 0 {
				out.X2 = math.Inf(1)
			}
		}
	}
	out.Residual = out.X2 / float64(out.DF)
	out.Dependent = out.Residual > dependent
	return out
}

// Whole compares the records with the model as one table of all answers.
type Whole struct {
	G2, X2 float64 // likelihood ratio and Pearson's
	DF     float64 // cells − 1 − parameters; below 1 the model is not identified
}

// Cells returns G² and X² against the table of all answers; nil where some
// record lacks an answer.
func Cells(t *lca.Table, p mixture.Params, parameters int) *Whole {
	m := t.Model(p)
	expected, seen, complete := t.Expected(m)
	if !complete {
		return nil
	}
	out, rest := &Whole{DF: t.Cells() - 1 - float64(parameters)}, float64(t.Records())
	for i, e := range expected {
		n := seen[i]
		out.G2 += 2 * n * math.Log(n/e)
		out.X2 += (n - e) * (n - e) / e
		rest -= e
	}
	out.X2 += max(rest, 0) // cells that nobody is in
	return out
}
